//! **ack-truthful**: a record whose acknowledgement the application got is in the log, at
//! the offset it was told, and stays in it.
//!
//! Also called *no lost write*, *durability* or *no phantom acknowledgement*.
//!
//! Formula: `□ ∀ r: told(r) = Acknowledged(o) ⇒ □ r ∈ log ∧ (o = none ∨ log[o] = r)`,
//! where the second half is asked when the application is told
//!
//! Assumes that the history is the log that consumers will read, and that a leader's log
//! loses records in no other way than by being cut ([`Event::Truncated`]; records that
//! expired by retention are not lost in this sense). A cut is judged against the log before
//! it: a record that was acknowledged and of which no copy stands below the cut is lost, and
//! one such record is the witness. If a copy stays, the record stays, though not at the
//! offset that was told. Whether a record is written again after it was lost does not mend
//! it. An acknowledgement without an offset is true if the
//! record is in the log at all (the Java client reports one after
//! DUPLICATE_SEQUENCE_NUMBER); [`duplicate_answer_truthful`](crate::duplicate_answer_truthful)
//! is stricter, and judges the broker's answer rather than the word to the application.
//! Where a record stands several times, any of its places is true. Premise: the
//! application was told that a record is written, or a log was cut below its log end
//! offset.
//!
//! Source: KIP-98, KIP-101 (what truncation may take away); S1.5, S1.8, S2.1.

use std::fmt;

use crate::{
    BrokerMemory, Event, History, Judgement, Offset, Outcome, Partition, ProducerId, Record,
};

/// Stable id.
pub const ID: &str = "ack-truthful";
/// The property in one sentence.
pub const STATEMENT: &str =
    "A record acknowledged to the application is in the log, at the offset told, and stays in it.";
/// Where it comes from.
pub const SOURCE: &str = "KIP-98, KIP-101; S1.5, S1.8, S2.1";

/// The application was told that a record is written, and it is not so, or no longer.
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
    /// The record was in the log, and was cut off with all its copies.
    Lost {
        /// The record.
        record: Record,
        /// Where the log was cut: its log end offset from then on.
        offset: Offset,
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
            UntruthfulAck::Lost { record, offset } => write!(
                f,
                "record {record}, acknowledged, was lost when the log was cut at offset {offset}"
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
    match event {
        Event::Reported {
            producer,
            partition,
            record,
            outcome: Outcome::Acknowledged { offset },
        } => judge_ack(history, *producer, *partition, *record, *offset),
        Event::Truncated { partition, end } => judge_cut(history, *partition, *end),
        _ => Judgement::Unconcerned,
    }
}

/// Judges what the application was told of one record.
#[inline]
fn judge_ack<H: History>(
    history: &H,
    producer: ProducerId,
    partition: Partition,
    record: Record,
    offset: Option<Offset>,
) -> Judgement<UntruthfulAck> {
    if !history.contains(producer, partition, record) {
        return Judgement::Broken(UntruthfulAck::NotInLog { record });
    }
    match offset {
        Some(told) if !history.stands_at(producer, partition, record, told) => {
            Judgement::Broken(UntruthfulAck::WrongOffset { record, told })
        }
        Some(_) | None => Judgement::Upheld,
    }
}

/// Judges a cut by what was acknowledged before it.
#[inline]
fn judge_cut<H: History>(
    history: &H,
    partition: Partition,
    end: Offset,
) -> Judgement<UntruthfulAck> {
    if end >= history.log_end(partition) {
        return Judgement::Unconcerned;
    }
    match history.acknowledged_lost_by(partition, end) {
        None => Judgement::Upheld,
        Some((_, record, _)) => Judgement::Broken(UntruthfulAck::Lost {
            record,
            offset: end,
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{
        appended, batch, for_another_partition, history, log, plain, reported, truncated, Seen,
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
    fn an_acknowledged_record_that_is_cut_off_breaks_it() {
        let log = history(&[
            appended(plain(0, 2), 0),
            appended(plain(2, 2), 2),
            acknowledged(1, Some(1)),
            acknowledged(3, Some(3)),
        ]);
        let Judgement::Broken(violation) = judge(&log, &truncated(2)) else {
            panic!("record 3 stood at offset 3");
        };
        assert_eq!(
            violation,
            UntruthfulAck::Lost {
                record: Record(3),
                offset: Offset(2)
            }
        );
        assert_eq!(
            violation.to_string(),
            "record 3, acknowledged, was lost when the log was cut at offset 2"
        );
    }

    #[test]
    fn a_cut_that_takes_only_what_nobody_was_told_of_upholds_it() {
        let log = history(&[
            appended(plain(0, 1), 0),
            appended(plain(1, 2), 1),
            acknowledged(0, Some(0)),
            reported(1, Outcome::Failed),
            reported(2, Outcome::Unknown),
        ]);
        assert_eq!(judge(&log, &truncated(1)), Judgement::Upheld);
    }

    #[test]
    fn a_cut_that_leaves_a_copy_upholds_it() {
        let log = history(&[
            appended(plain(0, 1), 0),
            appended(plain(0, 1), 1),
            acknowledged(0, Some(1)),
        ]);
        assert_eq!(judge(&log, &truncated(1)), Judgement::Upheld);
    }

    #[test]
    fn a_cut_of_another_partition_loses_nothing_of_this_one() {
        let log = history(&[
            appended(plain(0, 1), 0),
            appended(for_another_partition(plain(0, 1)), 0),
            acknowledged(0, Some(0)),
        ]);
        let elsewhere: Seen<'_> = Event::Truncated {
            partition: for_another_partition(plain(0, 1)).partition,
            end: Offset(0),
        };
        assert_eq!(judge(&log, &elsewhere), Judgement::Upheld);
    }

    #[test]
    fn an_acknowledgement_that_comes_after_the_cut_breaks_it() {
        let log = history(&[appended(plain(0, 1), 0), truncated(0)]);
        assert_eq!(
            judge(&log, &acknowledged(0, Some(0))),
            Judgement::Broken(UntruthfulAck::NotInLog { record: Record(0) })
        );
    }

    #[test]
    fn a_cut_that_takes_nothing_is_no_concern() {
        let log = history(&[appended(plain(0, 2), 0), acknowledged(0, Some(0))]);
        for end in [2, 3] {
            assert_eq!(judge(&log, &truncated(end)), Judgement::Unconcerned);
        }
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
