//! What the log oracle can do beyond the operations of a subject (`oracle/README.md`): one
//! well-known behaviour of Kafka for each.

use serde_json::{json, Value};

use crate::conversation::Conversation;
use crate::jvm;

/// Starts the log of every release with these settings.
fn with_settings(settings: Value, judge: impl Fn(&mut Conversation)) {
    for kafka in jvm::every_kafka() {
        let mut log = Conversation::with(&kafka, "log");
        let mut start = settings.clone();
        start["op"] = json!("start");
        start["details"] = json!(true);
        log.ask(&start);
        judge(&mut log);
    }
}

fn batch(epoch: i64, seq: i64, n: i64) -> Value {
    json!({"op": "append", "pid": 7, "epoch": epoch, "seq": seq, "n": n})
}

#[test]
fn a_retry_whose_timestamp_has_become_too_old_is_refused() {
    with_settings(json!({"timestamp_before_max_ms": 1000}), |log| {
        assert_eq!(log.ask(&batch(0, 0, 1))["append"], json!([0, 0]));
        log.ask(&json!({"op": "tick", "ms": 1000}));
        assert_eq!(log.ask(&batch(0, 0, 1))["dup"], json!([0, 0]));
        log.ask(&json!({"op": "tick", "ms": 1}));
        assert_eq!(log.ask(&batch(0, 0, 1))["error"], "INVALID_TIMESTAMP");
    });
}

#[test]
fn a_duplicate_can_begin_a_segment() {
    with_settings(json!({"segment_bytes": 100}), |log| {
        log.ask(&batch(0, 0, 3));
        let duplicate = log.ask(&batch(0, 0, 3));
        assert_eq!(duplicate["dup"], json!([0, 2]));
        assert_eq!(duplicate["details"]["segments"], json!([0, 3]));
        assert_eq!(duplicate["details"]["snapshots"], json!([3]));
    });
}

#[test]
fn with_log_append_time_the_clock_counts() {
    with_settings(json!({"timestamp_type": "LogAppendTime"}), |log| {
        log.ask(&json!({"op": "tick", "ms": 5000}));
        let appended = log.ask(&batch(0, 0, 1));
        assert_eq!(appended["log_append_time"], 5000);
        assert_eq!(appended["state"]["7"][1], 5000);
    });
}

#[test]
fn a_follower_takes_what_it_fetches_and_may_go_back_an_epoch() {
    with_settings(json!({}), |log| {
        let fetched = log.ask(&json!({"op": "follower", "leader_epoch": 3, "batches": [
            {"offset": 0, "pid": 7, "epoch": 3, "seq": 0, "n": 2},
            {"offset": 2, "n": 1},
            {"offset": 3, "pid": 7, "epoch": 1, "seq": 5, "n": 2, "compacted": true},
            {"offset": 5, "pid": 7, "epoch": 1, "coord": 2, "ending": "abort"},
            {"offset": 6, "leader_epoch": 4, "n": 1},
        ]}));
        // The last batch is of a later leader.
        assert_eq!(fetched["append"], json!([0, 5]));
        assert_eq!(fetched["state"], json!({"7": [1, 0, [[5, 6, 3, 4]]]}));
        assert_eq!(log.ask(&batch(1, 7, 1))["append"], json!([6, 6]));
    });
}

#[test]
fn a_log_that_begins_anew_knows_nobody() {
    with_settings(json!({}), |log| {
        log.ask(&batch(0, 0, 1));
        let anew = log.ask(&json!({"op": "truncate_fully", "at": 40}));
        assert_eq!(anew["state"], json!({}));
        assert_eq!(log.ask(&batch(0, 77, 1))["append"], json!([40, 40]));
    });
}

#[test]
fn transactions_of_version_2_end_with_a_higher_epoch() {
    with_settings(json!({}), |log| {
        let mut open = batch(1, 0, 1);
        open["txn"] = json!(true);
        log.ask(&open);
        assert_eq!(log.ask(&batch(1, 1, 1))["error"], "INVALID_TXN_STATE");
        let marker =
            |epoch| json!({"op": "marker", "pid": 7, "epoch": epoch, "coord": 1, "version": 2});
        let same_epoch = log.ask(&marker(1));
        assert_eq!(same_epoch["error"], "INVALID_PRODUCER_EPOCH");
        assert_eq!(same_epoch["details"]["last_stable"], 0);
        let higher = log.ask(&marker(2));
        assert_eq!(higher["append"], json!([1, 1]));
        assert_eq!(higher["details"]["last_stable"], 2);
    });
}

/// A batch of one record without key and value: producer id 7, epoch 0, sequence 0.
const BATCH: &str = "000000000000000000000038ffffffff0270678896000000000000000000000000\
    000000000000000000000000000000000007000000000000000000010c000000010100";

#[test]
fn raw_bytes_are_checked_as_they_are() {
    with_settings(json!({}), |log| {
        let raw = |hex: &str| json!({"op": "raw", "hex": hex});
        assert_eq!(log.ask(&raw(BATCH))["append"], json!([0, 0]));
        assert_eq!(log.ask(&raw(BATCH))["dup"], json!([0, 0]));
        let other_checksum = BATCH.replace("70678896", "70678897");
        assert_eq!(log.ask(&raw(&other_checksum))["error"], "CORRUPT_MESSAGE");
        assert_eq!(log.ask(&raw(""))["ok"], true);
    });
}
