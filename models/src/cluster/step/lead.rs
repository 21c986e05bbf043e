//! What befalls replicas: they follow, lead, restart and forget.

use crate::conditions::Fault;
use crate::world::Watch;

use super::super::action::Seat;
use super::super::log::{common_prefix, cut};
use super::Stepping;

impl<W: Watch> Stepping<'_, W> {
    pub fn fetch(&mut self, seat: Seat) {
        let leader = self.state.log(seat.partition);
        let entry = leader.as_slice()[self.state.replica(seat).log.len()];
        let conditions = self.conditions;
        self.state.replica_mut(seat).copy(conditions, entry);
    }

    pub fn set_in_sync(&mut self, seat: Seat, in_sync: bool) {
        self.state.leaderships[seat.partition].set_in_sync(seat.broker, in_sync);
    }

    /// Another broker leads. To properties the log is cut to what both have, and what else
    /// the new leader has is appended.
    pub fn move_leader(&mut self, seat: Seat) {
        self.take(Fault::LeaderMove);
        let partition = seat.partition;
        let new = self.state.replica(seat).log;
        let common = common_prefix(&new, self.state.log(partition));
        if common < self.state.log(partition).len() {
            self.observer().truncates(partition, common);
        }
        self.crown(seat);
        cut(&mut self.state.replica_mut(seat).log, common);
        for (entry, offset) in new.iter().zip(0..).skip(common) {
            self.observer().appends(partition, &entry.request(), offset);
            self.state.replica_mut(seat).log.push(*entry);
        }
    }

    /// A replica leads from now on, and knows it. The one that led before does not know it:
    /// its high watermark stays where it is.
    fn crown(&mut self, seat: Seat) {
        let end = self.state.replica(seat).end();
        let deposed = self.state.leader_seat(seat.partition);
        let leadership = &mut self.state.leaderships[seat.partition];
        let high_watermark = leadership.high_watermark;
        leadership.move_to(seat.broker, end);
        let leader_epoch = leadership.epoch;
        self.state.replica_mut(deposed).high_watermark = high_watermark;
        let replica = self.state.replica_mut(seat);
        replica.leads = true;
        replica.leader_epoch = leader_epoch;
        replica.high_watermark = 0;
    }

    pub fn learn(&mut self, seat: Seat) {
        let leader = *self.state.log(seat.partition);
        let epoch = self.state.leaderships[seat.partition].epoch;
        let replica = self.state.replica_mut(seat);
        replica.follow(self.conditions, &leader, epoch);
    }

    /// A broker restarts; it learns who leads before it does anything else.
    pub fn restart(&mut self, broker: usize) {
        self.take(Fault::Restart);
        for partition in 0..self.state.shape.partitions {
            let seat = Seat { broker, partition };
            if !self.state.is_up_to_date(seat) {
                self.learn(seat);
            }
            self.state.replica_mut(seat).restart(self.conditions);
        }
        for producer in 0..self.state.shape.producers {
            self.state.links[producer].on_restart(broker);
            self.lose_connection(producer, broker);
        }
    }

    pub fn expire(&mut self, seat: Seat, id: usize) {
        self.take(Fault::Expiry);
        (self.conditions.rule.on_expiry)(&mut self.state.replica_mut(seat).memory[id]);
    }
}
