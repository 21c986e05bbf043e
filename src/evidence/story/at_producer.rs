//! What the producer does, told.

use retryproof_models::message::{Refusal, Reply, Request, Word};
use retryproof_models::producer::{Producer, Undecided};

use super::phrase::{batches, record, said, told, Answered, Batch};
use super::{wire, Moment};

/// A record is sent for the first time.
pub fn sends(moment: &Moment<'_>) -> String {
    let Some(request) = newly_sent(moment) else {
        return "Producer sends nothing.".to_owned();
    };
    let mut text = format!(
        "Producer {}sends {} (new){}; {} in flight.",
        raised(moment),
        request.name(),
        sent_as(moment, &request),
        moment.after.producer.in_flight()
    );
    add_told(moment, &mut text);
    text
}

/// An undecided batch is sent again.
pub fn sends_again(moment: &Moment<'_>) -> String {
    let Some(request) = newly_sent(moment) else {
        return "Producer sends nothing.".to_owned();
    };
    let mut text = format!(
        "Producer {}sends {} again{}",
        raised(moment),
        request.name(),
        sent_as(moment, &request),
    );
    let known = sequence_of(&moment.before.producer, request.record);
    match known {
        Some(known) if !has_raised(moment) && known != request.sequence => {
            let sequence = wire::sequence(moment.conditions, known);
            text.push_str(&format!(": it was sequence {sequence} before."));
        }
        _ => text.push('.'),
    }
    text
}

/// An answer is read.
pub fn reads(moment: &Moment<'_>, index: u8) -> String {
    let replies = moment.before.network.replies.as_slice();
    let Some(reply) = replies.get(usize::from(index)) else {
        return "Producer reads nothing.".to_owned();
    };
    let mut text = format!(
        "Producer {}reads the answer to {}: {}. ",
        raised(moment),
        Answered::by(reply, &moment.before.producer).name(),
        said(reply.word)
    );
    text.push_str(&consequence(moment, reply));
    text
}

fn consequence(moment: &Moment<'_>, reply: &Reply) -> String {
    let (before, after) = (&moment.before.producer, &moment.after.producer);
    let told = told(moment);
    let answered = Answered::by(reply, before);
    if after.stopped && !before.stopped {
        return format!("It takes that for fatal, {told}, and stops for good.");
    }
    let wants_epoch = after.bump_wanted && !before.bump_wanted;
    match (told.is_empty(), wants_epoch, reply.word) {
        (false, true, _) if after.undecided.is_empty() => {
            format!("It {told}, and will raise its epoch.")
        }
        (false, true, _) => format!("It {told}, and will raise its epoch for the others."),
        (false, false, _) => format!("It {told}."),
        (true, true, Word::Refused(Refusal::OutOfOrder)) => format!(
            "{} is the next it waits for, so it takes the broker's state for lost: it will raise its \
             epoch and number anew.",
            answered.name()
        ),
        (true, true, _) => "It will raise its epoch and number anew.".to_owned(),
        (true, false, Word::Refused(_)) if Answered::by(reply, after).more() < answered.more() => {
            format!(
                "It cuts {} in two and will send {} and {}.",
                answered.name(),
                record(reply.record),
                record(reply.record + 1)
            )
        }
        (true, false, Word::Refused(_)) if knows(after, reply) => {
            format!("It will send {} again.", answered.name())
        }
        (true, false, _) => "It does not wait for that any more.".to_owned(),
    }
}

/// The identity under which a request is sent, with "as" before it.
fn sent_as(moment: &Moment<'_>, request: &Request) -> String {
    match wire::identity(moment.conditions, request) {
        Some(_) if !request.has_identity() => " without producer id and sequence".to_owned(),
        Some(identity) => format!(" as {identity}"),
        None => String::new(),
    }
}

/// "raises its epoch … and then ", if the epoch was raised in this step.
fn raised(moment: &Moment<'_>) -> String {
    if !has_raised(moment) {
        return String::new();
    }
    let conditions = moment.conditions;
    let (before, after) = (&moment.before.producer, &moment.after.producer);
    let id = |epoch| wire::producer_id(conditions, epoch);
    let raises = match id(before.epoch) == id(after.epoch) {
        true => format!(
            "raises its epoch to {}",
            wire::epoch_number(conditions, after.epoch)
        ),
        false => format!(
            "has no epoch left, takes a new producer id ({})",
            id(after.epoch)
        ),
    };
    // What was undecided before the step was given a new identity in it, or lost its own.
    let undecided = before.undecided.iter().copied();
    let (nameless, named): (Vec<Undecided>, Vec<Undecided>) =
        undecided.partition(|batch| is_nameless(after, batch));
    let lost = match nameless.iter().any(|batch| !batch.anonymous) {
        true => format!(", drops the identity of {}", batches(nameless)),
        false => String::new(),
    };
    let anew = match named.is_empty() {
        true => String::new(),
        false => format!(", numbers the undecided {} anew", batches(named)),
    };
    format!("{raises}{lost}{anew}, and ")
}

/// Whether the batch is undecided and has no identity.
fn is_nameless(producer: &Producer, batch: &Undecided) -> bool {
    producer
        .undecided
        .iter()
        .any(|other| other.record == batch.record && other.anonymous)
}

fn has_raised(moment: &Moment<'_>) -> bool {
    moment.after.producer.epoch != moment.before.producer.epoch
}

fn knows(producer: &Producer, reply: &Reply) -> bool {
    sequence_of(producer, reply.record).is_some()
}

fn sequence_of(producer: &Producer, record: i8) -> Option<i8> {
    producer
        .undecided
        .iter()
        .find(|batch| batch.record == record)
        .map(|batch| batch.sequence)
}

/// The request that this step put on its way.
fn newly_sent(moment: &Moment<'_>) -> Option<Request> {
    let before = &moment.before.network.live;
    let after = &moment.after.network.live;
    let copies = |queue: &[Request], request: &Request| {
        queue.iter().filter(|other| *other == request).count()
    };
    after
        .iter()
        .rev()
        .find(|request| copies(after.as_slice(), request) > copies(before.as_slice(), request))
        .copied()
}

fn add_told(moment: &Moment<'_>, text: &mut String) {
    let told = told(moment);
    if !told.is_empty() {
        text.push_str(&format!(" It {told}."));
    }
}
