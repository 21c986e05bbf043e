//! The specification and the state manager.

use retryproof::shadow::{ProductionManager, StateManager, SubjectFailure};
use retryproof_models::specification::{Operation, Partition, Settings};
use serde_json::{json, Map, Value};

use super::{Seen, Side};

/// The specification.
pub struct Specified(pub Partition);

impl Side for Specified {
    fn take(&mut self, operation: &Map<String, Value>) -> Result<Seen, String> {
        let operation = read(operation)?;
        self.0.allows(&operation)?;
        let answer = self.0.apply(&operation);
        Ok(Seen {
            answer: json!(answer),
            state: json!(self.0.state()),
            details: Map::from_iter([
                ("map_end".to_owned(), json!(self.0.map_end())),
                ("snapshots".to_owned(), json!(self.0.snapshots())),
                ("log_start".to_owned(), json!(self.0.log_start())),
                ("log_end".to_owned(), json!(self.0.log_end())),
            ]),
        })
    }
}

/// The state manager that brokers link, in its small broker.
pub struct Ours(pub ProductionManager);

impl Ours {
    pub fn start(&mut self, settings: &Settings) -> Result<(), String> {
        self.0.start(settings).map_err(|failed| failed.to_string())
    }

    fn see(&mut self, operation: &Operation) -> Result<Seen, SubjectFailure> {
        let answer = self.0.apply(operation)?;
        Ok(Seen {
            answer: json!(answer),
            state: json!(self.0.state()?),
            details: Map::from_iter([
                ("map_end".to_owned(), json!(self.0.map_end()?)),
                ("snapshots".to_owned(), json!(self.0.snapshots()?)),
                ("log_start".to_owned(), json!(self.0.log_start()?)),
                ("log_end".to_owned(), json!(self.0.log_end()?)),
            ]),
        })
    }
}

impl Side for Ours {
    fn take(&mut self, operation: &Map<String, Value>) -> Result<Seen, String> {
        let seen = self.see(&read(operation)?);
        seen.map_err(|failed| failed.to_string())
    }
}

fn read(operation: &Map<String, Value>) -> Result<Operation, String> {
    serde_json::from_value(Value::Object(operation.clone())).map_err(|error| error.to_string())
}
