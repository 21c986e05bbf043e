//! Different engines and search orders see the same world: Stateright breadth-first and
//! depth-first, on one thread and on two, and the survey count the same states and steps
//! and find the same properties violated; and the shortest counterexample is as long as
//! the one that a plain breadth-first walk of this file finds.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use retryproof_models::checking::{self, Limits, Outcome, Silent};
use retryproof_models::conditions::{
    AppendOrder, Budget, Conditions, Expiry, Fault, InFlightPer, ProducerKnown, RestartKeeps,
    Validation,
};
use retryproof_models::network::NetworkKind;
use retryproof_models::policies::{mutants as policy, HARDENED, PATIENT, PLAIN, STOP};
use retryproof_models::rules::{mutants as rule, BUFFERING, STRICT};
use retryproof_models::world::{FlatWorld, Properties, State};
use retryproof_properties::PropertyId;
use stateright::{Checker, HasDiscoveries, Model};

const KAFKA: Conditions = Conditions::KAFKA;

/// One dead connection.
const TWO_BY_TWO: Conditions = Conditions {
    in_flight: 2,
    window: 2,
    connections: 2,
    ..KAFKA
};

/// Worlds in which every property holds.
fn holding() -> Vec<Conditions> {
    vec![
        Conditions {
            in_flight: 1,
            window: 1,
            ..TWO_BY_TWO
        },
        TWO_BY_TWO,
        Conditions {
            connections: 3,
            ..TWO_BY_TWO
        },
        Conditions {
            batches: Budget::AtMost(5),
            ..TWO_BY_TWO
        },
        Conditions {
            connections: 2,
            ..KAFKA
        },
    ]
}

/// Worlds in which some property is refuted.
fn refuted() -> Vec<Conditions> {
    let three_by_two = Conditions {
        in_flight: 3,
        ..TWO_BY_TWO
    };
    vec![
        three_by_two,
        Conditions {
            client: &STOP,
            ..three_by_two
        },
        Conditions {
            in_flight: 6,
            connections: 2,
            ..KAFKA
        },
        Conditions {
            client: &PLAIN,
            window: KAFKA.window,
            ..TWO_BY_TWO
        },
        on(NetworkKind::Ordered),
        on(NetworkKind::Unordered),
        on(NetworkKind::Duplicating),
        Conditions {
            rule: &BUFFERING,
            ..on(NetworkKind::Unordered)
        },
        Conditions {
            producer_state: ProducerKnown::Known,
            ..on(NetworkKind::Unordered)
        },
        Conditions {
            rule: &rule::CHANGES_STATE_ON_REJECT,
            batches: Budget::AtMost(3),
            ..on(NetworkKind::Unordered)
        },
        Conditions {
            client: &policy::MATCHES_HEAD_OF_LINE,
            batches: Budget::AtMost(3),
            ..on(NetworkKind::Unordered)
        },
    ]
}

/// Worlds with faults; in most of them some property is refuted.
fn with_faults() -> Vec<Conditions> {
    let alone = Conditions {
        connections: 1,
        ..TWO_BY_TWO
    };
    let bounded = Conditions {
        batches: Budget::AtMost(3),
        disconnects: Budget::ONE,
        ..TWO_BY_TWO
    };
    vec![
        Conditions {
            restarts: Budget::Any,
            restart_keeps: RestartKeeps::All,
            ..TWO_BY_TWO
        },
        Conditions {
            restarts: Budget::ONE,
            ..TWO_BY_TWO
        },
        Conditions {
            restarts: Budget::ONE,
            restart_keeps: RestartKeeps::Nothing,
            ..alone
        },
        Conditions {
            expiries: Budget::ONE,
            ..alone
        },
        Conditions {
            expiries: Budget::Any,
            expiry: Expiry::WallClock,
            ..TWO_BY_TWO
        },
        Conditions {
            refusals_before_append: Budget::ONE,
            errors_after_append: Budget::ONE,
            ..alone
        },
        Conditions {
            fatal_refusals: Budget::ONE,
            ..alone
        },
        Conditions {
            delivery_timeouts: Budget::ONE,
            client: &PATIENT,
            ..alone
        },
        Conditions {
            rule: &STRICT,
            client: &HARDENED,
            in_flight_per: InFlightPer::Span,
            restarts: Budget::ONE,
            restart_keeps: RestartKeeps::All,
            fatal_refusals: Budget::ONE,
            validation: Validation::AfterLookup,
            delivery_timeouts: Budget::ONE,
            ..alone
        },
        Conditions {
            append_failures: Budget::ONE,
            append_order: AppendOrder::StateFirst,
            restarts: Budget::ONE,
            ..bounded
        },
        Conditions {
            append_failures: Budget::ONE,
            append_order: AppendOrder::EndLast,
            ..bounded
        },
        Conditions {
            sequence_modulus: Some(3),
            refusals_before_append: Budget::ONE,
            batches: Budget::AtMost(5),
            ..bounded
        },
        Conditions {
            max_epoch: Some(0),
            rule: &STRICT,
            client: &HARDENED,
            in_flight_per: InFlightPer::Span,
            fatal_refusals: Budget::ONE,
            validation: Validation::AfterLookup,
            ..bounded
        },
        Conditions {
            records_per_batch: 2,
            fatal_refusals: Budget::ONE,
            batches: Budget::AtMost(2),
            ..bounded
        },
        Conditions {
            client: &PATIENT,
            cancellations: Budget::ONE,
            delivery_timeouts: Budget::ONE,
            ..bounded
        },
    ]
}

