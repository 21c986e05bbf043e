//! Two producers that are alike may change places. This shows that it is so, and what it would
//! bring to store one of two such states only: see `docs/why-small-is-enough.md`.

mod walking;

use std::collections::HashSet;
use std::time::Instant;

use ahash::RandomState;
use retryproof_models::checking::{Run, Trace};
use retryproof_models::cluster::{Action, ClusterWorld, Lane, State};
use retryproof_models::conditions::{Budget, Conditions, ProducerIds, MAX_BATCHES};
use retryproof_models::message::Small;
use retryproof_models::world::{Quiet, Watch, World};

use walking::walk;

const TWO: Conditions = Conditions {
    in_flight: 2,
    window: 2,
    connections: 2,
    producers: 2,
    batches: Budget::AtMost(2),
    disconnects: Budget::ONE,
    ..Conditions::KAFKA
};

/// The record of the other producer that has the same place among its own.
fn of_the_other(record: Small) -> Small {
    match record - MAX_BATCHES as Small {
        below if below < 0 => record + MAX_BATCHES as Small,
        own => own,
    }
}

/// The state in which the two producers have changed places.
fn swapped(conditions: &Conditions, state: &State) -> State {
    let mut other = *state;
    other.clients.swap(0, 1);
    other.links.swap(0, 1);
    other.notes.swap(0, 1);
    for lane in other
        .clients
        .iter_mut()
        .flat_map(|client| &mut client.lanes)
    {
        lane.next_record = of_the_other(lane.next_record);
        for batch in lane.undecided.as_mut_slice() {
            batch.record = of_the_other(batch.record);
        }
    }
    for links in &mut other.links {
        for link in &mut links.live {
            for answer in link.replies.as_mut_slice() {
                answer.reply.record = of_the_other(answer.reply.record);
            }
        }
        let live = links.live.iter_mut().map(|link| &mut link.pipe);
        for pipe in live.chain(&mut links.dead) {
            for parcel in pipe.requests.as_mut_slice() {
                parcel.request.record = of_the_other(parcel.request.record);
            }
            for waiting in pipe.waiting.as_mut_slice() {
                waiting.record = of_the_other(waiting.record);
            }
        }
        links.sort(conditions.connections);
    }
    for replica in other.replicas.iter_mut().flatten() {
        if conditions.producer_ids == ProducerIds::Own {
            replica.memory.swap(0, 1);
        }
        for memory in &mut replica.memory {
            for held in memory.held.as_mut_slice() {
                held.request.record = of_the_other(held.request.record);
            }
        }
        for entry in replica.log.as_mut_slice() {
            entry.record = of_the_other(entry.record);
        }
    }
    other
}

/// The action of the other producer.
fn swapped_action(conditions: &Conditions, action: Action) -> Action {
    let other_lane = |lane: Lane| Lane {
        producer: 1 - lane.producer,
        ..lane
    };
    match action {
        Action::Send(lane) => Action::Send(other_lane(lane)),
        Action::Retry(lane) => Action::Retry(other_lane(lane)),
        Action::Refresh(lane) => Action::Refresh(other_lane(lane)),
        Action::TimeOut(lane) => Action::TimeOut(other_lane(lane)),
        Action::Deliver {
            producer,
            connection,
            fate,
        } => Action::Deliver {
            producer: 1 - producer,
            connection,
            fate,
        },
        Action::Read {
            producer,
            broker,
            after_bump,
        } => Action::Read {
            producer: 1 - producer,
            broker,
            after_bump,
        },
        Action::Disconnect { producer, broker } => Action::Disconnect {
            producer: 1 - producer,
            broker,
        },
        Action::Lose { producer, dead } => Action::Lose {
            producer: 1 - producer,
            dead,
        },
        Action::Expire { seat, id } if conditions.producer_ids == ProducerIds::Own => {
            Action::Expire { seat, id: 1 - id }
        }
        shared => shared,
    }
}

/// A cluster in which of two states that differ only in which producer is which one is stored.
#[derive(Clone, Debug)]
struct Symmetric {
    world: ClusterWorld,
    hasher: RandomState,
}

