//! **stale-epoch-rejected**: a batch of an epoch below that of its producer's newest batch
//! in the log is refused with an error, and never appended, acknowledged or kept for later.
//!
//! Also called *fencing*: what is left of an instance that was replaced, a *zombie*, must
//! not write beside its successor. An idempotent producer that raises its epoch makes a
//! zombie of its own requests that are still on their way.
//!
//! Formula: `□ ∀ b arriving: epoch(b) < epoch(newest(log, producer(b))) ⇒ answer(b) = Rejected`
//!
//! Assumes nothing of the broker's producer state: a broker that forgot a producer (it
//! expired, or its snapshot was lost) takes any epoch from it and breaks the property,
//! though it sees nothing stale itself. A producer without a batch in the log, or whose
//! newest batch there is without idempotence, has no epoch to fall behind, nor has a batch
//! without idempotence: nothing is judged. The epoch alone counts, so a stale batch that is
//! in the log already is to be refused too (Kafka compares epochs before it looks for
//! duplicates). Any error will do for a refusal. An arrival that was appended is judged at
//! [`Event::Appended`], against the log before it; the decision that follows sees the batch
//! in the log, where it is the newest itself, and is not judged again. Premise: a batch
//! with a stale epoch arrived.
//!
//! Source: KIP-98, KIP-360, Kafka's ProducerAppendInfo (`checkProducerEpoch`,
//! INVALID_PRODUCER_EPOCH, 47); S1.2.

use std::fmt;

use crate::refusal::{self, NotRefused};
use crate::{Batch, BrokerMemory, Epoch, Event, History, Judgement, Sequence};

/// Stable id.
pub const ID: &str = "stale-epoch-rejected";
/// The property in one sentence.
pub const STATEMENT: &str =
    "A batch of an older epoch than its producer's newest batch in the log is refused with an error.";
/// Where it comes from.
pub const SOURCE: &str = "KIP-98, KIP-360; ProducerAppendInfo; S1.2";

/// A batch that comes too late, and what it comes behind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stale {
    /// Epoch of the batch.
    pub epoch: Epoch,
    /// First sequence of the batch.
    pub first: Sequence,
    /// Epoch of the producer's newest batch in the log.
    pub newest: Epoch,
}

impl fmt::Display for Stale {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "a batch of epoch {} with base sequence {}, behind epoch {} in the log,",
            self.epoch, self.first, self.newest
        )
    }
}

/// A batch with a stale epoch was not refused.
pub type StaleNotRejected = NotRefused<Stale>;

/// Judges one event; see the head of this file.
#[inline]
pub fn judge<H: History, M: BrokerMemory>(
    history: &H,
    event: &Event<'_, M>,
) -> Judgement<StaleNotRejected> {
    refusal::judge(event, |batch| staleness(history, batch))
}

