//! What gets lost, told.

use retryproof_models::message::Reply;
use retryproof_models::network::{Loss, NetworkKind};
use retryproof_models::producer::Status;

use super::phrase::{batches, plural, told, Answered, Batch};
use super::Moment;

/// The connection breaks, or the client's timeout strikes.
pub fn breaks(moment: &Moment<'_>) -> String {
    let mut text = if moment.conditions.network == NetworkKind::Session {
        connection_breaks(moment)
    } else {
        timeout_strikes(moment)
    };
    let told = told(moment);
    if !told.is_empty() {
        text.push_str(&format!(" Producer {told}."));
    }
    text.push_str(&must_send_again(moment));
    text
}

/// What the producer has to send again, as a sentence with a space before it.
pub fn must_send_again(moment: &Moment<'_>) -> String {
    let undecided = moment.after.producer.undecided.iter();
    let queued: Vec<_> = undecided
        .filter(|batch| batch.status == Status::Queued)
        .copied()
        .collect();
    match queued.is_empty() {
        true => String::new(),
        false => format!(" Producer must send {} again.", batches(queued)),
    }
}

fn connection_breaks(moment: &Moment<'_>) -> String {
    let network = &moment.before.network;
    let answers = network.replies.len();
    let mut text = "Connection breaks".to_owned();
    if answers > 0 {
        text.push_str(&format!(
            ": the {} to {} {} lost",
            plural("answer", answers),
            batches(answered(moment, network.replies.iter())),
            if answers == 1 { "is" } else { "are" },
        ));
    }
    if !network.live.is_empty() {
        let keeps = moment.after.network.left_over() > network.left_over();
        text.push_str(&format!(
            "{} {}, sent already, {}",
            if answers > 0 { ";" } else { ":" },
            batches(network.live.iter().copied()),
            match (keeps, network.live.len()) {
                (true, _) => "may still reach the broker",
                (false, 1) => "never arrives",
                (false, _) => "never arrive",
            }
        ));
    }
    text.push('.');
    text
}

/// The batches that replies are about.
fn answered<'r>(
    moment: &'r Moment<'_>,
    replies: impl Iterator<Item = &'r Reply> + 'r,
) -> impl Iterator<Item = Answered> + 'r {
    let producer = &moment.before.producer;
    replies.map(|reply| Answered::by(reply, producer))
}

fn timeout_strikes(moment: &Moment<'_>) -> String {
    let producer = &moment.before.producer;
    let waiting = producer
        .undecided
        .iter()
        .filter(|batch| batch.status != Status::Queued)
        .copied();
    format!(
        "Request timeout strikes: nobody waits for the {} to {} any more, but what is on its way \
         may still arrive.",
        plural("answer", producer.in_flight()),
        batches(waiting)
    )
}

/// The network loses something.
pub fn loses(moment: &Moment<'_>, loss: Loss) -> String {
    let network = &moment.before.network;
    match loss {
        Loss::Leftovers(connection) => {
            let queue = network.old.get(usize::from(connection).saturating_sub(1));
            let lost = queue.into_iter().flat_map(|queue| queue.iter());
            format!(
                "What a dead connection left over never arrives: {}.",
                batches(lost.copied())
            )
        }
        Loss::Request(slot) => format!("Request with {} is lost.", network.request(slot).name()),
        Loss::Reply(index) => {
            let reply = network.replies.as_slice().get(usize::from(index));
            format!(
                "Answer to {} is lost.",
                batches(answered(moment, reply.into_iter()))
            )
        }
    }
}
