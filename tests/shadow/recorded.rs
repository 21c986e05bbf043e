//! Under profile Kafka ours answers as Apache Kafka did, step by step. So does the
//! specification; for the other files `models/tests/specification.rs` shows it.

use retryproof::shadow::cases::{Case, Outcome};
use retryproof::shadow::{Difference, ProductionManager, StateManager};
use retryproof_models::specification::Settings;

use crate::{drawn_lists, published, vectors, Specified};

fn differences(cases: &[Case]) -> Vec<Difference> {
    differences_of(&mut ProductionManager::default(), cases)
}

fn differences_of(subject: &mut dyn StateManager, cases: &[Case]) -> Vec<Difference> {
    let mut differences = Vec::new();
    for case in cases {
        match case.run(subject, &Settings::kafka()) {
            Ok(Outcome::Walked(found)) => differences.extend(found),
            other => panic!("{}: {other:?}", case.id),
        }
    }
    differences
}

#[test]
fn every_published_fault_is_answered_as_kafka_did() {
    let cases = published();
    assert_eq!(cases.len(), 24);
    assert_eq!(differences(&cases), []);
}

#[test]
fn every_vector_is_answered_and_remembered_as_kafka_did() {
    let cases = vectors();
    assert_eq!(cases.len(), 300);
    assert!(cases.iter().all(|case| case.state.is_some()));
    assert_eq!(differences(&cases), []);
}

#[test]
fn every_drawn_list_is_answered_and_remembered_as_kafka_did() {
    let cases = drawn_lists();
    assert_eq!(cases.len(), 250);
    assert!(cases.iter().all(|case| case.state.is_some()));
    assert_eq!(differences(&cases), []);
    assert_eq!(differences_of(&mut Specified::new(), &cases), []);
}
