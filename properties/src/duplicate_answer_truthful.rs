//! **duplicate-answer-truthful**: a batch answered as a duplicate is in the log, at the
//! offset that the answer names.
//!
//! Also called *replaying the original reply*: a server that sees a request twice gives the
//! second the reply of the first.
//!
//! Formula: `□ ∀ b: answer(b) = Duplicate(o) ⇒ o ≠ none ∧ ∀ i < count(b): log[o + i] = record(b, i)`
//!
//! Assumes nothing of how the broker recognises a batch. Records are told apart by their
//! own identity ([`Record`]): another batch under the same epoch and
//! sequences does not make the answer true. Where a record stands several times, any of
//! its places is a true answer. An answer without an offset (DUPLICATE_SEQUENCE_NUMBER, 46,
//! as Kafka 1.0 gave it for batches older than its window) does not say where the original
//! stands, and breaks the property. [`ack_truthful`](crate::ack_truthful) is lenient on
//! this: it judges what the application was told, and "written, offset unknown" is no lie.
//! Both are useful: this one asks whether the broker can still name the original, that one
//! whether anybody was deceived. Premise: a request was answered as a duplicate.
//!
//! Source: KAFKA-5494, Kafka's ProducerStateEntry (`findDuplicateBatch`) and UnifiedLog
//! (answers with the offsets of the cached batch); S1.5, S1.6, S3.3.

use std::fmt;

use crate::{Answer, BrokerMemory, Event, History, Judgement, Offset, Record};

/// Stable id.
pub const ID: &str = "duplicate-answer-truthful";
/// The property in one sentence.
pub const STATEMENT: &str =
    "A batch answered as a duplicate is in the log, at the offset that the answer names.";
/// Where it comes from.
pub const SOURCE: &str = "KAFKA-5494; ProducerStateEntry; S1.5, S1.6, S3.3";

/// An answer "duplicate" that does not say where the original stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum UntruthfulDuplicate {
    /// There is no original: a record of the batch is not in the log.
    NotInLog {
        /// The first such record.
        record: Record,
        /// Offset that the answer named for the batch.
        base: Option<Offset>,
    },
    /// The batch is in the log, but the answer does not say where.
    NamesNoOffset {
        /// First record of the batch.
        first_record: Record,
    },
    /// The batch is in the log, but elsewhere.
    WrongOffset {
        /// The first record that does not stand where the answer says.
        record: Record,
        /// Where the answer says that it stands.
        told: Offset,
    },
}

impl fmt::Display for UntruthfulDuplicate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            UntruthfulDuplicate::NotInLog { record, base: None } => write!(
                f,
                "record {record} was answered as a duplicate, but is not in the log"
            ),
            UntruthfulDuplicate::NotInLog {
                record,
                base: Some(base),
            } => write!(
                f,
                "record {record} was answered as a duplicate of a batch at offset {base}, \
                 but is not in the log"
            ),
            UntruthfulDuplicate::NamesNoOffset { first_record } => write!(
                f,
                "the batch of record {first_record} was answered as a duplicate \
                 without the offset of the original"
            ),
            UntruthfulDuplicate::WrongOffset { record, told } => write!(
                f,
                "record {record} was answered as a duplicate at offset {told}, \
                 but does not stand there"
            ),
        }
    }
}

