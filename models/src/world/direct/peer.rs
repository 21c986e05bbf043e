//! Producer and broker as two actors that talk to each other directly.
//!
//! A client that does not know its connections tells answers apart by a correlation id on
//! each request. It gives up on all outstanding requests when its timeout strikes; what
//! comes for them later it does not know any more.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::fmt;

use stateright::actor::{Actor, Command, Id, Out};

use crate::actors::{act, start, Chooses, Message, Role, Sighting, Watched};
use crate::broker::{Fate, Leader};
use crate::conditions::{Conditions, Fault, FaultsLeft};
use crate::message::{Reply, Request};
use crate::network::MAX_CONNECTIONS;
use crate::producer::{ProducerActor, Sender};
use crate::world::{choices, Action};

/// The producer's place among the actors.
pub(super) const CLIENT: usize = 0;
/// The broker's place among the actors.
pub(super) const SERVER: usize = 1;

/// A correlation id.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Ticket(pub u8);

/// Between two steps, ids below this one stand on leftovers: the number of their group.
pub(super) const AWAITED: Ticket = Ticket(MAX_CONNECTIONS as u8);
/// Between two steps, ids from this one on are still to be given out.
pub(super) const FRESH: Ticket = Ticket(128);

/// What the two say to each other.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum DirectMessage {
    /// Producer to broker.
    Request(Request, Ticket),
    /// Broker to producer.
    Reply(Reply, Ticket),
}

impl DirectMessage {
    /// Its correlation id.
    pub fn ticket(&self) -> Ticket {
        let (DirectMessage::Request(_, ticket) | DirectMessage::Reply(_, ticket)) = self;
        *ticket
    }

    /// Whether it was left over before this step.
    pub(super) fn is_leftover(&self) -> bool {
        self.ticket() < AWAITED
    }
}

impl fmt::Debug for DirectMessage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            DirectMessage::Request(request, ticket) => write!(f, "{request:?} (#{})", ticket.0),
            DirectMessage::Reply(reply, ticket) => write!(f, "{reply:?} (#{})", ticket.0),
        }
    }
}

/// The producer with what it knows of its requests.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Client {
    /// The producer.
    pub producer: Watched<Sender>,
    /// The requests whose answers it awaits.
    pub awaits: BTreeSet<Ticket>,
    /// The id of the next request.
    pub next: Ticket,
    /// The next answer is read in a new turn of the client's loop.
    pub new_turn: bool,
    /// How many timeouts are left where they are counted.
    pub left: FaultsLeft,
}

/// The broker with the ids of the requests that it holds.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Server {
    /// The broker.
    pub leader: Watched<Leader>,
    /// Requests held, each with the ids under which it came.
    pub held: BTreeSet<(Request, Ticket)>,
}

/// One of the two.
#[derive(Clone, Debug)]
pub(super) enum Peer {
    /// The producer.
    Client(ProducerActor, Client),
    /// The broker.
    Server(Conditions, Server),
}

/// The state of one of the two.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum PeerState {
    /// Of the producer.
    Client(Client),
    /// Of the broker.
    Server(Server),
}

impl PeerState {
    /// Takes away what was seen of the actor.
    pub(super) fn take_seen(&mut self) -> Vec<Sighting> {
        std::mem::take(match self {
            PeerState::Client(client) => &mut client.producer.seen,
            PeerState::Server(server) => &mut server.leader.seen,
        })
    }
}

impl Chooses for Peer {
    fn choices(&self, state: &PeerState) -> Vec<Action> {
        let (Peer::Client(actor, _), PeerState::Client(client)) = (self, state) else {
            return Vec::new();
        };
        let producer = &client.producer.actor.producer;
        let mut found = actor.choices(&client.producer);
        if choices::turns_something(producer) && !client.new_turn {
            found.push(NEW_TURN);
        }
        let may_give_up = client.left.allow(&actor.conditions, Fault::Disconnect);
        if may_give_up && producer.in_flight() > 0 {
            found.push(Action::Disconnect);
        }
        found
    }
}

/// The choice to read the next answer in a new turn of the client's loop.
pub(super) const NEW_TURN: Action = Action::Read {
    index: 0,
    after_bump: true,
};

impl Actor for Peer {
    type Msg = DirectMessage;
    type Timer = Action;
    type State = PeerState;
    type Storage = ();
    type Random = ();

