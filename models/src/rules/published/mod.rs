//! Rules of brokers with a published fault, and designs of other brokers that differ from
//! Kafka's, each in a file named after its issue or product. What becomes of them in which
//! world is told in [`crate::defects`].
//!
//! Only of redpanda-3039 it is argued that worlds of any length are faithful to it.

mod crabka;
mod helix;
mod inkless_252;
mod kafka_2_1;
mod kfake;
mod redpanda_3039;
mod tansu;

pub use crabka::CRABKA;
pub use helix::HELIX;
pub use inkless_252::INKLESS_252;
pub use kafka_2_1::KAFKA_2_1;
pub use kfake::KFAKE;
pub use redpanda_3039::REDPANDA_3039;
pub use tansu::TANSU;

use super::Rule;

/// All of them.
pub const ALL: &[&Rule] = &[
    &KAFKA_2_1,
    &REDPANDA_3039,
    &KFAKE,
    &INKLESS_252,
    &TANSU,
    &HELIX,
    &CRABKA,
];
