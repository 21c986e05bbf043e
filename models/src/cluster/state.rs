//! The flat state of a cluster: a `Copy` value that is hashed as one run of bytes.

use std::fmt;
use std::hash::{Hash, Hasher};

use crate::bytes::Bytes;
use crate::conditions::{Conditions, FaultsLeft};
use crate::message::Small;
use crate::world::Properties;

use super::action::Seat;
use super::client::Client;
use super::history::{Notes, Seen};
use super::leadership::Leadership;
use super::link::{Answer, Links, Pipe};
use super::log::Log;
use super::replica::Replica;
use super::{BROKERS, LANES};

/// More bytes than the used part of any state has.
const MAX_BYTES: usize = 3072;

/// How much of a state is in use.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Shape {
    /// Producers.
    pub producers: usize,
    /// Partitions.
    pub partitions: usize,
    /// Brokers.
    pub brokers: usize,
}

impl Shape {
    /// The shape of the states of a world.
    pub fn of(conditions: &Conditions) -> Self {
        Shape {
            producers: conditions.producers.into(),
            partitions: conditions.partitions.into(),
            brokers: conditions.brokers.into(),
        }
    }
}

/// One state of a cluster.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct State {
    /// How much of it is in use.
    pub shape: Shape,
    /// The producers.
    pub clients: [Client; LANES],
    /// Their connections.
    pub links: [Links; LANES],
    /// Replicas, by broker and partition.
    pub replicas: [[Replica; LANES]; BROKERS],
    /// Who leads which partition.
    pub leaderships: [Leadership; LANES],
    /// What applications know, by producer and partition.
    pub notes: [[Notes; LANES]; LANES],
    /// How many of each fault are left.
    pub left: FaultsLeft,
    /// The properties that the step into this state violated.
    pub violated: Properties,
    /// The state grew beyond what a cluster can hold: the search is not exhaustive.
    pub overflow: bool,
}

impl State {
    /// The replica that leads a partition.
    pub fn leader_seat(&self, partition: usize) -> Seat {
        Seat {
            broker: self.leaderships[partition].leader.into(),
            partition,
        }
    }

    /// Whether a replica leads, whatever it believes itself.
    pub fn is_leader(&self, seat: Seat) -> bool {
        self.leader_seat(seat.partition) == seat
    }

    /// A replica.
    pub fn replica(&self, seat: Seat) -> &Replica {
        &self.replicas[seat.broker][seat.partition]
    }

    /// A replica.
    pub fn replica_mut(&mut self, seat: Seat) -> &mut Replica {
        &mut self.replicas[seat.broker][seat.partition]
    }

    /// The log of a partition: that of its leader.
    pub fn log(&self, partition: usize) -> &Log {
        &self.replica(self.leader_seat(partition)).log
    }

    /// What was seen so far.
    pub fn seen(&self, idempotent: bool) -> Seen<'_> {
        Seen {
            logs: [self.log(0), self.log(1)],
            notes: &self.notes,
            idempotent,
        }
    }

    /// The high watermark by which a broker that believes to lead a partition answers.
    pub fn high_watermark(&self, seat: Seat) -> Small {
        match self.is_leader(seat) {
            true => self.leaderships[seat.partition].high_watermark,
            false => self.replica(seat).high_watermark,
        }
    }

    /// Whether a replica knows who leads.
    pub fn is_up_to_date(&self, seat: Seat) -> bool {
        self.replica(seat).leader_epoch == self.leaderships[seat.partition].epoch
    }

    /// The high watermark of a leader moves to where every replica in sync is. One that
    /// does not know the leader yet holds it back.
    pub fn advance(&mut self, partition: usize) {
        let leadership = self.leaderships[partition];
        let members = (0..self.shape.brokers).filter(|broker| leadership.is_in_sync(*broker));
        let reached = members.map(|broker| {
            let seat = Seat { broker, partition };
            match self.is_up_to_date(seat) {
                true => self.replica(seat).end(),
                false => leadership.high_watermark,
            }
        });
        if let Some(lowest) = reached.min() {
            self.leaderships[partition].high_watermark = leadership.high_watermark.max(lowest);
        }
    }
}

