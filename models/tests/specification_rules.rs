//! The specification rule by rule: the table of what a client's batch is answered, what
//! becomes of a batch that is lost on its way into the log, and the three points in which
//! the hardened profile differs.

use retryproof_models::specification::{
    Answer, ErrorName, Fate, Mode, Operation, Origin, Partition, Recovery, Settings, Snapshots,
};

const PID: i64 = 7;
const MAX: i64 = i32::MAX as i64;
const DAY: i64 = 86_400_000;

const OUT_OF_ORDER: Answer = Answer::Error(ErrorName::OutOfOrderSequenceNumber);
const STALE: Answer = Answer::Error(ErrorName::InvalidProducerEpoch);
const INVALID: Answer = Answer::Error(ErrorName::InvalidRecord);

/// A client's batch: epoch, base sequence, number of records.
type Batch = (i64, i64, i64);

fn at(ts: i64, origin: Origin, fate: Fate, (epoch, seq, n): Batch) -> Operation {
    Operation::Append {
        pid: PID,
        epoch,
        seq,
        n,
        ts,
        origin,
        fate,
    }
}

fn batch(batch: Batch) -> Operation {
    at(0, Origin::Client, Fate::Kept, batch)
}

fn marker(epoch: i64, coord: i64) -> Operation {
    Operation::Marker {
        pid: PID,
        epoch,
        coord,
        ts: 0,
        origin: Origin::Client,
    }
}

fn reload(mode: Mode) -> Operation {
    Operation::Reload {
        mode,
        snapshots: Snapshots::Kept,
        recovery: Recovery::All,
    }
}

/// A partition to which these operations have happened, each with success.
fn after(settings: Settings, operations: &[Operation]) -> Partition {
    let mut partition = Partition::new(settings);
    for operation in operations {
        assert_eq!(partition.allows(operation), Ok(()));
        let answer = partition.apply(operation);
        assert!(matches!(answer, Answer::Append(..) | Answer::Ok));
    }
    partition
}

/// One line of the table: before it, the batch, its answer.
struct Line {
    what: &'static str,
    before: Vec<Operation>,
    batch: Batch,
    answer: Answer,
}

fn line(what: &'static str, before: &[Batch], incoming: Batch, answer: Answer) -> Line {
    Line {
        what,
        before: before.iter().copied().map(batch).collect(),
        batch: incoming,
        answer,
    }
}

