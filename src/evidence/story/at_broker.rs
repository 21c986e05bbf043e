//! What the broker decides, told.

use retryproof_models::broker::Broker;
use retryproof_models::message::Request;
use retryproof_models::network::{NetworkKind, Slot};
use retryproof_properties::Answer;

use super::phrase::{identity, record, records};
use super::Moment;

/// The broker takes a request.
pub fn decides(moment: &Moment<'_>, slot: Slot) -> String {
    let request = moment.before.network.request(slot);
    let identity = identity(moment, &request).map_or_else(String::new, |id| format!("{id}: "));
    let mut text = format!(
        "{} ({identity}{}).",
        does(moment, &request, slot.is_live()),
        moment.seen.branch.unwrap_or("no rule"),
    );
    add_memory(moment, &request, &mut text);
    add_slide(moment, &mut text);
    add_kept(moment, &mut text);
    text
}

fn does(moment: &Moment<'_>, request: &Request, is_awaited: bool) -> String {
    let what = record(request.record);
    let late = match (is_awaited, moment.conditions.network) {
        (true, _) => String::new(),
        (false, NetworkKind::Session) => {
            format!("Left over of a dead connection, {what} arrives. ")
        }
        (false, _) => format!("Late, for nobody waits any more, {what} arrives. "),
    };
    let does = match (moment.seen.appended.first(), moment.seen.answer) {
        (Some((_, offset)), _) => format!("appends {what} at offset {offset}"),
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

/// What the broker remembered when it did anything but go on as usual.
fn add_memory(moment: &Moment<'_>, request: &Request, text: &mut String) {
    let broker = &moment.before.broker;
    let goes_on = !moment.seen.appended.is_empty()
        && (request.epoch != broker.epoch || request.sequence == broker.last_sequence + 1);
    if !broker.known || goes_on {
        return;
    }
    let mut facts = Vec::new();
    if request.epoch != broker.epoch {
        facts.push(format!("epoch is {}", broker.epoch));
    }
    facts.push(format!("last sequence is {}", broker.last_sequence));
    if let Some(window) = window(broker) {
        facts.push(format!("window holds {window}"));
    }
    text.push_str(&format!(" Its {}.", facts.join(", its ")));
}

/// An append pushed the oldest batch out of the window.
fn add_slide(moment: &Moment<'_>, text: &mut String) {
    let oldest = |broker: &Broker| broker.window.iter().next().map(|cached| cached.first);
    let (before, after) = (&moment.before.broker, &moment.after.broker);
    if before.epoch != after.epoch || moment.seen.appended.is_empty() {
        return;
    }
    if let (Some(gone), Some(window)) = (oldest(before), window(after)) {
        if oldest(after) != Some(gone) {
            text.push_str(&format!(
                " Sequence {gone} has left its window, which holds {window} now."
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

/// The sequences in the window, as "0 to 4".
fn window(broker: &Broker) -> Option<String> {
    let sequences: Vec<_> = broker.window.iter().map(|cached| cached.first).collect();
    let (first, last) = (sequences.first()?, sequences.last()?);
    let without_gap = sequences.windows(2).all(|pair| pair[0] + 1 == pair[1]);
    Some(match (sequences.len(), without_gap) {
        (1, _) => format!("{first}"),
        (2, _) => format!("{first} and {last}"),
        (_, true) => format!("{first} to {last}"),
        (_, false) => sequences
            .iter()
            .map(ToString::to_string)
            .collect::<Vec<_>>()
            .join(", "),
    })
}
