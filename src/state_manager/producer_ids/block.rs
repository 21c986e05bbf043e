//! Blocks of consecutive ids, and where they come from.

use thiserror::Error;

use super::super::snapshot::FileError;

/// Consecutive producer ids that nobody else was given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Block {
    /// The first of them, 0 or more.
    pub first: i64,
    /// How many they are, 1 or more.
    pub len: u32,
}

impl Block {
    /// Ids in a block of Kafka's (`ProducerIdsBlock.PRODUCER_ID_BLOCK_SIZE`).
    pub const KAFKA_LEN: u32 = 1000;
}

/// A place that gives out blocks.
pub trait BlockSource {
    /// Gives out the next block. Its ids are above those of every block that this source, or
    /// one that it carries on from, ever gave out.
    ///
    /// # Errors
    /// If there is none, for now or for ever. Asking again is allowed.
    fn claim(&mut self) -> Result<Block, ClaimError>;
}

/// Why no block was given out.
#[derive(Debug, Error)]
pub enum ClaimError {
    /// There are no ids left.
    #[error(
        "producer ids are used up: the next block would begin at {next} and end above 2^63 - 1; \
         no producer can be given an id any more"
    )]
    Exhausted {
        /// The first id that was never given out.
        next: i64,
    },
    /// The file of the source could not be written.
    #[error("{0}: no ids were given out; ask again when it can be written")]
    File(#[source] FileError),
    /// What a source of somebody else says.
    #[error(transparent)]
    Other(Box<dyn std::error::Error + Send + Sync>),
}
