//! Figures in words: counts, times, speeds, odds.

/// Between groups of three digits: a space at which no line is broken.
const GROUP: char = '\u{a0}';

/// A count, its digits in groups of three, as in "29 631".
pub fn count(number: usize) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(GROUP);
        }
        text.push(digit);
    }
    text
}

/// A count with its noun, as in "1 claim", "2 claims".
pub fn counted(number: usize, noun: &str) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{} {noun}{plural}", count(number))
}

/// A time in seconds, as in "0.08 s", "12.3 s", "125 s".
pub fn seconds(seconds: f64) -> String {
    let digits = match seconds {
        ..9.995 => 2,
        ..99.95 => 1,
        _ => 0,
    };
    format!("{seconds:.digits$}{GROUP}s")
}

/// Generated states per second; 0 where no time passed.
pub fn per_second(generated: usize, seconds: f64) -> f64 {
    if seconds > 0.0 {
        generated as f64 / seconds
    } else {
        0.0
    }
}

/// A speed in generated states, as in "1.57 million/s".
pub fn speed(generated: usize, seconds: f64) -> String {
    let millions = per_second(generated, seconds) / 1e6;
    format!("{millions:.2} million/s")
}

/// A size of memory, as in "12 MB", "1.25 GB".
pub fn memory(bytes: u64) -> String {
    match bytes as f64 {
        bytes if bytes < 999.5e6 => format!("{:.0}{GROUP}MB", bytes / 1e6),
        bytes => format!("{:.2}{GROUP}GB", bytes / 1e9),
    }
}

/// An upper bound for odds, rounded up: "1e-9", "3e-11", "0".
pub fn odds(odds: f64) -> String {
    if odds <= 0.0 {
        return "0".to_owned();
    }
    let exponent = odds.log10().floor() as i32;
    // Rounding up may carry into the next power of ten.
    match (odds / 10f64.powi(exponent)).ceil() as u32 {
        10.. => format!("1e{}", exponent + 1),
        digit => format!("{digit}e{exponent}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_are_grouped_by_three() {
        assert_eq!(count(7), "7");
        assert_eq!(count(999), "999");
        assert_eq!(count(1_232_921), "1\u{a0}232\u{a0}921");
    }

    #[test]
    fn nouns_follow_their_number() {
        assert_eq!(counted(1, "claim"), "1 claim");
        assert_eq!(counted(0, "claim"), "0 claims");
    }

    #[test]
    fn times_have_as_many_digits_as_say_something() {
        assert_eq!(seconds(0.0812), "0.08\u{a0}s");
        assert_eq!(seconds(12.34), "12.3\u{a0}s");
        assert_eq!(seconds(124.6), "125\u{a0}s");
    }

    #[test]
    fn memory_is_in_the_unit_that_fits() {
        assert_eq!(memory(12_345_678), "12\u{a0}MB");
        assert_eq!(memory(999_600_000), "1.00\u{a0}GB");
        assert_eq!(memory(1_250_000_000), "1.25\u{a0}GB");
    }

    #[test]
    fn odds_are_bounded_from_above() {
        assert_eq!(odds(0.0), "0");
        assert_eq!(odds(2.38e-11), "3e-11");
        assert_eq!(odds(9.5e-11), "1e-10");
        assert_eq!(odds(1e-9), "1e-9");
    }

    #[test]
    fn no_time_gives_no_speed() {
        assert_eq!(per_second(5, 0.0), 0.0);
    }
}
