//! Snapshots, truncation and restarts.

use retryproof::state_manager::snapshot::{Format, SnapshotDirectory, SnapshotError};
use retryproof::state_manager::{Config, ProducerStateManager, Profile, Reloaded};

use crate::support::{at, batch, batch_of, logged, marker, ms, pid, Partition, PID};

fn directory() -> (tempfile::TempDir, SnapshotDirectory) {
    let place = tempfile::tempdir().expect("a directory");
    let directory = SnapshotDirectory::open(place.path()).expect("just made");
    (place, directory)
}

fn offsets(directory: &SnapshotDirectory) -> Vec<i64> {
    let files = directory.list().expect("readable");
    files.iter().map(|file| file.offset).collect()
}

/// Six batches of two records, and a snapshot after the second, fourth and sixth.
fn written(config: Config, directory: &SnapshotDirectory) -> Partition {
    let mut partition = Partition::new(config);
    for number in 0..6 {
        partition.append(batch(0, 2 * number, 2));
        if number % 2 == 1 {
            assert!(partition.manager.take_snapshot(directory).unwrap());
            assert!(!partition.manager.take_snapshot(directory).unwrap());
        }
    }
    partition
}

/// Brings the state to a log from its start to its end.
fn reload(
    partition: &mut Partition,
    directory: &SnapshotDirectory,
    (log_start, log_end): (i64, i64),
    now: i64,
) -> Reloaded {
    let manager = &mut partition.manager;
    manager
        .truncate_and_reload(directory, at(log_start), at(log_end), ms(now))
        .expect("readable")
}

#[test]
fn golden_vectors_are_written_byte_for_byte() {
    let mut partition = Partition::kafka();
    partition.append(batch_of(pid(7), 2, 0, 3, 1_800_000_005_000));
    partition.append(batch_of(pid(7), 2, 3, 2, 1_800_000_005_000));
    partition.append(batch_of(pid(9), 0, 0, 1, 1_800_000_005_000));
    let bytes = partition.manager.encode(Format::Kafka).unwrap();
    let hex: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
    // Written by Apache Kafka 4.3.1 for the same batches.
    assert_eq!(
        hex,
        "0001985549ca000000020000000000000007000200000004000000000000000400000001000001a3185c6388\
         ffffffffffffffffffffffff0000000000000009000000000000000000000000000500000000000001a3185c\
         6388ffffffffffffffffffffffff"
    );
}

#[test]
fn kafkas_snapshot_brings_back_the_newest_batch() {
    let (_place, directory) = directory();
    let partition = written(Config::kafka(), &directory);
    assert_eq!(offsets(&directory), [4, 8, 12]);
    assert!(directory
        .list()
        .unwrap()
        .iter()
        .all(|file| file.format == Format::Kafka));
    let mut restarted = Partition::kafka();
    let reloaded = reload(&mut restarted, &directory, (0, 12), 0);
    assert_eq!(reloaded.snapshot, Some(at(12)));
    assert_eq!(reloaded.replay_from, at(12));
    assert_eq!(restarted.window(), [[10, 11, 10, 11]]);
    assert_eq!(partition.window().len(), 5);
    assert!(!restarted.manager.take_snapshot(&directory).unwrap());
    assert_eq!(restarted.manager.metrics().counts().restored, 1);
}

#[test]
fn the_whole_window_comes_back_when_hardened() {
    let (_place, directory) = directory();
    let partition = written(Config::hardened(), &directory);
    assert!(directory
        .list()
        .unwrap()
        .iter()
        .all(|file| file.format == Format::WholeWindow));
    let mut restarted = Partition::hardened();
    let _ = reload(&mut restarted, &directory, (0, 12), 0);
    assert_eq!(restarted.producer(), partition.producer());
    assert_eq!(restarted.window().len(), 5);
}

#[test]
fn the_rest_is_replayed_from_where_the_snapshot_ends() {
    let (_place, directory) = directory();
    let mut partition = written(Config::kafka(), &directory);
    let reloaded = reload(&mut partition, &directory, (0, 10), 0);
    assert_eq!(reloaded.snapshot, Some(at(8)));
    assert_eq!(reloaded.replay_from, at(8));
    assert_eq!(partition.manager.map_end_offset(), at(8));
    assert_eq!(
        offsets(&directory),
        [4, 8],
        "what the log has not is removed"
    );
    partition.replicate(&logged(0, 8, 2, 8));
    assert_eq!(partition.window(), [[6, 7, 6, 7], [8, 9, 8, 9]]);
    partition.append(batch(0, 10, 1));
}

