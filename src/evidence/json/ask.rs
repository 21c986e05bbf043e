//! What `ask` answers, in JSON.

use retryproof_models::checking::{Outcome, PropertyOutcome, Run};
use retryproof_models::conditions;
use serde::Serialize;

use super::states::States;
use super::walks::Walks;
use super::Conditions;
use crate::evidence::figures;
use crate::evidence::story::{self, Story};

/// What `ask` answers.
#[derive(Serialize)]
pub struct Ask {
    conditions: Conditions,
    exhausted: bool,
    cut: Option<String>,
    states: States,
    collision_odds: f64,
    seconds: Option<f64>,
    generated_per_second: Option<f64>,
    peak_memory_bytes: Option<u64>,
    any_length: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    walks: Option<Walks>,
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
pub(super) struct Step {
    actor: &'static str,
    action: &'static str,
    text: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    log: Option<Vec<String>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    violates: Vec<&'static str>,
}

impl Ask {
    /// The answer to a question about these conditions. The process had so many bytes in use at
    /// its peak.
    pub fn new(
        conditions: &conditions::Conditions,
        outcome: &Outcome,
        peak_memory_bytes: Option<u64>,
    ) -> Self {
        // Of random walks only what is the same each time is told.
        let is_search = outcome.walked.is_none();
        let speed = figures::per_second(outcome.counts.generated, outcome.exploring_seconds);
        Ask {
            conditions: conditions.into(),
            exhausted: outcome.exhausted(),
            cut: outcome.cut.map(|cut| cut.to_string()),
            states: outcome.counts.into(),
            collision_odds: outcome.collision_odds(),
            seconds: is_search.then_some(outcome.seconds),
            generated_per_second: is_search.then_some(speed),
            peak_memory_bytes: peak_memory_bytes.filter(|_| is_search),
            any_length: conditions.any_length(),
            walks: Walks::of(outcome),
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
