//! The producer as an actor.

use std::borrow::Cow;

use stateright::actor::{Actor, Id, Out};

use crate::actors::{act, start, Chooses, Message, Role, Sighting, Watched};
use crate::conditions::Conditions;
use crate::world::{choices, Action};

use super::{Producer, Reports};

/// The producer as an actor. It sends and retries of itself; the network hands it replies
/// and tells it that the connection is gone.
#[derive(Clone, Debug)]
pub struct ProducerActor {
    /// The conditions of the world.
    pub conditions: Conditions,
    /// The producer at the start.
    pub at_start: Producer,
}

impl Chooses for ProducerActor {
    fn choices(&self, state: &Self::State) -> Vec<Action> {
        let mut found = Vec::new();
        choices::of_producer(&self.conditions, &state.actor, |choice| found.push(choice));
        found
    }
}

impl Actor for ProducerActor {
    type Msg = Message;
    type Timer = Action;
    type State = Watched<Producer>;
    type Storage = ();
    type Random = ();

    fn on_start(&self, _: Id, _: &Option<()>, out: &mut Out<Self>) -> Self::State {
        start(self, Watched::new(self.at_start), out)
    }

    fn on_timeout(
        &self,
        _: Id,
        state: &mut Cow<'_, Self::State>,
        choice: &Action,
        out: &mut Out<Self>,
    ) {
        act(self, state, out, |state, out| match choice {
            Action::Send => self.send(state, out),
            Action::Retry => self.retry(state, out),
            _ => {}
        });
    }

    fn on_msg(
        &self,
        _: Id,
        state: &mut Cow<'_, Self::State>,
        _: Id,
        message: Message,
        out: &mut Out<Self>,
    ) {
        let client = self.conditions.client;
        act(self, state, out, |state, _| {
            let mut reports = Reports::default();
            match message {
                Message::Read { reply, new_turn } => {
                    if new_turn {
                        state.actor.start_loop(client);
                    }
                    state.seen.push(Sighting::Answered {
                        request: state.actor.known_as(&reply),
                        word: reply.word,
                    });
                    state.actor.on_reply(client, &reply, &mut reports);
                }
                Message::Disconnected => state.actor.on_disconnect(client, &mut reports),
                _ => {}
            }
            state.see_reports(reports.iter());
        });
    }

    fn name(&self) -> String {
        Role::Producer.name().to_owned()
    }
}

impl ProducerActor {
    fn send(&self, state: &mut Watched<Producer>, out: &mut Out<Self>) {
        let mut reports = Reports::default();
        let request = state.actor.send(self.conditions.client, &mut reports);
        out.send(Role::Network.id(), Message::Produce(request));
        state.seen.push(Sighting::Sent(request));
        state.see_reports(reports.iter());
    }

    fn retry(&self, state: &mut Watched<Producer>, out: &mut Out<Self>) {
        let client = self.conditions.client;
        let limit = self.conditions.in_flight.into();
        if let Some(request) = state.actor.retry(client, limit) {
            out.send(Role::Network.id(), Message::Produce(request));
        }
    }
}
