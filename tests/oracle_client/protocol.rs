//! The commands themselves.

use serde_json::{json, Value};

use crate::driver::on_every_kafka;

#[test]
fn a_bad_command_changes_nothing() {
    on_every_kafka(json!({"partitions": 2, "brokers": 2}), |kafka| {
        let request = kafka.send_new(0);
        let before = kafka.state();
        for bad in [
            json!({"op": "nonsense"}),
            json!({"op": "turn", "producer": 1, "open": [0]}),
            json!({"op": "turn", "producer": 0, "open": [2]}),
            json!({"op": "turn", "producer": 0, "open": [0, 1]}),
            json!({"op": "turn", "producer": 0}),
            json!({"op": "deliver", "request": 1}),
            json!({"op": "deliver", "request": request, "log": 1}),
            json!({"op": "read", "request": request}),
            json!({"op": "read", "request": request, "error": "NONE"}),
            json!({"op": "read", "request": request, "error": "nonsense"}),
            json!({"op": "record", "producer": 0, "partition": 0, "records": []}),
            json!({"op": "time_out", "producer": 0, "partition": 1}),
            json!({"op": "replicate", "from": 0, "to": 1, "partition": 0}),
            json!({"op": "replicate", "from": 0, "to": 0, "partition": 0}),
            json!({"op": "restart", "broker": 0, "mode": "softly"}),
            json!({"op": "start", "window": 6}),
            json!({"op": "start", "window": 0}),
        ] {
            kafka.refused(bad);
            assert_eq!(kafka.state(), before);
        }
        kafka.record(&[1]);
        kafka.refused(json!({"op": "record", "producer": 0, "partition": 0, "records": [2]}));
        assert_eq!(kafka.answer(request), "append 0");
        kafka.refused(json!({"op": "read", "request": request}));
        assert_eq!(kafka.settle(), ["append 1"]);
    });
}

#[test]
fn a_connection_takes_only_so_many_requests() {
    on_every_kafka(json!({"in_flight": 2}), |kafka| {
        let first = kafka.send_new(0);
        kafka.send_new(1);
        kafka.record(&[2]);
        assert_eq!(kafka.turn(), Vec::<Value>::new());
        assert_eq!(kafka.client()["fresh"], json!([[2]]));
        kafka.answer(first);
        assert_eq!(kafka.turn().len(), 1);
    });
}

#[test]
fn a_turn_with_nothing_open_sends_nothing() {
    on_every_kafka(json!({}), |kafka| {
        kafka.record(&[0]);
        let answer = kafka.ask(json!({"op": "turn", "producer": 0, "open": []}));
        assert_eq!(answer, json!({}));
        assert_eq!(kafka.turn().len(), 1);
    });
}

#[test]
fn what_left_is_not_what_the_client_makes_of_it_later() {
    on_every_kafka(json!({}), |kafka| {
        let kept = kafka.send_new(0);
        kafka.record(&[1]);
        let sent = kafka.sent();
        assert_eq!((&sent["epoch"], &sent["sequence"]), (&json!(0), &json!(1)));
        kafka.read_error(kept, "INVALID_RECORD");
        kafka.ask(json!({"op": "turn", "producer": 0, "open": []}));
        let state = kafka.client();
        assert_eq!(
            state["undecided"],
            json!([{"records": [1], "pid": kafka.pids[0], "epoch": 1, "sequence": 0, "where": "wire"}])
        );
        kafka.deliver(sent["request"].as_i64().expect("a number"));
        let state = kafka.state();
        assert_eq!(
            state["logs"][0][0],
            json!([{"offset": 0, "pid": kafka.pids[0], "epoch": 0, "sequence": 1, "leader_epoch": 0, "records": [[0, 1]]}])
        );
    });
}

#[test]
fn all_carries_out_commands_and_goes_on_after_a_bad_one() {
    on_every_kafka(json!({}), |kafka| {
        let answer = kafka.ask(json!({"op": "all", "commands": [
            {"op": "record", "producer": 0, "partition": 0, "records": [0, 1]},
            {"op": "nonsense"},
            {"op": "turn", "producer": 0, "open": [0]},
            {"op": "deliver", "request": 0},
            {"op": "deliver", "request": 0},
            {"op": "read", "request": 0, "delivery": 0},
        ]}));
        let answers = answer["answers"].as_array().expect("answers");
        assert!(answers[1].get("bad").is_some());
        assert_eq!(answers[2]["sent"][0]["records"], json!([0, 1]));
        assert_eq!(answers[3], json!({"append": [0, 1], "delivery": 0}));
        assert_eq!(answers[4], json!({"dup": [0, 1], "delivery": 1}));
        assert_eq!(
            answers[5],
            json!({"told": [{"producer": 0, "partition": 0, "records": [0, 1], "offset": 0, "error": null}]})
        );
    });
}

#[test]
fn a_batch_that_is_too_large_is_split_the_second_time() {
    on_every_kafka(json!({}), |kafka| {
        kafka.record(&[0, 1]);
        let whole = kafka.send();
        kafka.read_error(whole, "MESSAGE_TOO_LARGE");
        // A buffer of batch.size still holds both.
        let whole = kafka.sent();
        assert_eq!(whole["records"], json!([0, 1]));
        kafka.read_error(
            whole["request"].as_i64().expect("a number"),
            "MESSAGE_TOO_LARGE",
        );
        let first = kafka.sent();
        assert_eq!(
            (&first["sequence"], &first["records"]),
            (&json!(0), &json!([0]))
        );
        kafka.answer(first["request"].as_i64().expect("a number"));
        let second = kafka.sent();
        assert_eq!(
            (&second["sequence"], &second["records"]),
            (&json!(1), &json!([1]))
        );
        kafka.answer(second["request"].as_i64().expect("a number"));
        assert_eq!(kafka.log(), [0, 1]);
        assert_eq!(kafka.told(), ["[0] at 0", "[1] at 1"]);
    });
}

/// Whatever was done before, a start leaves nothing of it.
#[test]
fn a_start_begins_anew() {
    let settings = json!({"brokers": 2, "partitions": 2, "producers": 2});
    for _ in 0..2 {
        on_every_kafka(settings.clone(), |kafka| {
            let state = kafka.state();
            assert_eq!(state["logs"], json!([[[], []], [[], []]]));
            assert_eq!(state["producers"], json!([[{}, {}], [{}, {}]]));
            let request = kafka.send_new(0);
            assert_eq!(request, 0);
            kafka.answer(request);
            kafka.replicate(0, 1, 1);
            kafka.ask(json!({"op": "snapshot", "broker": 0, "partition": 0}));
            kafka.ask(json!({"op": "roll", "broker": 1, "partition": 0}));
            kafka.restart("crash");
        });
    }
}
