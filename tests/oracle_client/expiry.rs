//! What happens when the time of a batch runs out on the client.

use serde_json::{json, Value};

use crate::driver::on_every_kafka;

#[test]
fn a_batch_whose_time_runs_out_while_others_succeed_changes_no_identity() {
    on_every_kafka(json!({}), |kafka| {
        let first = kafka.send_new(0);
        let second = kafka.send_new(1);
        let third = kafka.send_new(2);
        for request in [first, second, third] {
            kafka.deliver(request);
        }
        kafka.read(first);
        kafka.time_out();
        assert_eq!(kafka.told(), ["[0] at 0", "[1] TimeoutException"]);
        kafka.read(third);
        let fourth = kafka.send_new(3);
        assert_eq!(kafka.answer(fourth), "append 3");
        assert_eq!(kafka.log(), [0, 1, 2, 3]);
        assert_eq!(kafka.told()[2..], ["[2] at 2", "[3] at 3"]);
        assert_eq!(kafka.epoch(), 0);
    });
}

#[test]
fn a_batch_that_was_retried_and_ran_out_of_time_holds_back_those_that_were_never_sent() {
    on_every_kafka(json!({}), |kafka| {
        let first = kafka.send_new(0);
        kafka.disconnect();
        assert_eq!(kafka.deliver(first), "append 0");
        let second = kafka.send();
        kafka.record(&[1]);
        kafka.time_out();
        assert_eq!(kafka.told(), ["[0] TimeoutException"]);
        assert_eq!(kafka.client()["unresolved"], json!(true));
        // Nothing is in flight that could resolve it, so the epoch is bumped.
        let next = kafka.sent();
        assert_eq!((&next["epoch"], &next["sequence"]), (&json!(1), &json!(0)));
        assert_eq!(kafka.deliver(second), "dup 0");
        assert_eq!(
            kafka.answer(next["request"].as_i64().expect("a number")),
            "append 1"
        );
        assert_eq!(kafka.log(), [0, 1]);
    });
}

#[test]
fn a_batch_that_is_sent_again_behind_a_younger_one_outlives_its_time() {
    on_every_kafka(json!({}), |kafka| {
        let older = kafka.send_new(0);
        let younger = kafka.send_new(1);
        kafka.read_error(older, "REQUEST_TIMED_OUT");
        let retry = kafka.send();
        kafka.time_out();
        assert_eq!(kafka.told(), Vec::<&str>::new());
        // Its answer counts as if there were time left.
        assert_eq!(kafka.answer(retry), "append 0");
        assert_eq!(kafka.answer(younger), "append 1");
        assert_eq!(kafka.told(), ["[0] at 0", "[1] at 1"]);
    });
}

#[test]
fn only_the_batch_that_was_meant_runs_out_of_time() {
    on_every_kafka(json!({}), |kafka| {
        for label in 0..3 {
            kafka.send_new(label);
        }
        let reason =
            kafka.refused(json!({"op": "time_out", "producer": 0, "partition": 0, "record": 1}));
        assert_eq!(reason, "the time of the batch [0] would run out too");
        assert_eq!(kafka.told(), Vec::<&str>::new());
        // Many batches later the next one in line still has time left.
        kafka.time_out();
        assert_eq!(kafka.told(), ["[0] TimeoutException"]);
        for label in 3..10 {
            kafka.record(&[label]);
            let sent: Vec<Value> = kafka.turn();
            for request in sent {
                kafka.answer(request["request"].as_i64().expect("a number"));
            }
            kafka.ask(json!({"op": "turn", "producer": 0, "open": []}));
        }
        assert!(
            !kafka.told().contains(&"[1] TimeoutException"),
            "{:?}",
            kafka.told()
        );
        kafka.time_out();
        assert!(
            kafka.told().contains(&"[1] TimeoutException"),
            "{:?}",
            kafka.told()
        );
    });
}
