//! The states of a direct world, and their way from and to the flat form.
//!
//! The flat form sorts what is on its way by whether its sender awaits the answer; here
//! that follows from the correlation ids. What nobody awaits is a leftover if it is a
//! request, and gone if it is a reply, for nobody would read it.

use std::collections::BTreeSet;
use std::fmt;
use std::sync::Arc;

use stateright::actor::{ActorModelState, Envelope, Network as Wire};

use crate::actors::{timers, Watched};
use crate::broker::{Broker, Held, MAX_WINDOW};
use crate::conditions::FaultsLeft;
use crate::message::{Reply, Request, Small};
use crate::network::{Network, NetworkKind, MAX_CONNECTIONS, MAX_REPLIES};
use crate::producer::Producer;
use crate::world::actor_state::{leader, observed, sender, Observed};
use crate::world::{Properties, State};

use super::peer::{Client, DirectMessage, Peer, PeerState, Server, Ticket};
use super::peer::{AWAITED, CLIENT, FRESH, SERVER};

/// Producer and broker, what is on the wire, and their observer.
pub(super) type Peers = ActorModelState<Peer, Observed>;

/// A state of a direct world.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct DirectState(pub(super) Peers);

impl DirectState {
    /// The same state in the flat form.
    pub fn flatten(&self) -> State {
        flatten(&self.0)
    }
}

impl AsRef<Properties> for DirectState {
    /// The properties that the step into this state violated.
    fn as_ref(&self) -> &Properties {
        &self.0.history.violated
    }
}

impl fmt::Debug for DirectState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", self.flatten())
    }
}

/// The flat form of a state.
pub(super) fn flatten(peers: &Peers) -> State {
    let mut flat = State {
        producer: Producer::default(),
        network: Network::default(),
        broker: Broker::default(),
        ledger: peers.history.ledger,
        retired: Broker::default(),
        left: FaultsLeft::default(),
        violated: peers.history.violated,
    };
    let mut awaits = &BTreeSet::new();
    for peer in &peers.actor_states {
        match &**peer {
            PeerState::Client(client) => {
                flat.producer = client.producer.actor.producer;
                flat.left = client.left;
                awaits = &client.awaits;
            }
            PeerState::Server(server) => {
                flat.broker = server.leader.actor.broker;
                for held in flat.broker.held.as_mut_slice() {
                    held.awaited = server.holds_for(&held.request, awaits);
                }
            }
        }
    }
    flat.network = flatten_wire(&peers.network, awaits);
    flat
}

fn flatten_wire(wire: &Wire<DirectMessage>, awaits: &BTreeSet<Ticket>) -> Network {
    let (kind, messages) = messages(wire);
    let (awaited, not_awaited): (Vec<_>, Vec<_>) = messages
        .into_iter()
        .partition(|message| awaits.contains(&message.ticket()));
    let mut network = Network::default();
    for message in not_awaited {
        match message {
            DirectMessage::Request(request, ticket) if kind == NetworkKind::Ordered => {
                if message.is_leftover() {
                    network.old[usize::from(ticket.0)].push(request);
                } else {
                    network.live.push(request);
                }
            }
            DirectMessage::Request(request, _) => network.leave_over(request),
            DirectMessage::Reply(..) => {}
        }
    }
    // What was given up in this step is a group of leftovers of its own.
    network.disconnect(kind, MAX_CONNECTIONS);
    for message in awaited {
        match message {
            DirectMessage::Request(request, _) => network.live.push(request),
            DirectMessage::Reply(reply, _) => network.reply(kind, reply),
        }
    }
    network.sort(kind, MAX_CONNECTIONS);
    network
}

/// All messages on the wire, each as often as it is there; those of one direction in order.
/// (Stateright 0.31's own `Network::iter_all` gives repeated messages once too often and
/// does not end on an ordered network.)
fn messages(wire: &Wire<DirectMessage>) -> (NetworkKind, Vec<DirectMessage>) {
    match wire {
        Wire::Ordered(flows) => {
            let messages = flows.values().flatten().copied().collect();
            (NetworkKind::Ordered, messages)
        }
        Wire::UnorderedNonDuplicating(bag) => {
            let messages = bag.iter();
            let messages = messages.flat_map(|(sent, times)| std::iter::repeat_n(sent.msg, *times));
            (NetworkKind::Unordered, messages.collect())
        }
        Wire::UnorderedDuplicating(set, _) => {
            let messages = set.iter().map(|sent| sent.msg).collect();
            (NetworkKind::Duplicating, messages)
        }
    }
}

