//! The states of a world in its actor form, and their way from and to the flat form.

use std::fmt;
use std::sync::Arc;

use stateright::actor::{ActorModelState, Network as Hands};

use crate::actors::{timers, Message, Sighting, Watched};
use crate::broker::{Broker, Host, Leader};
use crate::conditions::{Conditions, Fault, FaultsLeft};
use crate::ledger::Ledger;
use crate::network::{Link, Network};
use crate::producer::{Producer, Sender};

use super::node::{Node, NodeState};
use super::observer::{Observer, Quiet};
use super::{Properties, State};

/// What the observer of the actors knows.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Observed {
    /// What it has written down.
    pub ledger: Ledger,
    /// The properties that the step into this state violated.
    pub violated: Properties,
}

impl Observed {
    /// Judges what was seen of the actors and writes it down.
    pub(super) fn see(&mut self, conditions: &Conditions, seen: &[Sighting]) {
        let mut observer = Observer {
            conditions,
            ledger: &mut self.ledger,
            violated: &mut self.violated,
            watch: &mut Quiet,
        };
        for sighting in seen {
            observer.see(sighting);
        }
    }
}

/// The actors and their observer, in the middle of a step or between two.
pub(super) type Actors = ActorModelState<Node, Observed>;

/// A state of the actors between two steps of the world: nobody has anything to hand over.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct ActorState(pub(super) Actors);

impl ActorState {
    /// The same state in the flat form.
    pub fn flatten(&self) -> State {
        flatten(&self.0)
    }
}

impl AsRef<Properties> for ActorState {
    /// The properties that the step into this state violated.
    fn as_ref(&self) -> &Properties {
        &self.0.history.violated
    }
}

impl fmt::Debug for ActorState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", self.flatten())
    }
}

/// The flat form of a state of the actors, without what is in their hands.
pub(super) fn flatten(actors: &Actors) -> State {
    let mut flat = State {
        producer: Producer::default(),
        network: Network::default(),
        broker: Broker::default(),
        ledger: actors.history.ledger,
        retired: Broker::default(),
        left: FaultsLeft::default(),
        violated: actors.history.violated,
    };
    let mut left = Vec::new();
    for node in &actors.actor_states {
        match &**node {
            NodeState::Producer(sender) => {
                flat.producer = sender.actor.producer;
                left.push(sender.actor.left);
            }
            NodeState::Network(link) => {
                flat.network = link.network;
                left.push(link.left);
            }
            NodeState::Broker(host) => {
                flat.broker = host.actor.leader.broker;
                flat.retired = host.actor.leader.retired;
                left.push(host.actor.left);
            }
        }
    }
    flat.left = FaultsLeft::together(left);
    flat
}

/// The actors' form of a flat state; `nodes` are the actors.
pub(super) fn unflatten(nodes: &[Node], hands: &Hands<Message>, flat: &State) -> ActorState {
    let states = [
        NodeState::Producer(Watched::new(sender(flat))),
        NodeState::Network(link(flat)),
        NodeState::Broker(Watched::new(host(flat))),
    ];
    let timers_set = nodes.iter().zip(&states);
    ActorState(ActorModelState {
        network: hands.clone(),
        timers_set: timers_set
            .map(|(node, state)| timers(node, state))
            .collect(),
        random_choices: vec![Default::default(); states.len()],
        crashed: vec![false; states.len()],
        history: observed(flat),
        actor_storages: vec![None; states.len()],
        actor_states: states.map(Arc::new).to_vec(),
    })
}

/// The producer's part of a flat state.
pub(super) fn sender(flat: &State) -> Sender {
    Sender {
        producer: flat.producer,
        left: flat.left.only(Fault::OF_PRODUCER),
    }
}

/// The network's part of a flat state.
pub(super) fn link(flat: &State) -> Link {
    Link {
        network: flat.network,
        left: flat.left.only(Fault::OF_NETWORK),
    }
}

/// The broker's part of a flat state.
pub(super) fn host(flat: &State) -> Host {
    Host {
        leader: leader(flat),
        left: flat.left.only(Fault::OF_BROKER),
    }
}

/// The leader's part of a flat state.
pub(super) fn leader(flat: &State) -> Leader {
    Leader {
        broker: flat.broker,
        retired: flat.retired,
        log_end: flat.ledger.log_end,
    }
}

/// The observer's part of a flat state.
pub(super) fn observed(flat: &State) -> Observed {
    Observed {
        ledger: flat.ledger,
        violated: flat.violated,
    }
}
