//! `retryproof shadow`.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use tempfile::TempDir;

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
            "violates  no property",
            "(what is expected violates gap-rejected: ",
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
        &[
            "case",
            "step",
            "operation",
            "expected",
            "got",
            "violates",
            "expected_violates",
            "operations",
        ],
    );
    // There the hardened rule refuses a gap that Kafka takes.
    assert_eq!(first["violates"], serde_json::json!([]));
    let kafka = ["gap-rejected", "sequence-per-partition"];
    assert_eq!(first["expected_violates"], serde_json::json!(kafka));
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
        ("read line; kill -KILL $$", "it ended (signal: 9"),
        (
            r#"read line; printf "{\"append\":[0,0]}"; exit 0"#,
            "it ended (exit status: 0) in the middle of the line",
        ),
        (
            "read line; exec >&-; exec sleep 60",
            "closed its input or output",
        ),
        ("read line; echo Hi; read line", "it answered"),
        (
            "exec sleep 60",
            "did not answer within 1 s (a longer --patience",
        ),
    ] {
        let subject = format!("sh -c '{start}; {program}'");
        shadow(&["--subject", &subject, "--patience", "1", "--runs", "1"])
            .exits(1)
            .tells([told, "the last line sent was"]);
        let json = [
            "--patience",
            "1",
            "--runs",
            "1",
            "--json",
            "--subject",
            &subject,
        ];
        let json = shadow(&json).exits(1).json();
        let failed = &json["differences"][0]["got"]["failed"];
        let failed = failed.as_str().expect("a failure");
        assert!(failed.contains(told), "{failed}");
        assert!(failed.contains("the last line sent was {"), "{failed}");
        assert_eq!(json["differences"][0]["violates"], serde_json::json!([]));
    }
}

