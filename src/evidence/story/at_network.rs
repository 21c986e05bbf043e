//! What gets lost, told.

use retryproof_models::network::{Loss, NetworkKind};
use retryproof_models::producer::Status;

use super::phrase::{plural, record, records, told};
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
        .map(|batch| batch.record)
        .collect();
    match queued.is_empty() {
        true => String::new(),
        false => format!(" Producer must send {} again.", records(queued)),
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
            records(network.replies.iter().map(|reply| reply.record)),
            if answers == 1 { "is" } else { "are" },
        ));
    }
    if !network.live.is_empty() {
        let keeps = moment.after.network.left_over() > network.left_over();
        text.push_str(&format!(
            "{} {}, sent already, {}",
            if answers > 0 { ";" } else { ":" },
            records(network.live.iter().map(|request| request.record)),
            if keeps {
                "may still reach the broker"
            } else {
                "never arrives"
            }
        ));
    }
    text.push('.');
    text
}

fn timeout_strikes(moment: &Moment<'_>) -> String {
    let producer = &moment.before.producer;
    let waiting = producer
        .undecided
        .iter()
        .filter(|batch| batch.status != Status::Queued)
        .map(|batch| batch.record);
    format!(
        "Request timeout strikes: nobody waits for the {} to {} any more, but what is on its way \
         may still arrive.",
        plural("answer", producer.in_flight()),
        records(waiting)
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
                records(lost.map(|request| request.record))
            )
        }
        Loss::Request(slot) => format!(
            "Request with {} is lost.",
            record(network.request(slot).record)
        ),
        Loss::Reply(index) => {
            let reply = network.replies.as_slice().get(usize::from(index));
            format!(
                "Answer to {} is lost.",
                records(reply.map(|reply| reply.record))
            )
        }
    }
}
