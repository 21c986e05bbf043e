//! The shift is sound: bringing a state to normal form is a bisimulation that keeps every
//! property's verdict.
//!
//! A bounded world with real numbers is explored. For each state, the steps from the state
//! and the steps from its normal form must lead, by the same kinds of action, to the same
//! normal forms with the same violations; but for sends where the bound forbids one. A field that
//! the quotient forgets although it matters shows up here as a difference.

use std::collections::{BTreeMap, HashSet};

use retryproof_models::conditions::{
    Budget, Conditions, Expiry, InFlightPer, ProducerKnown, RestartKeeps,
};
use retryproof_models::network::NetworkKind;
use retryproof_models::policies::{self, LateAnswers, Policy, PIPELINING, PLAIN, STOP};
use retryproof_models::producer::ProducerConfig;
use retryproof_models::quotient;
use retryproof_models::rules::{self, Rule};
use retryproof_models::world::{actions, initial_state, step, Action, Quiet, State};

/// The log of a bounded world grows by duplicates without end: states with a longer one
/// are not looked at.
const MAX_LOG: i8 = 14;

fn normal_form(any_length: &Conditions, state: &State) -> State {
    let mut normal = *state;
    quotient::normalise(any_length, &mut normal);
    normal
        .network
        .sort(any_length.network, any_length.connections.into());
    normal
}

fn possible(conditions: &Conditions, state: &State) -> Vec<Action> {
    let mut found = Vec::new();
    actions(conditions, state, &mut found);
    found
}

fn kind(state: &State, action: &Action) -> &'static str {
    action.kind(state.producer.bump_wanted)
}

/// Where the steps from a state lead, by kind of action, in normal form.
fn steps_from(
    world: &Conditions,
    any_length: &Conditions,
    state: &State,
) -> HashSet<(&'static str, State)> {
    possible(world, state)
        .into_iter()
        .map(|action| {
            let next = step(world, state, action, &mut Quiet);
            (kind(state, &action), normal_form(any_length, &next))
        })
        .collect()
}

/// What a walk over a bounded world found.
struct Walk {
    states: usize,
    compared: usize,
    classes: HashSet<State>,
    first_difference: Option<String>,
}

/// Walks over the bounded world and compares each state with its normal form under
/// `folding` (the conditions by which states are folded: those of the world, but in the
/// test that shows that a wrong fold is found).
fn walk(bounded: Conditions, folding: Conditions) -> Walk {
    let any_length = Conditions {
        batches: Budget::Any,
        ..bounded
    };
    let Budget::AtMost(batches) = bounded.batches else {
        panic!("the walk needs a bounded world");
    };
    let start = initial_state(&bounded);
    let mut seen = HashSet::from([start]);
    let mut pending = vec![start];
    let mut walk = Walk {
        states: 0,
        compared: 0,
        classes: HashSet::new(),
        first_difference: None,
    };
    while let Some(state) = pending.pop() {
        walk.states += 1;
        assert!(walk.states < 3_000_000, "the bounded world is too large");
        let normal = normal_form(&folding, &state);
        walk.classes.insert(normal);
        let bound_forbids_a_send = state.producer.next_record as u8 >= batches
            && state.producer.can_send(&ProducerConfig::of(&bounded));
        let real = steps_from(&bounded, &folding, &state);
        let mut folded = steps_from(&any_length, &folding, &normal);
        if bound_forbids_a_send {
            folded.retain(|(kind, _)| *kind != "send");
        } else {
            walk.compared += 1;
        }
        if real != folded && walk.first_difference.is_none() {
            walk.first_difference = Some(difference(&state, &normal, &real, &folded));
        }
        for action in possible(&bounded, &state) {
            let next = step(&bounded, &state, action, &mut Quiet);
            if next.ledger.log_end <= MAX_LOG && seen.insert(next) {
                pending.push(next);
            }
        }
    }
    walk
}

