//! The rows of the table: a line for each world, below it one for each claim about it.

use std::fmt::Write;

use retryproof_models::checking::{PropertyOutcome, Verdict};
use retryproof_models::claims::ClaimOutcome;

use crate::evidence::paint::{symbol, Tone};
use crate::evidence::{figures, wrap};

/// Mark of a claim with a property whose situation never arises.
pub(super) const NEVER_ARISES: &str = "°";

/// The widths of the columns.
pub(super) struct Columns {
    claim: usize,
}

/// Columns of a question, as A1.
pub(super) const QUESTION: usize = 8;
const EXPECTED: usize = 9;
const FOUND: usize = 10;
const RUN: usize = 6;
const STATES: usize = 10;
const DEPTH: usize = 6;
const TIME: usize = 8;
const MIN_CLAIM: usize = 40;

impl Columns {
    /// Columns for a table so wide.
    pub fn within(width: usize) -> Self {
        let others = QUESTION + EXPECTED + FOUND + RUN + STATES + DEPTH + TIME;
        Columns {
            claim: width.saturating_sub(others).max(MIN_CLAIM),
        }
    }

    /// The line above all.
    pub fn heads(&self) -> String {
        let claim = self.claim;
        let heads = format!(
            "{:QUESTION$}{:claim$}{:EXPECTED$}{:FOUND$}{:>RUN$}{:>STATES$}{:>DEPTH$}{:>TIME$}",
            "", "conditions, claim", "expected", "found", "steps", "states", "depth", "time"
        );
        Tone::Dim.paint(heads) + "\n"
    }

    /// The claims of one question, those about the same world together.
    pub fn rows(&self, question: &str, rows: &[&ClaimOutcome]) -> String {
        let mut text = String::new();
        let mut lead = Tone::Strong.paint(format!("{question:<QUESTION$}"));
        for world in rows.chunk_by(|one, other| one.claim.conditions == other.claim.conditions) {
            text.push_str(&lead);
            text.push_str(&self.world(world[0]));
            for claim in world {
                text.push_str(&self.claim(claim));
            }
            lead = " ".repeat(QUESTION);
        }
        if !rows.is_empty() {
            text.push('\n');
        }
        text
    }

    fn world(&self, checked: &ClaimOutcome) -> String {
        let room = self.claim + EXPECTED + FOUND + RUN;
        let outcome = &checked.outcome;
        let figures = format!(
            "{:>STATES$}{:>DEPTH$}{:>TIME$}",
            figures::count(outcome.counts.unique),
            outcome.counts.depth,
            match outcome.walked {
                Some(_) => String::new(),
                None => figures::seconds(outcome.seconds),
            }
        );
        let conditions = checked.claim.conditions.to_string();
        let lines = wrap::lines(&conditions, room - 1);
        let mut text = String::new();
        for (index, line) in lines.iter().enumerate() {
            let (lead, figures) = match index {
                0 => ("", figures.as_str()),
                _ => ("     ", ""),
            };
            // Writing to a string cannot fail.
            let _ = writeln!(
                text,
                "{lead}{}",
                format!("{line:room$}{figures}").trim_end()
            );
        }
        text
    }

    fn claim(&self, checked: &ClaimOutcome) -> String {
        let mark = if idle(checked).next().is_some() {
            NEVER_ARISES
        } else {
            ""
        };
        let claim = self.claim - 2;
        let expected = checked.claim.expected.name();
        let found = format!("{} {}", symbol(checked.verdict), checked.verdict);
        let blank = FOUND - found.chars().count();
        let found = format!("{}{:blank$}", tone(checked).paint(found), "");
        let run = checked
            .shortest()
            .map_or_else(String::new, |length| length.to_string());
        let id = format!("{}{mark} ", checked.claim.id);
        let line = format!(
            "{:QUESTION$}  {id:claim$}{expected:EXPECTED$}{found}{run:>RUN$}",
            ""
        );
        line.trim_end().to_owned() + "\n"
    }
}

/// Properties of a claim that hold because what they speak of never arises in its world.
pub(super) fn idle(checked: &ClaimOutcome) -> impl Iterator<Item = &PropertyOutcome> {
    checked
        .claim
        .properties
        .iter()
        .filter_map(|property| checked.outcome.of(*property))
        .filter(|found| found.verdict == Verdict::Holds && found.premises == 0)
}

/// How a claim is shown: as expected or not.
pub(super) fn tone(checked: &ClaimOutcome) -> Tone {
    Tone::of_expected(checked.verdict, checked.as_expected())
}
