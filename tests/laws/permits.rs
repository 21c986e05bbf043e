//! For how long a permit is good.

use std::collections::BTreeSet;
use std::time::Duration;

use quickcheck::quickcheck;
use retryproof::state_manager::snapshot::{Format, SnapshotDirectory};
use retryproof::state_manager::{
    Batch, Check, CommitError, Config, CoordinatorEpoch, Ending, Epoch, LeaderEpoch, Marker,
    MarkerPermit, Offset, Permit, ProducerStateManager, Timestamp,
};

use crate::log::{after, log, producer_id, record_all, Choice, Entry, PRODUCERS};
use crate::seen::{batches_to_try, seen};

/// A manager that recorded a log.
fn manager(log: &[Entry]) -> ProducerStateManager {
    let mut manager = ProducerStateManager::new(Config::kafka());
    record_all(&mut manager, log);
    manager
}

/// A permit for a batch of each producer.
fn permits(manager: &ProducerStateManager) -> Vec<Permit> {
    let to_try = batches_to_try(&seen(manager));
    let permit = |id: i64| {
        let mut of_producer = to_try
            .iter()
            .filter(|batch| batch.producer_id().get() == id);
        of_producer.find_map(|batch: &Batch| match manager.check(batch) {
            Check::Append(permit) => Some(permit),
            Check::Duplicate(_) | Check::Rejected(_) => None,
        })
    };
    PRODUCERS
        .map(|id| permit(id).expect("a batch that follows"))
        .collect()
}

/// A permit for a marker of each producer.
fn marker_permits(manager: &ProducerStateManager) -> Vec<MarkerPermit> {
    let permit = |id: i64| {
        let marker = Marker {
            producer_id: producer_id(id),
            epoch: Epoch::new(i16::MAX),
            coordinator_epoch: CoordinatorEpoch::new(i32::MAX),
            timestamp: Timestamp::from_millis(0),
            ending: Ending::Committed,
        };
        manager.check_marker(&marker).expect("the highest epochs")
    };
    PRODUCERS.map(permit).collect()
}

/// Commits a permit at the end of the log.
fn commit(manager: &mut ProducerStateManager, permit: Permit) -> Result<Offset, CommitError> {
    let end = manager.map_end_offset();
    manager.commit(permit, end, Timestamp::from_millis(99_999))
}

fn commit_marker(
    manager: &mut ProducerStateManager,
    permit: MarkerPermit,
) -> Result<(), CommitError> {
    let end = manager.map_end_offset();
    let now = Timestamp::from_millis(99_999);
    manager.commit_marker(permit, end, now).map(drop)
}

/// Whether a manager refuses all of these permits, and is as before.
fn refuses_all(
    manager: &mut ProducerStateManager,
    permits: Vec<Permit>,
    markers: Vec<MarkerPermit>,
) -> bool {
    let before = seen(manager);
    let stale = |result| result == Err(CommitError::StalePermit);
    permits
        .into_iter()
        .all(|permit| stale(commit(manager, permit).map(drop)))
        && markers
            .into_iter()
            .all(|permit| stale(commit_marker(manager, permit)))
        && seen(manager) == before
}

/// Splits a log in two.
fn split(log: &[Entry], at: usize) -> (&[Entry], &[Entry]) {
    log.split_at(at % (log.len() + 1))
}

/// Of which producers a log has something.
fn concerned(log: &[Entry]) -> BTreeSet<i64> {
    let producers = log.iter().filter_map(Entry::producer);
    producers.map(|producer| producer.get()).collect()
}

