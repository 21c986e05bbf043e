//! What `check` found, in JSON.

use retryproof_models::checking::{PropertyOutcome, Run};
use retryproof_models::claims::{ClaimOutcome, Pin};
use retryproof_properties::PropertyId;
use serde::Serialize;

use super::states::States;
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
    generated_per_second: f64,
    collision_odds: f64,
    seconds: f64,
}

impl Check {
    /// What was found of claims.
    pub fn new(checked: &CheckedClaims) -> Self {
        let totals = checked.totals();
        Check {
            claims: checked.outcomes.iter().map(Checked::from).collect(),
            as_expected: checked.as_expected(),
            not_checked: checked
                .not_checked
                .iter()
                .map(|claim| claim.id.as_str())
                .collect(),
            unique: totals.unique,
            generated: totals.generated,
            generated_per_second: figures::per_second(totals.generated, totals.exploring_seconds),
            collision_odds: totals.collision_odds,
            seconds: checked.seconds,
        }
    }
}

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
    seconds: f64,
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

impl From<&ClaimOutcome> for Checked {
    fn from(checked: &ClaimOutcome) -> Self {
        let (claim, outcome) = (checked.claim, &checked.outcome);
        let property = |property: &PropertyId| outcome.of(*property).map(CheckedProperty::from);
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
            seconds: outcome.seconds,
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
