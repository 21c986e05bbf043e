//! A subject that `retryproof shadow` can start: our state manager behind lines of JSON.
//!
//! To walk your own broker beside the specification, put it where the production manager
//! is. The lines are described in `src/shadow/process.rs`.
//!
//! ```console
//! $ cargo build --release --example subject
//! $ cargo run --release -- shadow --subject target/release/examples/subject
//! ```

use std::error::Error;
use std::io::{stdin, stdout, Write};

use retryproof::shadow::{ProductionManager, StateManager};
use retryproof_models::specification::{Operation, Profile, Settings};
use serde_json::{json, Value};

fn main() -> Result<(), Box<dyn Error>> {
    let mut subject = ProductionManager::default();
    for line in stdin().lines() {
        let answer = answer(&mut subject, &line?)?;
        println!("{answer}");
        stdout().flush()?;
    }
    Ok(())
}

fn answer(subject: &mut impl StateManager, line: &str) -> Result<Value, Box<dyn Error>> {
    let asked: Value = serde_json::from_str(line)?;
    if asked["op"] == "start" {
        subject.start(&settings(&asked)?)?;
        return Ok(json!({"ok": true}));
    }
    let operation: Operation = serde_json::from_value(asked)?;
    let mut answer = serde_json::to_value(subject.apply(&operation)?)?;
    answer["state"] = serde_json::to_value(subject.state()?)?;
    Ok(answer)
}

fn settings(start: &Value) -> Result<Settings, Box<dyn Error>> {
    Ok(Settings {
        profile: match start["profile"].as_str() {
            Some("hardened") => Profile::Hardened,
            _ => Profile::Kafka,
        },
        window: start["window"].as_u64().ok_or("no window")?.try_into()?,
        expiry_ms: start["expiry_ms"].as_i64().ok_or("no expiry")?,
    })
}
