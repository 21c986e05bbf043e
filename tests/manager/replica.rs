//! Followers and recovery: what stands in a log is recorded as it is.

use retryproof::state_manager::{BatchHeader, LogEntry, LoggedBatch};

use crate::support::{at, batch, logged, logged_of, marker, ms, pid, Partition, PID};

#[test]
fn gaps_and_repeats_are_recorded() {
    let mut partition = Partition::hardened();
    partition.replicate(&logged(0, 40, 5, 0));
    partition.replicate(&logged(0, 50, 5, 5));
    partition.replicate(&logged(0, 50, 5, 10));
    partition.replicate(&logged(0, 2, 1, 15));
    assert_eq!(
        partition.window(),
        [
            [40, 44, 0, 4],
            [50, 54, 5, 9],
            [50, 54, 10, 14],
            [2, 2, 15, 15]
        ]
    );
    assert_eq!(partition.manager.metrics().counts().replicated, 4);
    partition.append(batch(0, 3, 1));
}

#[test]
fn a_lower_epoch_takes_over_and_clears_the_window() {
    let mut partition = Partition::kafka();
    partition.append(batch(3, 0, 1));
    partition.replicate(&logged(1, 8, 1, 1));
    assert_eq!(partition.producer().epoch().get(), 1);
    assert_eq!(partition.window(), [[8, 8, 1, 1]]);
    partition.append(batch(1, 9, 1));
}

#[test]
fn a_compacted_batch_keeps_its_range() {
    let header = BatchHeader {
        producer_id: PID.get(),
        producer_epoch: 0,
        base_sequence: 3,
        last_offset_delta: 4,
        record_count: 0,
        max_timestamp: 12,
        transactional: false,
        control: false,
    };
    let mut partition = Partition::kafka();
    let compacted = LoggedBatch::from_header(&header, at(100)).unwrap().unwrap();
    partition.replicate(&compacted);
    assert_eq!(partition.window(), [[3, 7, 100, 104]]);
    assert_eq!(partition.manager.map_end_offset(), at(105));
    assert_eq!(partition.producer().last_timestamp(), ms(12));
    partition.duplicate(&batch(0, 3, 5));
    partition.append(batch(0, 8, 1));
}

#[test]
fn a_replica_of_a_coordinators_batch_has_no_sequence() {
    let header = BatchHeader {
        producer_id: PID.get(),
        producer_epoch: 2,
        base_sequence: -1,
        last_offset_delta: 1,
        record_count: 2,
        max_timestamp: 1,
        transactional: true,
        control: false,
    };
    let mut partition = Partition::kafka();
    for offset in [0, 2] {
        let batch = LoggedBatch::from_header(&header, at(offset))
            .unwrap()
            .unwrap();
        partition.replicate(&batch);
    }
    assert_eq!(partition.window(), [[-1, -1, 0, 1], [-1, -1, 2, 3]]);
    assert_eq!(partition.producer().transaction_first_offset(), Some(at(0)));
    let ended = partition
        .manager
        .replicate_marker(&marker(2, 0, 9), at(4), ms(0))
        .unwrap()
        .expect("a transaction was open");
    assert_eq!((ended.first_offset, ended.last_offset), (at(0), at(4)));
    partition.end = 5;
    partition.append(batch(2, 0, 1));
}

#[test]
fn a_marker_is_recorded_whatever_its_epochs() {
    let mut partition = Partition::kafka();
    partition.append(batch(5, 0, 1));
    partition.end_transaction(&marker(5, 7, 1));
    let low = marker(4, 3, 2);
    partition
        .manager
        .replicate_marker(&low, at(2), ms(0))
        .unwrap();
    let producer = partition.producer();
    assert_eq!(producer.epoch().get(), 4);
    assert_eq!(producer.coordinator_epoch().get(), 3);
    assert_eq!(producer.batches().count(), 0);
    assert_eq!(partition.manager.metrics().counts().markers, 2);
}

#[test]
fn an_emptied_control_batch_makes_the_producer_known_and_no_more() {
    let mut partition = Partition::kafka();
    let manager = &mut partition.manager;
    manager.replicate_empty_control(PID, at(4), ms(77)).unwrap();
    assert_eq!(manager.map_end_offset(), at(5));
    let producer = partition.producer();
    assert_eq!(
        (producer.epoch().get(), producer.batches().count()),
        (-1, 0)
    );
    assert_eq!(producer.last_timestamp().get(), -1);
    assert_eq!(producer.last_seen().get(), 77);
    partition.end = 5;
    partition.append(batch(0, 5, 1));
    let manager = &mut partition.manager;
    manager.replicate_empty_control(PID, at(6), ms(78)).unwrap();
    assert_eq!(partition.window(), [[5, 5, 5, 5]]);
}

