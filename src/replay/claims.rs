//! The claims about Apache Kafka, and their runs.

use retryproof_models::checking::{Run, Verdict};
use retryproof_models::claims::{registry, Claim, ClaimOutcome};
use retryproof_models::policies::JAVA_4;
use retryproof_models::rules::KAFKA_4;
use retryproof_properties::PropertyId;

/// The claims about the Java client of Kafka 4 and its broker of which this is expected.
pub fn about_kafka(expected: Verdict) -> Vec<&'static Claim> {
    registry()
        .iter()
        .filter(|claim| {
            let conditions = &claim.conditions;
            conditions.rule == &KAFKA_4 && conditions.client == &JAVA_4
        })
        .filter(|claim| claim.expected == expected)
        .collect()
}

/// The runs that refute a claim: one for each of its properties.
pub fn runs_against(outcome: &ClaimOutcome) -> impl Iterator<Item = (PropertyId, &Run)> {
    let properties = outcome.claim.properties.iter();
    properties.filter_map(|property| {
        let found = outcome.outcome.of(*property)?;
        Some((*property, found.counterexample.as_ref()?))
    })
}
