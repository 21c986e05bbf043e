//! The producer's numbers, and why they change.

use retryproof_models::conditions::Conditions;
use retryproof_models::message::Small;
use retryproof_models::producer::{Producer, Status, Undecided};

use crate::evidence::story::wire;

use super::cause::Cause;
use super::{Quantity, Value};

/// The values of a producer for one partition; `in_flight` is what its limit counts, `name`
/// how a batch is called.
pub fn values(
    conditions: &Conditions,
    producer: &Producer,
    in_flight: usize,
    name: impl Fn(&Undecided) -> String,
) -> Vec<Value> {
    let mut values = Vec::new();
    let numbered = conditions.client.idempotent;
    let sequence = |sequence: Small| match sequence {
        ..0 => "none".to_owned(),
        sequence => wire::sequence(conditions, sequence),
    };
    if numbered {
        let epoch = match conditions.max_epoch {
            Some(_) => wire::epoch(conditions, producer.epoch),
            None => producer.epoch.to_string(),
        };
        values.push(Value::text(Quantity::Epoch, epoch));
        let next = sequence(producer.next_sequence);
        values.push(Value::text(Quantity::NextSequence, next));
        let acked = sequence(producer.last_acked);
        values.push(Value::text(Quantity::LastAcknowledged, acked));
    }
    let limit = conditions.in_flight;
    let in_flight = format!("{in_flight} of {limit}");
    values.push(Value::text(Quantity::InFlight, in_flight));
    let undecided = producer.undecided.iter().map(|batch| {
        let identity = match numbered && !batch.anonymous {
            true => format!(" seq {}", sequence(batch.sequence)),
            false => String::new(),
        };
        let place = match batch.status {
            Status::Queued => "to be sent again",
            Status::OnWire => "sent",
            Status::Rewritten => "sent, renumbered since",
        };
        format!("{}{identity}: {place}", name(batch))
    });
    values.push(Value::of(Quantity::Undecided, undecided));
    values.push(Value::of(Quantity::Intent, intents(conditions, producer)));
    values
}

/// What it is about to do, or does no more.
fn intents(conditions: &Conditions, producer: &Producer) -> Vec<String> {
    let mut intents = Vec::new();
    if producer.bump_wanted {
        intents.push("will raise its epoch".to_owned());
    }
    if let Some(next) = producer.unresolved {
        let next = wire::sequence(conditions, next);
        intents.push(format!("waits: is sequence {next} the next?"));
    }
    if producer.stopped {
        intents.push("has stopped for good".to_owned());
    }
    intents
}

/// Why a value of a producer changed; `None` where only the story of the step tells.
pub fn why(
    conditions: &Conditions,
    quantity: Quantity,
    (before, after): (&Producer, &Producer),
    cause: &Cause,
) -> Option<String> {
    let raised = before.epoch != after.epoch;
    let sequence = |sequence| wire::sequence(conditions, sequence);
    let renumbered = || match after.undecided.len() {
        0 => "An epoch counts from 0.".to_owned(),
        count => format!(
            "The epoch counts from 0, and {} numbered anew.",
            match count {
                1 => "the undecided batch is".to_owned(),
                count => format!("the {count} undecided batches are"),
            }
        ),
    };
    Some(match (quantity, cause) {
        (Quantity::Epoch, _) => {
            let (old, new) = (before.epoch, after.epoch);
            let number = |epoch| wire::epoch_number(conditions, epoch);
            format!(
                "It wanted to be raised, and the client's loop begins anew: {} + 1 = {}.",
                number(old),
                number(new)
            )
        }
        (Quantity::NextSequence, Cause::Sends(batch)) => {
            let first = after.next_sequence - batch.count;
            let begins = if raised {
                renumbered() + " "
            } else {
                String::new()
            };
            format!(
                "{begins}{} takes {}, so the next is {} + {} = {}.",
                batch.name,
                sequence(first),
                sequence(first),
                batch.count,
                sequence(after.next_sequence)
            )
        }
        (Quantity::NextSequence | Quantity::Undecided, _) if raised => renumbered(),
        (Quantity::LastAcknowledged, _) if raised => {
            "Nothing is acknowledged in the new epoch yet.".to_owned()
        }
        (Quantity::LastAcknowledged, Cause::Reads { name, .. }) => {
            let acked = sequence(after.last_acked);
            format!("The answer says that {name}, sequence {acked}, is written.")
        }
        (Quantity::InFlight | Quantity::Undecided, Cause::Sends(batch))
        | (Quantity::InFlight, Cause::SendsAgain(batch)) => {
            format!("{} is sent, and its answer awaited.", batch.name)
        }
        (Quantity::Undecided, Cause::SendsAgain(batch)) => {
            format!("{} is sent again, under the same number.", batch.name)
        }
        (Quantity::InFlight, Cause::Reads { name, .. }) => {
            format!("The answer to {name} is there.")
        }
        (Quantity::Undecided | Quantity::Intent, Cause::Reads { name, said }) => {
            format!("The answer to {name} was: {said}.")
        }
        (Quantity::InFlight, Cause::Breaks | Cause::Restarts) => {
            "The connection is gone, and with it every answer that was awaited.".to_owned()
        }
        (Quantity::Undecided, Cause::Breaks | Cause::Restarts) => {
            "Without an answer nobody knows whether it is written, so it is to be sent again."
                .to_owned()
        }
        (Quantity::Intent, _) if raised => "It has raised its epoch.".to_owned(),
        _ => return None,
    })
}
