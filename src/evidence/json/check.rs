//! What `check` found, in JSON.

use retryproof_models::checking::{PropertyOutcome, Run};
use retryproof_models::claims::{ClaimOutcome, Pin};
use retryproof_properties::PropertyId;
use serde::Serialize;

use super::states::States;
use super::walks::Walks;
use super::Conditions;
use crate::evidence::checked_claims::CheckedClaims;
use crate::evidence::figures;

/// What `check` found.
#[derive(Serialize)]
pub struct Check {
    claims: Vec<Checked>,
    as_expected: bool,
    not_checked: Vec<&'static str>,
    unique: usize,
    generated: usize,
    generated_per_second: Option<f64>,
    collision_odds: f64,
    seconds: Option<f64>,
}

impl Check {
    /// What was found of claims.
    pub fn new(checked: &CheckedClaims) -> Self {
        let totals = checked.totals();
        let speed = figures::per_second(totals.generated, totals.exploring_seconds);
        Check {
            claims: checked
                .outcomes
                .iter()
                .map(|outcome| Checked::new(outcome, checked))
                .collect(),
            as_expected: checked.as_expected(),
            not_checked: checked
                .not_checked
                .iter()
                .map(|claim| claim.id.as_str())
                .collect(),
            unique: totals.unique,
            generated: totals.generated,
            generated_per_second: checked.is_search().then_some(speed),
            collision_odds: totals.collision_odds,
            seconds: checked.is_search().then_some(checked.seconds),
        }
    }
}

/// What was found of a claim. States, times and memory are of the search over its world, which
/// it may share with other claims.
#[derive(Serialize)]
struct Checked {
    id: &'static str,
    question: &'static str,
    statement: &'static str,
    tier: &'static str,
    expected: &'static str,
    verdict: &'static str,
    as_expected: bool,
    conditions: Conditions,
    any_length: bool,
    properties: Vec<CheckedProperty>,
    exhausted: bool,
    cut: Option<String>,
    states: States,
    pinned: Option<Pinned>,
    count_changed: bool,
    seconds: Option<f64>,
    generated_per_second: Option<f64>,
    peak_memory_bytes: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    walks: Option<Walks>,
}

#[derive(Serialize)]
struct CheckedProperty {
    id: &'static str,
    verdict: &'static str,
    premises: u64,
    length: Option<usize>,
}

#[derive(Serialize)]
struct Pinned {
    unique: usize,
    generated: usize,
}

impl Checked {
    fn new(checked: &ClaimOutcome, all: &CheckedClaims) -> Self {
        let (claim, outcome) = (checked.claim, &checked.outcome);
        let property = |property: &PropertyId| outcome.of(*property).map(CheckedProperty::from);
        // Of random walks only what is the same each time is told.
        let is_search = outcome.walked.is_none();
        let speed = figures::per_second(outcome.counts.generated, outcome.exploring_seconds);
        Checked {
            id: &claim.id,
            question: claim.question,
            statement: &claim.statement,
            tier: claim.tier.name(),
            expected: claim.expected.name(),
            verdict: checked.verdict.name(),
            as_expected: checked.as_expected(),
            conditions: (&claim.conditions).into(),
            any_length: claim.conditions.any_length(),
            properties: claim.properties.iter().filter_map(property).collect(),
            exhausted: outcome.exhausted(),
            cut: outcome.cut.map(|cut| cut.to_string()),
            states: outcome.counts.into(),
            pinned: checked.pin.map(Pinned::from),
            count_changed: checked.count_changed(),
            seconds: is_search.then_some(outcome.seconds),
            generated_per_second: is_search.then_some(speed),
            peak_memory_bytes: all.peak_memory_of(&claim.conditions),
            walks: Walks::of(outcome),
        }
    }
}

impl From<&PropertyOutcome> for CheckedProperty {
    fn from(found: &PropertyOutcome) -> Self {
        CheckedProperty {
            id: found.property.id(),
            verdict: found.verdict.name(),
            premises: found.premises,
            length: found.counterexample.as_ref().map(Run::len),
        }
    }
}

impl From<Pin> for Pinned {
    fn from(pin: Pin) -> Self {
        Pinned {
            unique: pin.unique,
            generated: pin.generated,
        }
    }
}
