//! What happens when a client gives batches a new identity, or a log has another idea of whose turn it is.

use serde_json::{json, Value};

use crate::driver::{on_every_kafka, World};

const OUT_OF_ORDER: &str = "OUT_OF_ORDER_SEQUENCE_NUMBER";

/// A batch that is written and acknowledged.
fn write(kafka: &mut World, label: i64) {
    let request = kafka.send_new(label);
    assert!(kafka.answer(request).starts_with("append"));
}

#[test]
fn a_log_that_knows_no_producer_takes_the_second_batch_and_then_refuses_the_first() {
    on_every_kafka(json!({}), |kafka| {
        let first = kafka.send_new(0);
        let second = kafka.send_new(1);
        kafka.read_error(first, "NOT_ENOUGH_REPLICAS");
        assert_eq!(kafka.answer(second), "append 0");
        for _ in 0..3 {
            let retry = kafka.send();
            assert_eq!(kafka.answer(retry), OUT_OF_ORDER);
        }
        assert_eq!(kafka.epoch(), 0);
        kafka.time_out();
        assert_eq!(kafka.log(), [1]);
        assert_eq!(kafka.told(), ["[1] at 0", "[0] TimeoutException"]);
    });
}

#[test]
fn a_log_that_knows_the_producer_waits_for_the_first() {
    on_every_kafka(json!({}), |kafka| {
        write(kafka, 0);
        let second = kafka.send_new(1);
        let third = kafka.send_new(2);
        kafka.read_error(second, "NOT_ENOUGH_REPLICAS");
        assert_eq!(kafka.answer(third), OUT_OF_ORDER);
        assert_eq!(kafka.settle(), ["append 1", "append 2"]);
        assert_eq!(kafka.log(), [0, 1, 2]);
        assert_eq!(kafka.told(), ["[0] at 0", "[1] at 1", "[2] at 2"]);
        assert_eq!(kafka.epoch(), 0);
    });
}

#[test]
fn where_sequences_wrap_the_later_batch_is_retried_first_for_ever() {
    on_every_kafka(json!({"sequence": 2_147_483_646}), |kafka| {
        write(kafka, 0);
        let last = kafka.send_new(1);
        let wrapped = kafka.send_new(2);
        kafka.read_error(last, "NOT_ENOUGH_REPLICAS");
        kafka.read_error(wrapped, "NOT_ENOUGH_REPLICAS");
        for _ in 0..3 {
            let retry = kafka.sent();
            assert_eq!(
                (&retry["sequence"], &retry["records"]),
                (&json!(0), &json!([2]))
            );
            assert_eq!(
                kafka.answer(retry["request"].as_i64().expect("a number")),
                OUT_OF_ORDER
            );
        }
        assert_eq!(kafka.epoch(), 0);
        // Nobody looks at the time of the older one either, as long as the other is before it.
        kafka.ask(json!({"op": "time_out", "producer": 0, "partition": 0, "record": 1}));
        assert_eq!(kafka.told(), ["[0] at 0"]);
        kafka.time_out();
        assert_eq!(
            kafka.told()[1..],
            ["[2] TimeoutException", "[1] TimeoutException"]
        );
        write(kafka, 3);
        assert_eq!(kafka.epoch(), 1);
        assert_eq!(kafka.log(), [0, 3]);
    });
}

#[test]
fn where_sequences_wrap_all_is_well_if_both_were_written() {
    on_every_kafka(json!({"sequence": 2_147_483_646}), |kafka| {
        write(kafka, 0);
        let last = kafka.send_new(1);
        let wrapped = kafka.send_new(2);
        assert_eq!(kafka.deliver(last), "append 1");
        assert_eq!(kafka.deliver(wrapped), "append 2");
        kafka.disconnect();
        kafka.settle();
        assert_eq!(kafka.log(), [0, 1, 2]);
        assert_eq!(kafka.told().len(), 3);
    });
}

