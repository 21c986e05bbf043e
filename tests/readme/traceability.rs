//! docs/traceability.md: the requirements as tables.

use std::fmt::Write;

use retryproof::evidence::requirements::{Carrier, Requirement, Requirements, Section};

use crate::blessing;

#[test]
fn the_traceability_is_that_of_the_requirements() {
    let requirements = Requirements::ours();
    let mut text = counts(requirements);
    for part in &requirements.sections {
        section(&mut text, part);
    }
    blessing::compare("docs/traceability.md", "traceability", text.trim_end());
}

fn counts(requirements: &Requirements) -> String {
    let all = requirements.all().count();
    let with = |has: fn(&Requirement) -> bool| requirements.all().filter(|it| has(it)).count();
    let corrected = with(|it| it.correction.is_some());
    let excepted = with(|it| it.exception.is_some());
    let named = |carrier| requirements.names(carrier).len();
    format!(
        "{all} statements: {} are carried, {corrected} of them with a correction; {excepted} are \
         excepted. Named are {} properties, {} claims, {} scenarios, {} mutants and {} tests.\n",
        all - excepted,
        named(Carrier::Property),
        named(Carrier::Claim),
        named(Carrier::Scenario),
        named(Carrier::Mutant),
        named(Carrier::Test),
    )
}

fn section(text: &mut String, section: &Section) {
    let _ = write!(
        text,
        "\n### {}\n\n| id | statement | source | carried by |\n|---|---|---|---|\n",
        section.title
    );
    for requirement in &section.requirements {
        let _ = writeln!(
            text,
            "| **{}** | {}{} | {} | {} |",
            requirement.id,
            requirement.statement,
            remark(requirement),
            requirement.source,
            carried_by(requirement)
        );
    }
}

/// A correction or an exception, in words.
fn remark(requirement: &Requirement) -> String {
    let correction = requirement.correction.iter();
    let correction = correction.map(|reason| format!("<br>*Corrected:* {reason}"));
    let exception = requirement.exception.iter();
    let exception = exception.map(|reason| format!("<br>*Excepted:* {reason}"));
    correction.chain(exception).collect()
}

/// All that carries it, kind by kind.
fn carried_by(requirement: &Requirement) -> String {
    let kinds = Carrier::ALL.iter().filter_map(|carrier| {
        let names: Vec<String> = carrier
            .names_in(requirement)
            .iter()
            .map(|name| told(*carrier, name))
            .collect();
        let plural = match (carrier, names.len()) {
            (_, 0) => return None,
            (_, 1) => carrier.to_string(),
            (Carrier::Property, _) => "properties".to_owned(),
            _ => format!("{carrier}s"),
        };
        Some(format!("{plural} {}", names.join(", ")))
    });
    let kinds: Vec<String> = kinds.collect();
    match kinds.is_empty() {
        true => "–".to_owned(),
        false => kinds.join("<br>"),
    }
}

/// A name; a document as a link from docs.
fn told(carrier: Carrier, name: &str) -> String {
    match carrier {
        Carrier::Document => {
            let file = name.strip_prefix("docs/");
            let link = file.map_or_else(|| format!("../{name}"), str::to_owned);
            format!("[{}]({link})", file.unwrap_or(name))
        }
        _ => format!("`{name}`"),
    }
}
