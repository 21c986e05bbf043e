//! A1 and A2: five in flight are enough, six are not.

use retryproof_properties::PropertyId::{self, *};

use crate::conditions::Conditions;
use crate::policies::{PIPELINING, STOP};
use crate::rules::KAFKA_1_0;

use super::{all_but, Claim, BORDER, REST};

const KAFKA: Conditions = Conditions::KAFKA;
const SIX: Conditions = Conditions {
    in_flight: 6,
    ..Conditions::KAFKA
};

pub(super) fn claims() -> Vec<Claim> {
    [
        in_flight_1_to_5(),
        in_flight_6(),
        in_flight_6_other_clients(),
    ]
    .concat()
}

fn in_flight_1_to_5() -> Vec<Claim> {
    let mut claims: Vec<Claim> = (1..=5)
        .map(|in_flight| {
            Claim::holds(
                format!("in-flight-{in_flight}"),
                "A1",
                format!(
                    "With {in_flight} in flight and a window of 5, every record is written exactly \
                     once, in order, in runs of any length"
                ),
                Conditions { in_flight, ..KAFKA },
                PropertyId::ALL,
            )
            .from("KIP-98, KAFKA-5494; kafka-facts Q2; S1.11")
        })
        .collect();
    claims.push(
        Claim::holds(
            "in-flight-5-three-dead-connections",
            "A1",
            "The same with 5 in flight when three dead connections may still deliver",
            Conditions {
                connections: 4,
                ..KAFKA
            },
            PropertyId::ALL,
        )
        .from("kafka-facts Q2, H12"),
    );
    claims
}

fn in_flight_6() -> Vec<Claim> {
    vec![
        Claim::refuted(
            "in-flight-6-writes-duplicates",
            "A2",
            "With 6 in flight no record is written twice",
            SIX,
            &[NoDuplicate],
        )
        .from("kafka-facts Q1 A; S1.11"),
        Claim::refuted(
            "in-flight-6-refuses-a-written-retry",
            "A2",
            "With 6 in flight the retry of a written batch is never refused",
            SIX,
            &[RetryRecognised],
        )
        .from("kafka-facts Q1 A; known-faults B02"),
        Claim::holds(
            "in-flight-6-keeps-the-rest",
            "A2",
            "With 6 in flight order, truthful answers and acknowledgements, and the end of every \
             retry survive",
            SIX,
            REST,
        )
        .from("kafka-facts Q1"),
    ]
}

fn in_flight_6_other_clients() -> Vec<Claim> {
    let stop = Conditions {
        client: &STOP,
        ..SIX
    };
    let kafka_1_0 = Conditions {
        rule: &KAFKA_1_0,
        ..SIX
    };
    let pipelining = Conditions {
        client: &PIPELINING,
        in_flight: 3,
        window: 2,
        connections: 2,
        ..KAFKA
    };
    vec![
        Claim::refuted(
            "in-flight-6-stop-reports-a-false-failure",
            "A2",
            "A client that stops at out of order never reports a written record as failed, 6 in \
             flight",
            stop,
            &[NoFalseFailure, RetryRecognised],
        )
        .from("kafka-facts Q1 D"),
        Claim::holds(
            "in-flight-6-stop-writes-no-duplicate",
            "A2",
            "A client that stops at out of order writes no record twice, 6 in flight",
            stop,
            &all_but(&[NoFalseFailure, RetryRecognised]),
        )
        .from("kafka-facts Q1 D"),
        Claim::holds(
            "in-flight-6-kafka-1.0",
            "A2",
            "A broker that answers what lies below the window as a duplicate keeps 6 in flight safe, \
             without telling offsets",
            kafka_1_0,
            &all_but(&[DuplicateAnswerTruthful]),
        )
        .from("kafka-facts Q1 E"),
        Claim::refuted(
            "pipelined-retries-beyond-the-window",
            "A2",
            "A client that pipelines its retries, with one more in flight than the window, writes no \
             record twice",
            pipelining,
            BORDER,
        )
        .from("kafka-facts Q1 F"),
        Claim::holds(
            "pipelined-retries-within-the-window",
            "A1",
            "A client that pipelines its retries is as safe as one that does not, 5 in flight",
            Conditions {
                client: &PIPELINING,
                connections: 2,
                ..KAFKA
            },
            PropertyId::ALL,
        )
        .from("kafka-facts 5.3"),
    ]
}
