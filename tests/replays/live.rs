//! The runs on the real client and log.

use retryproof::replay::play;

use crate::{client, jvm, KEPT, REFUTED};

/// Each run ends in the violation that the model found, and every answer on the way is the
/// one that is kept.
#[test]
fn every_run_against_a_claim_about_kafka_ends_the_same_on_the_live_kafka() {
    for kafka in jvm::every_kafka() {
        let mut oracle = client(&kafka);
        let mut runs = 0;
        for outcome in REFUTED.iter() {
            for played in play(outcome, &mut oracle) {
                let refuted = &played.refuted;
                if let Err(differs) = &played.result {
                    panic!("{}: {refuted:?}: {differs}", kafka.release);
                }
                let kept = KEPT.of(refuted, kafka.release).map(|kept| &kept.exchange);
                assert!(
                    kept == Some(&played.exchange),
                    "{}: {refuted:?}: Kafka answers otherwise than is kept",
                    kafka.release
                );
                runs += 1;
            }
        }
        println!("{}: {runs} runs", kafka.release);
    }
}
