//! Faults of the Java client, and of the broker as it meets them.
//!
//! Looking duplicates up before validating mends kafka-validates-first only as long as a
//! connection leaves nothing over: a retry can be refused for good before the leftover copy
//! is written.

use retryproof_properties::PropertyId::*;

use crate::conditions::{Budget, Conditions, Expiry, ProducerKnown, Validation};
use crate::policies::published::{KAFKA_12152, KAFKA_8483};
use crate::policies::{MODULAR, PATIENT};
use crate::rules::KAFKA_1_1;

use super::worlds::{ONE, TWO, TWO_PARTITIONS};
use super::{Defect, Exhibit};

/// The broker forgets a producer that has three batches on their way.
const FORGOTTEN: Conditions = Conditions {
    in_flight: 3,
    window: 3,
    rule: &KAFKA_1_1,
    producer_state: ProducerKnown::Known,
    expiries: Budget::ONE,
    batches: Budget::AtMost(4),
    ..ONE
};

/// One batch is written and answered with an error, another is refused for good.
const REFUSED_FOR_GOOD: Conditions = Conditions {
    errors_after_append: Budget::ONE,
    fatal_refusals: Budget::ONE,
    ..TWO
};

/// A batch runs out of time.
const TIMEOUT: Conditions = Conditions {
    batches: Budget::AtMost(4),
    delivery_timeouts: Budget::ONE,
    ..ONE
};

/// An idle producer is forgotten and must begin anew, but there is no epoch but the first.
const LAST_EPOCH: Conditions = Conditions {
    max_epoch: Some(0),
    rule: &KAFKA_1_1,
    producer_state: ProducerKnown::Known,
    expiry: Expiry::WallClock,
    expiries: Budget::ONE,
    disconnects: Budget::ONE,
    batches: Budget::AtMost(2),
    ..ONE
};

/// Two batches on both sides of the wrap are lost with their connection.
const LOST_AT_THE_WRAP: Conditions = Conditions {
    sequence_modulus: Some(4),
    disconnects: Budget::ONE,
    batches: Budget::AtMost(5),
    ..TWO
};

/// A batch runs out of time while copies of it and of the next are on a dead connection.
const TIMEOUT_AND_LEFTOVERS: Conditions = Conditions {
    batches: Budget::AtMost(4),
    connections: 2,
    disconnects: Budget::ONE,
    delivery_timeouts: Budget::ONE,
    ..TWO
};

/// A retry can be refused for good.
const STRICTER_SETTINGS: Conditions = Conditions {
    disconnects: Budget::ONE,
    fatal_refusals: Budget::ONE,
    ..ONE
};

/// A batch of one partition is refused for good while the other is idle.
const OTHER_IDLE: Conditions = Conditions {
    fatal_refusals: Budget::ONE,
    ..TWO_PARTITIONS
};

pub(super) const DEFECTS: &[Defect] = &[
    Defect {
        id: "kafka-8483",
        entry: Some("C01"),
        product: "Java client before June 2019",
        title: "in-flight batches are renumbered in the order of a heap",
        source: "known-faults C01; KAFKA-8483, KAFKA-8484, apache/kafka PR 6883",
        exhibit: Exhibit::Caught {
            faulty: Conditions {
                client: &KAFKA_8483,
                ..FORGOTTEN
            },
            caught_by: &[PartitionOrder],
            repaired: FORGOTTEN,
        },
    },
    Defect {
        id: "kafka-12152",
        entry: Some("C02"),
        product: "Java client 2.5.0–2.7.0; Dekaf",
        title: "an idle partition keeps its counter in a new epoch",
        source: "known-faults C02; KAFKA-12152, apache/kafka PR 9832",
        exhibit: Exhibit::Caught {
            faulty: Conditions {
                client: &KAFKA_12152,
                ..OTHER_IDLE
            },
            caught_by: &[EveryBatchDecided],
            repaired: OTHER_IDLE,
        },
    },
    Defect {
        id: "kafka-13794",
        entry: Some("C03"),
        product: "Java client up to 3.1.0",
        title: "in-flight batches of two epochs with one base sequence are taken for one",
        source: "known-faults C03; KAFKA-13794",
        exhibit: Exhibit::NotProtocol {
            reason: "a container inside the client: a client here keeps its batches in the order of sending, whatever their numbers; one that loses a batch is the mutant forgets-on-disconnect",
        },
    },
    Defect {
        id: "kafka-14034",
        entry: Some("C04"),
        product: "Java client 2.5–4.x",
        title: "a batch refused for good renumbers an earlier one that is written",
        source: "known-faults C04; KAFKA-14034, apache/kafka PR 13796",
        exhibit: Exhibit::Caught {
            faulty: REFUSED_FOR_GOOD,
            caught_by: &[NoDuplicate, NoFalseFailure],
            repaired: Conditions {
                client: &PATIENT,
                ..REFUSED_FOR_GOOD
            },
        },
    },
    Defect {
        id: "kafka-13843",
        entry: Some("C16"),
        product: "Java client up to 4.x",
        title: "a batch that ran out of time is told as failed, and is written",
        source: "known-faults C16; KAFKA-13843, KAFKA-14830, KAFKA-14053",
        exhibit: Exhibit::Caught {
            faulty: TIMEOUT,
            caught_by: &[NoFalseFailure],
            repaired: Conditions {
                client: &PATIENT,
                ..TIMEOUT
            },
        },
    },
    Defect {
        id: "java-4-last-epoch",
        entry: None,
        product: "Java client 2.5–4.x",
        title: "batches in flight lose their identity when the last epoch is used up",
        source: "kafka-facts H8, run against Apache Kafka 4.3.1",
        exhibit: Exhibit::Caught {
            faulty: LAST_EPOCH,
            caught_by: &[NoDuplicate],
            repaired: Conditions {
                client: &MODULAR,
                ..LAST_EPOCH
            },
        },
    },
    Defect {
        id: "java-4-leftovers",
        entry: None,
        product: "Java client 2.5–4.x",
        title: "a new epoch is begun while copies of the old one are still on their way",
        source: "kafka-facts H5, run against Apache Kafka 4.3.1",
        exhibit: Exhibit::Caught {
            faulty: TIMEOUT_AND_LEFTOVERS,
            caught_by: &[NoDuplicate, NoFalseFailure, EveryBatchDecided],
            repaired: Conditions {
                client: &PATIENT,
                ..TIMEOUT_AND_LEFTOVERS
            },
        },
    },
    Defect {
        id: "kafka-validates-first",
        entry: None,
        product: "Apache Kafka 0.11–4.x",
        title: "a batch is validated before it is looked up, so the retry of a written one can be refused for good",
        source: "kafka-facts H10, run against Apache Kafka 4.3.1",
        exhibit: Exhibit::Caught {
            faulty: STRICTER_SETTINGS,
            caught_by: &[RetryRecognised, NoFalseFailure],
            repaired: Conditions {
                validation: Validation::AfterLookup,
                ..STRICTER_SETTINGS
            },
        },
    },
    Defect {
        id: "java-4-wrap",
        entry: None,
        product: "Java client 1.0–4.x",
        title: "batches that wait are compared as plain numbers across the wrap",
        source: "kafka-facts H9, run against Apache Kafka 4.3.1",
        exhibit: Exhibit::Caught {
            faulty: LOST_AT_THE_WRAP,
            caught_by: &[EveryBatchDecided],
            repaired: Conditions {
                client: &MODULAR,
                ..LOST_AT_THE_WRAP
            },
        },
    },
];
