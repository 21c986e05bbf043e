//! How a broker brings the state manager to its log: at its start, and after a truncation
//! (Kafka 4.3.1: `LogLoader`, `LogSegment.recover`, `UnifiedLog.rebuildProducerState`).

use retryproof_models::specification::{Batch as Written, Log, Recovery, Segment};

use crate::shadow::subject::SubjectFailure;
use crate::state_manager::snapshot::SnapshotDirectory;
use crate::state_manager::{Config, LogEntry, Offset, ProducerStateManager, Timestamp};

use super::numbers;

/// What a broker finds when it starts.
pub(super) struct Found<'a> {
    pub(super) config: Config,
    pub(super) log: &'a Log,
    pub(super) snapshots: &'a SnapshotDirectory,
    pub(super) now: Timestamp,
}

impl Found<'_> {
    /// A stop in order leaves a snapshot. If there is none, the log is taken to be that of
    /// an old broker without producer state: it is not read, and empty snapshots keep it
    /// from being read later.
    pub(super) fn start_after_clean_stop(&self) -> Result<ProducerStateManager, SubjectFailure> {
        self.remove_strays()?;
        let files = self.snapshots.list().map_err(SubjectFailure::because)?;
        if !files.is_empty() {
            return self.start();
        }
        let mut manager = ProducerStateManager::new(self.config);
        for offset in newest_two_bases(self.log)
            .into_iter()
            .chain([self.log.end()])
        {
            skip_to(&mut manager, offset)?;
            take_snapshot(&mut manager, self.snapshots)?;
        }
        Ok(manager)
    }

    /// After a crash, each segment that may not have been flushed is read by a manager of
    /// its own. What stays of these are the snapshots that they write.
    pub(super) fn start_after_crash(
        &self,
        recovery: Recovery,
    ) -> Result<ProducerStateManager, SubjectFailure> {
        let recovery_point = match recovery {
            Recovery::All => 0,
            Recovery::Tail => self.log.newest_roll(),
        };
        for segment in segments_between(self.log, recovery_point, i64::MAX) {
            let mut temporary = ProducerStateManager::new(self.config);
            self.bring(&mut temporary, segment.base)?;
            for batch in &segment.batches {
                record(&mut temporary, batch, self.now)?;
            }
            take_snapshot(&mut temporary, self.snapshots)?;
        }
        self.remove_strays()?;
        self.start()
    }

    fn start(&self) -> Result<ProducerStateManager, SubjectFailure> {
        let mut manager = ProducerStateManager::new(self.config);
        self.bring(&mut manager, self.log.end())?;
        Ok(manager)
    }

    fn bring(&self, manager: &mut ProducerStateManager, to: i64) -> Result<(), SubjectFailure> {
        rebuild(manager, self.log, self.snapshots, to, self.now)
    }

    fn remove_strays(&self) -> Result<(), SubjectFailure> {
        let bases = self.log.segment_bases();
        self.snapshots
            .retain(&bases)
            .map_err(SubjectFailure::because)
    }
}

/// Brings a manager to offset `to` of the log, from the newest snapshot below it and the
/// batches above that, and writes a snapshot there.
pub(super) fn rebuild(
    manager: &mut ProducerStateManager,
    log: &Log,
    snapshots: &SnapshotDirectory,
    to: i64,
    now: Timestamp,
) -> Result<(), SubjectFailure> {
    // A manager that knew nobody although it had seen more than is left of the log will
    // find nobody, so the log is not read.
    let nobody_to_find = manager.is_empty() && manager.map_end_offset().get() >= to;
    let log_start = numbers::offset(log.start().min(to))?;
    let log_end = numbers::offset(to)?;
    let reloaded = manager
        .truncate_and_reload(snapshots, log_start, log_end, now)
        .map_err(SubjectFailure::because)?;
    if !nobody_to_find {
        for segment in segments_between(log, reloaded.replay_from.get(), to) {
            replay(manager, log, segment, snapshots, now)?;
        }
    }
    skip_to(manager, to)?;
    take_snapshot(manager, snapshots)
}

fn replay(
    manager: &mut ProducerStateManager,
    log: &Log,
    segment: &Segment,
    snapshots: &SnapshotDirectory,
    now: Timestamp,
) -> Result<(), SubjectFailure> {
    let from = segment.base.max(manager.map_end_offset().get());
    skip_to(manager, from)?;
    if newest_two_bases(log).contains(&segment.base) {
        take_snapshot(manager, snapshots)?;
    }
    let unread = segment.batches.iter().filter(|batch| batch.last() >= from);
    let entries: Vec<LogEntry> = unread.map(numbers::entry).collect::<Result<_, _>>()?;
    let replayed = manager.replicate_read(&entries, now);
    replayed.map(drop).map_err(SubjectFailure::because)
}

/// Records a batch that stands in the log.
pub(super) fn record(
    manager: &mut ProducerStateManager,
    batch: &Written,
    now: Timestamp,
) -> Result<(), SubjectFailure> {
    let recorded = manager.replicate_read(&[numbers::entry(batch)?], now);
    recorded.map(drop).map_err(SubjectFailure::because)
}

fn newest_two_bases(log: &Log) -> Vec<i64> {
    let bases = log.segment_bases();
    bases[bases.len().saturating_sub(2)..].to_vec()
}

/// The segments from the one that holds offset `from` to the last that begins below `to`.
fn segments_between(log: &Log, from: i64, to: i64) -> impl Iterator<Item = &Segment> {
    let segments = log.segments();
    let holds = segments.iter().rposition(|segment| segment.base <= from);
    segments[holds.unwrap_or(0)..]
        .iter()
        .take_while(move |segment| segment.base < to)
}

fn skip_to(manager: &mut ProducerStateManager, offset: i64) -> Result<(), SubjectFailure> {
    let end: Offset = numbers::offset(offset)?;
    manager.skip_to(end).map_err(SubjectFailure::because)
}

fn take_snapshot(
    manager: &mut ProducerStateManager,
    snapshots: &SnapshotDirectory,
) -> Result<(), SubjectFailure> {
    let taken = manager.take_snapshot(snapshots);
    taken.map(drop).map_err(SubjectFailure::because)
}
