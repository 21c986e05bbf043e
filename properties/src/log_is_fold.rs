//! **log-is-fold**: offsets are contiguous, and the broker's producer state is the fold of
//! the log.
//!
//! Also called *state is a function of the log*; it is the invariant on which replication
//! and recovery of a replicated state machine rest.
//!
//! Formula: `□ (base(b) = log_end at every append) ∧ □ (memory = fold(step, ∅, log))`, where
//! `step` takes a batch of another epoch by clearing the window, then puts the batch into
//! it and drops the oldest above the capacity.
//!
//! An append is judged by its offset alone, whoever sent it. A decision about a batch with
//! idempotence is judged by the producer state after it: epoch and last sequence are those
//! of the producer's newest batch in the log, and the batches remembered are the newest of
//! that epoch at the tail of its log, as many as the capacity allows. If the log holds no
//! batch of the producer, there is no state either. That a decision changes nothing but the
//! state of its own producer is not asked.
//!
//! Assumes a history that still knows the newest `capacity` batches of a producer, and a
//! producer that does not send with and without idempotence under one id: if its newest
//! batch has no sequences, nothing is judged. Forgetting is no excuse: a broker that expires
//! a producer, or reloads its state from a snapshot that holds one batch per producer,
//! breaks the property at its next decision, and that is what the claims on restarts and
//! expiry show. Premise: a batch was appended; or a batch with idempotence was decided, and
//! the log or the broker knows its producer.
//!
//! Source: Kafka's ProducerStateManager, ProducerStateEntry (`NUM_BATCHES_TO_RETAIN` = 5)
//! and UnifiedLog; S1.4, S1.10.

use std::fmt;

use crate::{
    Batch, BrokerMemory, Epoch, Event, History, Identity, Judgement, Offset, Remembered, Sequence,
};

/// Stable id.
pub const ID: &str = "log-is-fold";
/// The property in one sentence.
pub const STATEMENT: &str =
    "Offsets are contiguous, and the producer state of the broker is the fold of the log.";
/// Where it comes from.
pub const SOURCE: &str = "ProducerStateManager, UnifiedLog; S1.4, S1.10";

/// Log and producer state do not fit together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NotTheFold {
    /// A batch was appended elsewhere than at the log end offset.
    BaseOffset {
        /// Log end offset before the append.
        expected: Offset,
        /// Offset of the first record of the batch.
        got: Offset,
    },
    /// The broker holds state of a producer that has no batch in the log.
    StateWithoutBatch {
        /// The epoch it holds.
        epoch: Epoch,
    },
    /// The epoch is not that of the newest batch.
    Epoch {
        /// Epoch of the producer's newest batch in the log.
        expected: Epoch,
        /// Epoch that the broker holds; `None` if it holds no state.
        got: Option<Epoch>,
    },
    /// The last sequence is not that of the newest batch.
    LastSequence {
        /// Last sequence of the producer's newest batch in the log.
        expected: Sequence,
        /// Last sequence that the broker holds.
        got: Option<Sequence>,
    },
    /// A batch remembered is not the one in the log.
    Remembered {
        /// Which one: 0 is the newest.
        newest: usize,
        /// What the log says; `None` if nothing is to be remembered in this place.
        expected: Option<Remembered>,
        /// What the broker remembers there.
        got: Option<Remembered>,
    },
}

impl fmt::Display for NotTheFold {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NotTheFold::BaseOffset { expected, got } => write!(
                f,
                "a batch was appended at offset {got}, but the log end offset was {expected}"
            ),
            NotTheFold::StateWithoutBatch { epoch } => write!(
                f,
                "the broker holds epoch {epoch} of a producer that has no batch in the log"
            ),
            NotTheFold::Epoch { expected, got } => write!(
                f,
                "the broker holds {}, but the newest batch in the log has epoch {expected}",
                Held("epoch", got)
            ),
            NotTheFold::LastSequence { expected, got } => write!(
                f,
                "the broker holds {}, but the newest batch in the log ends with {expected}",
                Held("last sequence", got)
            ),
            NotTheFold::Remembered {
                newest,
                expected,
                got,
            } => write!(
                f,
                "in place {newest} from the newest the broker remembers {}, but the log says {}",
                Span(got),
                Span(expected)
            ),
        }
    }
}

/// Shows a number that a broker may hold.
struct Held<'a, T>(&'static str, &'a Option<T>);

impl<T: fmt::Display> fmt::Display for Held<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Held(name, held) = self;
        match held {
            Some(number) => write!(f, "{name} {number}"),
            None => write!(f, "no {name}"),
        }
    }
}

/// Shows a batch that a broker may remember.
struct Span<'a>(&'a Option<Remembered>);

