//! The flat form and the actor form of a world are the same world: the same states, in each
//! the same choices, from each choice the same successor, with the same verdicts. Claims
//! are checked on the flat form and read on the actors.

use std::collections::{BTreeSet, HashMap, HashSet, VecDeque};
use std::hash::Hash;

use retryproof_models::conditions::{Budget, Conditions, ProducerKnown};
use retryproof_models::network::NetworkKind;
use retryproof_models::policies::{self, PLAIN};
use retryproof_models::rules;
use retryproof_models::world::{
    Action, ActorAction, ActorWorld, FlatWorld, NoActorForm, Properties, State,
};
use retryproof_properties::PropertyId;
use stateright::{Checker, Model};

const KAFKA: Conditions = Conditions::KAFKA;

/// More states than any world of this file has: a test that gets there fails.
const MAX_STATES: usize = 200_000;

/// A whole state space in flat form: from each state, which action leads where.
struct Space {
    steps: HashMap<State, Vec<(Action, State)>>,
}

impl Space {
    /// Explores a model to the end. Every action must lead somewhere, and no two states may
    /// have one flat form.
    fn of<M>(
        model: &M,
        flatten: impl Fn(&M::State) -> State,
        choice: impl Fn(&M::Action) -> Action,
    ) -> Space
    where
        M: Model,
        M::State: Clone + Eq + Hash,
    {
        let mut seen: HashSet<M::State> = model.init_states().into_iter().collect();
        let mut waiting: VecDeque<M::State> = seen.iter().cloned().collect();
        let mut steps = HashMap::new();
        while let Some(state) = waiting.pop_front() {
            assert!(
                seen.len() <= MAX_STATES,
                "larger than any world of this file"
            );
            let mut actions = Vec::new();
            model.actions(&state, &mut actions);
            let mut found = Vec::new();
            for action in actions {
                let chosen = choice(&action);
                let next = model.next_state(&state, action);
                let next = next.unwrap_or_else(|| panic!("{chosen:?} leads nowhere"));
                found.push((chosen, flatten(&next)));
                if seen.insert(next.clone()) {
                    waiting.push_back(next);
                }
            }
            found.sort_unstable_by_key(|(action, _)| *action);
            let before = steps.insert(flatten(&state), found);
            assert!(before.is_none(), "two states with one flat form");
        }
        Space { steps }
    }

    fn generated(&self) -> usize {
        self.steps.values().map(Vec::len).sum()
    }

    fn violated(&self) -> BTreeSet<&'static str> {
        let all = self
            .steps
            .keys()
            .fold(0, |all, state| all | state.violated.0);
        Properties(all).iter().map(PropertyId::id).collect()
    }

    fn kinds(&self) -> BTreeSet<&'static str> {
        let steps = self.steps.iter();
        let kinds = steps.flat_map(|(state, steps)| {
            let bump_wanted = state.producer.bump_wanted;
            steps
                .iter()
                .map(move |(action, _)| action.kind(bump_wanted))
        });
        kinds.collect()
    }
}

fn chosen(action: &ActorAction) -> Action {
    match action {
        ActorAction::Timeout(_, choice) => *choice,
        other => panic!("not a choice of an actor: {other:?}"),
    }
}

/// Explores both forms to the end and compares them.
fn agree(conditions: Conditions) -> Space {
    conditions.validate().expect("conditions that make sense");
    let actors = ActorWorld::new(conditions).expect("a network with an actor form");
    let actors = Space::of(&actors, |state| state.flatten(), chosen);
    let flat = Space::of(
        &FlatWorld::new(conditions),
        |state| *state,
        |action| *action,
    );
    for (state, steps) in &flat.steps {
        let Some(of_actors) = actors.steps.get(state) else {
            panic!("{conditions}: only in the flat form:\n{state:?}");
        };
        assert_eq!(
            steps, of_actors,
            "{conditions}: steps in flat form (left) and in actor form (right) from\n{state:?}"
        );
    }
    assert_eq!(flat.steps.len(), actors.steps.len(), "{conditions}: states");
    assert_eq!(flat.generated(), actors.generated(), "{conditions}: steps");
    assert_eq!(flat.violated(), actors.violated(), "{conditions}: violated");
    let cut = flat.steps.keys().any(State::overflow);
    assert!(!cut, "{conditions}: the space is cut, nothing is shown");
    println!(
        "{conditions}: {} states, {} steps, violated {:?}",
        flat.steps.len(),
        flat.generated(),
        flat.violated()
    );
    flat
}

/// Small conditions: in flight, window, connections.
fn small(in_flight: u8, window: u8, connections: u8) -> Conditions {
    Conditions {
        in_flight,
        window,
        connections,
        ..KAFKA
    }
}

#[test]
fn on_runs_of_any_length() {
    agree(small(1, 1, 1));
    agree(small(1, 1, 2));
    agree(small(2, 2, 2));
    agree(small(2, 2, 3));
    agree(small(2, 2, 4));
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
fn where_the_window_is_too_small() {
    let space = agree(small(3, 2, 2));
    assert!(space.violated().contains("no-duplicate"));
}

/// Together these worlds take steps of every kind, so nothing agrees for want of a case.
#[test]
fn for_every_rule_and_every_policy() {
    let mut kinds = BTreeSet::new();
    for rule in rules::ALL {
        for client in policies::ALL.iter().filter(|client| client.idempotent) {
            for in_flight in [2, 3] {
                let conditions = Conditions {
                    rule,
                    client,
                    ..small(in_flight, 2, 2)
                };
                kinds.extend(agree(conditions).kinds());
            }
        }
    }
    assert_eq!(kinds, Action::KINDS.iter().copied().collect());
}

#[test]
fn without_idempotence() {
    let space = agree(Conditions {
        client: &PLAIN,
        ..small(2, KAFKA.window, 2)
    });
    assert!(space.violated().contains("no-duplicate"));
}

#[test]
fn for_every_mutant() {
    let rules = rules::mutants::ALL.iter().map(|rule| (*rule, KAFKA.client));
    let clients = policies::mutants::ALL
        .iter()
        .map(|client| (KAFKA.rule, *client));
    for (rule, client) in rules.chain(clients) {
        agree(Conditions {
            rule,
            client,
            batches: Budget::AtMost(3),
            disconnects: Budget::AtMost(1),
            ..small(2, 2, 2)
        });
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

/// Six in flight is beyond what a window of five promises.
#[test]
fn beyond_the_window_of_kafka() {
    let space = agree(small(6, 5, 2));
    assert!(!space.violated().is_empty());
}

/// Stateright's own checker on the actors gives the verdict and the count of the claim.
#[test]
fn stateright_finds_the_same_on_the_actors() {
    let world = ActorWorld::new(KAFKA).expect("a network with an actor form");
    let checker = world.checker().threads(2).spawn_dfs().join();
    assert_eq!(checker.discoveries().len(), 0);
    assert_eq!(checker.unique_state_count(), 21_624);
}

#[test]
fn only_the_session_network_has_an_actor_form() {
    for network in NetworkKind::ALL {
        let world = ActorWorld::new(Conditions {
            network: *network,
            ..KAFKA
        });
        match network {
            NetworkKind::Session => assert!(world.is_ok()),
            other => assert_eq!(world.err(), Some(NoActorForm(*other))),
        }
    }
}
