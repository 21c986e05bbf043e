//! What was found of claims, for a person: a table, with the frontier as one picture, and
//! what there is to say about claims that are not as expected.

use std::fmt::Write;

use retryproof_models::checking::{PropertyOutcome, Verdict};
use retryproof_models::claims::ClaimOutcome;
use retryproof_models::conditions::Conditions;
use retryproof_properties::PropertyId;

use super::checked_claims::CheckedClaims;
use super::figures;
use super::paint::{symbol, Tone};
use super::staircase::{self, Staircase};
use super::wrap;

/// Fewer claims about the frontier than this are shown as rows.
const WORTH_A_PICTURE: usize = 12;
/// Mark of a claim with a property whose situation never arises.
const NEVER_ARISES: &str = "°";

/// How much is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Detail {
    /// The claims about the frontier as one picture.
    Picture,
    /// A row for each claim.
    AllRows,
}

/// Lays out what was found, in so many columns, question by question.
pub fn show(checked: &CheckedClaims, detail: Detail, width: usize) -> String {
    let columns = Columns::within(width);
    let mut text = columns.heads();
    for question in questions(&checked.outcomes) {
        let of_question = checked
            .outcomes
            .iter()
            .filter(|outcome| outcome.claim.question == question);
        let (pictures, rows) = divide(of_question, detail);
        text.push_str(&columns.rows(question, &rows));
        for picture in &pictures {
            text.push_str(&picture.show(question, width));
        }
    }
    let notes = [never_arises(&checked.outcomes), surprises(checked)].concat();
    for note in notes {
        let (mark, note) = note;
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{}", wrap::hanging(&format!("{mark} "), &note, width));
    }
    text
}

/// The questions that claims answer: A1, A2, … B10.
fn questions(outcomes: &[ClaimOutcome]) -> Vec<&'static str> {
    let mut questions: Vec<_> = outcomes
        .iter()
        .map(|outcome| outcome.claim.question)
        .collect();
    questions.sort_by_key(|question| (question.get(..1), question.len(), *question));
    questions.dedup();
    questions
}

/// The frontier of worlds that have all other conditions in common.
struct Picture<'a> {
    base: Conditions,
    members: Vec<&'a ClaimOutcome>,
}

fn divide<'a>(
    outcomes: impl Iterator<Item = &'a ClaimOutcome>,
    detail: Detail,
) -> (Vec<Picture<'a>>, Vec<&'a ClaimOutcome>) {
    let mut pictures: Vec<Picture<'a>> = Vec::new();
    let mut rows = Vec::new();
    for outcome in outcomes {
        if detail == Detail::AllRows || !outcome.claim.id.starts_with("frontier-") {
            rows.push(outcome);
            continue;
        }
        let base = Conditions {
            in_flight: Conditions::KAFKA.in_flight,
            window: Conditions::KAFKA.window,
            ..outcome.claim.conditions
        };
        match pictures.iter_mut().find(|picture| picture.base == base) {
            Some(picture) => picture.members.push(outcome),
            None => pictures.push(Picture {
                base,
                members: vec![outcome],
            }),
        }
    }
    let worth = |picture: &Picture<'_>| picture.members.len() >= WORTH_A_PICTURE;
    let (pictures, few): (Vec<_>, Vec<_>) = pictures.into_iter().partition(worth);
    rows.extend(few.into_iter().flat_map(|picture| picture.members));
    // What differs is shown as a row besides.
    let members = pictures.iter().flat_map(|picture| &picture.members);
    rows.extend(members.filter(|outcome| !outcome.as_expected()));
    (pictures, rows)
}

