//! What the specification rebuilds from snapshots and log, where the recorded cases do not
//! tell rules apart. These follow Apache Kafka 4.3.1 as read (`UnifiedLog`, `LogLoader`).

use retryproof_models::specification::{
    Answer, Fate, Mode, Operation, Origin, Partition, Recovery, Settings, Snapshots,
};

const PID: i64 = 7;
const OTHER: i64 = 8;
const DAY: i64 = 86_400_000;

/// A batch of one record that a follower copies: nothing is checked.
fn copied(pid: i64, epoch: i64, seq: i64, ts: i64) -> Operation {
    Operation::Append {
        pid,
        epoch,
        seq,
        n: 1,
        ts,
        origin: Origin::Replica,
        fate: Fate::Kept,
    }
}

fn clean_stop(snapshots: Snapshots) -> Operation {
    Operation::Reload {
        mode: Mode::Clean,
        snapshots,
        recovery: Recovery::All,
    }
}

fn after(operations: &[Operation]) -> Partition {
    let mut partition = Partition::new(Settings::kafka());
    for operation in operations {
        assert_eq!(partition.allows(operation), Ok(()));
        let answer = partition.apply(operation);
        assert!(matches!(answer, Answer::Append(..) | Answer::Ok));
    }
    partition
}

/// First sequences and first offsets in the window of `PID`.
fn window(partition: &Partition) -> Vec<(i64, i64)> {
    let state = partition.state();
    state.get(&PID).map_or(Vec::new(), |producer| {
        let batches = producer.batches.iter();
        batches.map(|batch| (batch[0], batch[2])).collect()
    })
}

#[test]
fn truncation_reads_the_log_only_if_some_producer_was_in_memory() {
    let expired = [copied(PID, 0, 0, 0), copied(PID, 0, 1, 0)];
    let expire = Operation::Expire { now: DAY };
    let truncate = Operation::Truncate { to: 1 };

    let [first, second] = expired.clone();
    let nobody = after(&[first, second, expire.clone(), truncate.clone()]);
    assert!(nobody.state().is_empty());

    let [first, second] = expired;
    let live = copied(OTHER, 0, 0, DAY);
    let somebody = after(&[first, second, live, expire, truncate]);
    assert_eq!(window(&somebody), [(0, 0)], "the expired producer is back");
}

#[test]
fn a_read_that_returns_to_the_epoch_it_began_with_keeps_the_window_from_before() {
    let operations = [
        copied(PID, 0, 0, 0),
        Operation::Roll,
        copied(PID, 1, 0, 0),
        copied(PID, 0, 1, 0),
        Operation::Plain { n: 1, ts: 0 },
        Operation::Truncate { to: 3 },
    ];
    let live = after(&operations[..4]);
    assert_eq!(window(&live), [(1, 2)], "batch by batch, it is cleared");
    let reread = after(&operations);
    assert_eq!(window(&reread), [(0, 0), (1, 2)]);
}

#[test]
fn after_a_clean_stop_without_snapshots_only_the_newest_two_segments_are_ever_read() {
    let operations = [
        copied(PID, 0, 0, 0),
        Operation::Roll,
        copied(PID, 0, 1, 0),
        Operation::Roll,
        copied(PID, 0, 2, 0),
        clean_stop(Snapshots::Lost),
        copied(OTHER, 0, 0, 0),
    ];
    let mut partition = after(&operations);
    assert!(window(&partition).is_empty());
    partition.apply(&Operation::Truncate { to: 3 });
    assert!(window(&partition).is_empty(), "read from the log end");

    let mut partition = after(&operations);
    partition.apply(&Operation::Truncate { to: 2 });
    assert!(window(&partition).is_empty(), "read from the newest base");

    let mut partition = after(&operations);
    partition.apply(&Operation::Truncate { to: 1 });
    assert!(window(&partition).is_empty(), "read from the base before");
}

#[test]
fn after_a_clean_stop_with_a_corrupt_snapshot_the_log_gives_the_window_back() {
    let seven: Vec<Operation> = (0..7).map(|seq| copied(PID, 0, seq, 0)).collect();
    let mut partition = after(&seven);
    let before = partition.state();
    partition.apply(&clean_stop(Snapshots::NewestCorrupt));
    assert_eq!(partition.state(), before, "all five batches");
    partition.apply(&clean_stop(Snapshots::Kept));
    assert_eq!(window(&partition), [(6, 6)]);
}
