//! What faults do to the broker and the producer, told.

use retryproof_models::broker::Fate;
use retryproof_models::conditions::RestartKeeps;
use retryproof_models::network::Slot;

use super::at_network::must_send_again;
use super::phrase::{record, records, told};
use super::{at_broker, Moment};

/// The broker takes a request and something besides befalls it.
pub fn befalls(moment: &Moment<'_>, slot: Slot, fate: Fate) -> String {
    let request = moment.before.network.request(slot);
    let what = record(request.record);
    let nothing_written = moment.seen.appended.is_empty();
    match fate {
        Fate::RefusedBefore => format!(
            "Broker refuses {what} with NOT_ENOUGH_REPLICAS before it looks at sequences: nothing \
             is written."
        ),
        Fate::Invalid if nothing_written => format!(
            "Broker refuses {what} with INVALID_RECORD: it does not pass validation, which comes \
             before duplicates are looked up."
        ),
        Fate::TooLarge if nothing_written => {
            format!("Broker refuses {what} with MESSAGE_TOO_LARGE.")
        }
        Fate::Fails if nothing_written => format!(
            "Broker changes its producer state for {what}, and fails before it writes the batch."
        ),
        Fate::Fails => format!(
            "Broker writes {what} and fails before the append is complete. It answers \
             KAFKA_STORAGE_ERROR."
        ),
        _ => {
            let decided = at_broker::decides(moment, slot);
            match fate {
                Fate::ErrorAfter if slot.is_live() => {
                    format!("{decided} Its answer is an error all the same.")
                }
                _ => decided,
            }
        }
    }
}

/// The broker restarts.
pub fn restarts(moment: &Moment<'_>) -> String {
    let mut text = match moment.conditions.restart_keeps {
        RestartKeeps::All => "Broker restarts; its snapshot held the whole window.",
        RestartKeeps::Last => "Broker restarts; of the window its snapshot held the newest batch.",
        RestartKeeps::Nothing => "Broker restarts and knows nothing of the producer.",
    }
    .to_owned();
    let network = &moment.before.network;
    if !network.is_empty() {
        text.push_str(" What was on its connections is gone.");
    }
    let told = told(moment);
    if !told.is_empty() {
        text.push_str(&format!(" Producer {told}."));
    }
    text.push_str(&must_send_again(moment));
    text
}

/// The broker forgets the producer.
pub fn expires() -> String {
    "Broker forgets the producer: its state has expired.".to_owned()
}

/// A batch runs out of time.
pub fn times_out(moment: &Moment<'_>) -> String {
    let lowest = moment.before.producer.undecided.iter().next();
    let what = records(lowest.map(|batch| batch.record));
    let mut text = format!(
        "Delivery timeout: {what} has run out of time. Producer {}.",
        told(moment)
    );
    if moment.after.producer.unresolved.is_some() {
        text.push_str(" It sends nothing fresh until the other batches are decided.");
    }
    text
}

/// The application cancels a batch.
pub fn cancels(moment: &Moment<'_>) -> String {
    let newest = moment.before.producer.undecided.as_slice().last();
    let what = records(newest.map(|batch| batch.record));
    format!(
        "Application cancels {what}. Producer {}, and will use sequence {} again.",
        told(moment),
        moment.after.producer.next_sequence
    )
}
