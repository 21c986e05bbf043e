//! C: what would close the holes. The hardened rule and client, under every fault together.

use retryproof_properties::PropertyId::{self, *};

use crate::conditions::{Budget, Conditions, Expiry, InFlightPer, RestartKeeps, Validation};
use crate::policies::HARDENED as CLIENT;
use crate::rules::HARDENED as RULE;

use super::{all_but, Claim};

/// The broker's half and the client's half.
const HARDENED: Conditions = Conditions {
    rule: &RULE,
    client: &CLIENT,
    in_flight_per: InFlightPer::Span,
    ..Conditions::KAFKA
};

/// Any number of restarts, each of which keeps the whole window.
const fn restarting(world: Conditions) -> Conditions {
    Conditions {
        restarts: Budget::Any,
        restart_keeps: RestartKeeps::All,
        ..world
    }
}

/// So many expiries by the wall clock, refusals for good (duplicates are looked up first)
/// and delivery timeouts.
const fn failing(times: Budget, world: Conditions) -> Conditions {
    Conditions {
        expiries: times,
        expiry: Expiry::WallClock,
        fatal_refusals: times,
        validation: Validation::AfterLookup,
        delivery_timeouts: times,
        ..world
    }
}

/// Any number of refusals and errors that may be retried.
const fn answering(world: Conditions) -> Conditions {
    Conditions {
        refusals_before_append: Budget::Any,
        errors_after_append: Budget::Any,
        ..world
    }
}

/// A fold that is gone, and a word that was true when it was said: see the statements.
const INHERENT: &[PropertyId] = &[RetryRecognised, LogIsFold];

pub(super) fn claims() -> Vec<Claim> {
    let small = |connections| Conditions {
        in_flight: 2,
        window: 2,
        connections,
        ..HARDENED
    };
    let real = |connections| Conditions {
        connections,
        ..HARDENED
    };
    vec![
        Claim::holds(
            "hardened",
            "C",
            "The hardened broker and client are as safe as Kafka's where Kafka's are",
            HARDENED,
            PropertyId::ALL,
        )
        .from("ours"),
        Claim::holds(
            "hardened-restarts-and-errors",
            "C",
            "Any number of restarts, and of refusals and errors that may be retried, breaks nothing, \
             5 in flight, any length",
            restarting(answering(real(2))),
            PropertyId::ALL,
        )
        .from("ours"),
        Claim::holds(
            "hardened-everything-small",
            "C",
            "Any number of restarts, expiries, refusals, errors, refusals for good and delivery \
             timeouts together breaks nothing, but that an expired state is no fold and that a \
             leftover may be written after its retry was refused for good, 2 in flight, any length",
            restarting(failing(Budget::Any, answering(small(2)))),
            &all_but(INHERENT),
        )
        .deep()
        .from("ours"),
        Claim::holds(
            "hardened-everything-once-small",
            "C",
            "Any number of restarts with one expiry, one refusal for good and one delivery timeout, 2 in \
             flight, any length",
            restarting(failing(Budget::ONE, small(2))),
            &all_but(INHERENT),
        )
        .from("ours"),
        Claim::holds(
            "hardened-everything-once",
            "C",
            "Any number of restarts with one expiry, one refusal for good and one delivery timeout, \
             where nothing is left over, 5 in flight, any length",
            restarting(failing(Budget::ONE, real(1))),
            &all_but(&[LogIsFold]),
        )
        .from("ours"),
        Claim::holds(
            "hardened-everything-once-leftovers",
            "C",
            "The same with what a dead connection left over, 5 in flight, any length",
            restarting(failing(Budget::ONE, real(2))),
            &all_but(INHERENT),
        )
        .deep()
        .from("ours"),
        Claim::holds(
            "hardened-restarts-and-failures",
            "C",
            "Any number of restarts and one refusal for good, with leftovers, 5 in flight, any length",
            restarting(Conditions {
                fatal_refusals: Budget::ONE,
                validation: Validation::AfterLookup,
                ..real(2)
            }),
            &all_but(&[RetryRecognised]),
        )
        .from("ours"),
    ]
}
