//! Scenarios in JSON.

use retryproof_models::scenarios::{self, Act as Run};
use serde::Serialize;

use super::ask::Step as Happened;
use super::listing::Named;
use super::Conditions;
use crate::evidence::scenario::{Telling, Told};
use crate::evidence::view::View;

/// What `scenario` lists.
#[derive(Serialize)]
pub struct Scenarios {
    scenarios: Vec<Named>,
}

impl Scenarios {
    /// All scenarios.
    pub fn all() -> Self {
        Scenarios { scenarios: named() }
    }
}

/// All scenarios by name.
pub(super) fn named() -> Vec<Named> {
    let all = scenarios::ALL.iter();
    all.map(|scenario| Named {
        id: scenario.id,
        about: scenario.title,
        source: scenario.source,
    })
    .collect()
}

/// A scenario, told.
#[derive(Serialize)]
pub struct Scenario {
    id: &'static str,
    title: &'static str,
    shows: &'static str,
    source: &'static str,
    claims: &'static [&'static str],
    acts: Vec<Act>,
}

#[derive(Serialize)]
struct Act {
    title: &'static str,
    conditions: Conditions,
    flags: String,
    start: View,
    steps: Vec<Step>,
}

/// A step of a counterexample, and what can be seen then.
#[derive(Serialize)]
struct Step {
    number: usize,
    name: String,
    #[serde(flatten)]
    happened: Happened,
    reasons: Vec<String>,
    state: View,
}

impl Scenario {
    /// A scenario with its acts as they are told.
    pub fn new(scenario: &scenarios::Scenario, tellings: &[Telling]) -> Self {
        let acts = scenario.acts.iter().zip(tellings);
        Scenario {
            id: scenario.id,
            title: scenario.title,
            shows: scenario.shows,
            source: scenario.source,
            claims: scenario.claims,
            acts: acts.map(|(act, telling)| Act::new(act, telling)).collect(),
        }
    }
}

impl Act {
    fn new(act: &Run, telling: &Telling) -> Self {
        Act {
            title: act.title,
            conditions: (&act.conditions).into(),
            flags: act.conditions.flags(),
            start: telling.start.clone(),
            steps: telling.steps.iter().map(Step::from).collect(),
        }
    }
}

impl From<&Told> for Step {
    fn from(told: &Told) -> Self {
        Step {
            number: told.number,
            name: told.name.clone(),
            happened: told.step.clone().into(),
            reasons: told.reasons.clone(),
            state: told.after.clone(),
        }
    }
}
