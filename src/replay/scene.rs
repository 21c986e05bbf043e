//! What can be looked at after a step, of the model and of Apache Kafka alike: the logs by
//! record, what brokers remember of producers, what clients have sent and not decided.

use std::collections::BTreeMap;
use std::fmt;

use retryproof_models::broker::{Broker, ObservedMemory};
use retryproof_models::producer::{Producer, Status};
use retryproof_properties::{
    BrokerMemory, Epoch, Identity, Offset, RecordedMemory, Remembered, Sequence,
};

use super::numbers::Numbers;
use super::protocol::{Answer, LaneState, LogBatch};

/// Everything that can be looked at.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Scene {
    /// The logs, by broker and partition.
    pub logs: Vec<Vec<Vec<Logged>>>,
    /// What brokers remember: by broker, partition, and producer id as a number from 0.
    pub memories: Vec<Vec<BTreeMap<usize, RecordedMemory>>>,
    /// Clients, by partition.
    pub clients: Vec<Vec<Lane>>,
}

/// A batch in a log.
#[derive(Clone, PartialEq)]
pub struct Logged {
    /// Offset of its first record.
    pub offset: i64,
    /// Whose records they are, and which.
    pub records: Vec<(usize, i64)>,
    /// Epoch and sequences; `None` without a producer id.
    pub identity: Option<Identity>,
    /// Epoch of the leader that appended it.
    pub leader_epoch: i64,
}

/// What a client has sent to one partition.
#[derive(Clone)]
pub struct Lane {
    /// Epoch of the partition's sequences. It says nothing while no sequence is in use.
    pub epoch: i64,
    /// Sequence of the next fresh batch.
    pub next_sequence: i64,
    /// Highest acknowledged sequence, −1 if there is none.
    pub last_acked: i64,
    /// Whether nothing fresh may be sent until a sequence is resolved.
    pub unresolved: bool,
    /// Sent and not decided, by record.
    pub undecided: Vec<Open>,
}

/// A batch whose outcome is open.
#[derive(Clone, PartialEq)]
pub struct Open {
    /// Its records.
    pub records: Vec<i64>,
    /// Epoch and sequences under which it is known now.
    pub identity: Option<Identity>,
    /// Where it is: on the wire, or queued to be sent again.
    pub place: String,
}

impl Lane {
    fn is_unused(&self) -> bool {
        self.next_sequence == 0 && self.last_acked == -1 && self.undecided.is_empty()
    }
}

impl PartialEq for Lane {
    fn eq(&self, other: &Self) -> bool {
        self.next_sequence == other.next_sequence
            && self.last_acked == other.last_acked
            && self.unresolved == other.unresolved
            && self.undecided == other.undecided
            && (self.epoch == other.epoch || self.is_unused())
    }
}

impl Scene {
    /// The scene that the oracle's answer to `state` tells.
    pub fn of_kafka(answer: &Answer, numbers: &mut Numbers, capacity: usize) -> Self {
        let logs = &answer.logs;
        let logs = map_grid(logs, |log| {
            log.iter().map(|batch| logged(batch, numbers)).collect()
        });
        let memories = map_grid(&answer.producers, |producers| {
            let each = producers.iter();
            each.map(|(pid, (epoch, _, window))| {
                (
                    numbers.index_of(*pid),
                    remembered(*pid, *epoch, window, numbers, capacity),
                )
            })
            .collect()
        });
        let clients = answer.clients.iter();
        let clients = clients
            .map(|client| {
                client
                    .partitions
                    .iter()
                    .map(|of| lane(of, numbers))
                    .collect()
            })
            .collect();
        Scene {
            logs,
            memories,
            clients,
        }
    }

    /// What a broker remembers of a producer id.
    pub fn memory(
        &self,
        broker: usize,
        partition: usize,
        id: usize,
        capacity: usize,
    ) -> RecordedMemory {
        let known = self
            .memories
            .get(broker)
            .and_then(|broker| broker.get(partition)?.get(&id));
        known.cloned().unwrap_or(RecordedMemory {
            capacity,
            ..RecordedMemory::default()
        })
    }

    /// How many records a log holds.
    pub fn log_end(&self, broker: usize, partition: usize) -> Offset {
        let log = self
            .logs
            .get(broker)
            .and_then(|broker| broker.get(partition));
        Offset(log.map_or(0, |log| {
            log.iter().map(|batch| batch.records.len() as i64).sum()
        }))
    }
}

fn map_grid<A, B>(grid: &[Vec<A>], mut each: impl FnMut(&A) -> B) -> Vec<Vec<B>> {
    grid.iter()
        .map(|row| row.iter().map(&mut each).collect())
        .collect()
}