/// How far the batch is behind the log, if its epoch is stale.
#[inline]
fn staleness<H: History>(history: &H, batch: &Batch) -> Option<Stale> {
    let identity = batch.identity?;
    let newest = history
        .nth_newest(batch.producer, batch.partition, 0)?
        .identity?;
    (identity.epoch < newest.epoch).then_some(Stale {
        epoch: identity.epoch,
        first: identity.first,
        newest: newest.epoch,
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

    const REFUSED: Option<Answer> = Some(Answer::Rejected(Rejection::InvalidProducerEpoch));

    fn stale(epoch: i64, first: i64, newest: i64) -> Stale {
        Stale {
            epoch: Epoch(epoch),
            first: Sequence(first),
            newest: Epoch(newest),
        }
    }

    #[test]
    fn a_stale_batch_that_is_refused_upholds_it_whatever_the_error() {
        let log = log(&[batch(0, 1, 0, 0), batch(1, 1, 1, 0)]);
        let memory = RecordedMemory::default();
        for rejection in EVERY_REJECTION {
            let refused = Some(Answer::Rejected(rejection));
            for arriving in [batch(2, 1, 0, 1), batch(0, 1, 0, 0), batch(9, 1, 0, 9)] {
                assert_eq!(
                    judge(&log, &decided(arriving, refused, &memory)),
                    Judgement::Upheld
                );
            }
        }
    }

    #[test]
    fn an_appended_stale_batch_breaks_it() {
        let log = log(&[batch(0, 1, 0, 0), batch(1, 1, 2, 0)]);
        let Judgement::Broken(violation) = judge(&log, &appended(batch(2, 1, 0, 1), 2)) else {
            panic!("epoch 0 is behind epoch 2");
        };
        assert_eq!(violation, StaleNotRejected::Appended(stale(0, 1, 2)));
        assert_eq!(
            violation.to_string(),
            "a batch of epoch 0 with base sequence 1, behind epoch 2 in the log, was appended"
        );
    }

    #[test]
    fn a_stale_batch_acknowledged_as_a_duplicate_breaks_it_though_it_is_in_the_log() {
        let log = log(&[batch(0, 1, 0, 0), batch(1, 1, 1, 0)]);
        let memory = RecordedMemory::default();
        for answer in [duplicate_at(0), Answer::Duplicate { base: None }] {
            let Judgement::Broken(violation) =
                judge(&log, &decided(batch(0, 1, 0, 0), Some(answer), &memory))
            else {
                panic!("epoch 0 is behind epoch 1");
            };
            assert_eq!(violation, StaleNotRejected::Acknowledged(stale(0, 0, 1)));
            assert_eq!(
                violation.to_string(),
                "a batch of epoch 0 with base sequence 0, behind epoch 1 in the log, \
                 was acknowledged as a duplicate"
            );
        }
    }

    #[test]
    fn a_stale_batch_that_is_kept_breaks_it() {
        let log = log(&[batch(0, 1, 1, 0)]);
        let memory = RecordedMemory::default();
        let Judgement::Broken(violation) = judge(&log, &decided(batch(3, 1, 0, 3), None, &memory))
        else {
            panic!("epoch 0 is behind epoch 1");
        };
        assert_eq!(violation, StaleNotRejected::Kept(stale(0, 3, 1)));
        assert_eq!(
            violation.to_string(),
            "a batch of epoch 0 with base sequence 3, behind epoch 1 in the log, \
             was kept instead of refused"
        );
    }

    #[test]
    fn the_same_epoch_and_a_newer_one_are_not_stale() {
        let log = log(&[batch(0, 1, 1, 0)]);
        let memory = RecordedMemory::default();
        for arriving in [batch(1, 1, 1, 1), batch(1, 1, 2, 0), batch(0, 1, 1, 0)] {
            assert_eq!(judge(&log, &appended(arriving, 1)), Judgement::Unconcerned);
            for answer in [REFUSED, Some(duplicate_at(0)), None] {
                assert_eq!(
                    judge(&log, &decided(arriving, answer, &memory)),
                    Judgement::Unconcerned
                );
            }
        }
    }

    #[test]
    fn where_no_epoch_stands_nothing_is_stale() {
        let arriving = batch(3, 1, 0, 3);
        let memory = RecordedMemory::default();
        for (log, case) in [
            (log(&[]), "empty log"),
            (
                log(&[batch(0, 1, 1, 0), plain(1, 1)]),
                "newest batch without idempotence",
            ),
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
                Judgement::Unconcerned,
                "{case}"
            );
            assert_eq!(
                judge(&log, &decided(arriving, REFUSED, &memory)),
                Judgement::Unconcerned,
                "{case}"
            );
        }
    }

    #[test]
    fn a_plain_batch_is_never_stale() {
        let log = log(&[batch(0, 1, 1, 0)]);
        let memory = RecordedMemory::default();
        assert_eq!(
            judge(&log, &appended(plain(1, 1), 1)),
            Judgement::Unconcerned
        );
        assert_eq!(
            judge(&log, &decided(plain(1, 1), REFUSED, &memory)),
            Judgement::Unconcerned
        );
    }

    #[test]
    fn an_appended_stale_batch_is_not_judged_again_when_it_is_decided() {
        let arriving = batch(1, 1, 0, 0);
        let memory = RecordedMemory::default();
        let appended = Some(Answer::Appended { base: Offset(1) });
        for log in [
            log(&[batch(0, 1, 1, 0)]),
            log(&[batch(0, 1, 1, 0), arriving]),
        ] {
            assert_eq!(
                judge(&log, &decided(arriving, appended, &memory)),
                Judgement::Unconcerned
            );
        }
    }

    #[test]
    fn an_error_after_the_append_does_not_uphold_it() {
        let arriving = batch(1, 1, 0, 0);
        let log = log(&[batch(0, 1, 1, 0), arriving]);
        let memory = RecordedMemory::default();
        let timed_out = Some(Answer::Rejected(Rejection::RequestTimedOut));
        assert_eq!(
            judge(&log, &decided(arriving, timed_out, &memory)),
            Judgement::Unconcerned
        );
    }

    #[test]
    fn what_the_producer_reads_is_no_concern() {
        let log = log(&[batch(0, 1, 1, 0)]);
        assert_eq!(
            judge(&log, &answered(batch(1, 1, 0, 0), duplicate_at(0))),
            Judgement::Unconcerned
        );
    }
}