fn table() -> Vec<Line> {
    let six: Vec<Batch> = (0..6).map(|number| (0, number * 3, 3)).collect();
    let marked = |what, batch, answer| Line {
        what,
        before: vec![marker(3, 0)],
        batch,
        answer,
    };
    vec![
        line("newest of the five", &six, (0, 15, 3), Answer::Dup(15, 17)),
        line("oldest of the five", &six, (0, 3, 3), Answer::Dup(3, 5)),
        line("older than the five", &six, (0, 0, 3), OUT_OF_ORDER),
        line("same base, shorter", &six, (0, 15, 2), OUT_OF_ORDER),
        line("same base, longer", &six, (0, 15, 4), OUT_OF_ORDER),
        line("base inside a batch", &six, (0, 16, 2), OUT_OF_ORDER),
        line("two cached ones as one", &six, (0, 12, 6), OUT_OF_ORDER),
        line("next", &six, (0, 18, 1), Answer::Append(18, 18)),
        line("gap", &six, (0, 19, 1), OUT_OF_ORDER),
        line("unknown, from 0", &[], (0, 0, 2), Answer::Append(0, 1)),
        line("unknown, from 7", &[], (0, 7, 2), Answer::Append(0, 1)),
        line("unknown, epoch 5", &[], (5, 9, 1), Answer::Append(0, 0)),
        line("stale epoch", &[(1, 0, 1)], (0, 1, 1), STALE),
        line(
            "stale epoch, an old duplicate",
            &[(0, 0, 1), (1, 0, 1)],
            (0, 0, 1),
            STALE,
        ),
        line("newer epoch, not 0", &six, (1, 18, 1), OUT_OF_ORDER),
        line("newer epoch, 0", &six, (1, 0, 1), Answer::Append(18, 18)),
        line(
            "newest epoch, 0",
            &six,
            (32767, 0, 1),
            Answer::Append(18, 18),
        ),
        line(
            "retry of the first batch of a new epoch",
            &[(0, 0, 1), (1, 0, 1)],
            (1, 0, 1),
            Answer::Dup(1, 1),
        ),
        line("wrap", &[(0, MAX, 1)], (0, 0, 1), Answer::Append(1, 1)),
        line("wrap, gap", &[(0, MAX, 1)], (0, 1, 1), OUT_OF_ORDER),
        line(
            "retry of a batch across the wrap",
            &[(0, MAX - 1, 4)],
            (0, MAX - 1, 4),
            Answer::Dup(0, 3),
        ),
        line(
            "next after a batch across the wrap",
            &[(0, MAX - 1, 4)],
            (0, 2, 1),
            Answer::Append(4, 4),
        ),
        line("negative sequence", &[], (0, -1, 1), INVALID),
        line(
            "negative sequence, stale",
            &[(1, 0, 1)],
            (0, -1, 1),
            INVALID,
        ),
        line("epoch -1, unknown", &[], (-1, 4, 1), Answer::Append(0, 0)),
        line("epoch below -1, unknown", &[], (-32768, 0, 1), STALE),
        line(
            "epoch -1 again, any sequence",
            &[(-1, 4, 1)],
            (-1, 9, 1),
            Answer::Append(1, 1),
        ),
        line(
            "epoch 0 after -1, any sequence",
            &[(-1, 4, 1)],
            (0, 9, 1),
            Answer::Append(1, 1),
        ),
        marked("only a marker, 0", (3, 0, 1), Answer::Append(1, 1)),
        marked("only a marker, not 0", (3, 1, 1), OUT_OF_ORDER),
        marked("only a marker, stale epoch", (2, 0, 1), STALE),
        marked(
            "only a marker, newer epoch",
            (4, 0, 1),
            Answer::Append(1, 1),
        ),
    ]
}

#[test]
fn a_clients_batch_is_answered_by_the_table() {
    for line in table() {
        let mut partition = after(Settings::kafka(), &line.before);
        let before = partition.clone();
        let answer = partition.apply(&batch(line.batch));
        assert_eq!(answer, line.answer, "{}", line.what);
        let appended = matches!(answer, Answer::Append(..));
        assert!(
            appended || partition == before,
            "{}: changed state",
            line.what
        );
    }
}

#[test]
fn a_batch_without_producer_id_and_other_producers_leave_the_window_alone() {
    let mut partition = after(
        Settings::kafka(),
        &[batch((0, 0, 1)), Operation::Plain { n: 9, ts: 0 }],
    );
    let other = Operation::Append {
        pid: PID + 1,
        epoch: 0,
        seq: 3,
        n: 1,
        ts: 0,
        origin: Origin::Client,
        fate: Fate::Kept,
    };
    assert_eq!(partition.apply(&other), Answer::Append(10, 10));
    assert_eq!(partition.apply(&batch((0, 0, 1))), Answer::Dup(0, 0));
    assert_eq!(partition.apply(&batch((0, 1, 1))), Answer::Append(11, 11));
}

#[test]
fn a_follower_takes_gaps_duplicates_and_lower_epochs() {
    let mut partition = after(Settings::kafka(), &[]);
    for incoming in [(3, 5, 1), (3, 5, 1), (3, 9, 1), (1, 4, 1)] {
        let answer = partition.apply(&at(0, Origin::Replica, Fate::Kept, incoming));
        assert!(matches!(answer, Answer::Append(..)));
    }
    assert_eq!(partition.state()[&PID].epoch, 1, "the epoch goes backwards");
    assert_eq!(partition.state()[&PID].batches, [[4, 4, 3, 3]]);
    assert_eq!(partition.apply(&batch((1, 5, 1))), Answer::Append(4, 4));
}