/// The id of an awaited request between two steps. Where a message is there once, its place
/// among the awaited ones tells it from others; in a duplicating network a request stays
/// beside its reply, and its record does.
fn awaited(kind: NetworkKind, place: usize, record: Small) -> Ticket {
    match kind {
        NetworkKind::Duplicating => Ticket(AWAITED.0 + record as u8),
        _ => Ticket(AWAITED.0 + place as u8),
    }
}

fn live_ticket(kind: NetworkKind, index: usize, request: &Request) -> Ticket {
    awaited(kind, index, request.record)
}

fn reply_ticket(kind: NetworkKind, index: usize, reply: &Reply) -> Ticket {
    awaited(kind, MAX_WINDOW + index, reply.record)
}

fn held_ticket(kind: NetworkKind, index: usize, held: &Held) -> Option<Ticket> {
    let place = MAX_WINDOW + MAX_REPLIES + index;
    held.awaited
        .then(|| awaited(kind, place, held.request.record))
}

/// The wire of a flat state.
pub(super) fn wire(kind: NetworkKind, flat: &State) -> Wire<DirectMessage> {
    let network = &flat.network;
    let mut messages = Vec::new();
    for (group, old) in network.old.iter().enumerate() {
        let group = if kind == NetworkKind::Ordered {
            group
        } else {
            0
        };
        let ticket = Ticket(group as u8);
        messages.extend(old.iter().map(|old| DirectMessage::Request(*old, ticket)));
    }
    for (index, live) in network.live.iter().enumerate() {
        let ticket = live_ticket(kind, index, live);
        messages.push(DirectMessage::Request(*live, ticket));
    }
    for (index, reply) in network.replies.iter().enumerate() {
        let ticket = reply_ticket(kind, index, reply);
        messages.push(DirectMessage::Reply(*reply, ticket));
    }
    let sent = messages.into_iter().map(|msg| {
        let (src, dst) = match msg {
            DirectMessage::Request(..) => (CLIENT.into(), SERVER.into()),
            DirectMessage::Reply(..) => (SERVER.into(), CLIENT.into()),
        };
        Envelope { src, dst, msg }
    });
    match kind {
        NetworkKind::Unordered => Wire::new_unordered_nonduplicating(sent),
        NetworkKind::Duplicating => Wire::new_unordered_duplicating(sent),
        NetworkKind::Session | NetworkKind::Ordered => Wire::new_ordered(sent),
    }
}

/// The producer of a flat state.
pub(super) fn client(kind: NetworkKind, flat: &State) -> Client {
    let live = flat.network.live.iter().enumerate();
    let live = live.map(|(index, request)| live_ticket(kind, index, request));
    let replies = flat.network.replies.iter().enumerate();
    let replies = replies.map(|(index, reply)| reply_ticket(kind, index, reply));
    let held = flat.broker.held.iter().enumerate();
    let held = held.filter_map(|(index, held)| held_ticket(kind, index, held));
    Client {
        producer: Watched::new(sender(flat)),
        awaits: live.chain(replies).chain(held).collect(),
        next: FRESH,
        new_turn: false,
        left: flat.left,
    }
}

/// The broker of a flat state.
pub(super) fn server(kind: NetworkKind, flat: &State) -> Server {
    let held = flat.broker.held.iter().enumerate();
    let held = held.map(|(index, held)| {
        let ticket = held_ticket(kind, index, held);
        (held.request, ticket.unwrap_or_default())
    });
    Server {
        leader: Watched::new(leader(flat)),
        held: held.collect(),
    }
}

/// The two actors' form of a flat state.
pub(super) fn unflatten(kind: NetworkKind, actors: &[Peer], flat: &State) -> DirectState {
    let states = [
        PeerState::Client(client(kind, flat)),
        PeerState::Server(server(kind, flat)),
    ];
    let timers_set = actors.iter().zip(&states);
    DirectState(ActorModelState {
        network: wire(kind, flat),
        timers_set: timers_set
            .map(|(peer, state)| timers(peer, state))
            .collect(),
        random_choices: vec![Default::default(); states.len()],
        crashed: vec![false; states.len()],
        history: observed(flat),
        actor_storages: vec![None; states.len()],
        actor_states: states.map(Arc::new).to_vec(),
    })
}
