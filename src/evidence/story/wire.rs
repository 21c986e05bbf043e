//! Numbers as they are on the wire. A state counts on where sequences start at 0 again and
//! where a new producer id starts at epoch 0 again; a reader is shown what is sent.

use retryproof_models::broker::Broker;
use retryproof_models::conditions::Conditions;
use retryproof_models::message::{Request, Sequences, Small};
use retryproof_models::producer::ProducerConfig;
use retryproof_models::world::State;

/// The identity under which a request travels, as "sequence 0, epoch 0" or "sequences 0..1,
/// epoch 0"; none without idempotence.
pub fn identity(conditions: &Conditions, request: &Request) -> Option<String> {
    if !conditions.client.idempotent {
        return None;
    }
    if !request.has_identity() {
        return Some("no producer id".to_owned());
    }
    let epoch = epoch(conditions, request.epoch);
    let first = sequence(conditions, request.sequence);
    Some(match request.more {
        0 => format!("sequence {first}, {epoch}"),
        _ => {
            let last = sequence(conditions, request.last_sequence());
            format!("sequences {first}..{last}, {epoch}")
        }
    })
}

/// A sequence; one that starts anew says so, as "0 [4 modulo 4]".
pub fn sequence(conditions: &Conditions, sequence: Small) -> String {
    let sent = on_wire(conditions, sequence);
    match conditions.sequence_modulus {
        Some(modulus) if sent != sequence => format!("{sent} [{sequence} modulo {modulus}]"),
        _ => sent.to_string(),
    }
}

/// An epoch, as "epoch 1"; where epochs run out with the number of the producer id.
pub fn epoch(conditions: &Conditions, epoch: Small) -> String {
    match conditions.max_epoch {
        Some(_) => format!(
            "producer id {}, epoch {}",
            producer_id(conditions, epoch),
            epoch_number(conditions, epoch)
        ),
        None => format!("epoch {epoch}"),
    }
}

/// An epoch within its producer id.
pub fn epoch_number(conditions: &Conditions, epoch: Small) -> Small {
    match conditions.max_epoch {
        Some(last) => epoch.rem_euclid(last as Small + 1),
        None => epoch,
    }
}

/// Which producer id an epoch belongs to, counted from 0.
pub fn producer_id(conditions: &Conditions, epoch: Small) -> Small {
    ProducerConfig::of(conditions).producer_id_of(epoch)
}

/// What the broker remembers of the producer id of a request; none if that is nothing.
pub fn memory<'s>(
    conditions: &Conditions,
    state: &'s State,
    request: &Request,
) -> Option<&'s Broker> {
    let id = |epoch| producer_id(conditions, epoch);
    [&state.broker, &state.retired]
        .into_iter()
        .find(|broker| broker.known && id(broker.epoch) == id(request.epoch))
}

/// The sequences in the window, as "0 to 4", or batch by batch as "0..1 and 2..3"; none if it
/// is empty.
pub fn window(conditions: &Conditions, broker: &Broker) -> Option<String> {
    let batches = broker.window.as_slice();
    let (oldest, newest) = (batches.first()?, batches.last()?);
    let follow = batches.windows(2).all(|pair| {
        let next = on_wire(conditions, pair[0].last).checked_add(1);
        next == Some(on_wire(conditions, pair[1].first))
    });
    let single = batches.iter().all(|batch| batch.first == batch.last);
    if batches.len() > 2 && follow && single {
        let (first, last) = (oldest.first, newest.last);
        return Some(format!(
            "{} to {}",
            on_wire(conditions, first),
            on_wire(conditions, last)
        ));
    }
    let named: Vec<String> = batches
        .iter()
        .map(|batch| {
            let first = on_wire(conditions, batch.first);
            match batch.first == batch.last {
                true => first.to_string(),
                false => format!("{first}..{}", on_wire(conditions, batch.last)),
            }
        })
        .collect();
    Some(super::phrase::listed(&named))
}

/// A sequence as it is on the wire.
pub fn on_wire(conditions: &Conditions, sequence: Small) -> Small {
    Sequences::modulo(conditions.sequence_modulus).on_wire(sequence)
}
