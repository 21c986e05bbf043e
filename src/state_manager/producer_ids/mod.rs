//! Producer ids: who gives them out, so that no two producers ever have the same.
//!
//! A producer asks for an id once, with InitProducerId, and any broker may answer. So
//! brokers do not agree on single ids but on blocks of them: one place gives out blocks of
//! 1000 consecutive ids ([`BlockSource`]; in Kafka the controller, `ProducerIdControlManager`),
//! and each broker gives out the ids of its block one by one ([`ProducerIds`]; in Kafka
//! `RPCProducerIdManager`). The rest of a block is never used when a broker ends: gaps are
//! normal, a repeated id would let one producer's batches pass for another's.
//!
//! [`BlockFile`] is a source for a broker that stands alone. A cluster brings its own, by
//! whatever its brokers agree with.

mod block;
mod block_file;
mod ids;
#[cfg(test)]
mod laws;

pub use block::{Block, BlockSource, ClaimError};
pub use block_file::{BlockFile, BlockFileError};
pub use ids::{NextIdError, ProducerIds};