impl Symmetric {
    /// One of the two, always the same.
    fn one_of_both(&self, state: State) -> State {
        let other = swapped(self.world.conditions(), &state);
        match self.hasher.hash_one(other) < self.hasher.hash_one(state) {
            true => other,
            false => state,
        }
    }
}

impl World for Symmetric {
    type State = State;
    type Action = Action;

    fn new(conditions: Conditions) -> Self {
        Symmetric {
            world: ClusterWorld::new(conditions),
            hasher: RandomState::with_seeds(3, 1, 4, 1),
        }
    }

    fn conditions(&self) -> &Conditions {
        self.world.conditions()
    }

    fn initial_state(&self) -> State {
        self.one_of_both(self.world.initial_state())
    }

    fn preamble(&self) -> Vec<Action> {
        self.world.preamble()
    }

    fn actions(&self, state: &State, found: &mut Vec<Action>) {
        self.world.actions(state, found);
    }

    fn step(&self, state: &State, action: Action, watch: &mut impl Watch) -> State {
        self.one_of_both(self.world.step(state, action, watch))
    }

    fn kind(&self, state: &State, action: &Action) -> &'static str {
        action.kind(state)
    }

    fn is_fault(&self, action: &Action) -> bool {
        action.is_fault()
    }

    fn overflow(state: &State) -> bool {
        state.overflow
    }

    fn all_decided(state: &State) -> bool {
        ClusterWorld::all_decided(state)
    }

    fn as_run(_: Trace<Self>) -> Run {
        unreachable!("no run is told here")
    }
}

fn worlds() -> [Conditions; 5] {
    [
        TWO,
        Conditions {
            disconnects: Budget::Any,
            ..TWO
        },
        Conditions {
            producer_ids: ProducerIds::Shared,
            ..TWO
        },
        Conditions {
            expiries: Budget::ONE,
            connections: 1,
            ..TWO
        },
        Conditions {
            brokers: 2,
            leader_moves: Budget::ONE,
            batches: Budget::ONE,
            ..TWO
        },
    ]
}

/// In every state: what the one can do the other can do with places changed, and it leads to
/// the same with places changed.
#[test]
fn producers_that_are_alike_may_change_places() {
    for conditions in worlds() {
        let world = ClusterWorld::new(conditions);
        let mut seen = HashSet::new();
        let mut pending = vec![world.initial_state()];
        let (mut actions, mut others) = (Vec::new(), Vec::new());
        let hasher = RandomState::with_seeds(2, 7, 1, 8);
        while let Some(state) = pending.pop() {
            if !seen.insert(hasher.hash_one(state)) {
                continue;
            }
            actions.clear();
            others.clear();
            world.actions(&state, &mut actions);
            let other = swapped(&conditions, &state);
            world.actions(&other, &mut others);
            assert_eq!(others.len(), actions.len(), "{state:?}");
            for action in &actions {
                let next = world.step(&state, *action, &mut Quiet);
                let action = swapped_action(&conditions, *action);
                assert!(others.contains(&action), "{action:?} in {other:?}");
                let found = world.step(&other, action, &mut Quiet);
                assert_eq!(
                    found,
                    swapped(&conditions, &next),
                    "{action:?} in {other:?}"
                );
                pending.push(next);
            }
        }
    }
}

#[test]
fn the_verdicts_are_the_same_with_one_of_both() {
    for conditions in worlds() {
        let start = Instant::now();
        let all = walk::<ClusterWorld>(conditions);
        let all_took = start.elapsed();
        let start = Instant::now();
        let one_of_both = walk::<Symmetric>(conditions);
        let took = start.elapsed();
        assert_eq!(one_of_both.refuted(), all.refuted(), "{conditions}");
        assert!(one_of_both.unique * 2 >= all.unique, "{conditions}");
        assert!(one_of_both.unique < all.unique, "{conditions}");
        println!(
            "{} states in {all_took:.2?}, one of both {} in {took:.2?}: {conditions}",
            all.unique, one_of_both.unique
        );
    }
}
