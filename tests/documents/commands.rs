//! A command in a document is understood: no flag is misspelt, and no claim asked for that
//! there is not.

use std::collections::BTreeSet;

use assert_cmd::Command;
use retryproof_models::claims::registry;

use crate::markdown::{documents, Document};

#[test]
fn every_question_is_understood() {
    let asked: BTreeSet<String> = documents().values().flat_map(questions).collect();
    assert!(
        asked.len() > 10,
        "only {} questions were found",
        asked.len()
    );
    let refused: Vec<String> = asked.iter().filter_map(|flags| refusal(flags)).collect();
    assert!(refused.is_empty(), "{}", refused.join("\n"));
}

#[test]
fn every_claim_that_is_to_be_checked_is_there() {
    let mut checked = 0;
    for (path, document) in documents() {
        for part in commands(&document, "check").filter_map(|rest| first_word(&rest)) {
            let is_there = registry().iter().any(|claim| claim.id.contains(&part));
            assert!(
                is_there,
                "{}: no claim has {part} in its id",
                path.display()
            );
            checked += 1;
        }
    }
    assert!(checked > 10, "only {checked} were found");
}

/// The first argument, if it is no flag and no placeholder.
fn first_word(rest: &str) -> Option<String> {
    let word = rest.split_whitespace().next()?;
    let is_id = word.starts_with(|sign: char| sign.is_ascii_lowercase() || sign.is_ascii_digit());
    is_id.then(|| word.to_owned())
}

/// The conditions that a document asks about: what stands behind `ask`.
fn questions(document: &Document) -> Vec<String> {
    commands(document, "ask")
        .filter(|rest| rest.contains("--"))
        .collect()
}

/// What stands behind a subcommand in the code of a document, without a remark.
fn commands<'a>(document: &'a Document, subcommand: &str) -> impl Iterator<Item = String> + 'a {
    let begins = [
        format!("retryproof {subcommand} "),
        format!("cargo run --release -- {subcommand} "),
        format!("{subcommand} "),
    ];
    let code = document.code.iter().chain(&document.spans);
    code.filter_map(move |line| {
        let line = line.strip_prefix("$ ").unwrap_or(line);
        let rest = begins
            .iter()
            .find_map(|begin| line.strip_prefix(begin.as_str()))?;
        let rest = rest.split('#').next().unwrap_or_default().trim();
        let is_whole = !rest.contains(['…', '<', '[']);
        is_whole.then(|| rest.to_owned())
    })
}

/// Why a question is refused, if it is: it is asked with a search of one state.
fn refusal(flags: &str) -> Option<String> {
    let mut command = Command::new(env!("CARGO_BIN_EXE_retryproof"));
    command.arg("ask").args(flags.split_whitespace());
    if !flags.contains("--walks") {
        command.args(["--max-states", "1"]);
    }
    let output = command.output().expect("retryproof runs");
    let told = String::from_utf8_lossy(&output.stderr).into_owned();
    (output.status.code() == Some(2)).then(|| format!("ask {flags}: {told}"))
}

#[test]
fn a_question_that_is_not_understood_is_noticed() {
    let document = Document::read("```console\n$ retryproof ask --restart 1   # a remark\n```\n");
    assert_eq!(questions(&document), ["--restart 1"]);
    let told = refusal("--restart 1").expect("a refusal");
    assert!(told.contains("--restart"), "{told}");
    assert_eq!(refusal("--restarts 1"), None);
}
