//! A producer snapshot against its log: log-is-fold, judged where the log reaches the offset
//! of the snapshot.
//!
//! A snapshot has room for the newest batch of each producer, so it is judged as the state of
//! a broker that remembers one. A producer that it does not hold is no finding: its id may
//! have expired.

use retryproof_properties::log_is_fold::NotTheFold;
use retryproof_properties::{
    Batch, BrokerMemory, Decision, Epoch, Event, Identity, Judgement, Offset, Partition,
    ProducerId, PropertyId, Record, Remembered, Sequence, Violation,
};

use super::log::Log;
use super::spans::Spans;
use super::tail::{Newest, Tail};
use super::words::named;
use crate::audit::finding::{Finding, Findings, Range};
use crate::audit::kind::Kind;
use crate::audit::sequence;
use crate::audit::snapshot::Snapshot;
use crate::audit::state::{NewestBatch, ProducerState};

/// What a broker that starts from the snapshot remembers of a producer. No batch is written
/// as Kafka writes it: sequences and offset of −1.
#[derive(Debug, PartialEq, Eq)]
struct Held {
    epoch: Epoch,
    batch: Remembered,
}

impl Held {
    fn of(state: &ProducerState) -> Self {
        let batch = state.newest.map_or(NO_BATCH, |newest| Remembered {
            first: Sequence(newest.first_sequence.into()),
            last: Sequence(newest.last_sequence.into()),
            base: Offset(newest.base_offset),
        });
        Held {
            epoch: Epoch(state.producer_epoch.into()),
            batch,
        }
    }
}

const NO_BATCH: Remembered = Remembered {
    first: Sequence(-1),
    last: Sequence(-1),
    base: Offset(-1),
};

impl BrokerMemory for Held {
    fn epoch(&self) -> Option<Epoch> {
        Some(self.epoch)
    }

    fn last_sequence(&self) -> Option<Sequence> {
        Some(self.batch.last)
    }

    fn capacity(&self) -> usize {
        1
    }

    fn remembered(&self, newest: usize) -> Option<Remembered> {
        (newest == 0).then_some(self.batch)
    }
}

/// What came of snapshots.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Compared {
    /// Snapshots that the log reached.
    pub snapshots: u64,
    /// Producers in them that were compared.
    pub producers: u64,
    /// Producers of the log that they do not hold.
    pub absent: u64,
}

impl Log {
    /// Judges a snapshot by the log up to its offset, which is read.
    pub(super) fn compare(&self, snapshot: &Snapshot, findings: &mut Findings) -> Compared {
        let mut compared = Compared::default();
        for state in &snapshot.states {
            if is_ahead(state, snapshot) {
                findings.add(Kind::SnapshotAhead, || {
                    self.about_state(Kind::SnapshotAhead, state, ahead(state, snapshot))
                });
                continue;
            }
            // Of what stood before the log begins, and of batches without sequences, the log
            // says nothing.
            let start = self.start.unwrap_or(self.end);
            let is_before = state.newest.is_none_or(|newest| newest.last_offset < start);
            let has_no_sequences = state.newest.is_some_and(|newest| newest.last_sequence < 0);
            let tail = self.producers.get(&state.producer_id);
            if has_no_sequences
                || tail.is_none() && is_before
                || self.may_have_lost(state, tail, snapshot)
            {
                continue;
            }
            compared.producers += 1;
            if let Some(fault) = self.fault(state, tail) {
                findings.add(Kind::SnapshotDiffers, || {
                    self.about_state(
                        Kind::SnapshotDiffers,
                        state,
                        differs(state, snapshot, tail, &fault),
                    )
                });
            }
        }
        let held = snapshot.states.iter();
        let known = held.filter(|state| self.producers.contains_key(&state.producer_id));
        compared.absent = (self.producers.len() - known.count().min(self.producers.len())) as u64;
        compared
    }

    /// Begins where the snapshot was taken: what it holds of each producer stood in the log before.
    pub(super) fn begin_from(&mut self, snapshot: &Snapshot) {
        let missing = self.holes.offsets();
        for state in &snapshot.states {
            let newest = state.newest.filter(|newest| newest.last_sequence >= 0);
            if newest.is_none() && state.newest.is_some() || is_ahead(state, snapshot) {
                continue;
            }
            self.producers
                .entry(state.producer_id)
                .or_insert_with(|| Tail::of_state(state, newest, missing));
        }
    }

    /// Whether the batch that the snapshot holds may have stood at offsets that the log lacks:
    /// behind what the log shows of the producer, offsets are missing.
    fn may_have_lost(
        &self,
        state: &ProducerState,
        tail: Option<&Tail>,
        snapshot: &Snapshot,
    ) -> bool {
        let not_read = u64::try_from(snapshot.offset - self.end).unwrap_or(0);
        let missing = self.holes.offsets().saturating_add(not_read);
        let missing = missing - tail.map_or(0, |tail| tail.missing);
        let shown = tail
            .and_then(|tail| tail.newest)
            .map_or(-1, |newest| newest.base);
        let held = state.newest.map_or(-1, |newest| newest.base_offset);
        missing > 0 && held > shown
    }

