//! What random walks came to, in JSON.

use std::collections::BTreeMap;

use retryproof_models::checking::{self, Outcome};
use serde::Serialize;

/// What random walks came to. Nothing in it differs from one time to the next.
#[derive(Serialize)]
pub(super) struct Walks {
    asked: usize,
    steps_at_most: usize,
    seed: u64,
    taken: usize,
    steps: usize,
    longest: usize,
    ended: usize,
    outgrown: usize,
    unique: usize,
    refuted_by: Vec<RefutedBy>,
    untold: Vec<&'static str>,
    reached: Reached,
}

/// The seed of the walk that refutes a property.
#[derive(Serialize)]
struct RefutedBy {
    property: &'static str,
    seed: u64,
}

#[derive(Serialize)]
struct Reached {
    actions: BTreeMap<&'static str, u64>,
    branches: BTreeMap<&'static str, u64>,
    premises: BTreeMap<&'static str, u64>,
}

impl Walks {
    /// What an outcome says of walks, if they were walks.
    pub(super) fn of(outcome: &Outcome) -> Option<Self> {
        let walked = outcome.walked.as_ref()?;
        let premises = &outcome.properties;
        let checking::Walks { count, steps, seed } = walked.asked;
        Some(Walks {
            asked: count,
            steps_at_most: steps,
            seed,
            taken: walked.taken,
            steps: walked.steps,
            longest: walked.longest,
            ended: walked.ended,
            outgrown: walked.outgrown,
            unique: outcome.counts.unique,
            refuted_by: walked
                .refuted_by
                .iter()
                .map(|(property, seed)| RefutedBy {
                    property: property.id(),
                    seed: *seed,
                })
                .collect(),
            untold: walked.untold.iter().map(|untold| untold.id()).collect(),
            reached: Reached {
                actions: outcome.coverage.actions.clone(),
                branches: outcome.coverage.branches.clone(),
                premises: premises
                    .iter()
                    .map(|found| (found.property.id(), found.premises))
                    .collect(),
            },
        })
    }
}
