//! What there is to say below the table: what never arises, what differs and what to do
//! about it, how far a search got that was cut.

use retryproof_models::claims::ClaimOutcome;
use retryproof_properties::PropertyId;

use super::columns::{idle, NEVER_ARISES};
use crate::evidence::checked_claims::CheckedClaims;
use crate::evidence::{figures, walked, wrap};

/// How many worlds whose counts changed are named.
const NAMED: usize = 10;
/// Pins the counts of all worlds.
const PIN: &str =
    "cargo run --release -p retryproof-models --example pin > models/src/claims/pinned.txt";

/// One thing to say.
pub(super) struct Note {
    mark: &'static str,
    text: String,
    /// A command to copy, which is therefore not broken into lines.
    command: Option<String>,
}

impl Note {
    fn new(mark: &'static str, text: String) -> Self {
        Note {
            mark,
            text,
            command: None,
        }
    }

    fn with(self, command: String) -> Self {
        Note {
            command: Some(command),
            ..self
        }
    }

    /// The note in lines of so many columns.
    pub fn show(&self, width: usize) -> String {
        let mut text = wrap::hanging(&format!("{} ", self.mark), &self.text, width);
        if let Some(command) = &self.command {
            text.push_str(&format!("\n    {command}"));
        }
        text + "\n"
    }
}

/// All that there is to say.
pub(super) fn notes(checked: &CheckedClaims) -> Vec<Note> {
    let mut notes: Vec<Note> = never_arises(&checked.outcomes).into_iter().collect();
    let differing = checked.differing();
    notes.extend(
        differing
            .filter(|outcome| outcome.verdict != outcome.claim.expected)
            .map(differs),
    );
    notes.extend(counts_changed(checked));
    notes.extend(checked.unknown().map(unknown));
    notes.extend(not_checked(checked));
    notes
}

fn never_arises(outcomes: &[ClaimOutcome]) -> Option<Note> {
    let counts: Vec<String> = PropertyId::ALL
        .iter()
        .filter_map(|property| {
            let is_idle =
                |checked: &&ClaimOutcome| idle(checked).any(|found| found.property == *property);
            match outcomes.iter().filter(is_idle).count() {
                0 => None,
                claims => Some(format!(
                    "{property} ({})",
                    figures::counted(claims, "claim")
                )),
            }
        })
        .collect();
    let text = format!(
        "What a property of the claim speaks of never arises in its world, so that it holds for that \
         reason: {}.",
        counts.join(", ")
    );
    (!counts.is_empty()).then(|| Note::new(NEVER_ARISES, text))
}

fn differs(outcome: &ClaimOutcome) -> Note {
    let claim = outcome.claim;
    let found: Vec<String> = claim
        .properties
        .iter()
        .filter_map(|property| outcome.outcome.of(*property))
        .filter(|found| found.verdict != claim.expected)
        .map(|found| format!("{} {}", found.property, found.verdict))
        .collect();
    let text = format!(
        "{}: expected {}, found {}: {}. To look closer:",
        claim.id,
        claim.expected,
        outcome.verdict,
        found.join(", "),
    );
    let walks = outcome.outcome.walked.as_ref().map(|walked| {
        let mut properties = claim.properties.iter();
        let walk = properties.find_map(|property| walked.walk_against(*property));
        walked::flags(&walk.unwrap_or(walked.asked))
    });
    let command = format!(
        "retryproof ask {} {}",
        claim.conditions.flags(),
        walks.unwrap_or_default()
    );
    Note::new("✗", text).with(command.trim_end().to_owned())
}

fn counts_changed(checked: &CheckedClaims) -> Option<Note> {
    let changed: Vec<&ClaimOutcome> = checked
        .outcomes
        .iter()
        .filter(|outcome| outcome.count_changed())
        .collect();
    let mut named: Vec<String> = changed
        .iter()
        .take(NAMED)
        .map(|outcome| count(outcome))
        .collect();
    if changed.len() > NAMED {
        named.push(format!("{} more", changed.len() - NAMED));
    }
    let text = format!(
        "The model changed, for its worlds have other counts than the pinned ones: {}. If that was \
         meant, look at the difference, say why in the commit and pin the counts anew:",
        named.join("; ")
    );
    (!changed.is_empty()).then(|| Note::new("✗", text).with(PIN.to_owned()))
}

fn count(outcome: &ClaimOutcome) -> String {
    let counts = outcome.outcome.counts;
    let pinned = match outcome.pin {
        Some(pin) => format!(
            "pinned are {} and {}",
            figures::count(pin.unique),
            figures::count(pin.generated)
        ),
        None => "none are pinned".to_owned(),
    };
    format!(
        "{} has {} and {}, {pinned}",
        outcome.claim.id,
        figures::counted(counts.unique, "state"),
        figures::counted(counts.generated, "step"),
    )
}

fn unknown(outcome: &ClaimOutcome) -> Note {
    let counts = outcome.outcome.counts;
    let reason = match outcome.outcome.cut {
        Some(cut) => cut.to_string(),
        None => "its properties do not agree".to_owned(),
    };
    let text = format!(
        "{}: unknown, {reason}; {} and {} to depth {} were looked at.",
        outcome.claim.id,
        figures::counted(counts.unique, "state"),
        figures::counted(counts.generated, "step"),
        counts.depth
    );
    Note::new("?", text)
}

fn not_checked(checked: &CheckedClaims) -> Option<Note> {
    let first = checked.not_checked.first()?;
    let text = format!(
        "Stopped: {} not looked at, from {} on.",
        figures::counted(checked.not_checked.len(), "claim"),
        first.id
    );
    Some(Note::new("?", text))
}
