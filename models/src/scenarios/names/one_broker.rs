//! The names of actions where there is one producer, one partition and one broker.

use crate::message::Request;
use crate::network::{Loss, NetworkKind, Slot};
use crate::producer::{Producer, ProducerConfig, Reports};
use crate::world::{Action, FlatWorld, State};

use super::{batch, identity, takes, Detail, Named};

impl Named for FlatWorld {
    fn name(&self, state: &State, action: &Action, detail: Detail) -> String {
        let config = ProducerConfig::of(&self.conditions);
        match *action {
            Action::Send => {
                let fresh = batch(state.producer.next_record, config.records - 1);
                format!("producer sends {fresh}")
            }
            Action::Retry => sends_again(&state.producer, &config),
            Action::Deliver(slot) => {
                takes("broker", &request(state, slot, detail), Default::default())
            }
            Action::DeliverTo(slot, fate) => takes("broker", &request(state, slot, detail), fate),
            Action::Read { index, after_bump } => reads(state, index, after_bump, detail),
            Action::Disconnect => match self.conditions.network {
                NetworkKind::Session => "connection breaks".to_owned(),
                _ => "producer waits no longer".to_owned(),
            },
            Action::Lose(loss) => format!("network loses {}", lost(state, loss, detail)),
            Action::Restart => "broker restarts".to_owned(),
            Action::Expire => "broker forgets the producer".to_owned(),
            Action::TimeOut => runs_out_of_time(&state.producer, &config),
            Action::Cancel => {
                let newest = state.producer.undecided.as_slice().last();
                let newest = newest.map(|newest| batch(newest.record, newest.more));
                format!("application cancels {}", newest.unwrap_or_default())
            }
        }
    }
}

/// What is sent again may change with the turn of the client's loop before it.
fn sends_again(producer: &Producer, config: &ProducerConfig) -> String {
    let mut producer = *producer;
    match producer.retry(config, &mut Reports::default()) {
        Some(request) => format!(
            "producer sends {} again",
            batch(request.record, request.more)
        ),
        None => "producer finds nothing to send again".to_owned(),
    }
}

fn runs_out_of_time(producer: &Producer, config: &ProducerConfig) -> String {
    let mut producer = *producer;
    producer.start_loop(config, &mut Reports::default());
    match producer.undecided.as_slice().first() {
        Some(lowest) => format!("{} runs out of time", batch(lowest.record, lowest.more)),
        None => "nothing runs out of time".to_owned(),
    }
}

/// The request in a slot, by its record.
fn request(state: &State, slot: Slot, detail: Detail) -> String {
    let request = state.network.request(slot);
    let leftover = if slot.is_live() { "" } else { "leftover " };
    let mut name = format!("{leftover}{}", batch(request.record, request.more));
    if detail >= Detail::Identity {
        name += &identity(&request);
    }
    if detail >= Detail::Queue {
        let connection = usize::from(slot.connection);
        let queue = match connection.checked_sub(1) {
            None => &state.network.live,
            Some(old) => &state.network.old[old],
        };
        let behind = queue.iter().skip(usize::from(slot.index) + 1);
        name += &listed(" before", behind);
    }
    name
}

/// These requests by record and identity, each after a blank; nothing if there is none.
fn listed<'r>(lead: &str, requests: impl Iterator<Item = &'r Request>) -> String {
    let names: String = requests
        .map(|request| {
            let record = batch(request.record, request.more);
            format!(" {record}{}", identity(request))
        })
        .collect();
    match names.is_empty() {
        true => names,
        false => format!("{lead}{names}"),
    }
}

fn reads(state: &State, index: u8, after_bump: bool, detail: Detail) -> String {
    let replies = state.network.replies.as_slice();
    let Some(reply) = replies.get(usize::from(index)) else {
        return "producer reads nothing".to_owned();
    };
    let mut name = format!("producer reads answer to r{}", reply.record);
    if detail >= Detail::Identity {
        name += &format!(" ({:?})", reply.word);
    }
    if after_bump {
        name += " in a new turn";
    }
    name
}

fn lost(state: &State, loss: Loss, detail: Detail) -> String {
    match loss {
        Loss::Leftovers(connection) => {
            let old = &state.network.old[usize::from(connection) - 1];
            let records: Vec<String> = old
                .iter()
                .map(|request| {
                    let identity = match detail {
                        Detail::Record => String::new(),
                        _ => identity(request),
                    };
                    format!("{}{identity}", batch(request.record, request.more))
                })
                .collect();
            format!("leftover {}", records.join(", "))
        }
        Loss::Request(slot) => format!("request {}", request(state, slot, detail)),
        Loss::Reply(index) => {
            let reply = state.network.replies.as_slice()[usize::from(index)];
            format!("answer to r{}", reply.record)
        }
    }
}
