//! docs/conditions.md: for each condition of the guarantee the claims that are refuted
//! without it and those that hold with it.

use std::fmt::Write;

use retryproof::evidence::figures;
use retryproof_models::checking::Verdict;
use retryproof_models::claims::{ClaimOutcome, Question, QUESTIONS};

use crate::{blessing, outcomes};

/// Whether the question is about a condition of the guarantee.
fn is_condition(question: &str) -> bool {
    question.starts_with('B') || question == "H" || question == "C"
}

#[test]
fn the_conditions_are_what_a_run_gives() {
    let outcomes = outcomes(|claim| is_condition(claim.question));
    let mut text = String::new();
    for question in QUESTIONS
        .iter()
        .filter(|question| is_condition(question.id))
    {
        section(&mut text, question, &outcomes);
    }
    blessing::compare("docs/conditions.md", "conditions", text.trim_end());
    blessing::compare("README.md", "conditions", &digest(&outcomes));
}

fn section(text: &mut String, question: &Question, outcomes: &[ClaimOutcome]) {
    let _ = write!(
        text,
        "### {} {}\n\n| claim | conditions | verdict | states |\n|---|---|---|---:|\n",
        question.id,
        sentence(question.words)
    );
    for told in of_question(outcomes, question.id) {
        let _ = writeln!(
            text,
            "| **{}** {} | `{}` | {} | {} |",
            told.claim.id,
            told.claim.statement,
            told.claim.conditions.flags(),
            verdict(told),
            figures::count(told.outcome.counts.unique)
        );
    }
    text.push('\n');
}

fn sentence(words: &str) -> String {
    let mut letters = words.chars();
    letters.next().map_or_else(String::new, |first| {
        first.to_uppercase().chain(letters).collect()
    })
}

fn of_question<'a>(
    outcomes: &'a [ClaimOutcome],
    question: &'a str,
) -> impl Iterator<Item = &'a ClaimOutcome> {
    outcomes
        .iter()
        .filter(move |told| told.claim.question == question)
}

/// Holds, or the properties refuted with the steps of their shortest runs.
fn verdict(told: &ClaimOutcome) -> String {
    if told.claim.expected == Verdict::Holds {
        return "holds".to_owned();
    }
    let refuted = told.claim.properties.iter().filter_map(|property| {
        let run = told.outcome.of(*property)?.counterexample.as_ref()?;
        Some(format!("{property} ({})", run.len()))
    });
    format!("refuted: {}", refuted.collect::<Vec<_>>().join(", "))
}

/// One line for each condition: the first claim that is refuted without it, and of those
/// that hold with it the one about most properties, in the largest world.
fn digest(outcomes: &[ClaimOutcome]) -> String {
    let mut text = String::from(
        "| condition | without it (steps of the shortest run) | with it |\n|---|---|---|",
    );
    for question in QUESTIONS
        .iter()
        .filter(|question| question.id.starts_with('B'))
    {
        let refuted =
            of_question(outcomes, question.id).find(|told| told.claim.expected == Verdict::Refuted);
        let holds = of_question(outcomes, question.id)
            .filter(|told| told.claim.expected == Verdict::Holds)
            .max_by_key(|told| (told.claim.properties.len(), told.outcome.counts.unique));
        let _ = write!(
            text,
            "\n| **{}** {} | {} | {} |",
            question.id,
            question.words,
            refuted.map_or("–".to_owned(), |told| format!(
                "`{}` {}",
                told.claim.id,
                verdict(told)
            )),
            holds.map_or("–".to_owned(), |told| format!(
                "`{}` holds, {} states",
                told.claim.id,
                figures::count(told.outcome.counts.unique)
            )),
        );
    }
    text
}
