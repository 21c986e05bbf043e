//! What happens to the state when the log is cut, moved or opened again.
//!
//! The log is the truth and the state its fold, so the way back is always the same: take the
//! newest snapshot that the log bears out, and replay the log from where it ends.

use tracing::info;

use super::config::Profile;
use super::manager::ProducerStateManager;
use super::numbers::{Offset, Timestamp};
use super::snapshot::{FileError, Format, SnapshotDirectory, SnapshotError, SnapshotFile};

/// From where a log must be replayed after its state was loaded.
#[derive(Debug)]
#[must_use = "the rest of the log must be replayed"]
pub struct Reloaded {
    /// Replay every batch from this offset on, by
    /// [`replicate`](ProducerStateManager::replicate) and its like.
    pub replay_from: Offset,
    /// Offset of the snapshot that was loaded, if one was.
    pub snapshot: Option<Offset>,
    /// Producers of that snapshot that had expired in the meantime.
    pub expired: usize,
    /// Newer snapshots that were damaged, with what is wrong. They are removed.
    pub damaged: Vec<(std::path::PathBuf, SnapshotError)>,
}

impl ProducerStateManager {
    /// Writes a snapshot of the profile's format, unless nothing was recorded since the last
    /// one. A broker does it when it rolls a segment, when it stops, and after recovery. What
    /// it covers of the log must be safe on the disk before.
    ///
    /// # Errors
    /// [`SnapshotError::File`] if it cannot be written; the older snapshots are intact.
    pub fn take_snapshot(&mut self, directory: &SnapshotDirectory) -> Result<bool, SnapshotError> {
        if self.map_end <= self.last_snapshot {
            return Ok(false);
        }
        let format = self.snapshot_format();
        let bytes = self.encode(format)?;
        directory.write(self.map_end.get(), format, &bytes)?;
        self.last_snapshot = self.map_end;
        Ok(true)
    }

    /// Brings the state to a log that now reaches from `log_start` to `log_end` (exclusive):
    /// after truncation, and at start-up. Snapshots of what is not in the log any more are
    /// removed. If the state does not end at `log_end` already, it is taken from the newest
    /// snapshot left, and what expired by `now` is dropped; without one it begins empty at
    /// `log_start`. The caller then replays the log from
    /// [`replay_from`](Reloaded::replay_from) (Kafka: `truncateAndReload` and the loop of
    /// `UnifiedLog.rebuildProducerState`). Batches that a crash left in the log without being
    /// synced must be synced before their retries are answered.
    ///
    /// # Errors
    /// If a file cannot be read or removed. The state is as it was. Damaged snapshots are no
    /// error: they are removed, and the next older one is taken.
    pub fn truncate_and_reload(
        &mut self,
        directory: &SnapshotDirectory,
        log_start: Offset,
        log_end: Offset,
        now: Timestamp,
    ) -> Result<Reloaded, FileError> {
        directory.remove_outside(log_start.get(), log_end.get())?;
        if self.map_end == log_end {
            self.on_log_start(log_start);
            return Ok(Reloaded {
                replay_from: self.map_end,
                snapshot: None,
                expired: 0,
                damaged: Vec::new(),
            });
        }
        let mut damaged = Vec::new();
        let mut newest = None;
        for format in self.formats_to_load() {
            let range = (log_start.get(), log_end.get());
            let loaded = directory.load_newest_valid(range, *format, |path, bytes| {
                let file = SnapshotFile::of_path(path);
                let end = file.and_then(|file| Offset::new(file.offset));
                let restored = self.restore(bytes, end.unwrap_or(log_start), now)?;
                Ok((self.map_end, restored))
            })?;
            damaged.extend(loaded.skipped);
            if let Some((_, loaded)) = loaded.newest {
                newest = Some(loaded);
                break;
            }
        }
        let (snapshot, expired) = match newest {
            Some((offset, restored)) => (Some(offset), restored.expired),
            None => {
                self.forget_all(log_start);
                (None, 0)
            }
        };
        self.last_snapshot = self.map_end;
        info!(
            snapshot = snapshot.map(Offset::get),
            producers = self.len(),
            expired,
            "producer state loaded"
        );
        Ok(Reloaded {
            replay_from: self.map_end,
            snapshot,
            expired,
            damaged,
        })
    }

    /// Forgets everything, on disk too, for a log that begins anew at `offset` (Kafka:
    /// `truncateFullyAndStartAt`): a follower that fell behind its leader's log start.
    ///
    /// # Errors
    /// If a file cannot be removed. The state is as it was.
    pub fn truncate_fully_and_start_at(
        &mut self,
        directory: &SnapshotDirectory,
        offset: Offset,
    ) -> Result<(), FileError> {
        directory.remove_above(-1)?;
        self.forget_all(offset);
        Ok(())
    }

    /// The formats that this profile starts from, the better one first: a log that was
    /// Apache Kafka's can be taken over.
    fn formats_to_load(&self) -> &'static [Format] {
        match self.config.profile {
            Profile::Kafka => &[Format::Kafka],
            Profile::Hardened => &[Format::WholeWindow, Format::Kafka],
        }
    }

    /// Says that the log begins at `log_start` now. Producers whose batches lie before it
    /// stay known until they expire (Kafka since 2.4, KAFKA-7190); after a reload they are
    /// not, as the log does not show them any more.
    pub fn on_log_start(&mut self, log_start: Offset) {
        self.transactions.on_log_start(log_start);
        if self.map_end < log_start {
            self.map_end = log_start;
            self.last_snapshot = log_start;
        }
    }
}
