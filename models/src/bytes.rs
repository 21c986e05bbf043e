//! The used part of a state as one run of bytes, to be hashed at once.

use crate::broker::Broker;
use crate::conditions::FaultsLeft;
use crate::ledger::Ledger;
use crate::message::{Place, Reply, Request, Small, Word};
use crate::network::Network;
use crate::producer::Producer;

/// Four flags as the lower bits of a byte.
#[inline]
fn flags(flags: [bool; 4]) -> u8 {
    flags
        .into_iter()
        .enumerate()
        .fold(0, |byte, (bit, flag)| byte | u8::from(flag) << bit)
}

/// The used part of a state. Each queue is preceded by its length, so that
/// different states have different bytes.
pub(crate) struct Bytes<const CAPACITY: usize> {
    len: usize,
    bytes: [u8; CAPACITY],
}

impl<const CAPACITY: usize> Default for Bytes<CAPACITY> {
    fn default() -> Self {
        Bytes {
            len: 0,
            bytes: [0; CAPACITY],
        }
    }
}

impl<const CAPACITY: usize> Bytes<CAPACITY> {
    /// What was pushed.
    pub fn used(&self) -> &[u8] {
        &self.bytes[..self.len]
    }

    #[inline]
    pub fn push(&mut self, byte: u8) {
        self.bytes[self.len] = byte;
        self.len += 1;
    }

    #[inline]
    pub fn small(&mut self, number: Small) {
        self.push(number as u8);
    }

    #[inline]
    pub fn wide(&mut self, number: u32) {
        for byte in number.to_le_bytes() {
            self.push(byte);
        }
    }

    #[inline]
    fn perhaps(&mut self, number: Option<Small>) {
        self.push(number.is_some().into());
        self.small(number.unwrap_or_default());
    }

    #[inline]
    pub fn request(&mut self, request: &Request) {
        self.small(request.epoch);
        self.small(request.sequence);
        self.small(request.record);
        self.push(request.more);
    }

    #[inline]
    pub fn reply(&mut self, reply: &Reply) {
        self.small(reply.record);
        let (kind, number) = match reply.word {
            Word::Written(Place::At(offset)) => (0, offset),
            Word::Written(Place::WhereItStands) => (1, 0),
            Word::Written(Place::Elsewhere) => (2, 0),
            Word::Written(Place::Unnamed) => (3, 0),
            Word::Refused(refusal) => (4 + refusal as u8, 0),
        };
        self.push(kind);
        self.small(number);
    }

    pub fn producer(&mut self, producer: &Producer) {
        self.small(producer.next_record);
        self.small(producer.epoch);
        self.small(producer.next_sequence);
        self.small(producer.last_acked);
        self.push(flags([
            producer.bump_wanted,
            producer.stopped,
            false,
            false,
        ]));
        self.perhaps(producer.hole);
        self.perhaps(producer.unresolved);
        self.push(producer.expired.len() as u8);
        for batch in producer.expired.iter() {
            self.small(batch.record);
            self.small(batch.last_sequence);
            self.push(batch.broker);
        }
        self.push(producer.undecided.len() as u8);
        for batch in producer.undecided.iter() {
            self.small(batch.record);
            self.small(batch.sequence);
            self.push(batch.more);
            self.push(batch.broker);
            let marks = [batch.requeued, batch.maybe_written, batch.anonymous, false];
            self.push(batch.status as u8 | flags(marks) << 4);
        }
    }

    pub fn network(&mut self, network: &Network) {
        for queue in std::iter::once(&network.live).chain(&network.old) {
            self.push(queue.len() as u8);
            for request in queue.iter() {
                self.request(request);
            }
        }
        self.push(network.replies.len() as u8);
        for reply in network.replies.iter() {
            self.reply(reply);
        }
        self.push(network.overflow.into());
    }

    pub fn broker(&mut self, broker: &Broker) {
        self.push(flags([broker.known, broker.log_used, false, false]));
        self.small(broker.end_behind);
        self.small(broker.epoch);
        self.small(broker.last_sequence);
        self.push(broker.window.len() as u8);
        for cached in broker.window.iter() {
            self.small(cached.first);
            self.small(cached.last);
            self.small(cached.offset);
        }
        self.push(broker.held.len() as u8);
        for held in broker.held.iter() {
            self.request(&held.request);
            self.push(held.awaited.into());
        }
    }

    pub fn left(&mut self, left: &FaultsLeft) {
        for left in left.bytes() {
            self.push(*left);
        }
    }

    pub fn ledger(&mut self, ledger: &Ledger) {
        self.small(ledger.log_end);
        self.push(ledger.tail.len() as u8);
        for entry in ledger.tail.iter() {
            self.small(entry.record);
            self.small(entry.epoch);
            self.small(entry.sequence);
            self.push(entry.more);
        }
        self.wide(ledger.older.0);
        self.wide(ledger.failed.0);
        self.small(ledger.highest);
        self.wide(ledger.undecided.0);
        self.push(ledger.overflow.into());
    }
}
