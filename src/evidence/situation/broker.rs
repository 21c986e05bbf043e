//! A broker's producer state, and why it changes.

use retryproof_models::broker::{Broker, Cached};
use retryproof_models::conditions::Conditions;

use crate::evidence::story::wire;

use super::cause::{Batch, Cause};
use super::{Quantity, Value};

/// The values of what a broker knows of one producer.
pub fn values(conditions: &Conditions, broker: &Broker) -> Vec<Value> {
    let known = |text: String| match broker.known {
        true => text,
        false => "producer unknown".to_owned(),
    };
    let epoch = match conditions.max_epoch {
        Some(_) => wire::epoch(conditions, broker.epoch),
        None => broker.epoch.to_string(),
    };
    let last = match broker.last_sequence {
        ..0 => "none".to_owned(),
        last => wire::sequence(conditions, last),
    };
    let window = broker.window.iter().map(|batch| {
        let sequences = sequences(conditions, batch);
        format!("seq {sequences} at offset {}", batch.offset)
    });
    let mut values = vec![
        Value::text(Quantity::KnownEpoch, known(epoch)),
        Value::text(Quantity::LastSequence, known(last)),
        Value::of(Quantity::Window, window),
    ];
    if conditions.rule.name == "buffering" {
        let kept = broker.held.iter().map(|held| format!("{:?}", held.request));
        values.push(Value::of(Quantity::Kept, kept));
    }
    values
}

/// The sequences of a batch, as "3" or "2..3".
fn sequences(conditions: &Conditions, batch: &Cached) -> String {
    let first = wire::on_wire(conditions, batch.first);
    match batch.first == batch.last {
        true => first.to_string(),
        false => format!("{first}..{}", wire::on_wire(conditions, batch.last)),
    }
}

/// Why a value of a broker changed; `None` where only the story of the step tells.
pub fn why(
    conditions: &Conditions,
    quantity: Quantity,
    (before, after): (&Broker, &Broker),
    cause: &Cause,
) -> Option<String> {
    let Cause::Takes(batch) = cause else {
        return None;
    };
    let appended = after.last_sequence != before.last_sequence || after.epoch != before.epoch;
    match quantity {
        Quantity::KnownEpoch | Quantity::LastSequence | Quantity::Window if !appended => None,
        Quantity::KnownEpoch => Some(format!("{} carries it, and is appended.", batch.name)),
        Quantity::LastSequence => Some(follows(conditions, before, after, batch)),
        Quantity::Window => Some(slides(conditions, before, after, batch)),
        _ => None,
    }
}

fn follows(conditions: &Conditions, before: &Broker, after: &Broker, batch: &Batch) -> String {
    let Batch {
        name, first, last, ..
    } = batch;
    if !before.known {
        return format!("{name} is the first that it sees of the producer: sequence {last}.");
    }
    if before.epoch != after.epoch {
        let epoch = wire::epoch_number(conditions, after.epoch);
        return format!("{name} begins epoch {epoch} with sequence {first}.");
    }
    let expected = before.last_sequence;
    format!(
        "{name} follows: its sequence {first} = {} + 1.",
        wire::on_wire(conditions, expected)
    )
}

fn slides(conditions: &Conditions, before: &Broker, after: &Broker, batch: &Batch) -> String {
    let mut text = format!("It remembers {} now", batch.name);
    let gone: Vec<String> = before
        .window
        .iter()
        .filter(|old| !after.window.iter().any(|kept| kept == *old))
        .map(|old| sequences(conditions, old))
        .collect();
    let capacity = conditions.capacity();
    if before.epoch != after.epoch && before.known {
        text.push_str("; what it knew of the epoch before is dropped");
    } else if !gone.is_empty() {
        text.push_str(&format!(
            "; sequence {} falls out, for it remembers {capacity}",
            gone.join(", ")
        ));
    }
    text + "."
}
