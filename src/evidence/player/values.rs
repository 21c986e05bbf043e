//! What the templates of a page are filled with.

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
    heads: String,
    rows: String,
    legend: String,
    width: i32,
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
    beside: String,
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
        let parts = svg::parts(chart);
        let told = story.steps.iter().skip(act.already_told);
        let after = situations.iter().skip(act.already_told);
        let steps = told.zip(after).zip(&chart.rows);
        let steps = steps.map(|((told, after), row)| Step::of(row, told.actor.name(), after));
        Act {
            title: act.title.to_owned(),
            conditions: act.run.conditions().to_string(),
            steps: steps.collect(),
            heads: parts.heads,
            rows: parts.rows,
            legend: parts.legend,
            width: parts.width,
        }
    }
}

impl Step {
    fn of(row: &Row, role: &'static str, after: &Situation) -> Step {
        let violates = row.violates.iter().map(|(property, what)| Violation {
            property: property.id(),
            what: what.clone(),
        });
        Step {
            number: row.step,
            role,
            text: row.text.clone(),
            violates: violates.collect(),
            groups: after.groups.iter().map(Group::of).collect(),
        }
    }
}

impl Group {
    fn of(after: &situation::Group) -> Group {
        let values: Vec<Value> = after
            .values
            .iter()
            .filter(|value| value.quantity != Quantity::Kept || !value.pieces.is_empty())
            .map(Value::of)
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
    fn of(after: &situation::Value) -> Value {
        Value {
            name: after.quantity.name(),
            is_log: after.quantity == Quantity::Log,
            pieces: after
                .pieces
                .iter()
                .map(|piece| Piece {
                    text: piece.text.clone(),
                    beside: piece.beside.clone(),
                    is_new: piece.is_new,
                    is_again: piece.is_again,
                })
                .collect(),
            why: after.why.clone(),
            was: after.was.clone(),
        }
    }
}