fn difference(
    state: &State,
    normal: &State,
    real: &HashSet<(&'static str, State)>,
    folded: &HashSet<(&'static str, State)>,
) -> String {
    let list = |steps: Vec<&(&'static str, State)>| -> String {
        steps
            .iter()
            .map(|(kind, state)| format!("\n- {kind} leads to\n{state:?}"))
            .collect()
    };
    format!(
        "in state\n{state:?}\nwith normal form\n{normal:?}\nonly with real numbers:{}\nonly from the normal form:{}",
        list(real.difference(folded).collect()),
        list(folded.difference(real).collect()),
    )
}

/// All representatives that a world of any length reaches.
fn representatives(conditions: &Conditions) -> HashSet<State> {
    let start = initial_state(conditions);
    let mut seen = HashSet::from([start]);
    let mut pending = vec![start];
    while let Some(state) = pending.pop() {
        for action in possible(conditions, &state) {
            let next = step(conditions, &state, action, &mut Quiet);
            if seen.insert(next) {
                pending.push(next);
            }
        }
    }
    seen
}

fn world(in_flight: u8, window: u8, connections: u8, batches: u8) -> Conditions {
    Conditions {
        in_flight,
        window,
        connections,
        batches: Budget::AtMost(batches),
        ..Conditions::KAFKA
    }
}

/// The bounded world agrees with the quotient step by step, and reaches no class that the
/// quotient does not; with `complete`, it reaches all of them.
fn agrees(bounded: Conditions, complete: bool) {
    let any_length = Conditions {
        batches: Budget::Any,
        ..bounded
    };
    any_length.validate().expect("sensible conditions");
    let walk = walk(bounded, any_length);
    if let Some(difference) = &walk.first_difference {
        panic!("{bounded}: {difference}");
    }
    assert!(
        walk.compared > walk.states / 4,
        "{bounded}: hardly compared"
    );
    let representatives = representatives(&any_length);
    let beyond = walk.classes.difference(&representatives).next();
    assert_eq!(
        beyond, None,
        "{bounded}: a class that the quotient never reaches"
    );
    if complete {
        assert_eq!(
            walk.classes.len(),
            representatives.len(),
            "{bounded}: the bounded world reaches fewer classes"
        );
    }
}

#[test]
fn within_the_window() {
    agrees(world(1, 1, 2, 5), true);
    agrees(world(2, 2, 2, 8), true);
    agrees(world(2, 2, 3, 9), true);
    agrees(world(3, 3, 2, 10), true);
    agrees(world(2, 4, 2, 10), true);
}

#[test]
fn five_in_flight() {
    agrees(world(5, 5, 2, 9), false);
    agrees(world(5, 5, 3, 8), false);
}

#[test]
fn beyond_the_window_with_epoch_bumps() {
    agrees(world(2, 1, 2, 5), false);
    agrees(world(3, 2, 2, 5), false);
    agrees(world(6, 5, 2, 7), false);
}

#[test]
fn every_rule() {
    for rule in rules::ALL {
        agrees(with_rule(world(2, 2, 2, 6), rule), false);
        agrees(with_rule(world(3, 2, 2, 5), rule), false);
    }
}

/// They write duplicates with every disconnect, so these are counted.
#[test]
fn published_rules() {
    let published = rules::published::ALL.iter();
    for rule in published.filter(|rule| rule.any_length) {
        let counted = Conditions {
            disconnects: Budget::AtMost(2),
            ..world(2, 2, 2, 4)
        };
        agrees(with_rule(counted, rule), false);
    }
}

fn with_rule(conditions: Conditions, rule: &'static Rule) -> Conditions {
    Conditions { rule, ..conditions }
}

#[test]
fn every_client() {
    for client in [&STOP, &PIPELINING] {
        agrees(
            Conditions {
                client,
                ..world(3, 2, 2, 5)
            },
            false,
        );
    }
    agrees(
        Conditions {
            client: &PLAIN,
            disconnects: Budget::AtMost(2),
            ..world(2, 5, 2, 3)
        },
        false,
    );
}

#[test]
fn every_network() {
    for network in NetworkKind::ALL {
        let batches = match network {
            NetworkKind::Session | NetworkKind::Ordered => 4,
            NetworkKind::Unordered | NetworkKind::Duplicating => 3,
        };
        for producer_state in [ProducerKnown::New, ProducerKnown::Known] {
            for rule in rules::ALL {
                agrees(
                    Conditions {
                        network: *network,
                        producer_state,
                        ..with_rule(world(2, 2, 2, batches), rule)
                    },
                    false,
                );
            }
        }
    }
}

#[test]
fn a_client_that_stops_on_every_network() {
    for network in NetworkKind::ALL {
        agrees(
            Conditions {
                network: *network,
                client: &STOP,
                ..world(2, 1, 2, 3)
            },
            false,
        );
    }
}

#[test]
fn counted_disconnects() {
    agrees(
        Conditions {
            disconnects: Budget::AtMost(2),
            ..world(3, 3, 3, 6)
        },
        false,
    );
}

/// A world with two in flight and these faults.
fn with_faults(change: impl Fn(&mut Conditions)) -> Conditions {
    let mut conditions = world(2, 2, 2, 4);
    change(&mut conditions);
    conditions
}

#[test]
fn restarts() {
    let bounded_only = RestartKeeps::AllButNewest;
    for keeps in RestartKeeps::ALL
        .iter()
        .filter(|keeps| **keeps != bounded_only)
    {
        for rule in [
            &rules::KAFKA_4,
            &rules::STRICT,
            &rules::KAFKA_4_5,
            &rules::KAFKA_1_1,
        ] {
            let restarting = with_faults(|world| {
                world.rule = rule;
                world.restarts = Budget::ONE;
                world.restart_keeps = *keeps;
            });
            agrees(restarting, false);
        }
    }
}

#[test]
fn restarts_without_end() {
    agrees(
        with_faults(|world| {
            world.restarts = Budget::Any;
            world.restart_keeps = RestartKeeps::All;
        }),
        false,
    );
}

#[test]
fn expiry() {
    for expiry in Expiry::ALL {
        for rule in [
            &rules::KAFKA_4,
            &rules::STRICT,
            &rules::KAFKA_4_5,
            &rules::KAFKA_1_1,
        ] {
            let expiring = with_faults(|world| {
                world.rule = rule;
                world.expiries = Budget::ONE;
                world.expiry = *expiry;
                world.disconnects = Budget::AtMost(2);
            });
            agrees(expiring, false);
        }
    }
}

#[test]
fn refusals_and_errors() {
    agrees(
        with_faults(|world| world.refusals_before_append = Budget::ONE),
        false,
    );
    agrees(
        with_faults(|world| world.errors_after_append = Budget::ONE),
        false,
    );
    agrees(
        with_faults(|world| {
            world.refusals_before_append = Budget::ONE;
            world.rule = &rules::STRICT;
        }),
        false,
    );
}

/// Delivery timeouts, for clients that are known with them in runs of any length.
fn timeouts(client: &Policy, often: Budget) -> Budget {
    match client.late_answers {
        LateAnswers::Ignored => often,
        LateAnswers::Heeded => Budget::NONE,
    }
}

#[test]
fn refusals_for_good_and_timeouts() {
    for client in [&policies::JAVA_4, &policies::PATIENT, &STOP] {
        agrees(
            with_faults(|world| {
                world.client = client;
                world.fatal_refusals = Budget::ONE;
                world.disconnects = Budget::AtMost(2);
            }),
            false,
        );
        agrees(
            with_faults(|world| {
                world.client = client;
                world.delivery_timeouts = timeouts(client, Budget::ONE);
                world.disconnects = Budget::AtMost(2);
            }),
            false,
        );
    }
}

#[test]
fn timeouts_and_refusals_without_end() {
    for client in [&policies::JAVA_4, &policies::HARDENED] {
        for rule in [&rules::KAFKA_4, &rules::STRICT] {
            let without_end = with_faults(|world| {
                world.client = client;
                world.rule = rule;
                world.batches = Budget::AtMost(3);
                world.disconnects = Budget::ONE;
                world.fatal_refusals = Budget::Any;
                world.delivery_timeouts = timeouts(client, Budget::Any);
                world.restarts = Budget::ONE;
            });
            agrees(without_end, false);
        }
    }
}

#[test]
fn several_faults_together() {
    for (client, rule) in [
        (&policies::HARDENED, &rules::STRICT),
        (&policies::JAVA_4, &rules::KAFKA_4),
    ] {
        let together = |expiry, keeps, in_flight_per| {
            with_faults(|world| {
                world.client = client;
                world.rule = rule;
                world.in_flight_per = in_flight_per;
                world.batches = Budget::AtMost(3);
                world.disconnects = Budget::ONE;
                world.restarts = Budget::ONE;
                world.restart_keeps = keeps;
                world.expiries = Budget::ONE;
                world.expiry = expiry;
                world.fatal_refusals = Budget::ONE;
                world.delivery_timeouts = timeouts(client, Budget::ONE);
            })
        };
        for (expiry, keeps, in_flight_per) in [
            (Expiry::WallClock, RestartKeeps::All, InFlightPer::Span),
            (
                Expiry::ClientTime,
                RestartKeeps::Last,
                InFlightPer::Connection,
            ),
            (Expiry::ClientTime, RestartKeeps::Nothing, InFlightPer::Span),
        ] {
            agrees(together(expiry, keeps, in_flight_per), false);
        }
    }
}

#[test]
fn folding_one_batch_too_many_is_found() {
    let bounded = world(3, 3, 2, 6);
    let too_small_a_window = Conditions {
        window: 2,
        batches: Budget::Any,
        ..bounded
    };
    assert!(walk(bounded, too_small_a_window).first_difference.is_some());
}

#[test]
fn the_known_sizes_of_the_quotient() {
    let sizes: BTreeMap<_, _> = [(1, 2), (2, 2), (3, 3), (5, 3)]
        .into_iter()
        .map(|(size, connections)| {
            let conditions = Conditions {
                batches: Budget::Any,
                ..world(size, size, connections, 1)
            };
            ((size, connections), representatives(&conditions).len())
        })
        .collect();
    let expected = BTreeMap::from([
        ((1, 2), 23),
        ((2, 2), 157),
        ((3, 3), 2_658),
        ((5, 3), 21_624),
    ]);
    assert_eq!(sizes, expected);
}
