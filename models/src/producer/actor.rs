//! The producer as an actor.

use std::borrow::Cow;

use stateright::actor::{Actor, Id, Out};

use crate::actors::{act, start, Chooses, Message, Role, Sighting, Watched};
use crate::conditions::{Conditions, Fault, FaultsLeft};
use crate::world::{choices, Action};

use super::{Producer, ProducerConfig, Reports};

/// The producer with what its application and its clock may still do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Sender {
    /// The producer.
    pub producer: Producer,
    /// How many of each fault are left to it.
    pub left: FaultsLeft,
}

/// The producer as an actor. It sends and retries of itself; the network hands it replies
/// and tells it that the connection is gone.
#[derive(Clone, Debug)]
pub struct ProducerActor {
    /// The conditions of the world.
    pub conditions: Conditions,
    /// The producer at the start.
    pub at_start: Sender,
}

impl Chooses for ProducerActor {
    fn choices(&self, state: &Self::State) -> Vec<Action> {
        let mut found = Vec::new();
        let Sender { producer, left } = &state.actor;
        choices::of_producer(&self.conditions, producer, left, |choice| {
            found.push(choice)
        });
        found
    }
}

impl Actor for ProducerActor {
    type Msg = Message;
    type Timer = Action;
    type State = Watched<Sender>;
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
            Action::TimeOut => self.time_out(state),
            Action::Cancel => self.cancel(state),
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
        let config = self.config();
        act(self, state, out, |state, _| {
            let mut reports = Reports::default();
            let producer = &mut state.actor.producer;
            match message {
                Message::Read { reply, new_turn } => {
                    if new_turn {
                        producer.start_loop(&config, &mut reports);
                    }
                    let sighting = Sighting::Answered {
                        request: producer.known_as(&reply),
                        word: reply.word,
                    };
                    producer.on_reply(&config, &reply, ONLY_BROKER, &mut reports);
                    state.seen.push(sighting);
                }
                Message::Disconnected => producer.on_disconnect(&config, ONLY_BROKER, &mut reports),
                _ => {}
            }
            state.see_reports(reports.iter());
        });
    }

    fn name(&self) -> String {
        Role::Producer.name().to_owned()
    }
}

/// The one broker that the producer talks to.
const ONLY_BROKER: u8 = 0;

impl ProducerActor {
    fn config(&self) -> ProducerConfig {
        ProducerConfig::of(&self.conditions)
    }

    fn send(&self, state: &mut Watched<Sender>, out: &mut Out<Self>) {
        let mut reports = Reports::default();
        let request = state.actor.producer.send(&self.config(), &mut reports);
        out.send(Role::Network.id(), Message::Produce(request));
        state.seen.push(Sighting::Sent(request));
        state.see_reports(reports.iter());
    }

    fn retry(&self, state: &mut Watched<Sender>, out: &mut Out<Self>) {
        let mut reports = Reports::default();
        if let Some(request) = state.actor.producer.retry(&self.config(), &mut reports) {
            out.send(Role::Network.id(), Message::Produce(request));
        }
        state.see_reports(reports.iter());
    }

    fn time_out(&self, state: &mut Watched<Sender>) {
        state
            .actor
            .left
            .take(&self.conditions, Fault::DeliveryTimeout);
        let mut reports = Reports::default();
        state.actor.producer.time_out(&self.config(), &mut reports);
        state.see_reports(reports.iter());
    }

    fn cancel(&self, state: &mut Watched<Sender>) {
        state.actor.left.take(&self.conditions, Fault::Cancellation);
        let mut reports = Reports::default();
        state.actor.producer.cancel(&mut reports);
        state.see_reports(reports.iter());
    }
}
