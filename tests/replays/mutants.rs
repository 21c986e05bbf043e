//! A model that is wrong is noticed beside the real client and log.

use retryproof::replay::{schedule, why_not};
use retryproof_models::mutants::{self, Mutant};

use crate::{client, jvm};

/// Schedules after which a mutant counts as unnoticed.
const SCHEDULES: u64 = 300;

/// Mutants whose difference no schedule of the real client shows.
///
/// `new-epoch-anywhere` takes a new epoch at any sequence, and the client begins each at 0.
/// `never-retries` and `span-one-more` send less, or later, than the real client may: what
/// they do is what it does in some schedule.
const UNSEEN: [&str; 3] = ["new-epoch-anywhere", "never-retries", "span-one-more"];

/// The mutants of what can be played.
fn of_kafka() -> impl Iterator<Item = &'static Mutant> {
    mutants::ALL
        .iter()
        .filter(|mutant| why_not(&mutant.original()).is_none())
}

#[test]
fn every_mutant_of_kafkas_rule_and_client_differs_from_the_real_ones() {
    assert!(of_kafka().count() > 10);
    let Some(kafka) = jvm::kafka("4.3.1") else {
        return;
    };
    let mut oracle = client(&kafka);
    let mut unnoticed = Vec::new();
    for mutant in of_kafka() {
        let mut seeds = 0..SCHEDULES;
        let noticed =
            seeds.find(|seed| schedule(&mutant.conditions, *seed, 60, &mut oracle).is_err());
        if noticed.is_none() {
            unnoticed.push(mutant.id());
        }
    }
    assert_eq!(unnoticed, UNSEEN);
}
