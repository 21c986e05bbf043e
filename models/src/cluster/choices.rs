//! What can be done in a state of a cluster.

use crate::broker::Fate;
use crate::conditions::{Conditions, Election, Expiry, Fault};
use crate::network::MAX_CONNECTIONS;

use super::action::{Action, Lane, Seat};
use super::link::Connection;
use super::replica::id_of;
use super::state::State;

/// Every action that is possible in a state, in a fixed order.
pub(super) fn actions(conditions: &Conditions, state: &State, found: &mut Vec<Action>) {
    let mut choices = Choices {
        conditions,
        state,
        found,
    };
    let shape = state.shape;
    for producer in 0..shape.producers {
        for partition in 0..shape.partitions {
            choices.of_lane(Lane {
                producer,
                partition,
            });
        }
        choices.of_connections(producer);
    }
    for broker in 0..shape.brokers {
        choices.offer(choices.has_left(Fault::Restart), Action::Restart { broker });
        for partition in 0..shape.partitions {
            choices.of_replica(Seat { broker, partition });
        }
    }
}

struct Choices<'a> {
    conditions: &'a Conditions,
    state: &'a State,
    found: &'a mut Vec<Action>,
}

impl Choices<'_> {
    fn has_left(&self, fault: Fault) -> bool {
        self.state.left.allow(self.conditions, fault)
    }

    fn offer(&mut self, is_possible: bool, action: Action) {
        if is_possible {
            self.found.push(action);
        }
    }

    fn of_lane(&mut self, lane: Lane) {
        let (conditions, partition) = (self.conditions.of_producer(lane.producer), lane.partition);
        let client = &self.state.clients[lane.producer];
        let has_more = client.has_more(&conditions, lane.producer, partition);
        let may_send = has_more && client.can_send(&conditions, partition);
        let may_retry = client.can_retry(&conditions, partition).is_some();
        let is_misled = client.leaders[partition] != self.state.leaderships[partition].leader;
        let has_time_out = self.has_left(Fault::DeliveryTimeout);
        self.offer(may_send, Action::Send(lane));
        self.offer(may_retry, Action::Retry(lane));
        self.offer(is_misled, Action::Refresh(lane));
        self.offer(
            has_time_out && client.lanes[partition].can_time_out(),
            Action::TimeOut(lane),
        );
    }

    fn of_connections(&mut self, producer: usize) {
        for broker in 0..self.state.shape.brokers {
            self.deliveries(producer, Connection::Live(broker));
            self.reads(producer, broker);
            self.disconnects(producer, broker);
        }
        for dead in 0..MAX_CONNECTIONS - 1 {
            let connection = Connection::Dead(dead);
            self.deliveries(producer, connection);
            let pipe = self.state.links[producer].pipe(connection);
            self.offer(!pipe.requests.is_empty(), Action::Lose { producer, dead });
        }
    }

    fn deliveries(&mut self, producer: usize, connection: Connection) {
        let links = &self.state.links[producer];
        let Some(parcel) = links.pipe(connection).next() else {
            return;
        };
        let seat = Seat {
            broker: links.broker(connection),
            partition: parcel.partition.into(),
        };
        let deliver = |fate| Action::Deliver {
            producer,
            connection,
            fate,
        };
        self.offer(true, deliver(Fate::Decided));
        for (fate, fault) in Fate::FAULTS {
            // A batch of one record cannot be split.
            let can_befall = *fate != Fate::TooLarge && self.state.replica(seat).leads;
            self.offer(can_befall && self.has_left(*fault), deliver(*fate));
        }
    }

    /// A new turn of the client's loop before is a choice of its own only if it does
    /// something.
    fn reads(&mut self, producer: usize, broker: usize) {
        let is_possible = !self.state.links[producer].live[broker].replies.is_empty();
        let turns_something = self.state.clients[producer].turns_something();
        for after_bump in [false, true] {
            self.offer(
                is_possible && (!after_bump || turns_something),
                Action::Read {
                    producer,
                    broker,
                    after_bump,
                },
            );
        }
    }

    /// A producer notices the end of a connection only if it waits for an answer.
    fn disconnects(&mut self, producer: usize, broker: usize) {
        let waits = self.state.clients[producer].in_flight_to(broker as u8) > 0;
        let links = &self.state.links[producer];
        let has_room = links.can_break(broker, self.conditions.connections);
        self.offer(
            waits && has_room && self.has_left(Fault::Disconnect),
            Action::Disconnect { producer, broker },
        );
    }

    fn of_replica(&mut self, seat: Seat) {
        if !self.state.is_leader(seat) {
            self.of_follower(seat);
        }
        for (id, memory) in self.state.replica(seat).memory.iter().enumerate() {
            let may_expire = memory.known && self.has_left(Fault::Expiry);
            self.offer(
                may_expire && self.is_idle(seat.partition, id),
                Action::Expire { seat, id },
            );
        }
    }

    /// A replica that does not lead, whatever it believes. It leaves the replicas in sync
    /// only where that can be seen: where another leader may be chosen of them.
    fn of_follower(&mut self, seat: Seat) {
        let leadership = &self.state.leaderships[seat.partition];
        let replica = self.state.replica(seat);
        let log = self.state.log(seat.partition).as_slice();
        let next = log.get(replica.log.len());
        let knows = self.state.is_up_to_date(seat);
        let in_sync = leadership.is_in_sync(seat.broker);
        let takes_next = next.is_some_and(|entry| replica.takes(self.conditions, entry));
        let lags = !knows || next.is_some();
        let has_caught_up = knows && replica.end() >= leadership.high_watermark;
        let is_electable = in_sync || self.conditions.election == Election::Unclean;
        self.offer(knows && takes_next, Action::Fetch(seat));
        self.offer(
            in_sync && lags && self.conditions.has(Fault::LeaderMove),
            Action::Shrink(seat),
        );
        self.offer(!in_sync && has_caught_up, Action::Expand(seat));
        self.offer(
            is_electable && self.has_left(Fault::LeaderMove),
            Action::LeaderMove(seat),
        );
        self.offer(!knows, Action::Learn(seat));
    }

    /// Whether a producer id may expire: by the wall clock only when no batch of it is
    /// undecided or on its way.
    fn is_idle(&self, partition: usize, id: usize) -> bool {
        let mut producers = (0..self.state.shape.producers)
            .filter(|producer| id_of(self.conditions, *producer) == id);
        match self.conditions.expiry {
            Expiry::ClientTime => true,
            Expiry::WallClock => producers.all(|producer| {
                let lane = &self.state.clients[producer].lanes[partition];
                lane.undecided.is_empty() && !self.state.links[producer].concern(partition)
            }),
        }
    }
}
