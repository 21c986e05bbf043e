//! **reject-is-stutter**: a refused batch leaves the broker exactly as it was.
//!
//! Also called *failure atomicity*; in the temporal logic of actions a step that changes
//! nothing is a *stuttering step*, hence the name.
//!
//! Formula: `□ ∀ b: answer(b) = Rejected(e), e comes before the append ⇒
//! memory' = memory ∧ log_end' = log_end`
//!
//! Some errors are told of a batch that was appended, or may have been
//! ([`Rejection::may_have_appended`]: the replicas did not follow, the leadership was lost,
//! the disk failed). They refuse nothing and are not judged: the append happened, and then
//! the error.
//!
//! Assumes that the observer sees producer state and log end offset on both sides of the
//! decision. What counts as producer state is what the broker's memory compares
//! ([`BrokerMemory`] asks for `PartialEq`). Rolling a segment is no change in this sense
//! (Kafka's UnifiedLog does it before it looks at sequences), nor is the time of the
//! request. A request that is kept is not refused yet. Premise: a request was answered with
//! an error that comes before the append, with idempotence or without.
//!
//! Source: Kafka's UnifiedLog and ProducerAppendInfo (all checks come before the first
//! change; ProducerStateManagerTest `testPrepareUpdateDoesNotMutate`); S1.5.

use std::fmt;

use crate::{Answer, BrokerMemory, Event, History, Judgement, Offset, Record, Rejection};

/// Stable id.
pub const ID: &str = "reject-is-stutter";
/// The property in one sentence.
pub const STATEMENT: &str =
    "A refused batch leaves the producer state and the log end offset as they were.";
/// Where it comes from.
pub const SOURCE: &str = "UnifiedLog, ProducerAppendInfo; S1.5";

/// A broker refused a batch and changed something all the same.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RejectionChangedState {
    /// The producer state changed.
    ProducerState {
        /// First record of the refused batch.
        first_record: Record,
        /// What the broker answered.
        rejection: Rejection,
    },
    /// The log end offset changed.
    LogEnd {
        /// First record of the refused batch.
        first_record: Record,
        /// What the broker answered.
        rejection: Rejection,
        /// Log end offset before the decision.
        before: Offset,
        /// Log end offset after the decision.
        after: Offset,
    },
    /// Both changed.
    ProducerStateAndLogEnd {
        /// First record of the refused batch.
        first_record: Record,
        /// What the broker answered.
        rejection: Rejection,
        /// Log end offset before the decision.
        before: Offset,
        /// Log end offset after the decision.
        after: Offset,
    },
}

impl fmt::Display for RejectionChangedState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RejectionChangedState::ProducerState {
                first_record,
                rejection,
            } => write!(
                f,
                "the batch of record {first_record} was refused with {rejection}, \
                 but the producer state changed"
            ),
            RejectionChangedState::LogEnd {
                first_record,
                rejection,
                before,
                after,
            } => write!(
                f,
                "the batch of record {first_record} was refused with {rejection}, \
                 but the log end offset went from {before} to {after}"
            ),
            RejectionChangedState::ProducerStateAndLogEnd {
                first_record,
                rejection,
                before,
                after,
            } => write!(
                f,
                "the batch of record {first_record} was refused with {rejection}, \
                 but the producer state changed and the log end offset went from {before} to {after}"
            ),
        }
    }
}