#[test]
fn an_answer_too_late_is_not_taken_for_that_to_the_next_case() {
    let place = tempfile::tempdir().expect("a directory");
    let mark = place.path().join("mark");
    let mark = mark.display();
    // In its first life it answers the second line too late, and wrongly.
    let start = r#"read line; echo "{\"ok\":true}"; read line"#;
    let late = format!(r#"test -e {mark} || {{ : > {mark}; sleep 2; echo "{{\"dup\":[7,7]}}"; }}"#);
    let rest = r#"echo "{\"ok\":true}"; while read line; do echo "{\"ok\":true}"; done"#;
    let subject = format!("sh -c '{start}; {late}; {rest}'");
    let case = |id| {
        format!(
            r#"{{"id":"{id}","ops":[{{"op":"roll"}},{{"op":"roll"}}],"expect":[{{"ok":true}},{{"ok":true}}]}}"#
        )
    };
    let (_place, path) = file(&[case("one"), case("two"), case("three")].join("\n"));
    let path = path.to_str().expect("UTF-8");
    shadow(&["--subject", &subject, "--patience", "1", "--cases", path])
        .exits(1)
        .tells([
            "✗ one, step 0",
            "did not answer within 1 s",
            "1 difference found",
        ]);
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
    let most = "18446744073709551615";
    for runs in ["0", "-1", "99999999999999999999"] {
        refused(&["--runs", runs], &["--runs", "from 1 to", most]);
    }
    for seed in ["--seed=-1", "--seed=x", "--seed=99999999999999999999"] {
        refused(&[seed], &["--seed", "choose a number from 0 to", most]);
    }
    refused(&["--seed", "-1"], &["choose a number from 0 to", most]);
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

/// A file of cases in a directory of its own.
fn file(text: &str) -> (TempDir, PathBuf) {
    let place = tempfile::tempdir().expect("a directory");
    let path = place.path().join("cases.json");
    std::fs::write(&path, text).expect("a file");
    (place, path)
}

#[test]
fn a_file_without_a_case_is_not_replaced_by_drawn_lists() {
    for text in ["[]", "[ ]\n", " "] {
        let (_place, path) = file(text);
        let path = path.to_str().expect("UTF-8");
        refused(&["--cases", path], &[path, "holds no case: give"]);
        refused(&["--cases", OPEN, path], &["holds no case"]);
    }
}

#[test]
fn an_expiry_that_cannot_be_is_refused() {
    let (_place, path) =
        file(r#"[{"id":"E7","expiry_ms":0,"ops":[{"op":"roll"}],"expect":[{"ok":true}]}]"#);
    let path = path.to_str().expect("UTF-8");
    refused(&["--cases", path], &["case E7", "\"expiry_ms\" is 0"]);
}

#[test]
fn a_subject_that_never_stops_writing_is_a_difference() {
    let snapshots = vec![r#"{"op":"snapshot"}"#; 10_000].join(",");
    let answers = vec![r#"{"ok":true}"#; 10_000].join(",");
    let case = format!(r#"[{{"id":"many","ops":[{snapshots}],"expect":[{answers}]}}]"#);
    let (_place, path) = file(&case);
    let path = path.to_str().expect("UTF-8");
    let subject = r#"yes '{"ok":true}'"#;
    let begin = Instant::now();
    shadow(&["--subject", subject, "--patience", "1", "--cases", path])
        .exits(1)
        .tells(["✗ many, step ", "1 difference found"]);
    assert!(begin.elapsed() < Duration::from_secs(10));
}

#[test]
fn one_that_cannot_be_started_again_does_not_undo_what_was_found() {
    let place = tempfile::tempdir().expect("a directory");
    let mark = place.path().join("mark");
    // It differs once, dies, and then is never there again.
    let subject = format!(
        r#"sh -c 'test -e {mark} && exit 5; : > {mark}; read l; echo "{{\"ok\":true}}"; read l; echo "{{\"dup\":[7,7]}}"; read l'"#,
        mark = mark.display()
    );
    let case = |id| {
        format!(
            r#"{{"id":"{id}","ops":[{{"op":"roll"}},{{"op":"roll"}}],"expect":[{{"ok":true}},{{"ok":true}}]}}"#
        )
    };
    let (_place, path) = file(&[case("one"), case("two")].join("\n"));
    shadow(&[
        "--subject",
        &subject,
        "--cases",
        path.to_str().expect("UTF-8"),
    ])
    .exits(1)
    .tells([
        "✗ one, step 0",
        r#"got       {"dup":[7,7]}"#,
        "Later steps that differ, too: 1.",
        "✗ two, step 0",
        "cannot be started",
        "exit status: 5",
        "3 differences found",
    ]);
    std::fs::remove_file(&mark).expect("it was started");
    shadow(&["--subject", &subject, "--runs", "5"])
        .exits(1)
        .tells(["✗ seed 0, step 0", r#"got       {"dup":[7,7]}"#]);
}

/// Sends a signal to a walk whose subject is silent, and gives what the walk said.
#[cfg(unix)]
fn ended_by(signal: &str) -> Said {
    use std::process::{Command, Stdio};

    let place = tempfile::tempdir().expect("a directory");
    let (mark, child) = (place.path().join("mark"), place.path().join("child"));
    // Silent from the start, with a child of its own.
    let subject = format!(
        "sh -c 'sleep 60 & echo $! > {child}; : > {mark}; wait'",
        child = child.display(),
        mark = mark.display()
    );
    let walk = Command::new(command().get_program())
        .args(["shadow", "--patience", "60", "--subject", &subject])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the command starts");
    let begin = Instant::now();
    while !mark.exists() {
        assert!(begin.elapsed() < Duration::from_secs(20), "no subject");
        std::thread::sleep(Duration::from_millis(20));
    }
    kill(signal, walk.id().to_string());
    let output = walk.wait_with_output().expect("the command ends");
    assert!(begin.elapsed() < Duration::from_secs(30), "it waited");
    let child = std::fs::read_to_string(child).expect("a number");
    let begin = Instant::now();
    while kill("-0", child.trim().to_owned()) && !is_zombie(child.trim()) {
        assert!(begin.elapsed() < Duration::from_secs(5), "it goes on");
        std::thread::sleep(Duration::from_millis(20));
    }
    Said {
        code: output.status.code().expect("the command ends by itself"),
        out: String::from_utf8(output.stdout).expect("UTF-8"),
        err: String::from_utf8(output.stderr).expect("UTF-8"),
    }
}

#[cfg(unix)]
fn kill(signal: &str, process: String) -> bool {
    let output = std::process::Command::new("kill")
        .args([signal, &process])
        .output();
    output.expect("there is kill").status.success()
}

/// Whether a process has ended but nobody asked how; told only where there is /proc.
#[cfg(unix)]
fn is_zombie(process: &str) -> bool {
    let status = std::fs::read_to_string(format!("/proc/{process}/status"));
    status.is_ok_and(|status| status.contains("State:\tZ"))
}

#[test]
#[cfg(unix)]
fn a_signal_cuts_the_walk_and_ends_the_subject_with_its_children() {
    for signal in ["-INT", "-TERM", "-HUP"] {
        ended_by(signal)
            .exits(3)
            .tells(["The walk was cut: no difference up to there."]);
    }
}
