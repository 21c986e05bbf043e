//! Counts of states in JSON.

use retryproof_models::checking::Counts;
use serde::Serialize;

/// How many states a search looked at.
#[derive(Serialize)]
pub(in crate::evidence) struct States {
    unique: usize,
    generated: usize,
    depth: usize,
}

impl From<Counts> for States {
    fn from(counts: Counts) -> Self {
        States {
            unique: counts.unique,
            generated: counts.generated,
            depth: counts.depth,
        }
    }
}
