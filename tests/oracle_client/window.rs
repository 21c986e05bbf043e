//! How many unanswered batches a log has to remember, and what a reload does to its memory.

use serde_json::{json, Value};

use crate::driver::{on_every_kafka, World};

/// Batches 0, 1, … of one record leave, one after the other.
pub fn send_batches(kafka: &mut World, labels: std::ops::Range<i64>) -> Vec<i64> {
    labels.map(|label| kafka.send_new(label)).collect()
}

pub fn deliver_all(kafka: &mut World, requests: &[i64]) {
    for (offset, &request) in requests.iter().enumerate() {
        assert_eq!(kafka.deliver(request), format!("append {offset}"));
    }
}

fn six_in_flight() -> Value {
    json!({"in_flight": 6})
}

#[test]
fn five_in_flight_whose_answers_are_lost_are_recognised() {
    on_every_kafka(json!({}), |kafka| {
        let requests = send_batches(kafka, 0..5);
        deliver_all(kafka, &requests);
        kafka.disconnect();
        assert_eq!(
            kafka.settle(),
            ["dup 0", "dup 1", "dup 2", "dup 3", "dup 4"]
        );
        assert_eq!(kafka.log(), [0, 1, 2, 3, 4]);
        assert_eq!(
            kafka.told(),
            ["[0] at 0", "[1] at 1", "[2] at 2", "[3] at 3", "[4] at 4"]
        );
        assert_eq!(kafka.epoch(), 0);
    });
}

#[test]
fn a_restarted_broker_writes_them_again() {
    for mode in ["clean", "crash"] {
        on_every_kafka(json!({}), |kafka| {
            let requests = send_batches(kafka, 0..5);
            deliver_all(kafka, &requests);
            kafka.restart(mode);
            kafka.disconnect();
            assert_eq!(
                kafka.settle(),
                [
                    "OUT_OF_ORDER_SEQUENCE_NUMBER",
                    "append 5",
                    "append 6",
                    "append 7",
                    "append 8",
                    "append 9"
                ]
            );
            assert_eq!(kafka.log(), [0, 1, 2, 3, 4, 0, 1, 2, 3, 4]);
            assert_eq!(
                kafka.told(),
                ["[0] at 5", "[1] at 6", "[2] at 7", "[3] at 8", "[4] at 9"]
            );
            assert_eq!(kafka.epoch(), 1);
        });
    }
}

#[test]
fn six_in_flight_whose_answers_are_lost_are_all_written_again() {
    on_every_kafka(six_in_flight(), |kafka| {
        let requests = send_batches(kafka, 0..6);
        deliver_all(kafka, &requests);
        kafka.disconnect();
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

#[test]
fn six_in_flight_of_which_five_were_written_are_recognised() {
    on_every_kafka(six_in_flight(), |kafka| {
        let requests = send_batches(kafka, 0..6);
        deliver_all(kafka, &requests[..5]);
        kafka.disconnect();
        assert_eq!(
            kafka.settle(),
            ["dup 0", "dup 1", "dup 2", "dup 3", "dup 4", "append 5"]
        );
        assert_eq!(kafka.log(), [0, 1, 2, 3, 4, 5]);
        assert_eq!(kafka.told().len(), 6);
    });
}

#[test]
fn the_first_of_six_that_were_written_is_retried_in_vain_until_its_time_is_up() {
    on_every_kafka(six_in_flight(), |kafka| {
        let requests = send_batches(kafka, 0..6);
        deliver_all(kafka, &requests);
        kafka.read_error(requests[0], "REQUEST_TIMED_OUT");
        for &request in &requests[1..] {
            kafka.read(request);
        }
        for _ in 0..3 {
            let retry = kafka.send();
            assert_eq!(kafka.answer(retry), "OUT_OF_ORDER_SEQUENCE_NUMBER");
        }
        assert_eq!(
            kafka.epoch(),
            0,
            "it is not the next one, so nothing is bumped"
        );
        kafka.time_out();
        assert_eq!(kafka.log(), [0, 1, 2, 3, 4, 5]);
        assert_eq!(
            kafka.told(),
            [
                "[1] at 1",
                "[2] at 2",
                "[3] at 3",
                "[4] at 4",
                "[5] at 5",
                "[0] TimeoutException"
            ]
        );
    });
}

#[test]
fn six_that_were_written_and_answered_by_an_error_are_all_written_again() {
    for error in ["REQUEST_TIMED_OUT", "NOT_ENOUGH_REPLICAS_AFTER_APPEND"] {
        on_every_kafka(six_in_flight(), |kafka| {
            let requests = send_batches(kafka, 0..6);
            deliver_all(kafka, &requests);
            for &request in &requests {
                kafka.read_error(request, error);
            }
            kafka.settle();
            assert_eq!(kafka.log(), [0, 1, 2, 3, 4, 5, 0, 1, 2, 3, 4, 5]);
        });
    }
}

#[test]
fn five_that_were_written_and_answered_by_an_error_are_recognised() {
    on_every_kafka(json!({}), |kafka| {
        let requests = send_batches(kafka, 0..5);
        deliver_all(kafka, &requests);
        for &request in &requests {
            kafka.read_error(request, "REQUEST_TIMED_OUT");
        }
        assert_eq!(
            kafka.settle(),
            ["dup 0", "dup 1", "dup 2", "dup 3", "dup 4"]
        );
        assert_eq!(kafka.log(), [0, 1, 2, 3, 4]);
    });
}

#[test]
fn a_batch_that_was_written_and_answered_by_an_error_is_recognised_before_it_is_forgotten() {
    on_every_kafka(json!({}), |kafka| {
        let first = kafka.send_new(0);
        assert_eq!(kafka.deliver(first), "append 0");
        let others = send_batches(kafka, 1..5);
        for (&request, offset) in others.iter().zip(1..) {
            assert_eq!(kafka.deliver(request), format!("append {offset}"));
        }
        kafka.read_error(first, "REQUEST_TIMED_OUT");
        for label in 5..10 {
            kafka.record(&[label]);
            kafka.settle();
        }
        for &request in &others {
            kafka.read(request);
        }
        kafka.settle();
        assert_eq!(kafka.log(), [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
        assert_eq!(kafka.told().len(), 10);
        assert!(
            kafka.told().iter().all(|told| !told.ends_with("Exception")),
            "{:?}",
            kafka.told()
        );
    });
}

/// With a window of two a reload is not needed: what a smaller constant would do.
#[test]
fn a_smaller_window_forgets_sooner() {
    on_every_kafka(json!({"window": 2, "in_flight": 3}), |kafka| {
        let requests = send_batches(kafka, 0..3);
        deliver_all(kafka, &requests);
        let state = kafka.state();
        let pid = kafka.pids[0].to_string();
        assert_eq!(
            state["producers"][0][0][&pid],
            json!([0, 0, [[1, 1, 1, 1], [2, 2, 2, 2]]])
        );
        kafka.disconnect();
        kafka.settle();
        assert_eq!(kafka.log(), [0, 1, 2, 0, 1, 2]);
    });
    on_every_kafka(json!({"window": 2, "in_flight": 2}), |kafka| {
        let requests = send_batches(kafka, 0..2);
        deliver_all(kafka, &requests);
        kafka.disconnect();
        assert_eq!(kafka.settle(), ["dup 0", "dup 1"]);
        assert_eq!(kafka.log(), [0, 1]);
    });
}
