//! Runs as a page that plays them: one file without anything from elsewhere, with a sequence
//! chart, and for each step what happens, where everybody stands then, and why each number
//! changed. Every step has an address (`#step=6`). Without scripts the page is a list.

mod values;

use retryproof_models::checking::Run;

use super::sequence::{svg, Chart};
use super::template::{fill, Template};

/// What is played.
#[derive(Clone, Debug)]
pub struct Play<'a> {
    /// Id, as the command line takes it.
    pub id: &'a str,
    /// What happens, in a few words.
    pub title: &'a str,
    /// What it shows.
    pub shows: &'a str,
    /// Where it comes from; may be empty.
    pub source: &'a str,
    /// Ids of the claims that say what is true of all such runs.
    pub claims: &'a [&'a str],
    /// The command that makes the page.
    pub command: &'a str,
    /// The runs, at least one.
    pub acts: Vec<Act<'a>>,
}

/// A run that is played.
#[derive(Clone, Debug)]
pub struct Act<'a> {
    /// What is different about this run; empty if there is no other.
    pub title: &'a str,
    /// The run.
    pub run: Run,
    /// Its first steps that the act before has told.
    pub already_told: usize,
}

const TEMPLATES: &[Template] = &[
    ("page.html", include_str!("player/page.html")),
    ("act.html", include_str!("player/act.html")),
];

/// The charts of runs, without what was told before. Steps are numbered over all of them
/// together.
pub fn charts(acts: &[Act<'_>]) -> Vec<Chart> {
    let mut number = 1;
    let mut charts = Vec::new();
    for act in acts {
        let chart = Chart::of(&act.run).behind(act.already_told, number);
        number += chart.rows.len();
        charts.push(chart);
    }
    charts
}

/// The page.
///
/// # Errors
/// If a template does not fit: a defect of this program.
pub fn page(play: &Play<'_>) -> Result<String, minijinja::Error> {
    let values = values::Page::of(
        play,
        values::Sources {
            chart_style: svg::STYLE,
            page_style: include_str!("player/page.css"),
            script: include_str!("player/player.js"),
        },
    );
    fill(TEMPLATES, values)
}

/// The line of HTML that embeds a page.
pub fn embedding(file: &str, title: &str) -> String {
    let escaped = |text: &str| super::svg::escaped(text).replace('"', "&quot;");
    format!(
        "<iframe src=\"{}\" title=\"{}\" width=\"100%\" height=\"900\" loading=\"lazy\" \
         style=\"border:0\"></iframe>",
        escaped(file),
        escaped(title)
    )
}

#[cfg(test)]
mod tests;