#[test]
fn an_exhausted_epoch_sends_batches_without_an_identity() {
    on_every_kafka(json!({"epoch": 32767}), |kafka| {
        let first = kafka.send_new(0);
        let second = kafka.send_new(1);
        assert_eq!(kafka.deliver(first), "append 0");
        assert_eq!(kafka.deliver(second), "append 1");
        kafka.restart("clean");
        kafka.disconnect();
        let retry = kafka.send();
        assert_eq!(kafka.answer(retry), OUT_OF_ORDER);
        let nameless = kafka.sent();
        assert_eq!(
            (&nameless["pid"], &nameless["epoch"], &nameless["records"]),
            (&json!(-1), &json!(-1), &json!([0]))
        );
        let nameless = nameless["request"].as_i64().expect("a number");
        assert_eq!(kafka.deliver(nameless), "append 2");
        // Its answer is lost, and nobody can tell that it was written.
        kafka.disconnect();
        let answers = kafka.settle();
        assert_eq!(answers, ["append 3", "append 4"]);
        assert_eq!(kafka.log(), [0, 1, 0, 0, 1]);
        // What comes after has a new identity.
        write(kafka, 2);
        let state = kafka.state();
        let last = state["logs"][0][0]
            .as_array()
            .and_then(|batches| batches.last())
            .expect("a batch");
        assert_eq!((&last["epoch"], &last["sequence"]), (&json!(0), &json!(0)));
        assert_ne!(last["pid"], json!(kafka.pids[0]));
        assert_eq!(last["pid"], state["clients"][0]["pid"]);
    });
}

#[test]
fn a_log_that_lost_a_batch_makes_the_client_renumber_those_that_follow() {
    on_every_kafka(json!({}), |kafka| {
        write(kafka, 0);
        write(kafka, 1);
        kafka.ask(json!({"op": "truncate", "broker": 0, "partition": 0, "to": 1}));
        let requests: Vec<i64> = (2..5).map(|label| kafka.send_new(label)).collect();
        for &request in &requests {
            assert_eq!(kafka.deliver(request), OUT_OF_ORDER);
        }
        kafka.read(requests[0]);
        let first = kafka.sent();
        assert_eq!(
            (&first["epoch"], &first["sequence"]),
            (&json!(1), &json!(0))
        );
        kafka.read(requests[1]);
        kafka.read(requests[2]);
        assert_eq!(
            kafka.answer(first["request"].as_i64().expect("a number")),
            "append 1"
        );
        assert_eq!(kafka.settle(), ["append 2", "append 3"]);
        assert_eq!(
            kafka.epoch(),
            1,
            "the old copies of the others bump nothing"
        );
        assert_eq!(kafka.log(), [0, 2, 3, 4]);
        assert_eq!(
            kafka.told(),
            ["[0] at 0", "[1] at 1", "[2] at 1", "[3] at 2", "[4] at 3"]
        );
    });
}

/// The batch `[1]` is on a dead connection in its old form and in a new one on the next.
fn zombies(kafka: &mut World) -> (Vec<i64>, i64) {
    write(kafka, 0);
    let first = kafka.send_new(1);
    kafka.disconnect();
    let again = kafka.send();
    let second = kafka.send_new(2);
    kafka.disconnect();
    kafka.time_out();
    let alone = kafka.send();
    assert_eq!(kafka.answer(alone), OUT_OF_ORDER);
    let renumbered = kafka.sent();
    assert_eq!(
        (&renumbered["epoch"], &renumbered["sequence"]),
        (&json!(1), &json!(0))
    );
    (
        vec![first, again, second],
        renumbered["request"].as_i64().expect("a number"),
    )
}

#[test]
fn requests_of_a_dead_connection_that_come_before_the_renumbered_batch_are_written_too() {
    on_every_kafka(json!({}), |kafka| {
        let (dead, renumbered) = zombies(kafka);
        assert_eq!(kafka.deliver(dead[1]), "append 1");
        assert_eq!(kafka.deliver(dead[2]), "append 2");
        assert_eq!(kafka.answer(renumbered), "append 3");
        assert_eq!(kafka.log(), [0, 1, 2, 2]);
        assert_eq!(
            kafka.told(),
            ["[0] at 0", "[1] TimeoutException", "[2] at 3"]
        );
    });
}

#[test]
fn requests_of_a_dead_connection_that_come_after_the_renumbered_batch_are_fenced() {
    on_every_kafka(json!({}), |kafka| {
        let (dead, renumbered) = zombies(kafka);
        assert_eq!(kafka.answer(renumbered), "append 1");
        for request in dead {
            assert_eq!(kafka.deliver(request), "INVALID_PRODUCER_EPOCH");
        }
        assert_eq!(kafka.log(), [0, 2]);
    });
}

#[test]
fn a_later_batch_that_fails_for_good_makes_an_earlier_one_be_written_again() {
    for error in [
        "INVALID_RECORD",
        "INVALID_TIMESTAMP",
        "MESSAGE_TOO_LARGE",
        "INVALID_PRODUCER_EPOCH",
    ] {
        on_every_kafka(json!({}), |kafka| {
            write(kafka, 0);
            let earlier = kafka.send_new(1);
            let later = kafka.send_new(2);
            assert_eq!(kafka.deliver(earlier), "append 1");
            kafka.read_error(earlier, "REQUEST_TIMED_OUT");
            kafka.read_error(later, error);
            assert_eq!(kafka.settle(), ["append 2"]);
            assert_eq!(kafka.log(), [0, 1, 1]);
            assert_eq!(kafka.epoch(), 1);
            let told = kafka.told();
            assert_eq!(told.len(), 3, "{told:?}");
            assert!(told[1].starts_with("[2] "), "{told:?}");
            assert_eq!(told[2], "[1] at 2");
        });
    }
}