/// Judges one event; see the head of this file.
#[inline]
pub fn judge<H: History, M: BrokerMemory>(
    _history: &H,
    event: &Event<'_, M>,
) -> Judgement<RejectionChangedState> {
    let Event::Decided(decision) = event else {
        return Judgement::Unconcerned;
    };
    let rejection = match decision.answer {
        Some(Answer::Rejected(rejection)) if !rejection.may_have_appended() => rejection,
        _ => return Judgement::Unconcerned,
    };
    let first_record = decision.batch.first_record;
    let (before, after) = (decision.log_end_before, decision.log_end_after);
    match (decision.before == decision.after, before == after) {
        (true, true) => Judgement::Upheld,
        (false, true) => Judgement::Broken(RejectionChangedState::ProducerState {
            first_record,
            rejection,
        }),
        (true, false) => Judgement::Broken(RejectionChangedState::LogEnd {
            first_record,
            rejection,
            before,
            after,
        }),
        (false, false) => Judgement::Broken(RejectionChangedState::ProducerStateAndLogEnd {
            first_record,
            rejection,
            before,
            after,
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{appended, batch, decided, duplicate_at, log, plain, EVERY_REJECTION};
    use crate::{Decision, Epoch, RecordedHistory, RecordedMemory};

    const FIRST_RECORD: Record = Record(4);
    const REJECTION: Rejection = Rejection::OutOfOrderSequence;

    fn memory(epoch: i64) -> RecordedMemory {
        RecordedMemory {
            epoch: Some(Epoch(epoch)),
            ..RecordedMemory::default()
        }
    }

    fn judge_rejection(
        before: &RecordedMemory,
        after: &RecordedMemory,
        log_end_after: i64,
    ) -> Judgement<RejectionChangedState> {
        judge_error(REJECTION, before, after, log_end_after)
    }

    fn judge_error(
        rejection: Rejection,
        before: &RecordedMemory,
        after: &RecordedMemory,
        log_end_after: i64,
    ) -> Judgement<RejectionChangedState> {
        let decision = Decision {
            batch: batch(FIRST_RECORD.0, 1, 0, 9),
            answer: Some(Answer::Rejected(rejection)),
            before,
            after,
            log_end_before: Offset(3),
            log_end_after: Offset(log_end_after),
        };
        judge(&RecordedHistory::default(), &Event::Decided(decision))
    }

    #[test]
    fn a_rejection_that_changes_nothing_upholds_it() {
        assert_eq!(
            judge_rejection(&memory(0), &memory(0), 3),
            Judgement::Upheld
        );
    }

    #[test]
    fn a_rejected_plain_batch_is_judged_too() {
        let memory = RecordedMemory::default();
        let refused = Some(Answer::Rejected(REJECTION));
        assert_eq!(
            judge(&log(&[]), &decided(plain(0, 1), refused, &memory)),
            Judgement::Upheld
        );
    }

    #[test]
    fn a_changed_producer_state_breaks_it() {
        let Judgement::Broken(violation) = judge_rejection(&memory(0), &memory(1), 3) else {
            panic!("the epoch changed");
        };
        assert_eq!(
            violation,
            RejectionChangedState::ProducerState {
                first_record: FIRST_RECORD,
                rejection: REJECTION
            }
        );
        assert_eq!(
            violation.to_string(),
            "the batch of record 4 was refused with OUT_OF_ORDER_SEQUENCE_NUMBER, \
             but the producer state changed"
        );
    }

    #[test]
    fn a_moved_log_end_breaks_it() {
        let Judgement::Broken(violation) = judge_rejection(&memory(0), &memory(0), 4) else {
            panic!("the log end offset changed");
        };
        assert_eq!(
            violation,
            RejectionChangedState::LogEnd {
                first_record: FIRST_RECORD,
                rejection: REJECTION,
                before: Offset(3),
                after: Offset(4)
            }
        );
        assert_eq!(
            violation.to_string(),
            "the batch of record 4 was refused with OUT_OF_ORDER_SEQUENCE_NUMBER, \
             but the log end offset went from 3 to 4"
        );
    }

    #[test]
    fn both_changes_are_told() {
        let Judgement::Broken(violation) = judge_rejection(&memory(0), &memory(1), 4) else {
            panic!("epoch and log end offset changed");
        };
        assert_eq!(
            violation,
            RejectionChangedState::ProducerStateAndLogEnd {
                first_record: FIRST_RECORD,
                rejection: REJECTION,
                before: Offset(3),
                after: Offset(4)
            }
        );
        assert_eq!(
            violation.to_string(),
            "the batch of record 4 was refused with OUT_OF_ORDER_SEQUENCE_NUMBER, \
             but the producer state changed and the log end offset went from 3 to 4"
        );
    }

    #[test]
    fn an_error_after_an_append_is_no_concern_and_every_other_one_is_judged() {
        for rejection in EVERY_REJECTION {
            let changed = judge_error(rejection, &memory(0), &memory(1), 4);
            let unchanged = judge_error(rejection, &memory(0), &memory(0), 3);
            match rejection {
                Rejection::NotLeaderOrFollower
                | Rejection::RequestTimedOut
                | Rejection::NotEnoughReplicasAfterAppend
                | Rejection::KafkaStorageError => {
                    assert_eq!(changed, Judgement::Unconcerned);
                    assert_eq!(unchanged, Judgement::Unconcerned);
                }
                _ => {
                    assert!(changed.is_broken(), "{rejection}");
                    assert_eq!(unchanged, Judgement::Upheld, "{rejection}");
                }
            }
        }
    }

    #[test]
    fn other_answers_and_other_events_are_no_concern() {
        let (before, after) = (memory(0), memory(1));
        for answer in [
            Some(Answer::Appended { base: Offset(3) }),
            Some(duplicate_at(3)),
            None,
        ] {
            let decision = Decision {
                batch: batch(0, 1, 0, 0),
                answer,
                before: &before,
                after: &after,
                log_end_before: Offset(3),
                log_end_after: Offset(4),
            };
            assert_eq!(
                judge(&log(&[]), &Event::Decided(decision)),
                Judgement::Unconcerned
            );
        }
        assert_eq!(
            judge(&log(&[]), &appended(batch(0, 1, 0, 0), 0)),
            Judgement::Unconcerned
        );
    }
}
