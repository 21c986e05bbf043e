//! What happens when a partition moves to another broker while batches are on their way.

use serde_json::{json, Value};

use crate::driver::{on_every_kafka, World};
use crate::window::{deliver_all, send_batches};

fn two_brokers() -> Value {
    json!({"brokers": 2})
}

/// Five batches are in both logs and not answered, the second broker leads now, and has a sixth.
fn five_here_one_there(kafka: &mut World) -> (Vec<i64>, i64) {
    let requests = send_batches(kafka, 0..5);
    deliver_all(kafka, &requests);
    kafka.replicate(0, 1, 5);
    kafka.move_leader(1);
    let sixth = kafka.send_new(5);
    assert_eq!(kafka.deliver(sixth), "append 5");
    (requests, sixth)
}

/// The first connection breaks.
fn old_connection_breaks(kafka: &mut World) {
    kafka.ask(json!({"op": "disconnect", "producer": 0, "broker": 0}));
}

#[test]
fn the_limit_is_one_of_connections_so_a_sixth_batch_pushes_the_first_out_of_the_window() {
    on_every_kafka(two_brokers(), |kafka| {
        let (_, sixth) = five_here_one_there(kafka);
        kafka.read(sixth);
        old_connection_breaks(kafka);
        for _ in 0..3 {
            let retry = kafka.send();
            assert_eq!(kafka.answer(retry), "OUT_OF_ORDER_SEQUENCE_NUMBER");
        }
        kafka.time_out();
        assert_eq!(kafka.told(), ["[5] at 5", "[0] TimeoutException"]);
        assert_eq!(kafka.settle(), ["dup 1", "dup 2", "dup 3", "dup 4"]);
        assert_eq!(kafka.log(), [0, 1, 2, 3, 4, 5]);
        assert_eq!(kafka.epoch(), 0);
    });
}

#[test]
fn a_sixth_batch_that_is_not_acknowledged_makes_all_six_be_written_again() {
    let error =
        |kafka: &mut World, sixth| kafka.read_error(sixth, "NOT_ENOUGH_REPLICAS_AFTER_APPEND");
    let disconnect = |kafka: &mut World, _| kafka.disconnect();
    for not_acknowledged in [error as fn(&mut World, i64), disconnect] {
        on_every_kafka(two_brokers(), |kafka| {
            let (_, sixth) = five_here_one_there(kafka);
            not_acknowledged(kafka, sixth);
            old_connection_breaks(kafka);
            kafka.settle();
            assert_eq!(kafka.log(), [0, 1, 2, 3, 4, 5, 0, 1, 2, 3, 4, 5]);
            assert_eq!(
                kafka.told(),
                [
                    "[0] at 6",
                    "[1] at 7",
                    "[2] at 8",
                    "[3] at 9",
                    "[4] at 10",
                    "[5] at 11"
                ]
            );
        });
    }
}

#[test]
fn one_batch_that_was_answered_by_an_error_is_lost_behind_the_move() {
    on_every_kafka(two_brokers(), |kafka| {
        let requests = send_batches(kafka, 0..5);
        deliver_all(kafka, &requests);
        kafka.replicate(0, 1, 5);
        kafka.move_leader(1);
        let sixth = kafka.send_new(5);
        assert_eq!(kafka.answer(sixth), "append 5");
        kafka.read_error(requests[0], "NOT_ENOUGH_REPLICAS_AFTER_APPEND");
        for &request in &requests[1..] {
            kafka.read(request);
        }
        let retry = kafka.send();
        assert_eq!(kafka.answer(retry), "OUT_OF_ORDER_SEQUENCE_NUMBER");
        kafka.time_out();
        assert_eq!(kafka.log(), [0, 1, 2, 3, 4, 5]);
        assert_eq!(kafka.told().last(), Some(&"[0] TimeoutException"));
    });
}

#[test]
fn with_one_request_at_a_time_nothing_overtakes() {
    on_every_kafka(json!({"brokers": 2, "in_flight": 1}), |kafka| {
        let first = kafka.send_new(0);
        assert_eq!(kafka.deliver(first), "append 0");
        kafka.replicate(0, 1, 1);
        kafka.move_leader(1);
        kafka.record(&[1]);
        assert_eq!(kafka.turn(), Vec::<Value>::new(), "the partition is muted");
        old_connection_breaks(kafka);
        assert_eq!(kafka.settle(), ["dup 0", "append 1"]);
        assert_eq!(kafka.log(), [0, 1]);
        assert_eq!(kafka.told(), ["[0] at 0", "[1] at 1"]);
    });
}

#[test]
fn a_follower_that_was_reloaded_writes_them_again() {
    on_every_kafka(two_brokers(), |kafka| {
        let requests = send_batches(kafka, 0..5);
        deliver_all(kafka, &requests);
        kafka.replicate(0, 1, 5);
        kafka.ask(json!({"op": "restart", "broker": 1, "mode": "clean"}));
        kafka.move_leader(1);
        old_connection_breaks(kafka);
        kafka.settle();
        assert_eq!(kafka.log(), [0, 1, 2, 3, 4, 0, 1, 2, 3, 4]);
    });
}

#[test]
fn a_follower_that_was_not_reloaded_recognises_what_it_copied() {
    on_every_kafka(two_brokers(), |kafka| {
        let requests = send_batches(kafka, 0..5);
        deliver_all(kafka, &requests);
        kafka.replicate(0, 1, 3);
        kafka.ask(json!({"op": "lead", "broker": 1, "partition": 0, "epoch": 1}));
        kafka.move_leader(1);
        old_connection_breaks(kafka);
        assert_eq!(
            kafka.settle(),
            ["dup 0", "dup 1", "dup 2", "append 3", "append 4"]
        );
        assert_eq!(kafka.log(), [0, 1, 2, 3, 4]);
        // The old leader cuts off what the new one does not have, and fetches.
        kafka.ask(json!({"op": "truncate", "broker": 0, "partition": 0, "to": 3}));
        kafka.replicate(1, 0, 2);
        let state = kafka.state();
        assert_eq!(state["logs"][0], state["logs"][1]);
        assert_eq!(state["producers"][0], state["producers"][1]);
    });
}
