//! What an operator sees: the list of producers and counters.

use crate::support::{at, batch, batch_of, logged, marker, ms, pid, seq, Partition, PID};

#[test]
fn all_that_is_known_is_listed() {
    let mut partition = Partition::kafka();
    partition.append_at(batch_of(pid(1), 3, 0, 2, 70), 71);
    partition.append_at(batch_of(pid(2), 0, 5, 1, 80).transactional(), 81);
    let mut listed: Vec<_> = partition.manager.active_producers().collect();
    listed.sort_by_key(|producer| producer.producer_id());
    assert_eq!(listed.len(), 2);
    assert_eq!(listed[0].producer_id(), pid(1));
    assert_eq!(listed[0].epoch().get(), 3);
    assert_eq!(listed[0].last_sequence(), Some(seq(1)));
    assert_eq!(listed[0].last_timestamp(), ms(70));
    assert_eq!(listed[0].last_seen(), ms(71));
    assert_eq!(listed[0].transaction_first_offset(), None);
    assert_eq!(listed[1].transaction_first_offset(), Some(at(2)));
    let newest = listed[1].batches().next().unwrap();
    assert_eq!((newest.first_offset, newest.last_offset), (at(2), at(2)));
    assert_eq!(newest.timestamp, ms(80));
    assert_ne!(listed[0], listed[1]);
    assert!(format!("{:?}", listed[0]).contains("producer_id: ProducerId(1)"));
    assert!(format!("{:?}", partition.manager).contains("producers: 2"));
    assert!(partition.manager.producer(pid(3)).is_none());
}

#[test]
fn views_are_equal_if_they_say_the_same() {
    let make = |time, first| {
        let mut partition = Partition::kafka();
        partition.append_at(batch_of(PID, 0, first, 2, time), 1);
        partition
    };
    let one = make(5, 0);
    assert_eq!(one.producer(), make(5, 0).producer());
    assert_ne!(one.producer(), make(6, 0).producer());
    assert_ne!(one.producer(), make(5, 1).producer());
    let mut other = make(5, 0);
    other.end_transaction(&marker(0, 0, 5));
    assert_ne!(one.producer(), other.producer());
    let mut other = make(5, 0);
    other.append(batch_of(PID, 0, 2, 1, 5));
    assert_ne!(one.producer(), other.producer());
}

#[test]
fn every_kind_of_answer_is_counted() {
    let mut partition = Partition::kafka();
    let metrics = partition.manager.metrics();
    partition.append(batch(1, 0, 2));
    partition.append(batch(1, 2, 2));
    partition.duplicate(&batch(1, 0, 2));
    partition.rejection(&batch(1, 9, 1));
    partition.rejection(&batch(0, 0, 1));
    partition.replicate(&logged(1, 4, 1, 4));
    partition.end_transaction(&marker(1, 0, 0));
    let counts = metrics.counts();
    assert_eq!((counts.appended, counts.replicated), (2, 1));
    assert_eq!((counts.duplicates, counts.markers), (1, 1));
    assert_eq!((counts.out_of_order, counts.other_rejections), (1, 1));
    assert_eq!((counts.expired, counts.evicted, counts.restored), (0, 0, 0));
    assert_eq!(counts.stale_permits, 0);
}
