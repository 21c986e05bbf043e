//! A counter for each producer, and nothing else: what is not the next sequence is out of
//! order, also a retry of what was written.
//!
//! Source: Redpanda 21.10 as its issue 3039 and Jepsen's report describe it (mended by its
//! pull request 3040): no look for duplicates before the sequence is compared.

use std::collections::HashMap;

use crate::{Batch, Said};

/// The state of one partition.
#[derive(Debug, Default)]
pub struct BareCounter {
    /// Epoch and next sequence of each producer.
    next: HashMap<i64, (i64, i64)>,
    /// Offset of the next record.
    pub end: i64,
}

impl BareCounter {
    /// Decides about a batch, and writes it if it is the next.
    pub fn append(&mut self, batch: Batch) -> Said {
        let due = match self.next.get(&batch.producer) {
            Some((epoch, _)) if batch.epoch < *epoch => return Said::StaleEpoch,
            Some((epoch, next)) if batch.epoch == *epoch => *next,
            Some(_) => 0,
            None => batch.first,
        };
        if batch.first < 0 {
            return Said::Invalid;
        }
        if batch.first != due {
            return Said::OutOfOrder;
        }
        let state = (batch.epoch, batch.next());
        self.next.insert(batch.producer, state);
        self.end += batch.records;
        Said::Appended(self.end - batch.records)
    }
}
