//! Under profile Kafka ours answers as Apache Kafka did, step by step.

use retryproof::shadow::cases::{Case, Outcome};
use retryproof::shadow::{Difference, ProductionManager};
use retryproof_models::specification::Settings;

use crate::{published, vectors};

fn differences(cases: &[Case]) -> Vec<Difference> {
    let mut subject = ProductionManager::default();
    let mut differences = Vec::new();
    for case in cases {
        match case.run(&mut subject, &Settings::kafka()) {
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
