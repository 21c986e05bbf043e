//! A world as two Stateright actors on one of Stateright's own networks.
//!
//! Here the network is no actor: what is on its way, what may come next, come again or get
//! lost is Stateright's to say. It shows that the flat form's ordered, unordered and
//! duplicating networks are Stateright's.

mod peer;
mod state;

use std::fmt;
use std::sync::Arc;

use stateright::actor::{ActorModel, ActorModelAction, LossyNetwork};
use stateright::{Model, Property};

use retryproof_properties::PropertyId;

use crate::conditions::Conditions;
use crate::network::NetworkKind;
use crate::producer::ProducerActor;

use super::actor_state::{observed, sender, Observed};
use super::step::settle;
use super::{initial_state, never_violated, Action, Properties, State};

pub use peer::DirectMessage;
pub use state::DirectState;

use peer::{Peer, CLIENT, NEW_TURN};
use state::{client, flatten, server, unflatten, wire};

/// A step of Stateright's model of the two.
type PeerAction = ActorModelAction<DirectMessage, Action, ()>;

/// A step of a direct world.
#[derive(Clone, PartialEq)]
pub struct DirectAction {
    /// Before it, the client's loop turns and a wanted epoch bump is done.
    pub new_turn: bool,
    /// What happens.
    pub action: PeerAction,
}

/// The session network is none of Stateright's own. A world on it is an
/// [`ActorWorld`](super::ActorWorld).
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the session network is an actor, and none of Stateright's own networks")]
pub struct NetworkIsAnActor;

/// A world on one of Stateright's networks.
#[derive(Clone)]
pub struct DirectWorld {
    conditions: Conditions,
    properties: Vec<PropertyId>,
    peers: ActorModel<Peer, (), Observed>,
}

impl DirectWorld {
    /// A world judged by all properties.
    ///
    /// # Errors
    /// If the network is the session network.
    pub fn new(conditions: Conditions) -> Result<Self, NetworkIsAnActor> {
        let kind = conditions.network;
        let lossy = match kind {
            NetworkKind::Session => return Err(NetworkIsAnActor),
            NetworkKind::Ordered | NetworkKind::Unordered => LossyNetwork::Yes,
            NetworkKind::Duplicating => LossyNetwork::No,
        };
        let start = initial_state(&conditions);
        let producer = ProducerActor {
            conditions,
            at_start: sender(&start),
        };
        let peers = ActorModel::new((), observed(&start))
            .init_network(wire(kind, &start))
            .lossy_network(lossy)
            .actor(Peer::Client(producer, client(kind, &start)))
            .actor(Peer::Server(conditions, server(kind, &start)));
        Ok(DirectWorld {
            conditions,
            properties: PropertyId::ALL.to_vec(),
            peers,
        })
    }

    /// The same world judged by one property alone.
    ///
    /// # Errors
    /// As [`DirectWorld::new`].
    pub fn judged_by(
        conditions: Conditions,
        property: PropertyId,
    ) -> Result<Self, NetworkIsAnActor> {
        let world = DirectWorld::new(conditions)?;
        Ok(DirectWorld {
            properties: vec![property],
            ..world
        })
    }

    /// Whether an action of Stateright's is one of the world. A timeout needs room for what
    /// it leaves over. An unordered network loses leftovers only: an awaited request that is
    /// lost and one that is never delivered are the same to everybody.
    fn is_action(&self, flat: &State, action: &PeerAction) -> bool {
        let kind = self.conditions.network;
        let (connections, limit) = (self.conditions.connections, self.conditions.in_flight);
        match action {
            ActorModelAction::Timeout(_, Action::Disconnect) => {
                let network = &flat.network;
                network.can_break(kind, connections.into(), limit.into())
            }
            ActorModelAction::Timeout(_, choice) => *choice != NEW_TURN,
            ActorModelAction::Drop(lost) => kind == NetworkKind::Ordered || lost.msg.is_leftover(),
            _ => true,
        }
    }
}

impl Model for DirectWorld {
    type State = DirectState;
    type Action = DirectAction;

    fn init_states(&self) -> Vec<DirectState> {
        let states = self.peers.init_states();
        states.into_iter().map(DirectState).collect()
    }

    fn actions(&self, state: &DirectState, found: &mut Vec<DirectAction>) {
        let flat = state.flatten();
        if flat.overflow() {
            return;
        }
        let mut actions = Vec::new();
        self.peers.actions(&state.0, &mut actions);
        for action in actions {
            if !self.is_action(&flat, &action) {
                continue;
            }
            let reads = matches!(&action, ActorModelAction::Deliver { dst, .. } if usize::from(*dst) == CLIENT);
            if reads && flat.producer.bump_wanted {
                let (new_turn, action) = (true, action.clone());
                found.push(DirectAction { new_turn, action });
            }
            let new_turn = false;
            found.push(DirectAction { new_turn, action });
        }
    }

    fn next_state(&self, state: &DirectState, step: DirectAction) -> Option<DirectState> {
        let mut peers = state.0.clone();
        peers.history.violated = Properties::default();
        if step.new_turn {
            let turn = ActorModelAction::Timeout(CLIENT.into(), NEW_TURN);
            peers = self.peers.next_state(&peers, turn)?;
        }
        peers = self.peers.next_state(&peers, step.action)?;
        let mut seen = Vec::new();
        for peer in &mut peers.actor_states {
            seen.append(&mut Arc::make_mut(peer).take_seen());
        }
        peers.history.see(&self.conditions, &seen);
        let mut flat = flatten(&peers);
        settle(&self.conditions, &mut flat);
        Some(unflatten(
            self.conditions.network,
            &self.peers.actors,
            &flat,
        ))
    }

    fn properties(&self) -> Vec<Property<Self>> {
        never_violated(&self.properties)
    }
}

impl fmt::Debug for DirectAction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.new_turn {
            f.write_str("producer: raise the epoch, ")?;
        }
        match &self.action {
            ActorModelAction::Timeout(_, choice) => write!(f, "producer: {choice:?}"),
            ActorModelAction::Drop(lost) => write!(f, "lost: {:?}", lost.msg),
            ActorModelAction::Deliver { dst, msg, .. } if usize::from(*dst) == CLIENT => {
                write!(f, "producer reads {msg:?}")
            }
            ActorModelAction::Deliver { msg, .. } => write!(f, "broker takes {msg:?}"),
            other => write!(f, "{other:?}"),
        }
    }
}
