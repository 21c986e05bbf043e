//! The log of the real Kafka.

use serde_json::{Map, Value};

use crate::oracle::Oracle;

use super::{Seen, Side};

/// A log in a process.
pub struct RealLog<'a>(pub &'a mut Oracle);

impl RealLog<'_> {
    pub fn start(&mut self, settings: &Map<String, Value>) -> Result<(), String> {
        let mut start = settings.clone();
        start.insert("op".to_owned(), "start".into());
        start.insert("details".to_owned(), true.into());
        self.0.ask(&Value::Object(start)).map(drop)
    }
}

impl Side for RealLog<'_> {
    fn take(&mut self, operation: &Map<String, Value>) -> Result<Seen, String> {
        let mut answer = self.0.ask(&Value::Object(operation.clone()))?;
        let fields = answer.as_object_mut().ok_or("it answers no object")?;
        let state = fields.remove("state").unwrap_or_default();
        let mut details = match fields.remove("details") {
            Some(Value::Object(details)) => details,
            _ => return Err("it tells no details".to_owned()),
        };
        // Told with the answer, but only where details are asked for.
        if let Some(time) = fields.remove("log_append_time") {
            details.insert("log_append_time".to_owned(), time);
        }
        Ok(Seen {
            answer,
            state,
            details,
        })
    }
}
