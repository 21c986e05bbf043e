//! The flat form of a world and its form as Stateright actors are the same world: the same
//! states, from each the same steps, the same violations. Claims are checked on the flat
//! form and read on the actors.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::fmt::Debug;
use std::hash::Hash;

use retryproof_models::conditions::{
    AppendOrder, Budget, Conditions, Expiry, InFlightPer, ProducerKnown, RestartKeeps, Validation,
};
use retryproof_models::mutants;
use retryproof_models::network::NetworkKind;
use retryproof_models::policies::{self, Cancels, Policy, PLAIN};
use retryproof_models::rules::{self, HARDENED, STRICT};
use retryproof_models::world::{
    Action, ActorAction, ActorWorld, DirectWorld, FlatWorld, NetworkIsAnActor, NetworkIsNoActor,
    Properties, State,
};
use retryproof_properties::PropertyId;
use stateright::{Checker, Model};

const KAFKA: Conditions = Conditions::KAFKA;

/// More states than any world of this file has: a test that gets there fails.
const MAX_STATES: usize = 100_000;

/// Small conditions.
fn small(in_flight: u8, window: u8, connections: u8) -> Conditions {
    Conditions {
        in_flight,
        window,
        connections,
        ..KAFKA
    }
}

/// A state space in flat form: from each state, how often which step leads where.
struct Space<Label> {
    steps: HashMap<State, HashMap<(Label, State), usize>>,
}

impl<Label: Eq + Hash + Debug> Space<Label> {
    /// Explores a model layer by layer, to the end if that is no further than `depth`
    /// layers. Every action must lead somewhere, and no two states may have one flat form.
    fn of<M>(
        model: &M,
        depth: usize,
        flatten: impl Fn(&M::State) -> State,
        label: impl Fn(&M::Action) -> Label,
    ) -> Self
    where
        M: Model,
        M::State: Clone + Eq + Hash,
    {
        let mut layer = model.init_states();
        let mut seen: HashSet<M::State> = layer.iter().cloned().collect();
        let mut space = Space {
            steps: HashMap::new(),
        };
        for _ in 0..depth {
            if layer.is_empty() {
                break;
            }
            for state in std::mem::take(&mut layer) {
                let mut actions = Vec::new();
                model.actions(&state, &mut actions);
                let mut steps = HashMap::new();
                for action in actions {
                    let label = label(&action);
                    let Some(next) = model.next_state(&state, action) else {
                        panic!("{label:?} leads nowhere");
                    };
                    *steps.entry((label, flatten(&next))).or_default() += 1;
                    if seen.insert(next.clone()) {
                        layer.push(next);
                    }
                }
                let before = space.steps.insert(flatten(&state), steps);
                assert!(before.is_none(), "two states with one flat form");
            }
            assert!(seen.len() <= MAX_STATES, "larger than any world here");
        }
        space
    }

    fn generated(&self) -> usize {
        self.steps.values().flat_map(HashMap::values).sum()
    }

    fn violated(&self) -> BTreeSet<&'static str> {
        let all = self
            .steps
            .keys()
            .fold(0, |all, state| all | state.violated.0);
        Properties(all).iter().map(PropertyId::id).collect()
    }

    fn assert_same(&self, actors: &Self, conditions: &Conditions) {
        for (state, steps) in &self.steps {
            let Some(of_actors) = actors.steps.get(state) else {
                panic!("{conditions}: the actors never reach\n{state:?}");
            };
            assert_eq!(
                steps, of_actors,
                "{conditions}: steps in flat form (left) and as actors (right) from\n{state:?}"
            );
        }
        assert_eq!(self.steps.len(), actors.steps.len(), "{conditions}: states");
        assert_eq!(self.generated(), actors.generated(), "{conditions}: steps");
        assert_eq!(self.violated(), actors.violated(), "{conditions}: violated");
        let cut = self.steps.keys().any(State::overflow);
        assert!(!cut, "{conditions}: the space is cut");
        println!(
            "{conditions}: {} states, {} steps, violated {:?}",
            self.steps.len(),
            self.generated(),
            self.violated()
        );
    }
}

