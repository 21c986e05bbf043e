//! When Kafka forgets producers by itself.
//!
//! The check that runs every ten minutes has no time of its own: it goes by the broker's
//! clock. So does the operation `expire` of the specification.

use std::time::Duration;

use retryproof::state_manager::{
    Batch, Check, Config, Epoch, Offset, ProducerId, ProducerStateManager, Sequence, Timestamp,
};
use serde_json::json;

use crate::conversation::Conversation;
use crate::jvm;

const CHECK_EVERY_MS: i64 = 600_000;

/// At each full ten minutes ours checks too, after the same time.
fn ours_knows(expiry_ms: u64, appended_at: i64, now: i64) -> bool {
    let config = Config::kafka().with_expiry(Duration::from_millis(expiry_ms));
    let mut manager = ProducerStateManager::new(config.expect("not 0"));
    let at = Timestamp::from_millis;
    let producer = ProducerId::new(7).expect("not negative");
    let first = Sequence::new(0).expect("not negative");
    let batch = Batch::new(producer, Epoch::new(0), first, 1, at(appended_at)).expect("a batch");
    let Check::Append(permit) = manager.check(&batch) else {
        panic!("an unknown producer may begin");
    };
    let begin = Offset::new(0).expect("not negative");
    let committed = manager.commit(permit, begin, at(appended_at));
    committed.expect("the permit is fresh");
    manager.remove_expired(at(now - now % CHECK_EVERY_MS));
    manager.len() == 1
}

#[test]
fn the_check_runs_every_ten_minutes_by_the_brokers_clock() {
    for kafka in jvm::every_kafka() {
        let mut log = Conversation::with(&kafka, "log");
        for expiry_ms in [1, 599_999, 600_000, 600_001, 1_000_000, 1_200_000] {
            log.ask(&json!({"op": "start", "expiry_ms": expiry_ms}));
            let batch = json!({"op": "append", "pid": 7, "epoch": 0, "seq": 0, "n": 1, "ts": 1000});
            log.ask(&batch);
            let mut now = 1000;
            for step in [1, 598_998, 1, 1, 599_998, 1, 1, 599_999] {
                now += step;
                let seen = log.ask(&json!({"op": "tick", "ms": step}));
                let known = seen["state"].get("7").is_some();
                let ours = ours_knows(expiry_ms, 1000, now);
                assert_eq!(known, ours, "expiry {expiry_ms} ms, at {now} ms");
            }
        }
    }
}
