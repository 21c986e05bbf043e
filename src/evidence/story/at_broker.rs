//! What the broker decides, told.

use retryproof_models::broker::Broker;
use retryproof_models::message::Request;
use retryproof_models::network::{NetworkKind, Slot};
use retryproof_properties::{Answer, Rejection};

use super::phrase::{records, Batch};
use super::{wire, Moment};

/// The broker takes a request.
pub fn decides(moment: &Moment<'_>, slot: Slot) -> String {
    let request = moment.before.network.request(slot);
    let identity = wire::identity(moment.conditions, &request);
    let identity = identity.map_or_else(String::new, |identity| format!("{identity}: "));
    let mut text = format!(
        "{} ({identity}{}).",
        does(moment, &request, slot.is_live()),
        moment.seen.branch.unwrap_or("no rule"),
    );
    add_memory(moment, &request, &mut text);
    add_slide(moment, &request, &mut text);
    add_kept(moment, &mut text);
    text
}

fn does(moment: &Moment<'_>, request: &Request, is_awaited: bool) -> String {
    let what = request.name();
    let late = late(moment, request, is_awaited);
    let does = match (moment.seen.appended.first(), moment.seen.answer) {
        (Some((_, offset)), Some(Answer::Rejected(error))) if is_awaited => {
            format!("appends {what} at offset {offset}, but answers {error}")
        }
        (Some((_, offset)), _) => format!("appends {what} at offset {offset}"),
        (None, Some(Answer::Rejected(error @ Rejection::NotEnoughReplicasAfterAppend))) => {
            format!("does not write {what} again, but answers {error}")
        }
        (None, Some(Answer::Rejected(rejection))) => format!("refuses {what} with {rejection}"),
        (None, Some(Answer::Duplicate { base: Some(base) })) => {
            format!("does not write {what} again, but answers offset {base}")
        }
        (None, Some(Answer::Duplicate { base: None })) => {
            format!("does not write {what} again, and answers without an offset")
        }
        (None, Some(Answer::Appended { base })) => {
            format!("does not write {what}, but answers offset {base}")
        }
        (None, None) => format!("keeps {what} for later"),
    };
    format!("{late}Broker {does}")
}

/// That a request arrives of which nobody awaits the answer, as a sentence with a space
/// behind it.
pub fn late(moment: &Moment<'_>, request: &Request, is_awaited: bool) -> String {
    let what = request.name();
    match (is_awaited, moment.conditions.network) {
        (true, _) => String::new(),
        (false, NetworkKind::Session) => {
            format!("Left over of a dead connection, {what} arrives. ")
        }
        (false, _) => format!("Late, for nobody waits any more, {what} arrives. "),
    }
}

/// What the broker remembered when it did anything but go on as usual.
fn add_memory(moment: &Moment<'_>, request: &Request, text: &mut String) {
    let conditions = moment.conditions;
    let Some(broker) = wire::memory(conditions, moment.before, request) else {
        return;
    };
    let goes_on = !moment.seen.appended.is_empty()
        && (request.epoch != broker.epoch || request.sequence == broker.last_sequence + 1);
    if goes_on || !request.has_identity() {
        return;
    }
    let mut facts = Vec::new();
    if request.epoch != broker.epoch {
        let epoch = wire::epoch_number(conditions, broker.epoch);
        facts.push(format!("epoch is {epoch}"));
    }
    let last = wire::sequence(conditions, broker.last_sequence);
    facts.push(format!("last sequence is {last}"));
    if let Some(window) = wire::window(conditions, broker) {
        facts.push(format!("window holds {window}"));
    }
    text.push_str(&format!(" Its {}.", facts.join(", its ")));
}

/// An append pushed the oldest batch out of the window.
fn add_slide(moment: &Moment<'_>, request: &Request, text: &mut String) {
    let conditions = moment.conditions;
    let oldest = |broker: &Broker| broker.window.iter().next().map(|cached| cached.first);
    let memory = |state| wire::memory(conditions, state, request);
    let (Some(before), Some(after)) = (memory(moment.before), memory(moment.after)) else {
        return;
    };
    if before.epoch != after.epoch || moment.seen.appended.is_empty() {
        return;
    }
    if let (Some(gone), Some(window)) = (oldest(before), wire::window(conditions, after)) {
        if oldest(after) != Some(gone) {
            text.push_str(&format!(
                " Sequence {} has left its window, which holds {window} now.",
                wire::sequence(conditions, gone)
            ));
        }
    }
}

/// What became of batches that the broker had kept for later.
fn add_kept(moment: &Moment<'_>, text: &mut String) {
    let appended = &moment.seen.appended;
    for (kept, offset) in appended.iter().skip(1) {
        text.push_str(&format!(
            " r{kept}, kept before, fits now and is appended at offset {offset}."
        ));
    }
    let held = &moment.after.broker.held;
    let expelled: Vec<_> = moment
        .before
        .broker
        .held
        .iter()
        .filter(|kept| !held.iter().any(|other| other.request == kept.request))
        .map(|kept| kept.request.record)
        .filter(|kept| {
            !appended
                .iter()
                .any(|(record, _)| record.0 == i64::from(*kept))
        })
        .collect();
    if !expelled.is_empty() {
        text.push_str(&format!(
            " What it kept before, {}, it refuses: that epoch is over.",
            records(expelled)
        ));
    }
}
