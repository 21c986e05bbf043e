//! The table of verdicts in the README.

use std::collections::BTreeSet;
use std::fmt::Write;

use retryproof::evidence::figures;
use retryproof_models::checking::Verdict;
use retryproof_models::claims::{ClaimOutcome, Question, QUESTIONS};
use retryproof_models::conditions::Conditions;
use retryproof_models::policies::PLAIN;
use retryproof_properties::PropertyId;

use crate::{blessing, outcomes};

/// The questions of the table. A3 is the staircase; the others have documents of their own.
const IN_TABLE: &[&str] = &["A1", "A2", "A4", "A5", "A6", "B10"];

/// A row: worlds of one question that differ in their sizes only and have the same verdicts.
struct Row {
    sizes: Vec<String>,
    beside: String,
    holds: Vec<PropertyId>,
    breaks: Vec<PropertyId>,
    shortest: Vec<Vec<usize>>,
    largest: usize,
}

#[test]
fn the_table_of_verdicts_is_what_a_run_gives() {
    let outcomes = outcomes(|claim| claim.question == "A3" || IN_TABLE.contains(&claim.question));
    let found = format!("{}\n\n{}", table(&outcomes), staircase(&outcomes));
    blessing::compare("README.md", "verdicts", &found);
}

fn table(outcomes: &[ClaimOutcome]) -> String {
    let mut text = String::from(
        "| question | in flight/window | conditions besides | holds | breaks (steps of the shortest run) | states |\n\
         |---|---|---|---|---|---:|",
    );
    let asked = QUESTIONS
        .iter()
        .filter(|question| IN_TABLE.contains(&question.id));
    for Question { id, words } in asked {
        let mut label = format!("**{id}** {words}");
        for row in rows(outcomes, id) {
            let _ = write!(
                text,
                "\n| {label} | {} | {} | {} | {} | {} |",
                row.sizes.join(", "),
                row.beside,
                holds(&row),
                breaks(&row),
                figures::count(row.largest)
            );
            label.clear();
        }
    }
    text
}

fn rows(outcomes: &[ClaimOutcome], question: &str) -> Vec<Row> {
    let mut worlds: Vec<Vec<&ClaimOutcome>> = Vec::new();
    for told in outcomes
        .iter()
        .filter(|told| told.claim.question == question)
    {
        let conditions = told.claim.conditions;
        match worlds
            .iter_mut()
            .find(|world| world[0].claim.conditions == conditions)
        {
            Some(world) => world.push(told),
            None => worlds.push(vec![told]),
        }
    }
    let mut rows: Vec<Row> = Vec::new();
    for world in worlds {
        let row = row(&world);
        let same = rows.iter_mut().find(|other| {
            (&other.beside, &other.holds, &other.breaks) == (&row.beside, &row.holds, &row.breaks)
        });
        match same {
            Some(other) => {
                other.sizes.extend(row.sizes);
                for (mine, theirs) in other.shortest.iter_mut().zip(row.shortest) {
                    mine.extend(theirs);
                }
                other.largest = other.largest.max(row.largest);
            }
            None => rows.push(row),
        }
    }
    rows
}

/// The row of one world, from all that one question claims of it.
fn row(world: &[&ClaimOutcome]) -> Row {
    let outcome = &world[0].outcome;
    let claimed = |property: &PropertyId| {
        world
            .iter()
            .any(|told| told.claim.properties.contains(property))
    };
    let found = PropertyId::ALL.iter().copied().filter(claimed);
    let found: Vec<_> = found.filter_map(|property| outcome.of(property)).collect();
    let with = |verdict| {
        let of_verdict = found.iter().filter(move |found| found.verdict == verdict);
        of_verdict.map(|found| found.property).collect()
    };
    let runs = found
        .iter()
        .filter_map(|found| found.counterexample.as_ref());
    Row {
        sizes: vec![size(&world[0].claim.conditions)],
        beside: beside(&world[0].claim.conditions),
        holds: with(Verdict::Holds),
        breaks: with(Verdict::Refuted),
        shortest: runs.map(|run| vec![run.len()]).collect(),
        largest: outcome.counts.unique,
    }
}

fn size(conditions: &Conditions) -> String {
    if conditions.client == &PLAIN {
        format!("{}/–", conditions.in_flight)
    } else {
        format!("{}/{}", conditions.in_flight, conditions.window)
    }
}

/// What else differs from Apache Kafka 4.x.
fn beside(conditions: &Conditions) -> String {
    let all = conditions.to_string();
    let is_size = |part: &str| part.ends_with("in flight") || part.starts_with("window ");
    let kept: Vec<_> = all.split(", ").filter(|part| !is_size(part)).collect();
    if kept.is_empty() {
        "Kafka's defaults".to_owned()
    } else {
        kept.join(", ")
    }
}

fn holds(row: &Row) -> String {
    let all = PropertyId::ALL.len();
    match (row.holds.len(), row.breaks.len()) {
        (0, _) => String::new(),
        (holding, _) if holding == all => format!("**all {all} properties**"),
        (holding, breaking) if holding + breaking == all => format!("the other {holding}"),
        (holding, _) if holding + 1 == all => {
            let missing = PropertyId::ALL
                .iter()
                .find(|property| !row.holds.contains(property));
            missing.map_or(String::new(), |missing| format!("all but {missing}"))
        }
        _ => row
            .holds
            .iter()
            .map(|property| property.id())
            .collect::<Vec<_>>()
            .join(", "),
    }
}

fn breaks(row: &Row) -> String {
    let breaks = row.breaks.iter().zip(&row.shortest);
    let told = breaks.map(|(property, lengths)| {
        let (min, max) = (lengths.iter().min(), lengths.iter().max());
        match (min, max) {
            (Some(min), Some(max)) if min < max => format!("{property} ({min} to {max})"),
            (Some(min), _) => format!("{property} ({min})"),
            (None, _) => property.to_string(),
        }
    });
    told.collect::<Vec<_>>().join(", ")
}

/// The frontier: steps of the shortest duplicate, or that there is none.
fn staircase(outcomes: &[ClaimOutcome]) -> String {
    let cells: Vec<&ClaimOutcome> = outcomes
        .iter()
        .filter(|told| told.claim.question == "A3")
        .collect();
    let sizes: BTreeSet<u8> = cells
        .iter()
        .map(|told| told.claim.conditions.window)
        .collect();
    let mut text = String::from("| **A3** in flight ↓ window → |");
    let _ = sizes
        .iter()
        .try_for_each(|window| write!(text, " {window} |"));
    text.push_str("\n|---:|");
    text.push_str(&":---:|".repeat(sizes.len()));
    for in_flight in &sizes {
        let _ = write!(text, "\n| {in_flight} |");
        for window in &sizes {
            let _ = write!(text, " {} |", cell(&cells, *in_flight, *window));
        }
    }
    text
}

fn cell(cells: &[&ClaimOutcome], in_flight: u8, window: u8) -> String {
    let wanted = |told: &&&ClaimOutcome| {
        let conditions = told.claim.conditions;
        (conditions.in_flight, conditions.window) == (in_flight, window)
    };
    let told = cells.iter().find(wanted).expect("a claim for each cell");
    let outcome = &told.outcome;
    let duplicate = outcome
        .of(PropertyId::NoDuplicate)
        .expect("asked of all properties");
    let all_hold = outcome
        .properties
        .iter()
        .all(|found| found.verdict == Verdict::Holds);
    match &duplicate.counterexample {
        Some(run) => run.len().to_string(),
        None if all_hold => "✓".to_owned(),
        None => "?".to_owned(),
    }
}
