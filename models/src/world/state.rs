//! The flat state of a world: a `Copy` value that is hashed as one run of bytes.

use std::fmt;
use std::hash::{Hash, Hasher};

use retryproof_properties::PropertyId;

use crate::broker::Broker;
use crate::conditions::FaultsLeft;
use crate::ledger::Ledger;
use crate::message::{Place, Reply, Request, Small, Word};
use crate::network::Network;
use crate::producer::Producer;

/// A set of properties.
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct Properties(pub u16);

impl Properties {
    /// Whether the property is in it.
    pub fn contains(self, property: PropertyId) -> bool {
        self.0 & (1 << property.index()) != 0
    }

    /// Adds a property.
    pub fn insert(&mut self, property: PropertyId) {
        self.0 |= 1 << property.index();
    }

    /// Those that are in it.
    pub fn iter(self) -> impl Iterator<Item = PropertyId> {
        PropertyId::ALL
            .iter()
            .copied()
            .filter(move |property| self.contains(*property))
    }
}

impl fmt::Debug for Properties {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter().map(|p| p.id())).finish()
    }
}

/// One state of a world.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct State {
    /// The producer.
    pub producer: Producer,
    /// What is on its way.
    pub network: Network,
    /// The broker.
    pub broker: Broker,
    /// What the observer knows.
    pub ledger: Ledger,
    /// What the broker holds of the producer id before the current one, where epochs run
    /// out.
    pub retired: Broker,
    /// How many of each fault are left.
    pub left: FaultsLeft,
    /// The properties that the step into this state violated.
    pub violated: Properties,
}

impl State {
    /// Whether the state grew beyond what a world can hold.
    pub fn overflow(&self) -> bool {
        self.ledger.overflow || self.network.overflow
    }
}

impl AsRef<Properties> for State {
    /// The properties that the step into this state violated.
    fn as_ref(&self) -> &Properties {
        &self.violated
    }
}

impl fmt::Debug for State {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "producer: {:?}", self.producer)?;
        writeln!(f, "network:  {:?}", self.network)?;
        writeln!(f, "broker:   {:?}", self.broker)?;
        if self.retired.known {
            writeln!(f, "of the id before: {:?}", self.retired)?;
        }
        write!(f, "{:?}", self.ledger)?;
        if self.violated != Properties::default() {
            write!(f, "\nviolated by this step: {:?}", self.violated)?;
        }
        Ok(())
    }
}

impl Hash for State {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        let mut bytes = Bytes::default();
        bytes.producer(&self.producer);
        bytes.network(&self.network);
        bytes.broker(&self.broker);
        bytes.broker(&self.retired);
        bytes.ledger(&self.ledger);
        for left in self.left.bytes() {
            bytes.push(*left);
        }
        bytes.wide(u32::from(self.violated.0));
        hasher.write(&bytes.bytes[..bytes.len]);
    }
}

/// Four flags as the lower bits of a byte.
#[inline]
fn flags(flags: [bool; 4]) -> u8 {
    flags
        .into_iter()
        .enumerate()
        .fold(0, |byte, (bit, flag)| byte | u8::from(flag) << bit)
}

/// The used part of a state as bytes. Each queue is preceded by its length, so that
/// different states have different bytes.
struct Bytes {
    len: usize,
    bytes: [u8; 768],
}

impl Default for Bytes {
    fn default() -> Self {
        Bytes {
            len: 0,
            bytes: [0; 768],
        }
    }
}

impl Bytes {
    #[inline]
    fn push(&mut self, byte: u8) {
        self.bytes[self.len] = byte;
        self.len += 1;
    }

    #[inline]
    fn small(&mut self, number: Small) {
        self.push(number as u8);
    }

    #[inline]
    fn wide(&mut self, number: u32) {
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
    fn request(&mut self, request: &Request) {
        self.small(request.epoch);
        self.small(request.sequence);
        self.small(request.record);
        self.push(request.more);
    }

    #[inline]
    fn reply(&mut self, reply: &Reply) {
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

    fn producer(&mut self, producer: &Producer) {
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
        for expired in producer.expired_on_wire {
            self.push(expired);
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

    fn network(&mut self, network: &Network) {
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

    fn broker(&mut self, broker: &Broker) {
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

    fn ledger(&mut self, ledger: &Ledger) {
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
