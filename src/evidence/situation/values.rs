//! The values of a view, as they are shown.

use retryproof_models::actors::Role;

use crate::evidence::view::{Log, Memory, OnItsWay, Producer, View};

use super::{Group, Piece, Quantity, Value};

/// What is shown of a view: producers, what is on its way, logs and producer state.
pub fn groups(view: &View) -> Vec<Group> {
    let producers = view.producers.iter().enumerate();
    let mut groups: Vec<Group> = producers.map(producer).collect();
    groups.push(Group {
        role: Role::Network,
        name: "on its way".to_owned(),
        values: on_its_way(&view.on_its_way),
    });
    let logs: Vec<Group> = view.logs.iter().enumerate().map(log).collect();
    let memories: Vec<Group> = view.memories.iter().enumerate().map(memory).collect();
    match logs.len() == memories.len() {
        // Each replica knows one producer.
        true => groups.extend(logs.into_iter().zip(memories).map(replica)),
        false => groups.extend(logs.into_iter().chain(memories)),
    }
    groups
}

/// A log, and what its broker knows of the one producer.
fn replica((log, memory): (Group, Group)) -> Group {
    let values = log.values.into_iter().chain(memory.values);
    Group {
        role: Role::Broker,
        name: log
            .name
            .replace("log of b", "broker ")
            .replace("log of ", "")
            .replace("log", "broker"),
        values: values.collect(),
    }
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
        of: 0,
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

fn producer((of, producer): (usize, &Producer)) -> Group {
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
        name: match producer.name.as_str() {
            "producer" => "producer".to_owned(),
            name => format!("producer {name}"),
        },
        values: of_each(of, values),
    }
}

/// The values, told whose they are.
fn of_each(of: usize, values: Vec<Value>) -> Vec<Value> {
    let of_it = |value| Value { of, ..value };
    values.into_iter().map(of_it).collect()
}

fn on_its_way(way: &OnItsWay) -> Vec<Value> {
    vec![
        list(Quantity::Requests, way.requests.iter().cloned()),
        list(Quantity::Answers, way.answers.iter().cloned()),
        list(Quantity::LeftOver, way.left_over.iter().cloned()),
    ]
}

fn log((of, log): (usize, &Log)) -> Group {
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
            of,
            pieces: pieces.collect(),
            was: None,
            why: None,
        }],
    }
}

fn memory((of, memory): (usize, &Memory)) -> Group {
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
        values: of_each(of, values),
    }
}
