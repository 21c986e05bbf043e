//! The frontier: every in-flight limit with every window, from the claims about it.

use retryproof_models::claims::ClaimOutcome;
use retryproof_models::conditions::Conditions;
use retryproof_properties::PropertyId;
use serde::Serialize;

use crate::evidence::paint::Tone;
use crate::evidence::staircase::{self, Staircase};
use crate::evidence::svg;

/// How the ids of claims about the frontier begin.
const FRONTIER: &str = "frontier-";
/// The property that it is drawn for.
const PROPERTY: PropertyId = PropertyId::NoDuplicate;

/// The frontier of worlds that have all other conditions in common.
#[derive(Serialize)]
pub(super) struct Frontier {
    id: String,
    property: &'static str,
    /// The conditions in common.
    in_words: String,
    /// Where the verdict turns.
    turning: String,
    windows: Vec<u8>,
    rows: Vec<Row>,
    #[serde(skip)]
    drawing: String,
}

#[derive(Serialize)]
struct Row {
    in_flight: u8,
    cells: Vec<Option<Cell>>,
}

#[derive(Clone, Serialize)]
struct Cell {
    window: u8,
    verdict: &'static str,
    steps: Option<usize>,
    states: usize,
    claim: &'static str,
}

/// The frontiers of which there is more than one cell.
pub(super) fn frontiers(outcomes: &[ClaimOutcome]) -> Vec<Frontier> {
    let mut worlds: Vec<(Conditions, Vec<&ClaimOutcome>)> = Vec::new();
    let about = outcomes
        .iter()
        .filter(|told| told.claim.id.starts_with(FRONTIER))
        .filter(|told| told.claim.properties.contains(&PROPERTY));
    for told in about {
        let base = Conditions {
            in_flight: Conditions::KAFKA.in_flight,
            window: Conditions::KAFKA.window,
            ..told.claim.conditions
        };
        match worlds.iter_mut().find(|(known, _)| *known == base) {
            Some((_, members)) => members.push(told),
            None => worlds.push((base, vec![told])),
        }
    }
    worlds.retain(|(_, members)| members.len() > 1);
    let frontiers = worlds.iter();
    frontiers
        .map(|(base, members)| Frontier::new(base, members))
        .collect()
}

impl Frontier {
    /// The name of its drawing as a file.
    pub fn file(&self) -> String {
        format!("{}.svg", self.id)
    }

    /// The drawing, as SVG.
    pub fn drawing(&self) -> &str {
        &self.drawing
    }

    fn new(base: &Conditions, members: &[&ClaimOutcome]) -> Self {
        let staircase = Staircase::new(members.iter().filter_map(|told| cell(told)).collect());
        let cell = |in_flight: u8, window: u8| {
            let told = members.iter().find(|told| {
                let conditions = &told.claim.conditions;
                (conditions.in_flight, conditions.window) == (in_flight, window)
            })?;
            let cell = staircase.cell(in_flight, window)?;
            Some(Cell {
                window,
                verdict: cell.verdict.name(),
                steps: cell.length,
                states: cell.states,
                claim: &told.claim.id,
            })
        };
        let windows = staircase.windows();
        let row = |in_flight: u8| Row {
            in_flight,
            cells: windows
                .iter()
                .map(|window| cell(in_flight, *window))
                .collect(),
        };
        Frontier {
            id: format!("frontier-{}-connections", base.connections),
            property: PROPERTY.id(),
            in_words: svg::conditions(base),
            turning: staircase.turning(PROPERTY.id()),
            rows: staircase.in_flight().into_iter().map(row).collect(),
            windows: windows.clone(),
            drawing: svg::draw(&staircase, PROPERTY, base),
        }
    }
}

fn cell(told: &ClaimOutcome) -> Option<staircase::Cell> {
    let found = told.outcome.of(PROPERTY)?;
    Some(staircase::Cell {
        in_flight: told.claim.conditions.in_flight,
        window: told.claim.conditions.window,
        verdict: found.verdict,
        length: found.counterexample.as_ref().map(|run| run.len()),
        states: told.outcome.counts.unique,
        tone: Tone::of(found.verdict),
    })
}