#[test]
fn a_marker_is_refused_with_a_lower_epoch_or_from_an_older_coordinator() {
    let mut partition = after(Settings::kafka(), &[batch((2, 0, 1)), marker(2, 5)]);
    let fenced = Answer::Error(ErrorName::TransactionCoordinatorFenced);
    assert_eq!(partition.apply(&marker(1, 9)), STALE);
    assert_eq!(partition.apply(&marker(2, 4)), fenced);
    assert_eq!(partition.state()[&PID].batches, [[0, 0, 0, 0]]);
    assert_eq!(partition.apply(&marker(3, 5)), Answer::Append(2, 2));
    let window = &partition.state()[&PID].batches;
    assert!(window.is_empty(), "a marker of a newer epoch clears it");
}

fn with_fate(fate: Fate, incoming: Batch) -> Operation {
    at(0, Origin::Client, fate, incoming)
}

const LOST: [Fate; 3] = [Fate::Dropped, Fate::CrashBeforeWrite, Fate::CrashAfterWrite];

#[test]
fn a_fate_waits_for_a_batch_that_would_be_appended() {
    for fate in LOST {
        let mut partition = after(Settings::kafka(), &[batch((1, 0, 1)), batch((1, 1, 1))]);
        let before = partition.clone();
        for (incoming, answer) in [
            ((1, 0, 1), Answer::Dup(0, 0)),
            ((1, 3, 1), OUT_OF_ORDER),
            ((0, 2, 1), STALE),
            ((1, -1, 1), INVALID),
        ] {
            assert_eq!(partition.apply(&with_fate(fate, incoming)), answer);
        }
        assert_eq!(partition, before, "{fate:?}");
    }
}

#[test]
fn a_dropped_batch_leaves_no_trace() {
    let mut partition = after(Settings::kafka(), &[batch((0, 0, 2))]);
    let before = partition.clone();
    let dropped = with_fate(Fate::Dropped, (0, 2, 2));
    assert_eq!(partition.apply(&dropped), Answer::Ok);
    assert_eq!(partition, before);
    assert_eq!(partition.apply(&batch((0, 2, 2))), Answer::Append(2, 3));
}

#[test]
fn after_a_crash_before_the_write_the_retry_is_appended() {
    let mut partition = after(Settings::kafka(), &[batch((0, 0, 2))]);
    let lost = with_fate(Fate::CrashBeforeWrite, (0, 2, 2));
    assert_eq!(partition.apply(&lost), Answer::Ok);
    assert_eq!(partition.log_end(), 2);
    assert_eq!(partition.apply(&batch((0, 2, 2))), Answer::Append(2, 3));
}

#[test]
fn after_a_crash_behind_the_write_the_retry_is_a_duplicate() {
    let mut partition = after(Settings::kafka(), &[batch((0, 0, 2))]);
    let written = with_fate(Fate::CrashAfterWrite, (0, 2, 2));
    assert_eq!(partition.apply(&written), Answer::Ok);
    assert_eq!(partition.log_end(), 4);
    assert_eq!(partition.apply(&batch((0, 2, 2))), Answer::Dup(2, 3));
    assert_eq!(partition.apply(&batch((0, 0, 2))), OUT_OF_ORDER);
}

#[test]
fn a_crash_in_an_append_is_a_crash() {
    for settings in [Settings::kafka(), Settings::hardened()] {
        let before = [batch((0, 0, 2)), Operation::Roll, batch((0, 2, 1))];
        let mut crashed = after(settings, &before);
        crashed.apply(&with_fate(Fate::CrashAfterWrite, (0, 3, 1)));
        let mut reloaded = after(settings, &before);
        reloaded.apply(&batch((0, 3, 1)));
        reloaded.apply(&reload(Mode::Crash));
        assert_eq!(crashed, reloaded);
    }
}

#[test]
fn hardened_a_producer_without_state_starts_at_0() {
    let mut partition = after(Settings::hardened(), &[]);
    assert_eq!(partition.apply(&batch((0, 7, 1))), OUT_OF_ORDER);
    assert_eq!(partition.apply(&batch((4, 7, 1))), OUT_OF_ORDER);
    assert!(partition.state().is_empty());
    let copied = at(0, Origin::Replica, Fate::Kept, (0, 7, 1));
    assert_eq!(partition.apply(&copied), Answer::Append(0, 0));
    assert_eq!(partition.apply(&batch((0, 8, 1))), Answer::Append(1, 1));
}

