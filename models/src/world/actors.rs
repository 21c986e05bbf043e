//! A world as three Stateright actors: for reading, and for the explorer.
//!
//! One step of the world is one choice of one actor and all that follows from it: what the
//! actors say to each other is delivered at once. The network of the world is the actor of
//! that name. Between actors, Stateright's own network only carries a message from one hand
//! to the next; a delay there commutes with everything else and would show nothing new.

use std::sync::Arc;

use stateright::actor::{ActorModel, ActorModelAction, Network as Hands};
use stateright::{Model, Property};

use retryproof_properties::PropertyId;

use crate::actors::Message;
use crate::broker::BrokerActor;
use crate::conditions::Conditions;
use crate::network::{NetworkActor, NetworkKind};
use crate::producer::ProducerActor;

use super::actor_state::{flatten, host, link, observed, sender, unflatten, Actors, Observed};
use super::choices::matters;
use super::node::Node;
use super::step::settle;
use super::{initial_state, never_violated, Action, ActorState, Properties, State};

/// A step of Stateright's actors: a choice of an actor, or a delivery that follows from it.
pub type ActorAction = ActorModelAction<Message, Action, ()>;

/// Only the session network is an actor. A world on another one is a
/// [`DirectWorld`](super::DirectWorld).
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the {} network is no actor: only the session network is", .0.name())]
pub struct NetworkIsNoActor(pub NetworkKind);

/// A world in its actor form.
#[derive(Clone)]
pub struct ActorWorld {
    conditions: Conditions,
    properties: Vec<PropertyId>,
    actors: ActorModel<Node, (), Observed>,
}

impl ActorWorld {
    /// A world judged by all properties.
    ///
    /// # Errors
    /// If the network is not the session network.
    pub fn new(conditions: Conditions) -> Result<Self, NetworkIsNoActor> {
        if conditions.network != NetworkKind::Session {
            return Err(NetworkIsNoActor(conditions.network));
        }
        let start = initial_state(&conditions);
        let producer = ProducerActor {
            conditions,
            at_start: sender(&start),
        };
        let network = NetworkActor {
            conditions,
            at_start: link(&start),
        };
        let broker = BrokerActor {
            conditions,
            at_start: host(&start),
        };
        Ok(ActorWorld {
            conditions,
            properties: PropertyId::ALL.to_vec(),
            actors: ActorModel::new((), observed(&start))
                .init_network(Hands::new_ordered([]))
                .actor(Node::Producer(producer))
                .actor(Node::Network(network))
                .actor(Node::Broker(broker)),
        })
    }

    /// The same world judged by one property alone.
    ///
    /// # Errors
    /// As [`ActorWorld::new`].
    pub fn judged_by(
        conditions: Conditions,
        property: PropertyId,
    ) -> Result<Self, NetworkIsNoActor> {
        let world = ActorWorld::new(conditions)?;
        Ok(ActorWorld {
            properties: vec![property],
            ..world
        })
    }

    /// The actors' form of a flat state.
    fn unflatten(&self, flat: &State) -> ActorState {
        unflatten(&self.actors.actors, &self.actors.init_network, flat)
    }

    /// Carries out a choice and every delivery that follows from it.
    fn carry_out(&self, state: &ActorState, choice: ActorAction) -> Option<Actors> {
        let mut actors = state.0.clone();
        actors.history.violated = Properties::default();
        let mut next = Some(choice);
        while let Some(action) = next {
            actors = self.actors.next_state(&actors, action)?;
            self.observe(&mut actors);
            next = next_delivery(&actors);
        }
        Some(actors)
    }

    /// Judges what was seen of the actors and takes it away.
    fn observe(&self, actors: &mut Actors) {
        let mut seen = Vec::new();
        for node in &mut actors.actor_states {
            seen.append(&mut Arc::make_mut(node).take_seen());
        }
        actors.history.see(&self.conditions, &seen);
    }

    /// The form in which a state is stored, as in the flat form.
    fn settle(&self, actors: &Actors) -> ActorState {
        let mut flat = flatten(actors);
        debug_assert!(
            flat.overflow() || self.unflatten(&flat).0 == *actors,
            "the flat form loses something of {actors:?}",
        );
        settle(&self.conditions, &mut flat);
        self.unflatten(&flat)
    }
}

impl Model for ActorWorld {
    type State = ActorState;
    type Action = ActorAction;

    fn init_states(&self) -> Vec<ActorState> {
        let states = self.actors.init_states();
        states.into_iter().map(ActorState).collect()
    }

    fn actions(&self, state: &ActorState, found: &mut Vec<ActorAction>) {
        let flat = state.flatten();
        if flat.overflow() {
            return;
        }
        self.actors.actions(&state.0, found);
        found.retain(|action| {
            chosen(action).is_some_and(|choice| matters(&self.conditions, &flat, &choice))
        });
    }

    fn next_state(&self, state: &ActorState, choice: ActorAction) -> Option<ActorState> {
        let actors = self.carry_out(state, choice)?;
        Some(self.settle(&actors))
    }

    fn properties(&self) -> Vec<Property<Self>> {
        never_violated(&self.properties)
    }
}

fn chosen(action: &ActorAction) -> Option<Action> {
    match action {
        ActorModelAction::Timeout(_, choice) => Some(*choice),
        _ => None,
    }
}

/// What is handed over next. Where there are several messages their order does not matter:
/// they go to different actors, or stand in one queue.
fn next_delivery(actors: &Actors) -> Option<ActorAction> {
    let envelope = actors.network.iter_deliverable().next()?;
    Some(ActorModelAction::Deliver {
        src: envelope.src,
        dst: envelope.dst,
        msg: *envelope.msg,
    })
}
