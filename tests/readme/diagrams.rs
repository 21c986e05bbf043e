//! docs/one-by-one.md: for each condition a run without it, drawn, and a claim that holds with it.

use std::collections::BTreeSet;
use std::path::Path;

use retryproof::evidence::figures;
use retryproof::evidence::sequence::{svg, Chart};
use retryproof_models::claims::{ClaimOutcome, QUESTIONS};
use retryproof_properties::PropertyId::{self, *};

use crate::{blessing, outcomes, whole_file};

/// What is shown of a question.
struct Shown {
    question: &'static str,
    /// A claim that is refuted, and the property against which its shortest run is drawn.
    refuted: (&'static str, PropertyId),
    /// A claim that holds with the condition.
    holds: &'static str,
}

const fn shown(
    question: &'static str,
    refuted: (&'static str, PropertyId),
    holds: &'static str,
) -> Shown {
    Shown {
        question,
        refuted,
        holds,
    }
}

/// Small worlds, so that a run fits a page.
const SHOWN: &[Shown] = &[
    shown(
        "A6",
        ("plain-producer-writes-duplicates", NoDuplicate),
        "idempotent-producer-survives-a-lost-answer",
    ),
    shown(
        "A2",
        ("in-flight-6-writes-duplicates", NoDuplicate),
        "in-flight-5",
    ),
    shown(
        "B1",
        ("restart-with-a-window-of-one-small", NoDuplicate),
        "restart-with-the-whole-window",
    ),
    shown(
        "B2",
        ("left-behind-small", RetryRecognised),
        "limit-from-the-lowest-undecided",
    ),
    shown(
        "B3",
        ("unknown-producer-small", NoDuplicate),
        "unknown-producer-starts-at-0",
    ),
    shown(
        "B4",
        ("bump-while-undecided-small", NoDuplicate),
        "bump-of-what-is-nowhere",
    ),
    shown(
        "B5",
        ("bump-races-leftovers-small", NoDuplicate),
        "patient-bump-with-leftovers",
    ),
    shown(
        "B6",
        ("expiry-by-client-time-smallest", NoDuplicate),
        "expiry-by-wall-clock",
    ),
    shown(
        "B7",
        ("epochs-run-out", NoDuplicate),
        "epochs-run-out-new-id",
    ),
    shown(
        "B8",
        ("plain-comparison-at-the-wrap", EveryBatchDecided),
        "modular-comparison-at-the-wrap",
    ),
    shown(
        "B9",
        ("validation-before-lookup", NoDuplicate),
        "validation-after-lookup-real",
    ),
    shown(
        "B10",
        ("network-ordered-retry-recognised", RetryRecognised),
        "network-unordered-one-in-flight",
    ),
    shown("B11", ("acks-1", AckTruthful), "acks-all-real"),
    shown(
        "B12",
        ("delivery-timeout-means-unknown-small", NoFalseFailure),
        "delivery-timeouts-told-as-unknown",
    ),
    shown(
        "B13",
        ("one-id-for-two-producers", AckTruthful),
        "two-producers",
    ),
    shown(
        "B14",
        ("bump-for-all-partitions", NoDuplicate),
        "two-partitions",
    ),
    shown(
        "B15",
        ("split-of-a-written-batch", NoDuplicate),
        "split-of-what-is-nowhere",
    ),
    shown(
        "B16",
        ("append-state-first", AckTruthful),
        "append-write-first-real",
    ),
];

const DOCUMENT: &str = "docs/one-by-one.md";

impl Shown {
    /// The file of the drawing, from the document.
    fn file(&self) -> String {
        format!("diagrams/{}.svg", self.question.to_lowercase())
    }

    fn compare(&self, outcomes: &[ClaimOutcome]) {
        let of = |id: &str| {
            let told = outcomes.iter().find(|told| told.claim.id == id);
            told.unwrap_or_else(|| panic!("no quick claim is called {id}"))
        };
        let (id, property) = self.refuted;
        let (refuted, holds) = (of(id), of(self.holds));
        let found = refuted.outcome.of(property);
        let run = found.and_then(|found| found.counterexample.as_ref());
        let run = run.unwrap_or_else(|| panic!("{id} has no run against {property}"));
        let title = format!(
            "{id}: a shortest run against {property}, {} steps",
            run.len()
        );
        let drawn = svg::draw(&Chart::of(run), &title);
        whole_file::compare(&format!("docs/{}", self.file()), &drawn);
        let text = format!(
            "*{}* is refuted: {}. To read the run: `retryproof ask {} --property {property}`.\\\n\
             *{}* (`{}`) holds, {} states.\n\n![{title}]({})",
            refuted.claim.statement,
            refutations(refuted),
            refuted.claim.conditions.flags(),
            holds.claim.statement,
            holds.claim.id,
            figures::count(holds.outcome.counts.unique),
            self.file(),
        );
        let text = format!("`{id}`: {text}");
        blessing::compare(DOCUMENT, self.question, &text);
    }
}

/// The refuted properties of a claim, each with the steps of its shortest run.
fn refutations(told: &ClaimOutcome) -> String {
    let refuted = told.claim.properties.iter().filter_map(|property| {
        let run = told.outcome.of(*property)?.counterexample.as_ref()?;
        Some(format!("{property} ({})", run.len()))
    });
    refuted.collect::<Vec<_>>().join(", ")
}

#[test]
fn the_runs_are_those_of_the_claims() {
    let named: BTreeSet<&str> = SHOWN
        .iter()
        .flat_map(|shown| [shown.refuted.0, shown.holds])
        .collect();
    let outcomes = outcomes(|claim| named.contains(claim.id.as_str()));
    for shown in SHOWN {
        shown.compare(&outcomes);
    }
}

#[test]
fn every_condition_is_shown() {
    let shown: BTreeSet<&str> = SHOWN.iter().map(|shown| shown.question).collect();
    let asked = QUESTIONS.iter().map(|question| question.id);
    let conditions: BTreeSet<&str> = asked.filter(|id| id.starts_with('B')).collect();
    let missing: Vec<_> = conditions.difference(&shown).collect();
    assert!(missing.is_empty(), "not shown: {missing:?}");
}

#[test]
fn every_drawing_is_shown() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folder = std::fs::read_dir(root.join("docs/diagrams")).expect("docs/diagrams");
    let drawn: BTreeSet<String> = folder
        .map(|entry| entry.expect("a drawing").file_name())
        .map(|name| format!("diagrams/{}", name.to_string_lossy()))
        .collect();
    let shown: BTreeSet<String> = SHOWN.iter().map(Shown::file).collect();
    assert_eq!(drawn, shown);
}
