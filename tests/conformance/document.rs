//! `docs/conformance.md`: the tables are written from the rows and compared with them.

#[path = "../readme/blessing.rs"]
mod blessing;

use std::collections::BTreeSet;
use std::fmt::Write as _;

use crate::exceptions;
use crate::row::{self, Part, Row};

const DOCUMENT: &str = "docs/conformance.md";

/// Compares the document with the rows, or writes it anew (`RETRYPROOF_BLESS=1`).
///
/// # Panics
/// If they differ.
pub fn check() {
    blessing::compare(DOCUMENT, "counts", &counts());
    for part in Part::ALL {
        blessing::compare(DOCUMENT, part.name(), &table(part));
    }
    blessing::compare(DOCUMENT, "exceptions", &left_out());
}

fn counts() -> String {
    let rows = row::all();
    let of_kafka = rows.iter().filter(|row| !row.kafka.is_empty()).count();
    let here = rows.iter().filter(|row| row.runs_here()).count();
    let on_kafka = rows.iter().filter(|row| row.not_on_kafka.is_none());
    let steps: usize = rows.iter().map(|row| row.steps.len()).sum();
    let tests: BTreeSet<&String> = rows.iter().flat_map(|row| &row.kafka).collect();
    let left_out = exceptions::all().iter().flat_map(|left| &left.kafka);
    format!(
        "{} behaviours in {steps} steps: {of_kafka} that {} tests of Kafka pin, and {} that none \
         does. {here} run here and {} on the real Kafka; where a row does not run, it names \
         another test or says why not. {} further behaviours, of {} tests, are left out, each \
         for a reason.",
        rows.len(),
        tests.len(),
        rows.len() - of_kafka,
        on_kafka.count(),
        exceptions::all().len(),
        left_out.count(),
    )
}

fn table(part: Part) -> String {
    let mut table = String::from(
        "| behaviour | Kafka's tests | our test | on the real Kafka |\n|---|---|---|---|\n",
    );
    for row in row::all().iter().filter(|row| row.part == part) {
        let _ = writeln!(
            table,
            "| {} | {} | {} | {} |",
            row.behaviour,
            kafkas(&row.kafka),
            here(row),
            match &row.not_on_kafka {
                None => "yes",
                Some(reason) => reason,
            }
        );
    }
    table.trim_end().to_owned()
}

fn here(row: &Row) -> String {
    let mut tests = codes(&row.tests());
    if let Some(reason) = &row.only_on_kafka {
        let _ = match tests.is_empty() {
            true => write!(tests, "none: {reason}"),
            false => write!(tests, " ({reason})"),
        };
    }
    tests
}

fn left_out() -> String {
    let mut table = String::from(
        "| behaviour | Kafka's tests | why | what comes near it |\n|---|---|---|---|\n",
    );
    for left in exceptions::all() {
        let (kafka, ours) = (kafkas(&left.kafka), codes(&left.ours));
        let _ = writeln!(table, "| {} | {kafka} | {} | {ours} |", left.what, left.why);
    }
    table.trim_end().to_owned()
}

/// Kafka's tests, the class only where it changes.
fn kafkas(tests: &[String]) -> String {
    if tests.is_empty() {
        return "none".to_owned();
    }
    let mut class = "";
    let mut told = Vec::new();
    for test in tests {
        let (of, name) = test.split_once('.').unwrap_or((test, ""));
        match (of == class, name) {
            (_, "") => told.push(format!("`{of}`")),
            (true, name) => told.push(format!("`{name}`")),
            (false, name) => told.push(format!("{of} `{name}`")),
        }
        class = of;
    }
    told.join(", ")
}

fn codes(names: &[String]) -> String {
    let codes: Vec<_> = names.iter().map(|name| format!("`{name}`")).collect();
    codes.join(", ")
}