    fn on_start(&self, _: Id, _: &Option<()>, out: &mut Out<Self>) -> PeerState {
        let at_start = match self {
            Peer::Client(_, client) => PeerState::Client(client.clone()),
            Peer::Server(_, server) => PeerState::Server(server.clone()),
        };
        start(self, at_start, out)
    }

    fn on_timeout(
        &self,
        id: Id,
        state: &mut Cow<'_, PeerState>,
        choice: &Action,
        out: &mut Out<Self>,
    ) {
        act(self, state, out, |state, out| {
            if let (Peer::Client(actor, _), PeerState::Client(client)) = (self, state) {
                client.chooses(actor, id, choice, out);
            }
        });
    }

    fn on_msg(
        &self,
        id: Id,
        state: &mut Cow<'_, PeerState>,
        _: Id,
        message: DirectMessage,
        out: &mut Out<Self>,
    ) {
        act(self, state, out, |state, out| {
            match (self, state, message) {
                (
                    Peer::Client(actor, _),
                    PeerState::Client(client),
                    DirectMessage::Reply(reply, ticket),
                ) => client.reads(actor, id, reply, ticket),
                (
                    Peer::Server(conditions, _),
                    PeerState::Server(server),
                    DirectMessage::Request(request, ticket),
                ) => server.decides(conditions, request, ticket, out),
                _ => {}
            }
        });
    }

    fn name(&self) -> String {
        let role = match self {
            Peer::Client(..) => Role::Producer,
            Peer::Server(..) => Role::Broker,
        };
        role.name().to_owned()
    }
}

impl Client {
    fn chooses(&mut self, actor: &ProducerActor, id: Id, choice: &Action, out: &mut Out<Peer>) {
        match choice {
            Action::Send | Action::Retry => {
                for request in
                    self.lets(|producer, out| actor.on_timeout(id, producer, choice, out))
                {
                    out.send(SERVER.into(), DirectMessage::Request(request, self.next));
                    self.awaits.insert(self.next);
                    self.next.0 += 1;
                }
            }
            Action::Read { .. } => self.new_turn = true,
            Action::Disconnect => {
                self.left.take(&actor.conditions, Fault::Disconnect);
                self.awaits.clear();
                self.lets(|producer, out| {
                    actor.on_msg(id, producer, id, Message::Disconnected, out);
                });
            }
            _ => {}
        }
    }

    fn reads(&mut self, actor: &ProducerActor, id: Id, reply: Reply, ticket: Ticket) {
        if self.awaits.remove(&ticket) {
            let new_turn = std::mem::take(&mut self.new_turn);
            let read = Message::Read { reply, new_turn };
            self.lets(|producer, out| actor.on_msg(id, producer, id, read, out));
        }
    }

    /// Lets the producer act and gives the requests that it sends.
    fn lets(
        &mut self,
        act: impl FnOnce(&mut Cow<'_, Watched<Sender>>, &mut Out<ProducerActor>),
    ) -> Vec<Request> {
        let mut out = Out::new();
        let mut producer = Cow::Borrowed(&self.producer);
        act(&mut producer, &mut out);
        self.producer = producer.into_owned();
        let requests = out.into_iter().filter_map(|command| match command {
            Command::Send(_, Message::Produce(request)) => Some(request),
            _ => None,
        });
        requests.collect()
    }
}

impl Server {
    /// Whether it holds this request under an id that is awaited.
    pub(super) fn holds_for(&self, request: &Request, awaits: &BTreeSet<Ticket>) -> bool {
        let mut held = self.held.iter();
        held.any(|(held, ticket)| held == request && awaits.contains(ticket))
    }

    fn decides(
        &mut self,
        conditions: &Conditions,
        request: Request,
        ticket: Ticket,
        out: &mut Out<Peer>,
    ) {
        let leader = &mut self.leader.actor;
        let decided = leader.decide(conditions, request, true, Fate::Decided);
        self.held.insert((request, ticket));
        decided.handled.each_reply(&request, true, |to, reply| {
            for (_, ticket) in self.held.iter().filter(|(held, _)| held == to) {
                out.send(CLIENT.into(), DirectMessage::Reply(reply, *ticket));
            }
        });
        self.held
            .retain(|(held, _)| leader.broker.held.iter().any(|kept| kept.request == *held));
        let seen = &mut self.leader.seen;
        seen.push(Sighting::Decided(Box::new(decided)));
    }
}
