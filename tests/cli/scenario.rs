//! `retryproof scenario`.

use serde_json::Value;

use crate::{assert_keys, retryproof};

fn ids() -> Vec<String> {
    let listed = retryproof("scenario --json").exits(0).json();
    let all = listed["scenarios"].as_array().expect("scenarios").iter();
    all.map(|scenario| scenario["id"].as_str().expect("an id").to_owned())
        .collect()
}

#[test]
fn without_a_name_each_is_listed_with_one_line() {
    let said = retryproof("scenario").exits(0);
    let ids = ids();
    assert!(ids.len() >= 15, "{ids:?}");
    for id in ids {
        let lines = said.out.lines().filter(|line| {
            let rest = line.strip_prefix(&id);
            rest.is_some_and(|rest| rest.starts_with(' '))
        });
        assert_eq!(lines.count(), 1, "{id}");
    }
}

#[test]
fn the_walkthrough_is_told() {
    insta::assert_snapshot!(retryproof("scenario dedup-against-plain").exits(0).out);
}

#[test]
fn a_scenario_of_a_cluster_is_told_with_every_log() {
    insta::assert_snapshot!(retryproof("scenario clean-failover").exits(0).out);
}

#[test]
fn a_batch_that_leaves_the_window_is_told_with_the_numbers() {
    let told = [
        "seq 5 = last 4 + 1 → append at offset 5",
        "1–5",
        "seq 0 ≤ last 5, and the window holds 1–5 → no append",
        "OUT_OF_ORDER_SEQUENCE_NUMBER",
        "epoch 0 → 1",
        "6:r0",
        "✗ no-duplicate",
        "✗ Violated: retry-recognised in step 16, no-duplicate in step 18.",
    ];
    retryproof("scenario in-flight-6").exits(0).tells(told);
}

#[test]
fn a_part_that_no_other_has_is_enough() {
    let said = retryproof("scenario deposed").exits(0);
    said.tells(["The word of a leader that is none any more"]);
}

#[test]
fn a_name_that_is_not_known_or_not_enough_is_refused() {
    let said = retryproof("scenario dedupe-against-plain").exits(2);
    assert!(
        said.err.contains("nearest: dedup-against-plain"),
        "{}",
        said.err
    );
    let said = retryproof("scenario in-flight").exits(2);
    assert!(
        said.err
            .contains("2 scenarios match \"in-flight\": say which"),
        "{}",
        said.err
    );
    assert!(said.out.is_empty());
}

#[test]
fn only_a_broker_that_keeps_a_batch_is_said_to_keep_it() {
    let keeps = |id: &str| {
        let told = retryproof(&format!("scenario {id}")).exits(0).out;
        told.replace('\n', " ").contains("kept for later")
    };
    assert!(keeps("buffered-gap"));
    assert!(!keeps("deposed-leader"));
}

#[test]
fn every_scenario_is_told_in_json() {
    for id in ids() {
        let told = retryproof(&format!("scenario {id} --json")).exits(0).json();
        assert_keys(&told, &["id", "title", "shows", "source", "claims", "acts"]);
        for act in told["acts"].as_array().expect("acts") {
            assert_keys(act, &["title", "conditions", "flags", "start", "steps"]);
            for step in act["steps"].as_array().expect("steps") {
                assert_step(step);
            }
        }
    }
}

fn assert_step(step: &Value) {
    let of_counterexamples = ["actor", "action", "text"];
    assert_keys(step, &of_counterexamples);
    assert_keys(step, &["number", "name", "reasons", "state"]);
    let shown = ["logs", "memories", "on_its_way", "producers"];
    assert_keys(&step["state"], &shown);
}

#[test]
fn the_state_in_json_has_the_real_numbers() {
    let told = retryproof("scenario in-flight-6 --json").exits(0).json();
    let last = &told["acts"][0]["steps"][17];
    assert_eq!(last["name"], "broker takes r0");
    assert_eq!(last["violates"][0], "no-duplicate");
    let state = &last["state"];
    let newest = &state["logs"][0]["entries"][6];
    let expected = serde_json::json!({
        "offset": 6, "record": "r0", "epoch": 1, "sequence": 0, "again": true,
    });
    assert_eq!(newest, &expected);
    assert_eq!(state["producers"][0]["epoch"], 1);
    assert_eq!(state["memories"][0]["last_sequence"], 0);
}

#[test]
fn a_scenario_is_written_as_a_page_with_the_line_that_embeds_it() {
    let directory = tempfile::tempdir().expect("a directory");
    let file = directory.path().join("six.html");
    std::fs::write(&file, "what was there before").expect("a file");
    let said = retryproof(&format!("scenario in-flight-6 --html {}", file.display())).exits(0);
    assert_eq!(
        said.out,
        "<iframe src=\"six.html\" title=\"Six in flight: a record is written twice\" \
         width=\"100%\" height=\"900\" loading=\"lazy\" style=\"border:0\"></iframe>\n"
    );
    let page = std::fs::read_to_string(&file).expect("a page");
    assert!(page.starts_with("<!doctype html>") && page.ends_with("</html>"));
    assert!(page.contains("id=\"step=19\"") && !page.contains("id=\"step=20\""));
    let files = std::fs::read_dir(directory.path()).expect("a directory");
    assert_eq!(files.count(), 1, "something is left beside it");
}

#[test]
fn a_scenario_is_drawn() {
    let directory = tempfile::tempdir().expect("a directory");
    let file = directory.path().join("walkthrough.svg");
    let command = format!("scenario dedup-against-plain --svg {}", file.display());
    assert_eq!(retryproof(&command).exits(0).out, "");
    let drawing = std::fs::read_to_string(&file).expect("a drawing");
    let tree = roxmltree::Document::parse(&drawing).expect("well-formed");
    assert_eq!(tree.root_element().tag_name().name(), "svg");
}

#[test]
fn a_scenario_is_written_as_mermaid_for_markdown() {
    let said = retryproof("scenario in-flight-6 --mermaid").exits(0);
    insta::assert_snapshot!(said.out);
    let acts = retryproof("scenario dedup-against-plain --mermaid").exits(0);
    assert_eq!(acts.out.matches("```mermaid\n").count(), 3);
    acts.tells(["### The same lost answer\n", "### A batch is missing"]);
}

#[test]
fn a_drawing_that_cannot_be_is_refused() {
    for flag in ["--html", "--svg"] {
        let said = retryproof(&format!("scenario in-flight-6 {flag} /nowhere/file")).exits(2);
        assert!(
            said.err.contains("cannot write /nowhere/file"),
            "{}",
            said.err
        );
        assert!(said.out.is_empty());
        // A scenario must be named.
        retryproof(&format!("scenario {flag} file")).exits(2);
    }
    retryproof("scenario --mermaid").exits(2);
    retryproof("scenario in-flight-6 --mermaid --json").exits(2);
    retryproof("scenario in-flight-6 --svg file --json").exits(2);
}
