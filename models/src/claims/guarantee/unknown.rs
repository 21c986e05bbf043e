//! B3: the broker knows the producer id. A first batch that is refused, and a later one that
//! founds the producer's state.

use retryproof_properties::PropertyId::{self, *};

use crate::claims::Claim;
use crate::conditions::{Budget, Conditions, InFlightPer, ProducerKnown};
use crate::rules::{KAFKA_1_1, KAFKA_4_5, STRICT};

use super::{REAL, SMALL, SMALL_ALONE};

/// What breaks when a later batch founds the state.
const FOUNDED_LATE: &[PropertyId] = &[
    NoDuplicate,
    PartitionOrder,
    GapRejected,
    EveryBatchDecided,
    SequencePerPartition,
];

/// Batches are refused before anything is done; the limit counts from the lowest undecided
/// batch, so that the hole of [`super::eviction`] stays out.
const fn refused(times: Budget, world: Conditions) -> Conditions {
    Conditions {
        refusals_before_append: times,
        in_flight_per: InFlightPer::Span,
        ..world
    }
}

pub(super) fn claims() -> Vec<Claim> {
    [unknown_anywhere(), from_0()].concat()
}

fn unknown_anywhere() -> Vec<Claim> {
    vec![
        Claim::refuted(
            "unknown-producer-small",
            "B3",
            "With a new producer id, one batch refused before it is appended breaks nothing",
            refused(Budget::ONE, SMALL_ALONE),
            FOUNDED_LATE,
        )
        .from("kafka-facts H3; KAFKA-15591, KAFKA-14359; known-faults B01"),
        Claim::refuted(
            "unknown-producer",
            "B3",
            "With a new producer id, one batch refused before it is appended breaks nothing, 5 in \
             flight",
            refused(Budget::ONE, REAL),
            FOUNDED_LATE,
        )
        .from("kafka-facts H3; KAFKA-15591, KAFKA-14359; known-faults B01"),
        Claim::refuted(
            "unknown-producer-1.1",
            "B3",
            "Under Kafka 1.1 to 2.4 the same writes no duplicate",
            Conditions {
                rule: &KAFKA_1_1,
                ..refused(Budget::ONE, SMALL)
            },
            &[NoDuplicate],
        )
        .from("known-faults B01, C01"),
        Claim::holds(
            "known-producer",
            "B3",
            "Once the broker knows the producer, and the limit counts from the lowest undecided batch, \
             any number of such refusals breaks nothing",
            Conditions {
                producer_state: ProducerKnown::Known,
                ..refused(Budget::Any, REAL)
            },
            PropertyId::ALL,
        )
        .from("kafka-facts H3 (ran S4b)"),
    ]
}

fn from_0() -> Vec<Claim> {
    let strict = |world| Conditions {
        rule: &STRICT,
        ..refused(Budget::Any, world)
    };
    vec![
        Claim::holds(
            "unknown-producer-starts-at-0-small",
            "B3",
            "Where an unknown producer must start at 0, and the limit counts from the lowest undecided \
             batch, such refusals break nothing, 2 in flight",
            strict(SMALL),
            PropertyId::ALL,
        )
        .from("KAFKA-19880; known-faults B01"),
        Claim::holds(
            "unknown-producer-starts-at-0",
            "B3",
            "Where an unknown producer must start at 0, and the limit counts from the lowest undecided \
             batch, such refusals break nothing, 5 in flight",
            strict(REAL),
            PropertyId::ALL,
        )
        .from("KAFKA-19880; known-faults B01"),
        Claim::holds(
            "unknown-producer-4.5",
            "B3",
            "Kafka 4.5, which asks for 0 on a log that never held a record, is enough with such a \
             limit while nothing is forgotten",
            Conditions {
                rule: &KAFKA_4_5,
                ..refused(Budget::Any, REAL)
            },
            PropertyId::ALL,
        )
        .from("KAFKA-15591; known-faults B01"),
    ]
}
