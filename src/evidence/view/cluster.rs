//! What can be seen where there are several brokers, partitions or producers.

use retryproof_models::cluster::{Log as Batches, Seat, State};
use retryproof_models::conditions::{Conditions, ProducerIds};
use retryproof_models::message::NO_IDENTITY;

use crate::evidence::story::in_cluster::Names;

use super::{mark_repeated, on_its_way, one_broker, Entry, Log, Memory, Producer, View};

/// What can be seen of a state.
pub fn view(conditions: &Conditions, state: &State) -> View {
    let seen = Seen { conditions, state };
    View {
        logs: seen.seats().map(|seat| seen.log(seat)).collect(),
        producers: seen.producers(),
        memories: seen.memories(),
        on_its_way: on_its_way::of_cluster(conditions, state),
    }
}

struct Seen<'a> {
    conditions: &'a Conditions,
    state: &'a State,
}

impl Seen<'_> {
    fn seats(&self) -> impl Iterator<Item = Seat> {
        let brokers = self.state.shape.brokers;
        let partitions = 0..self.state.shape.partitions;
        partitions
            .flat_map(move |partition| (0..brokers).map(move |broker| Seat { broker, partition }))
    }

    /// "b1", "b1, partition 0", "partition 0"; empty where there is one of both.
    fn seat(&self, seat: Seat) -> String {
        let broker = (self.state.shape.brokers > 1).then(|| format!("b{}", seat.broker));
        let parts = broker.into_iter().chain(self.partition(seat.partition));
        parts.collect::<Vec<_>>().join(", ")
    }

    fn partition(&self, partition: usize) -> Option<String> {
        (self.state.shape.partitions > 1).then(|| format!("partition {partition}"))
    }

    fn log(&self, seat: Seat) -> Log {
        let whose = self.seat(seat);
        Log {
            name: match whose.is_empty() {
                true => "log".to_owned(),
                false => format!("log of {whose}"),
            },
            leads: self.state.is_leader(seat),
            entries: self.entries(&self.state.replica(seat).log),
        }
    }

    fn entries(&self, log: &Batches) -> Vec<Entry> {
        let names = Names::of(self.state);
        let is_idempotent = self.conditions.is_idempotent();
        let entries = log.iter().enumerate().map(|(offset, entry)| {
            let has_identity = is_idempotent && entry.epoch != NO_IDENTITY;
            Entry {
                offset,
                record: names.record(entry.record),
                epoch: has_identity.then_some(entry.epoch),
                sequence: has_identity.then_some(entry.sequence),
                again: false,
            }
        });
        let mut entries: Vec<Entry> = entries.collect();
        mark_repeated(&mut entries);
        entries
    }

    fn producers(&self) -> Vec<Producer> {
        let shape = self.state.shape;
        let lanes = (0..shape.producers)
            .flat_map(|producer| (0..shape.partitions).map(move |partition| (producer, partition)));
        let names = Names::of(self.state);
        lanes
            .map(|(producer, partition)| {
                let own = match shape.producers {
                    1 => "producer".to_owned(),
                    _ => format!("p{producer}"),
                };
                let name = [Some(own), self.partition(partition)];
                let name = name.into_iter().flatten().collect::<Vec<_>>().join(", ");
                let lane = &self.state.clients[producer].lanes[partition];
                let conditions = self.conditions.of_producer(producer);
                one_broker::producer(&conditions, &name, lane, &|record| names.record(record))
            })
            .collect()
    }

    fn memories(&self) -> Vec<Memory> {
        let names = Names::of(self.state);
        let ids = match self.conditions.producer_ids {
            ProducerIds::Own => self.state.shape.producers,
            ProducerIds::Shared => 1,
        };
        let mut memories = Vec::new();
        for seat in self.seats() {
            for id in 0..ids {
                let conditions = self.conditions.of_producer(id);
                if !conditions.client.idempotent && ids > 1 {
                    continue;
                }
                let whose = match self.seat(seat) {
                    seat if seat.is_empty() => "broker".to_owned(),
                    seat if self.state.shape.brokers == 1 => format!("broker, {seat}"),
                    seat => seat,
                };
                let name = match ids {
                    1 => whose,
                    _ => format!("{whose} of p{id}"),
                };
                let memory = &self.state.replica(seat).memory[id];
                memories.push(one_broker::memory(&conditions, &name, memory, &|record| {
                    names.record(record)
                }));
            }
        }
        memories
    }
}
