//! What each form tells of a claim.

use serde_json::Value;

use crate::{names, read, REPORT};

/// A shortest run that writes a record twice, played on the real Kafka.
const PLAYED: &str = "in-flight-6-writes-duplicates";
/// One about another broker.
const NOT_PLAYED: &str = "kafka-0.11-2";

#[test]
fn a_refuted_claim_has_a_page_with_its_run_and_the_commands_that_find_it() {
    let page = read(&REPORT, &format!("refuted/{PLAYED}.md"));
    for part in [
        "✗ refuted: With 6 in flight no record is written twice.",
        "| `no-duplicate` | 18 steps | yes | yes |",
        "$ retryproof check in-flight-6-writes-duplicates",
        "$ retryproof ask --in-flight 6",
        "$ retryproof explore in-flight-6-writes-duplicates",
        "A shortest run against no-duplicate, in 18 steps",
        "| 1 | producer | Producer sends r0",
        "| 18 | broker | Broker appends r0",
        "**✗ no-duplicate: record 0 was written again at offset 6",
        "http://127.0.0.1:3000/#/steps/0/",
    ] {
        assert!(page.contains(part), "no {part} in {page}");
    }
    let page = read(&REPORT, &format!("refuted/{NOT_PLAYED}.md"));
    assert!(
        page.contains("no: it is about another broker or client"),
        "{page}"
    );
}

#[test]
fn every_refuted_claim_has_a_page_and_no_other() {
    let report: Value = serde_json::from_str(&read(&REPORT, "report.json")).expect("JSON");
    let claims = report["claims"].as_array().expect("claims").iter();
    let refuted = claims.filter(|claim| claim["verdict"] == "refuted");
    let mut wanted: Vec<String> = refuted
        .map(|claim| format!("refuted/{}.md", claim["id"].as_str().expect("an id")))
        .collect();
    wanted.sort();
    let mut found = names(&REPORT);
    found.retain(|name| name.starts_with("refuted/"));
    assert_eq!(found, wanted);
    assert!(found.len() > 5, "{found:?}");
}

#[test]
fn the_page_in_html_tells_the_same() {
    let page = read(&REPORT, "index.html");
    let begin = page
        .find(&format!("id=\"claim-{PLAYED}\""))
        .expect("the claim");
    let claim = &page[begin..];
    let claim = &claim[..claim.find("</details>").expect("its end")];
    for part in [
        "With 6 in flight no record is written twice.",
        "4.3.1: <strong>yes</strong>, 4.4.0: <strong>yes</strong>",
        "retryproof check in-flight-6-writes-duplicates",
        "A shortest run against no-duplicate, in 18 steps",
        "✗ no-duplicate: record 0 was written again at offset 6",
    ] {
        assert!(claim.contains(part), "no {part} in {claim}");
    }
    assert_eq!(claim.matches("<li class=").count(), 18);
}

#[test]
fn a_run_that_refutes_several_claims_is_told_once() {
    let report: Value = serde_json::from_str(&read(&REPORT, "report.json")).expect("JSON");
    let runs = report["runs"].as_array().expect("runs");
    for (index, run) in runs.iter().enumerate() {
        let is_same = |other: &&Value| {
            (&other["steps"], &other["title"], &other["ending"])
                == (&run["steps"], &run["title"], &run["ending"])
        };
        assert!(
            !runs[..index].iter().any(|other| is_same(&other)),
            "{}",
            run["id"]
        );
    }
    let claims = report["claims"].as_array().expect("claims").iter();
    for refutation in claims.flat_map(|claim| claim["refutations"].as_array().expect("a list")) {
        let told = runs.iter().filter(|run| run["id"] == refutation["run"]);
        assert_eq!(told.count(), 1, "{refutation}");
    }
}

#[test]
fn conditions_name_the_shortest_run_and_what_closes_the_hole() {
    let document = read(&REPORT, "README.md");
    let row = document
        .lines()
        .find(|line| line.contains("**B7** epochs do not run out") && line.contains("steps"))
        .expect("a row");
    assert!(row.contains("(refuted/"), "{row}");
    assert!(
        row.contains("a refusal for good under the last epoch"),
        "{row}"
    );
    let row = document
        .lines()
        .find(|line| line.contains("**B11** acks=all") && line.contains("steps"))
        .expect("a row");
    assert!(row.contains("no fix of these: keep the condition"), "{row}");
}

#[test]
fn what_was_not_run_is_said() {
    let report: Value = serde_json::from_str(&read(&REPORT, "report.json")).expect("JSON");
    let not_run = report["limits"]["not_run"].as_array().expect("claims");
    let claims = report["claims"].as_array().expect("claims");
    assert!(not_run.contains(&Value::from("in-flight-5")));
    assert!(!not_run.contains(&Value::from(PLAYED)));
    let all = retryproof_models::claims::registry().len();
    assert_eq!(not_run.len() + claims.len(), all);
}