fn read(partition: &mut Partition, entries: &[LogEntry]) -> usize {
    let completed = partition.manager.replicate_read(entries, ms(7));
    partition.end = partition.manager.map_end_offset().get();
    completed.expect("in order").len()
}

#[test]
fn a_read_leaves_what_its_batches_would_leave_one_by_one() {
    let entries = [
        LogEntry::Batch(logged(0, 0, 2, 0)),
        LogEntry::Plain(at(5)),
        LogEntry::Batch(logged_of(pid(1), 3, 0, 1, 5)),
        LogEntry::Batch(logged(0, 2, 1, 6)),
        LogEntry::EmptyControl(pid(2), at(7)),
        LogEntry::Marker(marker(1, 0, 9), at(8)),
        LogEntry::Batch(logged(1, 0, 1, 9)),
        LogEntry::Batch(logged(1, 1, 1, 10)),
    ];
    let mut at_once = Partition::kafka();
    assert_eq!(read(&mut at_once, &entries), 0);
    let mut one_by_one = Partition::kafka();
    for entry in &entries {
        read(&mut one_by_one, std::slice::from_ref(entry));
    }
    assert_eq!(at_once.end, 11);
    assert_eq!(at_once.manager.len(), 3);
    for producer in one_by_one.manager.active_producers() {
        let same = at_once.manager.producer(producer.producer_id());
        assert_eq!(same, Some(producer));
    }
    assert_eq!(at_once.window(), [[0, 0, 9, 9], [1, 1, 10, 10]]);
}

#[test]
fn a_window_survives_an_epoch_that_goes_away_and_comes_back_within_a_read() {
    let mut partition = Partition::kafka();
    partition.append(batch(0, 0, 1));
    let away_and_back = [
        LogEntry::Batch(logged(0, 1, 1, 1)),
        LogEntry::Batch(logged(1, 0, 1, 2)),
        LogEntry::Marker(marker(2, 4, 9), at(3)),
        LogEntry::Batch(logged(0, 2, 1, 4)),
        LogEntry::Batch(logged(0, 3, 1, 5)),
    ];
    assert_eq!(read(&mut partition, &away_and_back), 0);
    assert_eq!(
        partition.window(),
        [[0, 0, 0, 0], [2, 2, 4, 4], [3, 3, 5, 5]]
    );
    assert_eq!(partition.producer().epoch().get(), 0);
    assert_eq!(partition.producer().coordinator_epoch().get(), 4);

    let mut partition = Partition::kafka();
    partition.append(batch(0, 0, 1));
    for entry in &away_and_back {
        read(&mut partition, std::slice::from_ref(entry));
    }
    assert_eq!(partition.window(), [[2, 2, 4, 4], [3, 3, 5, 5]]);
}

#[test]
fn a_transaction_of_an_epoch_that_is_over_still_began() {
    let in_transaction = |epoch, first, offset| {
        let header = BatchHeader {
            transactional: true,
            ..BatchHeader::idempotent(PID.get(), epoch, first, 1)
        };
        LoggedBatch::from_header(&header, at(offset))
            .unwrap()
            .unwrap()
    };
    let mut partition = Partition::kafka();
    let ended = read(
        &mut partition,
        &[
            LogEntry::Batch(in_transaction(0, 0, 0)),
            LogEntry::Batch(in_transaction(0, 1, 1)),
            LogEntry::Marker(marker(1, 0, 9), at(2)),
            LogEntry::Batch(in_transaction(1, 0, 3)),
        ],
    );
    assert_eq!(ended, 1);
    assert_eq!(partition.producer().transaction_first_offset(), Some(at(3)));
    assert_eq!(partition.window(), [[0, 0, 3, 3]]);
    assert_eq!(partition.manager.metrics().counts().replicated, 3);
}

