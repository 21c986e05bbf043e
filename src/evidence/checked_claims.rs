//! Claims and what was found of them, all together.

use retryproof_models::checking::Verdict;
use retryproof_models::claims::{Claim, ClaimOutcome};
use retryproof_models::conditions::Conditions;

/// Claims that were checked.
#[derive(Clone, Debug, Default)]
pub struct CheckedClaims {
    /// What was found, in the order of the registry.
    pub outcomes: Vec<ClaimOutcome>,
    /// Claims that were not come to, because somebody stopped the check.
    pub not_checked: Vec<&'static Claim>,
    /// How long everything took.
    pub seconds: f64,
    /// The most bytes that the process had in use while it searched each world, where known.
    pub peak_memory: Vec<(Conditions, u64)>,
}

/// Figures of all worlds together, each counted once.
#[derive(Clone, Copy, Debug, Default)]
pub struct Totals {
    /// Different states.
    pub unique: usize,
    /// Generated states.
    pub generated: usize,
    /// Time of Stateright's exhaustive runs.
    pub exploring_seconds: f64,
    /// Upper bound of the odds that a collision hid a state in any world.
    pub collision_odds: f64,
}

impl CheckedClaims {
    /// The outcomes as expected.
    pub fn expected(&self) -> impl Iterator<Item = &ClaimOutcome> {
        self.outcomes.iter().filter(|outcome| outcome.as_expected())
    }

    /// The outcomes of which nothing is known.
    pub fn unknown(&self) -> impl Iterator<Item = &ClaimOutcome> {
        self.unexpected()
            .filter(|outcome| outcome.verdict == Verdict::Unknown)
    }

    /// The outcomes that differ from what is expected.
    pub fn differing(&self) -> impl Iterator<Item = &ClaimOutcome> {
        self.unexpected()
            .filter(|outcome| outcome.verdict != Verdict::Unknown)
    }

    fn unexpected(&self) -> impl Iterator<Item = &ClaimOutcome> {
        self.outcomes
            .iter()
            .filter(|outcome| !outcome.as_expected())
    }

    /// Whether worlds were searched, and not only walked about in.
    pub fn is_search(&self) -> bool {
        self.outcomes
            .iter()
            .all(|outcome| outcome.outcome.walked.is_none())
    }

    /// Whether every claim was checked and is as expected.
    pub fn as_expected(&self) -> bool {
        self.not_checked.is_empty() && self.unexpected().next().is_none()
    }

    /// The most bytes that the process had in use while it searched this world, if known.
    pub fn peak_memory_of(&self, world: &Conditions) -> Option<u64> {
        let known = self.peak_memory.iter().find(|(other, _)| other == world);
        known.map(|(_, bytes)| *bytes)
    }

    /// Figures of all worlds.
    pub fn totals(&self) -> Totals {
        let mut totals = Totals::default();
        let mut counted: Vec<&Conditions> = Vec::new();
        for checked in &self.outcomes {
            let conditions = &checked.claim.conditions;
            if counted.contains(&conditions) {
                continue;
            }
            counted.push(conditions);
            totals.unique += checked.outcome.counts.unique;
            totals.generated += checked.outcome.counts.generated;
            totals.exploring_seconds += checked.outcome.exploring_seconds;
            totals.collision_odds += checked.outcome.collision_odds();
        }
        totals
    }
}
