//! What faults do to the broker and the producer, told.

use retryproof_models::broker::{
    Fate, DOES_NOT_VALIDATE, FAILS_HALF_WAY, REFUSED_BEFORE, TOO_LARGE,
};
use retryproof_models::conditions::{AppendOrder, Expiry, RestartKeeps, Validation};
use retryproof_models::message::Request;
use retryproof_models::network::Slot;
use retryproof_properties::Rejection;

use super::at_network::must_send_again;
use super::phrase::{batches, told, Batch};
use super::{at_broker, wire, Moment};

/// The broker takes a request and something besides befalls it.
pub fn befalls(moment: &Moment<'_>, slot: Slot, fate: Fate) -> String {
    let request = moment.before.network.request(slot);
    let is_awaited = slot.is_live();
    let does = match moment.seen.branch {
        Some(REFUSED_BEFORE) => format!(
            "refuses {} with {} before it looks at sequences: nothing is written.",
            request.name(),
            Rejection::NotEnoughReplicas
        ),
        Some(DOES_NOT_VALIDATE) => {
            let why = "it does not pass validation";
            refuses_for_good(moment, &request, Rejection::InvalidRecord, why)
        }
        Some(TOO_LARGE) => {
            let why = "it is too large";
            refuses_for_good(moment, &request, Rejection::MessageTooLarge, why)
        }
        Some(FAILS_HALF_WAY) => fails(moment, &request, is_awaited),
        // The fault makes no difference to what is decided.
        _ => return decides_all_the_same(moment, slot, fate),
    };
    let late = at_broker::late(moment, &request, is_awaited);
    format!("{late}Broker {does}")
}

fn decides_all_the_same(moment: &Moment<'_>, slot: Slot, fate: Fate) -> String {
    let decides = at_broker::decides(moment, slot);
    match fate {
        Fate::Invalid | Fate::TooLarge => {
            format!("{decides} A duplicate is not validated.")
        }
        Fate::Decided | Fate::RefusedBefore | Fate::ErrorAfter | Fate::Fails => decides,
    }
}

fn refuses_for_good(moment: &Moment<'_>, request: &Request, error: Rejection, why: &str) -> String {
    let order = match moment.conditions.validation {
        Validation::BeforeLookup => "which is checked before duplicates are looked up",
        Validation::AfterLookup => "and it is no duplicate",
    };
    format!("refuses {} with {error}: {why}, {order}.", request.name())
}

/// An append fails between its two steps.
fn fails(moment: &Moment<'_>, request: &Request, is_awaited: bool) -> String {
    let what = request.name();
    let identity = wire::identity(moment.conditions, request);
    let identity = identity.map_or_else(String::new, |identity| format!(" ({identity})"));
    let offset = moment.seen.appended.first().map(|(_, offset)| offset);
    let at = offset.map_or_else(String::new, |offset| format!(" at offset {offset}"));
    let half_way = match moment.conditions.append_order {
        AppendOrder::WriteFirst => format!(
            "writes {what}{at}{identity} and fails before it updates its producer state, which \
             start-up rebuilds from the log."
        ),
        AppendOrder::StateFirst => format!(
            "updates its producer state for {what}{identity} and fails before it writes the batch: \
             nothing is written, but it remembers the batch."
        ),
        AppendOrder::EndLast => format!(
            "writes {what}{at}{identity} and fails before it moves its log end offset: what it \
             writes next gets the same offset."
        ),
    };
    match is_awaited {
        true => format!("{half_way} It answers {}.", Rejection::KafkaStorageError),
        false => half_way,
    }
}

/// The broker restarts.
pub fn restarts(moment: &Moment<'_>) -> String {
    let mut text = format!("Broker restarts{}.", kept(moment));
    if !moment.before.network.is_empty() {
        text.push_str(" What was on its connections is gone.");
    }
    let told = told(moment);
    if !told.is_empty() {
        text.push_str(&format!(" Producer {told}."));
    }
    text.push_str(&must_send_again(moment));
    text
}

/// What the broker still knows of the producer after a restart.
fn kept(moment: &Moment<'_>) -> String {
    let (before, after) = (&moment.before.broker, &moment.after.broker);
    if !before.known {
        return "; it knew nothing of the producer".to_owned();
    }
    let window = |broker| {
        let window = wire::window(moment.conditions, broker);
        window.unwrap_or_else(|| "nothing".to_owned())
    };
    match moment.conditions.restart_keeps {
        RestartKeeps::Nothing => " and knows nothing of the producer any more".to_owned(),
        _ if before.window == after.window => {
            format!("; its snapshot held the whole window: {}", window(after))
        }
        RestartKeeps::AllButNewest => format!(
            "; of its window, {}, the snapshot held what was there before the newest batch: {}",
            window(before),
            window(after)
        ),
        _ => format!(
            "; of its window, {}, the snapshot held the newest batch only: {}",
            window(before),
            window(after)
        ),
    }
}

/// The broker forgets the producer.
pub fn expires(moment: &Moment<'_>) -> String {
    let clock = match moment.conditions.expiry {
        Expiry::ClientTime => "by the timestamps in records",
        Expiry::WallClock => "by the time since it was last seen",
    };
    let last = wire::sequence(moment.conditions, moment.before.broker.last_sequence);
    format!(
        "Broker forgets the producer, whose last sequence was {last}: its state has expired {clock}."
    )
}

/// A batch runs out of time.
pub fn times_out(moment: &Moment<'_>) -> String {
    let lowest = moment.before.producer.undecided.iter().next();
    let mut text = format!(
        "Delivery timeout: {} has run out of time. Producer {}.",
        batches(lowest.copied()),
        told(moment)
    );
    let after = &moment.after.producer;
    if after.unresolved.is_some() {
        text.push_str(match after.undecided.is_empty() {
            true => " Which sequence the broker expects next it does not know.",
            false => " It sends nothing fresh until the other batches are decided.",
        });
    }
    text
}

/// The application cancels a batch.
pub fn cancels(moment: &Moment<'_>) -> String {
    let newest = moment.before.producer.undecided.as_slice().last();
    format!(
        "Application cancels {}. Producer {}, and will use sequence {} again.",
        batches(newest.copied()),
        told(moment),
        wire::sequence(moment.conditions, moment.after.producer.next_sequence)
    )
}
