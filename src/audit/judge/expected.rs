//! What is compared with a log when it is read up to an offset.

use std::collections::{BTreeMap, VecDeque};

use crate::audit::broker_log::Refusal;
use crate::audit::snapshot::Snapshot;

/// What is compared with a log where it ends at an offset.
#[derive(Debug)]
pub(crate) enum Ahead {
    /// A producer snapshot, at its offset.
    Snapshot(Snapshot),
    /// A batch that a broker refused, at the log end offset of that time.
    Refusal(Refusal),
}

/// All that is ahead of a log, by offset.
#[derive(Debug, Default)]
pub(super) struct Expected {
    by_offset: BTreeMap<i64, VecDeque<Ahead>>,
    /// The lowest offset; `None` if nothing is ahead.
    next: Option<i64>,
}

impl Expected {
    /// The lowest offset at which something is to be compared; beyond every log if there is none.
    #[inline]
    pub(super) fn next(&self) -> i64 {
        self.next.unwrap_or(i64::MAX)
    }

    pub(super) fn add(&mut self, offset: i64, ahead: Ahead) {
        self.by_offset.entry(offset).or_default().push_back(ahead);
        self.next = Some(self.next().min(offset));
    }

    /// The first that is to be compared at or before this offset.
    pub(super) fn take_up_to(&mut self, offset: i64) -> Option<Ahead> {
        let mut next = self.by_offset.first_entry()?;
        if *next.key() > offset {
            return None;
        }
        let ahead = next.get_mut().pop_front();
        if next.get().is_empty() {
            next.remove();
            self.next = self.by_offset.keys().next().copied();
        }
        ahead
    }

    /// Refusals that are still ahead.
    pub(super) fn refusals(&self) -> impl Iterator<Item = &Refusal> {
        self.by_offset
            .values()
            .flatten()
            .filter_map(|ahead| match ahead {
                Ahead::Refusal(refusal) => Some(refusal),
                Ahead::Snapshot(_) => None,
            })
    }

    /// Offsets of snapshots that are still ahead.
    pub(super) fn snapshots(&self) -> Vec<i64> {
        let all = self.by_offset.values().flatten();
        let offsets = all.filter_map(|ahead| match ahead {
            Ahead::Snapshot(snapshot) => Some(snapshot.offset),
            Ahead::Refusal(_) => None,
        });
        offsets.collect()
    }
}
