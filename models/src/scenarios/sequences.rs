//! Sequences: counted for each partition, and from 0 again after the last one.

use crate::conditions::{Budget, Conditions, InFlightPer, ProducerKnown};
use crate::policies::MODULAR;

use super::{Act, Scenario};

/// One connection, two partitions, two counts.
pub const TWO_PARTITIONS: Scenario = Scenario {
    id: "two-partitions",
    title: "Each partition is counted by itself",
    shows: "A producer writes to two partitions of one broker over one connection. Each partition has numbers of its \
            own that start at 0, and the broker remembers each apart. A lost connection loses the answers of both, \
            and both retries are recognised.",
    source: "S1.3, S1.12",
    claims: &["two-partitions"],
    acts: &[Act {
        title: "",
        conditions: Conditions {
            in_flight: 2,
            batches: Budget::AtMost(2),
            partitions: 2,
            ..Conditions::KAFKA
        },
        before: &[],
        steps: &[
            "producer sends r0 to partition 0",
            "producer sends r0 to partition 1",
            "broker takes r0 for partition 0",
            "broker takes r0 for partition 1",
            "connection breaks",
            "producer sends r0 again to partition 0",
            "producer sends r0 again to partition 1",
            "broker takes r0 for partition 0",
            "broker takes r0 for partition 1",
            "producer reads answer to r0 for partition 0",
            "producer reads answer to r0 for partition 1",
            "producer sends r1 to partition 1",
            "broker takes r1 for partition 1",
            "producer reads answer to r1 for partition 1",
        ],
    }],
};

/// Four sequences, so that 0 comes again soon. (Kafka has 2³¹.) The broker knows the producer.
const FOUR_SEQUENCES: Conditions = Conditions {
    in_flight: 2,
    in_flight_per: InFlightPer::Span,
    window: 2,
    connections: 1,
    batches: Budget::AtMost(6),
    sequence_modulus: Some(4),
    producer_state: ProducerKnown::Known,
    refusals_before_append: Budget::ONE,
    ..Conditions::KAFKA
};

/// Past the last sequence.
pub const WRAP: Scenario = Scenario {
    id: "wrap",
    title: "After the last number comes 0 again",
    shows: "Numbers are finite: here there are four, so that the fifth batch has number 0 again. (Kafka has two \
            thousand million.) The batch before the turn is refused for a passing reason. A client that compares \
            along the circle sends that one first; one that compares plain numbers takes 0 for the older batch, \
            sends it, is refused, and neither gets any further.",
    source: "kafka-facts 2.4",
    claims: &["plain-comparison-at-the-wrap", "modular-comparison-at-the-wrap"],
    acts: &[
        Act {
            title: "Compared along the circle",
            conditions: Conditions {
                client: &MODULAR,
                ..FOUR_SEQUENCES
            },
            before: &[],
            steps: &[
                "producer sends r1",
                "producer sends r2",
                "broker takes r1",
                "broker takes r2",
                "producer reads answer to r1",
                "producer reads answer to r2",
                "producer sends r3",
                "producer sends r4",
                "broker refuses r3 before the append",
                "broker takes r4",
                "producer reads answer to r3",
                "producer reads answer to r4",
                "producer sends r3 again",
                "broker takes r3",
                "producer reads answer to r3",
                "producer sends r4 again",
                "broker takes r4",
                "producer reads answer to r4",
            ],
        },
        Act {
            title: "Compared as plain numbers (Java client)",
            conditions: FOUR_SEQUENCES,
            before: &[],
            steps: &[
                "producer sends r1",
                "producer sends r2",
                "broker takes r1",
                "broker takes r2",
                "producer reads answer to r1",
                "producer reads answer to r2",
                "producer sends r3",
                "producer sends r4",
                "broker refuses r3 before the append",
                "broker takes r4",
                "producer reads answer to r3",
                "producer reads answer to r4",
                "producer sends r4 again",
                "broker takes r4",
                "producer reads answer to r4",
                "producer sends r4 again",
                "broker takes r4",
                "producer reads answer to r4",
            ],
        },
    ],
};
