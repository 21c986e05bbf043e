//! A broker starts and finds a log and snapshot files (Kafka: `LogLoader`).

use super::log::Log;
use super::manager::Manager;
use super::operation::{Mode, Recovery};
use super::rebuild::{rebuild, segments_between};
use super::settings::Settings;
use super::snapshot::{remove_strays, SnapshotFiles};

/// The producer state of a broker that stopped in this way.
pub(super) fn start(
    settings: Settings,
    log: &Log,
    mut files: SnapshotFiles,
    mode: Mode,
    recovery: Recovery,
    now: i64,
) -> Manager {
    if mode == Mode::Crash {
        files = recover(settings, log, files, recovery, now);
    }
    remove_strays(&mut files, &log.segment_bases());
    let mut manager = Manager::new(settings, files);
    rebuild(&mut manager, log, log.end(), mode == Mode::Clean, now);
    manager
}

/// Reads each segment that may not have been flushed, with a manager that is thrown away
/// afterwards. The snapshot files that these managers write and delete are what stays.
fn recover(
    settings: Settings,
    log: &Log,
    mut files: SnapshotFiles,
    recovery: Recovery,
    now: i64,
) -> SnapshotFiles {
    let recovery_point = match recovery {
        Recovery::All => 0,
        Recovery::Tail => log.newest_roll(),
    };
    for segment in segments_between(log, recovery_point, i64::MAX) {
        let mut manager = Manager::new(settings, files);
        rebuild(&mut manager, log, segment.base, false, now);
        for batch in &segment.batches {
            manager.add(std::slice::from_ref(batch), now);
            manager.set_map_end(batch.end());
        }
        manager.take_snapshot();
        files = manager.into_files();
    }
    files
}
