//! Rows about a log: operations of the recorded cases (`tests/data/kafka-4.3.1/README.md`)
//! and, on Kafka alone, those that the log oracle has besides (`oracle/README.md`).
//!
//! A step says what is answered (`gets`; `{"ok":true}` if it says nothing), and may say all
//! that is known of producers afterwards (`state`) and some of what else can be seen
//! (`details`).

mod here;
mod kafka;

use retryproof::shadow::ProductionManager;
use retryproof_models::specification::{Partition, Settings};
use serde_json::{json, Map, Value};

use crate::oracle::{Release, What};
use crate::row::{Differs, Row};

use here::{Ours, Specified};
use kafka::RealLog;

/// What can be seen after a step.
struct Seen {
    answer: Value,
    state: Value,
    details: Map<String, Value>,
}

/// A log on which steps run.
trait Side {
    /// Carries out an operation.
    fn take(&mut self, operation: &Map<String, Value>) -> Result<Seen, String>;
}

/// Runs a row on the specification and on the state manager.
pub fn run_here(row: &Row) -> Result<(), Differs> {
    let settings = settings(&row.start).map_err(Differs)?;
    let specification = &mut Specified(Partition::new(settings));
    let told = |side: &str, reason| Differs(format!("{side}: {reason}"));
    run(row, specification).map_err(|reason| told("the specification", reason))?;
    let mut ours = Ours(ProductionManager::default());
    ours.start(&settings)
        .and_then(|()| run(row, &mut ours))
        .map_err(|reason| told("the state manager", reason))
}

/// Runs a row on Kafka's log.
pub fn run_on_kafka(row: &Row, release: &Release) -> Result<(), Differs> {
    let ran = release.with(What::Log, |oracle| {
        let mut log = RealLog(oracle);
        log.start(&row.start)?;
        run(row, &mut log)
    });
    ran.map_err(Differs)
}

/// What the specification can be set to: other settings are for rows that run on Kafka alone.
fn settings(start: &Map<String, Value>) -> Result<Settings, String> {
    let mut settings = Settings::kafka();
    for (name, value) in start {
        match (name.as_str(), value.as_i64()) {
            ("expiry_ms", Some(expiry_ms)) => settings.expiry_ms = expiry_ms,
            _ => return Err(format!("\"start\" cannot set {name} to {value} here")),
        }
    }
    Ok(settings)
}

fn run(row: &Row, side: &mut dyn Side) -> Result<(), String> {
    for (number, step) in row.steps.iter().enumerate() {
        let what = Value::Object(step.operation.clone());
        let told = |reason| format!("step {number} {what}: {reason}");
        let seen = side.take(&step.operation).map_err(told)?;
        differs(&step.expected, &seen).map_err(told)?;
    }
    Ok(())
}

/// What of a step is not as expected.
fn differs(expected: &Map<String, Value>, seen: &Seen) -> Result<(), String> {
    let done = json!({"ok": true});
    let mut wrong = Vec::new();
    let mut compare = |what: &str, expected: &Value, seen: &Value| {
        if expected != seen {
            wrong.push(format!("{what} is {seen}, expected {expected}"));
        }
    };
    compare(
        "the answer",
        expected.get("gets").unwrap_or(&done),
        &seen.answer,
    );
    for (name, value) in expected {
        match name.as_str() {
            "gets" => {}
            "state" => compare("the state", value, &seen.state),
            "details" => {
                let details = value.as_object().ok_or("\"details\" is an object")?;
                for (name, value) in details {
                    compare(name, value, seen.details.get(name).unwrap_or(&Value::Null));
                }
            }
            _ => return Err(format!("a step says nothing of \"{name}\"")),
        }
    }
    match wrong.is_empty() {
        true => Ok(()),
        false => Err(wrong.join("; ")),
    }
}
