//! The claims about Apache Kafka, and their runs.

use retryproof_models::checking::{Run, Verdict};
use retryproof_models::claims::{registry, Claim, ClaimOutcome};
use retryproof_models::conditions::Conditions;
use retryproof_models::policies::JAVA_4;
use retryproof_models::rules::KAFKA_4;
use retryproof_properties::PropertyId;

use super::ask::{Ask, Exchange, Recorder};
use super::follow::Differs;
use super::possible::why_not;
use super::recording::Refuted;
use super::runs::counterexample;

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

/// A world, and the claims about it.
pub type World = (Conditions, Vec<&'static Claim>);

/// The worlds of these claims that can be played on Apache Kafka, each once.
pub fn playable_worlds(claims: Vec<&'static Claim>) -> Vec<World> {
    let mut worlds: Vec<World> = Vec::new();
    for claim in claims {
        let known = worlds
            .iter_mut()
            .find(|(known, _)| *known == claim.conditions);
        match known {
            Some((_, claims)) => claims.push(claim),
            None if why_not(&claim.conditions).is_none() => {
                worlds.push((claim.conditions, vec![claim]));
            }
            None => {}
        }
    }
    worlds
}

/// A run against a claim, played on Apache Kafka.
pub struct Played {
    /// The claim, and the property that the run violates.
    pub refuted: Refuted,
    /// Steps of the run.
    pub steps: usize,
    /// How it went.
    pub result: Result<(), Differs>,
    /// What was asked and answered.
    pub exchange: Exchange,
}

/// The runs that refute a claim: one for each of its properties.
pub fn runs_against(outcome: &ClaimOutcome) -> impl Iterator<Item = (PropertyId, &Run)> {
    let properties = outcome.claim.properties.iter();
    properties.filter_map(|property| {
        let found = outcome.outcome.of(*property)?;
        Some((*property, found.counterexample.as_ref()?))
    })
}

/// Plays each run against a claim, whose conditions must be possible ([`why_not`]).
pub fn play(outcome: &ClaimOutcome, oracle: &mut dyn Ask) -> Vec<Played> {
    runs_against(outcome)
        .map(|(property, run)| {
            let mut recorder = Recorder::new(oracle);
            let result = counterexample(run, property, &mut recorder);
            Played {
                refuted: Refuted {
                    claim: outcome.claim.id.clone(),
                    property: property.to_string(),
                },
                steps: run.len(),
                result,
                exchange: recorder.exchange,
            }
        })
        .collect()
}
