//! The step function of a world: the one place where producer, network and broker meet.

use crate::broker::Broker;
use crate::conditions::{Budget, Conditions, ProducerKnown};
use crate::ledger::Ledger;
use crate::message::MAX_NUMBER;
use crate::network::{Network, Slot};
use crate::producer::{Producer, Reports};
use crate::quotient;

use super::choices::{matters, of_network, of_producer};
use super::observer::Observer;
use super::{Action, Properties, Quiet, State, Watch};

/// The state in which a world starts.
pub fn initial_state(conditions: &Conditions) -> State {
    let fresh = State {
        producer: Producer::default(),
        network: Network::default(),
        broker: Broker::default(),
        ledger: Ledger::new(conditions.client.idempotent),
        disconnects_left: match conditions.disconnects {
            Budget::Any => 0,
            Budget::AtMost(disconnects) => disconnects,
        },
        violated: Properties::default(),
    };
    match conditions.producer_state {
        ProducerKnown::New => fresh,
        ProducerKnown::Known => {
            let head = Slot {
                connection: 0,
                index: 0,
            };
            let acknowledged = Action::Read {
                index: 0,
                after_bump: false,
            };
            [Action::Send, Action::Deliver(head), acknowledged]
                .iter()
                .fold(fresh, |state, action| {
                    step(conditions, &state, *action, &mut Quiet)
                })
        }
    }
}

/// Every action that is possible in a state, in a fixed order.
pub fn actions(conditions: &Conditions, state: &State, found: &mut Vec<Action>) {
    let producer = &state.producer;
    of_producer(conditions, producer, |action| found.push(action));
    of_network(
        conditions,
        &state.network,
        state.disconnects_left,
        |action| {
            if matters(producer, &action) {
                found.push(action);
            }
        },
    );
}

/// The state after an action. In worlds of any length it is the representative of its
/// class (see [`crate::quotient`]).
pub fn step(
    conditions: &Conditions,
    state: &State,
    action: Action,
    watch: &mut impl Watch,
) -> State {
    let mut next = *state;
    next.violated = Properties::default();
    let mut world = Stepping {
        conditions,
        state: &mut next,
        watch,
    };
    world.act(action);
    settle(conditions, &mut next);
    next
}

/// Brings the state after an action to the form in which it is stored.
pub(super) fn settle(conditions: &Conditions, state: &mut State) {
    let producer = &state.producer;
    if producer.epoch.max(producer.next_sequence) > MAX_NUMBER {
        state.ledger.overflow = true;
    }
    if conditions.any_length() {
        quotient::normalise(conditions, state);
    }
    state
        .network
        .sort(conditions.network, conditions.connections.into());
    if state.overflow() {
        // Judged before notes that lack something: no word of it counts.
        state.violated = Properties::default();
    }
}

struct Stepping<'a, W> {
    conditions: &'a Conditions,
    state: &'a mut State,
    watch: &'a mut W,
}

impl<W: Watch> Stepping<'_, W> {
    fn act(&mut self, action: Action) {
        match action {
            Action::Send => self.send(),
            Action::Retry => self.retry(),
            Action::Deliver(slot) => self.deliver(slot),
            Action::Read { index, after_bump } => self.read(index, after_bump),
            Action::Disconnect => self.disconnect(),
            Action::Lose(loss) => self.state.network.lose(loss),
        }
    }

    fn send(&mut self) {
        let mut reports = Reports::default();
        let request = self
            .state
            .producer
            .send(self.conditions.client, &mut reports);
        self.state.network.live.push(request);
        let mut observer = self.observer();
        observer.sent(&request);
        observer.reported(reports.iter());
    }

    fn retry(&mut self) {
        let client = self.conditions.client;
        let limit = usize::from(self.conditions.in_flight);
        if let Some(request) = self.state.producer.retry(client, limit) {
            self.state.network.live.push(request);
        }
    }

    fn deliver(&mut self, slot: Slot) {
        let kind = self.conditions.network;
        let awaited = slot.is_live();
        let request = self.state.network.deliver(kind, slot);
        let before = self.state.broker;
        let log_end = self.state.ledger.log_end;
        let handled = self
            .state
            .broker
            .take(self.conditions, log_end, request, awaited);
        let after = self.state.broker;
        self.observer().decided(&request, &before, &after, &handled);
        handled.each_reply(&request, awaited, |_, reply| {
            self.state.network.reply(kind, reply);
        });
    }

    fn read(&mut self, index: u8, after_bump: bool) {
        let client = self.conditions.client;
        if after_bump {
            self.state.producer.start_loop(client);
        }
        let reply = self.state.network.read(self.conditions.network, index);
        let batch = self.state.producer.known_as(&reply);
        let mut reports = Reports::default();
        self.state.producer.on_reply(client, &reply, &mut reports);
        let mut observer = self.observer();
        observer.answered(&batch, reply.word);
        observer.reported(reports.iter());
    }

    fn disconnect(&mut self) {
        if self.conditions.disconnects != Budget::Any {
            self.state.disconnects_left -= 1;
        }
        self.state
            .network
            .disconnect(self.conditions.network, self.conditions.connections.into());
        self.state.broker.on_disconnect();
        let mut reports = Reports::default();
        self.state
            .producer
            .on_disconnect(self.conditions.client, &mut reports);
        self.observer().reported(reports.iter());
    }

    fn observer(&mut self) -> Observer<'_, W> {
        Observer {
            conditions: self.conditions,
            ledger: &mut self.state.ledger,
            violated: &mut self.state.violated,
            watch: self.watch,
        }
    }
}