#[test]
fn a_read_that_cannot_be_leaves_nothing() {
    let header = BatchHeader {
        transactional: true,
        ..BatchHeader::idempotent(PID.get(), 0, 0, 1)
    };
    let opening = LoggedBatch::from_header(&header, at(10)).unwrap().unwrap();
    let begins = LogEntry::Batch(opening);
    let batch = |offset| LogEntry::Batch(logged(0, 1, 2, offset));
    let ends = |offset| LogEntry::Marker(marker(0, 0, 0), at(offset));
    let other = LogEntry::Batch(logged_of(pid(1), 1, 0, 1, 10));
    let impossible = [
        vec![other, batch(10)],
        vec![batch(9)],
        vec![batch(10), batch(11)],
        vec![LogEntry::Plain(at(9))],
        vec![LogEntry::Plain(at(12)), batch(11)],
        vec![ends(9)],
        vec![ends(10), ends(10)],
        vec![ends(i64::MAX)],
        vec![LogEntry::EmptyControl(PID, at(9))],
        vec![LogEntry::EmptyControl(PID, at(10)), batch(10)],
        vec![begins, batch(11)],
        vec![begins, ends(11), begins],
    ];
    for entries in impossible {
        let mut partition = Partition::kafka();
        partition.append(batch_of_other());
        partition.manager.skip_to(at(10)).unwrap();
        let read = partition.manager.replicate_read(&entries, ms(7));
        assert!(read.is_err(), "{entries:?}");
        assert_eq!(partition.manager.map_end_offset(), at(10));
        assert_eq!(partition.manager.len(), 1);
        assert_eq!(partition.manager.metrics().counts().replicated, 0);
    }
    let possible = [
        vec![other, batch(11), ends(13)],
        vec![begins, ends(11), batch(12)],
        vec![
            LogEntry::Plain(at(10)),
            LogEntry::EmptyControl(PID, at(10)),
            batch(11),
        ],
    ];
    for entries in possible {
        let mut partition = Partition::kafka();
        partition.append(batch_of_other());
        partition.manager.skip_to(at(10)).unwrap();
        read(&mut partition, &entries);
    }
}

fn batch_of_other() -> retryproof::state_manager::Batch {
    crate::support::batch_of(pid(77), 0, 0, 1, 0)
}

#[test]
fn a_read_knows_of_the_transaction_that_is_open_already() {
    let mut partition = Partition::kafka();
    partition.append(batch(0, 0, 1).transactional());
    let outside = [LogEntry::Batch(logged(0, 1, 1, 1))];
    assert!(partition.manager.replicate_read(&outside, ms(0)).is_err());
}

#[test]
fn the_log_may_start_within_the_first_batch_of_a_read() {
    let mut partition = Partition::kafka();
    partition.manager.skip_to(at(2)).unwrap();
    let entries = [
        LogEntry::Batch(logged(0, 0, 3, 0)),
        LogEntry::Batch(logged(0, 3, 1, 3)),
    ];
    read(&mut partition, &entries);
    assert_eq!(partition.window(), [[0, 2, 0, 2], [3, 3, 3, 3]]);
    let mut partition = Partition::kafka();
    partition.manager.skip_to(at(2)).unwrap();
    let twice = [entries[0], LogEntry::Batch(logged(0, 1, 3, 2))];
    assert!(partition.manager.replicate_read(&twice, ms(0)).is_err());
    let before = [LogEntry::Batch(logged(0, 0, 2, 0))];
    assert!(partition.manager.replicate_read(&before, ms(0)).is_err());
}

#[test]
fn the_log_may_start_within_the_first_batch() {
    let place = tempfile::tempdir().unwrap();
    let directory =
        retryproof::state_manager::snapshot::SnapshotDirectory::open(place.path()).unwrap();
    let mut partition = Partition::kafka();
    partition.replicate(&logged(0, 0, 4, 0));
    let reloaded = partition
        .manager
        .truncate_and_reload(&directory, at(2), at(3), ms(0))
        .unwrap();
    assert_eq!(reloaded.replay_from, at(2));
    partition.replicate(&logged(0, 0, 3, 0));
    assert_eq!(partition.window(), [[0, 2, 0, 2]]);
    assert_eq!(partition.manager.map_end_offset(), at(3));
    for overlapping in [logged(0, 3, 1, 2), logged(0, 3, 5, 2)] {
        let moved = partition.manager.replicate(&overlapping, ms(0));
        assert!(moved.is_err(), "only the first batch may begin before");
    }
}
