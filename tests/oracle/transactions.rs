//! Open transactions, which neither the specification nor the recorded cases know: Kafka and
//! the production manager agree about what is refused, what is remembered, and where the
//! stable part of the log ends.

mod choice;
mod ours;

use std::cell::RefCell;
use std::collections::BTreeSet;

use proptest::collection::vec;
use proptest::test_runner::{Config, RngAlgorithm, TestCaseError, TestRng, TestRunner};
use serde_json::{json, Value};

use crate::conversation::Conversation;
use crate::jvm;
use choice::{choices, Choice, Log};
use ours::Ours;

const LISTS: u32 = 800;

/// What occurred.
#[derive(Debug, Default)]
struct Seen {
    operations: usize,
    /// After how many of them the log had an open transaction.
    open: usize,
    errors: BTreeSet<String>,
}

/// What is compared after each operation.
fn seen_of_kafka(answer: &Value) -> Value {
    let mut seen = answer.clone();
    let details = &seen["details"];
    let (stable, transactions) = (
        details["last_stable"].clone(),
        details["transactions"].clone(),
    );
    seen["transactions"] = transactions;
    seen["last_stable"] = stable;
    let fields = seen.as_object_mut().expect("an object");
    fields.remove("details");
    fields.remove("log_append_time");
    // A coordinator's batch has no sequences. Kafka counts back from the last one, −1, to a
    // first one that means nothing.
    for producer in seen["state"].as_object_mut().into_iter().flatten() {
        for batch in producer.1[2].as_array_mut().into_iter().flatten() {
            if batch[1] == -1 {
                batch[0] = json!(-1);
            }
        }
    }
    seen
}

fn walk(kafka: &mut Conversation, list: &[Choice]) -> Result<Seen, TestCaseError> {
    kafka.ask(&json!({"op": "start", "details": true}));
    let mut ours = Ours::new();
    let mut log = Log::default();
    let mut seen = Seen::default();
    for choice in list {
        let command = log.command(choice, &ours);
        let of_kafka = seen_of_kafka(&kafka.ask(&command));
        let of_ours = ours.carry_out(&command);
        if of_kafka != of_ours {
            let reason = format!("{command}:\nKafka {of_kafka}\nours  {of_ours}");
            return Err(TestCaseError::fail(reason));
        }
        seen.operations += 1;
        seen.open += usize::from(of_ours["last_stable"] != json!(ours.end()));
        let error = of_ours["error"].as_str();
        seen.errors.extend(error.map(str::to_owned));
    }
    Ok(seen)
}

#[test]
fn open_transactions_are_kept_as_kafka_does() {
    for kafka in jvm::every_kafka() {
        let mut conversation = Conversation::with(&kafka, "log");
        let config = Config {
            cases: LISTS,
            failure_persistence: None,
            ..Config::default()
        };
        let random = TestRng::deterministic_rng(RngAlgorithm::ChaCha);
        let mut runner = TestRunner::new_with_rng(config, random);
        let (conversation, all) = (
            RefCell::new(&mut conversation),
            RefCell::new(Seen::default()),
        );
        let walked = runner.run(&vec(choices(), 1..40), |list| {
            let seen = walk(&mut conversation.borrow_mut(), &list)?;
            let mut all = all.borrow_mut();
            all.operations += seen.operations;
            all.open += seen.open;
            all.errors.extend(seen.errors);
            Ok(())
        });
        walked.unwrap_or_else(|failure| panic!("{}: {failure}", kafka.release));
        let all = all.into_inner();
        println!("{}: {all:?}", kafka.release);
        assert!(all.open > 5_000, "{all:?}");
        let errors = [
            "INVALID_PRODUCER_EPOCH",
            "INVALID_TXN_STATE",
            "OUT_OF_ORDER_SEQUENCE_NUMBER",
            "TRANSACTION_COORDINATOR_FENCED",
        ];
        assert!(all.errors.iter().eq(&errors), "{all:?}");
    }
}