quickcheck! {
    /// A permit is refused, and nothing changed, if anything of its producer was recorded
    /// since the check; if not, it is good, whatever others recorded or committed.
    fn a_permit_is_good_until_its_producer_changes(choices: Vec<Choice>, cut: usize) -> bool {
        let log = log(&choices);
        let (before, since) = split(&log, cut);
        let mut manager = manager(before);
        let permits = permits(&manager);
        record_all(&mut manager, since);
        let changed = concerned(since);
        permits.into_iter().all(|permit| {
            let id = permit.producer_id().get();
            let seen_before = seen(&manager);
            match commit(&mut manager, permit) {
                Ok(_) => !changed.contains(&id),
                Err(CommitError::StalePermit) => {
                    changed.contains(&id) && seen(&manager) == seen_before
                }
                Err(_) => false,
            }
        })
    }

    /// So it is with a permit for a marker.
    fn a_permit_for_a_marker_is_good_until_its_producer_changes(
        choices: Vec<Choice>,
        cut: usize
    ) -> bool {
        let log = log(&choices);
        let (before, since) = split(&log, cut);
        let mut manager = manager(before);
        let permits = marker_permits(&manager);
        record_all(&mut manager, since);
        let changed = concerned(since);
        permits.into_iter().all(|permit| {
            let id = permit.producer_id().get();
            match commit_marker(&mut manager, permit) {
                Ok(()) => !changed.contains(&id),
                Err(error) => error == CommitError::StalePermit && changed.contains(&id),
            }
        })
    }

    /// Of two permits of one producer the second is refused once the first is used, be they
    /// for batches or markers.
    fn only_one_permit_of_a_producer_is_good(choices: Vec<Choice>, marker_first: bool) -> bool {
        let mut manager = manager(&log(&choices));
        let (batches, markers) = (permits(&manager), marker_permits(&manager));
        let both_again = (permits(&manager), marker_permits(&manager));
        if marker_first {
            markers.into_iter().for_each(|permit| {
                commit_marker(&mut manager, permit).expect("a fresh permit");
            });
        } else {
            batches.into_iter().for_each(|permit| {
                commit(&mut manager, permit).expect("a fresh permit");
            });
        }
        refuses_all(&mut manager, both_again.0, both_again.1)
    }

    /// A restore makes every permit worthless, even if it brings back the same state.
    fn a_restore_makes_permits_worthless(choices: Vec<Choice>) -> bool {
        let log = log(&choices);
        let mut manager = manager(&log);
        let given = (permits(&manager), marker_permits(&manager));
        let bytes = manager.encode(Format::WholeWindow).expect("few producers");
        let end = manager.map_end_offset();
        manager.restore(&bytes, end, after(&log)).expect("sound bytes");
        refuses_all(&mut manager, given.0, given.1)
    }

    /// A new leader epoch makes every permit worthless, and so does one that was there before;
    /// the same one again does not.
    fn a_new_leader_epoch_makes_permits_worthless(choices: Vec<Choice>) -> bool {
        let mut manager = manager(&log(&choices));
        manager.set_leader_epoch(LeaderEpoch::new(4));
        let again = permits(&manager);
        manager.set_leader_epoch(LeaderEpoch::new(4));
        for permit in again {
            commit(&mut manager, permit).expect("the same leader epoch");
        }
        let given = (permits(&manager), marker_permits(&manager));
        manager.set_leader_epoch(LeaderEpoch::new(5));
        manager.set_leader_epoch(LeaderEpoch::new(4));
        refuses_all(&mut manager, given.0, given.1)
    }

    /// A permit is worthless to another manager, even one that recorded the same log.
    fn a_permit_is_worthless_to_another_manager(choices: Vec<Choice>) -> bool {
        let log = log(&choices);
        let (one, mut other) = (manager(&log), manager(&log));
        refuses_all(&mut other, permits(&one), marker_permits(&one))
    }

    /// A permit of a producer that expired since is refused, also if it is known again; one of
    /// a producer that was not known and is not is good.
    fn expiry_makes_permits_worthless(choices: Vec<Choice>, comes_again: bool) -> bool {
        let log = log(&choices);
        let expiry = Duration::from_millis(1);
        let config = Config::hardened().with_expiry(expiry).expect("a millisecond");
        let mut manager = ProducerStateManager::new(config);
        record_all(&mut manager, &log);
        let was_known = seen(&manager).ids();
        let markers = marker_permits(&manager);
        manager.remove_expired(Timestamp::from_millis(1_000_000));
        let stayed = seen(&manager).ids();
        if comes_again {
            for id in PRODUCERS.filter(|id| !stayed.contains(id)) {
                let end = manager.map_end_offset();
                let now = Timestamp::from_millis(1_000_001);
                let known = manager.replicate_empty_control(producer_id(id), end, now);
                known.expect("at the end of the log");
            }
        }
        markers.into_iter().all(|permit| {
            let id = permit.producer_id().get();
            let untouched = stayed.contains(&id) || !was_known.contains(&id) && !comes_again;
            commit_marker(&mut manager, permit).is_ok() == untouched
        })
    }
}

/// Truncation makes every permit worthless, also one that begins the log anew.
#[test]
fn truncation_makes_permits_worthless() {
    let temporary = tempfile::tempdir().expect("a directory");
    let directory = SnapshotDirectory::open(temporary.path()).expect("a directory");
    let mut manager = ProducerStateManager::new(Config::kafka());
    manager.skip_to(crate::log::offset(20)).expect("forward");
    let given = (permits(&manager), marker_permits(&manager));
    let (start, end) = (Offset::ZERO, crate::log::offset(10));
    let now = Timestamp::from_millis(0);
    let reloaded = manager.truncate_and_reload(&directory, start, end, now);
    assert_eq!(reloaded.expect("an empty directory").replay_from, start);
    assert!(refuses_all(&mut manager, given.0, given.1));

    let given = (permits(&manager), marker_permits(&manager));
    let truncated = manager.truncate_fully_and_start_at(&directory, end);
    truncated.expect("an empty directory");
    assert!(refuses_all(&mut manager, given.0, given.1));
}
