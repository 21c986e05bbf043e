//! What can be seen where there is one producer, one partition and one broker.

use retryproof_models::broker::Broker;
use retryproof_models::conditions::Conditions;
use retryproof_models::message::{Small, NO_IDENTITY};
use retryproof_models::producer::{Producer, Status, Undecided};
use retryproof_models::world::State;

use crate::evidence::story::wire;

use super::{mark_repeated, on_its_way, Batch, Entry, Log, Memory, Remembered, View};

/// What can be seen of a state.
pub fn view(conditions: &Conditions, state: &State) -> View {
    let mut memories = vec![memory(conditions, "broker", &state.broker, &record)];
    if state.retired.known {
        let name = "broker, of the producer id before";
        memories.push(memory(conditions, name, &state.retired, &record));
    }
    View {
        logs: vec![log(conditions, state)],
        producers: vec![producer(conditions, "producer", &state.producer, &record)],
        memories,
        on_its_way: on_its_way::of_one_broker(conditions, state),
    }
}

fn record(record: Small) -> String {
    format!("r{record}")
}

fn log(conditions: &Conditions, state: &State) -> Log {
    let batches = state.ledger.tail.iter();
    let records = batches.flat_map(|batch| {
        let numbers = (0..batch.count()).map(move |within| {
            let sequence = wire::on_wire(conditions, batch.sequence + within);
            (batch.record + within, batch.epoch, sequence)
        });
        let has_identity = conditions.client.idempotent && batch.epoch != NO_IDENTITY;
        numbers.map(move |(number, epoch, sequence)| Entry {
            offset: 0,
            record: record(number),
            epoch: has_identity.then(|| wire::epoch_number(conditions, epoch)),
            sequence: has_identity.then_some(sequence),
            again: false,
        })
    });
    let mut entries: Vec<Entry> = records.collect();
    for (offset, entry) in entries.iter_mut().enumerate() {
        entry.offset = offset;
    }
    mark_repeated(&mut entries);
    Log {
        name: "log".to_owned(),
        leads: true,
        entries,
    }
}

/// A producer, or its part for one partition.
pub(super) fn producer(
    conditions: &Conditions,
    name: &str,
    producer: &Producer,
    record: &dyn Fn(Small) -> String,
) -> super::Producer {
    let idempotent = conditions.client.idempotent;
    let sequence = |sequence| wire::on_wire(conditions, sequence);
    let numbered = |number: Small| idempotent.then(|| sequence(number));
    let undecided = producer.undecided.iter();
    super::Producer {
        name: name.to_owned(),
        epoch: idempotent.then(|| wire::epoch_number(conditions, producer.epoch)),
        next_sequence: numbered(producer.next_sequence),
        last_acknowledged: numbered(producer.last_acked).filter(|last| *last >= 0),
        wants_epoch: producer.bump_wanted,
        stopped: producer.stopped,
        undecided: undecided
            .map(|batch| undecided_batch(batch, numbered(batch.sequence), record))
            .collect(),
    }
}

fn undecided_batch(
    batch: &Undecided,
    sequence: Option<Small>,
    record: &dyn Fn(Small) -> String,
) -> Batch {
    let name = record(batch.record);
    Batch {
        record: match batch.more {
            0 => name,
            more => format!("{name}..{}", batch.record + more as Small),
        },
        sequence: sequence.filter(|_| !batch.anonymous),
        status: match batch.status {
            Status::Queued => "to be sent again",
            Status::OnWire => "sent",
            Status::Rewritten => "sent under an older number",
        },
    }
}

/// What a broker remembers of a producer.
pub(super) fn memory(
    conditions: &Conditions,
    name: &str,
    broker: &Broker,
    record: &dyn Fn(Small) -> String,
) -> Memory {
    let sequence = |sequence| wire::on_wire(conditions, sequence);
    let known = |number: Small| broker.known.then_some(number);
    Memory {
        name: name.to_owned(),
        epoch: known(wire::epoch_number(conditions, broker.epoch)),
        last_sequence: known(sequence(broker.last_sequence)).filter(|last| *last >= 0),
        window: broker
            .window
            .iter()
            .map(|cached| Remembered {
                first: sequence(cached.first),
                last: sequence(cached.last),
                offset: cached.offset,
            })
            .collect(),
        kept: broker
            .held
            .iter()
            .map(|held| record(held.request.record))
            .collect(),
    }
}
