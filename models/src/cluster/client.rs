//! One producer that writes to several partitions: one epoch, and for each partition a
//! [`Producer`] of its own, its *lane*.

use std::fmt;

use crate::conditions::{Budget, Conditions, InFlightPer};
use crate::message::{Request, Small};
use crate::policies::BumpReaches;
use crate::producer::{Producer, ProducerConfig, Reports, Status};

use super::log::first_record;
use super::LANES;

/// The outcomes that one step tells, by partition.
pub type Outcomes = [Reports; LANES];

/// A producer.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Client {
    /// Its epoch. A partition that did not ask for the last bump may be behind.
    pub epoch: Small,
    /// What it has sent, by partition.
    pub lanes: [Producer; LANES],
    /// The broker that it takes for the leader, by partition.
    pub leaders: [u8; LANES],
}

impl Client {
    /// A producer that has sent nothing yet.
    pub fn new(producer: usize) -> Self {
        let lane = Producer {
            next_record: first_record(producer),
            ..Producer::default()
        };
        Client {
            epoch: 0,
            lanes: [lane; LANES],
            leaders: [0; LANES],
        }
    }

    /// Requests to a broker whose answers are awaited.
    pub fn in_flight_to(&self, broker: u8) -> usize {
        let lanes = self.lanes.iter();
        lanes.map(|lane| lane.in_flight_to(broker)).sum()
    }

    /// Whether the in-flight limit leaves room for a request for this partition. With a
    /// limit of 1 it is always one for the partition too: the Java client mutes it.
    fn has_room(&self, conditions: &Conditions, partition: usize) -> bool {
        let limit = usize::from(conditions.in_flight);
        let in_partition = self.lanes[partition].in_flight() < limit;
        let on_connection = || self.in_flight_to(self.leaders[partition]) < limit;
        match conditions.in_flight_per {
            InFlightPer::Partition | InFlightPer::Span => in_partition,
            InFlightPer::Connection if limit == 1 => in_partition && on_connection(),
            InFlightPer::Connection => on_connection(),
        }
    }

    /// Whether a partition of an older epoch has undecided batches: a fresh one would have
    /// no place behind them (Java: `shouldStopDrainBatchesForPartition`).
    fn is_held_back(&self, partition: usize) -> bool {
        let lane = &self.lanes[partition];
        lane.epoch < self.epoch && !lane.undecided.is_empty()
    }

    /// Whether the application has more for this partition.
    pub fn has_more(&self, conditions: &Conditions, producer: usize, partition: usize) -> bool {
        let sent = self.lanes[partition].next_record - first_record(producer);
        match conditions.batches {
            Budget::Any => true,
            Budget::AtMost(batches) => (sent as u8) < batches,
        }
    }

    /// Whether a fresh batch may be sent.
    pub fn can_send(&self, conditions: &Conditions, partition: usize) -> bool {
        let config = ProducerConfig::of(conditions);
        self.lanes[partition].is_open(&config)
            && self.has_room(conditions, partition)
            && !self.is_held_back(partition)
    }

    /// The undecided batch of a partition that may be sent again now, as an index.
    pub fn can_retry(&self, conditions: &Conditions, partition: usize) -> Option<usize> {
        let config = ProducerConfig::of(conditions);
        let index = self.lanes[partition].next_retry(&config)?;
        self.has_room(conditions, partition).then_some(index)
    }

    /// Whether a new turn of the client's loop does something before a reply is read.
    pub fn turns_something(&self) -> bool {
        let mut lanes = self.lanes.iter();
        lanes.any(|lane| lane.bump_wanted || lane.unresolved.is_some())
    }

    /// A new turn of the client's loop: what can be resolved is resolved, and one bump of
    /// the epoch serves every partition that wants one.
    pub fn turn(&mut self, conditions: &Conditions, outcomes: &mut Outcomes) {
        let config = ProducerConfig::of(conditions);
        for lane in &mut self.lanes {
            lane.resolve(&config);
        }
        let due = self
            .lanes
            .map(|lane| lane.bump_wanted && lane.may_bump(&config));
        if !due.contains(&true) {
            return;
        }
        self.epoch += 1;
        let reaches_all = config.policy.bump_reaches == BumpReaches::AllPartitions;
        for ((lane, due), reports) in self.lanes.iter_mut().zip(due).zip(outcomes) {
            if due || reaches_all {
                lane.bump_to(&config, self.epoch, reports);
            }
        }
    }

    /// Sends a fresh batch, after a turn of the loop. It may have to wait because of that.
    pub fn send(
        &mut self,
        conditions: &Conditions,
        partition: usize,
        outcomes: &mut Outcomes,
    ) -> Option<Request> {
        self.turn(conditions, outcomes);
        if self.is_held_back(partition) {
            return None;
        }
        self.catch_up(conditions, partition);
        let config = ProducerConfig::of(conditions);
        let lane = &mut self.lanes[partition];
        let request = lane.send_fresh(&config, &mut outcomes[partition]);
        self.note_broker(partition, &request);
        Some(request)
    }

    /// A partition without undecided batches goes over to the producer's epoch.
    fn catch_up(&mut self, conditions: &Conditions, partition: usize) {
        let lane = &mut self.lanes[partition];
        if lane.epoch == self.epoch {
            return;
        }
        lane.epoch = self.epoch;
        lane.last_acked = -1;
        if conditions.client.idle_partition_restarts {
            lane.next_sequence = 0;
        }
    }

    /// Sends an undecided batch again, if one may be after a turn of the loop.
    pub fn retry(
        &mut self,
        conditions: &Conditions,
        partition: usize,
        outcomes: &mut Outcomes,
    ) -> Option<Request> {
        self.turn(conditions, outcomes);
        let index = self.can_retry(conditions, partition)?;
        let config = ProducerConfig::of(conditions);
        let request = self.lanes[partition].resend(&config, index);
        self.note_broker(partition, &request);
        Some(request)
    }

    fn note_broker(&mut self, partition: usize, request: &Request) {
        let undecided = self.lanes[partition].undecided.as_mut_slice();
        if let Some(batch) = undecided.iter_mut().find(|b| b.record == request.record) {
            batch.broker = self.leaders[partition];
        }
    }

    /// The live connection to a broker is gone.
    pub fn on_disconnect(
        &mut self,
        conditions: &Conditions,
        broker: usize,
        outcomes: &mut Outcomes,
    ) {
        let config = ProducerConfig::of(conditions);
        for (lane, reports) in self.lanes.iter_mut().zip(outcomes) {
            lane.on_disconnect(&config, broker as u8, reports);
        }
    }

    /// Forgets of the undecided batches of a partition what nobody will look at: where one
    /// was sent that waits to be sent again, and marks that are not asked for.
    pub fn forget_marks(&mut self, partition: usize, requeued: bool, maybe_written: bool) {
        for batch in self.lanes[partition].undecided.as_mut_slice() {
            batch.requeued &= requeued;
            batch.maybe_written &= maybe_written;
            if batch.status == Status::Queued {
                batch.broker = 0;
            }
        }
    }
}

impl fmt::Debug for Client {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "epoch {}", self.epoch)?;
        let untouched = Client::new(0).lanes[0];
        for (partition, lane) in self.lanes.iter().enumerate() {
            if *lane != untouched {
                let leader = self.leaders[partition];
                write!(f, "; partition {partition} (led by {leader}): {lane:?}")?;
            }
        }
        Ok(())
    }
}
