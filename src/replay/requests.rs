//! The requests of the real clients, and which of them a step of a model is about.

use retryproof_properties::{Answer as Said, Batch};

use super::moves::Delivery;
use super::protocol::Sent;

/// A request of a real client.
#[derive(Clone, Debug)]
pub struct OnWire {
    /// How it left.
    pub sent: Sent,
    /// Its batch, in the observer's numbers.
    pub batch: Batch,
    /// Its producer id, as a number from 0; `None` if it has none.
    pub id: Option<usize>,
    /// Whether the client waits for the answer.
    pub live: bool,
    /// What the broker said, each time that it got as far as the log.
    pub said: Vec<Said>,
    /// Whether it reached a broker.
    pub arrived: bool,
}

/// All requests that left, in order. Equal ones stand for each other: a model knows them by
/// their batch, and whether they are awaited.
#[derive(Clone, Debug, Default)]
pub struct Requests(pub Vec<OnWire>);

impl Requests {
    /// A connection breaks: the client waits no longer for what it sent there.
    pub fn disconnect(&mut self, producer: usize, broker: usize) {
        for request in &mut self.0 {
            request.live &= (request.sent.producer, request.sent.broker) != (producer, broker);
        }
    }

    /// The request that is delivered, as an index: one that has not arrived, or where the
    /// network repeats itself one that has.
    pub fn to_deliver(&self, delivery: &Delivery) -> Option<usize> {
        let is_meant = |request: &OnWire| {
            request.batch == delivery.batch
                && request.sent.broker == delivery.broker
                && request.live == delivery.awaited
        };
        let mut requests = self.0.iter();
        let fresh = requests.position(|request| is_meant(request) && !request.arrived);
        let again = || self.0.iter().position(is_meant);
        fresh.or_else(|| again().filter(|_| delivery.may_repeat))
    }

    /// The request whose answer is read, as an index, and in which delivery the log gave that
    /// answer; none if it is not the log's (`is_scripted`). `of` are the producer, broker
    /// and partition, `record` the first of the batch.
    pub fn to_read(
        &self,
        of: (usize, usize, usize),
        record: i64,
        answer: Said,
        is_scripted: bool,
    ) -> Option<(usize, Option<usize>)> {
        let is_meant = |request: &OnWire| {
            let sent = &request.sent;
            let is_of = (sent.producer, sent.broker, sent.partition) == of;
            is_of && request.live && request.arrived && request.batch.first_record.0 == record
        };
        let mut requests = self.0.iter().enumerate();
        requests.find_map(|(index, request)| {
            let mut said = request.said.iter();
            let delivery = said.rposition(|said| reads_as(*said) == answer);
            let is_found = is_meant(request) && (is_scripted || delivery.is_some());
            is_found.then_some((index, delivery.filter(|_| !is_scripted)))
        })
    }
}

/// What a client reads in an answer: a duplicate is a success like any other.
fn reads_as(said: Said) -> Said {
    match said {
        Said::Duplicate { base: Some(base) } => Said::Appended { base },
        other => other,
    }
}
