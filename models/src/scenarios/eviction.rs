//! A batch that falls out of the broker's memory while it is undecided.

use crate::conditions::{Budget, Conditions};

use super::{Act, Scenario};

/// See the head of this file.
pub const LEFT_BEHIND: Scenario = Scenario {
    id: "left-behind",
    title: "Left behind: one error answer, and a retry that is refused for ever",
    shows: "Never are more than five batches in flight, and the broker remembers five. But one of them is answered \
            with an error though it is written, and while it is sent again a batch behind it is acknowledged and \
            makes room for a sixth. When the connection breaks then, the first is out of the broker's memory: each \
            further retry is refused, and the client never stops to send it.",
    source: "docs/findings.md a; KAFKA-9199",
    claims: &["left-behind", "limit-from-the-lowest-undecided"],
    acts: &[Act {
        title: "",
        conditions: Conditions {
            connections: 2,
            batches: Budget::AtMost(6),
            errors_after_append: Budget::ONE,
            ..Conditions::KAFKA
        },
        before: &[],
        steps: &[
            "producer sends r0",
            "producer sends r1",
            "producer sends r2",
            "producer sends r3",
            "producer sends r4",
            "broker takes r0 and answers with an error",
            "broker takes r1",
            "broker takes r2",
            "broker takes r3",
            "broker takes r4",
            "producer reads answer to r0",
            "producer sends r0 again",
            "broker takes r0",
            "producer reads answer to r1",
            "producer sends r5",
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
