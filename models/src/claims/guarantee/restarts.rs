//! B1: the producer state survives a restart with the whole window.

use retryproof_properties::PropertyId::{self, *};

use crate::claims::{all_but, Claim};
use crate::conditions::{Budget, Conditions, InFlightPer, RestartKeeps};
use crate::policies::PATIENT;
use crate::rules::STRICT;

use super::{KAFKA, REAL, SMALL};

/// What a restart breaks that keeps the newest batch of the window.
const WINDOW_OF_ONE: &[PropertyId] = &[NoDuplicate, RetryRecognised, LogIsFold];
/// What a restart breaks that keeps nothing.
const FORGOTTEN: &[PropertyId] = &[NoDuplicate, LogIsFold];

pub(super) fn claims() -> Vec<Claim> {
    [keeps_last(), keeps_nothing(), keeps_all()].concat()
}

fn keeps_last() -> Vec<Claim> {
    let once = |world| Conditions {
        restarts: Budget::ONE,
        ..world
    };
    let any = |world| Conditions {
        restarts: Budget::Any,
        ..world
    };
    vec![
        Claim::refuted(
            "restart-with-a-window-of-one-small",
            "B1",
            "A restart that keeps the newest batch of the window breaks nothing, 2 in flight",
            once(SMALL),
            WINDOW_OF_ONE,
        )
        .from("kafka-facts H1, E2–E4; known-faults B16"),
        Claim::refuted(
            "restart-with-a-window-of-one",
            "B1",
            "A restart of a Kafka broker, whose snapshot keeps the newest batch, breaks nothing",
            once(KAFKA),
            WINDOW_OF_ONE,
        )
        .from("kafka-facts H1, E2–E4; known-faults B16; S1.10"),
        Claim::holds(
            "restart-with-a-window-of-one-keeps-the-rest",
            "B1",
            "After any number of such restarts order, truthful answers and acknowledgements, and \
             the end of every retry survive",
            any(KAFKA),
            &all_but(WINDOW_OF_ONE),
        )
        .from("kafka-facts H1"),
        Claim::holds(
            "restart-with-a-window-of-one-and-1-in-flight",
            "B1",
            "With 1 in flight any number of such restarts writes no duplicate and refuses no retry",
            Conditions {
                in_flight: 1,
                ..any(KAFKA)
            },
            &all_but(&[LogIsFold]),
        )
        .from("known-faults B16"),
        Claim::holds(
            "restart-with-a-window-of-one-and-a-patient-client",
            "B1",
            "A client that renumbers only batches that are nowhere writes no duplicate, whatever \
             restarts take from the window",
            Conditions {
                client: &PATIENT,
                ..any(KAFKA)
            },
            &all_but(&[RetryRecognised, LogIsFold]),
        )
        .from("kafka-facts Q3"),
    ]
}

fn keeps_nothing() -> Vec<Claim> {
    let nothing = |world| Conditions {
        restarts: Budget::ONE,
        restart_keeps: RestartKeeps::Nothing,
        ..world
    };
    vec![
        Claim::refuted(
            "restart-that-forgets-small",
            "B1",
            "A restart that keeps nothing of the producer breaks nothing, 2 in flight",
            nothing(SMALL),
            FORGOTTEN,
        )
        .from("known-faults B15, B16"),
        Claim::refuted(
            "restart-that-forgets",
            "B1",
            "A restart that keeps nothing of the producer breaks nothing",
            nothing(REAL),
            FORGOTTEN,
        )
        .from("known-faults B15, B16, K01"),
        Claim::holds(
            "restart-that-forgets-keeps-the-rest",
            "B1",
            "After a restart that keeps nothing, order and truthful acknowledgements survive",
            nothing(REAL),
            &all_but(FORGOTTEN),
        )
        .from("known-faults B16"),
        Claim::refuted(
            "restart-that-forgets-strict",
            "B1",
            "A rule that takes an unknown producer at 0 only is enough against a restart that \
             keeps nothing",
            Conditions {
                rule: &STRICT,
                ..nothing(SMALL)
            },
            &[NoDuplicate, RetryRecognised, LogIsFold],
        )
        .from("known-faults B16"),
    ]
}

fn keeps_all() -> Vec<Claim> {
    let all = |world| Conditions {
        restarts: Budget::Any,
        restart_keeps: RestartKeeps::All,
        ..world
    };
    vec![
        Claim::holds(
            "restart-with-the-whole-window-small",
            "B1",
            "Any number of restarts that keep the whole window breaks nothing, 2 in flight",
            all(SMALL),
            PropertyId::ALL,
        )
        .from("kafka-facts H1"),
        Claim::holds(
            "restart-with-the-whole-window",
            "B1",
            "Any number of restarts that keep the whole window breaks nothing, 5 in flight",
            all(KAFKA),
            PropertyId::ALL,
        )
        .from("kafka-facts H1; S1.10"),
        Claim::holds(
            "retry-during-recovery",
            "B1",
            "A retry that arrives while a broker recovers, and is refused for the moment, is \
             recognised afterwards",
            Conditions {
                refusals_before_append: Budget::Any,
                in_flight_per: InFlightPer::Span,
                rule: &STRICT,
                ..all(REAL)
            },
            PropertyId::ALL,
        )
        .from("kafka-facts 3.3"),
    ]
}
