//! A retrying idempotent producer: at most five batches without an answer, retried in their
//! order, under their old sequences, after every loss of the connection.

use std::collections::VecDeque;

use super::request::{sequence_after, Request};

const IN_FLIGHT: usize = 5;

#[derive(Clone)]
pub struct Producer {
    id: i64,
    epoch: i16,
    next_sequence: i32,
    next_record: i64,
    /// Batches without an answer, oldest first.
    unanswered: VecDeque<Request>,
    /// How many of these were sent over the connection that there is now.
    sent: usize,
}

impl Producer {
    /// A producer that begins.
    pub fn new(id: i64) -> Self {
        Producer::at_sequence(id, 0)
    }

    /// A producer whose next batch begins at this sequence.
    pub fn at_sequence(id: i64, next_sequence: i32) -> Self {
        Producer {
            id,
            epoch: 0,
            next_sequence,
            next_record: 0,
            unanswered: VecDeque::new(),
            sent: 0,
        }
    }

    /// Whether it has sent all it has, and may have one batch more in flight.
    pub fn may_make(&self) -> bool {
        self.sent == self.unanswered.len() && self.sent < IN_FLIGHT
    }

    /// Makes a batch of the next records.
    pub fn make(&mut self, count: u32) -> Request {
        let request = Request {
            producer_id: self.id,
            epoch: self.epoch,
            first_sequence: self.next_sequence,
            first_record: self.next_record,
            count,
        };
        self.next_sequence = sequence_after(self.next_sequence, count);
        self.next_record += i64::from(count);
        self.unanswered.push_back(request);
        request
    }

    /// The next batch that was not sent over this connection yet.
    pub fn send(&mut self) -> Option<Request> {
        let request = self.unanswered.get(self.sent)?;
        self.sent += 1;
        Some(*request)
    }

    /// An answer came: it is that to the oldest batch.
    pub fn answered(&mut self) -> Request {
        self.sent -= 1;
        self.unanswered.pop_front().expect("it waits for an answer")
    }

    /// Whether it waits for an answer.
    pub fn waits(&self) -> bool {
        !self.unanswered.is_empty()
    }

    /// The connection is lost, and with it all answers that were under way.
    pub fn reconnect(&mut self) {
        self.sent = 0;
    }

    /// Begins a new epoch. Nothing may be unanswered: it would be sent under the old one.
    pub fn bump_epoch(&mut self) {
        assert!(!self.waits());
        self.epoch += 1;
        self.next_sequence = 0;
    }

    /// One that does not know how to retry: it sends all that is unanswered as if it were
    /// new, in an epoch of its own.
    pub fn with_all_sent_as_new(&self) -> Self {
        let mut forgetful = Producer {
            epoch: self.epoch + 1,
            next_sequence: 0,
            next_record: self
                .unanswered
                .front()
                .map_or(0, |oldest| oldest.first_record),
            unanswered: VecDeque::new(),
            ..*self
        };
        for request in &self.unanswered {
            forgetful.make(request.count);
        }
        forgetful
    }

    /// Batches without an answer, oldest first.
    pub fn unanswered(&self) -> impl Iterator<Item = &Request> {
        self.unanswered.iter()
    }

    /// Its producer id.
    pub fn id(&self) -> i64 {
        self.id
    }

    /// How many records it has made.
    pub fn records(&self) -> i64 {
        self.next_record
    }
}
