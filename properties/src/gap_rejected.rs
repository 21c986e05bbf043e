//! **gap-rejected**: a batch from the future is refused with an error, and never appended,
//! acknowledged or kept for later.
//!
//! Also called *in-sequence acceptance*; it is what the receiver of a go-back-N protocol
//! does. A receiver that keeps the batch until the gap is filled is one of *selective
//! repeat*: it is what S2.5 describes, and it breaks this property.
//!
//! Formula: `□ ∀ b arriving: first(b) > expected(log, b) ⇒ answer(b) = Rejected`, where
//! `expected` is what an observer reads off the newest batch of the producer in the log:
//!
//! | newest batch of the producer in the log | `expected` |
//! |---|---|
//! | none, or one without idempotence | 0 |
//! | of an older epoch than the batch | 0 |
//! | of the same epoch | its last sequence + 1 |
//! | of a newer epoch | nothing: the batch is stale, which is no gap |
//!
//! Assumes nothing of the broker's producer state: a broker that forgot a producer and
//! takes any first sequence from it (Kafka since 2.5, KIP-360) breaks the property, though
//! it sees no gap itself. Sequences are compared as plain numbers: the wrap is a condition
//! of its own and not judged here. A batch without idempotence has no sequence and no gap.
//! An arrival that was appended is judged at [`Event::Appended`], against the log before
//! it; the decision that follows sees the batch in the log and is not judged again. Any error
//! will do for a refusal, also one that says nothing of sequences and after which a batch
//! may be in the log ([`Rejection::may_have_appended`](crate::Rejection::may_have_appended)):
//! if this one was appended, it was judged then. Premise: a batch with a gap arrived.
//!
//! Source: KIP-98 (OutOfOrderSequenceException), Kafka's ProducerAppendInfo; S1.5, S2.3,
//! S3.5, against S2.5.

use std::fmt;

use crate::refusal::{self, NotRefused};
use crate::{Batch, BrokerMemory, Epoch, Event, History, Judgement, Sequence};

/// Stable id.
pub const ID: &str = "gap-rejected";
/// The property in one sentence.
pub const STATEMENT: &str =
    "A batch from the future is refused with an error, never appended, acknowledged or kept.";
/// Where it comes from.
pub const SOURCE: &str = "KIP-98; ProducerAppendInfo; S1.5, S2.3, S3.5, against S2.5";

/// How far a batch is ahead of the log.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Gap {
    /// Epoch of the batch.
    pub epoch: Epoch,
    /// First sequence that would leave no gap.
    pub expected: Sequence,
    /// First sequence of the batch.
    pub got: Sequence,
}

impl fmt::Display for Gap {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "a batch of epoch {} with base sequence {} where {} was next",
            self.epoch, self.got, self.expected
        )
    }
}

/// A batch with a gap before it was not refused.
pub type GapNotRejected = NotRefused<Gap>;

/// Judges one event; see the head of this file.
#[inline]
pub fn judge<H: History, M: BrokerMemory>(
    history: &H,
    event: &Event<'_, M>,
) -> Judgement<GapNotRejected> {
    refusal::judge(event, |batch| gap_before(history, batch))
}

