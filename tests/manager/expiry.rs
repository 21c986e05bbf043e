//! Producers that were not seen for long are forgotten.

use std::time::Duration;

use retryproof::state_manager::{Config, ExpiryStep};

use crate::support::{batch_of, marker, ms, pid, Partition, PID};

const DAY: i64 = 86_400_000;

#[test]
fn to_kafka_the_clients_time_counts() {
    let mut partition = Partition::kafka();
    partition.append_at(batch_of(pid(1), 0, 0, 1, 1_000), 9_000_000);
    assert_eq!(partition.manager.remove_expired(ms(1_000 + DAY - 1)), 0);
    assert!(!partition.manager.is_empty());
    assert_eq!(partition.manager.remove_expired(ms(1_000 + DAY)), 1);
    assert!(partition.manager.is_empty());
    assert_eq!(partition.manager.metrics().counts().expired, 1);
}

#[test]
fn hardened_the_wall_clock_counts() {
    let mut partition = Partition::hardened();
    partition.append_at(batch_of(pid(1), 0, 0, 1, 1_000), 9_000);
    partition.append_at(batch_of(pid(2), 0, 0, 1, i64::MAX), 10_000);
    assert_eq!(partition.manager.remove_expired(ms(9_000 + DAY - 1)), 0);
    assert_eq!(partition.manager.remove_expired(ms(9_000 + DAY)), 1);
    assert!(partition.manager.producer(pid(1)).is_none());
    assert_eq!(partition.manager.remove_expired(ms(10_000 + DAY)), 1);
}

#[test]
fn a_marker_counts_as_a_sign_of_life() {
    for config in [Config::kafka(), Config::hardened()] {
        let mut partition = Partition::new(config);
        partition.append_at(batch_of(PID, 0, 0, 1, 0), 0);
        partition.end_transaction(&marker(0, 0, 500));
        assert_eq!(partition.manager.remove_expired(ms(499 + DAY)), 0);
        assert_eq!(partition.manager.remove_expired(ms(500 + DAY)), 1);
    }
}

#[test]
fn a_producer_with_an_open_transaction_stays() {
    for config in [Config::kafka(), Config::hardened()] {
        let mut partition = Partition::new(config);
        partition.append(batch_of(PID, 0, 0, 1, 0).transactional());
        assert_eq!(partition.manager.remove_expired(ms(i64::MAX)), 0);
        partition.end_transaction(&marker(0, 0, 0));
        assert_eq!(partition.manager.remove_expired(ms(i64::MAX)), 1);
    }
}

#[test]
fn the_time_is_configuration() {
    let config = Config::kafka()
        .with_expiry(Duration::from_millis(10))
        .unwrap();
    let mut partition = Partition::new(config);
    partition.append(batch_of(pid(1), 0, 0, 1, 5));
    assert_eq!(partition.manager.remove_expired(ms(14)), 0);
    assert_eq!(partition.manager.remove_expired(ms(15)), 1);
}

#[test]
fn expiry_forgets_the_epoch_too() {
    let mut partition = Partition::kafka();
    partition.append(batch_of(PID, 8, 0, 1, 0));
    partition.manager.remove_expired(ms(DAY));
    assert!(partition.manager.producer(PID).is_none());
    partition.append(batch_of(PID, 3, 14, 1, DAY));
}

#[test]
fn small_steps_do_the_same_as_one() {
    for places in [0, 1, 3, 7, 10, 1000] {
        let mut partition = Partition::kafka();
        for number in 0..10 {
            let old = number % 2 == 0;
            let time = if old { 0 } else { DAY };
            partition.append(batch_of(pid(number), 0, 0, 1, time));
        }
        let mut expired = 0;
        let mut steps = 0;
        loop {
            let step = partition.manager.expire_some(ms(DAY), places);
            expired += step.expired;
            steps += 1;
            if step.finished {
                break;
            }
        }
        assert_eq!((expired, partition.manager.len()), (5, 5));
        assert_eq!(steps, 10usize.div_ceil(places.max(1)));
        let next = partition.manager.expire_some(ms(2 * DAY), 10);
        assert_eq!(
            next,
            ExpiryStep {
                expired: 5,
                finished: true
            },
            "a new pass begins at the first place, vacant ones too"
        );
    }
}

#[test]
fn a_whole_pass_forgets_where_steps_were() {
    let mut partition = Partition::kafka();
    for number in 0..4 {
        partition.append(batch_of(pid(number), 0, 0, 1, 0));
    }
    assert!(!partition.manager.expire_some(ms(DAY - 1), 2).finished);
    assert_eq!(partition.manager.remove_expired(ms(DAY)), 4);
}

#[test]
fn places_are_used_again() {
    let mut partition = Partition::kafka();
    for round in 0..3 {
        for number in 0..3000 {
            partition.append(batch_of(pid(number), 0, 0, 1, round * DAY));
            partition.append(batch_of(pid(number), 0, 1, 1, round * DAY));
        }
        assert_eq!(partition.manager.active_producers().len(), 3000);
        assert!(partition
            .manager
            .active_producers()
            .all(|producer| producer.batches().count() == 2));
        let now = ms((round + 1) * DAY);
        assert_eq!(partition.manager.remove_expired(now), 3000);
    }
}

#[test]
fn a_pass_begins_again_after_a_restore() {
    let mut partition = Partition::hardened();
    for number in 0..10 {
        partition.append(batch_of(pid(number), 0, 0, 1, 0));
    }
    let format = partition.manager.snapshot_format();
    let bytes = partition.manager.encode(format).unwrap();
    assert!(!partition.manager.expire_some(ms(1), 6).finished);
    let end = crate::support::at(10);
    partition.manager.restore(&bytes, end, ms(1)).unwrap();
    assert_eq!(partition.manager.expire_some(ms(i64::MAX), 9).expired, 9);
}

#[test]
fn what_a_restore_drops_is_counted_as_expired() {
    let mut partition = Partition::kafka();
    partition.append(batch_of(pid(1), 0, 0, 1, 0));
    let format = partition.manager.snapshot_format();
    let bytes = partition.manager.encode(format).unwrap();
    let end = crate::support::at(1);
    partition.manager.restore(&bytes, end, ms(DAY)).unwrap();
    assert_eq!(partition.manager.metrics().counts().expired, 1);
}
