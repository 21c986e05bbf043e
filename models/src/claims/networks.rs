//! Stateright's own networks instead of connections: which verdicts change.
//!
//! They are over-approximations. What holds there holds the more on connections; what is
//! refuted there alone is what the order of a connection protects from.

use retryproof_properties::PropertyId::{self, *};

use crate::conditions::{Conditions, ProducerKnown};
use crate::network::NetworkKind;

use super::{all_but, Claim};

pub(super) fn claims() -> Vec<Claim> {
    [one_in_flight(), ordered(), unordered(), duplicating()].concat()
}

fn two_by_two(network: NetworkKind) -> Conditions {
    Conditions {
        network,
        in_flight: 2,
        window: 2,
        connections: 2,
        producer_state: ProducerKnown::Known,
        ..Conditions::KAFKA
    }
}

fn one_in_flight() -> Vec<Claim> {
    [
        NetworkKind::Ordered,
        NetworkKind::Unordered,
        NetworkKind::Duplicating,
    ]
    .into_iter()
    .map(|network| {
        Claim::holds(
            format!("network-{}-one-in-flight", network.name()),
            "B10",
            format!("One in flight is safe on an {} network too", network.name())
                .replace("an duplicating", "a duplicating"),
            Conditions {
                in_flight: 1,
                window: 1,
                producer_state: ProducerKnown::New,
                ..two_by_two(network)
            },
            PropertyId::ALL,
        )
        .from("architecture: over-approximations")
    })
    .collect()
}

/// The verdicts on one kind of network: these properties are refuted, the others hold.
fn verdicts(network: NetworkKind, why: &str, refuted: &[PropertyId]) -> Vec<Claim> {
    let kind = network.name();
    let mut claims: Vec<Claim> = refuted
        .iter()
        .map(|property| {
            Claim::refuted(
                format!("network-{kind}-{}", property.id()),
                "B10",
                format!("{} survives {why}, 2 in flight, window 2", property.id()),
                two_by_two(network),
                &[*property],
            )
            .from("kafka-facts 5.7 and Q1 B")
        })
        .collect();
    claims.push(
        Claim::holds(
            format!("network-{kind}-keeps-the-rest"),
            "B10",
            format!("All other properties survive {why}, 2 in flight, window 2"),
            two_by_two(network),
            &all_but(refuted),
        )
        .from("kafka-facts 5.7"),
    );
    claims
}

fn ordered() -> Vec<Claim> {
    verdicts(
        NetworkKind::Ordered,
        "the loss of a single answer while later ones arrive",
        &[RetryRecognised, EveryBatchDecided],
    )
}

fn unordered() -> Vec<Claim> {
    verdicts(
        NetworkKind::Unordered,
        "messages that overtake each other",
        &[NoDuplicate, RetryRecognised, EveryBatchDecided],
    )
}

fn duplicating() -> Vec<Claim> {
    verdicts(
        NetworkKind::Duplicating,
        "messages that overtake each other and arrive twice",
        &[
            NoDuplicate,
            RetryRecognised,
            NoFalseFailure,
            EveryBatchDecided,
        ],
    )
}
