//! The three actors as one type, as Stateright wants them.

use std::borrow::Cow;

use stateright::actor::{Actor, Id, Out};

use crate::actors::{Chooses, Message, Sighting, Watched};
use crate::broker::{BrokerActor, Host};
use crate::network::{Link, NetworkActor};
use crate::producer::{ProducerActor, Sender};

use super::Action;

/// One of the actors.
#[derive(Clone, Debug)]
pub(super) enum Node {
    /// The producer.
    Producer(ProducerActor),
    /// The network.
    Network(NetworkActor),
    /// The broker.
    Broker(BrokerActor),
}

/// The state of one of the actors.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum NodeState {
    /// Of the producer.
    Producer(Watched<Sender>),
    /// Of the network.
    Network(Link),
    /// Of the broker.
    Broker(Watched<Host>),
}

impl NodeState {
    /// Takes away what was seen of the actor.
    pub(super) fn take_seen(&mut self) -> Vec<Sighting> {
        match self {
            NodeState::Producer(watched) => std::mem::take(&mut watched.seen),
            NodeState::Broker(watched) => std::mem::take(&mut watched.seen),
            NodeState::Network(_) => Vec::new(),
        }
    }
}

/// Runs the same expression on the actor and its state, whichever they are; `$wrap` turns
/// the actor's state into a state of the node. A state that is not of the actor's kind does
/// not occur.
macro_rules! on_actor {
    ($node:expr, $state:expr, |$actor:ident, $own:ident, $wrap:ident| $then:expr) => {
        match ($node, $state) {
            (Node::Producer($actor), NodeState::Producer($own)) => {
                let $wrap = NodeState::Producer;
                Some($then)
            }
            (Node::Network($actor), NodeState::Network($own)) => {
                let $wrap = NodeState::Network;
                Some($then)
            }
            (Node::Broker($actor), NodeState::Broker($own)) => {
                let $wrap = NodeState::Broker;
                Some($then)
            }
            _ => None,
        }
    };
}

impl Chooses for Node {
    fn choices(&self, state: &NodeState) -> Vec<Action> {
        on_actor!(self, state, |actor, own, _wrap| actor.choices(own)).unwrap_or_default()
    }
}

impl Actor for Node {
    type Msg = Message;
    type Timer = Action;
    type State = NodeState;
    type Storage = ();
    type Random = ();

    fn on_start(&self, id: Id, storage: &Option<()>, out: &mut Out<Self>) -> NodeState {
        match self {
            Node::Producer(actor) => NodeState::Producer(started(actor, id, storage, out)),
            Node::Network(actor) => NodeState::Network(started(actor, id, storage, out)),
            Node::Broker(actor) => NodeState::Broker(started(actor, id, storage, out)),
        }
    }

    fn on_timeout(
        &self,
        id: Id,
        state: &mut Cow<'_, NodeState>,
        timer: &Action,
        out: &mut Out<Self>,
    ) {
        let next = on_actor!(self, state.as_ref(), |actor, own, wrap| {
            after(own, wrap, out, |own, out| {
                actor.on_timeout(id, own, timer, out)
            })
        });
        replace(state, next);
    }

    fn on_msg(
        &self,
        id: Id,
        state: &mut Cow<'_, NodeState>,
        from: Id,
        message: Message,
        out: &mut Out<Self>,
    ) {
        let next = on_actor!(self, state.as_ref(), |actor, own, wrap| {
            after(own, wrap, out, |own, out| {
                actor.on_msg(id, own, from, message, out)
            })
        });
        replace(state, next);
    }

    fn name(&self) -> String {
        match self {
            Node::Producer(actor) => actor.name(),
            Node::Network(actor) => actor.name(),
            Node::Broker(actor) => actor.name(),
        }
    }
}

fn started<A>(actor: &A, id: Id, storage: &Option<()>, out: &mut Out<Node>) -> A::State
where
    A: Actor<Msg = Message, Timer = Action, Storage = (), Random = ()>,
{
    let mut own = Out::new();
    let state = actor.on_start(id, storage, &mut own);
    out.append(&mut own);
    state
}

/// The state after an event, if the actor changed it.
fn after<A>(
    state: &A::State,
    wrap: fn(A::State) -> NodeState,
    out: &mut Out<Node>,
    event: impl FnOnce(&mut Cow<'_, A::State>, &mut Out<A>),
) -> Option<NodeState>
where
    A: Actor<Msg = Message, Timer = Action, Storage = (), Random = ()>,
{
    let mut own = Out::new();
    let mut state = Cow::Borrowed(state);
    event(&mut state, &mut own);
    out.append(&mut own);
    match state {
        Cow::Borrowed(_) => None,
        Cow::Owned(state) => Some(wrap(state)),
    }
}

fn replace(state: &mut Cow<'_, NodeState>, next: Option<Option<NodeState>>) {
    if let Some(next) = next.flatten() {
        *state = Cow::Owned(next);
    }
}
