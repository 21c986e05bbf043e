//! What the three actors share: who they are, what they say to each other, how they
//! choose, and what can be seen of them.
//!
//! Every free choice of a world is an [`Action`]. In the actor form it is a timer of the
//! actor that has it: after each event an actor has exactly the timers of the choices that
//! are open to it now, so that timers are a function of its state.

use std::borrow::Cow;
use std::fmt;

use stateright::actor::{model_timeout, Actor, Id, Out, Timers};

use crate::broker::{Broker, Fate, Handled};
use crate::message::{Reply, Request, Word};
use crate::producer::Report;
use crate::world::Action;

/// Who acts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// The producer.
    Producer,
    /// The network.
    Network,
    /// The broker.
    Broker,
}

impl Role {
    /// All roles, by id.
    pub const ALL: &'static [Role] = &[Role::Producer, Role::Network, Role::Broker];

    /// Its id, which is its place among the actors of the model.
    pub fn id(self) -> Id {
        Id::from(self as usize)
    }

    /// Name, as at the head of a lifeline.
    pub fn name(self) -> &'static str {
        match self {
            Role::Producer => "producer",
            Role::Network => "network",
            Role::Broker => "broker",
        }
    }
}

/// What actors say to each other.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Message {
    /// Producer to network: a request.
    Produce(Request),
    /// Network to broker: a request.
    Deliver {
        /// The request.
        request: Request,
        /// Whether its sender still waits for the answer.
        awaited: bool,
        /// What befalls it at the broker.
        fate: Fate,
    },
    /// Broker to network: the reply to a request that is awaited.
    Reply(Reply),
    /// Network to producer: a reply.
    Read {
        /// The reply.
        reply: Reply,
        /// It comes in a turn of the client's loop of its own, not in one poll with the
        /// reply before it.
        new_turn: bool,
    },
    /// Network to producer and broker: the connection is gone.
    Disconnected,
    /// Broker to network: it restarts, and every connection to it is gone.
    Restarted,
}

impl fmt::Debug for Message {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Message::Produce(request) => write!(f, "{request:?}"),
            Message::Deliver {
                request,
                awaited,
                fate,
            } => {
                let leftover = if *awaited { "" } else { "leftover " };
                write!(f, "{leftover}{request:?}")?;
                match fate {
                    Fate::Decided => Ok(()),
                    fate => write!(f, " ({})", fate.words()),
                }
            }
            Message::Reply(reply)
            | Message::Read {
                reply,
                new_turn: false,
            } => write!(f, "{reply:?}"),
            Message::Read { reply, .. } => write!(f, "{reply:?} (after the epoch was raised)"),
            Message::Disconnected => f.write_str("disconnected"),
            Message::Restarted => f.write_str("restarted"),
        }
    }
}

/// One thing that can be seen of an actor from outside.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Sighting {
    /// The producer sent a fresh batch.
    Sent(Request),
    /// The producer read the answer to a request.
    Answered {
        /// The batch, under the identity by which the producer knows it now.
        request: Request,
        /// What the answer says.
        word: Word,
    },
    /// The application was told something.
    Reported(Report),
    /// The broker decided a request.
    Decided(Box<Decided>),
}

/// A request decided by the broker.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Decided {
    /// The request.
    pub request: Request,
    /// The broker just before.
    pub before: Broker,
    /// The broker just after.
    pub after: Broker,
    /// What the request did.
    pub handled: Handled,
}

/// An actor that can be watched.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Watched<T> {
    /// The actor.
    pub actor: T,
    /// What can be seen of its last event. Whoever watches takes it away; there is nothing
    /// in a state between two steps of a world.
    pub seen: Vec<Sighting>,
}

impl<T> Watched<T> {
    /// An actor of which nothing was seen yet.
    pub fn new(actor: T) -> Self {
        Watched {
            actor,
            seen: Vec::new(),
        }
    }

    /// Reports to the application can be seen.
    pub(crate) fn see_reports<'r>(&mut self, reports: impl IntoIterator<Item = &'r Report>) {
        let seen = reports.into_iter().copied().map(Sighting::Reported);
        self.seen.extend(seen);
    }
}

/// An actor whose timers are its choices.
pub trait Chooses: Actor<Timer = Action> {
    /// The choices open to it, in a fixed order.
    fn choices(&self, state: &Self::State) -> Vec<Action>;
}

/// The timers of an actor in this state.
pub(crate) fn timers<A: Chooses>(actor: &A, state: &A::State) -> Timers<Action> {
    let mut timers = Timers::new();
    for choice in actor.choices(state) {
        timers.set(choice);
    }
    timers
}

/// An actor starts in `state`.
pub(crate) fn start<A: Chooses>(actor: &A, state: A::State, out: &mut Out<A>) -> A::State {
    for choice in actor.choices(&state) {
        out.set_timer(choice, model_timeout());
    }
    state
}

/// An actor acts; its timers follow.
pub(crate) fn act<A: Chooses>(
    actor: &A,
    state: &mut Cow<'_, A::State>,
    out: &mut Out<A>,
    act: impl FnOnce(&mut A::State, &mut Out<A>),
) {
    let before = actor.choices(state);
    act(state.to_mut(), out);
    let now = actor.choices(state);
    for gone in before.into_iter().filter(|choice| !now.contains(choice)) {
        out.cancel_timer(gone);
    }
    for choice in now {
        out.set_timer(choice, model_timeout());
    }
}
