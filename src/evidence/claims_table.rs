//! What was found of claims, for a person: a table, with the frontier as one picture, and
//! what there is to say about claims that are not as expected.

mod columns;
mod notes;
mod picture;

use retryproof_models::claims::ClaimOutcome;
use retryproof_models::conditions::Conditions;

use super::checked_claims::CheckedClaims;
use super::figures;
use super::paint::Tone;

use columns::Columns;
use picture::Picture;

/// Fewer claims about the frontier than this are shown as rows.
const WORTH_A_PICTURE: usize = 12;

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
    for note in notes::notes(checked) {
        text.push_str(&note.show(width));
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
        "{mark} {} as expected, {differing} not{unknown}",
        figures::counted(expected, "claim"),
    );
    if !checked.is_search() {
        return format!(
            "{};\n  random walks came upon {} in {}, and prove nothing",
            tone.paint(verdicts),
            figures::counted(totals.unique, "state"),
            figures::counted(totals.generated, "step")
        );
    }
    let verdicts = format!("{verdicts}, in {}", figures::seconds(checked.seconds));
    format!(
        "{};\n  {} unique and {} generated states, {}; odds of a collision below {}",
        tone.paint(verdicts),
        figures::count(totals.unique),
        figures::count(totals.generated),
        figures::speed(totals.generated, totals.exploring_seconds),
        figures::odds(totals.collision_odds)
    )
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use retryproof_models::checking::{check, Limits, Silent, Verdict};
    use retryproof_models::claims::{registry, Pin};
    use retryproof_properties::PropertyId;

    use super::*;

    /// What is found of a claim whose world is searched with these limits.
    fn checked(id: &str, limits: &Limits) -> ClaimOutcome {
        let claim = registry()
            .iter()
            .find(|claim| claim.id == id)
            .expect("a claim");
        let outcome = check(&claim.conditions, PropertyId::ALL, limits, &Silent);
        ClaimOutcome {
            claim,
            verdict: match outcome.exhausted() {
                true => claim.expected,
                false => Verdict::Unknown,
            },
            pin: Pin::of(&claim.conditions),
            outcome: Arc::new(outcome),
        }
    }

    fn shown(outcomes: Vec<ClaimOutcome>) -> String {
        let checked = CheckedClaims {
            outcomes,
            ..CheckedClaims::default()
        };
        let text = show(&checked, Detail::Picture, 100) + &summary(&checked);
        anstream::adapter::strip_str(&text).to_string()
    }

    #[test]
    fn a_verdict_that_differs_is_explained() {
        let mut outcome = checked("strict-1-1", &Limits::default());
        outcome.verdict = Verdict::Refuted;
        let text = shown(vec![outcome]);
        assert!(
            text.contains("✗ strict-1-1: expected holds, found refuted"),
            "{text}"
        );
        assert!(
            text.contains("retryproof ask --in-flight 1 --window 1 --rule strict"),
            "{text}"
        );
        assert!(
            text.contains("✗ 0 claims as expected, 1 not, in "),
            "{text}"
        );
    }

    #[test]
    fn a_count_that_changed_is_explained() {
        let mut outcome = checked("strict-1-1", &Limits::default());
        outcome.pin = Some(Pin {
            unique: 1234,
            generated: 5678,
        });
        let text = shown(vec![outcome]);
        assert!(
            text.contains("pinned are 1\u{a0}234 and 5\u{a0}678"),
            "{text}"
        );
        assert!(text.contains("The model changed"), "{text}");
        assert!(text.contains("--example pin"), "{text}");
    }

    #[test]
    fn a_search_that_was_cut_says_how_far_it_got() {
        let limits = Limits {
            max_states: 5,
            ..Limits::default()
        };
        let text = shown(vec![checked("strict-1-1", &limits)]);
        assert!(
            text.contains("? strict-1-1: unknown, stopped after 5 states"),
            "{text}"
        );
        assert!(
            text.contains("? 0 claims as expected, 0 not, 1 unknown, in "),
            "{text}"
        );
    }

    #[test]
    fn claims_that_were_not_come_to_are_counted() {
        let checked = CheckedClaims {
            not_checked: registry().iter().take(3).collect(),
            ..CheckedClaims::default()
        };
        let text = show(&checked, Detail::Picture, 100) + &summary(&checked);
        assert!(
            text.contains("Stopped: 3 claims not looked at, from in-flight-1 on."),
            "{text}"
        );
        assert!(text.contains("3 unknown"), "{text}");
    }

    #[test]
    fn questions_come_in_their_order() {
        let outcomes: Vec<_> = ["network-ordered-one-in-flight", "strict-1-1", "in-flight-1"]
            .into_iter()
            .map(|id| checked(id, &Limits::default()))
            .collect();
        assert_eq!(questions(&outcomes), ["A1", "A5", "B10"]);
    }
}
