//! The newest five batches of each producer: the retry of one of them is a duplicate, and
//! what is neither that nor next is out of order. As Apache Kafka since 2.5 does it.

use std::collections::{BTreeMap, VecDeque};

use crate::{Batch, Said};

/// A batch that was written: first and last sequence, first and last offset.
pub type Written = [i64; 4];

/// How many batches of a producer are remembered.
const REMEMBERED: usize = 5;

/// What is known of one producer.
#[derive(Clone, Debug)]
pub struct Producer {
    /// Its epoch; −1 if nothing is known.
    pub epoch: i64,
    /// Timestamp of its newest batch.
    pub last_timestamp: i64,
    /// Its newest batches in this epoch, oldest first.
    pub batches: VecDeque<Written>,
}

/// Nothing.
impl Default for Producer {
    fn default() -> Self {
        Producer {
            epoch: -1,
            last_timestamp: 0,
            batches: VecDeque::new(),
        }
    }
}

/// The state of one partition.
#[derive(Debug, Default)]
pub struct Window {
    /// By producer id.
    pub producers: BTreeMap<i64, Producer>,
    /// Offset of the next record.
    pub end: i64,
}

impl Window {
    /// Decides about a client's batch, and writes it if it is the next.
    pub fn append(&mut self, batch: Batch, timestamp: i64) -> Said {
        if batch.first < 0 {
            return Said::Invalid;
        }
        let known = self.producers.get(&batch.producer).cloned();
        let known = known.unwrap_or_default();
        let same_epoch = batch.epoch == known.epoch;
        let sequences = [batch.first, batch.sequence(batch.records - 1)];
        let original = known.batches.iter().find(|it| it[..2] == sequences);
        if let Some([.., first, _]) = original.filter(|_| same_epoch) {
            return Said::Duplicate(*first);
        }
        if batch.epoch < known.epoch {
            return Said::StaleEpoch;
        }
        let last = known.batches.back().filter(|_| same_epoch);
        let due = last.map_or(0, |[_, last, ..]| (last + 1).rem_euclid(1 << 31));
        if known.epoch != -1 && batch.first != due {
            return Said::OutOfOrder;
        }
        Said::Appended(self.write(batch, timestamp))
    }

    /// Writes a batch that the leader has decided about.
    pub fn write(&mut self, batch: Batch, timestamp: i64) -> i64 {
        let known = self.producers.entry(batch.producer).or_default();
        if known.epoch != batch.epoch {
            known.batches.clear();
        }
        known.epoch = batch.epoch;
        known.last_timestamp = timestamp;
        let base = self.end;
        self.end += batch.records;
        let last = batch.sequence(batch.records - 1);
        let written = [batch.first, last, base, self.end - 1];
        known.batches.push_back(written);
        if known.batches.len() > REMEMBERED {
            known.batches.pop_front();
        }
        base
    }
}