impl Space<Action> {
    fn kinds(&self) -> BTreeSet<&'static str> {
        let steps = self.steps.iter();
        let kinds = steps.flat_map(|(state, steps)| {
            let bump_wanted = state.producer.bump_wanted;
            steps
                .keys()
                .map(move |(action, _)| action.kind(bump_wanted))
        });
        kinds.collect()
    }
}

/// Compares the flat form with the three actors, down to a depth.
fn agree_down_to(depth: usize, conditions: Conditions) -> Space<Action> {
    conditions.validate().expect("conditions that make sense");
    let chosen = |action: &ActorAction| match action {
        ActorAction::Timeout(_, choice) => *choice,
        other => panic!("not a choice of an actor: {other:?}"),
    };
    let flat = FlatWorld::new(conditions);
    let flat = Space::of(&flat, depth, |state| *state, |action| *action);
    let actors = ActorWorld::new(conditions).expect("a session network");
    let actors = Space::of(&actors, depth, |state| state.flatten(), chosen);
    flat.assert_same(&actors, &conditions);
    flat
}

/// Compares the flat form with the three actors, to the end.
fn agree(conditions: Conditions) -> Space<Action> {
    agree_down_to(usize::MAX, conditions)
}

/// Compares the flat form with two actors on Stateright's own network, down to a depth.
fn agree_on(network: NetworkKind, depth: usize, conditions: Conditions) {
    let conditions = Conditions {
        network,
        ..conditions
    };
    conditions.validate().expect("conditions that make sense");
    let flat = FlatWorld::new(conditions);
    let flat = Space::of(&flat, depth, |state| *state, |_| ());
    let actors = DirectWorld::new(conditions).expect("one of Stateright's networks");
    let actors = Space::of(&actors, depth, |state| state.flatten(), |_| ());
    flat.assert_same(&actors, &conditions);
}

#[test]
fn on_runs_of_any_length() {
    for (in_flight, connections) in [(1, 1), (1, 2), (2, 2), (2, 3), (2, 4)] {
        agree(small(in_flight, in_flight, connections));
    }
}

#[test]
fn on_bounded_runs() {
    for connections in 1..=3 {
        agree(Conditions {
            batches: Budget::AtMost(4),
            ..small(2, 2, connections)
        });
    }
}

#[test]
fn where_more_is_in_flight_than_the_window_holds() {
    for conditions in [small(3, 2, 2), small(6, 5, 2)] {
        assert!(agree(conditions).violated().contains("no-duplicate"));
    }
}

/// Together the worlds of this file take steps of every kind, so nothing agrees for want of
/// a case.
#[test]
fn in_steps_of_every_kind() {
    let mut kinds = BTreeSet::new();
    for conditions in bounded_faults().into_iter().chain(faults_of_any_length()) {
        kinds.extend(agree(conditions).kinds());
    }
    assert_eq!(kinds, Action::KINDS.iter().copied().collect());
}

/// Restarts, expiries, refusals, errors and timeouts in runs of any length.
fn faults_of_any_length() -> Vec<Conditions> {
    let mut worlds = Vec::new();
    for keeps in RestartKeeps::ALL {
        if *keeps != RestartKeeps::AllButNewest {
            worlds.push(Conditions {
                restarts: Budget::Any,
                restart_keeps: *keeps,
                ..small(2, 2, 2)
            });
        }
    }
    for expiry in Expiry::ALL {
        worlds.push(Conditions {
            expiries: Budget::ONE,
            expiry: *expiry,
            ..small(2, 2, 1)
        });
    }
    for validation in Validation::ALL {
        worlds.push(Conditions {
            fatal_refusals: Budget::ONE,
            validation: *validation,
            ..small(2, 2, 1)
        });
    }
    worlds.extend([
        Conditions {
            rule: &STRICT,
            in_flight_per: InFlightPer::Span,
            refusals_before_append: Budget::Any,
            errors_after_append: Budget::Any,
            ..small(2, 2, 1)
        },
        Conditions {
            delivery_timeouts: Budget::ONE,
            ..small(2, 2, 1)
        }
        .of_any_length_or(3),
        Conditions {
            rule: &HARDENED,
            client: &policies::HARDENED,
            in_flight_per: InFlightPer::Span,
            restarts: Budget::ONE,
            restart_keeps: RestartKeeps::All,
            expiries: Budget::ONE,
            expiry: Expiry::WallClock,
            fatal_refusals: Budget::ONE,
            validation: Validation::AfterLookup,
            delivery_timeouts: Budget::ONE,
            ..small(2, 2, 1)
        },
    ]);
    worlds
}

