//! Which snapshot files there are after each operation: when one is written, that a second
//! one at the same offset is not, which are deleted by retention, truncation and a start.

use std::time::Duration;

use proptest::strategy::ValueTree;
use retryproof::shadow::generate::Generator;
use retryproof::shadow::{walk, StateManager};
use retryproof::state_manager::snapshot::SnapshotDirectory;
use retryproof::state_manager::{
    Batch, Check, Config, Epoch, ProducerId, ProducerStateManager, Sequence, Timestamp,
};
use retryproof_models::specification::{Fate, Operation, Partition, Settings};
use serde_json::{json, Value};

use crate::both::Both;
use crate::conversation::Conversation;
use crate::{jvm, log};

const LISTS: u64 = 400;

fn can_be_asked(operation: &Operation) -> bool {
    !matches!(
        operation,
        Operation::Append {
            fate: Fate::Dropped,
            ..
        }
    )
}

#[test]
fn a_second_snapshot_at_one_offset_is_not_written() {
    let append =
        |pid, ts| json!({"op": "append", "pid": pid, "epoch": 0, "seq": 0, "n": 1, "ts": ts});
    for kafka in jvm::every_kafka() {
        let mut log = Conversation::with(&kafka, "log");
        log.ask(&json!({"op": "start", "expiry_ms": 1000}));
        log.ask(&append(7, 0));
        log.ask(&append(8, 500));
        log.ask(&json!({"op": "snapshot"}));
        let without_7 = log.ask(&json!({"op": "expire", "now": 1000}));
        assert_eq!(without_7["state"], json!({"8": [0, 500, [[0, 0, 1, 1]]]}));
        log.ask(&json!({"op": "snapshot"}));
        let files = log.ask(&json!({"op": "snapshots"}));
        assert_eq!(files["snapshots"], json!({"2": [7, 8]}));
    }

    let at = Timestamp::from_millis;
    let directory = tempfile::tempdir().expect("a directory");
    let snapshots = SnapshotDirectory::open(directory.path()).expect("it opens");
    let config = Config::kafka().with_expiry(Duration::from_secs(1));
    let mut ours = ProducerStateManager::new(config.expect("not 0"));
    for (pid, ts) in [(7, 0), (8, 500)] {
        let pid = ProducerId::new(pid).expect("not negative");
        let batch = Batch::new(pid, Epoch::new(0), Sequence::ZERO, 1, at(ts)).expect("sound");
        let Check::Append(permit) = ours.check(&batch) else {
            panic!("an unknown producer may begin");
        };
        let end = ours.map_end_offset();
        ours.commit(permit, end, at(ts))
            .expect("the permit is fresh");
    }
    let mut written = || ours.take_snapshot(&snapshots).expect("no error");
    assert!(written());
    assert!(!written(), "the first one covers as much");
}

/// Reading the log goes segment by segment, recovering it batch by batch: only in the second
/// case is another epoch in between seen.
#[test]
fn a_segment_that_is_read_counts_as_one_append() {
    for kafka in jvm::every_kafka() {
        let mut subject = Both::new(log(&kafka));
        let list: Vec<Operation> = serde_json::from_value(json!([
            {"op": "append", "pid": 7, "epoch": 3, "seq": 0, "n": 1},
            {"op": "roll"},
            {"op": "append", "pid": 7, "epoch": 1, "seq": 0, "n": 1, "origin": "replica"},
            {"op": "append", "pid": 7, "epoch": 3, "seq": 1, "n": 1, "origin": "replica"},
            {"op": "reload", "mode": "clean", "snapshots": "newest_corrupt"},
            {"op": "reload", "mode": "crash"},
        ]))
        .expect("operations");
        subject.start(&Settings::kafka()).expect("both start");
        let settings = Settings::kafka();
        assert_eq!(walk(&mut subject, &settings, &list), Ok(()));

        subject.start(&settings).expect("both start");
        let windows = list.iter().map(|operation| {
            subject.apply(operation).expect("both do it");
            let state = subject.state().expect("both tell").expect("all of it");
            state[&7].batches.len()
        });
        assert_eq!(windows.collect::<Vec<_>>(), [1, 1, 1, 1, 2, 1]);
    }
}

#[test]
fn the_same_snapshot_files_are_there_after_each_operation() {
    for kafka in jvm::every_kafka() {
        let mut log = Conversation::with(&kafka, "log");
        let generator = Generator::default();
        let settings = Settings::kafka();
        let (mut operations, mut several) = (0, 0);
        for seed in 0..LISTS {
            log.ask(&json!({"op": "start", "details": true}));
            let mut specification = Partition::new(settings);
            let script = generator.draw(seed).expect("a script").current();
            for operation in script.perform(&settings, can_be_asked) {
                specification.apply(&operation);
                let command = serde_json::to_value(&operation).expect("JSON");
                let answer = log.ask(&command);
                let of_kafka = &answer["details"]["snapshots"];
                let offsets = specification.snapshots();
                assert_eq!(of_kafka, &json!(offsets), "seed {seed}, {command}");
                for (what, specified) in [
                    ("map_end", specification.map_end()),
                    ("log_start", specification.log_start()),
                    ("log_end", specification.log_end()),
                ] {
                    let of_kafka = &answer["details"][what];
                    let specified = Value::from(specified);
                    assert_eq!(of_kafka, &specified, "{what}, seed {seed}, {command}");
                }
                operations += 1;
                several += usize::from(offsets.len() > 1);
            }
        }
        println!(
            "{}: {operations} operations, {several} times several files",
            kafka.release
        );
        assert!(several > 1_500, "{several}");
    }
}