    /// How the state breaks log-is-fold.
    fn fault(&self, state: &ProducerState, tail: Option<&Tail>) -> Option<NotTheFold> {
        let held = Held::of(state);
        let event = Event::Decided(Decision {
            batch: any_batch(state),
            answer: None,
            before: &held,
            after: &held,
            log_end_before: Offset(self.end),
            log_end_after: Offset(self.end),
        });
        // The snapshot has sequences as they are, so the log is asked for those too.
        let plain = tail.map(|tail| Tail {
            newest: tail.newest.map(|newest| self.plain(&newest, state)),
            ..tail.clone()
        });
        let past = super::tail::Past {
            tail: plain.as_ref(),
            log_end: self.end,
        };
        match PropertyId::LogIsFold.judge(&past, &event) {
            Judgement::Broken(Violation::LogIsFold(fault)) => Some(fault),
            _ => None,
        }
    }

    /// The newest batch with its sequences as they are. Of a batch of which the first records
    /// were cleaned away, record lines show where it ends only.
    fn plain(&self, newest: &Newest, state: &ProducerState) -> Newest {
        let plain = Newest {
            first: sequence::plain(newest.first).into(),
            last: sequence::plain(newest.last).into(),
            base: newest.base,
        };
        match state.newest {
            Some(held)
                if self.shows_records_only
                    && i64::from(held.last_sequence) == plain.last
                    && held.last_offset - plain.base == newest.last - newest.first
                    && held.base_offset < plain.base =>
            {
                Newest {
                    first: held.first_sequence.into(),
                    base: held.base_offset,
                    ..plain
                }
            }
            _ => plain,
        }
    }

    fn about_state(&self, kind: Kind, state: &ProducerState, text: String) -> Finding {
        Finding {
            kind,
            also: Vec::new(),
            place: state.place,
            log: self.name.clone(),
            producer: Some((state.producer_id, Some(state.producer_epoch))),
            sequences: state.newest.map(|newest| Range {
                first: newest.first_sequence,
                last: newest.last_sequence,
            }),
            offsets: state.newest.map(|newest| Range {
                first: newest.base_offset,
                last: newest.last_offset,
            }),
            text,
        }
    }
}

/// The property looks at whose batch was decided, and that it has an identity.
fn any_batch(state: &ProducerState) -> Batch {
    Batch {
        producer: ProducerId(state.producer_id),
        partition: Partition(0),
        identity: Some(Identity {
            epoch: Epoch(state.producer_epoch.into()),
            first: Sequence(0),
            last: Sequence(0),
        }),
        first_record: Record(0),
        count: 1,
    }
}

impl Tail {
    /// A producer as a snapshot has it. Its epoch began with sequence 0, and all up to the
    /// newest stood in the log.
    fn of_state(state: &ProducerState, newest: Option<NewestBatch>, missing: u64) -> Self {
        let epoch = Epoch(state.producer_epoch.into());
        let newest = newest.map(|newest| {
            let first = i64::from(newest.first_sequence);
            Newest {
                first,
                last: first + sequence::span(newest.first_sequence, newest.last_sequence),
                base: newest.base_offset,
            }
        });
        Tail {
            epoch: state.producer_epoch,
            newest,
            records: newest.map(|newest| {
                Spans::new(
                    sequence::record(epoch, 0),
                    sequence::record(epoch, newest.last),
                )
            }),
            missing,
        }
    }
}

fn is_ahead(state: &ProducerState, snapshot: &Snapshot) -> bool {
    state
        .newest
        .is_some_and(|newest| newest.last_offset >= snapshot.offset)
}

fn ahead(state: &ProducerState, snapshot: &Snapshot) -> String {
    format!(
        "the snapshot at offset {} holds {}",
        snapshot.offset,
        held(state)
    )
}

fn differs(
    state: &ProducerState,
    snapshot: &Snapshot,
    tail: Option<&Tail>,
    fault: &NotTheFold,
) -> String {
    let log = match (fault, tail) {
        (NotTheFold::StateWithoutBatch { .. }, _) | (_, None) => "no batch of it".to_owned(),
        (_, Some(tail)) => in_log(tail),
    };
    format!(
        "the snapshot at offset {} holds {}, but up to there the log has {log}",
        snapshot.offset,
        held(state)
    )
}

fn held(state: &ProducerState) -> String {
    let who = format!(
        "producer {} in epoch {}",
        state.producer_id, state.producer_epoch
    );
    match state.newest {
        Some(newest) => format!(
            "{who} with {} at {}",
            named("sequence", newest.first_sequence, newest.last_sequence),
            named("offset", newest.base_offset, newest.last_offset)
        ),
        None => format!("{who} without a batch"),
    }
}

/// What the log has of a producer, in words.
pub(super) fn in_log(tail: &Tail) -> String {
    match tail.newest {
        Some(newest) => format!(
            "epoch {} with {} at offset {}",
            tail.epoch,
            named(
                "sequence",
                sequence::plain(newest.first),
                sequence::plain(newest.last)
            ),
            newest.base
        ),
        None => format!("epoch {} begun by a marker", tail.epoch),
    }
}