#[test]
fn a_state_that_ends_where_the_log_does_is_kept() {
    let (_place, directory) = directory();
    let mut partition = written(Config::kafka(), &directory);
    let reloaded = reload(&mut partition, &directory, (4, 12), 0);
    assert_eq!((reloaded.replay_from, reloaded.snapshot), (at(12), None));
    assert_eq!(partition.window().len(), 5);
    assert_eq!(
        offsets(&directory),
        [8, 12],
        "what lies before the log is removed"
    );
}

#[test]
fn without_a_snapshot_the_state_begins_at_the_log_start() {
    let (_place, directory) = directory();
    let mut partition = written(Config::kafka(), &directory);
    let reloaded = reload(&mut partition, &directory, (2, 3), 0);
    assert_eq!((reloaded.replay_from, reloaded.snapshot), (at(2), None));
    assert!(partition.manager.is_empty());
    assert_eq!(partition.manager.map_end_offset(), at(2));
    assert_eq!(partition.manager.first_unstable_offset(), None);
}

#[test]
fn a_damaged_snapshot_is_passed_over() {
    for profile in [Config::kafka(), Config::hardened()] {
        let (_place, directory) = directory();
        written(profile, &directory);
        let newest = directory.list().unwrap().pop().unwrap();
        let mut bytes = std::fs::read(&newest.path).unwrap();
        let last = bytes.len() - 1;
        bytes[last] ^= 1;
        std::fs::write(&newest.path, &bytes).unwrap();
        let mut restarted = Partition::new(profile);
        let reloaded = reload(&mut restarted, &directory, (0, 12), 0);
        assert_eq!(reloaded.snapshot, Some(at(8)));
        assert_eq!(reloaded.damaged.len(), 1);
        assert_eq!(reloaded.damaged[0].0, newest.path);
        assert!(matches!(
            reloaded.damaged[0].1,
            SnapshotError::ChecksumMismatch { .. }
        ));
        assert_eq!(offsets(&directory), [4, 8]);
    }
}

#[test]
fn a_snapshot_in_which_a_producer_comes_twice_changes_nothing() {
    use retryproof::state_manager::snapshot::kafka::{encode, Entry};
    let entry = Entry {
        producer_id: 1,
        epoch: 0,
        last_sequence: 4,
        last_offset: 4,
        offset_delta: 0,
        timestamp: 0,
        coordinator_epoch: -1,
        transaction_first_offset: -1,
    };
    let mut partition = Partition::kafka();
    partition.append(batch(0, 0, 2));
    let twice = encode([entry, entry].into_iter()).unwrap();
    let error = partition.manager.restore(&twice, at(5), ms(0)).unwrap_err();
    assert!(matches!(
        error,
        SnapshotError::DuplicateProducer { producer_id: 1 }
    ));
    let beyond = encode([entry].into_iter()).unwrap();
    let error = partition
        .manager
        .restore(&beyond, at(4), ms(0))
        .unwrap_err();
    assert!(matches!(error, SnapshotError::Implausible { entry: 0, .. }));
    assert_eq!(partition.window(), [[0, 1, 0, 1]]);
    assert_eq!(partition.manager.len(), 1);
    assert!(partition.manager.restore(&beyond, at(5), ms(0)).is_ok());
    assert!(partition.manager.producer(PID).is_none());
}

#[test]
fn a_whole_window_covers_the_log_that_its_name_says() {
    let mut partition = Partition::hardened();
    partition.append(batch(0, 0, 2));
    let bytes = partition.manager.encode(Format::WholeWindow).unwrap();
    for wrong in [1, 3] {
        let error = partition
            .manager
            .restore(&bytes, at(wrong), ms(0))
            .unwrap_err();
        assert!(matches!(error, SnapshotError::ImplausibleHeader { .. }));
    }
    assert!(partition.manager.restore(&bytes, at(2), ms(0)).is_ok());
}

