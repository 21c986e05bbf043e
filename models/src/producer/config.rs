//! What of the conditions a producer goes by.

use crate::conditions::{Conditions, InFlightPer};
use crate::message::{Sequences, Small};
use crate::policies::{Comparison, Policy};

/// The configuration of a producer.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ProducerConfig {
    /// What kind of client it is.
    pub policy: &'static Policy,
    /// `max.in.flight.requests.per.connection`.
    pub in_flight: usize,
    /// Whether the limit counts from the lowest undecided batch on
    /// (see [`InFlightPer::Span`]).
    pub counts_span: bool,
    /// Records in a batch, at least 1.
    pub records: u8,
    /// Whether batches carry no identity though others on the same broker do. (Where nobody
    /// is idempotent, identities are there and not looked at.)
    pub anonymous: bool,
    /// The space of sequences.
    pub sequences: Sequences,
    /// The last epoch that a producer id has, if it is ever reached.
    pub max_epoch: Option<Small>,
}

impl ProducerConfig {
    /// The configuration of the producers of a world.
    pub fn of(conditions: &Conditions) -> Self {
        ProducerConfig {
            policy: conditions.client,
            in_flight: conditions.in_flight.into(),
            counts_span: conditions.in_flight_per == InFlightPer::Span,
            records: conditions.records_per_batch,
            anonymous: !conditions.client.idempotent && conditions.second_client.is_some(),
            sequences: Sequences::modulo(conditions.sequence_modulus),
            max_epoch: conditions.max_epoch.map(|epoch| epoch as Small),
        }
    }

    /// Which producer id an epoch belongs to, as a number from 0. Epochs count on when a
    /// new producer id takes over: with a last epoch of 1, epoch 2 is epoch 0 of the next.
    pub fn producer_id_of(&self, epoch: Small) -> Small {
        match self.max_epoch {
            Some(last) => epoch.div_euclid(last + 1),
            None => 0,
        }
    }

    /// Whether `next` follows directly on `last` in the client's eyes (Java:
    /// `base - lastAckedSequence == 1`, as plain numbers).
    pub fn is_next(&self, last: Small, next: Small) -> bool {
        match self.policy.comparison {
            Comparison::Plain => self.sequences.on_wire(next) == self.sequences.on_wire(last) + 1,
            Comparison::Modular => next == last + 1,
        }
    }
}
