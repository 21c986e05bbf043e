//! Producer state from the newest snapshot and the log above it (Kafka:
//! `UnifiedLog.rebuildProducerState`).

use super::log::{Batch, Log, Segment};
use super::manager::Manager;

/// Brings the state to what it is at offset `to` of the log.
pub(super) fn rebuild(manager: &mut Manager, log: &Log, to: i64, after_clean_stop: bool, now: i64) {
    if after_clean_stop && !manager.has_files() {
        skip(manager, log, to);
        return;
    }
    let nothing_to_find = manager.producers().is_empty() && manager.map_end() >= to;
    manager.truncate_and_reload(log.start(), to, now);
    if manager.map_end() < to && !nothing_to_find {
        for segment in segments_between(log, manager.map_end(), to) {
            replay(manager, log, segment, now);
        }
    }
    manager.set_map_end(to);
    manager.take_snapshot();
}

/// A clean stop leaves a snapshot. If there is none, an old broker without producer state
/// is taken to have written the log: nothing is read, and snapshots that are empty keep it
/// from being read later.
fn skip(manager: &mut Manager, log: &Log, to: i64) {
    for offset in newest_two_bases(log).into_iter().chain([to]) {
        manager.set_map_end(offset);
        manager.take_snapshot();
    }
}

fn replay(manager: &mut Manager, log: &Log, segment: &Segment, now: i64) {
    let from = segment.base.max(manager.map_end());
    manager.set_map_end(from);
    if newest_two_bases(log).contains(&segment.base) {
        manager.take_snapshot();
    }
    let batches: Vec<Batch> = segment
        .batches
        .iter()
        .filter(|batch| batch.last() >= from)
        .copied()
        .collect();
    manager.add(&batches, now);
}

fn newest_two_bases(log: &Log) -> Vec<i64> {
    let bases = log.segment_bases();
    bases[bases.len().saturating_sub(2)..].to_vec()
}

/// The segments from the one that holds offset `from` to the last that begins below `to`.
pub(super) fn segments_between(log: &Log, from: i64, to: i64) -> Vec<&Segment> {
    let segments = log.segments();
    let first = segments
        .iter()
        .rposition(|segment| segment.base <= from)
        .unwrap_or(0);
    segments[first..]
        .iter()
        .filter(|segment| segment.base < to)
        .collect()
}
