//! The flat state of a world: a `Copy` value that is hashed as one run of bytes.

use std::fmt;
use std::hash::{Hash, Hasher};

use retryproof_properties::PropertyId;

use crate::broker::Broker;
use crate::bytes::Bytes;
use crate::conditions::FaultsLeft;
use crate::ledger::Ledger;
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

/// More bytes than the used part of any state has.
const MAX_BYTES: usize = 768;

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
        let mut bytes = Bytes::<MAX_BYTES>::default();
        bytes.producer(&self.producer);
        bytes.network(&self.network);
        bytes.broker(&self.broker);
        bytes.broker(&self.retired);
        bytes.ledger(&self.ledger);
        bytes.left(&self.left);
        bytes.wide(u32::from(self.violated.0));
        hasher.write(bytes.used());
    }
}