impl AsRef<Properties> for State {
    /// The properties that the step into this state violated.
    fn as_ref(&self) -> &Properties {
        &self.violated
    }
}

impl fmt::Debug for State {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let shape = self.shape;
        for producer in 0..shape.producers {
            writeln!(f, "producer {producer}: {:?}", self.clients[producer])?;
            writeln!(f, "  on its way: {:?}", self.links[producer])?;
        }
        for partition in 0..shape.partitions {
            writeln!(
                f,
                "partition {partition}: {:?}",
                self.leaderships[partition]
            )?;
            for broker in 0..shape.brokers {
                let replica = &self.replicas[broker][partition];
                writeln!(f, "  broker {broker} {replica:?}")?;
            }
        }
        match self.violated == Properties::default() {
            true => Ok(()),
            false => write!(f, "violated by this step: {:?}", self.violated),
        }
    }
}

impl Hash for State {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        let mut bytes = Bytes::<MAX_BYTES>::default();
        self.write(&mut bytes);
        hasher.write(bytes.used());
    }
}

impl State {
    fn write(&self, bytes: &mut Bytes<MAX_BYTES>) {
        let shape = self.shape;
        for producer in 0..shape.producers {
            self.write_client(bytes, producer);
            write_links(bytes, &self.links[producer], shape.brokers);
        }
        for partition in 0..shape.partitions {
            write_leadership(bytes, &self.leaderships[partition]);
            for broker in 0..shape.brokers {
                write_replica(bytes, &self.replicas[broker][partition], shape.producers);
            }
        }
        bytes.left(&self.left);
        bytes.wide(u32::from(self.violated.0));
        bytes.push(self.overflow.into());
    }

    fn write_client(&self, bytes: &mut Bytes<MAX_BYTES>, producer: usize) {
        let client = &self.clients[producer];
        bytes.small(client.epoch);
        for partition in 0..self.shape.partitions {
            bytes.push(client.leaders[partition]);
            bytes.producer(&client.lanes[partition]);
            let notes = self.notes[producer][partition];
            for records in [notes.failed, notes.undecided, notes.acknowledged] {
                bytes.wide(records.0);
            }
        }
    }
}

fn write_links(bytes: &mut Bytes<MAX_BYTES>, links: &Links, brokers: usize) {
    for link in &links.live[..brokers] {
        write_pipe(bytes, &link.pipe);
        bytes.push(link.replies.len() as u8);
        for Answer { partition, reply } in link.replies.iter() {
            bytes.push(*partition);
            bytes.reply(reply);
        }
    }
    for pipe in &links.dead {
        bytes.push(pipe.broker);
        write_pipe(bytes, pipe);
    }
}

fn write_pipe(bytes: &mut Bytes<MAX_BYTES>, pipe: &Pipe) {
    bytes.push(pipe.requests.len() as u8);
    for parcel in pipe.requests.iter() {
        bytes.push(parcel.partition);
        bytes.request(&parcel.request);
    }
    bytes.push(pipe.waiting.len() as u8);
    for waiting in pipe.waiting.iter() {
        bytes.push(waiting.partition);
        bytes.small(waiting.record);
        bytes.small(waiting.offset);
        bytes.small(waiting.until);
    }
}

fn write_leadership(bytes: &mut Bytes<MAX_BYTES>, leadership: &Leadership) {
    bytes.push(leadership.leader);
    bytes.push(leadership.epoch);
    bytes.push(leadership.in_sync());
    bytes.small(leadership.high_watermark);
}

fn write_replica(bytes: &mut Bytes<MAX_BYTES>, replica: &Replica, producers: usize) {
    bytes.push(replica.log.len() as u8);
    for entry in replica.log.iter() {
        bytes.small(entry.record);
        bytes.small(entry.epoch);
        bytes.small(entry.sequence);
        bytes.push(entry.leader_epoch);
    }
    for memory in &replica.memory[..producers] {
        bytes.broker(memory);
    }
    bytes.push(replica.leads.into());
    bytes.push(replica.leader_epoch);
    bytes.small(replica.high_watermark);
    bytes.small(replica.snapshot.end);
    bytes.push(replica.snapshot.knows);
}