#[test]
fn what_expired_in_the_meantime_is_not_loaded() {
    let (_place, directory) = directory();
    let mut partition = Partition::kafka();
    partition.append(batch_of(pid(1), 0, 0, 1, 0));
    partition.append(batch_of(pid(2), 0, 0, 1, 10));
    partition.append(batch_of(pid(3), 0, 0, 1, 0).transactional());
    partition.manager.take_snapshot(&directory).unwrap();
    let mut restarted = Partition::kafka();
    let reloaded = reload(&mut restarted, &directory, (0, 3), 86_400_000);
    assert_eq!(reloaded.expired, 1);
    assert_eq!(restarted.manager.len(), 2);
    assert_eq!(restarted.manager.first_unstable_offset(), Some(at(2)));
}

#[test]
fn a_marker_and_a_transaction_come_back() {
    for config in [Config::kafka(), Config::hardened()] {
        let (_place, directory) = directory();
        let mut partition = Partition::new(config);
        partition.append(batch_of(PID, 4, 0, 2, 6));
        partition.end_transaction(&marker(4, 3, 9));
        partition.append(batch_of(pid(1), 0, 0, 1, 0).transactional());
        partition.end_transaction(&marker(5, 7, 11));
        partition.manager.take_snapshot(&directory).unwrap();
        let mut restarted = Partition::new(config);
        let _ = reload(&mut restarted, &directory, (0, partition.end), 12);
        for producer in partition.manager.active_producers() {
            let again = restarted.manager.producer(producer.producer_id());
            assert_eq!(again, Some(producer));
        }
        assert_eq!(restarted.manager.len(), 2);
        assert_eq!(restarted.manager.first_undecided_offset(), Some(at(3)));
    }
}

#[test]
fn a_log_of_kafkas_can_be_taken_over_when_hardened() {
    let (_place, directory) = directory();
    written(Config::kafka(), &directory);
    let mut taken_over = Partition::hardened();
    let reloaded = reload(&mut taken_over, &directory, (0, 12), 5);
    assert_eq!(reloaded.snapshot, Some(at(12)));
    assert_eq!(taken_over.window(), [[10, 11, 10, 11]]);
    assert_eq!(taken_over.producer().last_seen(), ms(5));

    let mut back = ProducerStateManager::new(Config::kafka());
    taken_over.end = 12;
    taken_over.append(batch(0, 12, 1));
    taken_over.manager.take_snapshot(&directory).unwrap();
    let reloaded = back
        .truncate_and_reload(&directory, at(0), at(13), ms(5))
        .unwrap();
    assert_eq!(reloaded.snapshot, Some(at(12)));
    assert_eq!(back.config().profile(), Profile::Kafka);
}

#[test]
fn a_smaller_window_keeps_the_newest_batches() {
    let wide = Config::hardened().with_window(8).unwrap();
    let mut partition = Partition::new(wide);
    for number in 0..8 {
        partition.append(batch(0, number, 1));
    }
    let bytes = partition.manager.encode(Format::WholeWindow).unwrap();
    let mut narrow = Partition::new(Config::hardened().with_window(3).unwrap());
    narrow.manager.restore(&bytes, at(8), ms(0)).unwrap();
    assert_eq!(narrow.window(), [[5, 5, 5, 5], [6, 6, 6, 6], [7, 7, 7, 7]]);
}

#[test]
fn a_log_that_begins_anew_has_no_state() {
    let (_place, directory) = directory();
    let mut partition = written(Config::kafka(), &directory);
    partition
        .manager
        .truncate_fully_and_start_at(&directory, at(40))
        .unwrap();
    assert!(partition.manager.is_empty());
    assert_eq!(partition.manager.map_end_offset(), at(40));
    assert!(offsets(&directory).is_empty());
    partition.end = 40;
    partition.append(batch(0, 3, 1));
    assert!(partition.manager.take_snapshot(&directory).unwrap());
    assert_eq!(offsets(&directory), [41]);
}

#[test]
fn nothing_recorded_needs_no_snapshot() {
    let (_place, directory) = directory();
    let mut manager = ProducerStateManager::new(Config::kafka());
    assert!(!manager.take_snapshot(&directory).unwrap());
    manager.skip_to(at(1)).unwrap();
    assert!(manager.take_snapshot(&directory).unwrap());
    assert_eq!(offsets(&directory), [1]);
}

#[test]
fn a_producer_without_batches_has_none_in_kafkas_format_either() {
    use retryproof::state_manager::snapshot::kafka::parse;
    let mut partition = Partition::kafka();
    partition.end_transaction(&marker(4, 7, 11));
    let bytes = partition.manager.encode(Format::Kafka).unwrap();
    let entry = parse(&bytes).unwrap().entries().next().unwrap();
    assert_eq!((entry.last_sequence, entry.last_offset), (-1, -1));
    assert_eq!(
        (entry.offset_delta, entry.transaction_first_offset),
        (0, -1)
    );
    assert_eq!((entry.epoch, entry.coordinator_epoch), (4, 7));
    assert_eq!(entry.timestamp, 11);
}

