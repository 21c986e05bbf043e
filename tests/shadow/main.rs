//! State managers walk beside the specification, and beside what the real Apache Kafka 4.3.1
//! answered (`tests/data/kafka-4.3.1`).

mod broken;
mod drawn;
mod files;
mod hardened;
mod process;
mod recorded;
mod settled;
mod state_machine;

use retryproof::shadow::cases::{self, Case};
use retryproof::shadow::{StateManager, SubjectFailure};
use retryproof_models::specification::{Answer, Operation, Partition, Settings, State};

const OPEN: &str = include_str!("../data/kafka-4.3.1/open.json");
const VECTORS: &str = include_str!("../data/kafka-4.3.1/vectors.jsonl");
const DRAWN: &str = include_str!("../data/kafka-4.3.1/drawn.jsonl");

/// The 24 published faults with Kafka's answers.
fn published() -> Vec<Case> {
    cases::read("open.json", OPEN).expect("cases")
}

/// The 300 generated sequences with Kafka's answers and states.
fn vectors() -> Vec<Case> {
    cases::read("vectors.jsonl", VECTORS).expect("cases")
}

/// The 250 lists that `retryproof shadow` draws, with Kafka's answers and states.
fn drawn_lists() -> Vec<Case> {
    cases::read("drawn.jsonl", DRAWN).expect("cases")
}

/// The operations of a JSON list.
#[track_caller]
fn operations(json: &str) -> Vec<Operation> {
    serde_json::from_str(json).expect("operations")
}

/// The specification itself as a subject: what other subjects are made of by breaking it.
struct Specified(Partition);

impl Specified {
    fn new() -> Self {
        Specified(Partition::new(Settings::kafka()))
    }
}

impl StateManager for Specified {
    fn name(&self) -> String {
        "the specification".to_owned()
    }

    fn start(&mut self, settings: &Settings) -> Result<(), SubjectFailure> {
        self.0 = Partition::new(*settings);
        Ok(())
    }

    fn apply(&mut self, operation: &Operation) -> Result<Answer, SubjectFailure> {
        Ok(self.0.apply(operation))
    }

    fn state(&mut self) -> Result<Option<State>, SubjectFailure> {
        Ok(Some(self.0.state()))
    }
}