fn on(network: NetworkKind) -> Conditions {
    Conditions {
        network,
        ..TWO_BY_TWO
    }
}

/// What one walk over a world found.
#[derive(Debug, PartialEq, Eq)]
struct Seen {
    unique: usize,
    generated: usize,
    violated: BTreeSet<&'static str>,
}

#[derive(Clone, Copy, Debug)]
enum Order {
    BreadthFirst,
    DepthFirst,
}

fn by_stateright(conditions: Conditions, order: Order, threads: usize) -> Seen {
    // In these worlds no property is about the end of a run, so that one is never violated
    // and Stateright has no reason to end early.
    let search = FlatWorld::new(conditions).checker().threads(threads);
    match order {
        Order::BreadthFirst => seen(&search.spawn_bfs().join()),
        Order::DepthFirst => seen(&search.spawn_dfs().join()),
    }
}

fn seen(checker: &impl Checker<FlatWorld>) -> Seen {
    Seen {
        unique: checker.unique_state_count(),
        generated: checker.state_count(),
        violated: checker.discoveries().into_keys().collect(),
    }
}

fn by_survey(conditions: &Conditions) -> Seen {
    let survey = checking::survey(conditions, &Limits::default(), &Silent);
    assert_eq!(survey.cut, None, "{conditions}");
    Seen {
        unique: survey.counts.unique,
        generated: survey.counts.generated,
        violated: ids(survey.violated),
    }
}

fn ids(properties: Properties) -> BTreeSet<&'static str> {
    properties.iter().map(PropertyId::id).collect()
}

/// A walk that owes nothing to the checking: whole states in a set, ring by ring.
struct Rings {
    seen: Seen,
    /// Steps of the shortest run that violates a property.
    shortest: BTreeMap<&'static str, usize>,
}

impl Rings {
    fn of(conditions: Conditions) -> Rings {
        let world = FlatWorld::new(conditions);
        let mut ring = world.init_states();
        let mut known: HashSet<State> = ring.iter().copied().collect();
        let mut generated = ring.len();
        let mut shortest = BTreeMap::new();
        let mut actions = Vec::new();
        for depth in 0.. {
            let mut next_ring = Vec::new();
            for state in &ring {
                for property in ids(state.violated) {
                    shortest.entry(property).or_insert(depth);
                }
                actions.clear();
                world.actions(state, &mut actions);
                generated += actions.len();
                next_ring.extend(
                    actions
                        .iter()
                        .filter_map(|action| world.next_state(state, *action))
                        .filter(|next| known.insert(*next)),
                );
            }
            if next_ring.is_empty() {
                break;
            }
            ring = next_ring;
        }
        Rings {
            seen: Seen {
                unique: known.len(),
                generated,
                violated: shortest.keys().copied().collect(),
            },
            shortest,
        }
    }
}

/// Compares every walk over one world.
fn agree(conditions: Conditions) -> Rings {
    conditions.validate().expect("conditions that make sense");
    let rings = Rings::of(conditions);
    for order in [Order::BreadthFirst, Order::DepthFirst] {
        for threads in [1, 2] {
            assert_eq!(
                by_stateright(conditions, order, threads),
                rings.seen,
                "{conditions}: Stateright, {order:?}, {threads} threads (left) against the \
                 walk of this file"
            );
        }
    }
    assert_eq!(
        by_survey(&conditions),
        rings.seen,
        "{conditions}: the survey (left) against the walk of this file"
    );
    rings
}

/// Length of the counterexample that Stateright finds on its own.
fn shortest_by_stateright(conditions: Conditions, property: PropertyId) -> Option<usize> {
    let checker = FlatWorld::judged_by(conditions, property)
        .checker()
        .finish_when(HasDiscoveries::Any)
        .spawn_bfs()
        .join();
    Some(checker.discovery(property.id())?.into_actions().len())
}

fn shortest_by_checking(outcome: &Outcome, property: PropertyId) -> Option<usize> {
    Some(outcome.of(property)?.counterexample.as_ref()?.len())
}

#[test]
fn where_every_property_holds() {
    for conditions in holding() {
        let rings = agree(conditions);
        assert_eq!(rings.seen.violated, BTreeSet::new(), "{conditions}");
    }
}

#[test]
fn where_properties_are_refuted() {
    for conditions in refuted() {
        let rings = agree(conditions);
        assert_ne!(rings.seen.violated, BTreeSet::new(), "{conditions}");
    }
}

