//! How many batches may be in flight: as many as the broker remembers, and one more.

use crate::conditions::{Budget, Conditions};

use super::{Act, Scenario};

/// Five in flight and a window of five.
pub const IN_FLIGHT_5: Scenario = Scenario {
    id: "in-flight-5",
    title: "Five in flight: every retry is recognised",
    shows: "The producer sends five batches without waiting for an answer, the broker writes all of them, and the \
            connection breaks before any answer arrives. The producer sends all five again. The broker remembers \
            its last five batches, finds each retry among them, and answers where the record stands already.",
    source: "S1.11, S2.4; kafka-facts 2.2",
    claims: &["in-flight-5"],
    acts: &[Act {
        title: "",
        conditions: Conditions {
            batches: Budget::AtMost(5),
            ..Conditions::KAFKA
        },
        before: &[],
        steps: &[
            "producer sends r0",
            "producer sends r1",
            "producer sends r2",
            "producer sends r3",
            "producer sends r4",
            "broker takes r0",
            "broker takes r1",
            "broker takes r2",
            "broker takes r3",
            "broker takes r4",
            "connection breaks",
            "producer sends r0 again",
            "broker takes r0",
            "producer reads answer to r0",
            "producer sends r1 again",
            "broker takes r1",
            "producer reads answer to r1",
            "producer sends r2 again",
            "broker takes r2",
            "producer reads answer to r2",
            "producer sends r3 again",
            "broker takes r3",
            "producer reads answer to r3",
            "producer sends r4 again",
            "broker takes r4",
            "producer reads answer to r4",
        ],
    }],
};

/// Six in flight and a window of five.
pub const IN_FLIGHT_6: Scenario = Scenario {
    id: "in-flight-6",
    title: "Six in flight: a record is written twice",
    shows: "As with five, but the sixth batch pushes the first out of the broker's memory. When the first is sent \
            again the broker no longer knows it and calls it out of order. The client takes that for data loss, \
            starts to number anew, and the broker writes the record a second time.",
    source: "S1.11; kafka-facts 2.2, Q1 B",
    claims: &["in-flight-6-writes-duplicates"],
    acts: &[Act {
        title: "",
        conditions: Conditions {
            in_flight: 6,
            batches: Budget::AtMost(6),
            ..Conditions::KAFKA
        },
        before: &[],
        steps: &[
            "producer sends r0",
            "producer sends r1",
            "producer sends r2",
            "producer sends r3",
            "producer sends r4",
            "producer sends r5",
            "broker takes r0",
            "broker takes r1",
            "broker takes r2",
            "broker takes r3",
            "broker takes r4",
            "broker takes r5",
            "connection breaks",
            "producer sends r0 again",
            "broker takes r0",
            "producer reads answer to r0",
            "producer sends r0 again",
            "broker takes r0",
            "producer reads answer to r0",
        ],
    }],
};
