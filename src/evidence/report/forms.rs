//! The three forms of a report, as files: HTML in one page, Markdown with a page for each refuted
//! claim, JSON.

use std::error::Error;

use minijinja::syntax::SyntaxConfig;
use minijinja::value::Serde;
use minijinja::{context, AutoEscape, Environment, UndefinedBehavior, Value};
use thiserror::Error as Failure;

use super::{filters, Report};
use crate::evidence::sequence::{mermaid, svg, Chart};

/// The form that is read in a browser: one page that needs nothing else.
pub const HTML: &str = "index.html";
/// The form that is read on a forge, which shows it where the directory is opened.
pub const MARKDOWN: &str = "README.md";
/// The form that programs read.
pub const JSON: &str = "report.json";
/// The directory of the Markdown form's pages.
pub const PAGES: &str = "refuted";
/// Stands near the beginning of every file of a report, and in no other file.
pub const MARK: &str = super::SHAPE;

/// Templates of pages and of their parts. What is included finds the variables of its page.
const TEMPLATES: &[(&str, &str)] = &[
    ("report.html", include_str!("templates/report.html")),
    ("report.css", include_str!("templates/report.css")),
    ("report.js", include_str!("templates/report.js")),
    ("title.html", include_str!("templates/title.html")),
    ("claimed.html", include_str!("templates/claimed.html")),
    ("verdicts.html", include_str!("templates/verdicts.html")),
    ("frontier.html", include_str!("templates/frontier.html")),
    ("conditions.html", include_str!("templates/conditions.html")),
    ("claims.html", include_str!("templates/claims.html")),
    ("macros.html", include_str!("templates/macros.html")),
    ("run.html", include_str!("templates/run.html")),
    ("mutants.html", include_str!("templates/mutants.html")),
    ("coverage.html", include_str!("templates/coverage.html")),
    ("limits.html", include_str!("templates/limits.html")),
    (
        "traceability.html",
        include_str!("templates/traceability.html"),
    ),
    ("cite.html", include_str!("templates/cite.html")),
    ("report.md", include_str!("templates/report.md")),
    ("refuted.md", include_str!("templates/refuted.md")),
];

/// A file of a report.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct File {
    /// Its place in the directory of the report, with `/` between names.
    pub name: String,
    /// What it holds.
    pub contents: String,
}

/// A report could not be brought into a form: a defect in a template.
#[derive(Debug, Failure)]
pub enum NoForm {
    /// A template failed.
    #[error("a template of the report failed ({0}): a defect, please report it")]
    Template(String),
    /// The data is not to be written as JSON.
    #[error("the report could not be written as JSON ({0}): a defect, please report it")]
    Json(#[from] serde_json::Error),
}

impl From<minijinja::Error> for NoForm {
    /// With all that the error was caused by: a template includes others.
    fn from(error: minijinja::Error) -> Self {
        let mut causes = vec![error.to_string()];
        let mut cause = error.source();
        while let Some(error) = cause {
            causes.push(error.to_string());
            cause = error.source();
        }
        NoForm::Template(causes.join(": "))
    }
}

/// All files of a report.
///
/// # Errors
/// If a template fails.
pub fn files(report: &Report) -> Result<Vec<File>, NoForm> {
    let environment = environment()?;
    let value = Value::from(Serde(report));
    let whole = context! {
        report => value.clone(),
        charts => charts(report, svg::inline),
        chart_style => svg::STYLE,
        legend => report.runs.first().map(|told| svg::legend(told.chart())),
    };
    let mut files = vec![
        file(
            HTML,
            environment.get_template("report.html")?.render(&whole)?,
        ),
        file(
            MARKDOWN,
            environment.get_template("report.md")?.render(&whole)?,
        ),
        file(JSON, serde_json::to_string_pretty(report)? + "\n"),
    ];
    for frontier in &report.frontiers {
        let drawing = format!("<!-- {MARK} -->\n{}", frontier.drawing());
        files.push(file(&frontier.file(), drawing));
    }
    let page = environment.get_template("refuted.md")?;
    let charts = charts(report, mermaid::write);
    for (index, claim) in report.claims.iter().enumerate() {
        if !claim.is_refuted() {
            continue;
        }
        let claim_value = value.get_attr("claims")?.get_item(&Value::from(index))?;
        let context =
            context! { report => value.clone(), charts => charts.clone(), claim => claim_value };
        files.push(file(&page_of(claim.id()), page.render(context)?));
    }
    Ok(files)
}

/// The chart of every run, by the run's id.
fn charts(report: &Report, draw: impl Fn(&Chart) -> String) -> Value {
    let runs = report.runs.iter();
    Value::from_pairs(runs.map(|told| (told.id(), Value::from_safe_string(draw(told.chart())))))
}

/// The names that files of a report about these claims may have, but for drawings.
pub fn names<'c>(claims: impl IntoIterator<Item = &'c str>) -> Vec<String> {
    let pages = claims.into_iter().map(page_of);
    let fixed = [HTML, MARKDOWN, JSON].map(str::to_owned);
    fixed.into_iter().chain(pages).collect()
}

fn page_of(claim: &str) -> String {
    format!("{PAGES}/{claim}.md")
}

fn file(name: &str, contents: String) -> File {
    File {
        name: name.to_owned(),
        contents,
    }
}

fn environment() -> Result<Environment<'static>, minijinja::Error> {
    let mut environment = Environment::new();
    environment.set_undefined_behavior(UndefinedBehavior::Strict);
    let syntax = SyntaxConfig::builder()
        .trim_blocks(true)
        .lstrip_blocks(true)
        .build()?;
    environment.set_syntax(syntax);
    environment.set_auto_escape_callback(|name| match name.ends_with(".html") {
        true => AutoEscape::Html,
        false => AutoEscape::None,
    });
    filters::add_to(&mut environment);
    for (name, source) in TEMPLATES {
        environment.add_template(name, source)?;
    }
    Ok(environment)
}
