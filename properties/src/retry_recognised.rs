//! **retry-recognised**: the retry of a batch that is in the log is answered as a success,
//! not with an error.
//!
//! Also called *no false alarm*; the other half of detecting duplicates: a filter that
//! keeps every duplicate out can still mistake one for something worse.
//!
//! Formula: `□ ∀ b: the producer reads Rejected(e) for b, e not retriable ⇒ ∀ r ∈ b: r ∉ log`
//!
//! A retriable error ([`Rejection::is_retriable`]: no leader, timed out, too few replicas, a
//! broken disk) is no alarm, for it says nothing of the batch: it asks for the same batch
//! again, and the answer to that is judged. An error of validation (too large, invalid
//! timestamp or record) is one: a broker that validates before it looks for duplicates
//! refuses the retry of a batch that it wrote under other settings.
//!
//! Assumes that the producer still waited for the answer: answers to requests of dead
//! connections are seen by nobody and not judged. It is judged when the answer is read, for
//! that is when it alarms: if another copy of the batch was written between the broker's
//! word and the reading of it, the word is a false alarm by then. One record in the log is
//! enough, whichever epoch and sequence it was written under. Whether an answer
//! "duplicate" is true is the business of
//! [`duplicate_answer_truthful`](crate::duplicate_answer_truthful). Premise: the producer
//! read an answer "duplicate" to a batch, or an error that is not retriable for a batch of
//! which a record is in the log; an error for a batch that is not in the log, and an answer
//! "appended", say nothing about retries.
//!
//! Source: KAFKA-5494 (a window of 5 batches for 5 in flight); S1.5, S1.6, S1.11.

use std::fmt;

use crate::{Answer, BrokerMemory, Event, History, Judgement, Record, Rejection};

/// Stable id.
pub const ID: &str = "retry-recognised";
/// The property in one sentence.
pub const STATEMENT: &str =
    "A producer that retries a batch which is in the log never reads a rejection of it.";
/// Where it comes from.
pub const SOURCE: &str = "KAFKA-5494; S1.5, S1.6, S1.11";

/// The producer was told that a batch is refused although it was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RetryRefused {
    /// The first record of the batch that is in the log.
    pub record: Record,
    /// What the producer read.
    pub rejection: Rejection,
}

impl fmt::Display for RetryRefused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "the producer read {} for a batch whose record {} is in the log",
            self.rejection, self.record
        )
    }
}

/// Judges one event; see the head of this file.
#[inline]
pub fn judge<H: History, M: BrokerMemory>(
    history: &H,
    event: &Event<'_, M>,
) -> Judgement<RetryRefused> {
    let (batch, answer) = match event {
        Event::Answered { batch, answer } => (batch, answer),
        Event::Decided(decision) if is_duplicate(&decision.answer) => return Judgement::Upheld,
        _ => return Judgement::Unconcerned,
    };
    let rejection = match answer {
        Answer::Appended { .. } => return Judgement::Unconcerned,
        Answer::Duplicate { .. } => return Judgement::Upheld,
        Answer::Rejected(rejection) if rejection.is_retriable() => return Judgement::Unconcerned,
        Answer::Rejected(rejection) => *rejection,
    };
    let written = batch
        .records()
        .find(|record| history.contains(batch.producer, batch.partition, *record));
    match written {
        None => Judgement::Unconcerned,
        Some(record) => Judgement::Broken(RetryRefused { record, rejection }),
    }
}

fn is_duplicate(answer: &Option<Answer>) -> bool {
    matches!(answer, Some(Answer::Duplicate { .. }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{answered, batch, decided, duplicate_at, log, EVERY_REJECTION};
    use crate::{Offset, RecordedMemory};

    #[test]
    fn a_retry_answered_as_a_duplicate_upholds_it() {
        let log = log(&[batch(0, 1, 0, 0)]);
        for answer in [duplicate_at(0), Answer::Duplicate { base: None }] {
            assert_eq!(
                judge(&log, &answered(batch(0, 1, 0, 0), answer)),
                Judgement::Upheld
            );
        }
    }

    #[test]
    fn a_broker_that_decides_duplicate_upholds_it() {
        let log = log(&[batch(0, 1, 0, 0)]);
        let memory = RecordedMemory::default();
        let duplicate = decided(batch(0, 1, 0, 0), Some(duplicate_at(0)), &memory);
        assert_eq!(judge(&log, &duplicate), Judgement::Upheld);
    }

    #[test]
    fn a_rejection_of_a_written_batch_breaks_it() {
        let log = log(&[batch(0, 2, 0, 0), batch(2, 1, 0, 2)]);
        let refused = Answer::Rejected(Rejection::OutOfOrderSequence);
        let Judgement::Broken(violation) = judge(&log, &answered(batch(0, 2, 0, 0), refused))
        else {
            panic!("the batch is in the log");
        };
        assert_eq!(
            violation,
            RetryRefused {
                record: Record(0),
                rejection: Rejection::OutOfOrderSequence
            }
        );
        assert_eq!(
            violation.to_string(),
            "the producer read OUT_OF_ORDER_SEQUENCE_NUMBER for a batch whose record 0 is in the log"
        );
    }

    #[test]
    fn one_record_in_the_log_under_another_identity_is_enough() {
        let log = log(&[batch(2, 1, 0, 2)]);
        let refused = Answer::Rejected(Rejection::InvalidProducerEpoch);
        assert_eq!(
            judge(&log, &answered(batch(1, 2, 1, 0), refused)),
            Judgement::Broken(RetryRefused {
                record: Record(2),
                rejection: Rejection::InvalidProducerEpoch
            })
        );
    }

    #[test]
    fn of_a_written_batch_every_error_breaks_it_that_does_not_ask_for_it_again() {
        let log = log(&[batch(0, 1, 0, 0)]);
        for rejection in EVERY_REJECTION {
            let read = answered(batch(0, 1, 0, 0), Answer::Rejected(rejection));
            let expected = match rejection {
                Rejection::NotLeaderOrFollower
                | Rejection::RequestTimedOut
                | Rejection::NotEnoughReplicas
                | Rejection::NotEnoughReplicasAfterAppend
                | Rejection::KafkaStorageError => Judgement::Unconcerned,
                _ => Judgement::Broken(RetryRefused {
                    record: Record(0),
                    rejection,
                }),
            };
            assert_eq!(judge(&log, &read), expected);
        }
    }

    #[test]
    fn a_rejection_of_a_batch_that_is_not_in_the_log_is_no_concern() {
        let log = log(&[batch(0, 1, 0, 0)]);
        let refused = Answer::Rejected(Rejection::OutOfOrderSequence);
        assert_eq!(
            judge(&log, &answered(batch(2, 1, 0, 2), refused)),
            Judgement::Unconcerned
        );
    }

    #[test]
    fn an_answer_that_the_batch_was_appended_is_no_concern() {
        let log = log(&[batch(0, 1, 0, 0)]);
        let appended = Answer::Appended { base: Offset(0) };
        assert_eq!(
            judge(&log, &answered(batch(0, 1, 0, 0), appended)),
            Judgement::Unconcerned
        );
    }

    #[test]
    fn a_decision_that_the_producer_has_not_read_is_no_concern() {
        let log = log(&[batch(0, 1, 0, 0)]);
        let memory = RecordedMemory::default();
        let refused = Some(Answer::Rejected(Rejection::OutOfOrderSequence));
        assert_eq!(
            judge(&log, &decided(batch(0, 1, 0, 0), refused, &memory)),
            Judgement::Unconcerned
        );
    }
}
