//! Flags of every command that searches a world.

use clap::Args;

use retryproof_models::checking::{Brake, Limits};

use super::numbers::{at_least_one, from_to};

/// The most threads that can be asked for.
const MAX_THREADS: usize = 256;

/// How far a search may go, and how.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Search")]
pub struct SearchFlags {
    /// Unique states after which a search gives up with verdict "unknown" [20000000]
    #[arg(long, value_name = "N", value_parser = at_least_one)]
    max_states: Option<usize>,
    #[command(flatten)]
    threads: ThreadsFlag,
}

/// How many threads search.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Search")]
pub struct ThreadsFlag {
    /// Threads that search [as many as there are processors]
    #[arg(long, value_name = "N", value_parser = from_to(1, MAX_THREADS))]
    threads: Option<usize>,
}

impl SearchFlags {
    /// The limits of a search that this brake stops.
    pub fn limits(&self, brake: Brake) -> Limits {
        let limits = self.threads.limits(brake);
        Limits {
            max_states: self.max_states.unwrap_or(limits.max_states),
            ..limits
        }
    }
}

impl ThreadsFlag {
    /// The limits of a search that this brake stops.
    pub fn limits(&self, brake: Brake) -> Limits {
        let limits = Limits::default();
        Limits {
            threads: self.threads.unwrap_or(limits.threads),
            brake,
            ..limits
        }
    }
}
