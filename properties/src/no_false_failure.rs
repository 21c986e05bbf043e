//! **no-false-failure**: a record that the application was told has failed is not in the
//! log, then or later.
//!
//! Also called *definite failure*: where a client separates "it did not happen" from "it may
//! have happened", this is what the first of the two words means.
//!
//! Formula: `□ ∀ r: told(r) = Failed ⇒ □ r ∉ log`
//!
//! Assumes that a client has a word for not knowing: `Outcome::Unknown` is never judged.
//! Apache Kafka never promises this. Its client has one kind of failed future, and a
//! TimeoutException, or an OutOfOrderSequenceException for a batch that was written
//! (S1.7 stops the session at that point), is told of records that are in the log; an
//! application that sends such a record again makes the duplicate itself. The property
//! counts how often that happens. Premise: the application was told that a record failed
//! (upheld or broken at once), or a record of which it was told so is written (broken); an
//! append of other records has nothing to do with it.
//!
//! Source: none in Kafka; S1.7, S2.1.

use std::fmt;

use crate::{BrokerMemory, Event, History, Judgement, Offset, Outcome, Record};

/// Stable id.
pub const ID: &str = "no-false-failure";
/// The property in one sentence.
pub const STATEMENT: &str =
    "A record that the application was told has failed is not in the log, then or later.";
/// Where it comes from.
pub const SOURCE: &str = "Not promised by Kafka; S1.7, S2.1";

/// The application was told that a record failed, and it is written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FailedButWritten {
    /// It was in the log when the application was told.
    AlreadyWritten {
        /// The record.
        record: Record,
    },
    /// It was written after the application was told.
    WrittenLater {
        /// The record.
        record: Record,
        /// Where it was written.
        offset: Offset,
    },
}

impl fmt::Display for FailedButWritten {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FailedButWritten::AlreadyWritten { record } => write!(
                f,
                "record {record} was reported as failed, though it is in the log"
            ),
            FailedButWritten::WrittenLater { record, offset } => write!(
                f,
                "record {record} was written at offset {offset} after it was reported as failed"
            ),
        }
    }
}

/// Judges one event; see the head of this file.
#[inline]
pub fn judge<H: History, M: BrokerMemory>(
    history: &H,
    event: &Event<'_, M>,
) -> Judgement<FailedButWritten> {
    match event {
        Event::Reported {
            producer,
            partition,
            record,
            outcome: Outcome::Failed,
        } => Judgement::from_check(!history.contains(*producer, *partition, *record), || {
            FailedButWritten::AlreadyWritten { record: *record }
        }),
        Event::Appended { batch, base } => {
            let failed = batch.records().zip(base.0..).find(|(record, _)| {
                history.was_reported_failed(batch.producer, batch.partition, *record)
            });
            match failed {
                None => Judgement::Unconcerned,
                Some((record, offset)) => Judgement::Broken(FailedButWritten::WrittenLater {
                    record,
                    offset: Offset(offset),
                }),
            }
        }
        _ => Judgement::Unconcerned,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{
        appended, batch, for_another_partition, from_another_producer, history, log, plain,
        reported,
    };

    #[test]
    fn a_failed_record_that_is_not_in_the_log_upholds_it() {
        let log = log(&[plain(0, 1), from_another_producer(plain(1, 1))]);
        assert_eq!(
            judge(&log, &reported(1, Outcome::Failed)),
            Judgement::Upheld
        );
    }

    #[test]
    fn a_failed_record_that_is_in_the_log_breaks_it() {
        let log = log(&[batch(0, 2, 0, 0)]);
        let Judgement::Broken(violation) = judge(&log, &reported(1, Outcome::Failed)) else {
            panic!("record 1 is in the log");
        };
        assert_eq!(
            violation,
            FailedButWritten::AlreadyWritten { record: Record(1) }
        );
        assert_eq!(
            violation.to_string(),
            "record 1 was reported as failed, though it is in the log"
        );
    }

    #[test]
    fn a_failed_record_that_is_written_later_breaks_it() {
        let history = history(&[appended(plain(0, 1), 0), reported(2, Outcome::Failed)]);
        let Judgement::Broken(violation) = judge(&history, &appended(plain(1, 2), 1)) else {
            panic!("record 2 was reported as failed");
        };
        assert_eq!(
            violation,
            FailedButWritten::WrittenLater {
                record: Record(2),
                offset: Offset(2)
            }
        );
        assert_eq!(
            violation.to_string(),
            "record 2 was written at offset 2 after it was reported as failed"
        );
    }

    #[test]
    fn a_record_of_unknown_outcome_is_never_judged() {
        let written = log(&[plain(0, 1)]);
        assert_eq!(
            judge(&written, &reported(0, Outcome::Unknown)),
            Judgement::Unconcerned
        );
        let told = history(&[reported(0, Outcome::Unknown)]);
        assert_eq!(
            judge(&told, &appended(plain(0, 1), 0)),
            Judgement::Unconcerned
        );
    }

    #[test]
    fn an_acknowledgement_is_no_concern() {
        let acknowledged = reported(0, Outcome::Acknowledged { offset: None });
        assert_eq!(judge(&log(&[]), &acknowledged), Judgement::Unconcerned);
    }

    #[test]
    fn an_append_of_other_records_is_no_concern() {
        let history = history(&[reported(0, Outcome::Failed)]);
        for other in [
            plain(1, 2),
            from_another_producer(plain(0, 1)),
            for_another_partition(plain(0, 1)),
        ] {
            assert_eq!(judge(&history, &appended(other, 0)), Judgement::Unconcerned);
        }
    }
}
