//! Rows about clients: one script, on the model's producer with policy `java-4` and on the
//! client of the real Kafka, each connected to logs of its kind.
//!
//! A step is a command of the client oracle (`oracle/README.md`). It must send exactly what
//! `sent` names and tell the application exactly what `told` names: nothing, where a step has
//! none. `gets` is what a log answers to a delivery, `client` some of what the client knows of
//! a partition afterwards.
//!
//! The model does not know which exception an application gets, so there `error` means that it
//! gets one.

mod kafka;
mod model;

use serde::Deserialize;
use serde_json::{Map, Value};

use crate::oracle::{Release, What};
use crate::row::{Differs, Row};

use kafka::RealClient;
use model::Modelled;

/// A request that left. Of one without a producer id the sequence says nothing.
#[derive(Clone, Debug, PartialEq, Deserialize)]
struct Sent {
    #[serde(default)]
    partition: usize,
    /// Producer ids count from 0, −1 is none.
    #[serde(default)]
    pid: i64,
    #[serde(default)]
    epoch: i64,
    #[serde(default)]
    sequence: i64,
    records: Vec<i64>,
}

impl Sent {
    fn is(&self, other: &Sent) -> bool {
        let mut other = other.clone();
        if self.pid == -1 {
            other.sequence = self.sequence;
        }
        *self == other
    }
}

/// What the application was told of a batch.
#[derive(Clone, Debug, PartialEq, Deserialize)]
struct Told {
    #[serde(default)]
    partition: usize,
    records: Vec<i64>,
    /// Offset of the first record, −1 if none was named.
    #[serde(default)]
    offset: Option<i64>,
    /// The exception, by the simple name of its class.
    #[serde(default)]
    error: Option<String>,
}

impl Told {
    fn is(&self, other: &Told) -> bool {
        let same_error = match (&self.error, other.error.as_deref()) {
            (Some(_), Some(ANY_ERROR)) => true,
            (expected, seen) => expected.as_deref() == seen,
        };
        let of = |told: &Told| (told.partition, told.records.clone(), told.offset);
        same_error && of(self) == of(other)
    }
}

/// The error of an application that is told of one, where nobody knows which.
const ANY_ERROR: &str = "";

/// What a client knows of a partition.
#[derive(Clone, Debug, Default, PartialEq)]
struct Lane {
    next_sequence: i64,
    last_acked: i64,
    undecided: Vec<Vec<i64>>,
    unresolved: bool,
}

/// What can be seen after a step.
#[derive(Debug, Default)]
struct Seen {
    /// Of a delivery.
    answer: Option<Value>,
    sent: Vec<Sent>,
    told: Vec<Told>,
}

/// A client with its logs.
trait Side {
    /// Carries out a command.
    fn take(&mut self, command: &Map<String, Value>) -> Result<Seen, String>;

    /// What the client knows of a partition.
    fn lane(&mut self, partition: usize) -> Result<Lane, String>;
}

/// Runs a row on the model.
pub fn run_on_model(row: &Row) -> Result<(), Differs> {
    Modelled::of(row)
        .and_then(|mut model| run(row, &mut model))
        .map_err(|reason| Differs(format!("the model: {reason}")))
}

/// Runs a row on Kafka's client.
pub fn run_on_kafka(row: &Row, release: &Release) -> Result<(), Differs> {
    let ran = release.with(What::Client, |oracle| {
        let mut client = RealClient(oracle);
        client.start(&row.start)?;
        run(row, &mut client)
    });
    ran.map_err(Differs)
}

fn run(row: &Row, side: &mut dyn Side) -> Result<(), String> {
    for (number, step) in row.steps.iter().enumerate() {
        let what = Value::Object(step.operation.clone());
        let told = |reason| format!("step {number} {what}: {reason}");
        let seen = side.take(&step.operation).map_err(told)?;
        differs(&step.expected, &seen, side).map_err(told)?;
    }
    Ok(())
}

/// What of a step is not as expected.
fn differs(expected: &Map<String, Value>, seen: &Seen, side: &mut dyn Side) -> Result<(), String> {
    let known = ["gets", "sent", "told", "client"];
    if let Some(name) = expected.keys().find(|name| !known.contains(&name.as_str())) {
        return Err(format!("a step says nothing of \"{name}\""));
    }
    let mut wrong = Vec::new();
    if expected.get("gets") != seen.answer.as_ref() {
        wrong.push(format!("the log answers {:?}", seen.answer));
    }
    let sent: Vec<Sent> = list(expected, "sent")?;
    if !equal(&sent, &seen.sent, Sent::is) {
        wrong.push(format!("sent is {:?}, expected {sent:?}", seen.sent));
    }
    let told: Vec<Told> = list(expected, "told")?;
    if !equal(&told, &seen.told, Told::is) {
        wrong.push(format!("told is {:?}, expected {told:?}", seen.told));
    }
    if let Some(Value::Object(client)) = expected.get("client") {
        wrong.extend(lane_differs(client, side)?);
    }
    match wrong.is_empty() {
        true => Ok(()),
        false => Err(wrong.join("; ")),
    }
}

fn lane_differs(
    expected: &Map<String, Value>,
    side: &mut dyn Side,
) -> Result<Option<String>, String> {
    let partition = expected.get("partition").and_then(Value::as_u64);
    let seen = side.lane(partition.unwrap_or(0) as usize)?;
    let mut should = seen.clone();
    for (name, value) in expected {
        let number = || value.as_i64().ok_or(format!("{name} is a number"));
        match name.as_str() {
            "partition" => {}
            "next_sequence" => should.next_sequence = number()?,
            "last_acked" => should.last_acked = number()?,
            "undecided" => should.undecided = list(expected, name)?,
            "unresolved" => should.unresolved = *value == Value::Bool(true),
            _ => return Err(format!("a client says nothing of \"{name}\"")),
        }
    }
    Ok((should != seen).then(|| format!("the client knows {seen:?}, expected {should:?}")))
}

fn list<T: serde::de::DeserializeOwned>(
    fields: &Map<String, Value>,
    name: &str,
) -> Result<Vec<T>, String> {
    match fields.get(name) {
        None => Ok(Vec::new()),
        Some(list) => serde_json::from_value(list.clone()).map_err(|error| error.to_string()),
    }
}

fn equal<T>(one: &[T], other: &[T], same: impl Fn(&T, &T) -> bool) -> bool {
    one.len() == other.len() && one.iter().zip(other).all(|(one, other)| same(one, other))
}