/// Every fault befalls one of these worlds, and breaks something somewhere.
#[test]
fn where_faults_happen() {
    for fault in Fault::ALL {
        let of_clusters = *fault == Fault::LeaderMove;
        let befalls = |conditions: &Conditions| conditions.has(*fault);
        assert!(
            of_clusters || with_faults().iter().any(befalls),
            "no world has {fault:?}"
        );
    }
    let violated = with_faults()
        .into_iter()
        .flat_map(|conditions| agree(conditions).seen.violated);
    assert_ne!(violated.collect::<BTreeSet<_>>(), BTreeSet::new());
}

#[test]
fn every_counterexample_is_a_shortest() {
    for conditions in refuted().into_iter().chain(with_faults()) {
        let shortest = Rings::of(conditions).shortest;
        let outcome = checking::check(&conditions, PropertyId::ALL, &Limits::default(), &Silent);
        for property in PropertyId::ALL {
            // Not seen in single states but decided on the graph: see the next test.
            if *property == PropertyId::EveryBatchDecided {
                continue;
            }
            let wanted = shortest.get(property.id()).copied();
            assert_eq!(
                shortest_by_checking(&outcome, *property),
                wanted,
                "{conditions}, {property}: the run that is told (left) against the walk of \
                 this file"
            );
            assert_eq!(
                shortest_by_stateright(conditions, *property),
                wanted,
                "{conditions}, {property}: Stateright (left) against the walk of this file"
            );
        }
    }
}

/// A bounded world with batches to spare has a shortest run of the same length.
#[test]
fn a_shortest_run_is_as_long_with_real_numbers() {
    let worlds = refuted().into_iter().chain(with_faults());
    let mut compared = 0;
    for conditions in worlds.filter(Conditions::any_length) {
        let outcome = checking::check(&conditions, PropertyId::ALL, &Limits::default(), &Silent);
        for found in &outcome.properties {
            let is_on_the_graph = found.property == PropertyId::EveryBatchDecided;
            let Some(run) = found.counterexample.as_ref().filter(|_| !is_on_the_graph) else {
                continue;
            };
            let kinds = run.kinds();
            let sent = kinds.iter().filter(|kind| **kind == "send").count();
            let bounded = Conditions {
                batches: Budget::AtMost(sent as u8 + 2),
                ..conditions
            };
            assert_eq!(
                shortest_by_stateright(bounded, found.property),
                Some(run.len()),
                "{conditions}, {}: with real numbers (left) and of any length",
                found.property
            );
            compared += 1;
        }
    }
    assert!(compared > 20, "only {compared} runs");
}

/// Whether all batches can still be decided, state by state and without the graph: from
/// each state a walk of its own over the steps that are no fault.
fn first_stuck_ring(conditions: Conditions) -> Option<usize> {
    let world = FlatWorld::new(conditions);
    let mut ring = world.init_states();
    let mut known: HashSet<State> = ring.iter().copied().collect();
    for depth in 0.. {
        if ring.is_empty() {
            return None;
        }
        if ring.iter().any(|state| !can_be_decided(&world, state)) {
            return Some(depth);
        }
        let nexts = ring
            .iter()
            .flat_map(|state| successors(&world, state, false));
        let nexts: Vec<State> = nexts.collect();
        ring = nexts
            .into_iter()
            .filter(|next| known.insert(*next))
            .collect();
    }
    None
}

fn can_be_decided(world: &FlatWorld, state: &State) -> bool {
    let mut pending = vec![*state];
    let mut known = HashSet::from([*state]);
    while let Some(state) = pending.pop() {
        if state.ledger.undecided.lowest().is_none() {
            return true;
        }
        let nexts = successors(world, &state, true);
        pending.extend(nexts.into_iter().filter(|next| known.insert(*next)));
    }
    false
}

fn successors(world: &FlatWorld, state: &State, without_faults: bool) -> Vec<State> {
    let mut actions = Vec::new();
    world.actions(state, &mut actions);
    actions
        .into_iter()
        .filter(|action| !(without_faults && action.is_fault(world.conditions.network)))
        .filter_map(|action| world.next_state(state, action))
        .collect()
}

#[test]
fn liveness_is_the_same_state_by_state_as_on_the_graph() {
    let worlds = holding().into_iter().chain(refuted()).chain(with_faults());
    let small = worlds.filter(|conditions| conditions.in_flight <= 3);
    let mut stuck = 0;
    for conditions in small {
        let survey = checking::survey(&conditions, &Limits::default(), &Silent);
        let on_the_graph = survey.stuck.map(|run| run.len());
        assert_eq!(
            on_the_graph,
            first_stuck_ring(conditions),
            "{conditions}: the survey (left) against the walk of this file"
        );
        stuck += usize::from(on_the_graph.is_some());
    }
    assert!(
        stuck > 0,
        "no world of this file has a state without a way out"
    );
}
