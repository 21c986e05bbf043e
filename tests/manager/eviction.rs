//! The cap on producers.

use std::num::NonZeroUsize;

use retryproof::state_manager::{Config, ProducerId, ProducerStateManager};

use crate::support::{at, batch_of, logged_of, marker, ms, pid, Partition, PID};

fn capped(config: Config, cap: usize) -> Partition {
    let cap = NonZeroUsize::new(cap).expect("not 0");
    Partition::new(config.with_max_producers(cap).expect("possible"))
}

fn known(manager: &ProducerStateManager) -> Vec<i64> {
    let mut known: Vec<i64> = manager
        .active_producers()
        .map(|producer| producer.producer_id().get())
        .collect();
    known.sort_unstable();
    known
}

#[test]
fn the_least_recently_seen_producer_goes() {
    let mut partition = capped(Config::kafka(), 3);
    for number in [1, 2, 3] {
        partition.append(batch_of(pid(number), 0, 0, 1, 0));
    }
    partition.append(batch_of(pid(1), 0, 1, 1, 0));
    partition.duplicate(&batch_of(pid(2), 0, 0, 1, 0));
    partition.append(batch_of(pid(4), 0, 0, 1, 0));
    assert_eq!(
        known(&partition.manager),
        [1, 3, 4],
        "a duplicate is not seen"
    );
    let end = partition.end;
    partition.replicate(&logged_of(pid(3), 0, 9, 1, end));
    partition.append(batch_of(pid(5), 0, 0, 1, 0));
    assert_eq!(known(&partition.manager), [3, 4, 5]);
    assert_eq!(partition.manager.metrics().counts().evicted, 2);
}

#[test]
fn a_producer_with_an_open_transaction_is_never_evicted() {
    let mut partition = capped(Config::kafka(), 2);
    partition.append(batch_of(PID, 0, 0, 1, 0).transactional());
    partition.append(batch_of(pid(1), 0, 0, 1, 0));
    partition.append(batch_of(pid(2), 0, 0, 1, 0));
    assert_eq!(known(&partition.manager), [2, PID.get()]);
    partition.end_transaction(&marker(0, 0, 0));
    partition.append(batch_of(pid(3), 0, 0, 1, 0));
    assert_eq!(known(&partition.manager), [3, PID.get()]);
    partition.append(batch_of(pid(4), 0, 0, 1, 0));
    assert_eq!(known(&partition.manager), [3, 4], "it is over now");
}

#[test]
fn the_cap_is_exceeded_while_all_have_a_transaction_open() {
    let mut partition = capped(Config::kafka(), 2);
    for number in 1..=4 {
        partition.append(batch_of(pid(number), 0, 0, 1, 0).transactional());
    }
    assert_eq!(partition.manager.len(), 4);
    partition.append(batch_of(pid(5), 0, 0, 1, 0));
    assert_eq!(
        known(&partition.manager),
        [1, 2, 3, 4, 5],
        "the new one stays"
    );
    partition.append(batch_of(pid(6), 0, 0, 1, 0));
    assert_eq!(known(&partition.manager), [1, 2, 3, 4, 6]);
}

#[test]
fn an_evicted_producer_is_unknown() {
    let mut partition = capped(Config::kafka(), 1);
    partition.append(batch_of(pid(1), 0, 0, 1, 0));
    partition.append(batch_of(pid(2), 0, 0, 1, 0));
    let _ = partition.permit(&batch_of(pid(1), 0, 0, 1, 0));
    let _ = partition.permit(&batch_of(pid(1), 0, 7, 1, 0));

    let mut partition = capped(Config::hardened(), 1);
    partition.append(batch_of(pid(1), 0, 0, 1, 0));
    partition.append(batch_of(pid(2), 0, 0, 1, 0));
    partition.rejection(&batch_of(pid(1), 0, 1, 1, 0));
    let _ = partition.permit(&batch_of(pid(1), 1, 0, 1, 0));
}

#[test]
fn expired_producers_leave_the_order() {
    let mut partition = capped(Config::kafka(), 2);
    partition.append(batch_of(pid(1), 0, 0, 1, 0));
    partition.append(batch_of(pid(2), 0, 0, 1, i64::MAX));
    partition.manager.remove_expired(ms(86_400_000));
    partition.append(batch_of(pid(3), 0, 0, 1, 0));
    assert_eq!(known(&partition.manager), [2, 3]);
    partition.append(batch_of(pid(4), 0, 0, 1, 0));
    assert_eq!(known(&partition.manager), [3, 4]);
}

#[test]
fn the_order_and_the_cap_survive_a_restart() {
    let mut partition = capped(Config::hardened(), 9);
    let seen = [(1, 50), (2, 20), (3, 40), (4, 10), (5, 30)];
    for (number, now) in seen {
        partition.append_at(batch_of(pid(number), 0, 0, 1, 0), now);
    }
    let format = partition.manager.snapshot_format();
    let bytes = partition.manager.encode(format).unwrap();
    let mut restored = capped(Config::hardened(), 3);
    let counts = restored.manager.restore(&bytes, at(5), ms(60)).unwrap();
    assert_eq!((counts.producers, counts.expired), (3, 0));
    assert_eq!(known(&restored.manager), [1, 3, 5]);
    restored.end = 5;
    restored.append_at(batch_of(pid(6), 0, 0, 1, 0), 61);
    assert_eq!(known(&restored.manager), [1, 3, 6]);
}

#[test]
fn without_a_cap_nobody_is_evicted() {
    let mut partition = Partition::kafka();
    for number in 0..5000 {
        partition.append(batch_of(pid(number), 0, 0, 1, 0));
    }
    assert_eq!(partition.manager.len(), 5000);
    assert_eq!(partition.manager.metrics().counts().evicted, 0);
    assert_eq!(
        partition
            .manager
            .producer(pid(4999))
            .map(|p| p.producer_id()),
        ProducerId::new(4999)
    );
}
