//! The producer state in memory and its snapshot files (Kafka: `ProducerStateManager`).

use std::collections::BTreeMap;

use super::entry::Entry;
use super::log::{Batch, Content};
use super::settings::Settings;
use super::snapshot::{SnapshotFile, SnapshotFiles};

/// Producer state of a partition.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Manager {
    settings: Settings,
    producers: BTreeMap<i64, Entry>,
    files: SnapshotFiles,
    /// The state covers the log up to this offset (exclusive).
    map_end: i64,
    /// No snapshot is written unless `map_end` has passed this offset.
    last_snapshot: i64,
}

impl Manager {
    /// A manager that knows nothing yet but finds these files.
    pub(super) fn new(settings: Settings, files: SnapshotFiles) -> Self {
        Manager {
            settings,
            producers: BTreeMap::new(),
            files,
            map_end: 0,
            last_snapshot: 0,
        }
    }

    pub(super) fn producers(&self) -> &BTreeMap<i64, Entry> {
        &self.producers
    }

    pub(super) fn map_end(&self) -> i64 {
        self.map_end
    }

    pub(super) fn set_map_end(&mut self, offset: i64) {
        self.map_end = offset;
    }

    pub(super) fn has_files(&self) -> bool {
        !self.files.is_empty()
    }

    pub(super) fn files(&self) -> &SnapshotFiles {
        &self.files
    }

    /// Gives the files back: what is left when the broker stops.
    pub(super) fn into_files(self) -> SnapshotFiles {
        self.files
    }

    /// Adds the batches of one append or one read from the log. Nothing is checked.
    ///
    /// For each producer they are first added to a copy without a window, which the entry
    /// then takes over as a whole.
    pub(super) fn add(&mut self, batches: &[Batch], now: i64) {
        let mut changes: BTreeMap<i64, Entry> = BTreeMap::new();
        for batch in batches {
            let pid = match batch.content {
                Content::Plain => continue,
                Content::Records { pid, .. } | Content::Marker { pid, .. } => pid,
            };
            changes
                .entry(pid)
                .or_insert_with(|| match self.producers.get(&pid) {
                    Some(entry) => entry.without_window(),
                    None => Entry::none(),
                })
                .add(batch, self.settings.window, now);
        }
        for (pid, added) in changes {
            self.producers
                .entry(pid)
                .or_insert_with(Entry::none)
                .take_over(added, self.settings.window);
        }
    }

    /// Writes a snapshot of the state, unless the last one is as new.
    pub(super) fn take_snapshot(&mut self) {
        if self.map_end > self.last_snapshot {
            let file = SnapshotFile::of(&self.producers, self.settings.profile);
            self.files.insert(self.map_end, file);
            self.last_snapshot = self.map_end;
        }
    }

    pub(super) fn delete_snapshot(&mut self, offset: i64) {
        self.files.remove(&offset);
    }

    /// Forgets the producers that have expired.
    pub(super) fn expire(&mut self, now: i64) {
        self.producers
            .retain(|_, entry| !entry.is_expired(&self.settings, now));
    }

    /// The log start has moved up. No producer is forgotten.
    pub(super) fn on_log_start_moved(&mut self, log_start: i64) {
        self.last_snapshot = self.files.keys().last().copied().unwrap_or(log_start);
    }

    /// Drops the snapshots that do not lie within the log and all state but that of the
    /// newest snapshot left. The state then covers the log up to that snapshot, at least up
    /// to the log start.
    ///
    /// Kafka spares itself the loading if the state ends where the log does. A start or a
    /// truncation never finds it so with a producer in memory.
    pub(super) fn truncate_and_reload(&mut self, log_start: i64, log_end: i64, now: i64) {
        self.files
            .retain(|offset, _| log_start < *offset && *offset <= log_end);
        self.load_newest_snapshot(log_start, now);
    }

    fn load_newest_snapshot(&mut self, log_start: i64, now: i64) {
        while let Some(SnapshotFile::Corrupt) = self.files.values().last() {
            self.files.pop_last();
        }
        let (offset, producers) = match self.files.last_key_value() {
            Some((offset, SnapshotFile::Intact(producers))) => (*offset, producers.clone()),
            _ => (log_start, BTreeMap::new()),
        };
        self.producers = producers;
        self.expire(now);
        self.map_end = offset;
        self.last_snapshot = offset;
    }
}
