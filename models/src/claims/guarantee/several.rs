//! B13, B14: a producer id belongs to one producer; sequences and epoch bumps are a matter
//! of one partition. And fencing.

use retryproof_properties::PropertyId::{self, *};

use crate::claims::Claim;
use crate::conditions::{Budget, Conditions, InFlightPer, ProducerIds, ProducerKnown};
use crate::policies::mutants::GLOBAL_SEQUENCE;
use crate::policies::published::LIBRDKAFKA_4953;

use super::SMALL;

const TWO_PRODUCERS: Conditions = Conditions {
    producers: 2,
    batches: Budget::AtMost(2),
    ..SMALL
};

const TWO_PARTITIONS: Conditions = Conditions {
    partitions: 2,
    batches: Budget::AtMost(2),
    disconnects: Budget::AtMost(2),
    ..SMALL
};

/// One batch on each partition. One is refused for good, so that the client wants a new
/// epoch for that partition.
const BUMP_ON_ONE: Conditions = Conditions {
    batches: Budget::AtMost(1),
    fatal_refusals: Budget::ONE,
    errors_after_append: Budget::ONE,
    ..TWO_PARTITIONS
};

pub(super) fn claims() -> Vec<Claim> {
    let shared = Conditions {
        producer_ids: ProducerIds::Shared,
        batches: Budget::AtMost(3),
        disconnects: Budget::ONE,
        ..TWO_PRODUCERS
    };
    let wrong: &[PropertyId] = &[
        NoDuplicate,
        PartitionOrder,
        GapRejected,
        DuplicateAnswerTruthful,
        AckTruthful,
        RetryRecognised,
        NoFalseFailure,
        LogIsFold,
        SequencePerPartition,
    ];
    vec![
        Claim::refuted(
            "one-id-for-two-producers",
            "B13",
            "Two producers may use one producer id",
            shared,
            wrong,
        )
        .from("kafka-facts S17"),
        Claim::holds(
            "two-producers",
            "B13",
            "Two producers with their own ids on one partition do not disturb each other",
            TWO_PRODUCERS,
            PropertyId::ALL,
        )
        .from("kafka-facts 2.4 (ran E27)"),
        Claim::holds(
            "two-partitions",
            "B14",
            "A producer that writes to two partitions is as safe on each as on one",
            TWO_PARTITIONS,
            PropertyId::ALL,
        )
        .from("S1.3, S1.12"),
        Claim::holds(
            "two-partitions-and-a-refusal",
            "B14",
            "A refusal on one partition does no harm on the other",
            Conditions {
                refusals_before_append: Budget::ONE,
                producer_state: ProducerKnown::Known,
                in_flight_per: InFlightPer::Span,
                ..TWO_PARTITIONS
            },
            PropertyId::ALL,
        )
        .from("kafka-facts 5.5"),
        Claim::refuted(
            "bump-for-all-partitions",
            "B14",
            "An epoch bump may renumber the batches of every partition",
            Conditions {
                client: &LIBRDKAFKA_4953,
                ..BUMP_ON_ONE
            },
            &[NoDuplicate],
        )
        .from("librdkafka issue 4953; known-faults C05; kafka-facts 5.8"),
        Claim::holds(
            "bump-for-one-partition",
            "B14",
            "With one batch on each, one that leaves the other partitions alone writes no duplicate",
            BUMP_ON_ONE,
            &[NoDuplicate],
        )
        .from("kafka-facts 5.5"),
        Claim::refuted(
            "one-counter-for-all-partitions",
            "B14",
            "One counter may number the batches of all partitions",
            Conditions {
                client: &GLOBAL_SEQUENCE,
                batches: Budget::AtMost(4),
                disconnects: Budget::AtMost(2),
                ..SMALL
            },
            &[EveryBatchDecided],
        )
        .from("S1.12"),
        Claim::holds(
            "fencing",
            "H",
            "What is left over of an epoch that is over is refused, as long as the broker knows the \
             producer",
            Conditions {
                in_flight: 3,
                ..SMALL
            },
            &[StaleEpochRejected],
        )
        .from("KIP-98, KIP-360"),
        Claim::holds(
            "late-copies",
            "H",
            "Copies of dead connections that arrive late do no harm without an epoch bump",
            Conditions {
                connections: 4,
                ..SMALL
            },
            PropertyId::ALL,
        )
        .from("kafka-facts H12"),
    ]
}
