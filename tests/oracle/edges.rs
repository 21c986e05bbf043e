//! Every decision that the model can reach in some worlds, taken by Kafka.

use std::time::Instant;

use retryproof::shadow::edges::{edges, on_subject};
use retryproof_models::conditions::{Budget, Conditions, ProducerKnown};
use retryproof_models::network::NetworkKind;
use retryproof_models::policies::{PIPELINING, STOP};
use retryproof_models::specification::Settings;

use crate::{jvm, log};

/// Worlds with Kafka's rule and its window.
fn worlds() -> [Conditions; 6] {
    let kafka = Conditions {
        connections: 2,
        ..Conditions::KAFKA
    };
    let bounded = Conditions {
        disconnects: Budget::AtMost(2),
        ..kafka
    };
    [
        kafka,
        Conditions {
            in_flight: 6,
            ..kafka
        },
        Conditions {
            in_flight: 6,
            client: &STOP,
            producer_state: ProducerKnown::Known,
            ..kafka
        },
        Conditions {
            in_flight: 3,
            client: &PIPELINING,
            ..kafka
        },
        Conditions {
            in_flight: 6,
            batches: Budget::AtMost(8),
            ..bounded
        },
        Conditions {
            in_flight: 3,
            network: NetworkKind::Unordered,
            batches: Budget::AtMost(4),
            ..bounded
        },
    ]
}

#[test]
fn every_decision_of_some_worlds_is_kafkas() {
    let Some(kafka) = jvm::kafka("4.3.1") else {
        return;
    };
    let start = Instant::now();
    let mut subject = log(&kafka);
    let mut decisions = 0;
    for world in worlds() {
        let found = edges(&world);
        assert_eq!(found.outgrown, 0, "{world}: the walk was cut");
        let walked = on_subject(&found, &Settings::kafka(), &mut subject);
        let taken = walked.unwrap_or_else(|difference| panic!("{difference:?}"));
        assert_eq!(taken.left_out, 0, "{world}");
        decisions += taken.decisions;
    }
    let seconds = start.elapsed().as_secs_f64();
    println!("{decisions} decisions in {seconds:.1} s");
    assert!(decisions >= 4_000, "{decisions}");
}