/// The gap between the log and the batch, if there is one.
#[inline]
fn gap_before<H: History>(history: &H, batch: &Batch) -> Option<Gap> {
    let identity = batch.identity?;
    let newest = history
        .nth_newest(batch.producer, batch.partition, 0)
        .and_then(|entry| entry.identity);
    let expected = match newest {
        Some(newest) if newest.epoch > identity.epoch => return None,
        Some(newest) if newest.epoch == identity.epoch => Sequence(newest.last.0 + 1),
        Some(_) | None => Sequence(0),
    };
    (identity.first > expected).then_some(Gap {
        epoch: identity.epoch,
        expected,
        got: identity.first,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{
        answered, appended, batch, decided, duplicate_at, for_another_partition,
        from_another_producer, history, log, plain, EVERY_REJECTION,
    };
    use crate::{Answer, Offset, RecordedMemory, Rejection};

    const REFUSED: Option<Answer> = Some(Answer::Rejected(Rejection::OutOfOrderSequence));

    fn gap(epoch: i64, expected: i64, got: i64) -> Gap {
        Gap {
            epoch: Epoch(epoch),
            expected: Sequence(expected),
            got: Sequence(got),
        }
    }

    #[test]
    fn a_gap_that_is_refused_upholds_it_whatever_the_error() {
        let log = log(&[batch(0, 2, 0, 0)]);
        let memory = RecordedMemory::default();
        for rejection in EVERY_REJECTION {
            let refused = Some(Answer::Rejected(rejection));
            assert_eq!(
                judge(&log, &decided(batch(3, 1, 0, 3), refused, &memory)),
                Judgement::Upheld
            );
        }
    }

    #[test]
    fn an_appended_gap_breaks_it() {
        let log = log(&[batch(0, 2, 0, 0)]);
        let Judgement::Broken(violation) = judge(&log, &appended(batch(3, 1, 0, 3), 2)) else {
            panic!("sequence 2 is missing");
        };
        assert_eq!(violation, GapNotRejected::Appended(gap(0, 2, 3)));
        assert_eq!(
            violation.to_string(),
            "a batch of epoch 0 with base sequence 3 where 2 was next was appended"
        );
    }

    #[test]
    fn a_gap_acknowledged_as_a_duplicate_breaks_it() {
        let log = log(&[batch(0, 1, 0, 0)]);
        let memory = RecordedMemory::default();
        for answer in [duplicate_at(2), Answer::Duplicate { base: None }] {
            let Judgement::Broken(violation) =
                judge(&log, &decided(batch(2, 1, 0, 2), Some(answer), &memory))
            else {
                panic!("sequence 1 is missing");
            };
            assert_eq!(violation, GapNotRejected::Acknowledged(gap(0, 1, 2)));
            assert_eq!(
                violation.to_string(),
                "a batch of epoch 0 with base sequence 2 where 1 was next was acknowledged as a duplicate"
            );
        }
    }

    #[test]
    fn a_gap_that_is_kept_breaks_it() {
        let log = log(&[batch(0, 1, 0, 0)]);
        let memory = RecordedMemory::default();
        let Judgement::Broken(violation) = judge(&log, &decided(batch(2, 1, 0, 2), None, &memory))
        else {
            panic!("sequence 1 is missing");
        };
        assert_eq!(violation, GapNotRejected::Kept(gap(0, 1, 2)));
        assert_eq!(
            violation.to_string(),
            "a batch of epoch 0 with base sequence 2 where 1 was next was kept instead of refused"
        );
    }

    #[test]
    fn an_unknown_producer_and_a_newer_epoch_start_at_zero() {
        let arriving = batch(3, 1, 1, 3);
        for (log, case) in [
            (log(&[]), "empty log"),
            (log(&[batch(0, 1, 0, 0)]), "older epoch"),
            (log(&[plain(0, 1)]), "newest batch without idempotence"),
            (
                log(&[from_another_producer(batch(0, 3, 1, 0))]),
                "another producer",
            ),
            (
                history(&[appended(for_another_partition(batch(0, 3, 1, 0)), 0)]),
                "another partition",
            ),
        ] {
            assert_eq!(
                judge(&log, &appended(arriving, 9)),
                Judgement::Broken(GapNotRejected::Appended(gap(1, 0, 3))),
                "{case}"
            );
            assert_eq!(
                judge(&log, &appended(batch(3, 1, 1, 0), 9)),
                Judgement::Unconcerned,
                "{case}"
            );
        }
    }

    #[test]
    fn the_next_batch_and_a_retry_have_no_gap() {
        let log = log(&[batch(0, 2, 0, 0), batch(2, 2, 0, 2)]);
        let memory = RecordedMemory::default();
        for arriving in [batch(4, 1, 0, 4), batch(2, 2, 0, 2), batch(0, 2, 0, 0)] {
            assert_eq!(judge(&log, &appended(arriving, 4)), Judgement::Unconcerned);
            for answer in [REFUSED, Some(duplicate_at(0)), None] {
                assert_eq!(
                    judge(&log, &decided(arriving, answer, &memory)),
                    Judgement::Unconcerned
                );
            }
        }
    }

    #[test]
    fn a_stale_batch_is_no_gap() {
        let log = log(&[batch(0, 1, 2, 0)]);
        let memory = RecordedMemory::default();
        let stale = batch(9, 1, 1, 9);
        assert_eq!(judge(&log, &appended(stale, 1)), Judgement::Unconcerned);
        assert_eq!(
            judge(&log, &decided(stale, REFUSED, &memory)),
            Judgement::Unconcerned
        );
    }

    #[test]
    fn a_plain_batch_has_no_gap() {
        let log = log(&[batch(0, 1, 0, 0)]);
        let memory = RecordedMemory::default();
        assert_eq!(
            judge(&log, &appended(plain(9, 1), 1)),
            Judgement::Unconcerned
        );
        assert_eq!(
            judge(&log, &decided(plain(9, 1), REFUSED, &memory)),
            Judgement::Unconcerned
        );
    }

    #[test]
    fn an_appended_gap_is_not_judged_again_when_it_is_decided() {
        let arriving = batch(3, 1, 0, 3);
        let before = log(&[batch(0, 1, 0, 0)]);
        let after = log(&[batch(0, 1, 0, 0), arriving]);
        let memory = RecordedMemory::default();
        let appended = Some(Answer::Appended { base: Offset(1) });
        assert_eq!(
            judge(&after, &decided(arriving, appended, &memory)),
            Judgement::Unconcerned
        );
        assert_eq!(
            judge(&before, &decided(arriving, appended, &memory)),
            Judgement::Unconcerned
        );
    }

    #[test]
    fn what_the_producer_reads_is_no_concern() {
        let log = log(&[batch(0, 1, 0, 0)]);
        assert_eq!(
            judge(&log, &answered(batch(3, 1, 0, 3), duplicate_at(3))),
            Judgement::Unconcerned
        );
    }
}