#[test]
fn a_retry_that_is_on_the_wire_already_keeps_its_identity() {
    on_every_kafka(json!({}), |kafka| {
        write(kafka, 0);
        let earlier = kafka.send_new(1);
        let later = kafka.send_new(2);
        assert_eq!(kafka.deliver(earlier), "append 1");
        kafka.read_error(earlier, "REQUEST_TIMED_OUT");
        let retry = kafka.send();
        assert_eq!(kafka.deliver(retry), "dup 1");
        kafka.read_error(later, "INVALID_RECORD");
        kafka.read(retry);
        assert_eq!(kafka.settle(), Vec::<String>::new());
        assert_eq!(kafka.log(), [0, 1]);
        assert_eq!(
            kafka.told(),
            ["[0] at 0", "[2] InvalidRecordException", "[1] at 1"]
        );
    });
}

#[test]
fn a_producer_whose_id_has_a_higher_epoch_elsewhere_fails_up_to_it_and_is_then_taken_for_the_other()
{
    on_every_kafka(json!({"producers": 2, "shared_ids": true}), |kafka| {
        assert_eq!(kafka.pids[0], kafka.pids[1]);
        // The other one is driven to epoch 3 by batches that fail, and writes there.
        kafka.producer = 1;
        for label in 100..103 {
            let request = kafka.send_new(label);
            kafka.read_error(request, "INVALID_RECORD");
        }
        write(kafka, 103);
        assert_eq!(kafka.epoch(), 3);
        kafka.producer = 0;
        for label in 0..3 {
            let request = kafka.send_new(label);
            assert_eq!(kafka.answer(request), "INVALID_PRODUCER_EPOCH");
        }
        let swallowed = kafka.send_new(3);
        assert_eq!(kafka.answer(swallowed), "dup 0");
        let told = kafka.told();
        assert_eq!(
            told[4..],
            [
                "[0] InvalidProducerEpochException",
                "[1] InvalidProducerEpochException",
                "[2] InvalidProducerEpochException",
                "[3] at 0"
            ]
        );
        assert_eq!(
            kafka.log(),
            [103],
            "nothing of this producer is there, though it was told so"
        );
    });
}

#[test]
fn a_duplicate_that_the_log_calls_by_its_old_name_is_a_success_without_an_offset() {
    on_every_kafka(json!({}), |kafka| {
        let request = kafka.send_new(0);
        kafka.read_error(request, "DUPLICATE_SEQUENCE_NUMBER");
        assert_eq!(kafka.told(), ["[0] at -1"]);
    });
}

#[test]
fn a_forgotten_producer_is_asked_for_nothing() {
    on_every_kafka(json!({}), |kafka| {
        let request = kafka.send_new(0);
        assert_eq!(kafka.deliver(request), "append 0");
        kafka.ask(json!({"op": "expire", "broker": 0, "partition": 0}));
        assert_eq!(kafka.state()["producers"][0][0], json!({}));
        kafka.disconnect();
        assert_eq!(kafka.settle(), ["append 1"]);
        assert_eq!(kafka.log(), [0, 0]);
    });
}

#[test]
fn partitions_of_a_bumped_producer_restart_when_nothing_is_in_flight() {
    on_every_kafka(json!({"partitions": 2}), |kafka| {
        write(kafka, 0);
        kafka.partition = 1;
        write(kafka, 10);
        let busy = kafka.send_new(11);
        kafka.partition = 0;
        let failed = kafka.send_new(1);
        kafka.read_error(failed, "INVALID_RECORD");
        let first: Value = {
            kafka.record(&[2]);
            kafka.sent()
        };
        assert_eq!(
            (&first["epoch"], &first["sequence"]),
            (&json!(1), &json!(0))
        );
        // The other partition goes on with its old epoch until what is in flight is decided.
        kafka.partition = 1;
        kafka.record(&[12]);
        assert_eq!(kafka.turn(), Vec::<Value>::new());
        assert_eq!(kafka.answer(busy), "append 1");
        let restarted = kafka.sent();
        assert_eq!(
            (&restarted["epoch"], &restarted["sequence"]),
            (&json!(1), &json!(0))
        );
    });
}
