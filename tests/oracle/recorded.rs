//! What was recorded once is what Kafka answers now.

use retryproof::shadow::cases::{self, Case, Outcome};
use retryproof_models::specification::Settings;

use crate::{jvm, log};

const OPEN: &str = include_str!("../data/kafka-4.3.1/open.json");
const VECTORS: &str = include_str!("../data/kafka-4.3.1/vectors.jsonl");
const DRAWN: &str = include_str!("../data/kafka-4.3.1/drawn.jsonl");

fn all() -> Vec<Case> {
    [OPEN, VECTORS, DRAWN]
        .iter()
        .flat_map(|file| cases::read("recorded", file).expect("cases"))
        .collect()
}

#[test]
fn every_recorded_case_is_answered_and_remembered_as_it_was() {
    let cases = all();
    for kafka in jvm::every_kafka() {
        let mut subject = log(&kafka);
        let mut operations = 0;
        for case in &cases {
            let outcome = case.run(&mut subject, &Settings::kafka());
            let outcome = outcome.expect("Kafka starts");
            let same = Outcome::Walked(Vec::new());
            assert_eq!(outcome, same, "{}: {}", kafka.release, case.id);
            operations += case.operations.len();
        }
        let cases = cases.len();
        println!("{}: {cases} cases, {operations} operations", kafka.release);
    }
}
