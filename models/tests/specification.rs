//! The specification answers as the real Apache Kafka 4.3.1 did, and holds the same state
//! after every step (see `tests/data/kafka-4.3.1/README.md` for the data).

use std::collections::BTreeMap;

use retryproof_models::specification::{Answer, Operation, Partition, Producer, Settings, State};
use serde::Deserialize;
use serde_json::Value;

const OPEN: &str = include_str!("../../tests/data/kafka-4.3.1/open.json");
const VECTORS: &str = include_str!("../../tests/data/kafka-4.3.1/vectors.jsonl");

#[derive(Deserialize)]
struct Case {
    id: String,
    ops: Vec<Operation>,
    expiry_ms: i64,
    expect: Vec<Answer>,
}

#[derive(Deserialize)]
struct Vector {
    id: String,
    ops: Vec<Operation>,
    answers: Vec<Answer>,
    state: Vec<BTreeMap<i64, Option<Producer>>>,
}

fn cases() -> Vec<Case> {
    serde_json::from_str(OPEN).expect("open.json can be read")
}

fn vectors() -> Vec<Vector> {
    VECTORS
        .lines()
        .map(|line| serde_json::from_str(line).expect("each line of vectors.jsonl can be read"))
        .collect()
}

/// Where a case stands: what a failure names.
struct Step<'a> {
    case: &'a str,
    index: usize,
    operation: &'a Operation,
}

impl Step<'_> {
    fn allowed(&self, partition: &Partition) {
        if let Err(reason) = partition.allows(self.operation) {
            panic!("{self}: not allowed, {reason}");
        }
    }

    fn same<T: PartialEq + std::fmt::Debug>(&self, what: &str, expected: &T, got: &T) {
        assert!(
            expected == got,
            "{self}:\n{what} expected {expected:?}\n{what} got      {got:?}"
        );
    }
}

impl std::fmt::Display for Step<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(
            f,
            "case {}, step {}, {:?}",
            self.case, self.index, self.operation
        )
    }
}

#[test]
fn every_open_case_is_answered_as_recorded() {
    let cases = cases();
    assert_eq!(cases.len(), 24);
    for case in cases {
        let mut partition = Partition::new(Settings {
            expiry_ms: case.expiry_ms,
            ..Settings::kafka()
        });
        assert_eq!(case.ops.len(), case.expect.len(), "case {}", case.id);
        for (index, (operation, expected)) in case.ops.iter().zip(&case.expect).enumerate() {
            let step = Step {
                case: &case.id,
                index,
                operation,
            };
            step.allowed(&partition);
            step.same("answer", expected, &partition.apply(operation));
        }
    }
}

#[test]
fn every_vector_is_answered_and_remembered_as_recorded() {
    let vectors = vectors();
    assert_eq!(vectors.len(), 300);
    for vector in vectors {
        let mut partition = Partition::new(Settings::kafka());
        let mut expected_state = State::new();
        assert_eq!(vector.ops.len(), vector.answers.len());
        assert_eq!(vector.ops.len(), vector.state.len());
        for (index, operation) in vector.ops.iter().enumerate() {
            let step = Step {
                case: &vector.id,
                index,
                operation,
            };
            step.allowed(&partition);
            let answer = partition.apply(operation);
            step.same("answer", &vector.answers[index], &answer);
            fold(&mut expected_state, &vector.state[index]);
            step.same("state", &expected_state, &partition.state());
            step.same("map end", &partition.log_end(), &partition.map_end());
        }
    }
}

fn fold(state: &mut State, changes: &BTreeMap<i64, Option<Producer>>) {
    for (pid, change) in changes {
        match change {
            Some(producer) => state.insert(*pid, producer.clone()),
            None => state.remove(pid),
        };
    }
}

#[test]
fn what_is_read_from_a_case_is_written_back_the_same() {
    let open: Vec<Value> = serde_json::from_str(OPEN).expect("a list");
    for case in &open {
        same_operations(&case["ops"]);
        same::<Vec<Answer>>(&case["expect"]);
    }
    for line in VECTORS.lines() {
        let vector: Value = serde_json::from_str(line).expect("an object");
        same_operations(&vector["ops"]);
        same::<Vec<Answer>>(&vector["answers"]);
        same::<Vec<BTreeMap<i64, Option<Producer>>>>(&vector["state"]);
    }
}

fn write_back<T: serde::de::DeserializeOwned + serde::Serialize>(read: &Value) -> Value {
    let parsed: T = serde_json::from_value(read.clone()).expect("it can be read");
    serde_json::to_value(parsed).expect("it can be written")
}

fn same<T: serde::de::DeserializeOwned + serde::Serialize>(read: &Value) {
    assert_eq!(*read, write_back::<T>(read));
}

/// Compares with all fields spelled out, since a field with its default value may be
/// absent. `txn` is not read: the specification knows no transactions.
fn same_operations(read: &Value) {
    let written = write_back::<Vec<Operation>>(read);
    let read = read.as_array().expect("a list of operations");
    let written = written.as_array().expect("a list of operations");
    assert_eq!(read.len(), written.len());
    for (read, written) in read.iter().zip(written) {
        let mut read = spelled_out(read);
        read.as_object_mut().expect("an object").remove("txn");
        assert_eq!(read, spelled_out(written));
    }
}

fn spelled_out(operation: &Value) -> Value {
    let defaults: &[(&str, Value)] = match operation["op"].as_str() {
        Some("append") => &[
            ("ts", 0.into()),
            ("origin", "client".into()),
            ("fate", "kept".into()),
        ],
        Some("marker") => &[("ts", 0.into()), ("origin", "client".into())],
        Some("reload") => &[("snapshots", "kept".into()), ("recovery", "all".into())],
        _ => &[],
    };
    let mut spelled_out = operation.clone();
    let fields = spelled_out.as_object_mut().expect("an object");
    for (field, default) in defaults {
        fields.entry(*field).or_insert_with(|| default.clone());
    }
    spelled_out
}

#[test]
fn foreign_answers_can_be_read_and_reported() {
    let foreign: Answer = serde_json::from_str(r#"{"error":"UNKNOWN_SERVER_ERROR"}"#).unwrap();
    let name = serde_json::to_string(&foreign).unwrap();
    assert_eq!(name, r#"{"error":"UNKNOWN_SERVER_ERROR"}"#);
    assert!(serde_json::from_str::<Answer>(r#"{"ok":false}"#).is_err());
}
