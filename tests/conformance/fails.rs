//! An expectation that is not met is noticed: each is replaced by a wrong one.

use serde_json::{json, Map, Value};

use crate::row::{self, Differs, Row, Step};

/// Every expectation of every row that runs here fails if it is changed.
pub fn check_all() -> Result<(), Differs> {
    let rows = row::all().iter().filter(|row| row.runs_here());
    let unnoticed: Vec<String> = rows.flat_map(unnoticed).collect();
    match unnoticed.is_empty() {
        true => Ok(()),
        false => Err(Differs(unnoticed.join("\n"))),
    }
}

/// The changes of a row that nobody notices.
fn unnoticed(row: &Row) -> Vec<String> {
    let mut unnoticed = Vec::new();
    for (number, step) in row.steps.iter().enumerate() {
        for changed in changes(step) {
            let mut steps = row.steps.clone();
            let told = format!("{} step {number}: {changed:?}", row.name());
            steps[number] = changed;
            let changed = Row {
                steps,
                ..row.clone()
            };
            if changed.run_here().is_ok() {
                unnoticed.push(told);
            }
        }
    }
    unnoticed
}

/// The step with one expectation replaced, for each that it has.
fn changes(step: &Step) -> Vec<Step> {
    let with = |name: &str, value: Value| {
        let mut changed = step.clone();
        changed.expected.insert(name.to_owned(), value);
        changed
    };
    let mut changes = Vec::new();
    for (name, value) in &step.expected {
        match (name.as_str(), value) {
            ("details" | "client", Value::Object(fields)) => {
                let wrong = fields.keys().filter(|field| *field != "partition");
                changes.extend(wrong.map(|field| with(name, wrong_field(fields, field))));
            }
            ("sent" | "told", _) => changes.push(with(name, json!([]))),
            ("state", _) => changes.push(with(name, json!({"77": [0, 0, []]}))),
            _ => changes.push(with(name, json!({"error": "CORRUPT_MESSAGE"}))),
        }
    }
    changes
}

fn wrong_field(fields: &Map<String, Value>, field: &str) -> Value {
    let mut fields = fields.clone();
    let wrong = match &fields[field] {
        Value::Bool(yes) => json!(!yes),
        Value::Array(_) => json!([[77]]),
        _ => json!(-77),
    };
    fields.insert(field.to_owned(), wrong);
    Value::Object(fields)
}