impl fmt::Display for Span<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Some(Remembered { first, last, base }) => {
                write!(f, "sequences {first} to {last} at offset {base}")
            }
            None => f.write_str("nothing"),
        }
    }
}

/// Judges one event; see the head of this file.
#[inline]
pub fn judge<H: History, M: BrokerMemory>(
    history: &H,
    event: &Event<'_, M>,
) -> Judgement<NotTheFold> {
    match event {
        Event::Appended { batch, base } => {
            let expected = history.log_end(batch.partition);
            Judgement::from_check(*base == expected, || NotTheFold::BaseOffset {
                expected,
                got: *base,
            })
        }
        Event::Decided(decision) if decision.batch.identity.is_some() => {
            judge_memory(history, &decision.batch, decision.after)
        }
        _ => Judgement::Unconcerned,
    }
}

/// Compares the state of the batch's producer with the fold of the log.
#[inline]
fn judge_memory<H: History, M: BrokerMemory>(
    history: &H,
    batch: &Batch,
    memory: &M,
) -> Judgement<NotTheFold> {
    let Some(entry) = history.nth_newest(batch.producer, batch.partition, 0) else {
        return match memory.epoch() {
            None => Judgement::Unconcerned,
            Some(epoch) => Judgement::Broken(NotTheFold::StateWithoutBatch { epoch }),
        };
    };
    let Some(newest) = entry.identity else {
        return Judgement::Unconcerned;
    };
    if memory.epoch() != Some(newest.epoch) {
        return Judgement::Broken(NotTheFold::Epoch {
            expected: newest.epoch,
            got: memory.epoch(),
        });
    }
    if memory.last_sequence() != Some(newest.last) {
        return Judgement::Broken(NotTheFold::LastSequence {
            expected: newest.last,
            got: memory.last_sequence(),
        });
    }
    judge_window(history, batch, newest.epoch, memory)
}

/// Compares the batches remembered with the tail of the log, and asks for one place beyond
/// the capacity, which must be empty.
#[inline]
fn judge_window<H: History, M: BrokerMemory>(
    history: &H,
    batch: &Batch,
    epoch: Epoch,
    memory: &M,
) -> Judgement<NotTheFold> {
    let capacity = memory.capacity();
    let mut tail = (0..capacity)
        .map_while(|newest| {
            let entry = history.nth_newest(batch.producer, batch.partition, newest)?;
            let Identity { first, last, .. } =
                entry.identity.filter(|identity| identity.epoch == epoch)?;
            let base = entry.base;
            Some(Remembered { first, last, base })
        })
        .fuse();
    for newest in 0..=capacity {
        let expected = tail.next();
        let got = memory.remembered(newest);
        if got != expected {
            return Judgement::Broken(NotTheFold::Remembered {
                newest,
                expected,
                got,
            });
        }
    }
    Judgement::Upheld
}

#[cfg(test)]
mod tests {
    use std::collections::VecDeque;

    use super::*;
    use crate::testing::{
        answered, appended, batch, decided, duplicate_at, every_log, for_another_partition,
        from_another_producer, log, plain, PRODUCER,
    };
    use crate::{Answer, RecordedHistory, RecordedMemory, Rejection};

    fn remembered(first: i64, last: i64, base: i64) -> Remembered {
        Remembered {
            first: Sequence(first),
            last: Sequence(last),
            base: Offset(base),
        }
    }

    fn memory(epoch: i64, last: i64, newest_first: &[Remembered]) -> RecordedMemory {
        RecordedMemory {
            epoch: Some(Epoch(epoch)),
            last_sequence: Some(Sequence(last)),
            capacity: 2,
            remembered: newest_first.to_vec(),
        }
    }

    fn unknown_producer() -> RecordedMemory {
        RecordedMemory {
            capacity: 2,
            ..RecordedMemory::default()
        }
    }

    /// Judges the state after a decision of a batch with idempotence, which was refused.
    fn judge_state(log: &RecordedHistory, after: &RecordedMemory) -> Judgement<NotTheFold> {
        let refused = Some(Answer::Rejected(Rejection::OutOfOrderSequence));
        judge(log, &decided(batch(99, 1, 0, 99), refused, after))
    }

    #[test]
    fn an_append_at_the_log_end_offset_upholds_it() {
        let log = log(&[plain(0, 3), from_another_producer(batch(0, 2, 0, 0))]);
        for next in [plain(3, 1), batch(3, 1, 0, 0)] {
            assert_eq!(judge(&log, &appended(next, 5)), Judgement::Upheld);
        }
        let elsewhere = for_another_partition(plain(3, 1));
        assert_eq!(judge(&log, &appended(elsewhere, 0)), Judgement::Upheld);
    }

