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
    for action in preamble(conditions) {
        state = step(conditions, &state, action, &mut Quiet);
    }
    state
}

/// The steps before the start: one batch of each producer for each partition, written
/// everywhere and acknowledged, if the brokers know the producers then.
pub fn preamble(conditions: &Conditions) -> Vec<Action> {
    if conditions.producer_state == ProducerKnown::New {
        return Vec::new();
    }
    let shape = Shape::of(conditions);
    let producers = 0..shape.producers;
    producers
        .flat_map(|producer| (0..shape.partitions).map(move |partition| (producer, partition)))
        .flat_map(|(producer, partition)| one_batch(shape.brokers, producer, partition))
        .collect()
}

/// A batch is sent, written, copied by every follower and acknowledged.
fn one_batch(brokers: usize, producer: usize, partition: usize) -> Vec<Action> {
    let send = Action::Send(Lane {
        producer,
        partition,
    });
    let deliver = Action::Deliver {
        producer,
        connection: Connection::Live(0),
        fate: Fate::Decided,
    };
    let fetches = (1..brokers).map(|broker| Action::Fetch(Seat { broker, partition }));
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
