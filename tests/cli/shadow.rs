//! `retryproof shadow`.

use std::path::Path;

use crate::{assert_keys, command, retryproof, Said};

const OPEN: &str = "tests/data/kafka-4.3.1/open.json";
const VECTORS: &str = "tests/data/kafka-4.3.1/vectors.jsonl";

/// Runs `shadow` with these arguments, which may hold blanks.
fn shadow(arguments: &[&str]) -> Said {
    let output = command().arg("shadow").args(arguments).output();
    let output = output.expect("the command starts");
    Said {
        code: output.status.code().expect("the command ends by itself"),
        out: String::from_utf8(output.stdout).expect("UTF-8"),
        err: String::from_utf8(output.stderr).expect("UTF-8"),
    }
}

/// A subject in shell that answers every line with this. `$line` is the line.
fn always(answer: &str) -> String {
    format!("sh -c 'while read -r line; do {answer}; done'")
}

#[test]
fn ours_agrees_with_the_specification_in_both_profiles() {
    for profile in ["kafka", "hardened"] {
        retryproof(&format!("shadow --runs 50 --profile {profile}"))
            .exits(0)
            .tells([
                "ours beside the specification",
                profile,
                "50 lists from the seeds 0 to 49",
                "append",
                "✓ No difference",
            ]);
    }
}

#[test]
fn ours_answers_as_recorded() {
    retryproof(&format!("shadow --cases {OPEN} {VECTORS}"))
        .exits(0)
        .tells([
            "ours beside recorded answers",
            "324 cases",
            "✓ No difference",
        ]);
}

#[test]
fn each_case_that_differs_is_named_with_its_steps() {
    retryproof(&format!("shadow --profile hardened --cases {OPEN}"))
        .exits(1)
        .tells([
            "✗ B01, step 0",
            r#"operation {"op":"append","pid":9000"#,
            r#"expected  {"append":[0,4]}"#,
            r#"got       {"error":"OUT_OF_ORDER_SEQUENCE_NUMBER"}"#,
            "Later steps that differ, too: 1, 2, 3.",
            "✗ B12, step 6",
            "differences found",
        ]);
}

#[test]
fn json_has_what_was_agreed_upon() {
    let said = retryproof("shadow --runs 3 --seed 7 --json").exits(0);
    let json = said.json();
    assert_keys(&json, &["subject", "runs", "operations", "differences"]);
    assert_eq!(
        (json["subject"].as_str(), json["runs"].as_u64()),
        (Some("ours"), Some(3))
    );
    assert_eq!(json["seed"], 7);
    let said = retryproof(&format!("shadow --profile hardened --json --cases {OPEN}")).exits(1);
    let first = &said.json()["differences"][0];
    assert_keys(
        first,
        &["case", "step", "operation", "expected", "got", "operations"],
    );
    assert_eq!(first["case"], "B01");
    assert_eq!(first["expected"]["append"], serde_json::json!([0, 4]));
}

#[test]
fn another_process_is_shrunk_told_and_how_to_see_it_again() {
    let subject = always(r#"echo "{\"ok\":true}""#);
    let said = shadow(&["--subject", &subject, "--seed", "3"])
        .exits(1)
        .tells([
            "sh -c",
            "beside the specification, kafka",
            "✗ seed",
            "got       {\"ok\":true}",
            "A short list of operations that leads there:",
            "[{\"op\":",
            "To see it again: retryproof shadow --subject ",
            "--runs 1",
            "1 difference found",
        ]);
    assert!(said.out.contains(r#""op":"append","pid""#), "{}", said.out);
}

#[test]
fn a_process_that_speaks_the_protocol_agrees() {
    let binary = Path::new(env!("CARGO_BIN_EXE_retryproof"));
    let example = binary.with_file_name("examples").join("subject");
    assert!(
        example.exists(),
        "run `cargo build --example subject` first, with the same profile and target directory"
    );
    let example = example.to_str().expect("UTF-8");
    shadow(&["--subject", example, "--runs", "20"])
        .exits(0)
        .tells([
            "examples/subject beside the specification",
            "✓ No difference",
        ]);
}

#[test]
fn a_process_that_fails_is_a_difference() {
    let start = r#"read line; echo "{\"ok\":true}""#;
    for (program, told) in [
        ("read line; exit 4", "it ended (exit status: 4)"),
        ("read line; echo Hi; read line", "it answered"),
        ("exec sleep 60", "did not answer within 1 s"),
    ] {
        let subject = format!("sh -c '{start}; {program}'");
        shadow(&["--subject", &subject, "--patience", "1", "--runs", "1"])
            .exits(1)
            .tells([told, "the last line sent was"]);
    }
}

/// Asserts that arguments are refused in one line that holds these words.
#[track_caller]
fn refused(arguments: &[&str], words: &[&str]) {
    let said = shadow(arguments).exits(2);
    assert_eq!(said.out, "");
    assert_eq!(said.err.lines().count(), 1, "{}", said.err);
    for word in words {
        assert!(said.err.contains(word), "no \"{word}\" in {}", said.err);
    }
}

#[test]
fn what_cannot_be_walked_is_refused() {
    refused(&["--profile", "kafak"], &["\"kafak\"", "nearest: kafka"]);
    refused(&["--runs", "0"], &["--runs 0", "1 or more"]);
    refused(&["--cases", "no.json"], &["no.json", "a file of cases"]);
    refused(
        &["--cases", "Cargo.toml"],
        &["Cargo.toml, line 1:", "\"ops\""],
    );
    refused(&["--cases", OPEN, "--seed", "1"], &["--seed"]);
    refused(
        &["--subject", "/no/such"],
        &["cannot be started: /no/such", "--subject ours"],
    );
    refused(
        &["--subject", "sh -c 'exit 1'"],
        &["cannot be started", "exit status: 1"],
    );
    refused(&["--subject", "a 'b"], &["a quote is not closed"]);
}
