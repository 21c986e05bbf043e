//! The step function of a world: the one place where producer, network and broker meet.

use crate::broker::{Broker, Fate};
use crate::conditions::{Conditions, Fault, FaultsLeft, ProducerKnown};
use crate::ledger::Ledger;
use crate::message::MAX_NUMBER;
use crate::network::{Network, Slot};
use crate::policies::Renumbers;
use crate::producer::{Producer, ProducerConfig, Reports};
use crate::quotient;

use super::actor_state::leader;
use super::choices::{matters, of_broker, of_network, of_producer};
use super::observer::Observer;
use super::{Action, Properties, Quiet, State, Watch};

/// The one broker of these worlds.
const ONLY_BROKER: u8 = 0;

/// The state in which a world starts.
pub fn initial_state(conditions: &Conditions) -> State {
    let fresh = State {
        producer: Producer::default(),
        network: Network::default(),
        broker: Broker::default(),
        ledger: Ledger::new(conditions.client.idempotent),
        retired: Broker::default(),
        left: FaultsLeft::of(conditions),
        violated: Properties::default(),
    };
    preamble(conditions).iter().fold(fresh, |state, action| {
        step(conditions, &state, *action, &mut Quiet)
    })
}

/// The steps before the start: one batch that is written and acknowledged, if the broker
/// knows the producer then.
pub(super) fn preamble(conditions: &Conditions) -> Vec<Action> {
    let head = Slot {
        connection: 0,
        index: 0,
    };
    let acknowledged = Action::Read {
        index: 0,
        after_bump: false,
    };
    match conditions.producer_state {
        ProducerKnown::New => Vec::new(),
        ProducerKnown::Known => vec![Action::Send, Action::Deliver(head), acknowledged],
    }
}

/// Every action that is possible in a state, in a fixed order.
pub fn actions(conditions: &Conditions, state: &State, found: &mut Vec<Action>) {
    let mut each = |action| {
        if matters(conditions, state, &action) {
            found.push(action);
        }
    };
    of_producer(conditions, &state.producer, &state.left, &mut each);
    of_network(conditions, &state.network, &state.left, &mut each);
    of_broker(conditions, &state.broker, &state.left, &mut each);
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
        config: ProducerConfig::of(conditions),
        state: &mut next,
        watch,
    };
    world.act(action);
    settle(conditions, &mut next);
    next
}

/// Brings the state after an action to the form in which it is stored.
pub(super) fn settle(conditions: &Conditions, state: &mut State) {
    forget_marks(conditions, state);
    let producer = &state.producer;
    let ids = ProducerConfig::of(conditions).producer_id_of(producer.epoch);
    let grown = producer.epoch.max(producer.next_sequence) > MAX_NUMBER;
    // The broker keeps the state of two producer ids.
    state.ledger.overflow |= grown || ids > 1;
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

/// Marks of undecided batches that nobody will look at.
fn forget_marks(conditions: &Conditions, state: &mut State) {
    let client = conditions.client;
    let requeued = conditions.has(Fault::DeliveryTimeout) && client.waits_when_unresolved;
    let fate = client.tracks_fate
        && (client.renumbers == Renumbers::WhatIsNowhere
            || conditions.has(Fault::DeliveryTimeout)
            || conditions.has(Fault::Cancellation));
    for batch in state.producer.undecided.as_mut_slice() {
        batch.requeued &= requeued;
        batch.maybe_written &= fate;
    }
}

struct Stepping<'a, W> {
    conditions: &'a Conditions,
    config: ProducerConfig,
    state: &'a mut State,
    watch: &'a mut W,
}

impl<W: Watch> Stepping<'_, W> {
    fn act(&mut self, action: Action) {
        match action {
            Action::Send => self.send(),
            Action::Retry => self.retry(),
            Action::Deliver(slot) => self.deliver(slot, Fate::Decided),
            Action::DeliverTo(slot, fate) => self.deliver(slot, fate),
            Action::Read { index, after_bump } => self.read(index, after_bump),
            Action::Disconnect => self.disconnect(),
            Action::Lose(loss) => self.state.network.lose(loss),
            Action::Restart => self.restart(),
            Action::Expire => self.expire(),
            Action::TimeOut => self.time_out(),
            Action::Cancel => self.cancel(),
        }
    }

    fn send(&mut self) {
        let mut reports = Reports::default();
        let request = self.state.producer.send(&self.config, &mut reports);
        self.state.network.send(request);
        let mut observer = self.observer();
        observer.sent(&request);
        observer.reported(reports.iter());
    }

    fn retry(&mut self) {
        let mut reports = Reports::default();
        if let Some(request) = self.state.producer.retry(&self.config, &mut reports) {
            self.state.network.send(request);
        }
        self.observer().reported(reports.iter());
    }

    fn deliver(&mut self, slot: Slot, fate: Fate) {
        if let Some(fault) = fate.fault() {
            self.state.left.take(self.conditions, fault);
        }
        let kind = self.conditions.network;
        let request = self.state.network.deliver(kind, slot);
        let awaited = slot.is_live();
        let mut leader = leader(self.state);
        let decided = leader.decide(self.conditions, request, awaited, fate);
        self.state.broker = leader.broker;
        self.state.retired = leader.retired;
        let network = &mut self.state.network;
        decided
            .handled
            .each_reply(&request, awaited, |_, reply| network.reply(kind, reply));
        self.observer().decided(&decided);
    }

    fn read(&mut self, index: u8, after_bump: bool) {
        let mut reports = Reports::default();
        if after_bump {
            self.state.producer.start_loop(&self.config, &mut reports);
        }
        let reply = self.state.network.read(self.conditions.network, index);
        let batch = self.state.producer.known_as(&reply);
        self.state
            .producer
            .on_reply(&self.config, &reply, ONLY_BROKER, &mut reports);
        let mut observer = self.observer();
        observer.answered(&batch, reply.word);
        observer.reported(reports.iter());
    }

    fn disconnect(&mut self) {
        self.state.left.take(self.conditions, Fault::Disconnect);
        self.state
            .network
            .disconnect(self.conditions.network, self.conditions.connections.into());
        self.state.broker.on_disconnect();
        self.lose_connection();
    }

    fn lose_connection(&mut self) {
        let mut reports = Reports::default();
        self.state
            .producer
            .on_disconnect(&self.config, ONLY_BROKER, &mut reports);
        self.observer().reported(reports.iter());
    }

    fn restart(&mut self) {
        self.state.left.take(self.conditions, Fault::Restart);
        let mut leader = leader(self.state);
        leader.restart(self.conditions);
        self.state.broker = leader.broker;
        self.state.retired = leader.retired;
        self.state.network.on_restart();
        self.lose_connection();
    }

    fn expire(&mut self) {
        self.state.left.take(self.conditions, Fault::Expiry);
        (self.conditions.rule.on_expiry)(&mut self.state.broker);
    }

    fn time_out(&mut self) {
        self.state
            .left
            .take(self.conditions, Fault::DeliveryTimeout);
        let mut reports = Reports::default();
        self.state.producer.time_out(&self.config, &mut reports);
        self.observer().reported(reports.iter());
    }

    fn cancel(&mut self) {
        self.state.left.take(self.conditions, Fault::Cancellation);
        let mut reports = Reports::default();
        self.state.producer.cancel(&mut reports);
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
