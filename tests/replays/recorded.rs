//! Without a Java: the runs on what the real client and log answered when they were recorded.

use std::collections::BTreeSet;

use retryproof::replay::{counterexample, runs_against, Recorded, Refuted, RELEASES};

use crate::{KEPT, REFUTED};

#[test]
fn every_run_against_a_claim_about_kafka_is_the_same_on_kafka() {
    let mut played = BTreeSet::new();
    for outcome in REFUTED.iter() {
        let mut properties = 0;
        for (property, run) in runs_against(outcome) {
            properties += 1;
            let refuted = Refuted {
                claim: outcome.claim.id.clone(),
                property: property.to_string(),
            };
            for release in RELEASES {
                let kept = KEPT.of(&refuted, release);
                let kept = kept.unwrap_or_else(|| panic!("{refuted:?} is not recorded: {AGAIN}"));
                let mut recorded = Recorded::new(kept.exchange.clone());
                let result = counterexample(run, property, &mut recorded);
                result.unwrap_or_else(|differs| panic!("{refuted:?}: {differs}\n{AGAIN}"));
                assert_eq!(recorded.left(), 0, "{refuted:?}: {AGAIN}");
            }
            played.insert(refuted);
        }
        assert_eq!(
            properties,
            outcome.claim.properties.len(),
            "{}",
            outcome.claim.id
        );
    }
    let kept: BTreeSet<_> = KEPT
        .0
        .iter()
        .flat_map(|kept| kept.refutes.clone())
        .collect();
    assert_eq!(kept, played, "recorded, and played: {AGAIN}");
}

const AGAIN: &str =
    "if the model was changed on purpose, cargo run --release --example replays -- record";
