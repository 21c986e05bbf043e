//! What the templates of a page are filled with.

use retryproof_models::conditions::Conditions;
use serde::Serialize;

use crate::evidence::sequence::{svg, Chart, Row};
use crate::evidence::situation::{self, Quantity, Situation};
use crate::evidence::story::Story;

use super::Play;

/// Styles and scripts.
pub struct Sources {
    pub chart_style: &'static str,
    pub page_style: &'static str,
    pub script: &'static str,
}

#[derive(Serialize)]
pub struct Page<'a> {
    version: &'static str,
    id: &'a str,
    title: &'a str,
    shows: &'a str,
    source: &'a str,
    claims: &'a [&'a str],
    command: &'a str,
    count: usize,
    acts: Vec<Act>,
    chart_style: &'static str,
    page_style: &'static str,
    script: &'static str,
}

#[derive(Serialize)]
struct Act {
    title: String,
    conditions: String,
    chart: String,
    legend: String,
    steps: Vec<Step>,
}

#[derive(Serialize)]
struct Step {
    number: usize,
    role: &'static str,
    text: String,
    violates: Vec<Violation>,
    groups: Vec<Group>,
}

#[derive(Serialize)]
struct Violation {
    property: &'static str,
    what: String,
}

#[derive(Serialize)]
struct Group {
    role: &'static str,
    name: String,
    changed: bool,
    values: Vec<Value>,
}

#[derive(Serialize)]
struct Value {
    name: &'static str,
    is_log: bool,
    pieces: Vec<Piece>,
    why: Option<String>,
    /// The value before, where it was one thing and still is.
    was: Option<String>,
}

#[derive(Serialize)]
struct Piece {
    text: String,
    is_new: bool,
    is_again: bool,
}

impl<'a> Page<'a> {
    /// The values of a page. Steps are numbered over all acts together.
    pub fn of(play: &Play<'a>, sources: Sources) -> Page<'a> {
        let charts = super::charts(&play.acts);
        let acts = play.acts.iter().zip(&charts);
        let count = charts.iter().map(|chart| chart.rows.len()).sum();
        Page {
            version: env!("CARGO_PKG_VERSION"),
            id: play.id,
            title: play.title,
            shows: play.shows,
            source: play.source,
            claims: play.claims,
            command: play.command,
            count,
            acts: acts.map(|(act, chart)| Act::of(act, chart)).collect(),
            chart_style: sources.chart_style,
            page_style: sources.page_style,
            script: sources.script,
        }
    }
}

impl Act {
    fn of(act: &super::Act<'_>, chart: &Chart) -> Act {
        let story = Story::of(&act.run);
        let situations = Situation::of(&act.run);
        let told = story.steps.iter().skip(act.already_told);
        let after = situations.windows(2).skip(act.already_told);
        let steps = told.zip(after).zip(&chart.rows).map(|((told, pair), row)| {
            let role = told.actor.name();
            Step::of(row, role, &pair[0], &pair[1])
        });
        Act {
            title: act.title.to_owned(),
            conditions: conditions(act.run.conditions()),
            legend: svg::legend(chart),
            steps: steps.collect(),
            chart: svg::inline(chart),
        }
    }
}

/// The conditions in words.
fn conditions(conditions: &Conditions) -> String {
    match conditions.flags() {
        flags if flags.is_empty() => "Conditions of Apache Kafka 4.x.".to_owned(),
        flags => format!("Conditions of Apache Kafka 4.x but for {flags}."),
    }
}

impl Step {
    fn of(row: &Row, role: &'static str, before: &Situation, after: &Situation) -> Step {
        let violates = row.violates.iter().map(|(property, what)| Violation {
            property: property.id(),
            what: what.clone(),
        });
        let groups = before.groups.iter().zip(&after.groups);
        Step {
            number: row.step,
            role,
            text: row.text.clone(),
            violates: violates.collect(),
            groups: groups
                .map(|(before, after)| Group::of(before, after))
                .collect(),
        }
    }
}

impl Group {
    fn of(before: &situation::Group, after: &situation::Group) -> Group {
        let values: Vec<Value> = before
            .values
            .iter()
            .zip(&after.values)
            .map(|(before, after)| Value::of(before, after))
            .collect();
        Group {
            role: after.role.name(),
            name: after.name.clone(),
            changed: values.iter().any(|value| value.why.is_some()),
            values,
        }
    }
}

impl Value {
    fn of(before: &situation::Value, after: &situation::Value) -> Value {
        let is_list = matches!(
            after.quantity,
            Quantity::Log
                | Quantity::Window
                | Quantity::Undecided
                | Quantity::Requests
                | Quantity::Answers
                | Quantity::LeftOver
                | Quantity::Intent
                | Quantity::Kept
        );
        let was = before.pieces.first().map(|piece| piece.text.clone());
        Value {
            name: after.quantity.name(),
            is_log: after.quantity == Quantity::Log,
            pieces: after
                .pieces
                .iter()
                .map(|piece| Piece {
                    text: piece.text.clone(),
                    is_new: piece.is_new,
                    is_again: piece.is_again,
                })
                .collect(),
            why: after.why.clone(),
            was: was.filter(|_| after.why.is_some() && !is_list),
        }
    }
}
