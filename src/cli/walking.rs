//! Flags of random walks in place of a search.

use clap::Args;
use retryproof_models::checking::Walks;

use super::numbers::{from_to, seed};

/// Steps of each walk, unless said otherwise.
const STEPS: usize = 200;
/// The most steps of a walk.
const MOST_STEPS: usize = 1_000_000;
/// The most walks.
const MOST_WALKS: usize = 1_000_000_000;

/// Random walks in place of a search.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Random walks")]
pub struct WalkFlags {
    /// Take N random walks instead of a search, in worlds too large for one: they may refute, with
    /// a run that need not be a shortest one, and never prove; one thread walks
    #[arg(long, value_name = "N", value_parser = from_to(1, MOST_WALKS))]
    walks: Option<usize>,
    /// Steps of each walk, at most [200]
    #[arg(long, value_name = "N", value_parser = from_to(1, MOST_STEPS), requires = "walks")]
    steps: Option<usize>,
    /// Seed of the first walk; the others follow, and the same seed gives the same output [0]
    #[arg(long, value_name = "SEED", value_parser = seed, requires = "walks")]
    seed: Option<u64>,
}

impl WalkFlags {
    /// The walks to take; `None` for a search.
    pub fn walks(&self) -> Option<Walks> {
        Some(Walks {
            count: self.walks?,
            steps: self.steps.unwrap_or(STEPS),
            seed: self.seed.unwrap_or(0),
        })
    }
}
