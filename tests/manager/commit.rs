//! A permit is good for one commit, of the state it was given for.

use retryproof::state_manager::{
    CommitError, Config, LeaderEpoch, Permit, ProducerStateManager, Rejection,
};

use crate::support::{at, batch, batch_of, logged, logged_of, marker, ms, pid, Partition, PID};

fn refused(manager: &mut ProducerStateManager, permit: Permit, end: i64) {
    let before = manager.metrics().counts().stale_permits;
    assert_eq!(
        manager.commit(permit, at(end), ms(0)),
        Err(CommitError::StalePermit)
    );
    assert_eq!(manager.metrics().counts().stale_permits, before + 1);
    assert_eq!(manager.map_end_offset(), at(end));
}

#[test]
fn a_check_changes_nothing_and_a_dropped_permit_leaves_no_trace() {
    let mut partition = Partition::kafka();
    partition.append(batch(0, 0, 2));
    let before = format!("{:?}", partition.producer());
    drop(partition.permit(&batch(0, 2, 2)));
    drop(partition.permit(&batch_of(pid(1), 0, 0, 1, 0)));
    partition.rejection(&batch(0, 9, 1));
    partition.duplicate(&batch(0, 0, 2));
    assert_eq!(format!("{:?}", partition.producer()), before);
    assert_eq!(partition.manager.len(), 1);
    assert_eq!(partition.manager.map_end_offset(), at(2));
    partition.append(batch(0, 2, 2));
}

#[test]
fn of_two_permits_of_one_state_one_is_good() {
    let mut partition = Partition::kafka();
    for known in [false, true] {
        let first = if known { 1 } else { 0 };
        let one = partition.permit(&batch(0, first, 1));
        let other = partition.permit(&batch(0, first, 1));
        assert_eq!(one.producer_id(), PID);
        let end = at(partition.end);
        partition.manager.commit(one, end, ms(0)).unwrap();
        partition.end += 1;
        refused(&mut partition.manager, other, partition.end);
        assert_eq!(partition.window().len(), usize::from(known) + 1);
    }
}

#[test]
fn permits_of_different_producers_do_not_disturb_each_other() {
    let mut partition = Partition::kafka();
    let of_one = partition.permit(&batch_of(pid(1), 0, 0, 1, 0));
    let of_two = partition.permit(&batch_of(pid(2), 0, 0, 1, 0));
    partition.manager.commit(of_two, at(0), ms(0)).unwrap();
    partition.manager.commit(of_one, at(1), ms(0)).unwrap();
    assert_eq!(partition.manager.len(), 2);
}

#[test]
fn whatever_happens_to_the_producer_makes_a_permit_worthless() {
    let changes: [fn(&mut Partition); 4] = [
        |partition| partition.replicate(&logged(0, 1, 1, 1)),
        |partition| {
            partition.end_transaction(&marker(0, 0, 0));
        },
        |partition| {
            assert_eq!(partition.manager.remove_expired(ms(i64::MAX)), 1);
        },
        |partition| {
            assert_eq!(partition.manager.remove_expired(ms(i64::MAX)), 1);
            partition.replicate(&logged(0, 0, 1, 1));
        },
    ];
    for change in changes {
        let mut partition = Partition::kafka();
        partition.append(batch(0, 0, 1));
        let permit = partition.permit(&batch(0, 1, 1));
        change(&mut partition);
        refused(&mut partition.manager, permit, partition.end);
    }
}

#[test]
fn a_producer_in_the_place_of_another_does_not_take_its_permit() {
    let mut partition = Partition::kafka();
    partition.append(batch(0, 0, 1));
    let permit = partition.permit(&batch(0, 1, 1));
    partition.manager.remove_expired(ms(i64::MAX));
    partition.append(batch_of(pid(5), 0, 0, 1, 0));
    refused(&mut partition.manager, permit, partition.end);
}

#[test]
fn a_permit_to_begin_is_worthless_once_the_producer_is_known() {
    let mut partition = Partition::kafka();
    let permit = partition.permit(&batch(0, 0, 1));
    partition.replicate(&logged(0, 0, 1, 0));
    refused(&mut partition.manager, permit, 1);
}

#[test]
fn a_permit_is_of_one_manager_in_one_life() {
    let mut partition = Partition::kafka();
    let mut other = Partition::kafka();
    partition.append(batch(0, 0, 1));
    other.append(batch(0, 0, 1));
    refused(&mut other.manager, partition.permit(&batch(0, 1, 1)), 1);

    let permit = partition.permit(&batch(0, 1, 1));
    partition.manager.set_leader_epoch(LeaderEpoch::new(4));
    refused(&mut partition.manager, permit, 1);
    let permit = partition.permit(&batch(0, 1, 1));
    partition.manager.set_leader_epoch(LeaderEpoch::new(4));
    partition.manager.commit(permit, at(1), ms(0)).unwrap();

    let permit = partition.permit(&batch(0, 2, 1));
    let format = partition.manager.snapshot_format();
    let bytes = partition.manager.encode(format).unwrap();
    partition.manager.restore(&bytes, at(2), ms(0)).unwrap();
    refused(&mut partition.manager, permit, 2);
}

