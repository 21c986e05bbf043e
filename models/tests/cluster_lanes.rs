//! What is true of several producers, of several partitions, and of followers that judge.

mod walking;

use retryproof_models::conditions::{Budget, Conditions, ProducerIds, Replicas};
use retryproof_models::policies::{BumpReaches, Policy, JAVA_4};
use retryproof_models::rules::{Rule, KAFKA_4, STRICT};
use retryproof_properties::PropertyId;

use walking::{explore, must_hold, must_refute};

const BASE: Conditions = Conditions {
    in_flight: 2,
    window: 2,
    connections: 2,
    batches: Budget::AtMost(2),
    disconnects: Budget::ONE,
    ..Conditions::KAFKA
};

#[test]
fn two_producers_do_not_disturb_each_other() {
    let found = explore(Conditions {
        producers: 2,
        ..BASE
    });
    must_hold(&found, PropertyId::ALL);
}

/// S17: what the other one wrote under the same sequence is taken for a duplicate.
#[test]
fn two_producers_with_one_id_are_told_of_writes_that_never_happened() {
    let found = explore(Conditions {
        producers: 2,
        producer_ids: ProducerIds::Shared,
        ..BASE
    });
    let refuted = [
        PropertyId::AckTruthful,
        PropertyId::DuplicateAnswerTruthful,
        PropertyId::SequencePerPartition,
    ];
    must_refute(&found, &refuted);
}

#[test]
fn two_partitions_do_not_disturb_each_other() {
    let found = explore(Conditions {
        partitions: 2,
        ..BASE
    });
    must_hold(&found, PropertyId::ALL);
}

/// The client library librdkafka (confluentinc/librdkafka#4953).
static ALL_PARTITIONS: Policy = Policy {
    name: "bumps-all-partitions",
    about: "an epoch bump renumbers the undecided batches of all partitions",
    source: "librdkafka, issue 4953",
    bump_reaches: BumpReaches::AllPartitions,
    any_length: false,
    ..JAVA_4
};

/// A bump that one partition asks for is safe for it, and for the others only if it leaves
/// their batches alone.
#[test]
fn a_bump_that_reaches_other_partitions_doubles_their_batches() {
    let one_fails = Conditions {
        in_flight: 1,
        window: 1,
        partitions: 2,
        fatal_refusals: Budget::ONE,
        ..BASE
    };
    must_hold(&explore(one_fails), &[PropertyId::NoDuplicate]);
    let found = explore(Conditions {
        client: &ALL_PARTITIONS,
        ..one_fails
    });
    must_refute(&found, &[PropertyId::NoDuplicate]);
}

/// KAFKA-12152: a partition that goes over to the new epoch must count from 0 there.
#[test]
fn an_idle_partition_that_does_not_start_again_is_refused() {
    static KEEPS_COUNTING: Policy = Policy {
        name: "idle-partition-keeps-counting",
        about: "an idle partition takes its sequences along into a new epoch",
        source: "KAFKA-12152",
        idle_partition_restarts: false,
        any_length: false,
        ..JAVA_4
    };
    let one_fails = Conditions {
        in_flight: 1,
        window: 1,
        partitions: 2,
        fatal_refusals: Budget::ONE,
        disconnects: Budget::NONE,
        ..BASE
    };
    must_hold(&explore(one_fails), PropertyId::ALL);
    let found = explore(Conditions {
        client: &KEEPS_COUNTING,
        ..one_fails
    });
    must_refute(&found, &[PropertyId::EveryBatchDecided]);
}

fn with_followers(replicas: Replicas, rule: &'static Rule) -> walking::Found {
    explore(Conditions {
        in_flight: 1,
        window: 1,
        brokers: 2,
        rule,
        replicas,
        expiries: Budget::ONE,
        ..BASE
    })
}

/// KAFKA-6003: a replica that forgot a producer, or whose leader did, judges otherwise than
/// the leader, and follows no further.
#[test]
fn a_follower_that_judges_can_get_stuck() {
    for rule in [&KAFKA_4, &STRICT] {
        let found = with_followers(Replicas::Judge, rule);
        must_refute(&found, &[PropertyId::EveryBatchDecided]);
        let found = with_followers(Replicas::Copy, rule);
        must_hold(&found, &[PropertyId::EveryBatchDecided]);
    }
}