#[cfg(test)]
mod tests {
    use std::hash::{BuildHasher, RandomState};

    use super::*;
    use crate::cluster::link::{Connection, Parcel};
    use crate::cluster::log::Entry;
    use crate::cluster::model::ClusterWorld;
    use crate::queue::Queue;
    use crate::world::World;

    fn start(conditions: Conditions) -> State {
        ClusterWorld::new(conditions).initial_state()
    }

    const THREE_BROKERS: Conditions = Conditions {
        brokers: 3,
        ..Conditions::KAFKA
    };

    fn fill<T: Copy + Default, const CAPACITY: usize>(queue: &mut Queue<T, CAPACITY>) {
        while !queue.is_full() {
            queue.push(T::default());
        }
    }

    /// Everything in use and full: more than any world of valid conditions has.
    fn full() -> State {
        let mut state = start(THREE_BROKERS);
        state.shape.producers = LANES;
        state.shape.partitions = LANES;
        for lane in state
            .clients
            .iter_mut()
            .flat_map(|client| &mut client.lanes)
        {
            fill(&mut lane.undecided);
        }
        for links in &mut state.links {
            for link in &mut links.live {
                fill(&mut link.replies);
            }
            for connection in (0..3).flat_map(|n| [Connection::Live(n), Connection::Dead(n)]) {
                let pipe = links.pipe_mut(connection);
                fill(&mut pipe.requests);
                fill(&mut pipe.waiting);
            }
        }
        for replica in state.replicas.iter_mut().flatten() {
            fill(&mut replica.log);
            for memory in &mut replica.memory {
                fill(&mut memory.window);
                fill(&mut memory.held);
            }
        }
        state
    }

    #[test]
    fn the_fullest_state_can_be_hashed() {
        let hasher = RandomState::new();
        assert_eq!(hasher.hash_one(full()), hasher.hash_one(full()));
    }

    #[test]
    fn whatever_differs_is_hashed() {
        let changes: [fn(&mut State); 12] = [
            |state| state.clients[0].epoch = 1,
            |state| state.clients[0].leaders[0] = 1,
            |state| state.clients[0].lanes[0].next_sequence = 1,
            |state| state.links[0].live[1].pipe.requests.push(Parcel::default()),
            |state| state.links[0].live[2].replies.push(Answer::default()),
            |state| state.links[0].dead[0].broker = 1,
            |state| state.replicas[2][0].log.push(Entry::default()),
            |state| state.replicas[1][0].memory[0].known = true,
            |state| state.replicas[1][0].leads = true,
            |state| state.leaderships[0].set_in_sync(2, false),
            |state| state.notes[0][0].acknowledged.0 = 1,
            |state| state.overflow = true,
        ];
        let hasher = RandomState::new();
        let mut hashes = vec![hasher.hash_one(start(THREE_BROKERS))];
        for change in changes {
            let mut state = start(THREE_BROKERS);
            change(&mut state);
            let hash = hasher.hash_one(state);
            assert!(!hashes.contains(&hash), "{state:?}");
            hashes.push(hash);
        }
    }

    #[test]
    fn the_high_watermark_is_where_the_last_in_sync_is_and_never_goes_back() {
        let mut state = start(THREE_BROKERS);
        for (broker, entries) in [(0, 3), (1, 2), (2, 1)] {
            for _ in 0..entries {
                state.replicas[broker][0].log.push(Entry::default());
            }
        }
        state.advance(0);
        assert_eq!(state.leaderships[0].high_watermark, 1);
        state.leaderships[0].set_in_sync(2, false);
        state.advance(0);
        assert_eq!(state.leaderships[0].high_watermark, 2);
        state.leaderships[0].set_in_sync(2, true);
        state.advance(0);
        assert_eq!(state.leaderships[0].high_watermark, 2);
    }
}
