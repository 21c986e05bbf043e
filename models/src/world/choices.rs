//! What producer and network may do of themselves. The broker does nothing of itself.

use crate::conditions::{Budget, Conditions};
use crate::network::Network;
use crate::producer::Producer;

use super::Action;

/// Every choice that the producer has, in a fixed order.
pub(crate) fn of_producer(
    conditions: &Conditions,
    producer: &Producer,
    mut each: impl FnMut(Action),
) {
    let limit = usize::from(conditions.in_flight);
    let more_batches = match conditions.batches {
        Budget::Any => true,
        Budget::AtMost(batches) => (producer.next_record as u8) < batches,
    };
    if more_batches && producer.can_send(limit) {
        each(Action::Send);
    }
    if producer.can_retry(conditions.client, limit).is_some() {
        each(Action::Retry);
    }
}

/// Every choice that the network has, in a fixed order. Some matter only in some states of
/// the producer: see [`matters`].
pub(crate) fn of_network(
    conditions: &Conditions,
    network: &Network,
    disconnects_left: u8,
    mut each: impl FnMut(Action),
) {
    let kind = conditions.network;
    network.each_deliverable(kind, |slot| each(Action::Deliver(slot)));
    network.each_readable(kind, |index| {
        for after_bump in [false, true] {
            each(Action::Read { index, after_bump });
        }
    });
    let may_break = conditions.disconnects == Budget::Any || disconnects_left > 0;
    let (connections, limit) = (conditions.connections.into(), conditions.in_flight.into());
    if may_break && network.can_break(kind, connections, limit) {
        each(Action::Disconnect);
    }
    network.each_losable(kind, |loss| each(Action::Lose(loss)));
}

/// Whether a choice of the network matters to the producer as it is: a new turn of its
/// loop does something only if it wants a new epoch, and it notices the end of a
/// connection only if it waits for an answer.
pub(crate) fn matters(producer: &Producer, action: &Action) -> bool {
    match action {
        Action::Read { after_bump, .. } => !after_bump || producer.bump_wanted,
        Action::Disconnect => producer.in_flight() > 0,
        Action::Send | Action::Retry | Action::Deliver(_) | Action::Lose(_) => true,
    }
}
