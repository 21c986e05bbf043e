//! The format that loses nothing: every batch of the window, and when a producer was last
//! seen.
//!
//! All numbers are big-endian. A file is a header and then one entry for each producer, in
//! no particular order; an entry is a producer and then its batches, oldest first:
//!
//! | header | bytes | type | |
//! |---|---|---|---|
//! | magic | 0–7 | | `RPWINDOW` in ASCII; Kafka's files begin with 0, 1 |
//! | version | 8–11 | u32 | 1 |
//! | checksum | 12–15 | u32 | CRC-32C of every byte from 16 to the end |
//! | map end | 16–23 | i64 | the state covers the log up to here, exclusive; 0 or more |
//! | producers | 24–31 | u64 | entries that follow |
//! | batches | 32–39 | u64 | batches in all of them |
//!
//! | producer | bytes | type | |
//! |---|---|---|---|
//! | producer id | 0–7 | i64 | 0 or more |
//! | timestamp | 8–15 | i64 | last timestamp of the producer, ms; −1 if there was none |
//! | last seen | 16–23 | i64 | when the broker last heard of it by the broker's own clock, ms |
//! | transaction's first offset | 24–31 | i64 | of the open transaction; −1 if there is none |
//! | coordinator epoch | 32–35 | i32 | of the last transaction marker; −1 if there was none |
//! | epoch | 36–37 | i16 | any number |
//! | batches | 38–39 | u16 | batches that follow, 0 to 63 |
//!
//! | batch | bytes | type | |
//! |---|---|---|---|
//! | last offset | 0–7 | i64 | below the map end |
//! | timestamp | 8–15 | i64 | largest timestamp of the batch, ms |
//! | last sequence | 16–19 | i32 | −1 if the batch has no sequence |
//! | offset delta | 20–23 | i32 | last offset − first offset |
//!
//! So a file has 40 + 40 · producers + 24 · batches bytes, which its header gives. A
//! producer's batches stand in the order of the log and do not overlap. How large the
//! window is does not stand in the file: whoever loads it keeps the newest batches that
//! there is room for.
//!
//! **Later versions.** Magic, version and checksum stay where they are and what they are.
//! Everything behind them may change with the version, which is why an unknown version is
//! refused as a whole and never read in part. Within version 1 nothing is left open: no
//! field is reserved, no flag is ignored.

mod encoder;
mod parsed;
mod records;

use super::field::Field;

pub use encoder::Encoder;
pub use parsed::{parse, Entries, Entry, Parsed};
pub use records::{BatchRecord, Producer};

/// How a file begins.
pub const MAGIC: [u8; 8] = *b"RPWINDOW";
/// The version that is known.
pub const VERSION: u32 = 1;
/// Bytes of the header.
pub const HEADER_SIZE: usize = 40;
/// Bytes of a producer without its batches.
pub const PRODUCER_SIZE: usize = 40;
/// Bytes of a batch.
pub const BATCH_SIZE: usize = 24;
/// Most batches of one producer.
pub const MAX_BATCHES: usize = 63;

const FORMAT_MAGIC: Field<0> = Field;
const FORMAT_VERSION: Field<8> = Field;
const CHECKSUM: Field<12> = Field;
const MAP_END: Field<16> = Field;
const PRODUCERS: Field<24> = Field;
const BATCHES: Field<32> = Field;
/// Where the bytes begin that the checksum is taken of.
const CHECKED: usize = 16;

#[cfg(test)]
mod tests;
