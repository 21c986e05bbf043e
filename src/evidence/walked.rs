//! What random walks came to, for a person.

use std::collections::BTreeMap;

use comfy_table::{ColumnConstraint, Table};
use retryproof_models::checking::{Cut, Outcome, Walked, Walks};
use retryproof_models::conditions::Conditions;
use retryproof_properties::PropertyId;

use super::paint::{symbol, Tone};
use super::properties_table::plain_table;
use super::{figures, wrap};

/// The flags that take these walks, as they are typed.
pub fn flags(walks: &Walks) -> String {
    format!(
        "--walks {} --steps {} --seed {}",
        walks.count, walks.steps, walks.seed
    )
}

/// The verdict on each property, in so many columns.
pub fn verdicts(outcome: &Outcome, walked: &Walked, width: usize) -> Table {
    let mut table = plain_table(width);
    for found in &outcome.properties {
        let remark = match &found.counterexample {
            Some(run) => format!(
                "A run against it has {}.",
                figures::counted(run.len(), "step")
            ),
            None => remark(found.property, found.premises, walked),
        };
        table.add_row(vec![
            Tone::of(found.verdict).cell(format!("{} {}", symbol(found.verdict), found.verdict)),
            Tone::Strong.cell(found.property),
            Tone::Plain.cell(remark),
        ]);
    }
    for column in 0..2 {
        if let Some(column) = table.column_mut(column) {
            column.set_constraint(ColumnConstraint::ContentWidth);
        }
    }
    table
}

fn remark(property: PropertyId, premises: u64, walked: &Walked) -> String {
    if walked.untold.contains(&property) {
        return "Violated in a run too long to be told with real numbers: take shorter walks \
                (--steps)."
            .to_owned();
    }
    match (property, premises) {
        (_, 0) => "The situation it speaks of did not arise.".to_owned(),
        (PropertyId::EveryBatchDecided, _) => {
            "A walk shows it violated only if nothing at all can happen any more.".to_owned()
        }
        (_, premises) => format!(
            "Not violated in the {} that it speaks of.",
            figures::counted(premises as usize, "step")
        ),
    }
}

/// How far the walks came, and what they reached.
pub fn summary(
    conditions: &Conditions,
    outcome: &Outcome,
    walked: &Walked,
    width: usize,
) -> String {
    let mut text = wrap::fill(&size(outcome, walked), width);
    let branches = conditions.rule.branches.iter().copied();
    let missed: Vec<&str> = branches
        .filter(|branch| !outcome.coverage.branches.contains_key(branch))
        .collect();
    let rule = format!("decisions by rule {}", conditions.rule.name);
    for (title, reached) in [
        ("actions", &outcome.coverage.actions),
        (rule.as_str(), &outcome.coverage.branches),
    ] {
        if !reached.is_empty() {
            text.push('\n');
            text.push_str(&wrap::hanging(
                &format!("  {title}: "),
                &counts(reached),
                width,
            ));
        }
    }
    if !missed.is_empty() {
        text.push('\n');
        text.push_str(&wrap::hanging(
            "  never decided by: ",
            &missed.join("; "),
            width,
        ));
    }
    text
}

fn size(outcome: &Outcome, walked: &Walked) -> String {
    let counts = outcome.counts;
    let mut text = match outcome.cut {
        Some(Cut::Walked(_)) | None => String::new(),
        Some(cut) => format!(
            "The walks were {cut}: {} of them came to their end. ",
            figures::count(walked.taken)
        ),
    };
    text.push_str(&format!(
        "This was {}: {} came upon {}; the longest had {}.",
        walked.asked,
        figures::counted(walked.steps, "step"),
        figures::counted(counts.unique, "state"),
        figures::counted(walked.longest, "step"),
    ));
    for (walks, reason) in [
        (walked.ended, "because nothing could happen any more"),
        (
            walked.outgrown,
            "because a state outgrew what a world can hold",
        ),
    ] {
        if walks > 0 {
            text.push_str(&format!(" {} ended {reason}.", figures::count(walks)));
        }
    }
    text + " Walks prove nothing: of what they did not come upon nothing is known. They reached:"
}

fn counts(reached: &BTreeMap<&'static str, u64>) -> String {
    let counts = reached
        .iter()
        .map(|(name, count)| format!("{name} {}", figures::count(*count as usize)));
    counts.collect::<Vec<_>>().join("; ")
}
