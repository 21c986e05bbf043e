//! From the outcome of a world's search to the verdict of a claim.

use std::sync::Arc;

use retryproof_properties::PropertyId;

use crate::checking::{self, Limits, Outcome, Progress, Verdict, Walks};
use crate::conditions::Conditions;

use super::{Claim, Pin};

/// A claim and what became of it.
#[derive(Clone, Debug)]
pub struct ClaimOutcome {
    /// The claim.
    pub claim: &'static Claim,
    /// What was found.
    pub verdict: Verdict,
    /// The search over its world, shared by all claims about that world.
    pub outcome: Arc<Outcome>,
    /// The pinned counts of the world.
    pub pin: Option<Pin>,
}

impl ClaimOutcome {
    /// Whether the verdict is the expected one and the world has the pinned size.
    pub fn as_expected(&self) -> bool {
        self.verdict == self.claim.expected && !self.count_changed()
    }

    /// Whether the world has another size than the pinned one.
    pub fn count_changed(&self) -> bool {
        let found = Pin {
            unique: self.outcome.counts.unique,
            generated: self.outcome.counts.generated,
        };
        self.outcome.exhausted() && self.pin != Some(found)
    }

    /// Length of the shortest counterexample to any of the claim's properties.
    pub fn shortest(&self) -> Option<usize> {
        self.claim
            .properties
            .iter()
            .filter_map(|property| self.outcome.of(*property)?.counterexample.as_ref())
            .map(checking::Run::len)
            .min()
    }
}

/// Checks claims, each world once, and tells each claim as soon as it is known.
pub fn check_claims(
    claims: &[&'static Claim],
    limits: &Limits,
    progress: &dyn Progress,
    tell: impl FnMut(&ClaimOutcome),
) -> Vec<ClaimOutcome> {
    let search = |world: &Conditions| checking::check(world, PropertyId::ALL, limits, progress);
    judge(claims, search, tell)
}

/// Takes random walks in the world of each claim, once in each world. No claim that expects
/// to hold is as expected afterwards.
pub fn walk_claims(
    claims: &[&'static Claim],
    walks: &Walks,
    limits: &Limits,
    progress: &dyn Progress,
    tell: impl FnMut(&ClaimOutcome),
) -> Vec<ClaimOutcome> {
    let walk = |world: &Conditions| checking::walk(world, PropertyId::ALL, walks, limits, progress);
    judge(claims, walk, tell)
}

fn judge(
    claims: &[&'static Claim],
    look: impl Fn(&Conditions) -> Outcome,
    mut tell: impl FnMut(&ClaimOutcome),
) -> Vec<ClaimOutcome> {
    let mut worlds: Vec<(Conditions, Arc<Outcome>)> = Vec::new();
    let mut outcomes = Vec::new();
    for claim in claims {
        let known = worlds
            .iter()
            .find(|(conditions, _)| *conditions == claim.conditions)
            .map(|(_, outcome)| Arc::clone(outcome));
        let outcome = known.unwrap_or_else(|| {
            let outcome = Arc::new(look(&claim.conditions));
            worlds.push((claim.conditions, Arc::clone(&outcome)));
            outcome
        });
        let told = ClaimOutcome {
            claim,
            verdict: verdict(claim, &outcome),
            pin: Pin::of(&claim.conditions),
            outcome,
        };
        tell(&told);
        outcomes.push(told);
    }
    outcomes
}

/// What an outcome says of a claim: *holds* if every property of it does, *refuted* if
/// each is, for a claim that expects it, or any is, for one that does not.
fn verdict(claim: &Claim, outcome: &Outcome) -> Verdict {
    let verdicts: Vec<Verdict> = claim
        .properties
        .iter()
        .map(|property| {
            outcome
                .of(*property)
                .map_or(Verdict::Unknown, |found| found.verdict)
        })
        .collect();
    let all = |wanted| verdicts.iter().all(|verdict| *verdict == wanted);
    let any = |wanted| verdicts.contains(&wanted);
    match claim.expected {
        Verdict::Refuted if all(Verdict::Refuted) => Verdict::Refuted,
        Verdict::Refuted if any(Verdict::Unknown) => Verdict::Unknown,
        Verdict::Refuted => Verdict::Holds,
        _ if all(Verdict::Holds) => Verdict::Holds,
        _ if any(Verdict::Refuted) => Verdict::Refuted,
        _ => Verdict::Unknown,
    }
}
