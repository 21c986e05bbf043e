//! What time takes away: a producer that is forgotten, a batch that waits too long.

use crate::conditions::{Budget, Conditions};

use super::{Act, Scenario};

/// The broker forgets a producer that has something to send again.
pub const EXPIRY: Scenario = Scenario {
    id: "expiry",
    title: "The broker forgets a producer that is still at work",
    shows: "Brokers forget producers that have been silent for a day, and tell the time by what is in the records. \
            A replay of old records can look like a long silence. The broker forgets the producer between a write \
            and its retry, takes the retry for the start of a new one, and writes the record again.",
    source: "S1.9; kafka-facts H6, H7",
    claims: &["expiry-by-client-time", "expiry-by-wall-clock"],
    acts: &[Act {
        title: "",
        conditions: Conditions {
            connections: 1,
            batches: Budget::ONE,
            expiries: Budget::ONE,
            ..Conditions::KAFKA
        },
        before: &[],
        steps: &[
            "producer sends r0",
            "broker takes r0",
            "connection breaks",
            "producer sends r0 again",
            "broker forgets the producer",
            "broker takes r0",
            "producer reads answer to r0",
        ],
    }],
};

/// With the producer the broker forgets its epoch.
pub const FORGOTTEN_FENCE: Scenario = Scenario {
    id: "forgotten-fence",
    title: "A forgotten epoch fences nothing",
    shows: "As in fencing a copy from an old epoch is on its way. But before it arrives the broker forgets the \
            producer, its epoch included. The old copy now looks like the start of an unknown producer, and is \
            written behind the new one.",
    source: "kafka-facts H7",
    claims: &["expiry-lets-a-zombie-in"],
    acts: &[Act {
        title: "",
        conditions: Conditions {
            in_flight: 2,
            window: 2,
            connections: 2,
            batches: Budget::AtMost(2),
            expiries: Budget::ONE,
            fatal_refusals: Budget::ONE,
            ..Conditions::KAFKA
        },
        before: &[],
        steps: &[
            "producer sends r0",
            "producer sends r1",
            "broker refuses r0 for good",
            "producer reads answer to r0",
            "connection breaks",
            "producer sends r1 again",
            "broker takes r1",
            "broker forgets the producer",
            "broker takes leftover r1",
        ],
    }],
};

/// A failure that is none.
pub const DELIVERY_TIMEOUT: Scenario = Scenario {
    id: "delivery-timeout",
    title: "A timeout that says failed, and a record that is there",
    shows: "The producer waits for an answer until delivery.timeout.ms is over, and tells the application that the \
            record has failed. The request is on its way all the same; the broker takes it and writes it. A timeout \
            means that nothing is known. An application that sends the record again writes it twice by itself.",
    source: "kafka-facts H14; KAFKA-13843",
    claims: &["delivery-timeout-means-unknown"],
    acts: &[Act {
        title: "",
        conditions: Conditions {
            connections: 2,
            batches: Budget::AtMost(2),
            delivery_timeouts: Budget::ONE,
            ..Conditions::KAFKA
        },
        before: &[],
        steps: &[
            "producer sends r0",
            "r0 runs out of time",
            "broker takes r0",
            "producer reads answer to r0",
        ],
    }],
};
