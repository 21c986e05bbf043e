//! Numbers on the command line: plain ones, budgets, numbers that need not be, ranges.

use std::ops::RangeInclusive;

use retryproof_models::conditions::Budget;

/// Reads a number from `min` to `max`.
pub fn from_to(min: usize, max: usize) -> impl Fn(&str) -> Result<usize, String> + Clone {
    move |text| {
        let number: Option<usize> = text.parse().ok();
        number
            .filter(|number| (min..=max).contains(number))
            .ok_or_else(|| format!("choose a number from {min} to {max}"))
    }
}

/// Reads a number of 1 or more.
pub fn at_least_one(text: &str) -> Result<usize, String> {
    let number: Option<usize> = text.parse().ok();
    number
        .filter(|number| *number > 0)
        .ok_or_else(|| "choose a number of 1 or more".to_owned())
}

/// Reads a seed.
pub fn seed(text: &str) -> Result<u64, String> {
    text.parse()
        .map_err(|_| format!("choose a number from 0 to {}", u64::MAX))
}

/// Reads a small number from `min` to `max`.
pub fn small(min: u8, max: u8) -> impl Fn(&str) -> Result<u8, String> + Clone {
    move |text| {
        from_to(min.into(), max.into())(text)?
            .try_into()
            .map_err(|_| format!("choose a number from {min} to {max}"))
    }
}

/// Reads a port.
pub fn port(text: &str) -> Result<u16, String> {
    let number: Option<u16> = text.parse().ok();
    number
        .filter(|number| *number > 0)
        .ok_or_else(|| format!("choose a port from 1 to {}", u16::MAX))
}

/// Reads a number from `min` to `max`, or "any".
pub fn budget(min: u8, max: u8) -> impl Fn(&str) -> Result<Budget, String> + Clone {
    move |text| match text {
        "any" => Ok(Budget::Any),
        _ => small(min, max)(text)
            .map(Budget::AtMost)
            .map_err(|reason| format!("{reason}, or \"any\"")),
    }
}

/// A small number, or none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OrNone(Option<u8>);

impl OrNone {
    /// The number, if it is one.
    pub fn number(self) -> Option<u8> {
        self.0
    }
}

/// Reads a number from `min` to `max`, or "none".
pub fn small_or_none(min: u8, max: u8) -> impl Fn(&str) -> Result<OrNone, String> + Clone {
    move |text| match text {
        "none" => Ok(OrNone(None)),
        _ => small(min, max)(text)
            .map(|number| OrNone(Some(number)))
            .map_err(|reason| format!("{reason}, or \"none\"")),
    }
}

/// Reads a range as in `1..8` (both ends are in it), or one number, all from 1 to `max`.
pub fn range(max: u8) -> impl Fn(&str) -> Result<RangeInclusive<u8>, String> + Clone {
    move |text| {
        let (first, last) = text.split_once("..").unwrap_or((text, text));
        let last = last.trim_start_matches('=');
        let (first, last) = (small(1, max)(first), small(1, max)(last));
        match (first, last) {
            (Ok(first), Ok(last)) if first <= last => Ok(first..=last),
            _ => Err(format!(
                "choose a range within 1..{max}, as in 2..4, or one number"
            )),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_out_of_range_and_words_are_refused() {
        for text in [
            "0",
            "9",
            "-1",
            "300",
            "99999999999999999999",
            "five",
            "",
            "5 ",
        ] {
            assert_eq!(
                small(1, 8)(text),
                Err("choose a number from 1 to 8".to_owned()),
                "{text}"
            );
        }
        assert_eq!(small(1, 8)("8"), Ok(8));
    }

    #[test]
    fn a_budget_is_a_number_or_any() {
        assert_eq!(budget(0, 100)("any"), Ok(Budget::Any));
        assert_eq!(budget(0, 100)("0"), Ok(Budget::AtMost(0)));
        assert!(budget(1, 16)("all").is_err());
    }

    #[test]
    fn what_need_not_be_is_a_number_or_none() {
        let read = |text: &str| small_or_none(2, 64)(text).map(OrNone::number);
        assert_eq!(read("none"), Ok(None));
        assert_eq!(read("2"), Ok(Some(2)));
        let refusal = "choose a number from 2 to 64, or \"none\"".to_owned();
        assert_eq!(read("1"), Err(refusal.clone()));
        assert_eq!(read("any"), Err(refusal));
    }

    #[test]
    fn a_range_holds_both_ends() {
        assert_eq!(range(8)("1..8"), Ok(1..=8));
        assert_eq!(range(8)("1..=8"), Ok(1..=8));
        assert_eq!(range(8)("5"), Ok(5..=5));
        for text in ["8..1", "0..3", "1..9", "..", "a..b", "1..2..3"] {
            assert!(range(8)(text).is_err(), "{text}");
        }
    }
}
