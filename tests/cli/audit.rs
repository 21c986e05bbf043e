//! `retryproof audit`: what it says, its JSON, its exit codes. What it finds is tested in
//! `tests/audit/`.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::json;

use crate::{command, keys, retryproof, Said};

/// A log of the real Kafka.
fn log(name: &str) -> PathBuf {
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/dumps/logs");
    data.join(name).join("orders-0")
}

/// What the tool of this release prints for a log.
fn dump(release: &str, of: &str) -> String {
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/dumps");
    let text = fs::read_to_string(data.join(release).join("batches.txt")).expect("a dump");
    let sections = text
        .split("Dumping ")
        .filter(|section| section.starts_with(of));
    sections
        .map(|section| format!("Dumping {section}"))
        .collect()
}

fn audit(path: &Path, flags: &[&str]) -> Said {
    said(command().arg("audit").arg(path).args(flags))
}

fn said(command: &mut assert_cmd::Command) -> Said {
    let output = command.output().expect("the command starts");
    Said {
        code: output.status.code().expect("the command ends by itself"),
        out: String::from_utf8(output.stdout).expect("UTF-8"),
        err: String::from_utf8(output.stderr).expect("UTF-8"),
    }
}

#[test]
fn a_sound_log_has_nothing_found_and_what_cannot_be_shown_is_said() {
    let said = audit(&log("sound/segments"), &[]).exits(0).tells([
        "orders-0: ",
        "3 snapshots compared",
        "✓ nothing found",
        "What a log alone cannot show",
    ]);
    assert_eq!(said.err, "");
}

#[test]
fn a_finding_names_property_place_and_numbers_and_what_to_do() {
    let text = dump("4.3.1", "wrong/duplicate/");
    let said = said(command().args(["audit", "-"]).write_stdin(text)).exits(1);
    insta::assert_snapshot!(said.out);
    assert_eq!(said.err, "");
}

#[test]
fn its_json_has_what_the_contract_says() {
    let path = log("wrong/gap");
    let found = audit(&path, &["--json"]).exits(1).json();
    assert_eq!(found["batches"], 4);
    let finding = &found["findings"][0];
    assert_eq!(finding["property"], "sequence-per-partition");
    assert_eq!(finding["also"], json!(["gap-rejected"]));
    assert_eq!(
        finding["file"],
        json!(path.join("00000000000000000000.log"))
    );
    assert_eq!(finding["line"], json!(null));
    assert!(finding["byte"].as_u64().is_some_and(|byte| byte > 0));
    assert!(finding["text"]
        .as_str()
        .is_some_and(|text| text.contains("where 2 was next")));
    assert_eq!(
        keys(finding),
        [
            "also",
            "byte",
            "check",
            "file",
            "first_offset",
            "first_sequence",
            "kind",
            "last_offset",
            "last_sequence",
            "line",
            "log",
            "means",
            "producer_epoch",
            "producer_id",
            "property",
            "text",
        ]
    );
    assert_eq!(found["kinds"][0]["count"], 1);
    assert_eq!(found["logs"][0]["name"], "orders-0");
    let text = dump("2.7.2", "wrong/gap/");
    let found = said(command().args(["audit", "--json", "-"]).write_stdin(text))
        .exits(1)
        .json();
    assert_eq!(found["findings"][0]["file"], "stdin");
    assert_eq!(found["findings"][0]["line"], 5);
}

#[test]
fn nothing_found_is_an_empty_list() {
    let found = audit(&log("sound/epochs"), &["--json"]).exits(0).json();
    assert_eq!(found["findings"], json!([]));
}

#[test]
fn acknowledgements_are_compared() {
    let place = tempfile::tempdir().expect("a directory");
    let acks = place.path().join("acks.jsonl");
    let line = r#"{"topic":"orders","partition":0,"producer_id":1001,"epoch":0,"first_sequence":700,"last_sequence":700,"base_offset":0}"#;
    fs::write(&acks, line).expect("a file");
    let path = acks.to_str().expect("UTF-8");
    audit(&log("sound/three-producers"), &["--acks", path])
        .exits(1)
        .tells(["ack-truthful", "acks.jsonl, line 1", "is not in the log"]);
    fs::write(&acks, "nonsense").expect("a file");
    let refused = audit(&log("sound/three-producers"), &["--acks", path]).exits(2);
    assert!(
        refused.err.contains("line 1: this is no acknowledgement"),
        "{}",
        refused.err
    );
}

#[test]
fn bad_input_is_one_line_that_says_what_to_do() {
    let place = tempfile::tempdir().expect("a directory");
    let text = place.path().join("notes.txt");
    fs::write(&text, "hello\n").expect("a file");
    let torn = place.path().join("torn.txt");
    fs::write(&torn, "baseOffset: 0 lastOffset: x\n").expect("a file");
    for (path, words) in [
        (place.path().join("missing"), "give the path of a dump"),
        (text, "it is no output of kafka-dump-log.sh"),
        (torn, "line 1: this is no batch line of any release"),
        (place.path().join("."), "give the directory of a partition"),
    ] {
        let Said { out, err, .. } = audit(&path, &[]).exits(2);
        assert_eq!(out, "");
        assert_eq!(err.lines().count(), 1, "{err}");
        assert!(err.starts_with("error: ") && err.contains(words), "{err}");
    }
}

#[test]
fn without_a_file_it_says_that_one_is_missing() {
    let Said { err, .. } = retryproof("audit").exits(2);
    assert!(err.contains("<FILE>... is missing"), "{err}");
}

#[test]
fn stdin_is_given_once() {
    for arguments in [&["-", "-"][..], &["-", "--acks", "-"]] {
        let said = said(command().arg("audit").args(arguments).write_stdin("")).exits(2);
        assert!(said.err.contains("given twice"), "{}", said.err);
    }
}

#[test]
fn acknowledgements_may_come_from_stdin_and_have_a_byte_order_mark() {
    let path = log("sound/segments");
    let mut acks = command();
    acks.arg("audit").arg(path).args(["--acks", "-"]);
    said(acks.write_stdin("\u{feff}")).exits(0);
}

#[test]
fn what_a_running_broker_has_beside_its_log_is_not_read() {
    let place = tempfile::tempdir().expect("a directory");
    let partition = place.path().join("orders-0");
    fs::create_dir(&partition).expect("a directory");
    let segment = log("sound/segments").join("00000000000000000000.log");
    fs::copy(segment, partition.join("00000000000000000000.log")).expect("a copy");
    for beside in ["log.cleaned", "log.swap", "log.deleted", "snapshot.deleted"] {
        fs::write(partition.join(format!("{:020}.{beside}", 0)), "x").expect("a file");
    }
    audit(&partition, &[]).exits(0);
}

#[test]
fn where_no_batch_was_judged_nothing_is_called_sound() {
    let text = "Dumping /var/kafka/orders-0/00000000000000000000.log\nLog starting offset: 0\n";
    let said = said(command().args(["audit", "-"]).write_stdin(text)).exits(0);
    assert!(said.out.contains("no batch was judged"), "{}", said.out);
    assert!(!said.out.contains('✓'), "{}", said.out);
}
