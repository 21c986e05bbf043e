//! The form in which a state is stored.

use crate::conditions::{Conditions, Fault};
use crate::message::MAX_NUMBER;
use crate::policies::Renumbers;
use crate::world::Properties;

use super::super::action::Seat;
use super::super::state::State;

/// Brings the state after an action to the form in which it is stored.
pub fn settle(conditions: &Conditions, state: &mut State) {
    forget(conditions, state);
    for links in &mut state.links {
        links.sort(conditions.connections);
    }
    let lanes = state.clients.iter().flat_map(|client| &client.lanes);
    let mut numbers = lanes.map(|lane| lane.epoch.max(lane.next_sequence));
    state.overflow |= numbers.any(|number| number > MAX_NUMBER);
    if state.overflow {
        // Judged before a log that lacks something: no word of it counts.
        state.violated = Properties::default();
    }
}

/// A snapshot is read when the log is cut: by a replica that learns of a new leader.
fn forget_snapshots(state: &mut State, is_cut: bool) {
    for broker in 0..state.shape.brokers {
        for partition in 0..state.shape.partitions {
            let seat = Seat { broker, partition };
            if !is_cut && state.is_up_to_date(seat) {
                state.replica_mut(seat).snapshot = Default::default();
            }
        }
    }
}

/// Forgets what nobody will look at any more.
fn forget(conditions: &Conditions, state: &mut State) {
    let is_cut = state.left.allow(conditions, Fault::LeaderMove);
    forget_snapshots(state, is_cut);
    for producer in 0..state.shape.producers {
        let policy = conditions.of_producer(producer).client;
        let has_time_out = conditions.has(Fault::DeliveryTimeout);
        let requeued = has_time_out && policy.waits_when_unresolved;
        let fate =
            policy.tracks_fate && (policy.renumbers == Renumbers::WhatIsNowhere || has_time_out);
        for partition in 0..state.shape.partitions {
            let leader = state.leaderships[partition].leader;
            let client = &mut state.clients[producer];
            client.forget_marks(partition, requeued, fate);
            let has_more = client.has_more(conditions, producer, partition);
            if !has_more && client.lanes[partition].undecided.is_empty() {
                client.leaders[partition] = leader;
            }
            if !is_cut {
                state.notes[producer][partition].acknowledged = Default::default();
            }
        }
    }
}