fn logged(batch: &LogBatch, numbers: &mut Numbers) -> Logged {
    Logged {
        offset: batch.offset,
        records: batch.records.clone(),
        identity: numbers.identity(batch.pid, batch.epoch, batch.sequence, batch.records.len()),
        leader_epoch: batch.leader_epoch,
    }
}

fn remembered(
    pid: i64,
    epoch: i64,
    window: &[[i64; 4]],
    numbers: &mut Numbers,
    capacity: usize,
) -> RecordedMemory {
    let epoch = numbers.epoch(pid, epoch);
    let remembered: Vec<Remembered> = window
        .iter()
        .rev()
        .map(|[first, _, base, last_offset]| {
            let first = numbers.sequence(epoch, *first);
            Remembered {
                first: Sequence(first),
                last: Sequence(first + last_offset - base),
                base: Offset(*base),
            }
        })
        .collect();
    RecordedMemory {
        epoch: Some(Epoch(epoch)),
        last_sequence: Some(
            remembered
                .first()
                .map_or(Sequence(-1), |newest| newest.last),
        ),
        capacity,
        remembered,
    }
}

fn lane(state: &LaneState, numbers: &mut Numbers) -> Lane {
    let epoch = match state.pid {
        // The producer waits for a new id: its sequences are those of no epoch.
        pid if pid < 0 => -1,
        pid => numbers.epoch(pid, state.epoch),
    };
    let mut undecided: Vec<Open> = state
        .undecided
        .iter()
        .map(|batch| Open {
            records: batch.records.clone(),
            identity: numbers.identity(batch.pid, batch.epoch, batch.sequence, batch.records.len()),
            place: batch.place.clone(),
        })
        .collect();
    undecided.sort_by_key(|batch| batch.records.first().copied());
    Lane {
        epoch,
        next_sequence: numbers.sequence(epoch, state.next_sequence),
        last_acked: numbers.sequence(epoch, state.last_acked.max(-1)),
        unresolved: state.unresolved,
        undecided,
    }
}

/// What a model's broker remembers of a producer id.
pub fn memory_of(broker: &Broker, capacity: usize) -> RecordedMemory {
    let observed = ObservedMemory {
        broker: *broker,
        capacity,
    };
    RecordedMemory {
        epoch: observed.epoch(),
        last_sequence: observed.last_sequence(),
        capacity,
        remembered: (0..capacity)
            .map_while(|newest| observed.remembered(newest))
            .collect(),
    }
}

/// What a model's producer has sent to a partition; `own` gives records their numbers.
pub fn lane_of(producer: &Producer, own: impl Fn(i8) -> i64) -> Lane {
    let undecided = producer.undecided.iter().map(|batch| Open {
        records: (0..=batch.more as i8)
            .map(|more| own(batch.record + more))
            .collect(),
        identity: (!batch.anonymous).then(|| Identity {
            epoch: Epoch(producer.epoch.into()),
            first: Sequence(batch.sequence.into()),
            last: Sequence(batch.last_sequence().into()),
        }),
        place: match batch.status {
            Status::Queued => "queued",
            Status::OnWire | Status::Rewritten => "wire",
        }
        .to_owned(),
    });
    let mut undecided: Vec<Open> = undecided.collect();
    undecided.sort_by_key(|batch| batch.records.first().copied());
    Lane {
        epoch: producer.epoch.into(),
        next_sequence: producer.next_sequence.into(),
        last_acked: producer.last_acked.into(),
        unresolved: producer.unresolved.is_some(),
        undecided,
    }
}

fn write_identity(identity: Option<Identity>, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    match identity {
        Some(identity) => write!(f, " ({},{})", identity.epoch, identity.first),
        None => f.write_str(" (no id)"),
    }
}

impl fmt::Debug for Logged {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (producer, record) in &self.records {
            write!(f, "p{producer}r{record}")?;
        }
        write_identity(self.identity, f)?;
        match self.leader_epoch {
            0 => Ok(()),
            epoch => write!(f, " by leader {epoch}"),
        }
    }
}

impl fmt::Debug for Open {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "r{:?}", self.records)?;
        write_identity(self.identity, f)?;
        write!(f, " {}", self.place)
    }
}

impl fmt::Debug for Lane {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "epoch {}, next {}, acked {}, undecided {:?}",
            self.epoch, self.next_sequence, self.last_acked, self.undecided
        )?;
        f.write_str(if self.unresolved { ", unresolved" } else { "" })
    }
}
