//! The tables in README and docs are what a run of the claims gives.
//!
//! `RETRYPROOF_BLESS=1 cargo test --test readme` writes them anew.

mod blessing;
mod conditions;
mod cutoffs;
mod defects;
mod diagrams;
mod fixes;
mod names;
mod not_modelled;
mod replays;
mod scenarios;
mod traceability;
mod verdicts;
mod whole_file;

use std::collections::BTreeSet;

use retryproof_models::checking::{Limits, Silent};
use retryproof_models::claims::{check_claims, registry, Claim, ClaimOutcome, Tier, QUESTIONS};

/// Every question of the registry has its words, and every question is answered.
#[test]
fn no_question_is_left_out() {
    let asked: BTreeSet<_> = registry().iter().map(|claim| claim.question).collect();
    let told: BTreeSet<_> = QUESTIONS.iter().map(|question| question.id).collect();
    assert_eq!(asked, told);
}

/// The quick claims that are meant, checked.
fn outcomes(is_meant: impl Fn(&Claim) -> bool) -> Vec<ClaimOutcome> {
    let claims: Vec<&'static Claim> = registry()
        .iter()
        .filter(|claim| claim.tier == Tier::Quick && is_meant(claim))
        .collect();
    let outcomes = check_claims(&claims, &Limits::default(), &Silent, |_| {});
    for told in &outcomes {
        assert!(told.as_expected(), "{} is {}", told.claim.id, told.verdict);
    }
    outcomes
}
