//! Where a producer id is looked for in the index.

use std::hash::{BuildHasher, RandomState};

/// Ids that follow each other are given out together, are at work together and lie together
/// in snapshots, so runs of so many of them share the cache lines of the index.
const RUN: u64 = 1 << RUN_BITS;
const RUN_BITS: u32 = 3;

/// A hash of producer ids that scatters runs, not single ids. Seeded, as clients choose the
/// ids that they send.
#[derive(Clone, Copy)]
pub(super) struct IdHash {
    seed: u64,
    multiplier: u64,
}

impl IdHash {
    pub fn new() -> Self {
        let random = RandomState::new();
        IdHash {
            seed: random.hash_one(0),
            multiplier: random.hash_one(1) | 1,
        }
    }

    /// The table takes the place from the low bits, and from the top seven a tag that tells
    /// neighbours apart.
    #[inline]
    pub fn hash(&self, producer_id: i64) -> u64 {
        let id = producer_id as u64;
        let wide = u128::from((id >> RUN_BITS) ^ self.seed) * u128::from(self.multiplier);
        let scattered = (wide >> 64) as u64 ^ wide as u64;
        let within = id % RUN;
        (scattered & !(RUN - 1) | within).wrapping_add(within << 57)
    }
}