/// Judges one event; see the head of this file.
#[inline]
pub fn judge<H: History, M: BrokerMemory>(
    history: &H,
    event: &Event<'_, M>,
) -> Judgement<UntruthfulDuplicate> {
    let Event::Decided(decision) = event else {
        return Judgement::Unconcerned;
    };
    let Some(Answer::Duplicate { base }) = decision.answer else {
        return Judgement::Unconcerned;
    };
    let batch = decision.batch;
    let missing = batch
        .records()
        .find(|record| !history.contains(batch.producer, batch.partition, *record));
    if let Some(record) = missing {
        return Judgement::Broken(UntruthfulDuplicate::NotInLog { record, base });
    }
    let Some(base) = base else {
        return Judgement::Broken(UntruthfulDuplicate::NamesNoOffset {
            first_record: batch.first_record,
        });
    };
    let elsewhere = batch
        .records()
        .zip((base.0..).map(Offset))
        .find(|(record, told)| !history.stands_at(batch.producer, batch.partition, *record, *told));
    match elsewhere {
        None => Judgement::Upheld,
        Some((record, told)) => {
            Judgement::Broken(UntruthfulDuplicate::WrongOffset { record, told })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{answered, batch, decided, duplicate_at, log, plain};
    use crate::{Batch, RecordedHistory, RecordedMemory, Rejection};

    fn judge_answer(
        log: &RecordedHistory,
        batch: Batch,
        answer: Option<Answer>,
    ) -> Judgement<UntruthfulDuplicate> {
        judge(log, &decided(batch, answer, &RecordedMemory::default()))
    }

    #[test]
    fn the_offset_of_the_original_upholds_it() {
        let log = log(&[batch(0, 2, 0, 0), batch(2, 3, 0, 2)]);
        assert_eq!(
            judge_answer(&log, batch(2, 3, 0, 2), Some(duplicate_at(2))),
            Judgement::Upheld
        );
    }

    #[test]
    fn any_copy_is_a_true_answer() {
        let log = log(&[plain(0, 1), plain(1, 1), plain(0, 1)]);
        for place in [0, 2] {
            assert_eq!(
                judge_answer(&log, plain(0, 1), Some(duplicate_at(place))),
                Judgement::Upheld
            );
        }
    }

    #[test]
    fn a_batch_that_was_never_written_breaks_it() {
        let log = log(&[batch(0, 1, 0, 0)]);
        let Judgement::Broken(violation) =
            judge_answer(&log, batch(1, 1, 0, 1), Some(duplicate_at(1)))
        else {
            panic!("record 1 is not in the log");
        };
        assert_eq!(
            violation,
            UntruthfulDuplicate::NotInLog {
                record: Record(1),
                base: Some(Offset(1))
            }
        );
        assert_eq!(
            violation.to_string(),
            "record 1 was answered as a duplicate of a batch at offset 1, but is not in the log"
        );
    }

    #[test]
    fn other_records_under_the_same_sequences_do_not_make_it_true() {
        let log = log(&[batch(0, 1, 0, 0)]);
        assert_eq!(
            judge_answer(&log, batch(7, 1, 0, 0), Some(duplicate_at(0))),
            Judgement::Broken(UntruthfulDuplicate::NotInLog {
                record: Record(7),
                base: Some(Offset(0))
            })
        );
    }

    #[test]
    fn a_batch_of_which_only_a_part_was_written_breaks_it() {
        let log = log(&[plain(0, 2)]);
        let Judgement::Broken(violation) =
            judge_answer(&log, plain(0, 3), Some(Answer::Duplicate { base: None }))
        else {
            panic!("record 2 is not in the log");
        };
        assert_eq!(
            violation,
            UntruthfulDuplicate::NotInLog {
                record: Record(2),
                base: None
            }
        );
        assert_eq!(
            violation.to_string(),
            "record 2 was answered as a duplicate, but is not in the log"
        );
    }

    #[test]
    fn an_answer_without_an_offset_breaks_it() {
        let log = log(&[batch(0, 2, 0, 0)]);
        let Judgement::Broken(violation) = judge_answer(
            &log,
            batch(0, 2, 0, 0),
            Some(Answer::Duplicate { base: None }),
        ) else {
            panic!("the answer names no offset");
        };
        assert_eq!(
            violation,
            UntruthfulDuplicate::NamesNoOffset {
                first_record: Record(0)
            }
        );
        assert_eq!(
            violation.to_string(),
            "the batch of record 0 was answered as a duplicate without the offset of the original"
        );
    }

    #[test]
    fn the_offset_of_another_batch_breaks_it() {
        let log = log(&[batch(0, 2, 0, 0), batch(2, 2, 0, 2)]);
        let Judgement::Broken(violation) =
            judge_answer(&log, batch(0, 2, 0, 0), Some(duplicate_at(2)))
        else {
            panic!("record 0 stands at offset 0");
        };
        assert_eq!(
            violation,
            UntruthfulDuplicate::WrongOffset {
                record: Record(0),
                told: Offset(2)
            }
        );
        assert_eq!(
            violation.to_string(),
            "record 0 was answered as a duplicate at offset 2, but does not stand there"
        );
    }

    #[test]
    fn every_record_must_stand_where_the_answer_puts_it() {
        let log = log(&[plain(0, 1), plain(9, 1), plain(1, 1)]);
        assert_eq!(
            judge_answer(&log, plain(0, 2), Some(duplicate_at(0))),
            Judgement::Broken(UntruthfulDuplicate::WrongOffset {
                record: Record(1),
                told: Offset(1)
            })
        );
    }

    #[test]
    fn other_answers_and_other_events_are_no_concern() {
        let log = log(&[]);
        for answer in [
            Some(Answer::Appended { base: Offset(0) }),
            Some(Answer::Rejected(Rejection::OutOfOrderSequence)),
            None,
        ] {
            assert_eq!(
                judge_answer(&log, batch(0, 1, 0, 0), answer),
                Judgement::Unconcerned
            );
        }
        assert_eq!(
            judge(&log, &answered(batch(0, 1, 0, 0), duplicate_at(0))),
            Judgement::Unconcerned
        );
    }
}
