//! The broker as an actor.

use std::borrow::Cow;

use stateright::actor::{Actor, Id, Out};

use crate::actors::{act, start, Chooses, Decided, Message, Role, Sighting, Watched};
use crate::conditions::Conditions;
use crate::message::{Request, Small};
use crate::world::Action;

use super::Broker;

/// The leader of the partition: its producer state, and where its log ends.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Leader {
    /// Producer state.
    pub broker: Broker,
    /// Log end offset.
    pub log_end: Small,
}

/// The broker as an actor. It does nothing of itself: it answers.
#[derive(Clone, Debug)]
pub struct BrokerActor {
    /// The conditions of the world.
    pub conditions: Conditions,
    /// The broker at the start.
    pub at_start: Leader,
}

impl Chooses for BrokerActor {
    fn choices(&self, _: &Self::State) -> Vec<Action> {
        Vec::new()
    }
}

impl Actor for BrokerActor {
    type Msg = Message;
    type Timer = Action;
    type State = Watched<Leader>;
    type Storage = ();
    type Random = ();

    fn on_start(&self, _: Id, _: &Option<()>, out: &mut Out<Self>) -> Self::State {
        start(self, Watched::new(self.at_start.clone()), out)
    }

    fn on_msg(
        &self,
        _: Id,
        state: &mut Cow<'_, Self::State>,
        _: Id,
        message: Message,
        out: &mut Out<Self>,
    ) {
        act(self, state, out, |state, out| match message {
            Message::Deliver { request, awaited } => self.decide(state, request, awaited, out),
            Message::Disconnected => state.actor.broker.on_disconnect(),
            _ => {}
        });
    }

    fn name(&self) -> String {
        Role::Broker.name().to_owned()
    }
}

impl BrokerActor {
    fn decide(
        &self,
        state: &mut Watched<Leader>,
        request: Request,
        awaited: bool,
        out: &mut Out<Self>,
    ) {
        let Leader { broker, log_end } = &mut state.actor;
        let before = *broker;
        let handled = broker.take(&self.conditions, *log_end, request, awaited);
        *log_end += handled.appended.len() as Small;
        handled.each_reply(&request, awaited, |_, reply| {
            out.send(Role::Network.id(), Message::Reply(reply));
        });
        state.seen.push(Sighting::Decided(Box::new(Decided {
            request,
            before,
            after: *broker,
            handled,
        })));
    }
}
