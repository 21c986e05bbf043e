//! How a cluster starts.

use crate::broker::Fate;
use crate::conditions::{Conditions, FaultsLeft, ProducerKnown};
use crate::world::{Properties, Quiet};

use super::super::action::{Action, Lane, Seat};
use super::super::client::Client;
use super::super::leadership::Leadership;
use super::super::link::Connection;
use super::super::state::{Shape, State};
use super::super::LANES;
use super::step;

/// The state in which a cluster starts: broker 0 leads every partition.
pub fn initial_state(conditions: &Conditions) -> State {
    let mut state = State {
        shape: Shape::of(conditions),
        clients: [Client::new(0), Client::new(1)],
        links: Default::default(),
        replicas: Default::default(),
        leaderships: [Leadership::at_start(conditions.brokers); LANES],
        notes: Default::default(),
        left: FaultsLeft::of(conditions),
        violated: Properties::default(),
        overflow: false,
    };
    for replica in &mut state.replicas[0] {
        replica.leads = true;
    }
    match conditions.producer_state {
        ProducerKnown::New => state,
        ProducerKnown::Known => with_one_batch_each(conditions, state),
    }
}

/// The state after one batch of each producer for each partition: written everywhere and
/// acknowledged.
fn with_one_batch_each(conditions: &Conditions, mut state: State) -> State {
    for producer in 0..state.shape.producers {
        for partition in 0..state.shape.partitions {
            for action in one_batch(&state, producer, partition) {
                state = step(conditions, &state, action, &mut Quiet);
            }
        }
    }
    state
}

/// A batch is sent, written, copied by every follower and acknowledged.
fn one_batch(state: &State, producer: usize, partition: usize) -> Vec<Action> {
    let send = Action::Send(Lane {
        producer,
        partition,
    });
    let deliver = Action::Deliver {
        producer,
        connection: Connection::Live(0),
        fate: Fate::Decided,
    };
    let fetches = (1..state.shape.brokers).map(|broker| Action::Fetch(Seat { broker, partition }));
    let read = Action::Read {
        producer,
        broker: 0,
        after_bump: false,
    };
    [send, deliver]
        .into_iter()
        .chain(fetches)
        .chain([read])
        .collect()
}
