//! What is remembered of a producer, and for how many batches.

use retryproof::state_manager::Config;

use crate::support::{batch, batch_of, logged, marker, pid, Partition};

#[test]
fn exactly_the_newest_batches_are_recognised() {
    for window in [1, 2, 3, 5, 8, 63] {
        let config = Config::kafka().with_window(window).unwrap();
        let mut partition = Partition::new(config);
        for written in 0..3 * window as i32 {
            partition.append(batch(0, 2 * written, 2));
            let oldest = (written + 1 - window as i32).max(0);
            for old in 0..oldest {
                partition.rejection(&batch(0, 2 * old, 2));
            }
            for kept in oldest..=written {
                let original = partition.duplicate(&batch(0, 2 * kept, 2));
                assert_eq!(original.first_offset.get(), i64::from(2 * kept));
                assert_eq!(original.last_offset.get(), i64::from(2 * kept + 1));
            }
            let expected: Vec<_> = (oldest..=written)
                .map(|at| [2 * at, 2 * at + 1, 2 * at, 2 * at + 1].map(i64::from))
                .collect();
            assert_eq!(partition.window(), expected, "window of {window}");
        }
    }
}

#[test]
fn only_an_exact_match_is_a_duplicate() {
    let mut partition = Partition::kafka();
    partition.append(batch(0, 0, 10));
    partition.append(batch(0, 10, 5));
    for (first, records) in [
        (0, 5),
        (5, 5),
        (0, 12),
        (8, 4),
        (0, 15),
        (10, 4),
        (10, 6),
        (0, 1),
    ] {
        partition.rejection(&batch(0, first, records));
    }
    partition.duplicate(&batch(0, 0, 10));
    partition.duplicate(&batch(0, 10, 5));
}

#[test]
fn a_new_epoch_clears_the_window() {
    let mut partition = Partition::kafka();
    for written in 0..4 {
        partition.append(batch(0, written, 1));
    }
    partition.append(batch(1, 0, 1));
    assert_eq!(partition.window(), [[0, 0, 4, 4]]);
    partition.append(batch(1, 1, 1));
    assert_eq!(partition.window(), [[0, 0, 4, 4], [1, 1, 5, 5]]);
}

#[test]
fn a_duplicate_tells_the_time_of_the_original() {
    let mut partition = Partition::kafka();
    for (written, time) in [(0, 30), (1, 10), (2, 20)] {
        partition.append(batch_of(pid(9000), 0, written, 1, time));
    }
    let time = |first| partition.duplicate(&batch(0, first, 1)).timestamp.get();
    assert_eq!([time(0), time(1), time(2)], [30, 10, 20]);
    assert_eq!(partition.producer().last_timestamp().get(), 20);
}

#[test]
fn the_time_of_the_newest_batch_survives_a_marker() {
    for window in [1, 2, 5] {
        let mut partition = Partition::new(Config::kafka().with_window(window).unwrap());
        partition.append(batch_of(pid(9000), 0, 0, 1, 30));
        partition.end_transaction(&marker(0, 0, 40));
        partition.end_transaction(&marker(0, 0, 41));
        assert_eq!(partition.producer().last_timestamp().get(), 41);
        assert_eq!(partition.duplicate(&batch(0, 0, 1)).timestamp.get(), 30);
        partition.append(batch_of(pid(9000), 0, 1, 1, 50));
        assert_eq!(partition.duplicate(&batch(0, 1, 1)).timestamp.get(), 50);
        if window > 1 {
            assert_eq!(partition.duplicate(&batch(0, 0, 1)).timestamp.get(), 30);
        }
        partition.end_transaction(&marker(1, 0, 60));
        partition.append(batch_of(pid(9000), 1, 0, 1, 70));
        assert_eq!(partition.duplicate(&batch(1, 0, 1)).timestamp.get(), 70);
        assert_eq!(partition.producer().coordinator_epoch().get(), 0);
    }
}

#[test]
fn of_several_equal_batches_the_oldest_is_named() {
    let mut partition = Partition::kafka();
    for offset in 0..7 {
        partition.replicate(&logged(0, 4, 1, offset));
        let oldest = (offset - 4).max(0);
        assert_eq!(
            partition.duplicate(&batch(0, 4, 1)).first_offset.get(),
            oldest
        );
    }
}
