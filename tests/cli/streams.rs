//! What goes to stdout and stderr, and what interrupts it.

use std::process::{Command, Stdio};
use std::time::Duration;

use crate::{command, retryproof};

const REFUTED: &str = "ask --in-flight 2 --window 1 --connections 2";

#[test]
fn piped_output_has_no_escape_codes_and_no_progress() {
    for line in [
        REFUTED,
        "check A6",
        "mutants",
        "list",
        "ask --rule nonsense",
        "--help",
    ] {
        let said = retryproof(line);
        assert!(!said.out.contains('\x1b'), "{line}: {}", said.out);
        assert!(!said.err.contains('\x1b'), "{line}: {}", said.err);
        assert!(
            said.code == 2 || said.err.is_empty(),
            "{line}: {}",
            said.err
        );
    }
}

#[test]
fn colours_are_shown_where_they_are_forced_and_not_where_they_are_unwanted() {
    let coloured = |no_color: bool| {
        let mut command = command();
        command.args(REFUTED.split(' ')).env("CLICOLOR_FORCE", "1");
        if no_color {
            command.env("NO_COLOR", "1").env_remove("CLICOLOR_FORCE");
        }
        let output = command.output().expect("the command starts");
        output.stdout.contains(&0x1b)
    };
    assert!(coloured(false));
    assert!(!coloured(true));
}

#[test]
fn lines_have_at_most_100_columns() {
    for line in [
        REFUTED,
        "check --tier quick",
        "ask --in-flight 6",
        "ask -h",
        "ask --in-flight 6 --walks 200",
        "check -h",
        "check in-flight-6 --walks 100",
        "ask --help",
        "frontier -h",
        "explore -h",
        "mutants",
        "list",
    ] {
        for row in retryproof(line).out.lines() {
            assert!(row.chars().count() <= 100, "{line}: {row}");
            assert!(!row.ends_with(' '), "{line}: {row:?}");
        }
    }
}

#[test]
#[cfg(unix)]
fn a_reader_who_has_seen_enough_is_no_error() {
    let mut child = Command::new(command().get_program())
        .args(["list"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the command starts");
    drop(child.stdout.take());
    let output = child.wait_with_output().expect("the command ends");
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
}

#[test]
#[cfg(unix)]
fn ctrl_c_stops_a_search_and_says_how_far_it_got() {
    // A search that takes minutes.
    let child = Command::new(command().get_program())
        .args("ask --in-flight 8 --window 8 --connections 4".split(' '))
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the command starts");
    std::thread::sleep(Duration::from_millis(700));
    let kill = Command::new("kill")
        .args(["-INT", &child.id().to_string()])
        .status();
    assert!(kill.expect("a signal").success());
    let output = child.wait_with_output().expect("the command ends");
    let out = String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(3), "{out}");
    assert!(out.contains("? unknown"), "{out}");
    assert!(out.contains("The search was cut"), "{out}");
}

#[test]
#[cfg(unix)]
fn ctrl_c_leaves_claims_unknown_that_were_not_come_to() {
    let child = Command::new(command().get_program())
        .args("check --tier deep --json".split(' '))
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the command starts");
    std::thread::sleep(Duration::from_millis(700));
    let kill = Command::new("kill")
        .args(["-INT", &child.id().to_string()])
        .status();
    assert!(kill.expect("a signal").success());
    let output = child.wait_with_output().expect("the command ends");
    let out = String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(3), "{out}");
    let found: serde_json::Value = serde_json::from_str(&out).expect("JSON");
    assert_eq!(found["as_expected"], false);
    let not_checked = found["not_checked"].as_array().expect("ids");
    assert!(!not_checked.is_empty());
    for claim in found["claims"].as_array().expect("claims") {
        assert!(
            claim["exhausted"] == true || claim["verdict"] != "holds",
            "{claim}"
        );
    }
}
