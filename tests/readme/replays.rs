//! README and docs/replays.md: which runs were played on the real Apache Kafka. What was
//! answered is kept in `tests/data/replays.jsonl`; `tests/replays` compares it with the runs.

use std::collections::BTreeSet;
use std::fmt::Write;

use retryproof::replay::{
    about_kafka, cuts_window, why_not, Recording, Recordings, Refuted, RELEASES,
};
use retryproof_models::checking::Verdict;
use retryproof_models::claims::{Claim, QUESTIONS};

use crate::{blessing, whole_file};

fn kept() -> Recordings {
    Recordings::read(include_str!("../data/replays.jsonl")).expect("lines of recordings")
}

/// The recordings of a claim's runs on one release: of each property, if all are there.
fn of<'k>(kept: &'k Recordings, claim: &Claim, release: &str) -> Option<Vec<&'k Recording>> {
    let properties = claim.properties.iter();
    let recordings = properties.map(|property| {
        let refuted = Refuted {
            claim: claim.id.clone(),
            property: property.to_string(),
        };
        kept.of(&refuted, release)
    });
    recordings.collect()
}

fn is_played(kept: &Recordings, claim: &Claim) -> bool {
    RELEASES
        .iter()
        .all(|release| of(kept, claim, release).is_some())
}

#[test]
fn the_table_of_questions_in_the_readme_is_what_was_played() {
    let kept = kept();
    let claims = about_kafka(Verdict::Refuted);
    let mut text = String::from(
        "| question | refuted with Kafka's rule and client | the same on 4.3.1 and 4.4.0 | of these with the window cut | \
         runs | not played |\n|---|---:|---:|---:|---:|---:|\n",
    );
    for question in QUESTIONS {
        let mut asked = claims.clone();
        asked.retain(|claim| claim.question == question.id);
        if asked.is_empty() {
            continue;
        }
        let (played, not): (Vec<&Claim>, Vec<&Claim>) =
            asked.iter().partition(|claim| is_played(&kept, claim));
        let runs: usize = played.iter().map(|claim| claim.properties.len()).sum();
        let cut = played.iter().filter(|claim| cuts_window(&claim.conditions));
        let _ = writeln!(
            text,
            "| **{}** {} | {} | {} | {} | {runs} | {} |",
            question.id,
            question.words,
            asked.len(),
            played.len(),
            cut.count(),
            not.len()
        );
    }
    blessing::compare("README.md", "replays", text.trim_end());
}

#[test]
fn the_table_of_claims_is_what_was_played() {
    let kept = kept();
    let claims = about_kafka(Verdict::Refuted);
    let played: Vec<&Claim> = claims
        .iter()
        .copied()
        .filter(|claim| is_played(&kept, claim))
        .collect();
    let runs: usize = played.iter().map(|claim| claim.properties.len()).sum();
    let mut text = format!(
        "{} of {} refuted claims were played, {runs} runs on each release:\n\n\
         | claim | the same violation | window | 4.3.1 | 4.4.0 |\n|---|---|---|---|---|\n",
        played.len(),
        claims.len()
    );
    for claim in &played {
        let violations = claim.properties.iter().map(ToString::to_string);
        let window = match cuts_window(&claim.conditions) {
            true => format!("cut to {}", claim.conditions.capacity()),
            false => "5, Kafka's".to_owned(),
        };
        let _ = writeln!(
            text,
            "| `{}` | {} | {window} | yes | yes |",
            claim.id,
            violations.collect::<Vec<_>>().join(", ")
        );
    }
    text += "\nNot played:\n\n| claim | why |\n|---|---|\n";
    for claim in claims.iter().filter(|claim| !is_played(&kept, claim)) {
        let why =
            why_not(&claim.conditions).unwrap_or_else(|| panic!("{} is not recorded", claim.id));
        let _ = writeln!(text, "| `{}` | {why} |", claim.id);
    }
    blessing::compare("docs/replays.md", "replays", text.trim_end());
}

#[test]
fn nothing_is_kept_of_claims_that_cannot_be_played() {
    let refuted = about_kafka(Verdict::Refuted);
    let playable = refuted
        .iter()
        .filter(|claim| why_not(&claim.conditions).is_none());
    let playable: BTreeSet<&str> = playable.map(|claim| claim.id.as_str()).collect();
    for recording in &kept().0 {
        for refutes in &recording.refutes {
            assert!(playable.contains(refutes.claim.as_str()), "{refutes:?}");
        }
    }
}

/// What the command line carries of the recordings is what they are about.
#[test]
fn the_command_line_knows_which_runs_were_played() {
    let lines: Result<Vec<String>, _> = kept().kept().iter().map(serde_json::to_string).collect();
    let found = lines.expect("lines of JSON").join("\n") + "\n";
    whole_file::compare("src/replay/kept.jsonl", &found);
}