impl Picture<'_> {
    fn show(&self, question: &str, width: usize) -> String {
        let staircase = self.staircase();
        let property = PropertyId::NoDuplicate.id();
        let dead = match self.base.connections - 1 {
            1 => "one dead connection".to_owned(),
            dead => format!("{dead} dead connections"),
        };
        let title =
            format!("{question:<QUESTION$}{property} for every in-flight limit and window, {dead}");
        let about =
            format!(
            "{} in {}, {} as expected. ✓ holds; a number is the length of the shortest run that \
             writes a duplicate. --all-rows shows each claim.",
            figures::counted(self.members.len(), "claim"),
            figures::seconds(self.seconds()),
            self.members.iter().filter(|outcome| outcome.as_expected()).count(),
        );
        let indent = " ".repeat(QUESTION);
        let drawing = staircase.draw(|cell| Tone::of_expected(cell.verdict, !cell.differs));
        let turning = wrap::fill(&staircase.turning(property), width - QUESTION);
        let about = Tone::Dim.paint(wrap::fill(&about, width - QUESTION));
        let below = textwrap::indent(&format!("{drawing}{turning}\n{about}"), &indent);
        format!("{}\n{below}\n\n", Tone::Strong.paint(title))
    }

    fn staircase(&self) -> Staircase {
        let mut cells: Vec<staircase::Cell> = Vec::new();
        for member in &self.members {
            let conditions = &member.claim.conditions;
            let known = cells.iter_mut().find(|cell| {
                (cell.in_flight, cell.window) == (conditions.in_flight, conditions.window)
            });
            match known {
                Some(cell) => cell.differs |= !member.as_expected(),
                None => cells.extend(cell(member)),
            }
        }
        Staircase::new(cells)
    }

    fn seconds(&self) -> f64 {
        let checked = CheckedClaims {
            outcomes: self
                .members
                .iter()
                .map(|member| (*member).clone())
                .collect(),
            ..CheckedClaims::default()
        };
        checked.totals().exploring_seconds
    }
}

fn cell(member: &ClaimOutcome) -> Option<staircase::Cell> {
    let found = member.outcome.of(PropertyId::NoDuplicate)?;
    Some(staircase::Cell {
        in_flight: member.claim.conditions.in_flight,
        window: member.claim.conditions.window,
        verdict: found.verdict,
        length: found.counterexample.as_ref().map(|run| run.len()),
        states: member.outcome.counts.unique,
        differs: !member.as_expected(),
    })
}

/// Columns of the table: a line for each world, below it one for each claim about it.
struct Columns {
    claim: usize,
}

const QUESTION: usize = 5;
const EXPECTED: usize = 9;
const FOUND: usize = 10;
const RUN: usize = 6;
const STATES: usize = 10;
const DEPTH: usize = 6;
const TIME: usize = 8;
const MIN_CLAIM: usize = 40;

impl Columns {
    fn within(width: usize) -> Self {
        let others = QUESTION + EXPECTED + FOUND + RUN + STATES + DEPTH + TIME;
        Columns {
            claim: width.saturating_sub(others).max(MIN_CLAIM),
        }
    }

    fn heads(&self) -> String {
        let claim = self.claim;
        let heads = format!(
            "{:QUESTION$}{:claim$}{:EXPECTED$}{:FOUND$}{:>RUN$}{:>STATES$}{:>DEPTH$}{:>TIME$}",
            "", "conditions, claim", "expected", "found", "steps", "states", "depth", "time"
        );
        Tone::Dim.paint(heads) + "\n"
    }

    /// The claims of one question, those about the same world together.
    fn rows(&self, question: &str, rows: &[&ClaimOutcome]) -> String {
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
            figures::seconds(outcome.seconds)
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
        let tone = Tone::of_expected(checked.verdict, checked.as_expected());
        let mark = if idle(checked).next().is_some() {
            NEVER_ARISES
        } else {
            ""
        };
        let claim = self.claim - 2;
        let expected = checked.claim.expected.name();
        let found = format!("{} {}", symbol(checked.verdict), checked.verdict);
        let blank = FOUND - found.chars().count();
        let found = format!("{}{:blank$}", tone.paint(found), "");
        let run = checked
            .shortest()
            .map_or_else(String::new, |length| length.to_string());
        let id = format!("{}{mark}", checked.claim.id);
        let line = format!(
            "{:QUESTION$}  {id:claim$}{expected:EXPECTED$}{found}{run:>RUN$}",
            ""
        );
        line.trim_end().to_owned() + "\n"
    }
}

/// Properties of a claim that hold because what they speak of never arises in its world.
fn idle(checked: &ClaimOutcome) -> impl Iterator<Item = &PropertyOutcome> {
    checked
        .claim
        .properties
        .iter()
        .filter_map(|property| checked.outcome.of(*property))
        .filter(|found| found.verdict == Verdict::Holds && found.premises == 0)
}

