//! Choices that can be repeated (SplitMix64).

use std::env;
use std::time::{Duration, SystemTime};

pub struct Random(u64);

impl Random {
    /// From `RETRYPROOF_SEED`, or else from the clock. What a test prints is shown if it
    /// fails, so a seed that found something is known.
    pub fn seeded() -> Self {
        let told = env::var("RETRYPROOF_SEED").ok();
        let seed = told.and_then(|seed| seed.parse().ok()).unwrap_or_else(|| {
            let since_1970 = SystemTime::UNIX_EPOCH.elapsed().unwrap_or_default();
            since_1970.as_nanos() as u64
        });
        println!("RETRYPROOF_SEED={seed}");
        Random(seed)
    }

    /// The same choices every time.
    pub fn fixed() -> Self {
        Random(0)
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number from 0 to `end`, exclusive.
    pub fn below(&mut self, end: usize) -> usize {
        (self.next() % end as u64) as usize
    }

    /// A time up to `end`.
    pub fn up_to(&mut self, end: Duration) -> Duration {
        Duration::from_nanos(self.next() % end.as_nanos() as u64)
    }

    /// True once in so many times.
    pub fn once_in(&mut self, times: usize) -> bool {
        self.below(times) == 0
    }
}
