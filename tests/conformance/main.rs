//! The conformance checklist: what Kafka's own tests pin for idempotent producers, row by row.
//!
//! A row is a few steps with what must come of them, typed from the behaviour (`rows/*.json`).
//! The same steps run on the specification and the state manager (or, for clients, on the
//! model's policy `java-4`), and on the real Apache Kafka through `oracle/`. `docs/conformance.md`
//! is the table of all rows.
//!
//! `cargo test --test conformance` runs all; a test is named after its row, and
//! `…::on_kafka_4_3_1` is the row on that release. Without Java or the oracle's jar these are
//! not there, and it says `skipped, because …`; with `RETRYPROOF_REQUIRE_JVM=1` it fails.

mod client;
mod document;
mod exceptions;
mod fails;
#[path = "../oracle/jvm.rs"]
mod jvm;
mod log;
mod oracle;
mod row;

use libtest_mimic::{Arguments, Trial};

use oracle::releases;

fn main() {
    let mut trials = vec![
        Trial::test("every_row_has_what_it_names", || Ok(row::check_all()?)),
        Trial::test("every_expectation_can_fail", || Ok(fails::check_all()?)),
        Trial::test("the_document_lists_every_row", || {
            document::check();
            Ok(())
        }),
    ];
    for row in row::all() {
        let kind = row.part.name();
        if row.runs_here() {
            let run = move || Ok(row.run_here()?);
            trials.push(Trial::test(row.name(), run).with_kind(kind));
        }
        if row.not_on_kafka.is_none() {
            for release in releases() {
                let name = format!("{}::{}", row.name(), release.test_name());
                let run = move || Ok(row.run_on_kafka(release)?);
                trials.push(Trial::test(name, run).with_kind(kind));
            }
        }
    }
    libtest_mimic::run(&Arguments::from_args(), trials).exit();
}
