//! Sentences with places for numbers, found in a line.

/// What stands in the places of a pattern.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Captured {
    /// `{p}`: producer id.
    pub(super) producer_id: Option<i64>,
    /// `{o}`: offset.
    pub(super) offset: Option<i64>,
    /// `{t}`: topic and partition.
    pub(super) partition: Option<String>,
    /// `{s}`: the sequence that came.
    pub(super) sequence: Option<i32>,
    /// `{l}`: the last sequence known.
    pub(super) last: Option<i32>,
    /// `{e}`: the epoch that came.
    pub(super) epoch: Option<i16>,
    /// `{c}`: the epoch known.
    pub(super) current: Option<i16>,
}

/// Finds a pattern in a line: its words as they are, and a value in each place.
pub(super) fn find(pattern: &str, line: &str) -> Option<Captured> {
    let (first, mut rest_of_pattern) = pattern.split_once('{')?;
    let mut text = &line[line.find(first)? + first.len()..];
    let mut captured = Captured::default();
    loop {
        let (place, behind) = rest_of_pattern.split_once('}')?;
        let (words, next) = match behind.split_once('{') {
            Some((words, next)) => (words, Some(next)),
            None => (behind, None),
        };
        let value;
        (value, text) = if words.is_empty() {
            let end = text.find(' ').unwrap_or(text.len());
            text.split_at(end)
        } else {
            text.split_once(words)?
        };
        captured.put(place, value)?;
        match next {
            Some(next) => rest_of_pattern = next,
            None => return Some(captured),
        }
    }
}

impl Captured {
    fn put(&mut self, place: &str, value: &str) -> Option<()> {
        match place {
            "p" => self.producer_id = Some(value.parse().ok()?),
            "o" => self.offset = Some(value.parse().ok()?),
            "s" => self.sequence = Some(value.parse().ok()?),
            "l" => self.last = Some(value.parse().ok()?),
            "e" => self.epoch = Some(value.parse().ok()?),
            "c" => self.current = Some(value.parse().ok()?),
            "t" if !value.is_empty() && !value.contains(' ') => {
                self.partition = Some(value.to_owned());
            }
            _ => return None,
        }
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pattern_is_found_with_its_values() {
        let pattern = "producer {p} at offset {o} in {t} is {e}, known {c}";
        let captured = find(pattern, "x: producer 7 at offset 12 in a-b-0 is 3, known 4").unwrap();
        assert_eq!(captured.producer_id, Some(7));
        assert_eq!(captured.offset, Some(12));
        assert_eq!(captured.partition.as_deref(), Some("a-b-0"));
        assert_eq!((captured.epoch, captured.current), (Some(3), Some(4)));
    }

    #[test]
    fn other_words_or_values_are_not_it() {
        let pattern = "producer {p} at offset {o}.";
        for line in [
            "producer 7 at",
            "producer x at offset 1.",
            "producer 7 at offset 1",
            "",
        ] {
            assert_eq!(find(pattern, line), None, "{line}");
        }
    }
}