/// Faults that are modelled in bounded runs only, for every client.
fn bounded_faults() -> Vec<Conditions> {
    let bounded = Conditions {
        batches: Budget::AtMost(3),
        disconnects: Budget::ONE,
        ..small(2, 2, 2)
    };
    let mut worlds = vec![Conditions {
        restarts: Budget::ONE,
        restart_keeps: RestartKeeps::AllButNewest,
        ..bounded
    }];
    for append_order in AppendOrder::ALL {
        worlds.push(Conditions {
            append_failures: Budget::ONE,
            append_order: *append_order,
            restarts: Budget::ONE,
            ..bounded
        });
    }
    for client in policies::ALL.iter().filter(|client| client.idempotent) {
        // At the wrap, where epochs run out, where batches are split, cancelled or time out.
        worlds.extend([
            Conditions {
                client,
                sequence_modulus: Some(3),
                refusals_before_append: Budget::ONE,
                batches: Budget::AtMost(5),
                ..bounded
            },
            Conditions {
                client,
                max_epoch: Some(1),
                rule: &STRICT,
                in_flight_per: InFlightPer::Span,
                fatal_refusals: Budget::AtMost(2),
                validation: Validation::AfterLookup,
                ..bounded
            },
            Conditions {
                client,
                records_per_batch: 2,
                fatal_refusals: Budget::ONE,
                batches: Budget::AtMost(2),
                ..bounded
            },
            Conditions {
                client,
                cancellations: cancellations(client),
                delivery_timeouts: Budget::ONE,
                ..bounded
            },
        ]);
    }
    worlds
}

/// One cancellation, where the client allows any.
fn cancellations(client: &Policy) -> Budget {
    match client.cancels {
        Cancels::Never => Budget::NONE,
        Cancels::WhatWaits | Cancels::WhatIsNowhere => Budget::ONE,
    }
}

/// Down to a depth at which all of them can have happened.
#[test]
fn where_all_faults_happen() {
    for (rule, client) in [(KAFKA.rule, KAFKA.client), (&HARDENED, &policies::HARDENED)] {
        agree_down_to(
            9,
            Conditions {
                rule,
                client,
                in_flight_per: InFlightPer::Span,
                restarts: Budget::ONE,
                expiries: Budget::ONE,
                refusals_before_append: Budget::ONE,
                errors_after_append: Budget::ONE,
                fatal_refusals: Budget::ONE,
                delivery_timeouts: Budget::ONE,
                cancellations: cancellations(client),
                append_failures: Budget::ONE,
                records_per_batch: 2,
                sequence_modulus: Some(7),
                max_epoch: Some(1),
                batches: Budget::AtMost(3),
                ..small(2, 2, 1)
            },
        );
    }
}

#[test]
fn for_every_rule_and_policy() {
    for rule in rules::ALL {
        for client in policies::ALL.iter().filter(|client| client.idempotent) {
            for in_flight in [2, 3] {
                let conditions = Conditions {
                    rule,
                    client,
                    ..small(in_flight, 2, 2)
                };
                agree(conditions);
            }
        }
    }
}

/// Every rule under faults that it does not meet elsewhere.
#[test]
fn for_every_rule_that_forgets_and_refuses() {
    for rule in rules::ALL {
        agree(Conditions {
            rule,
            restarts: Budget::ONE,
            expiries: Budget::ONE,
            refusals_before_append: Budget::ONE,
            batches: Budget::AtMost(3),
            disconnects: Budget::ONE,
            ..small(2, 2, 1)
        });
    }
}

