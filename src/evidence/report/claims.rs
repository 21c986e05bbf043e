//! The claims: what each says, under which conditions, and what was found.

use retryproof_models::checking::{PropertyOutcome, Verdict};
use retryproof_models::claims::{ClaimOutcome, QUESTIONS};
use serde::Serialize;

use super::places;
use super::replayed::{self, Replayed};
use super::runs::Runs;
use super::verdicts::{verdicts, Found};
use crate::evidence::json::{Conditions, States};

/// The claims that answer a question in short. Those about conditions are told in a table of
/// their own.
const HEADLINES: &[&str] = &[
    "in-flight-5",
    "in-flight-6-writes-duplicates",
    "frontier-5-5-holds",
    "frontier-6-5-breaks",
    "gap-of-a-known-producer",
    "gap-of-a-new-producer",
    "strict-5-5",
    "kafka-1.0-6",
    "kafka-0.11-2",
    "idempotent-producer-survives-a-lost-answer",
    "plain-producer-writes-duplicates",
    "clean-failover",
    "fencing",
    "hardened-restarts-and-errors",
];

/// A question, and the claims that answer it.
#[derive(Serialize)]
pub(super) struct Question {
    id: &'static str,
    words: &'static str,
    /// Whether the words are a condition that is dropped and not a question.
    is_condition: bool,
    holds: usize,
    refuted: usize,
    unknown: usize,
    /// The claims that answer it in short.
    headlines: Vec<&'static str>,
    /// The claims whose verdict is not the expected one, or is unknown.
    not_as_expected: Vec<&'static str>,
}

/// The questions that these claims answer, in their order.
pub(super) fn questions(outcomes: &[ClaimOutcome]) -> Vec<Question> {
    let mut questions = Vec::new();
    for question in QUESTIONS {
        let asked: Vec<&ClaimOutcome> = outcomes
            .iter()
            .filter(|told| told.claim.question == question.id)
            .collect();
        if asked.is_empty() {
            continue;
        }
        let count = |verdict| asked.iter().filter(|told| told.verdict == verdict).count();
        let not_expected = asked.iter().filter(|told| !told.as_expected());
        questions.push(Question {
            id: question.id,
            words: question.words,
            is_condition: question.id.starts_with('B'),
            holds: count(Verdict::Holds),
            refuted: count(Verdict::Refuted),
            unknown: count(Verdict::Unknown),
            headlines: asked
                .iter()
                .map(|told| told.claim.id.as_str())
                .filter(|id| HEADLINES.contains(id))
                .collect(),
            not_as_expected: not_expected.map(|told| told.claim.id.as_str()).collect(),
        });
    }
    questions
}

/// A claim, and what was found.
#[derive(Serialize)]
pub(super) struct Claim {
    id: &'static str,
    question: &'static str,
    statement: &'static str,
    source: &'static str,
    tier: &'static str,
    in_words: String,
    flags: String,
    conditions: Conditions,
    any_length: bool,
    expected: &'static str,
    verdict: &'static str,
    as_expected: bool,
    count_changed: bool,
    verdicts: Vec<Found>,
    exhausted: bool,
    cut: Option<String>,
    states: States,
    collision_odds: f64,
    /// The command that opens its world in the explorer.
    explore: String,
    /// One for each property of the claim that is refuted.
    refutations: Vec<Refutation>,
    time_seconds: f64,
}

/// How a property of a claim is refuted.
#[derive(Serialize)]
struct Refutation {
    property: &'static str,
    steps: usize,
    /// The run that is told.
    run: String,
    replayed: Vec<Replayed>,
}

impl Claim {
    /// The id.
    pub fn id(&self) -> &str {
        self.id
    }

    /// Whether a property that it is about is refuted.
    pub fn is_refuted(&self) -> bool {
        !self.refutations.is_empty()
    }

    /// What was found of a claim; the runs against it are told among the others.
    pub fn new(told: &ClaimOutcome, runs: &mut Runs) -> Self {
        let (claim, outcome) = (told.claim, &told.outcome);
        Claim {
            id: &claim.id,
            question: claim.question,
            statement: &claim.statement,
            source: claim.source,
            tier: claim.tier.name(),
            in_words: claim.conditions.to_string(),
            flags: claim.conditions.flags(),
            conditions: (&claim.conditions).into(),
            any_length: claim.conditions.any_length(),
            expected: claim.expected.name(),
            verdict: told.verdict.name(),
            as_expected: told.as_expected(),
            count_changed: told.count_changed(),
            verdicts: verdicts(told),
            exhausted: outcome.exhausted(),
            cut: outcome.cut.map(|cut| cut.to_string()),
            states: outcome.counts.into(),
            collision_odds: outcome.collision_odds(),
            explore: places::command(claim),
            refutations: refutations(told, runs),
            time_seconds: outcome.seconds,
        }
    }
}

/// What was found of the properties that a claim is about, where it is refuted.
pub(super) fn refuted(told: &ClaimOutcome) -> Vec<PropertyOutcome> {
    let claimed = told.claim.properties.iter();
    let found = claimed.filter_map(|property| told.outcome.of(*property));
    found
        .filter(|found| found.counterexample.is_some())
        .cloned()
        .collect()
}

fn refutations(told: &ClaimOutcome, runs: &mut Runs) -> Vec<Refutation> {
    let found = refuted(told);
    let names = runs.tell(told.claim, &found);
    found
        .iter()
        .zip(names)
        .map(|(found, run)| {
            let steps = found.counterexample.as_ref().map_or(0, |run| run.len());
            Refutation {
                property: found.property.id(),
                steps,
                run,
                replayed: replayed::on_each_release(told.claim, found.property),
            }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use retryproof_models::claims::registry;

    use super::*;

    #[test]
    fn every_headline_is_a_claim() {
        for id in HEADLINES {
            assert!(registry().iter().any(|claim| claim.id == *id), "{id}");
        }
    }
}