    #[test]
    fn a_hole_or_an_overlap_of_offsets_breaks_it() {
        let log = log(&[plain(0, 3)]);
        for base in [2, 4] {
            let Judgement::Broken(violation) = judge(&log, &appended(plain(3, 1), base)) else {
                panic!("the log end offset is 3");
            };
            assert_eq!(
                violation,
                NotTheFold::BaseOffset {
                    expected: Offset(3),
                    got: Offset(base)
                }
            );
            assert_eq!(
                violation.to_string(),
                format!("a batch was appended at offset {base}, but the log end offset was 3")
            );
        }
    }

    #[test]
    fn the_newest_batches_up_to_the_capacity_uphold_it() {
        let log = log(&[
            batch(0, 1, 0, 0),
            batch(1, 2, 0, 1),
            from_another_producer(plain(0, 1)),
            batch(3, 1, 0, 3),
        ]);
        let fold = memory(0, 3, &[remembered(3, 3, 4), remembered(1, 2, 1)]);
        assert_eq!(judge_state(&log, &fold), Judgement::Upheld);
    }

    #[test]
    fn a_new_epoch_clears_the_window() {
        let log = log(&[batch(0, 1, 0, 0), batch(1, 1, 1, 0)]);
        let fold = memory(1, 0, &[remembered(0, 0, 1)]);
        assert_eq!(judge_state(&log, &fold), Judgement::Upheld);
        let kept = memory(1, 0, &[remembered(0, 0, 1), remembered(0, 0, 0)]);
        assert_eq!(
            judge_state(&log, &kept),
            Judgement::Broken(NotTheFold::Remembered {
                newest: 1,
                expected: None,
                got: Some(remembered(0, 0, 0))
            })
        );
    }

    #[test]
    fn an_epoch_that_comes_back_does_not_bring_its_older_batches_back() {
        let log = log(&[batch(0, 1, 0, 0), batch(1, 1, 1, 0), batch(2, 1, 0, 1)]);
        let mut three = memory(0, 1, &[remembered(1, 1, 2)]);
        three.capacity = 3;
        assert_eq!(judge_state(&log, &three), Judgement::Upheld);
    }

    #[test]
    fn a_producer_that_neither_log_nor_broker_knows_is_no_concern() {
        let log = log(&[from_another_producer(batch(0, 1, 0, 0))]);
        assert_eq!(
            judge_state(&log, &unknown_producer()),
            Judgement::Unconcerned
        );
    }

    #[test]
    fn a_plain_batch_is_no_concern_when_it_is_decided() {
        let log = log(&[batch(0, 1, 0, 0)]);
        let unknown = unknown_producer();
        let kept = decided(plain(1, 1), None, &unknown);
        assert_eq!(judge(&log, &kept), Judgement::Unconcerned);
    }

    #[test]
    fn a_producer_whose_newest_batch_is_plain_is_not_judged() {
        let log = log(&[batch(0, 1, 0, 0), plain(1, 1)]);
        for state in [unknown_producer(), memory(0, 0, &[remembered(0, 0, 0)])] {
            assert_eq!(judge_state(&log, &state), Judgement::Unconcerned);
        }
    }

    #[test]
    fn other_events_are_no_concern() {
        let log = log(&[batch(0, 1, 0, 0)]);
        for event in [
            answered(batch(0, 1, 0, 0), duplicate_at(0)),
            Event::Finished,
        ] {
            assert_eq!(judge(&log, &event), Judgement::Unconcerned);
        }
    }

    #[test]
    fn state_of_a_producer_without_a_batch_breaks_it() {
        let log = log(&[from_another_producer(batch(0, 1, 0, 0))]);
        let Judgement::Broken(violation) = judge_state(&log, &memory(3, 0, &[])) else {
            panic!("the log holds nothing of the producer");
        };
        assert_eq!(violation, NotTheFold::StateWithoutBatch { epoch: Epoch(3) });
        assert_eq!(
            violation.to_string(),
            "the broker holds epoch 3 of a producer that has no batch in the log"
        );
    }

    #[test]
    fn another_epoch_or_none_breaks_it() {
        let log = log(&[batch(0, 1, 1, 0)]);
        for (state, got, text) in [
            (
                unknown_producer(),
                None,
                "the broker holds no epoch, but the newest batch in the log has epoch 1",
            ),
            (
                memory(0, 0, &[remembered(0, 0, 0)]),
                Some(Epoch(0)),
                "the broker holds epoch 0, but the newest batch in the log has epoch 1",
            ),
        ] {
            let Judgement::Broken(violation) = judge_state(&log, &state) else {
                panic!("the newest batch has epoch 1");
            };
            assert_eq!(
                violation,
                NotTheFold::Epoch {
                    expected: Epoch(1),
                    got
                }
            );
            assert_eq!(violation.to_string(), text);
        }
    }

