//! Outcomes of searches in JSON: `ask`, `check`, `frontier`.

use retryproof_models::checking::{self, Counts, Outcome, PropertyOutcome, Run};
use retryproof_models::claims::{self, ClaimOutcome};
use retryproof_models::conditions;
use retryproof_properties::PropertyId;
use serde::Serialize;

use super::Conditions;
use crate::evidence::checked_claims::CheckedClaims;
use crate::evidence::figures;
use crate::evidence::staircase::Staircase;
use crate::evidence::story::{self, Story};

/// How many states a search looked at.
#[derive(Serialize)]
struct States {
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

/// What `ask` answers.
#[derive(Serialize)]
pub struct Ask {
    conditions: Conditions,
    exhausted: bool,
    cut: Option<String>,
    states: States,
    collision_odds: f64,
    seconds: f64,
    generated_per_second: f64,
    any_length: bool,
    properties: Vec<Answer>,
}

#[derive(Serialize)]
struct Answer {
    id: &'static str,
    verdict: &'static str,
    premises: u64,
    counterexample: Option<Counterexample>,
}

#[derive(Serialize)]
struct Counterexample {
    length: usize,
    violation: String,
    steps: Vec<Step>,
    log: Vec<String>,
}

/// One step of a story.
#[derive(Serialize)]
pub struct Step {
    actor: &'static str,
    action: &'static str,
    text: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    log: Option<Vec<String>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    violates: Vec<&'static str>,
}

impl Ask {
    /// The answer to a question about these conditions.
    pub fn new(conditions: &conditions::Conditions, outcome: &Outcome) -> Self {
        Ask {
            conditions: conditions.into(),
            exhausted: outcome.exhausted(),
            cut: outcome.cut.map(|cut| cut.to_string()),
            states: outcome.counts.into(),
            collision_odds: outcome.collision_odds(),
            seconds: outcome.seconds,
            generated_per_second: figures::per_second(
                outcome.counts.generated,
                outcome.exploring_seconds,
            ),
            any_length: conditions.any_length(),
            properties: outcome.properties.iter().map(Answer::from).collect(),
        }
    }
}

impl From<&PropertyOutcome> for Answer {
    fn from(found: &PropertyOutcome) -> Self {
        Answer {
            id: found.property.id(),
            verdict: found.verdict.name(),
            premises: found.premises,
            counterexample: found.counterexample.as_ref().map(Counterexample::from),
        }
    }
}

impl From<&Run> for Counterexample {
    fn from(run: &Run) -> Self {
        let story = Story::of(run);
        Counterexample {
            length: run.len(),
            violation: story.ending,
            steps: story.steps.into_iter().map(Step::from).collect(),
            log: story.log.records,
        }
    }
}

impl From<story::Step> for Step {
    fn from(step: story::Step) -> Self {
        Step {
            actor: step.actor.name(),
            action: step.action,
            text: step.text,
            log: step.log.map(|log| log.records),
            violates: step
                .violates
                .iter()
                .map(|(property, _)| property.id())
                .collect(),
        }
    }
}

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
            length: found.counterexample.as_ref().map(checking::Run::len),
        }
    }
}

impl From<claims::Pin> for Pinned {
    fn from(pin: claims::Pin) -> Self {
        Pinned {
            unique: pin.unique,
            generated: pin.generated,
        }
    }
}

/// What `frontier` found.
#[derive(Serialize)]
pub struct Frontier {
    property: &'static str,
    conditions: Conditions,
    any_length: bool,
    turning: String,
    cells: Vec<Cell>,
    seconds: f64,
}

#[derive(Serialize)]
struct Cell {
    in_flight: u8,
    window: u8,
    verdict: &'static str,
    length: Option<usize>,
    states: usize,
}

impl Frontier {
    /// The cells of the worlds that have these conditions but for in-flight limit and
    /// window.
    pub fn new(
        property: PropertyId,
        conditions: &conditions::Conditions,
        staircase: &Staircase,
        seconds: f64,
    ) -> Self {
        Frontier {
            property: property.id(),
            conditions: conditions.into(),
            any_length: conditions.any_length(),
            turning: staircase.turning(property.id()),
            cells: staircase
                .cells()
                .iter()
                .map(|cell| Cell {
                    in_flight: cell.in_flight,
                    window: cell.window,
                    verdict: cell.verdict.name(),
                    length: cell.length,
                    states: cell.states,
                })
                .collect(),
            seconds,
        }
    }
}