#[test]
fn a_log_does_not_go_backwards() {
    let mut partition = Partition::kafka();
    partition.append(batch(0, 0, 5));
    let moved = Err(CommitError::OffsetMovedBack {
        given: at(4),
        map_end: at(5),
    });
    let permit = partition.permit(&batch(0, 5, 1));
    assert_eq!(partition.manager.commit(permit, at(4), ms(0)), moved);
    let manager = &mut partition.manager;
    let moved = moved.map(|_| ());
    assert_eq!(manager.replicate(&logged(0, 5, 1, 4), ms(0)), moved);
    assert_eq!(manager.skip_to(at(4)), moved);
    assert_eq!(manager.replicate_empty_control(PID, at(4), ms(0)), moved);
    let marked = manager.replicate_marker(&marker(0, 0, 0), at(4), ms(0));
    assert_eq!(marked.map(|_| ()), moved);
    let permit = manager.check_marker(&marker(0, 0, 0)).unwrap();
    assert_eq!(permit.producer_id(), PID);
    let marked = manager.commit_marker(permit, at(4), ms(0));
    assert_eq!(marked.map(|_| ()), moved);
    assert_eq!(partition.window(), [[0, 4, 0, 4]]);
    partition.end = 7;
    partition.append(batch(0, 5, 1));
    assert_eq!(partition.window(), [[0, 4, 0, 4], [5, 5, 7, 7]]);
}

#[test]
fn a_log_ends_at_the_last_offset_there_is() {
    let mut partition = Partition::kafka();
    let permit = partition.permit(&batch(0, 0, 3));
    let given = at(i64::MAX - 2);
    assert_eq!(
        partition.manager.commit(permit, given, ms(0)),
        Err(CommitError::OffsetOverflow { given })
    );
    assert_eq!(partition.manager.len(), 0);
    let permit = partition.permit(&batch(0, 0, 3));
    let last = partition.manager.commit(permit, at(i64::MAX - 3), ms(0));
    assert_eq!(last, Ok(at(i64::MAX - 1)));
    assert_eq!(partition.manager.map_end_offset(), at(i64::MAX));
}

#[test]
fn plain_batches_move_the_end_and_nothing_else() {
    let mut partition = Partition::kafka();
    partition.append(batch(0, 0, 2));
    partition.manager.skip_to(at(2)).unwrap();
    partition.manager.skip_to(at(9)).unwrap();
    assert_eq!(partition.manager.map_end_offset(), at(9));
    partition.end = 9;
    partition.append(batch(0, 2, 2));
    assert_eq!(partition.window(), [[0, 1, 0, 1], [2, 3, 9, 10]]);
}

#[test]
fn a_replica_refuses_what_no_leader_wrote() {
    let mut partition = Partition::kafka();
    partition.append(batch(0, 0, 1).transactional());
    let refused = partition.manager.replicate(&logged(0, 1, 1, 1), ms(0));
    let first_offset = at(0);
    assert_eq!(
        refused,
        Err(Rejection::OpenTransaction { first_offset }.into())
    );
    assert_eq!(partition.manager.map_end_offset(), at(1));
    partition.replicate(&logged_of(pid(3), 0, 1, 1, 1));
}

#[test]
fn errors_tell_what_to_do() {
    let moved = CommitError::OffsetMovedBack {
        given: at(4),
        map_end: at(5),
    };
    assert_eq!(
        moved.to_string(),
        "offset 4 is below 5, where the recorded part of the log ends"
    );
    assert!(CommitError::StalePermit
        .to_string()
        .contains("check it again"));
    assert!(Config::kafka().with_window(0).is_err());
}

/// A partition whose producer has a full window, so that nothing is out of the ordinary.
fn settled() -> Partition {
    let mut partition = Partition::kafka();
    for first in 0..6 {
        partition.append(batch(0, first, 1));
    }
    partition
}

#[test]
fn of_two_permits_of_a_full_window_one_is_good() {
    let mut partition = settled();
    let one = partition.permit(&batch(0, 6, 1));
    let other = partition.permit(&batch(0, 6, 1));
    partition.manager.commit(one, at(6), ms(0)).unwrap();
    refused(&mut partition.manager, other, 7);
    assert_eq!(partition.window().len(), 5);
}

#[test]
fn a_transaction_may_begin_in_a_full_window() {
    let mut partition = settled();
    partition.append(batch(0, 6, 2).transactional());
    partition.append(batch(0, 8, 2).transactional());
    assert_eq!(partition.producer().transaction_first_offset(), Some(at(6)));
    assert_eq!(partition.manager.first_unstable_offset(), Some(at(6)));
}

#[test]
fn a_permit_of_a_full_window_does_not_outlive_it() {
    let mut partition = settled();
    let permit = partition.permit(&batch(0, 6, 1));
    partition.manager.remove_expired(ms(i64::MAX));
    for first in 0..6 {
        partition.append(batch_of(pid(5), 0, first, 1, 0));
    }
    refused(&mut partition.manager, permit, 12);
}
