//! The client of the real Kafka.

use serde_json::{json, Map, Value};

use crate::oracle::Oracle;

use super::{list, Lane, Seen, Side};

/// A client in a process.
pub struct RealClient<'a>(pub &'a mut Oracle);

impl RealClient<'_> {
    pub fn start(&mut self, settings: &Map<String, Value>) -> Result<(), String> {
        let mut start = settings.clone();
        start.insert("op".to_owned(), "start".into());
        self.0.ask(&Value::Object(start)).map(drop)
    }

    fn state_of(&mut self, partition: usize) -> Result<Value, String> {
        let state = self.0.ask(&json!({"op": "state"}))?;
        let lane = state.pointer(&format!("/clients/0/partitions/{partition}"));
        lane.cloned().ok_or(format!("no partition in {state}"))
    }
}

/// Commands that are one producer's, which is the only one here.
const OF_A_PRODUCER: [&str; 5] = ["record", "turn", "disconnect", "time_out", "refresh"];

impl Side for RealClient<'_> {
    fn take(&mut self, command: &Map<String, Value>) -> Result<Seen, String> {
        let mut command = command.clone();
        let op = command.get("op").and_then(Value::as_str);
        let op = op.unwrap_or_default().to_owned();
        if OF_A_PRODUCER.contains(&op.as_str()) {
            command.insert("producer".to_owned(), 0.into());
        }
        let answer = self.0.ask(&Value::Object(command))?;
        let answer = answer.as_object().ok_or("it answers no object")?;
        if let Some(thrown) = answer.get("thrown") {
            return Err(format!("Kafka throws {thrown}"));
        }
        let outcome = ["append", "dup", "error"]
            .into_iter()
            .find_map(|name| Some(json!({ name: answer.get(name)? })));
        Ok(Seen {
            answer: outcome,
            sent: list(answer, "sent")?,
            told: list(answer, "told")?,
        })
    }

    fn lane(&mut self, partition: usize) -> Result<Lane, String> {
        let lane = self.state_of(partition)?;
        let number = |name: &str| lane[name].as_i64().ok_or(format!("no {name} in {lane}"));
        let undecided = lane["undecided"].as_array().into_iter().flatten();
        let records = undecided.map(|batch| serde_json::from_value(batch["records"].clone()));
        Ok(Lane {
            next_sequence: number("next_sequence")?,
            last_acked: number("last_acked")?,
            undecided: records
                .collect::<Result<_, _>>()
                .map_err(|e| e.to_string())?,
            unresolved: lane["unresolved"] == Value::Bool(true),
        })
    }
}
