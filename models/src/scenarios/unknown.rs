//! The first batches of a producer that the broker does not know yet.

use crate::conditions::{Budget, Conditions, InFlightPer};
use crate::rules::{BUFFERING, KAFKA_4_5, STRICT};

use super::{Act, Scenario};

/// One batch is refused before anything is done, as when a replica is missing for a moment.
const REFUSED_ONCE: Conditions = Conditions {
    in_flight_per: InFlightPer::Span,
    connections: 2,
    batches: Budget::AtMost(2),
    refusals_before_append: Budget::ONE,
    ..Conditions::KAFKA
};

/// The second batch overtakes the first.
pub const FIRST_BATCH_OVERTAKEN: Scenario = Scenario {
    id: "first-batch-overtaken",
    title: "The first batch of an unknown producer is overtaken",
    shows: "Kafka 2.5 to 4.4 lets a producer that it does not know start at any number. The first batch is refused \
            for a passing reason, the second, already on its way, is taken for the start. Now the first comes too \
            late: it is refused, then written behind the second under a new count, and so is the second, again. \
            Kafka 4.5 asks for number 0 on a log that never held a record.",
    source: "kafka-facts H3; KAFKA-15591",
    claims: &["unknown-producer", "unknown-producer-4.5"],
    acts: &[
        Act {
            title: "Kafka 2.5 to 4.4: any first number",
            conditions: REFUSED_ONCE,
            before: &[],
            steps: &[
                "producer sends r0",
                "producer sends r1",
                "broker refuses r0 before the append",
                "broker takes r1",
                "connection breaks",
                "producer sends r0 again",
                "broker takes r0",
                "producer reads answer to r0",
                "producer sends r0 again",
                "broker takes r0",
                "producer reads answer to r0",
                "producer sends r1 again",
                "broker takes r1",
            ],
        },
        Act {
            title: "Kafka 4.5: number 0 on a log that never held a record",
            conditions: Conditions {
                rule: &KAFKA_4_5,
                ..REFUSED_ONCE
            },
            before: &[],
            steps: &[
                "producer sends r0",
                "producer sends r1",
                "broker refuses r0 before the append",
                "broker takes r1",
                "connection breaks",
                "producer sends r0 again",
                "broker takes r0",
                "producer reads answer to r0",
                "producer sends r1 again",
                "broker takes r1",
                "producer reads answer to r1",
            ],
        },
    ],
};

/// A batch from the future, kept or refused.
pub const BUFFERED_GAP: Scenario = Scenario {
    id: "buffered-gap",
    title: "A batch from the future: kept until the gap is filled, or refused",
    shows: "One text says that a broker keeps a batch whose predecessor is missing. No Kafka broker does; it refuses \
            the batch and leaves it to the client to send it again. Both ways end with the same log. Keeping costs \
            the broker memory, refusing costs the client a second request.",
    source: "S2.5",
    claims: &[],
    acts: &[
        Act {
            title: "Rule buffering: kept",
            conditions: Conditions {
                rule: &BUFFERING,
                ..REFUSED_ONCE
            },
            before: &[],
            steps: &[
                "producer sends r0",
                "producer sends r1",
                "broker refuses r0 before the append",
                "broker takes r1",
                "producer reads answer to r0",
                "producer sends r0 again",
                "broker takes r0",
                "producer reads answer to r0",
                "producer reads answer to r1",
            ],
        },
        Act {
            title: "Rule strict: refused",
            conditions: Conditions {
                rule: &STRICT,
                ..REFUSED_ONCE
            },
            before: &[],
            steps: &[
                "producer sends r0",
                "producer sends r1",
                "broker refuses r0 before the append",
                "broker takes r1",
                "producer reads answer to r0",
                "producer reads answer to r1",
                "producer sends r0 again",
                "broker takes r0",
                "producer reads answer to r0",
                "producer sends r1 again",
                "broker takes r1",
                "producer reads answer to r1",
            ],
        },
    ],
};