    #[test]
    fn another_last_sequence_breaks_it() {
        let log = log(&[batch(0, 2, 0, 0)]);
        let Judgement::Broken(violation) = judge_state(&log, &memory(0, 0, &[remembered(0, 1, 0)]))
        else {
            panic!("the newest batch ends with 1");
        };
        assert_eq!(
            violation,
            NotTheFold::LastSequence {
                expected: Sequence(1),
                got: Some(Sequence(0))
            }
        );
        assert_eq!(
            violation.to_string(),
            "the broker holds last sequence 0, but the newest batch in the log ends with 1"
        );
    }

    #[test]
    fn a_window_that_lost_a_batch_breaks_it() {
        let log = log(&[batch(0, 1, 0, 0), batch(1, 1, 0, 1)]);
        let Judgement::Broken(violation) = judge_state(&log, &memory(0, 1, &[remembered(1, 1, 1)]))
        else {
            panic!("two batches are to be remembered");
        };
        assert_eq!(
            violation,
            NotTheFold::Remembered {
                newest: 1,
                expected: Some(remembered(0, 0, 0)),
                got: None
            }
        );
        assert_eq!(
            violation.to_string(),
            "in place 1 from the newest the broker remembers nothing, \
             but the log says sequences 0 to 0 at offset 0"
        );
    }

    #[test]
    fn a_window_beyond_the_capacity_breaks_it() {
        let log = log(&[batch(0, 1, 0, 0), batch(1, 1, 0, 1), batch(2, 1, 0, 2)]);
        let all = [2, 1, 0].map(|n| remembered(n, n, n));
        assert_eq!(
            judge_state(&log, &memory(0, 2, &all)),
            Judgement::Broken(NotTheFold::Remembered {
                newest: 2,
                expected: None,
                got: Some(remembered(0, 0, 0))
            })
        );
    }

    /// The fold of the log as a broker computes it, batch after batch.
    fn fold(log: &[Batch], capacity: usize) -> RecordedMemory {
        let mut epoch = None;
        let mut window = VecDeque::new();
        let mut end = 0;
        for batch in log {
            let base = end;
            end += i64::from(batch.count);
            let Some(identity) = batch.identity.filter(|_| batch.producer == PRODUCER) else {
                continue;
            };
            if epoch != Some(identity.epoch) {
                window.clear();
                epoch = Some(identity.epoch);
            }
            window.push_front(remembered(identity.first.0, identity.last.0, base));
        }
        let last_sequence = window.front().map(|batch| batch.last);
        window.truncate(capacity);
        RecordedMemory {
            epoch,
            last_sequence,
            capacity,
            remembered: window.into(),
        }
    }

    /// States that differ from this one in a single thing.
    fn altered(state: &RecordedMemory) -> Vec<RecordedMemory> {
        let mut states = vec![
            RecordedMemory {
                epoch: None,
                ..state.clone()
            },
            RecordedMemory {
                epoch: state.epoch.map(|epoch| Epoch(epoch.0 + 1)),
                ..state.clone()
            },
            RecordedMemory {
                last_sequence: None,
                ..state.clone()
            },
            RecordedMemory {
                last_sequence: state.last_sequence.map(|last| Sequence(last.0 + 1)),
                ..state.clone()
            },
        ];
        let mut one_more = state.clone();
        one_more.remembered.push(remembered(7, 7, 7));
        states.push(one_more);
        for place in 0..state.remembered.len() {
            let mut one_less = state.clone();
            one_less.remembered.remove(place);
            states.push(one_less);
            let mut moved = state.clone();
            moved.remembered[place].base.0 += 1;
            states.push(moved);
            let mut longer = state.clone();
            longer.remembered[place].last.0 += 1;
            states.push(longer);
        }
        states
    }

    #[test]
    fn of_all_states_only_the_fold_of_the_log_upholds_it() {
        let choices = [
            batch(0, 1, 0, 0),
            batch(1, 2, 0, 1),
            batch(3, 1, 1, 0),
            from_another_producer(plain(0, 1)),
        ];
        for batches in every_log(&choices, 5) {
            let log = log(&batches);
            for capacity in 0..=3 {
                let fold = fold(&batches, capacity);
                if fold.epoch.is_none() {
                    assert_eq!(judge_state(&log, &fold), Judgement::Unconcerned);
                    continue;
                }
                assert_eq!(judge_state(&log, &fold), Judgement::Upheld, "{batches:?}");
                for state in altered(&fold) {
                    assert!(
                        judge_state(&log, &state).is_broken(),
                        "{state:?} is not the fold of {batches:?}"
                    );
                }
            }
        }
    }
}
