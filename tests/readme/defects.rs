//! docs/defects.md: the published bugs that are caught, and those that are not, with the
//! reason.

use std::fmt::Write;

use retryproof::evidence::figures;
use retryproof_models::claims::ClaimOutcome;
use retryproof_models::defects::{all, Defect, Exhibit};

use crate::{blessing, outcomes};

#[test]
fn the_track_record_is_what_a_run_gives() {
    let outcomes = outcomes(|claim| claim.question == "museum");
    let caught = all().filter_map(|defect| caught(defect, &outcomes));
    let caught: Vec<String> = caught.collect();
    let text = format!(
        "{} published faults are caught:\n\n| issue | product | fault | caught by (steps of the \
         shortest run) | states | command |\n|---|---|---|---|---:|---|\n{}\n\nNot caught:\n\n| \
         issue | product | fault | why |\n|---|---|---|---|\n{}",
        caught.len(),
        caught.join("\n"),
        all().filter_map(not_caught).collect::<Vec<_>>().join("\n")
    );
    blessing::compare("docs/defects.md", "defects", &text);
}

fn caught(defect: &Defect, outcomes: &[ClaimOutcome]) -> Option<String> {
    let Exhibit::Caught { caught_by, .. } = &defect.exhibit else {
        return None;
    };
    let of = |id: &str| {
        let found = outcomes.iter().find(|told| told.claim.id == id);
        found.unwrap_or_else(|| panic!("{id} is no quick claim"))
    };
    let (faulty, repaired) = (of(defect.id), of(&defect.repaired_id()));
    let runs = caught_by.iter().map(|property| {
        let found = faulty.outcome.of(*property);
        let run = found.and_then(|found| found.counterexample.as_ref());
        let steps = run.unwrap_or_else(|| panic!("{}: no run", defect.id)).len();
        format!("{property} ({steps})")
    });
    Some(format!(
        "| **{}** | {} | {} | {} | {} ({} repaired) | `retryproof check {}` |",
        defect.id,
        defect.product,
        defect.title,
        runs.collect::<Vec<_>>().join(", "),
        figures::count(faulty.outcome.counts.unique),
        figures::count(repaired.outcome.counts.unique),
        defect.id
    ))
}

fn not_caught(defect: &Defect) -> Option<String> {
    let why = match &defect.exhibit {
        Exhibit::Caught { .. } => return None,
        Exhibit::NotProtocol { reason } => format!("no matter of the protocol: {reason}"),
        Exhibit::NoProperty { reason } => format!("breaks no property: {reason}"),
        Exhibit::Later { reason } => format!("not modelled: {reason}"),
    };
    let mut row = String::new();
    let _ = write!(
        row,
        "| **{}** | {} | {} | {why} |",
        defect.id, defect.product, defect.title
    );
    Some(row)
}
