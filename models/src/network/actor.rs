//! The session network as an actor: connections that break.

use std::borrow::Cow;

use stateright::actor::{Actor, Id, Out};

use crate::actors::{act, start, Chooses, Message, Role};
use crate::broker::Fate;
use crate::conditions::{Conditions, Fault, FaultsLeft};
use crate::world::{choices, Action};

use super::{Network, Slot};

/// The network with what it may still do to its connections.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Link {
    /// What is on its way.
    pub network: Network,
    /// How many of each fault are left to it.
    pub left: FaultsLeft,
}

/// The network as an actor. All that it does it does of itself: it hands over requests and
/// replies, breaks the connection, loses leftovers. What it is given it only takes in.
#[derive(Clone, Debug)]
pub struct NetworkActor {
    /// The conditions of the world.
    pub conditions: Conditions,
    /// The network at the start.
    pub at_start: Link,
}

impl Chooses for NetworkActor {
    fn choices(&self, state: &Link) -> Vec<Action> {
        let mut found = Vec::new();
        choices::of_network(&self.conditions, &state.network, &state.left, |choice| {
            found.push(choice)
        });
        found
    }
}

impl Actor for NetworkActor {
    type Msg = Message;
    type Timer = Action;
    type State = Link;
    type Storage = ();
    type Random = ();

    fn on_start(&self, _: Id, _: &Option<()>, out: &mut Out<Self>) -> Link {
        start(self, self.at_start.clone(), out)
    }

    fn on_timeout(&self, _: Id, state: &mut Cow<'_, Link>, choice: &Action, out: &mut Out<Self>) {
        let kind = self.conditions.network;
        act(self, state, out, |state, out| match *choice {
            Action::Deliver(slot) => self.deliver(state, slot, Fate::Decided, out),
            Action::DeliverTo(slot, fate) => self.deliver(state, slot, fate, out),
            Action::Read { index, after_bump } => {
                let reply = state.network.read(kind, index);
                let new_turn = after_bump;
                out.send(Role::Producer.id(), Message::Read { reply, new_turn });
            }
            Action::Disconnect => self.disconnect(state, out),
            Action::Lose(loss) => state.network.lose(loss),
            _ => {}
        });
    }

    fn on_msg(
        &self,
        _: Id,
        state: &mut Cow<'_, Link>,
        _: Id,
        message: Message,
        out: &mut Out<Self>,
    ) {
        act(self, state, out, |state, out| match message {
            Message::Produce(request) => state.network.send(request),
            Message::Reply(reply) => state.network.reply(self.conditions.network, reply),
            Message::Restarted => {
                state.network.on_restart();
                out.send(Role::Producer.id(), Message::Disconnected);
            }
            _ => {}
        });
    }

    fn name(&self) -> String {
        Role::Network.name().to_owned()
    }
}

impl NetworkActor {
    fn deliver(&self, state: &mut Link, slot: Slot, fate: Fate, out: &mut Out<Self>) {
        if let Some(fault) = fate.fault() {
            state.left.take(&self.conditions, fault);
        }
        let request = state.network.deliver(self.conditions.network, slot);
        let deliver = Message::Deliver {
            request,
            awaited: slot.is_live(),
            fate,
        };
        out.send(Role::Broker.id(), deliver);
    }

    fn disconnect(&self, state: &mut Link, out: &mut Out<Self>) {
        state.left.take(&self.conditions, Fault::Disconnect);
        let connections = self.conditions.connections.into();
        state
            .network
            .disconnect(self.conditions.network, connections);
        out.send(Role::Producer.id(), Message::Disconnected);
        out.send(Role::Broker.id(), Message::Disconnected);
    }
}
