//! The page of the index.

use minijinja::Error;
use retryproof_models::claims::{registry, QUESTIONS};
use retryproof_models::scenarios::{self, Act, Scenario};
use serde::Serialize;

use crate::evidence::paint::symbol;
use crate::evidence::scenario::{Telling, Told};
use crate::evidence::template::{fill, Template};

use super::{claim_link, step_link};

const TEMPLATES: &[Template] = &[
    ("page.html", include_str!("page.html")),
    ("page.css", include_str!("page.css")),
];

#[derive(Serialize)]
struct Page {
    scenarios: Vec<OnPage>,
    questions: Vec<Question>,
    claims: usize,
}

#[derive(Serialize)]
struct OnPage {
    id: &'static str,
    title: &'static str,
    shows: &'static str,
    source: &'static str,
    claims: Vec<Link>,
    acts: Vec<ActOnPage>,
}

#[derive(Serialize)]
struct ActOnPage {
    title: &'static str,
    conditions: String,
    start: String,
    steps: Vec<Step>,
    violated: Vec<&'static str>,
}

#[derive(Serialize)]
struct Step {
    number: usize,
    name: String,
    link: String,
    violates: Vec<&'static str>,
}

#[derive(Serialize)]
struct Link {
    id: &'static str,
    link: String,
}

#[derive(Serialize)]
struct Question {
    id: &'static str,
    text: &'static str,
    claims: Vec<Claim>,
}

#[derive(Serialize)]
struct Claim {
    id: &'static str,
    statement: &'static str,
    symbol: &'static str,
    expected: &'static str,
    link: String,
}

/// The page, in HTML.
///
/// # Errors
/// If its template is not one: a defect of this program.
pub fn page() -> Result<String, Error> {
    fill(
        TEMPLATES,
        Page {
            scenarios: scenarios::ALL.iter().map(|all| on_page(all)).collect(),
            questions: questions(),
            claims: registry().len(),
        },
    )
}

fn on_page(scenario: &'static Scenario) -> OnPage {
    let link = |id: &&'static str| Link {
        id,
        link: claim_link(id),
    };
    let acts = scenario.acts.iter().zip(1..);
    OnPage {
        id: scenario.id,
        title: scenario.title,
        shows: scenario.shows,
        source: scenario.source,
        claims: scenario.claims.iter().map(link).collect(),
        acts: acts
            .filter_map(|(act, number)| act_on_page(scenario.id, act, number))
            .collect(),
    }
}

/// An act; none if it does not run, which following a link to it tells.
fn act_on_page(scenario: &str, act: &'static Act, number: usize) -> Option<ActOnPage> {
    let telling = Telling::of(act).ok()?;
    let steps = telling.steps.iter();
    let steps: Vec<Step> = steps.map(|told| step(scenario, number, told)).collect();
    let mut violated: Vec<&'static str> = Vec::new();
    for property in steps.iter().flat_map(|step| &step.violates) {
        if !violated.contains(property) {
            violated.push(property);
        }
    }
    Some(ActOnPage {
        title: act.title,
        conditions: act.conditions.to_string(),
        start: step_link(scenario, number, act.before.len()),
        steps,
        violated,
    })
}

fn step(scenario: &str, act: usize, told: &Told) -> Step {
    let violates = told.step.violates.iter();
    Step {
        number: told.number,
        name: told.name.clone(),
        link: step_link(scenario, act, told.number),
        violates: violates.map(|(property, _)| property.id()).collect(),
    }
}

fn questions() -> Vec<Question> {
    let questions = QUESTIONS.iter();
    questions
        .map(|question| Question {
            id: question.id,
            text: question.words,
            claims: claims(question.id),
        })
        .filter(|question| !question.claims.is_empty())
        .collect()
}

fn claims(question: &str) -> Vec<Claim> {
    let claims = registry().iter();
    claims
        .filter(|claim| claim.question == question)
        .map(|claim| Claim {
            id: &claim.id,
            statement: &claim.statement,
            symbol: symbol(claim.expected),
            expected: claim.expected.name(),
            link: claim_link(&claim.id),
        })
        .collect()
}
