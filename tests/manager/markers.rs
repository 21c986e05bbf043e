//! Transactions: what their markers do, and where the stable part of the log ends.

use retryproof::state_manager::{CoordinatorEpoch, Ending, Epoch, Marker, Rejection};

use crate::support::{at, batch, batch_of, marker, ms, pid, Partition};

#[test]
fn a_marker_of_the_same_epoch_keeps_the_window() {
    let mut partition = Partition::kafka();
    partition.append(batch(1, 0, 2).transactional());
    partition.append(batch(1, 2, 2).transactional());
    assert_eq!(partition.end_transaction(&marker(1, 0, 90)), Some(0));
    assert_eq!(partition.window(), [[0, 1, 0, 1], [2, 3, 2, 3]]);
    assert_eq!(partition.producer().last_timestamp(), ms(90));
    assert_eq!(partition.producer().transaction_first_offset(), None);
    partition.append(batch(1, 4, 1));
}

#[test]
fn a_marker_of_a_higher_epoch_clears_the_window() {
    let mut partition = Partition::kafka();
    partition.append(batch(1, 0, 2).transactional());
    assert_eq!(partition.end_transaction(&marker(2, 0, 90)), Some(0));
    assert_eq!(partition.producer().epoch().get(), 2);
    assert_eq!(partition.producer().batches().count(), 0);
    assert!(matches!(
        partition.rejection(&batch(1, 2, 1)),
        Rejection::StaleEpoch { .. }
    ));
    partition.append(batch(2, 0, 1));
}

#[test]
fn markers_of_old_epochs_and_coordinators_are_refused() {
    let mut partition = Partition::kafka();
    partition.append(batch(3, 0, 1));
    partition.end_transaction(&marker(3, 8, 1));
    let refused = |wrong| partition.manager.check_marker(&wrong).unwrap_err();
    assert_eq!(
        refused(marker(2, 9, 1)),
        Rejection::StaleEpoch {
            current: Epoch::new(3),
            received: Epoch::new(2)
        }
    );
    assert_eq!(
        refused(marker(4, 7, 1)),
        Rejection::CoordinatorFenced {
            current: CoordinatorEpoch::new(8),
            received: CoordinatorEpoch::new(7)
        }
    );
    assert_eq!(partition.manager.metrics().counts().other_rejections, 2);
    assert_eq!(partition.end_transaction(&marker(3, 8, 2)), None);
    assert_eq!(partition.end_transaction(&marker(3, 9, 2)), None);
    assert_eq!(partition.producer().coordinator_epoch().get(), 9);
}

#[test]
fn a_marker_for_an_unknown_producer_makes_it_known() {
    let mut partition = Partition::kafka();
    assert!(partition.manager.check_marker(&marker(-2, 0, 0)).is_err());
    assert!(partition.manager.check_marker(&marker(0, -2, 0)).is_err());
    assert_eq!(partition.end_transaction(&marker(0, -1, 4)), None);
    assert_eq!(partition.producer().last_timestamp(), ms(4));
    assert_eq!(partition.manager.len(), 1);
}

#[test]
fn a_marker_permit_is_good_once() {
    let mut partition = Partition::kafka();
    partition.append(batch(0, 0, 1));
    let manager = &mut partition.manager;
    let one = manager.check_marker(&marker(0, 0, 0)).unwrap();
    let other = manager.check_marker(&marker(0, 0, 0)).unwrap();
    assert!(manager.commit_marker(one, at(1), ms(0)).is_ok());
    assert!(manager.commit_marker(other, at(2), ms(0)).is_err());
    assert_eq!(manager.map_end_offset(), at(2));
}

#[test]
fn the_first_offset_of_a_transaction_is_that_of_its_first_batch() {
    let mut partition = Partition::kafka();
    partition.append(batch(0, 0, 2));
    partition.append(batch(0, 2, 2).transactional());
    partition.append(batch(0, 4, 2).transactional());
    partition.append(batch_of(pid(7), 0, 0, 1, 0).transactional());
    assert_eq!(partition.producer().transaction_first_offset(), Some(at(2)));
    assert_eq!(partition.manager.first_unstable_offset(), Some(at(2)));
    assert_eq!(partition.manager.first_undecided_offset(), Some(at(2)));

    let abort = Marker {
        ending: Ending::Aborted,
        ..marker(0, 0, 5)
    };
    let permit = partition.manager.check_marker(&abort).unwrap();
    let ended = partition.manager.commit_marker(permit, at(7), ms(0));
    let ended = ended.unwrap().expect("it was open");
    assert_eq!(ended.producer_id, abort.producer_id);
    assert_eq!((ended.first_offset, ended.last_offset), (at(2), at(7)));
    assert_eq!(ended.ending, Ending::Aborted);

    let manager = &mut partition.manager;
    assert_eq!(manager.first_undecided_offset(), Some(at(6)));
    assert_eq!(manager.first_unstable_offset(), Some(at(2)));
    manager.on_high_watermark(at(7));
    assert_eq!(manager.first_unstable_offset(), Some(at(2)));
    manager.on_high_watermark(at(8));
    assert_eq!(manager.first_unstable_offset(), Some(at(6)));
}

#[test]
fn the_log_start_passes_transactions_that_are_over() {
    let mut partition = Partition::kafka();
    partition.append(batch(0, 0, 2).transactional());
    partition.end_transaction(&marker(0, 0, 0));
    partition.manager.on_log_start(at(2));
    assert_eq!(partition.manager.first_unstable_offset(), Some(at(0)));
    partition.manager.on_log_start(at(3));
    assert_eq!(partition.manager.first_unstable_offset(), None);
    assert_eq!(partition.window().len(), 1, "the producer stays known");
    assert_eq!(partition.manager.map_end_offset(), at(3));
    partition.manager.on_log_start(at(9));
    assert_eq!(partition.manager.map_end_offset(), at(9));
}

#[test]
fn side_state_goes_with_its_producer() {
    let mut partition = Partition::kafka();
    partition.end_transaction(&marker(0, 6, 0));
    assert_eq!(partition.manager.remove_expired(ms(i64::MAX)), 1);
    partition.append(batch_of(pid(1), 0, 0, 1, 0));
    let other = partition.manager.producer(pid(1)).unwrap();
    assert_eq!(other.coordinator_epoch(), CoordinatorEpoch::NONE);
    partition.append(batch(0, 0, 1));
    assert_eq!(
        partition.producer().coordinator_epoch(),
        CoordinatorEpoch::NONE
    );
}