#[test]
fn a_window_out_of_order_is_still_out_of_order_after_a_restart() {
    let mut partition = Partition::hardened();
    partition.replicate(&logged(0, 5, 1, 0));
    partition.replicate(&logged(0, 4, 1, 1));
    let bytes = partition.manager.encode(Format::WholeWindow).unwrap();
    let mut restarted = Partition::hardened();
    restarted.manager.restore(&bytes, at(2), ms(0)).unwrap();
    assert_eq!(restarted.duplicate(&batch(0, 5, 1)).first_offset.get(), 0);
}

#[test]
fn a_snapshot_that_no_log_can_have_led_to_is_refused() {
    use retryproof::state_manager::snapshot::kafka::{encode, Entry};
    let entry = |producer_id, transaction_first_offset| Entry {
        producer_id,
        epoch: 0,
        last_sequence: 4,
        last_offset: 4,
        offset_delta: 0,
        timestamp: 0,
        coordinator_epoch: -1,
        transaction_first_offset,
    };
    let restored = |entries: &[Entry], now| {
        let bytes = encode(entries.iter().copied()).unwrap();
        Partition::kafka().manager.restore(&bytes, at(5), ms(now))
    };
    assert!(restored(&[entry(1, 4), entry(2, 3)], 0).is_ok());
    let beyond = restored(&[entry(1, 5)], 0).unwrap_err();
    assert!(matches!(
        beyond,
        SnapshotError::Implausible { entry: 0, .. }
    ));
    let together = restored(&[entry(1, 3), entry(2, 3)], 0).unwrap_err();
    assert!(matches!(
        together,
        SnapshotError::Implausible { entry: 1, .. }
    ));
    for now in [0, i64::MAX] {
        let twice = restored(&[entry(1, -1), entry(1, -1)], now).unwrap_err();
        assert!(matches!(
            twice,
            SnapshotError::DuplicateProducer { producer_id: 1 }
        ));
    }
}

#[test]
fn a_state_from_elsewhere_is_not_on_the_disk_yet() {
    let (_place, directory) = directory();
    let mut partition = Partition::hardened();
    partition.append(batch(0, 0, 2));
    let bytes = partition.manager.encode(Format::WholeWindow).unwrap();
    let mut follower = Partition::hardened();
    follower.manager.restore(&bytes, at(2), ms(0)).unwrap();
    assert!(follower.manager.take_snapshot(&directory).unwrap());
    assert_eq!(offsets(&directory), [2]);
}

#[test]
fn a_log_that_begins_anew_or_later_is_written_down_if_it_says_something() {
    let (_place, directory) = directory();
    let mut manager = ProducerStateManager::new(Config::kafka());
    manager.skip_to(at(1)).unwrap();
    assert!(manager.take_snapshot(&directory).unwrap());
    manager
        .truncate_fully_and_start_at(&directory, at(7))
        .unwrap();
    assert!(offsets(&directory).is_empty());
    assert!(manager.take_snapshot(&directory).unwrap());
    let mut manager = ProducerStateManager::new(Config::kafka());
    manager.on_log_start(at(7));
    assert!(!manager.take_snapshot(&directory).unwrap());
    manager.skip_to(at(8)).unwrap();
    manager.on_log_start(at(8));
    assert!(manager.take_snapshot(&directory).unwrap());
    let _ = manager
        .truncate_and_reload(&directory, at(8), at(9), ms(0))
        .unwrap();
    assert!(!manager.take_snapshot(&directory).unwrap());
}

#[test]
fn the_log_start_moves_also_where_the_state_is_kept() {
    let (_place, directory) = directory();
    let mut partition = Partition::kafka();
    partition.append(batch(0, 0, 1).transactional());
    partition.end_transaction(&marker(0, 0, 5));
    assert_eq!(partition.manager.first_unstable_offset(), Some(at(0)));
    let _ = reload(&mut partition, &directory, (2, 2), 1);
    assert_eq!(partition.manager.first_unstable_offset(), None);
    assert_eq!(partition.window().len(), 1);
}
