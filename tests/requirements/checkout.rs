//! What only a checkout can say: whether there is a test, or a document.

use std::path::{Path, PathBuf};

use retryproof::evidence::requirements::Carrier;
use serde_json::Value;

/// Whether there is a test or a document of this name.
pub fn has(carrier: Carrier, name: &str) -> bool {
    match carrier {
        Carrier::Test => has_test(name),
        Carrier::Document => path(name).is_file(),
        _ => false,
    }
}

/// Where a path from the root of the repository leads.
pub fn path(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(name)
}

fn has_test(name: &str) -> bool {
    let Some((file, test)) = name.split_once("::") else {
        return false;
    };
    let text = std::fs::read_to_string(path(file)).unwrap_or_default();
    match file.strip_suffix(".json") {
        Some(_) => is_row(&text, test),
        None => is_test(&text, test),
    }
}

/// Whether a file of conformance rows has one of this name: the harness makes a test of each.
fn is_row(text: &str, test: &str) -> bool {
    let rows: Vec<Value> = serde_json::from_str(text).unwrap_or_default();
    rows.iter().any(|row| row["test"] == test)
}

/// Whether a source file has a function of this name with `#[test]` right above it.
fn is_test(text: &str, test: &str) -> bool {
    let declaration = format!("fn {test}()");
    let lines: Vec<&str> = text.lines().map(str::trim).collect();
    lines
        .windows(2)
        .any(|pair| pair[0] == "#[test]" && pair[1].starts_with(&declaration))
}

#[test]
fn a_test_is_a_function_with_the_attribute() {
    let text = "    #[test]\n    fn one() {\n    }\n    fn two() {}\n";
    assert!(is_test(text, "one"));
    assert!(!is_test(text, "two"));
    assert!(!is_test(text, "on"));
}

#[test]
fn a_row_is_found_by_its_name() {
    let text = r#"[{"test": "one"}]"#;
    assert!(is_row(text, "one"));
    assert!(!is_row(text, "two"));
}