#[test]
fn without_idempotence() {
    let space = agree(Conditions {
        client: &PLAIN,
        ..small(2, KAFKA.window, 2)
    });
    assert!(space.violated().contains("no-duplicate"));
}

/// Down to a depth: the world of a mutant may have no end.
#[test]
fn for_every_mutant_and_published_fault() {
    let rules = rules::mutants::ALL.iter().chain(rules::published::ALL);
    let rules = rules.map(|rule| (*rule, KAFKA.client));
    let clients = policies::mutants::ALL.iter();
    let clients = clients.chain(policies::published::ALL);
    let clients = clients.map(|client| (KAFKA.rule, *client));
    for (rule, client) in rules.chain(clients) {
        let conditions = Conditions {
            rule,
            client,
            batches: Budget::AtMost(3),
            ..small(2, 2, 2)
        };
        agree_down_to(12, conditions);
    }
}

/// Each in its own world, where it does what is wrong with it.
#[test]
fn for_every_mutant_in_its_own_world() {
    for mutant in mutants::ALL {
        match mutant.conditions.network {
            NetworkKind::Session => drop(agree_down_to(12, mutant.conditions)),
            own => agree_on(own, 8, mutant.conditions),
        }
    }
}

#[test]
fn for_a_producer_that_the_broker_knows() {
    agree(Conditions {
        producer_state: ProducerKnown::Known,
        ..small(2, 2, 2)
    });
}

#[test]
fn where_disconnects_are_counted() {
    for disconnects in 0..=2 {
        agree(Conditions {
            disconnects: Budget::AtMost(disconnects),
            ..small(3, 2, 2)
        });
    }
}

#[test]
fn on_staterights_ordered_network() {
    for conditions in [
        small(1, 1, 2),
        small(2, 2, 2),
        small(2, 2, 3),
        small(3, 3, 2),
    ] {
        agree_on(NetworkKind::Ordered, usize::MAX, conditions);
    }
}

#[test]
fn on_staterights_unordered_network() {
    for conditions in [small(1, 1, 2), small(1, 1, 3), small(2, 2, 2)] {
        agree_on(NetworkKind::Unordered, usize::MAX, conditions);
    }
}

#[test]
fn on_staterights_duplicating_network() {
    for conditions in [small(1, 1, 2), small(2, 2, 2)] {
        agree_on(NetworkKind::Duplicating, usize::MAX, conditions);
    }
}

/// Down to a depth: epochs of a bounded world may rise without end.
#[test]
fn on_staterights_networks_for_every_rule_and_policy() {
    for network in [
        NetworkKind::Ordered,
        NetworkKind::Unordered,
        NetworkKind::Duplicating,
    ] {
        for rule in rules::ALL {
            for client in policies::ALL.iter().filter(|client| client.idempotent) {
                let conditions = Conditions {
                    rule,
                    client,
                    batches: Budget::AtMost(3),
                    ..small(2, 2, 2)
                };
                agree_on(network, 12, conditions);
            }
        }
    }
}

/// Stateright's own checker finds on the actors what the claim says of the flat form.
#[test]
fn stateright_checks_the_actors() {
    let world = ActorWorld::new(KAFKA).expect("a session network");
    let checker = world.checker().threads(2).spawn_dfs().join();
    assert!(checker.is_done());
    assert!(checker.discoveries().is_empty());
    assert_eq!(checker.unique_state_count(), 21_624);
}

#[test]
fn the_session_network_is_an_actor_and_staterights_own_are_not() {
    for network in NetworkKind::ALL {
        let conditions = Conditions {
            network: *network,
            ..KAFKA
        };
        let three = ActorWorld::new(conditions).err();
        let two = DirectWorld::new(conditions).err();
        match network {
            NetworkKind::Session => assert_eq!((three, two), (None, Some(NetworkIsAnActor))),
            own => assert_eq!((three, two), (Some(NetworkIsNoActor(*own)), None)),
        }
    }
}
