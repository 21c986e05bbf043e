//! Producer state as properties see it.

use retryproof_properties::{BrokerMemory, Epoch, Offset, Remembered, Sequence};

use super::Broker;

/// Producer state as properties see it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ObservedMemory {
    /// The state.
    pub broker: Broker,
    /// How many batches the rule promises to remember.
    pub capacity: usize,
}

impl BrokerMemory for ObservedMemory {
    fn epoch(&self) -> Option<Epoch> {
        self.broker.known.then_some(Epoch(self.broker.epoch.into()))
    }

    fn last_sequence(&self) -> Option<Sequence> {
        self.broker
            .known
            .then_some(Sequence(self.broker.last_sequence.into()))
    }

    fn capacity(&self) -> usize {
        self.capacity
    }

    fn remembered(&self, newest: usize) -> Option<Remembered> {
        let cached = self.broker.window.iter().rev().nth(newest)?;
        Some(Remembered {
            first: Sequence(cached.first.into()),
            last: Sequence(cached.last.into()),
            base: Offset(cached.offset.into()),
        })
    }
}
