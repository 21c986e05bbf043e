//! The checking sees a cluster as a plain walk does. And a cluster of one broker with one partition and one producer is the world with one
//! broker: the same states, the same verdicts, and violations as far away.

mod walking;

use retryproof_models::checking::{self, Limits, Silent};
use retryproof_models::cluster::ClusterWorld;
use retryproof_models::conditions::{Budget, Conditions, Expiry, ProducerKnown, RestartKeeps};
use retryproof_models::policies::{
    mutants as policy, Policy, HARDENED, PATIENT, PIPELINING, PLAIN, STOP,
};
use retryproof_models::rules::{mutants as rule, BUFFERING, KAFKA_0_11, KAFKA_1_1, STRICT};
use retryproof_models::world::FlatWorld;
use retryproof_properties::PropertyId;

use walking::walk;

const BASE: Conditions = Conditions {
    in_flight: 2,
    window: 2,
    connections: 2,
    batches: Budget::AtMost(3),
    disconnects: Budget::AtMost(2),
    ..Conditions::KAFKA
};

fn agree(conditions: Conditions) {
    let one = walk::<FlatWorld>(conditions);
    let cluster = walk::<ClusterWorld>(conditions);
    assert_eq!(cluster.refuted(), one.refuted(), "{conditions}");
    assert_eq!(cluster.unique, one.unique, "{conditions}");
    assert_eq!(cluster.generated, one.generated, "{conditions}");
    println!("{:>8} states: {conditions}", one.unique);
}

#[test]
fn with_disconnects() {
    agree(BASE);
    agree(Conditions {
        connections: 3,
        disconnects: Budget::AtMost(3),
        ..BASE
    });
    agree(Conditions {
        window: 1,
        producer_state: ProducerKnown::Known,
        ..BASE
    });
    agree(Conditions {
        in_flight: 1,
        disconnects: Budget::Any,
        connections: 1,
        ..BASE
    });
}

#[test]
fn with_restarts_and_expiry() {
    for keeps in RestartKeeps::ALL {
        agree(Conditions {
            restarts: Budget::ONE,
            restart_keeps: *keeps,
            ..BASE
        });
    }
    for expiry in Expiry::ALL {
        agree(Conditions {
            expiries: Budget::ONE,
            expiry: *expiry,
            ..BASE
        });
    }
}

#[test]
fn with_refusals_and_timeouts() {
    agree(Conditions {
        refusals_before_append: Budget::AtMost(2),
        ..BASE
    });
    agree(Conditions {
        errors_after_append: Budget::ONE,
        delivery_timeouts: Budget::ONE,
        ..BASE
    });
    agree(Conditions {
        fatal_refusals: Budget::ONE,
        errors_after_append: Budget::ONE,
        disconnects: Budget::ONE,
        ..BASE
    });
}

#[test]
fn with_other_clients() {
    for client in [&STOP, &PIPELINING, &PATIENT, &HARDENED] {
        agree(Conditions {
            client,
            delivery_timeouts: Budget::ONE,
            refusals_before_append: Budget::ONE,
            disconnects: Budget::ONE,
            ..BASE
        });
    }
    agree(Conditions {
        client: &PLAIN,
        window: 5,
        ..BASE
    });
    // A sequence that only grows outgrows every world.
    let bounded = |client: &&&Policy| **client != &policy::RETRIES_WITH_NEW_SEQUENCE;
    for client in policy::ALL.iter().filter(bounded) {
        agree(Conditions { client, ..BASE });
    }
}

#[test]
fn with_other_rules() {
    for rule in [&KAFKA_0_11, &KAFKA_1_1, &STRICT, &BUFFERING] {
        agree(Conditions {
            rule,
            refusals_before_append: Budget::ONE,
            ..BASE
        });
    }
    for rule in rule::ALL {
        agree(Conditions { rule, ..BASE });
    }
}

#[test]
fn the_checking_judges_a_cluster_as_a_plain_walk_does() {
    let conditions = Conditions {
        brokers: 2,
        leader_moves: Budget::ONE,
        disconnects: Budget::ONE,
        ..BASE
    };
    let found = walk::<ClusterWorld>(conditions);
    let outcome = checking::check(&conditions, PropertyId::ALL, &Limits::default(), &Silent);
    assert_eq!(outcome.cut, None);
    assert_eq!(outcome.counts.unique, found.unique);
    assert_eq!(outcome.counts.generated, found.generated);
    let refuted = outcome.properties.iter().filter_map(|outcome| {
        let run = outcome.counterexample.as_ref()?;
        Some((outcome.property, run.len()))
    });
    assert_eq!(refuted.collect::<Vec<_>>(), found.refuted());
}
