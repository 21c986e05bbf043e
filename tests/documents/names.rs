//! A name in backticks that has the form of a claim's id is the name of something.

use std::collections::BTreeSet;
use std::path::Path;

use retryproof_models::claims::registry;
use retryproof_models::conditions::Fault;
use retryproof_models::{defects, mutants, policies, rules, scenarios};
use retryproof_properties::PropertyId;

use crate::markdown::{documents, root, Document};

/// Words of this form that are names elsewhere: settings, error counters, crates.
const ELSEWHERE: &[&str] = &[];

#[test]
fn every_name_is_that_of_something() {
    let known = known();
    let documents = documents();
    let unknown: BTreeSet<String> = documents
        .iter()
        .flat_map(|(path, document)| unknown(path, document, &known))
        .collect();
    let unknown: Vec<String> = unknown.into_iter().collect();
    assert!(unknown.is_empty(), "{}", unknown.join("\n"));
}

/// The names in a document that are those of nothing.
fn unknown(path: &Path, document: &Document, known: &BTreeSet<&str>) -> Vec<String> {
    let spans = document.spans.iter().filter(|span| is_name(span));
    spans
        .filter(|span| !known.contains(span.as_str()) && !ELSEWHERE.contains(&span.as_str()))
        .map(|span| format!("{}: nothing is called `{span}`", path.display()))
        .collect()
}

/// Everything that has a name of this form.
fn known() -> BTreeSet<&'static str> {
    let claims = registry().iter().map(|claim| claim.id.as_str());
    let properties = PropertyId::ALL.iter().map(|property| property.id());
    let mutants = mutants::ALL.iter().map(|mutant| mutant.id());
    let rules = rules::ALL.iter().chain(rules::published::ALL);
    let clients = policies::ALL.iter().chain(policies::published::ALL);
    let defects = defects::all().map(|defect| defect.id);
    let faults = Fault::ALL.iter().map(|fault| fault.flag());
    claims
        .chain(properties)
        .chain(mutants)
        .chain(rules.map(|rule| rule.name))
        .chain(clients.map(|client| client.name))
        .chain(defects)
        .chain(faults)
        .chain(scenarios::ALL.iter().map(|scenario| scenario.id))
        .collect()
}

/// Whether a span has the form of an id: words in lower case with `-` between them.
fn is_name(span: &str) -> bool {
    let is_word = |word: &str| {
        !word.is_empty()
            && word
                .chars()
                .all(|sign| sign.is_ascii_lowercase() || sign.is_ascii_digit() || sign == '.')
    };
    let is_path = [".rs", ".md", ".toml", ".json", ".sh"]
        .iter()
        .any(|end| span.ends_with(end));
    span.contains('-') && span.split('-').all(is_word) && !is_path
}

/// A path in backticks that names a file or folder of the repository leads to one.
#[test]
fn every_path_is_there() {
    let documents = documents();
    let missing = documents.iter().flat_map(|(document, content)| {
        let spans = content.spans.iter().filter(|span| is_path(span));
        let missing = spans.filter(|span| !root().join(span).exists());
        missing.map(|span| format!("{}: there is no `{span}`", document.display()))
    });
    let missing: Vec<String> = missing.collect();
    assert!(missing.is_empty(), "{}", missing.join("\n"));
}

/// Whether a span is a path from the root of the repository.
fn is_path(span: &str) -> bool {
    const FOLDERS: [&str; 10] = [
        "src",
        "models",
        "properties",
        "tests",
        "docs",
        "examples",
        "oracle",
        "fuzz",
        "benches",
        ".ci",
    ];
    let folder = span.split_once('/').map(|(folder, _)| folder);
    let is_plain = !span.contains([' ', '*', ':', '<', '…']) && !span.contains("/target");
    is_plain && folder.is_some_and(|folder| FOLDERS.contains(&folder))
}

#[test]
fn a_name_of_nothing_is_noticed() {
    let known = known();
    let told = |text: &str| unknown(Path::new("x.md"), &Document::read(text), &known);
    for good in [
        "`in-flight-5`",
        "`no-duplicate`",
        "`kafka-1.0`",
        "in-flight-50",
        "`--in-flight`",
        "`acks=all`",
        "`state-manager.md`",
    ] {
        assert!(told(good).is_empty(), "{good}");
    }
    assert_eq!(
        told("`in-flight-50`"),
        ["x.md: nothing is called `in-flight-50`"]
    );
    assert!(!root().join("src/nowhere.rs").exists() && is_path("src/nowhere.rs"));
}