#[test]
fn hardened_the_window_survives_a_restart() {
    let seven: Vec<Operation> = (0..7).map(|seq| batch((0, seq, 1))).collect();
    for mode in [Mode::Clean, Mode::Crash] {
        let mut kafka = after(Settings::kafka(), &seven);
        kafka.apply(&reload(mode));
        assert_eq!(kafka.state()[&PID].batches, [[6, 6, 6, 6]]);

        let mut hardened = after(Settings::hardened(), &seven);
        let before = hardened.state();
        assert_eq!(before[&PID].batches.len(), 5);
        hardened.apply(&reload(mode));
        assert_eq!(hardened.state(), before);
    }
}

#[test]
fn hardened_expiry_counts_from_when_the_producer_was_last_seen() {
    let written_late = [
        Operation::Expire { now: 10 * DAY },
        at(DAY, Origin::Client, Fate::Kept, (0, 0, 1)),
    ];
    let at_once = Operation::Expire { now: 10 * DAY };
    let mut kafka = after(Settings::kafka(), &written_late);
    kafka.apply(&at_once);
    assert!(kafka.state().is_empty());

    let mut hardened = after(Settings::hardened(), &written_late);
    hardened.apply(&Operation::Expire { now: 11 * DAY - 1 });
    assert_eq!(hardened.state()[&PID].last_timestamp, DAY);
    hardened.apply(&Operation::Expire { now: 11 * DAY });
    assert!(hardened.state().is_empty());
}

#[test]
fn hardened_a_snapshot_keeps_when_a_producer_was_last_seen_and_a_replay_sees_it_anew() {
    let half_a_day_later = Operation::Expire { now: DAY / 2 };
    let a_day_later = Operation::Expire { now: DAY };

    let mut from_snapshot = after(Settings::hardened(), &[batch((0, 0, 1))]);
    from_snapshot.apply(&half_a_day_later);
    from_snapshot.apply(&reload(Mode::Clean));
    from_snapshot.apply(&a_day_later);
    assert!(from_snapshot.state().is_empty());

    let mut from_log = after(Settings::hardened(), &[batch((0, 0, 1))]);
    from_log.apply(&half_a_day_later);
    from_log.apply(&reload(Mode::Crash));
    from_log.apply(&a_day_later);
    assert_eq!(from_log.state().len(), 1);
    from_log.apply(&Operation::Expire { now: DAY / 2 + DAY });
    assert!(from_log.state().is_empty());
}

#[test]
fn what_makes_no_sense_is_not_allowed() {
    let partition = after(
        Settings::kafka(),
        &[
            batch((0, 0, 3)),
            Operation::Roll,
            batch((0, 3, 3)),
            Operation::DeleteRecords { before: 4 },
            Operation::Retention,
        ],
    );
    let reason = |operation: Operation| partition.allows(&operation).unwrap_err();
    assert_eq!(
        reason(Operation::Truncate { to: 4 }),
        "no batch starts at offset 4"
    );
    assert_eq!(
        reason(Operation::Truncate { to: 0 }),
        "the offset to truncate to is 0, not within 3 to 6"
    );
    assert_eq!(
        reason(Operation::DeleteRecords { before: 7 }),
        "the offset to delete up to is 7, not within 0 to 6"
    );
    assert_eq!(
        reason(batch((0, 3, 0))),
        "the number of records is 0, not within 1 to 2147483647"
    );
    assert_eq!(
        reason(at(0, Origin::Replica, Fate::Kept, (0, -1, 1))),
        "the sequence is -1, not within 0 to 2147483647"
    );
    assert_eq!(partition.allows(&Operation::Truncate { to: 3 }), Ok(()));
    assert_eq!(partition.allows(&batch((0, -1, 1))), Ok(()));
}
