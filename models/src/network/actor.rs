//! The session network as an actor: connections that break.

use std::borrow::Cow;

use stateright::actor::{Actor, Id, Out};

use crate::actors::{act, start, Chooses, Message, Role};
use crate::conditions::{Budget, Conditions};
use crate::world::{choices, Action};

use super::Network;

/// The network with what it may still do to its connections.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Link {
    /// What is on its way.
    pub network: Network,
    /// How many disconnects are left where they are counted.
    pub disconnects_left: u8,
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
        choices::of_network(
            &self.conditions,
            &state.network,
            state.disconnects_left,
            |choice| found.push(choice),
        );
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
            Action::Deliver(slot) => {
                let request = state.network.deliver(kind, slot);
                let awaited = slot.is_live();
                out.send(Role::Broker.id(), Message::Deliver { request, awaited });
            }
            Action::Read { index, after_bump } => {
                let reply = state.network.read(kind, index);
                let new_turn = after_bump;
                out.send(Role::Producer.id(), Message::Read { reply, new_turn });
            }
            Action::Disconnect => self.disconnect(state, out),
            Action::Lose(loss) => state.network.lose(loss),
            Action::Send | Action::Retry => {}
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
        act(self, state, out, |state, _| match message {
            Message::Produce(request) => state.network.live.push(request),
            Message::Reply(reply) => state.network.reply(self.conditions.network, reply),
            _ => {}
        });
    }

    fn name(&self) -> String {
        Role::Network.name().to_owned()
    }
}

impl NetworkActor {
    fn disconnect(&self, state: &mut Link, out: &mut Out<Self>) {
        if self.conditions.disconnects != Budget::Any {
            state.disconnects_left -= 1;
        }
        let connections = self.conditions.connections.into();
        state
            .network
            .disconnect(self.conditions.network, connections);
        out.send(Role::Producer.id(), Message::Disconnected);
        out.send(Role::Broker.id(), Message::Disconnected);
    }
}
