//! One line of what a producer was told.

use serde::Deserialize;

/// What became of a batch, in the eyes of the application.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Outcome {
    /// It was acknowledged.
    #[default]
    Acknowledged,
    /// It was acknowledged, and the client saw that the broker took it for a duplicate.
    Duplicate,
    /// It was told to be not written.
    Failed,
    /// Nobody knows: a timeout, say.
    Unknown,
}

/// What the application was told of a batch, or of a part of one.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct Ack {
    /// The topic.
    pub topic: String,
    /// The partition of the topic.
    pub partition: i32,
    /// Producer id under which it was sent.
    pub producer_id: i64,
    /// Producer epoch under which it was sent.
    pub epoch: i16,
    /// Sequence of its first record.
    pub first_sequence: i32,
    /// Sequence of its last record.
    pub last_sequence: i32,
    /// Offset told for its first record; absent, `null` or −1 if none was.
    #[serde(default)]
    pub base_offset: Option<i64>,
    /// What became of it; acknowledged if nothing is said.
    #[serde(default)]
    pub outcome: Outcome,
    /// Anything that tells these records from others, a hash say.
    #[serde(default)]
    pub records: Option<String>,
}

impl Ack {
    /// Reads a line. The error says what is wrong, and what a line looks like.
    pub(super) fn of(line: &str) -> Result<Self, String> {
        const LIKE: &str = r#"{"topic":"orders","partition":0,"producer_id":7,"epoch":0,"first_sequence":0,"last_sequence":4,"base_offset":120}"#;
        let mut ack: Ack = serde_json::from_str(line)
            .map_err(|error| format!("this is no acknowledgement ({error}): write {LIKE}"))?;
        if ack.producer_id < 0 || ack.epoch < 0 || ack.first_sequence < 0 || ack.last_sequence < 0 {
            return Err(format!(
                "producer id, epoch and sequences are 0 or more: write {LIKE}"
            ));
        }
        ack.base_offset = ack.base_offset.filter(|offset| *offset >= 0);
        Ok(ack)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LINE: &str = r#"{"topic":"orders","partition":0,"producer_id":7,"epoch":0,"first_sequence":0,"last_sequence":4,"base_offset":-1,"outcome":"duplicate","records":"9f","more":1}"#;

    #[test]
    fn a_line_is_read_and_more_in_it_is_passed_over() {
        let ack = Ack::of(LINE).expect("an acknowledgement");
        assert_eq!(ack.base_offset, None);
        assert_eq!(ack.outcome, Outcome::Duplicate);
        assert_eq!(ack.records.as_deref(), Some("9f"));
    }

    #[test]
    fn what_is_no_acknowledgement_is_refused_with_an_example() {
        for line in [
            "x",
            "{}",
            &LINE.replace("\"epoch\":0", "\"epoch\":-1"),
            &LINE.replace("duplicate", "lost"),
        ] {
            let refused = Ack::of(line).expect_err(line);
            assert!(refused.contains("\"first_sequence\":0"), "{refused}");
        }
    }
}
