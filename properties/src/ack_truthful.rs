//! **ack-truthful**: a record whose acknowledgement the application got is in the log, at
//! the offset it was told.
//!
//! Also called *no lost write* or *no phantom acknowledgement*.
//!
//! Formula: `□ ∀ r: told(r) = Acknowledged(o) ⇒ r ∈ log ∧ (o = none ∨ log[o] = r)`
//!
//! Assumes that the history is the log that consumers will read: what a later truncation
//! takes away is not judged again. An acknowledgement without an offset is true if the
//! record is in the log at all (the Java client reports one after
//! DUPLICATE_SEQUENCE_NUMBER); [`duplicate_answer_truthful`](crate::duplicate_answer_truthful)
//! is stricter, and judges the broker's answer rather than the word to the application.
//! Where a record stands several times, any of its places is true. Premise: the
//! application was told that a record is written.
//!
//! Source: KIP-98; S1.5, S1.8, S2.1.

use std::fmt;

use crate::{BrokerMemory, Event, History, Judgement, Offset, Outcome, Record};

/// Stable id.
pub const ID: &str = "ack-truthful";
/// The property in one sentence.
pub const STATEMENT: &str =
    "A record acknowledged to the application is in the log, at the offset that was told.";
/// Where it comes from.
pub const SOURCE: &str = "KIP-98; S1.5, S1.8, S2.1";

/// The application was told that a record is written, and it is not so.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum UntruthfulAck {
    /// The record is not in the log.
    NotInLog {
        /// The record.
        record: Record,
    },
    /// The record is in the log, but elsewhere.
    WrongOffset {
        /// The record.
        record: Record,
        /// The offset that the application was told.
        told: Offset,
    },
}

impl fmt::Display for UntruthfulAck {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            UntruthfulAck::NotInLog { record } => {
                write!(f, "record {record} was acknowledged, but is not in the log")
            }
            UntruthfulAck::WrongOffset { record, told } => write!(
                f,
                "record {record} was acknowledged at offset {told}, but does not stand there"
            ),
        }
    }
}

/// Judges one event; see the head of this file.
#[inline]
pub fn judge<H: History, M: BrokerMemory>(
    history: &H,
    event: &Event<'_, M>,
) -> Judgement<UntruthfulAck> {
    let Event::Reported {
        producer,
        partition,
        record,
        outcome: Outcome::Acknowledged { offset },
    } = event
    else {
        return Judgement::Unconcerned;
    };
    if !history.contains(*producer, *partition, *record) {
        return Judgement::Broken(UntruthfulAck::NotInLog { record: *record });
    }
    match offset {
        Some(told) if !history.stands_at(*producer, *partition, *record, *told) => {
            Judgement::Broken(UntruthfulAck::WrongOffset {
                record: *record,
                told: *told,
            })
        }
        Some(_) | None => Judgement::Upheld,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{
        appended, batch, for_another_partition, history, log, plain, reported, Seen,
    };

    fn acknowledged(record: i64, offset: Option<i64>) -> Seen<'static> {
        reported(
            record,
            Outcome::Acknowledged {
                offset: offset.map(Offset),
            },
        )
    }

    #[test]
    fn the_offset_of_the_record_upholds_it() {
        let log = log(&[batch(0, 2, 0, 0), batch(2, 2, 0, 2)]);
        for record in 0..4 {
            assert_eq!(
                judge(&log, &acknowledged(record, Some(record))),
                Judgement::Upheld
            );
        }
    }

    #[test]
    fn an_acknowledgement_without_an_offset_upholds_it_if_the_record_is_written() {
        let log = log(&[plain(0, 2)]);
        assert_eq!(judge(&log, &acknowledged(1, None)), Judgement::Upheld);
    }

    #[test]
    fn the_offset_of_a_second_copy_is_true() {
        let log = log(&[plain(0, 1), plain(0, 1)]);
        assert_eq!(judge(&log, &acknowledged(0, Some(1))), Judgement::Upheld);
    }

    #[test]
    fn an_acknowledged_record_that_is_not_in_the_log_breaks_it() {
        let log = history(&[
            appended(plain(0, 1), 0),
            appended(for_another_partition(plain(1, 1)), 0),
        ]);
        for offset in [None, Some(1)] {
            let Judgement::Broken(violation) = judge(&log, &acknowledged(1, offset)) else {
                panic!("record 1 is in another partition only");
            };
            assert_eq!(violation, UntruthfulAck::NotInLog { record: Record(1) });
            assert_eq!(
                violation.to_string(),
                "record 1 was acknowledged, but is not in the log"
            );
        }
    }

    #[test]
    fn a_wrong_offset_breaks_it() {
        let log = log(&[plain(0, 2)]);
        let Judgement::Broken(violation) = judge(&log, &acknowledged(1, Some(0))) else {
            panic!("record 1 stands at offset 1");
        };
        assert_eq!(
            violation,
            UntruthfulAck::WrongOffset {
                record: Record(1),
                told: Offset(0)
            }
        );
        assert_eq!(
            violation.to_string(),
            "record 1 was acknowledged at offset 0, but does not stand there"
        );
    }

    #[test]
    fn other_outcomes_and_other_events_are_no_concern() {
        let log = log(&[]);
        for event in [
            reported(0, Outcome::Failed),
            reported(0, Outcome::Unknown),
            appended(plain(0, 1), 0),
            Event::Finished,
        ] {
            assert_eq!(judge(&log, &event), Judgement::Unconcerned);
        }
    }
}
