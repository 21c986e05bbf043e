//! **sequence-per-partition**: in the log of a partition the sequences of a producer's epoch
//! start at 0 and follow on without a hole, whatever the producer sends to other
//! partitions.
//!
//! Also called *gapless numbering per stream*. Its opposite is the misconception that a
//! producer has one global sequence: then the numbers that other partitions used up would
//! be missing here.
//!
//! Formula: `□ ∀ b appended, some r ∈ b: r ∉ log ⇒ first(b) = next(log, b)`, where `next` is
//! what an observer reads off the newest batch of the producer in the log of this partition:
//!
//! | newest batch of the producer in this partition | `next` |
//! |---|---|
//! | none, or one without idempotence | 0 |
//! | of an older epoch than the batch | 0 |
//! | of the same epoch | its last sequence + 1 |
//! | of a newer epoch | nothing: the batch is stale |
//!
//! Assumes nothing of the broker: who numbers wrongly, or lets it pass, is not asked.
//! [`gap_rejected`](crate::gap_rejected) asks how a broker answers a gap; this one reads the
//! log alone, and also finds a sequence that comes back with other records. A batch of which
//! every record stands in the log already is a second copy, the business of
//! [`no_duplicate`](crate::no_duplicate); a stale one is that of
//! [`stale_epoch_rejected`](crate::stale_epoch_rejected). What a cut took away is not in the
//! log: a producer that goes on where it was breaks the property then, for the hole is real.
//! Sequences are compared as plain numbers: the wrap is a condition of its own and not
//! judged here. A batch without idempotence has no sequence. Premise: a batch with sequences
//! that are not stale was appended, and a record of it for the first time.
//!
//! Source: KIP-98 (sequences per producer and partition, from 0); S1.3, S1.12.

use std::fmt;

use crate::{Batch, BrokerMemory, Epoch, Event, History, Judgement, Partition, Sequence};

/// Stable id.
pub const ID: &str = "sequence-per-partition";
/// The property in one sentence.
pub const STATEMENT: &str =
    "In each partition the sequences of a producer's epoch start at 0 and follow on without a hole.";
/// Where it comes from.
pub const SOURCE: &str = "KIP-98; S1.3, S1.12";

/// A batch was appended whose sequences do not follow on those of its partition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotInSequence {
    /// The partition.
    pub partition: Partition,
    /// Epoch of the batch.
    pub epoch: Epoch,
    /// First sequence that would have followed on.
    pub expected: Sequence,
    /// First sequence of the batch.
    pub got: Sequence,
}

impl fmt::Display for NotInSequence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "a batch of epoch {} with base sequence {} was appended to partition {}, \
             where {} was next",
            self.epoch, self.got, self.partition, self.expected
        )
    }
}

/// Judges one event; see the head of this file.
#[inline]
pub fn judge<H: History, M: BrokerMemory>(
    history: &H,
    event: &Event<'_, M>,
) -> Judgement<NotInSequence> {
    let Event::Appended { batch, .. } = event else {
        return Judgement::Unconcerned;
    };
    let Some(identity) = batch.identity else {
        return Judgement::Unconcerned;
    };
    let Some(expected) = next_sequence(history, batch, identity.epoch) else {
        return Judgement::Unconcerned;
    };
    if is_second_copy(history, batch) {
        return Judgement::Unconcerned;
    }
    Judgement::from_check(identity.first == expected, || NotInSequence {
        partition: batch.partition,
        epoch: identity.epoch,
        expected,
        got: identity.first,
    })
}

/// The sequence that follows on in the partition of the batch, under this epoch; `None` if
/// the epoch is stale.
#[inline]
fn next_sequence<H: History>(history: &H, batch: &Batch, epoch: Epoch) -> Option<Sequence> {
    let newest = history
        .nth_newest(batch.producer, batch.partition, 0)
        .and_then(|entry| entry.identity);
    match newest {
        Some(newest) if newest.epoch > epoch => None,
        Some(newest) if newest.epoch == epoch => Some(Sequence(newest.last.0 + 1)),
        Some(_) | None => Some(Sequence(0)),
    }
}

