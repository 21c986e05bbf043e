//! The runs that refute claims, each told once.

use retryproof_models::checking::PropertyOutcome;
use retryproof_models::claims::Claim;
use retryproof_properties::PropertyId;
use serde::Serialize;

use crate::evidence::sequence::Chart;
use crate::evidence::story::{self, Story};
use crate::evidence::tellings::{tellings, Telling};
use crate::explore::{bounded, Opened};

/// The runs told so far.
#[derive(Default)]
pub(super) struct Runs {
    pub told: Vec<Told>,
}

/// A run, told step by step.
#[derive(Serialize)]
pub(super) struct Told {
    id: String,
    /// The claim that it was found for first.
    claim: &'static str,
    title: String,
    steps: Vec<Step>,
    /// The records in the log at the start, by offset.
    log_at_start: Vec<String>,
    /// What is wrong at the end.
    ending: String,
    /// The path of the last step in the explorer of the claim, if it can be shown there.
    explorer: Option<String>,
    #[serde(skip)]
    chart: Chart,
}

#[derive(PartialEq, Serialize)]
struct Step {
    actor: &'static str,
    action: &'static str,
    text: String,
    /// The records in the log after the step, by offset, if the step changed it.
    log: Option<Vec<String>>,
    violates: Vec<Violated>,
}

#[derive(PartialEq, Serialize)]
struct Violated {
    property: &'static str,
    what: String,
}

impl Runs {
    /// Tells the runs of a claim that are not told yet. For each property the id of the run
    /// that refutes it.
    pub fn tell(&mut self, claim: &'static Claim, found: &[PropertyOutcome]) -> Vec<String> {
        let runs = found
            .iter()
            .filter_map(|found| found.counterexample.as_ref());
        let world = Opened::new(&bounded(claim.conditions, runs)).ok();
        let told: Vec<(Vec<PropertyId>, String)> = tellings(found)
            .iter()
            .map(|telling| {
                (
                    telling.properties(),
                    self.add(claim, telling, world.as_ref()),
                )
            })
            .collect();
        let of = |property: &PropertyId| {
            let run = told.iter().find(|(refutes, _)| refutes.contains(property));
            run.map_or_else(String::new, |(_, id)| id.clone())
        };
        found.iter().map(|found| of(&found.property)).collect()
    }

    /// Adds a run, and where it stands in the world that the explorer opens for the claim.
    fn add(
        &mut self,
        claim: &'static Claim,
        telling: &Telling<'_>,
        world: Option<&Opened>,
    ) -> String {
        let story = Story::of(telling.run);
        let refutes = telling.properties();
        let mut new = Told {
            id: format!("run-{}-{}", claim.id, refutes[0]),
            claim: &claim.id,
            title: telling.title(),
            log_at_start: story.log_at_start.records.clone(),
            ending: story.ending.clone(),
            steps: story.steps.into_iter().map(Step::from).collect(),
            explorer: None,
            chart: Chart::of(telling.run),
        };
        if let Some(known) = self.told.iter().find(|known| known.is_as(&new)) {
            return known.id.clone();
        }
        let place = world.and_then(|world| world.place(telling.run));
        new.explorer = place.map(|place| place.fragment(telling.run.len()));
        let id = new.id.clone();
        self.told.push(new);
        id
    }
}

impl Told {
    /// The id.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// The same as a chart.
    pub fn chart(&self) -> &Chart {
        &self.chart
    }

    /// Whether another run reads the same.
    fn is_as(&self, other: &Told) -> bool {
        self.title == other.title
            && self.log_at_start == other.log_at_start
            && self.steps == other.steps
            && self.ending == other.ending
    }
}

impl From<story::Step> for Step {
    fn from(step: story::Step) -> Self {
        let violates = step.violates.into_iter();
        Step {
            actor: step.actor.name(),
            action: step.action,
            text: step.text,
            log: step.log.map(|log| log.records),
            violates: violates
                .map(|(property, what)| Violated {
                    property: property.id(),
                    what,
                })
                .collect(),
        }
    }
}