fn never_arises(outcomes: &[ClaimOutcome]) -> Vec<Note> {
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
    if counts.is_empty() {
        return Vec::new();
    }
    vec![(NEVER_ARISES, format!(
        "What a property of the claim speaks of never arises in its world, so that it \
         holds for that reason: {}.",
        counts.join(", ")
    ))]
}

/// What there is to say below the table, with a mark.
type Note = (&'static str, String);

fn surprises(checked: &CheckedClaims) -> Vec<Note> {
    let mut notes: Vec<Note> = Vec::new();
    for outcome in checked.differing() {
        if outcome.verdict != outcome.claim.expected {
            notes.push(("✗", differs(outcome)));
        }
        if outcome.count_changed() {
            notes.push(("✗", count_changed(outcome)));
        }
    }
    notes.extend(checked.unknown().map(|outcome| ("?", unknown(outcome))));
    if !checked.not_checked.is_empty() {
        let stopped = format!(
            "Stopped: {} not looked at, from {} on.",
            figures::counted(checked.not_checked.len(), "claim"),
            checked.not_checked[0].id
        );
        notes.push(("?", stopped));
    }
    notes
}

fn differs(outcome: &ClaimOutcome) -> String {
    let claim = outcome.claim;
    let found: Vec<String> = claim
        .properties
        .iter()
        .filter_map(|property| outcome.outcome.of(*property))
        .filter(|found| found.verdict != claim.expected)
        .map(|found| format!("{} {}", found.property, found.verdict))
        .collect();
    format!(
        "{}: expected {}, found {}: {}. To look closer: retryproof ask {}",
        claim.id,
        claim.expected,
        outcome.verdict,
        found.join(", "),
        claim.conditions.flags()
    )
}

fn count_changed(outcome: &ClaimOutcome) -> String {
    let counts = outcome.outcome.counts;
    let pinned = match outcome.pin {
        Some(pin) => format!(
            "pinned are {} and {}",
            figures::count(pin.unique),
            figures::count(pin.generated)
        ),
        None => "no counts are pinned for it".to_owned(),
    };
    format!(
        "{}: its world has {} states and {} steps, {pinned}: the model changed. If that was meant, \
         say why in the commit and pin the counts anew: cargo run --release -p retryproof-models \
         --example pin > models/src/claims/pinned.txt",
        outcome.claim.id,
        figures::count(counts.unique),
        figures::count(counts.generated),
    )
}

fn unknown(outcome: &ClaimOutcome) -> String {
    let counts = outcome.outcome.counts;
    let reason = match outcome.outcome.cut {
        Some(cut) => cut.to_string(),
        None => "its properties do not agree".to_owned(),
    };
    format!(
        "{}: unknown, {reason}; {} states and {} steps to depth {} were looked at.",
        outcome.claim.id,
        figures::count(counts.unique),
        figures::count(counts.generated),
        counts.depth
    )
}

/// The last line: how many claims are as expected, and what that took.
pub fn summary(checked: &CheckedClaims) -> String {
    let totals = checked.totals();
    let expected = checked.expected().count();
    let differing = checked.differing().count();
    let unknown = checked.unknown().count() + checked.not_checked.len();
    let (tone, mark) = match (differing, unknown) {
        (0, 0) => (Tone::Good, "✓"),
        (0, _) => (Tone::Open, "?"),
        _ => (Tone::Bad, "✗"),
    };
    let unknown = match unknown {
        0 => String::new(),
        unknown => format!(", {unknown} unknown"),
    };
    let verdicts = format!(
        "{mark} {} as expected, {differing} not{unknown}, in {}",
        figures::counted(expected, "claim"),
        figures::seconds(checked.seconds)
    );
    format!(
        "{};\n  {} unique and {} generated states, {}; odds of a collision below {}",
        tone.paint(verdicts),
        figures::count(totals.unique),
        figures::count(totals.generated),
        figures::speed(totals.generated, totals.exploring_seconds),
        figures::odds(totals.collision_odds)
    )
}
