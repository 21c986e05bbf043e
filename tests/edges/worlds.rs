//! The worlds, and whose rule is whose.

use std::collections::BTreeMap;

use retryproof::state_manager::Profile;
use retryproof_models::claims::registry;
use retryproof_models::conditions::{Budget, Conditions, ProducerKnown};
use retryproof_models::network::NetworkKind;
use retryproof_models::policies::{JAVA_4, PIPELINING, STOP};
use retryproof_models::rules::{Rule, KAFKA_4, STRICT};

const KAFKA: Conditions = Conditions::KAFKA;

/// Six in flight with two connections: retries below the window, bumps and stale epochs.
pub const BEYOND: Conditions = Conditions {
    in_flight: 6,
    connections: 2,
    ..KAFKA
};

/// The rule that each profile claims to follow.
pub fn rule_of(profile: Profile) -> &'static Rule {
    match profile {
        Profile::Kafka => &KAFKA_4,
        Profile::Hardened => &STRICT,
    }
}

/// The worlds in which decisions are collected, each once.
pub fn worlds(rule: &'static Rule) -> Vec<Conditions> {
    let mut worlds = headline();
    worlds.extend(five_and_more_in_flight());
    worlds.extend(borders());
    worlds.extend(bounded());
    each_once(worlds.into_iter().map(|world| Conditions { rule, ..world }))
}

fn each_once(worlds: impl Iterator<Item = Conditions>) -> Vec<Conditions> {
    let by_flags: BTreeMap<String, Conditions> =
        worlds.map(|world| (world.flags(), world)).collect();
    by_flags.into_values().collect()
}

/// The worlds of the headline claims, but for those about another rule.
pub fn headline() -> Vec<Conditions> {
    let claims = registry().iter();
    let headline = claims.filter(|claim| matches!(claim.question, "A1" | "A2"));
    let worlds = headline.map(|claim| claim.conditions);
    each_once(worlds.filter(|conditions| conditions.rule == &KAFKA_4))
}

/// One to five in flight, and six and eight, with every client, on a new and on a known
/// producer.
fn five_and_more_in_flight() -> Vec<Conditions> {
    let mut worlds = Vec::new();
    for in_flight in [1, 2, 3, 4, 5, 6, 8] {
        for client in [&JAVA_4, &STOP, &PIPELINING] {
            // With more in flight its worlds have millions of states.
            if client == &PIPELINING && in_flight > 5 {
                continue;
            }
            for producer_state in [ProducerKnown::New, ProducerKnown::Known] {
                worlds.push(Conditions {
                    in_flight,
                    client,
                    producer_state,
                    connections: 2,
                    ..KAFKA
                });
            }
        }
    }
    worlds
}

/// Every in-flight limit with every window.
fn borders() -> Vec<Conditions> {
    let sizes = (1..=8).flat_map(|in_flight| (1..=8).map(move |window| (in_flight, window)));
    sizes
        .map(|(in_flight, window)| Conditions {
            in_flight,
            window,
            connections: 2,
            ..KAFKA
        })
        .collect()
}

/// Runs with real numbers from 0, so that epochs, sequences and offsets are what they are
/// after bumps.
pub fn bounded() -> Vec<Conditions> {
    let bounded = Conditions {
        connections: 2,
        disconnects: Budget::AtMost(2),
        ..KAFKA
    };
    vec![
        Conditions {
            in_flight: 6,
            batches: Budget::AtMost(8),
            ..bounded
        },
        Conditions {
            in_flight: 3,
            window: 2,
            batches: Budget::AtMost(6),
            ..bounded
        },
        Conditions {
            in_flight: 3,
            window: 2,
            network: NetworkKind::Unordered,
            batches: Budget::AtMost(4),
            ..bounded
        },
    ]
}
