//! Snapshots in a directory: restarts from any of them, and truncation.

use quickcheck::{Arbitrary, Gen, QuickCheck, TestResult};
use retryproof::state_manager::snapshot::SnapshotDirectory;
use retryproof::state_manager::{Config, Offset, ProducerStateManager, Timestamp};
use tempfile::TempDir;

use crate::log::{after, log, offset, record_all, Choice, Entry};
use crate::seen::seen;

/// Files are brought to disk for each snapshot, so that a case takes milliseconds.
const CASES: u64 = 40;

/// A log, and before which of its entries a snapshot is taken.
#[derive(Clone, Debug)]
struct WithSnapshots {
    choices: Vec<Choice>,
    before: Vec<usize>,
    cut: usize,
}

impl Arbitrary for WithSnapshots {
    fn arbitrary(g: &mut Gen) -> Self {
        let snapshots = u8::arbitrary(g) % 4;
        WithSnapshots {
            choices: Arbitrary::arbitrary(g),
            before: (0..snapshots).map(|_| usize::arbitrary(g)).collect(),
            cut: Arbitrary::arbitrary(g),
        }
    }

    fn shrink(&self) -> Box<dyn Iterator<Item = Self>> {
        let WithSnapshots {
            choices,
            before,
            cut,
        } = self.clone();
        let all = (choices, before, cut).shrink();
        Box::new(all.map(|(choices, before, cut)| WithSnapshots {
            choices,
            before,
            cut,
        }))
    }
}

/// A manager at work, with the snapshots that it took on the way.
struct Live {
    log: Vec<Entry>,
    manager: ProducerStateManager,
    directory: SnapshotDirectory,
    _temporary: TempDir,
}

impl Live {
    fn new(with: &WithSnapshots) -> Self {
        let log = log(&with.choices);
        let temporary = tempfile::tempdir().expect("a directory");
        let directory = SnapshotDirectory::open(temporary.path()).expect("a directory");
        let mut manager = ProducerStateManager::new(Config::hardened());
        let mut before: Vec<_> = with.before.iter().map(|at| at % (log.len() + 1)).collect();
        before.sort_unstable();
        let mut from = 0;
        for at in before {
            record_all(&mut manager, &log[from..at]);
            manager.take_snapshot(&directory).expect("a file");
            from = at;
        }
        record_all(&mut manager, &log[from..]);
        Live {
            log,
            manager,
            directory,
            _temporary: temporary,
        }
    }
}

/// Brings a manager to the end of a log.
fn reload(
    manager: &mut ProducerStateManager,
    directory: &SnapshotDirectory,
    log: &[Entry],
    now: Timestamp,
) -> Option<Offset> {
    let end = log.last().map_or(Offset::ZERO, |last| offset(last.end));
    let reloaded = manager.truncate_and_reload(directory, Offset::ZERO, end, now);
    let reloaded = reloaded.expect("files that can be read");
    let rest = log.partition_point(|entry| entry.base < reloaded.replay_from.get());
    record_all(manager, &log[rest..]);
    reloaded.snapshot
}

/// A restart from any kept snapshot, with a replay of the log from there, leads to the state
/// of the manager that never stopped.
#[test]
fn a_restart_from_any_snapshot_leads_to_the_live_state() {
    fn law(with: WithSnapshots) -> TestResult {
        let live = Live::new(&with);
        let expected = seen(&live.manager);
        loop {
            let mut restarted = ProducerStateManager::new(Config::hardened());
            let from = reload(&mut restarted, &live.directory, &live.log, after(&live.log));
            if seen(&restarted) != expected {
                return TestResult::error(format!("from the snapshot at {from:?}"));
            }
            match from {
                // The next time an older one is the newest.
                Some(newest) => {
                    let older = live.directory.remove_above(newest.get() - 1);
                    older.expect("files that can be removed");
                }
                None => return TestResult::passed(),
            }
        }
    }
    let mut tests = QuickCheck::new().tests(CASES);
    tests.quickcheck(law as fn(WithSnapshots) -> TestResult);
}

/// After a truncation the state is that of a manager that never saw what was cut off, and so
/// it is after the log went on from there as before. No snapshot of what was cut off is kept.
#[test]
fn what_is_truncated_leaves_no_trace() {
    fn law(with: WithSnapshots) -> TestResult {
        let mut live = Live::new(&with);
        let expected_at_end = seen(&live.manager);
        let cut = with.cut % (live.log.len() + 1);
        let (kept, lost) = live.log.split_at(cut);
        reload(&mut live.manager, &live.directory, kept, after(&live.log));
        let mut never_saw = ProducerStateManager::new(Config::hardened());
        record_all(&mut never_saw, kept);
        let end = never_saw.map_end_offset().get();
        let files = live.directory.list().expect("a directory");
        let at_cut = seen(&live.manager) == seen(&never_saw)
            && files.iter().all(|snapshot| snapshot.offset <= end);
        record_all(&mut live.manager, lost);
        TestResult::from_bool(at_cut && seen(&live.manager) == expected_at_end)
    }
    let mut tests = QuickCheck::new().tests(CASES);
    tests.quickcheck(law as fn(WithSnapshots) -> TestResult);
}
