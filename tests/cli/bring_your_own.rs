//! `retryproof shadow` beside the subjects in Python of `docs/bring-your-own.md`.

use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::{json, Value};

use crate::{command, Said};

/// Runs `shadow` with this subject in Python and these arguments. `None` if there is no
/// Python; with RETRYPROOF_REQUIRE_PYTHON that is a failure.
fn shadow(file: &str, arguments: &[&str]) -> Option<Said> {
    let version = Command::new("python3")
        .arg("--version")
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status();
    if !version.is_ok_and(|status| status.success()) {
        let required = std::env::var_os("RETRYPROOF_REQUIRE_PYTHON").is_some();
        assert!(!required, "python3 is not there, and is required");
        println!("skipped, because there is no python3");
        return None;
    }
    let file = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("examples/python")
        .join(file);
    let subject = format!("python3 \"{}\"", file.display());
    let output = command()
        .args(["shadow", "--subject", &subject])
        .args(arguments)
        .output()
        .expect("the command starts");
    Some(Said {
        code: output.status.code().expect("the command ends by itself"),
        out: String::from_utf8(output.stdout).expect("UTF-8"),
        err: String::from_utf8(output.stderr).expect("UTF-8"),
    })
}

#[test]
fn the_window_in_python_passes() {
    let Some(said) = shadow("window.py", &["--runs", "300"]) else {
        return;
    };
    said.exits(0).tells(["300 lists", "✓ No difference"]);
}

#[test]
fn the_counter_in_python_does_not_recognise_a_retry() {
    let Some(said) = shadow("counter.py", &[]) else {
        return;
    };
    said.exits(1).tells([
        "got       {\"error\":\"OUT_OF_ORDER_SEQUENCE_NUMBER\"}",
        "violates  retry-recognised: the producer read OUT_OF_ORDER_SEQUENCE_NUMBER",
        "A short list of operations that leads there:",
    ]);
}

#[test]
fn the_property_and_the_shrunk_list_are_in_the_json() {
    let Some(said) = shadow("counter.py", &["--json"]) else {
        return;
    };
    let told = said.exits(1).json();
    let difference = &told["differences"][0];
    assert_eq!(difference["violates"], json!(["retry-recognised"]));
    let operations = difference["operations"].as_array().map(Vec::len);
    assert_eq!(operations, Some(2), "{difference}");
    assert_eq!(difference["expected_violates"], Value::Array(Vec::new()));
}
