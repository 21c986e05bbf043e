//! The values of a view, as they are shown.

use retryproof_models::actors::Role;

use crate::evidence::view::{Log, Memory, OnItsWay, Producer, View};

use super::{Group, Piece, Quantity, Value};

/// What is shown of a view: producers, what is on its way, logs and producer state.
pub fn groups(view: &View) -> Vec<Group> {
    let mut groups: Vec<Group> = view.producers.iter().map(producer).collect();
    groups.push(Group {
        role: Role::Network,
        name: "on its way".to_owned(),
        values: on_its_way(&view.on_its_way),
    });
    let logs = view.logs.iter().map(log);
    let memories = view.memories.iter().map(memory);
    let is_plain = view.logs.len() == 1 && view.memories.len() <= 1;
    match is_plain {
        // One log, one producer: one broker.
        true => groups.push(Group {
            role: Role::Broker,
            name: "broker".to_owned(),
            values: logs
                .chain(memories)
                .flat_map(|group| group.values)
                .collect(),
        }),
        false => groups.extend(logs.chain(memories)),
    }
    groups
}

fn text(quantity: Quantity, text: impl ToString) -> Value {
    list(quantity, [text.to_string()])
}

fn list(quantity: Quantity, pieces: impl IntoIterator<Item = String>) -> Value {
    let pieces = pieces.into_iter().map(|text| Piece {
        text,
        beside: String::new(),
        is_new: false,
        is_again: false,
    });
    Value {
        quantity,
        pieces: pieces.collect(),
        was: None,
        why: None,
    }
}

fn number(quantity: Quantity, number: Option<i8>) -> Value {
    match number {
        Some(number) => text(quantity, number),
        None => text(quantity, "none"),
    }
}

fn producer(producer: &Producer) -> Group {
    let mut values = Vec::new();
    if producer.epoch.is_some() {
        values.push(number(Quantity::Epoch, producer.epoch));
        values.push(number(Quantity::NextSequence, producer.next_sequence));
        let acknowledged = match producer.last_acknowledged {
            Some(last) => text(Quantity::LastAcknowledged, format!("up to {last}")),
            None => text(Quantity::LastAcknowledged, "none"),
        };
        values.push(acknowledged);
    }
    let undecided = producer.undecided.iter().map(|batch| {
        let sequence = batch
            .sequence
            .map_or(String::new(), |own| format!(" seq {own}"));
        format!("{}{sequence}: {}", batch.record, batch.status)
    });
    values.push(list(Quantity::Undecided, undecided));
    let raises = producer
        .wants_epoch
        .then(|| "to raise its epoch".to_owned());
    let stopped = producer
        .stopped
        .then(|| "nothing: it has stopped".to_owned());
    values.push(list(Quantity::Intent, raises.into_iter().chain(stopped)));
    Group {
        role: Role::Producer,
        name: producer.name.clone(),
        values,
    }
}

fn on_its_way(way: &OnItsWay) -> Vec<Value> {
    vec![
        list(Quantity::Requests, way.requests.iter().cloned()),
        list(Quantity::Answers, way.answers.iter().cloned()),
        list(Quantity::LeftOver, way.left_over.iter().cloned()),
    ]
}

fn log(log: &Log) -> Group {
    let pieces = log.entries.iter().map(|entry| {
        let beside = match (entry.epoch, entry.sequence) {
            (Some(epoch), Some(sequence)) => format!("seq {sequence} epoch {epoch}"),
            _ => String::new(),
        };
        Piece {
            text: entry.record.clone(),
            beside,
            is_new: false,
            is_again: entry.again,
        }
    });
    Group {
        role: Role::Broker,
        name: match log.leads {
            true => log.name.clone(),
            false => format!("{} (does not lead)", log.name),
        },
        values: vec![Value {
            quantity: Quantity::Log,
            pieces: pieces.collect(),
            was: None,
            why: None,
        }],
    }
}

fn memory(memory: &Memory) -> Group {
    let mut values = match memory.epoch {
        Some(epoch) => vec![
            text(Quantity::KnownEpoch, epoch),
            number(Quantity::LastSequence, memory.last_sequence),
        ],
        None => vec![
            text(Quantity::KnownEpoch, "none: producer unknown"),
            text(Quantity::LastSequence, "none"),
        ],
    };
    let window = memory.window.iter().map(|batch| {
        let sequences = match batch.first == batch.last {
            true => batch.first.to_string(),
            false => format!("{}..{}", batch.first, batch.last),
        };
        format!("seq {sequences} at offset {}", batch.offset)
    });
    values.push(list(Quantity::Window, window));
    values.push(list(Quantity::Kept, memory.kept.iter().cloned()));
    Group {
        role: Role::Broker,
        name: format!("{} remembers", memory.name),
        values,
    }
}