/// Whether every record of the batch is in the log already.
#[inline]
fn is_second_copy<H: History>(history: &H, batch: &Batch) -> bool {
    batch
        .records()
        .all(|record| history.contains(batch.producer, batch.partition, record))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{
        answered, appended, appends, batch, decided, duplicate_at, every_log,
        for_another_partition, from_another_producer, history, log, plain, truncated,
    };
    use crate::{Answer, Offset, RecordedMemory};

    fn not_in_sequence(epoch: i64, expected: i64, got: i64) -> NotInSequence {
        NotInSequence {
            partition: Partition(0),
            epoch: Epoch(epoch),
            expected: Sequence(expected),
            got: Sequence(got),
        }
    }

    #[test]
    fn sequences_that_start_at_zero_and_follow_on_uphold_it() {
        let batches = [
            batch(0, 2, 0, 0),
            batch(2, 1, 0, 2),
            batch(3, 3, 0, 3),
            batch(6, 1, 1, 0),
            batch(7, 1, 1, 1),
        ];
        for count in 0..batches.len() {
            assert_eq!(
                judge(&log(&batches[..count]), &appended(batches[count], 9)),
                Judgement::Upheld
            );
        }
    }

    #[test]
    fn what_a_producer_sends_to_another_partition_uses_no_sequence_up() {
        let log = history(&[
            appended(batch(0, 1, 0, 0), 0),
            appended(for_another_partition(batch(0, 3, 0, 0)), 0),
        ]);
        assert_eq!(
            judge(&log, &appended(batch(1, 1, 0, 1), 1)),
            Judgement::Upheld
        );
        assert_eq!(
            judge(&log, &appended(for_another_partition(batch(3, 1, 0, 3)), 3)),
            Judgement::Upheld
        );
    }

    #[test]
    fn a_global_sequence_breaks_it() {
        let log = log(&[batch(0, 1, 0, 0)]);
        let elsewhere = for_another_partition(batch(0, 1, 0, 1));
        let Judgement::Broken(violation) = judge(&log, &appended(elsewhere, 0)) else {
            panic!("the other partition holds no batch");
        };
        assert_eq!(
            violation,
            NotInSequence {
                partition: Partition(1),
                ..not_in_sequence(0, 0, 1)
            }
        );
        assert_eq!(
            violation.to_string(),
            "a batch of epoch 0 with base sequence 1 was appended to partition 1, where 0 was next"
        );
    }

    #[test]
    fn a_hole_breaks_it() {
        let log = log(&[batch(0, 2, 0, 0)]);
        assert_eq!(
            judge(&log, &appended(batch(3, 1, 0, 3), 2)),
            Judgement::Broken(not_in_sequence(0, 2, 3))
        );
    }

    #[test]
    fn a_sequence_that_comes_back_with_other_records_breaks_it() {
        let log = log(&[batch(0, 2, 0, 0)]);
        for base_sequence in [0, 1] {
            assert_eq!(
                judge(&log, &appended(batch(2, 1, 0, base_sequence), 2)),
                Judgement::Broken(not_in_sequence(0, 2, base_sequence))
            );
        }
    }

    #[test]
    fn a_batch_of_old_and_new_records_is_judged() {
        let log = log(&[batch(0, 2, 0, 0)]);
        assert_eq!(
            judge(&log, &appended(batch(1, 2, 0, 1), 2)),
            Judgement::Broken(not_in_sequence(0, 2, 1))
        );
        assert_eq!(
            judge(&log, &appended(batch(1, 2, 0, 2), 2)),
            Judgement::Upheld
        );
    }

    #[test]
    fn where_no_epoch_stands_and_under_a_newer_one_sequences_start_at_zero() {
        for (log, case) in [
            (log(&[]), "empty log"),
            (log(&[batch(0, 3, 0, 0)]), "older epoch"),
            (
                log(&[batch(0, 3, 1, 0), plain(1, 1)]),
                "newest batch without idempotence",
            ),
            (
                log(&[from_another_producer(batch(0, 3, 1, 0))]),
                "another producer",
            ),
        ] {
            assert_eq!(
                judge(&log, &appended(batch(3, 1, 1, 0), 9)),
                Judgement::Upheld,
                "{case}"
            );
            assert_eq!(
                judge(&log, &appended(batch(3, 1, 1, 3), 9)),
                Judgement::Broken(not_in_sequence(1, 0, 3)),
                "{case}"
            );
        }
    }

    #[test]
    fn the_hole_that_a_cut_leaves_is_one() {
        let log = history(&[
            appended(batch(0, 1, 0, 0), 0),
            appended(batch(1, 1, 0, 1), 1),
            truncated(1),
        ]);
        assert_eq!(
            judge(&log, &appended(batch(2, 1, 0, 2), 1)),
            Judgement::Broken(not_in_sequence(0, 1, 2))
        );
        assert_eq!(
            judge(&log, &appended(batch(1, 1, 0, 1), 1)),
            Judgement::Upheld
        );
    }

    #[test]
    fn a_second_copy_is_no_concern() {
        let log = log(&[batch(0, 2, 0, 0), batch(2, 1, 0, 2)]);
        for copy in [batch(0, 2, 0, 0), batch(1, 2, 0, 7), batch(2, 1, 1, 5)] {
            assert_eq!(judge(&log, &appended(copy, 3)), Judgement::Unconcerned);
        }
    }

    #[test]
    fn a_stale_batch_is_no_concern() {
        let log = log(&[batch(0, 1, 1, 0)]);
        for base_sequence in [0, 1, 5] {
            let stale = batch(1, 1, 0, base_sequence);
            assert_eq!(judge(&log, &appended(stale, 1)), Judgement::Unconcerned);
        }
    }

    #[test]
    fn a_plain_batch_and_events_that_write_nothing_are_no_concern() {
        let log = log(&[batch(0, 1, 0, 0)]);
        let memory = RecordedMemory::default();
        let accepted = Some(Answer::Appended { base: Offset(1) });
        for event in [
            appended(plain(1, 1), 1),
            decided(batch(5, 1, 0, 5), accepted, &memory),
            answered(batch(5, 1, 0, 5), duplicate_at(5)),
        ] {
            assert_eq!(judge(&log, &event), Judgement::Unconcerned);
        }
    }

    #[test]
    fn of_first_copies_under_one_epoch_it_breaks_unless_the_log_counts_from_zero() {
        let choices = [
            batch(0, 1, 0, 0),
            batch(1, 1, 0, 1),
            batch(2, 2, 0, 2),
            batch(4, 1, 0, 0),
        ];
        for log in every_log(&choices, 4) {
            let mut seen: Vec<Batch> = Vec::new();
            let repeats = log.iter().any(|batch| {
                let again = seen.contains(batch);
                seen.push(*batch);
                again
            });
            if repeats {
                continue;
            }
            let events = appends(&log);
            let broken = (0..events.len())
                .any(|next| judge(&history(&events[..next]), &events[next]).is_broken());
            let sequences: Vec<i64> = log
                .iter()
                .filter_map(|batch| batch.identity)
                .flat_map(|identity| identity.first.0..=identity.last.0)
                .collect();
            let counted: Vec<i64> = (0..sequences.len() as i64).collect();
            assert_eq!(broken, sequences != counted, "{log:?}");
        }
    }
}
