//! What producer, network and broker may do of themselves.

use crate::broker::{Broker, Fate};
use crate::conditions::{Budget, Conditions, Expiry, Fault, FaultsLeft};
use crate::network::Network;
use crate::producer::{Producer, ProducerConfig};

use super::{Action, State};

/// Every choice that the producer has, in a fixed order.
pub(crate) fn of_producer(
    conditions: &Conditions,
    producer: &Producer,
    left: &FaultsLeft,
    mut each: impl FnMut(Action),
) {
    let config = ProducerConfig::of(conditions);
    if may_hand_over(conditions, producer) && producer.can_send(&config) {
        each(Action::Send);
    }
    if producer.can_retry(&config).is_some() {
        each(Action::Retry);
    }
    if left.allow(conditions, Fault::DeliveryTimeout) && producer.can_time_out() {
        each(Action::TimeOut);
    }
    if left.allow(conditions, Fault::Cancellation) && producer.can_cancel(&config) {
        each(Action::Cancel);
    }
}

/// Whether the application has more to send.
pub(crate) fn may_hand_over(conditions: &Conditions, producer: &Producer) -> bool {
    match conditions.batches {
        Budget::Any => true,
        Budget::AtMost(batches) => {
            u16::from(batches) * u16::from(conditions.records_per_batch)
                > producer.next_record as u16
        }
    }
}

/// Every choice that the network has, in a fixed order. Some matter only in some states of
/// the world: see [`matters`].
pub(crate) fn of_network(
    conditions: &Conditions,
    network: &Network,
    left: &FaultsLeft,
    mut each: impl FnMut(Action),
) {
    let kind = conditions.network;
    network.each_deliverable(kind, |slot| each(Action::Deliver(slot)));
    for (fate, fault) in Fate::FAULTS {
        if left.allow(conditions, *fault) {
            network.each_deliverable(kind, |slot| {
                if *fate != Fate::TooLarge || network.request(slot).more > 0 {
                    each(Action::DeliverTo(slot, *fate));
                }
            });
        }
    }
    network.each_readable(kind, |index| {
        for after_bump in [false, true] {
            each(Action::Read { index, after_bump });
        }
    });
    let may_break = left.allow(conditions, Fault::Disconnect);
    let (connections, limit) = (conditions.connections.into(), conditions.in_flight.into());
    if may_break && network.can_break(kind, connections, limit) {
        each(Action::Disconnect);
    }
    network.each_losable(kind, |loss| each(Action::Lose(loss)));
}

/// Every choice that the broker has, in a fixed order. Some matter only in some states of
/// the world: see [`matters`].
pub(crate) fn of_broker(
    conditions: &Conditions,
    broker: &Broker,
    left: &FaultsLeft,
    mut each: impl FnMut(Action),
) {
    if left.allow(conditions, Fault::Restart) {
        each(Action::Restart);
    }
    if left.allow(conditions, Fault::Expiry) && broker.known {
        each(Action::Expire);
    }
}

/// Whether a choice matters as things are: a new turn of the client's loop does something
/// only if it wants a new epoch or has something to resolve, and the client notices the end
/// of a connection only if it waits for an answer. By the wall clock the broker forgets a
/// producer only when no batch of it is undecided or on its way.
pub(crate) fn matters(conditions: &Conditions, state: &State, action: &Action) -> bool {
    let producer = &state.producer;
    match action {
        Action::Read { after_bump, .. } => !after_bump || turns_something(producer),
        Action::Disconnect => producer.in_flight() > 0,
        Action::Expire => match conditions.expiry {
            Expiry::ClientTime => true,
            Expiry::WallClock => producer.undecided.is_empty() && state.network.is_empty(),
        },
        _ => true,
    }
}

/// Whether a new turn of the client's loop does something before a reply is read.
pub(crate) fn turns_something(producer: &Producer) -> bool {
    producer.bump_wanted || producer.unresolved.is_some()
}
