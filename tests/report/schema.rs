//! `report.json` is what `docs/report.schema.json` says.

use std::path::Path;

use jsonschema::Validator;
use serde_json::{json, Value};

use crate::{read, reports, REPORT};

fn schema() -> Validator {
    let schema = read(
        Path::new(env!("CARGO_MANIFEST_DIR")),
        "docs/report.schema.json",
    );
    let schema: Value = serde_json::from_str(&schema).expect("JSON");
    assert!(jsonschema::meta::is_valid(&schema), "it is no schema");
    jsonschema::validator_for(&schema).expect("a schema")
}

fn written(directory: &Path) -> Value {
    serde_json::from_str(&read(directory, "report.json")).expect("JSON")
}

#[test]
fn a_report_is_as_the_schema_says() {
    for directory in reports() {
        let report = written(&directory);
        let errors: Vec<String> = schema()
            .iter_errors(&report)
            .take(5)
            .map(|error| format!("{}: {error}", error.instance_path()))
            .collect();
        assert_eq!(errors, Vec::<String>::new());
        for part in ["claims", "runs", "frontiers", "conditions", "questions"] {
            let length = report[part].as_array().map_or(0, Vec::len);
            assert!(length > 0, "the report has no {part} to look at");
        }
    }
}

#[test]
fn what_is_not_in_the_schema_is_refused() {
    let schema = schema();
    let spoil: [(&str, fn(&mut Value)); 6] = [
        ("a verdict of another word", |report| {
            report["claims"][0]["verdict"] = json!("true");
        }),
        ("a claim without a verdict", |report| {
            report["claims"][0]
                .as_object_mut()
                .expect("a claim")
                .remove("verdict");
        }),
        ("a key that nobody knows", |report| {
            report["title"]["host"] = json!("somebody's");
        }),
        ("a run without steps", |report| {
            report["runs"][0]
                .as_object_mut()
                .expect("a run")
                .remove("steps");
        }),
        ("a length that is a word", |report| {
            report["claims"][0]["states"]["unique"] = json!("many");
        }),
        ("another shape", |report| {
            report["shape"] = json!("retryproof-report/2");
        }),
    ];
    for (what, spoil) in spoil {
        let mut report = written(&REPORT);
        assert!(schema.is_valid(&report));
        spoil(&mut report);
        assert!(!schema.is_valid(&report), "{what} is let through");
    }
}
