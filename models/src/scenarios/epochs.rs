//! Epochs: what a new one protects from, and what it breaks.

use crate::conditions::{Budget, Conditions, InFlightPer};
use crate::rules::STRICT;

use super::{Act, Scenario};

/// Copies that come late, and no new epoch.
pub const LATE_COPIES: Scenario = Scenario {
    id: "late-copies",
    title: "Copies that arrive late are recognised",
    shows: "A connection breaks with two batches on it that the broker has not read yet. The producer sends the first \
            again, and it is written. Then the old connection's copies arrive after all: the first is recognised, \
            the second fits and is written, and when the producer sends that one again it is recognised too. \
            Numbers that stay with their batches are all that is needed.",
    source: "kafka-facts 2.2",
    claims: &["in-flight-5"],
    acts: &[Act {
        title: "",
        conditions: Conditions {
            connections: 2,
            batches: Budget::AtMost(2),
            ..Conditions::KAFKA
        },
        before: &[],
        steps: &[
            "producer sends r0",
            "producer sends r1",
            "connection breaks",
            "producer sends r0 again",
            "broker takes r0",
            "broker takes leftover r0",
            "broker takes leftover r1",
            "producer reads answer to r0",
            "producer sends r1 again",
            "broker takes r1",
            "producer reads answer to r1",
        ],
    }],
};

/// A stale epoch is refused.
pub const FENCING: Scenario = Scenario {
    id: "fencing",
    title: "Fencing: a copy from an old epoch is refused",
    shows: "A batch is refused for good, and the client raises its epoch: what follows is numbered from 0 under epoch \
            1. Then a copy under epoch 0 arrives from a connection that broke before. The broker has seen epoch 1 \
            and refuses everything older, so the copy is not written.",
    source: "S1.2; KIP-360",
    claims: &["patient-bump-with-leftovers"],
    acts: &[Act {
        title: "",
        conditions: Conditions {
            in_flight: 2,
            connections: 2,
            batches: Budget::AtMost(2),
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
            "broker takes leftover r1",
            "producer reads answer to r1",
        ],
    }],
};

/// A new epoch while a batch may be written.
pub const BUMP_WHILE_UNDECIDED: Scenario = Scenario {
    id: "bump-while-undecided",
    title: "A new epoch while a batch may be in the log",
    shows: "The first batch is written and answered with an error all the same, so the client means to send it again. \
            The second is refused for good, and for that the client raises its epoch and numbers everything anew, \
            the first batch too. The broker has never seen that number under the new epoch, and writes it again.",
    source: "KAFKA-14034; kafka-facts H4",
    claims: &["bump-while-undecided", "bump-of-what-is-nowhere"],
    acts: &[Act {
        title: "",
        conditions: Conditions {
            connections: 1,
            batches: Budget::AtMost(2),
            errors_after_append: Budget::ONE,
            fatal_refusals: Budget::ONE,
            ..Conditions::KAFKA
        },
        before: &[],
        steps: &[
            "producer sends r0",
            "producer sends r1",
            "broker takes r0 and answers with an error",
            "broker refuses r1 for good",
            "producer reads answer to r0",
            "producer reads answer to r1",
            "producer sends r0 again",
            "broker takes r0",
            "producer reads answer to r0",
        ],
    }],
};

/// A new epoch races what is left over of a dead connection.
pub const BUMP_RACES_LATE_COPIES: Scenario = Scenario {
    id: "bump-races-late-copies",
    title: "A new epoch races copies that are still on their way",
    shows: "A connection breaks, and a batch runs out of time: the application is told that it failed. The next one is \
            refused because its predecessor is missing, and the client will raise its epoch for that. Before it \
            does, the old connection's copies arrive and are written. Under the new epoch the second is written \
            once more, and the first, reported as failed, is in the log.",
    source: "kafka-facts H5",
    claims: &["bump-races-leftovers", "patient-bump-with-leftovers"],
    acts: &[Act {
        title: "",
        conditions: Conditions {
            in_flight_per: InFlightPer::Span,
            rule: &STRICT,
            connections: 2,
            batches: Budget::AtMost(4),
            delivery_timeouts: Budget::ONE,
            ..Conditions::KAFKA
        },
        before: &[],
        steps: &[
            "producer sends r0",
            "producer sends r1",
            "connection breaks",
            "r0 runs out of time",
            "producer sends r1 again",
            "broker takes r1",
            "broker takes leftover r0",
            "broker takes leftover r1",
            "producer reads answer to r1",
            "producer sends r1 again",
            "broker takes r1",
            "producer reads answer to r1",
        ],
    }],
};
