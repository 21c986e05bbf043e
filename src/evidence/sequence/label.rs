//! What arrows say.

use retryproof_models::conditions::Conditions;
use retryproof_models::message::{Request, Word};

use crate::evidence::story::wire;

/// What a request says, as "r2 seq 2 epoch 0".
pub fn request(conditions: &Conditions, name: &str, request: &Request) -> String {
    if !conditions.is_idempotent() {
        return name.to_owned();
    }
    if !request.has_identity() {
        return format!("{name} without identity");
    }
    let sequence = |sequence| wire::on_wire(conditions, sequence);
    let first = sequence(request.sequence);
    let sequences = match request.more {
        0 => first.to_string(),
        _ => format!("{first}..{}", sequence(request.last_sequence())),
    };
    let id = match conditions.max_epoch {
        Some(_) => format!(" id {}", wire::producer_id(conditions, request.epoch)),
        None => String::new(),
    };
    let epoch = wire::epoch_number(conditions, request.epoch);
    format!("{name} seq {sequences}{id} epoch {epoch}")
}

/// The epoch that tells a request from others: counted on where a new producer id starts
/// at 0 again. `None` without one.
pub fn epoch(conditions: &Conditions, request: &Request) -> Option<u8> {
    let tells = conditions.is_idempotent() && request.has_identity();
    tells.then(|| u8::try_from(request.epoch).ok()).flatten()
}

/// What an answer says, as "r2: ok, offset 2".
pub fn answer(name: &str, word: Word) -> String {
    format!("{name}: {word:?}")
}
