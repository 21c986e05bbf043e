//! One broker's replica of one partition: its log and its producer state.

use std::fmt;

use crate::broker::Broker;
use crate::conditions::{Conditions, ProducerIds, Replicas};
use crate::message::{Sequences, Small};
use crate::rules::Verdict;

use super::log::{common_prefix, cut, producer_of, Entry, Log};
use super::LANES;

/// A replica.
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct Replica {
    /// Its log.
    pub log: Log,
    /// Producer state, by producer id.
    pub memory: [Broker; LANES],
    /// Its newest snapshot.
    pub snapshot: Snapshot,
    /// It believes to be the leader.
    pub leads: bool,
    /// Epoch of the leader that it knows.
    pub leader_epoch: u8,
    /// What a leader that was deposed and does not know it has seen in every replica in
    /// sync. (Of the leader itself [`super::Leadership`] knows it.)
    pub high_watermark: Small,
}

/// A snapshot of producer state, as far as the log does not tell what is in it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Snapshot {
    /// It covers the log up to here; 0 if there is none.
    pub end: Small,
    /// The producer ids that were known then, one bit each.
    pub knows: u8,
}

/// The place of a producer's state in [`Replica::memory`].
pub fn id_of(conditions: &Conditions, producer: usize) -> usize {
    match conditions.producer_ids {
        ProducerIds::Own => producer,
        ProducerIds::Shared => 0,
    }
}

impl Replica {
    /// Log end offset.
    pub fn end(&self) -> Small {
        self.log.len() as Small
    }

    /// Whether a follower takes this batch from its leader: always, unless it judges for
    /// itself. One that does not take it asks for it again, and gets no further.
    pub fn takes(&self, conditions: &Conditions, entry: &Entry) -> bool {
        match conditions.replicas {
            Replicas::Copy => true,
            Replicas::Judge => {
                let id = id_of(conditions, producer_of(entry.record));
                let sequences = Sequences::modulo(conditions.sequence_modulus);
                let ruling =
                    (conditions.rule.decide)(&self.memory[id], &entry.request(), sequences);
                ruling.verdict == Verdict::Append
            }
        }
    }

    /// A follower writes what its leader wrote.
    pub fn copy(&mut self, conditions: &Conditions, entry: Entry) {
        self.remember(conditions, &entry, self.end());
        self.log.push(entry);
    }

    fn remember(&mut self, conditions: &Conditions, entry: &Entry, offset: Small) {
        let request = entry.request();
        if conditions.is_idempotent() && request.has_identity() {
            let memory = &mut self.memory[id_of(conditions, producer_of(entry.record))];
            (conditions.rule.remember)(memory, &request, offset, conditions.capacity());
        }
    }

    /// It learns of a leader of this epoch and goes back to what its log has in common with
    /// the leader's. Producer state is rebuilt from what is left of the log; one that knew no
    /// producer does not read it again (Kafka: `UnifiedLog.rebuildProducerState`).
    pub fn follow(&mut self, conditions: &Conditions, leader: &Log, leader_epoch: u8) {
        self.leads = false;
        self.leader_epoch = leader_epoch;
        self.high_watermark = 0;
        let common = common_prefix(&self.log, leader);
        if common < self.log.len() {
            cut(&mut self.log, common);
            if self.memory.iter().any(|memory| memory.known) {
                self.rebuild(conditions);
            }
            self.take_snapshot();
        }
    }

    /// Producer state is read anew: from the newest snapshot within the log, and from there
    /// on from the log. A snapshot keeps as much as survives a restart.
    fn rebuild(&mut self, conditions: &Conditions) {
        let log = self.log;
        let snapshot = match self.snapshot.end <= self.end() {
            true => self.snapshot,
            false => Snapshot::default(),
        };
        self.memory = Default::default();
        for (entry, offset) in log.iter().zip(0..snapshot.end) {
            let id = id_of(conditions, producer_of(entry.record));
            if snapshot.knows & (1 << id) != 0 {
                self.remember(conditions, entry, offset);
            }
        }
        if snapshot.end > 0 {
            self.keep_what_survives(conditions);
        }
        for (entry, offset) in log.iter().zip(0..).skip(snapshot.end as usize) {
            self.remember(conditions, entry, offset);
        }
    }

    fn keep_what_survives(&mut self, conditions: &Conditions) {
        for memory in &mut self.memory {
            (conditions.rule.on_restart)(memory, conditions.restart_keeps);
        }
    }

    fn take_snapshot(&mut self) {
        let known = self.memory.iter().zip(0..);
        self.snapshot = Snapshot {
            end: self.end(),
            knows: known.fold(0, |knows, (memory, id)| {
                knows | u8::from(memory.known) << id
            }),
        };
    }

    /// Its broker restarts, and takes a snapshot before.
    pub fn restart(&mut self, conditions: &Conditions) {
        self.keep_what_survives(conditions);
        self.take_snapshot();
    }

    /// A producer's connection is gone: it waits for no answer to what is held.
    pub fn on_disconnect(&mut self, producer: usize) {
        for held in self
            .memory
            .iter_mut()
            .flat_map(|memory| memory.held.as_mut_slice())
            .filter(|held| producer_of(held.request.record) == producer)
        {
            held.awaited = false;
        }
    }
}

impl fmt::Debug for Replica {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let role = if self.leads { "leads" } else { "follows" };
        write!(
            f,
            "{role} in epoch {}, log {:?}",
            self.leader_epoch, self.log
        )?;
        for (id, memory) in self.memory.iter().enumerate().filter(|(_, m)| m.known) {
            write!(f, ", producer {id}: {memory:?}")?;
        }
        Ok(())
    }
}
