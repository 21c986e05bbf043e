//! Each condition of the guarantee dropped: what breaks, how soon, and what closes the hole.

use retryproof_models::checking::{Run, Verdict};
use retryproof_models::claims::{ClaimOutcome, Question, QUESTIONS};
use retryproof_models::fixes::{Closing, FixSet, Lattice};
use retryproof_properties::PropertyId;
use serde::Serialize;

/// A condition of the guarantee.
#[derive(Serialize)]
pub(super) struct Condition {
    question: &'static str,
    condition: &'static str,
    /// Whether fixes were tried against it.
    fixes_tried: bool,
    /// The properties that break without it.
    breaks: Vec<Break>,
    /// A claim that holds with it: the one about most properties, in the largest world.
    holds_with: Option<Holds>,
}

/// A property that breaks without a condition.
#[derive(Serialize)]
struct Break {
    property: &'static str,
    /// The claim with the shortest run; `None` if no claim shows it and only the fixes do.
    claim: Option<&'static str>,
    steps: Option<usize>,
    closed_by: Vec<Closed>,
}

/// The fixes that make a property hold again in one small world.
#[derive(Serialize)]
struct Closed {
    /// What happens in that world.
    when: &'static str,
    flags: String,
    /// The smallest sets of fixes that are enough, by their letters; an empty set means that
    /// nothing breaks there to begin with.
    enough: Vec<Vec<char>>,
    /// A set that is not enough though it holds one that is.
    not_with: Option<Vec<char>>,
}

#[derive(Serialize)]
struct Holds {
    claim: &'static str,
    properties: usize,
    states: usize,
}

/// The conditions of which claims were checked, in their order.
pub(super) fn conditions(outcomes: &[ClaimOutcome], fixes: &[Lattice]) -> Vec<Condition> {
    let conditions = QUESTIONS
        .iter()
        .filter(|question| question.id.starts_with('B'));
    conditions
        .filter_map(|question| {
            let about = outcomes
                .iter()
                .filter(|told| told.claim.question == question.id);
            let about: Vec<&ClaimOutcome> = about.collect();
            (!about.is_empty()).then(|| Condition::new(question, &about, fixes))
        })
        .collect()
}

impl Condition {
    fn new(question: &Question, about: &[&ClaimOutcome], fixes: &[Lattice]) -> Self {
        let breaks = PropertyId::ALL.iter().filter_map(|property| {
            let shortest = shortest(*property, about);
            let closed_by = closed_by(*property, question.id, fixes);
            let breaks = shortest.is_some() || !closed_by.is_empty();
            breaks.then(|| Break {
                property: property.id(),
                claim: shortest.map(|(told, _)| told.claim.id.as_str()),
                steps: shortest.map(|(_, steps)| steps),
                closed_by,
            })
        });
        let holds_with = about
            .iter()
            .filter(|told| told.verdict == Verdict::Holds && told.claim.expected == Verdict::Holds)
            .max_by_key(|told| (told.claim.properties.len(), told.outcome.counts.unique));
        Condition {
            question: question.id,
            condition: question.words,
            fixes_tried: fixes
                .iter()
                .any(|lattice| lattice.disturbance.question == question.id),
            breaks: breaks.collect(),
            holds_with: holds_with.map(|told| Holds {
                claim: &told.claim.id,
                properties: told.claim.properties.len(),
                states: told.outcome.counts.unique,
            }),
        }
    }
}

/// The claim about this property with the shortest run against it.
fn shortest<'a>(
    property: PropertyId,
    about: &[&'a ClaimOutcome],
) -> Option<(&'a ClaimOutcome, usize)> {
    about
        .iter()
        .filter(|told| told.claim.properties.contains(&property))
        .filter_map(|told| {
            let run = told.outcome.of(property)?.counterexample.as_ref();
            Some((*told, run.map(Run::len)?))
        })
        .min_by_key(|(_, steps)| *steps)
}

fn closed_by(property: PropertyId, question: &str, fixes: &[Lattice]) -> Vec<Closed> {
    let concerned = fixes
        .iter()
        .filter(|lattice| lattice.disturbance.question == question);
    concerned
        .filter_map(|lattice| {
            let mut closings = lattice.closings.iter();
            let closing = closings.find(|closing| closing.property == property)?;
            Some(Closed::new(lattice, closing))
        })
        .collect()
}

impl Closed {
    fn new(lattice: &Lattice, closing: &Closing) -> Self {
        Closed {
            when: lattice.disturbance.name,
            flags: lattice.disturbance.conditions.flags(),
            enough: closing.minimal.iter().copied().map(letters).collect(),
            not_with: closing.spoilt.map(letters),
        }
    }
}

fn letters(set: FixSet) -> Vec<char> {
    set.iter().map(|fix| fix.letter()).collect()
}
