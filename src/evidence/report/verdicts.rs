//! What was found of each property in the world of a claim.

use retryproof_models::checking::{PropertyOutcome, Run};
use retryproof_models::claims::ClaimOutcome;
use serde::Serialize;

/// What was found of one property.
#[derive(Serialize)]
pub(super) struct Found {
    property: &'static str,
    /// Whether the claim is about it. The others are judged in the same world.
    claimed: bool,
    verdict: &'static str,
    /// Steps that met its premise. Where there was none, it holds for want of a case.
    premises: u64,
    /// Steps of the shortest run against it.
    steps: Option<usize>,
}

/// All properties, in the order of the registry.
pub(super) fn verdicts(told: &ClaimOutcome) -> Vec<Found> {
    let found = told.outcome.properties.iter();
    found.map(|found| Found::new(told, found)).collect()
}

impl Found {
    fn new(told: &ClaimOutcome, found: &PropertyOutcome) -> Self {
        Found {
            property: found.property.id(),
            claimed: told.claim.properties.contains(&found.property),
            verdict: found.verdict.name(),
            premises: found.premises,
            steps: found.counterexample.as_ref().map(Run::len),
        }
    }
}
