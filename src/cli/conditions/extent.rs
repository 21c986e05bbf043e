//! How much of everything there is in a world, as flags.

use clap::Args;
use retryproof_models::conditions::{
    Budget, Conditions, MAX_BATCHES, MAX_BROKERS, MAX_LANES, MAX_MODULUS, MAX_RECORDS_PER_BATCH,
};
use retryproof_models::network::MAX_CONNECTIONS;

use super::super::numbers::{budget, small, small_or_none, OrNone};

/// The fewest sequences that can start at 0 again.
const MIN_MODULUS: u8 = 2;

/// The size of a world but for in-flight limit and window.
#[derive(Args, Clone, Debug, Default, PartialEq)]
#[command(next_help_heading = "Size [default: Apache Kafka 4.x]")]
pub struct ExtentFlags {
    /// The live connection and how many dead ones may still deliver [3]
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = small(1, MAX_CONNECTIONS as u8))]
    connections: Option<u8>,
    /// Batches that are sent; "any": runs of any length [any]
    #[arg(long, value_name = "N|any", allow_negative_numbers = true, value_parser = budget(1, MAX_BATCHES))]
    batches: Option<Budget>,
    /// Records in each batch [1]
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = small(1, MAX_RECORDS_PER_BATCH))]
    records_per_batch: Option<u8>,
    /// Producers [1]
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = small(1, MAX_LANES))]
    producers: Option<u8>,
    /// Partitions, each written by every producer [1]
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = small(1, MAX_LANES))]
    partitions: Option<u8>,
    /// Brokers, each with a replica of every partition [1]
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = small(1, MAX_BROKERS))]
    brokers: Option<u8>,
    /// Sequences before they start at 0 again [none]
    #[arg(long, value_name = "N|none", allow_negative_numbers = true, value_parser = small_or_none(MIN_MODULUS, MAX_MODULUS))]
    sequence_modulus: Option<OrNone>,
    /// The last epoch that a producer id has [none]
    #[arg(long, value_name = "N|none", allow_negative_numbers = true, value_parser = small_or_none(0, MAX_MODULUS))]
    max_epoch: Option<OrNone>,
}

impl ExtentFlags {
    /// These conditions with the flags carried out.
    pub fn apply(&self, base: Conditions) -> Conditions {
        Conditions {
            connections: self.connections.unwrap_or(base.connections),
            batches: self.batches.unwrap_or(base.batches),
            records_per_batch: self.records_per_batch.unwrap_or(base.records_per_batch),
            producers: self.producers.unwrap_or(base.producers),
            partitions: self.partitions.unwrap_or(base.partitions),
            brokers: self.brokers.unwrap_or(base.brokers),
            sequence_modulus: self
                .sequence_modulus
                .map_or(base.sequence_modulus, OrNone::number),
            max_epoch: self.max_epoch.map_or(base.max_epoch, OrNone::number),
            ..base
        }
    }
}
