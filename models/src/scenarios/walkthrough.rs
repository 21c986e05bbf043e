//! The walkthrough: two producers face the same lost answer, and then a batch is missing.

use crate::conditions::{Budget, Conditions};
use crate::policies::{PLAIN, STOP};

use super::{Act, Scenario};

/// An idempotent producer (p0) and a plain one (p1) write to one partition.
const TWO_PRODUCERS: Conditions = Conditions {
    in_flight: 2,
    batches: Budget::AtMost(4),
    producers: 2,
    second_client: Some(&PLAIN),
    delivery_timeouts: Budget::ONE,
    ..Conditions::KAFKA
};

/// The same lost answer for both.
const LOST_ANSWERS: &[&str] = &[
    "p0 sends r0",
    "broker takes r0 of p0",
    "connection of p0 breaks",
    "p0 sends r0 again",
    "broker takes r0 of p0",
    "p0 reads answer to r0",
    "p1 sends r0",
    "broker takes r0 of p1",
    "connection of p1 breaks",
    "p1 sends r0 again",
    "broker takes r0 of p1",
    "p1 reads answer to r0",
];

/// What follows for the idempotent producer, up to the answer that both clients read.
macro_rules! a_batch_is_missing {
    ($($and_then:literal),* $(,)?) => {
        &[
            "p0 sends r1",
            "p0 sends r2",
            "connection of p0 breaks",
            "network loses leftover r1, r2 of p0",
            "r1 of p0 runs out of time",
            "p0 sends r2 again",
            "broker takes r2 of p0",
            "p0 reads answer to r2",
            $($and_then),*
        ]
    };
}

/// See the head of this file.
///
/// S3.2 to S3.4 with their offsets 0, 1 and 2, then S3.5: in that text a transactional
/// producer stops; here the client that stops is librdkafka's, or Java's up to 2.4.
pub const DEDUP_AGAINST_PLAIN: Scenario = Scenario {
    id: "dedup-against-plain",
    title: "An idempotent producer beside a plain one",
    shows: "A producer that gets no answer cannot know whether its record was written, so it sends it again. \
            The idempotent producer numbers its batches, and the broker drops the one it has already; the plain \
            producer's record stands in the log twice. Then a batch never reaches the broker, which refuses the \
            next one because a number is missing: one client starts to count anew, another gives up.",
    source: "S3.1–S3.5",
    claims: &["plain-producer-writes-duplicates", "idempotent-producer-survives-a-lost-answer"],
    acts: &[
        Act {
            title: "The same lost answer",
            conditions: TWO_PRODUCERS,
            before: &[],
            steps: LOST_ANSWERS,
        },
        Act {
            title: "A batch is missing: the 4.x client raises its epoch and goes on",
            conditions: TWO_PRODUCERS,
            before: LOST_ANSWERS,
            steps: a_batch_is_missing![
                "p0 sends r2 again",
                "broker takes r2 of p0",
                "p0 reads answer to r2",
                "p0 sends r3",
                "broker takes r3 of p0",
                "p0 reads answer to r3",
            ],
        },
        Act {
            title: "A batch is missing: librdkafka, or a Java client up to 2.4, stops",
            conditions: Conditions {
                client: &STOP,
                ..TWO_PRODUCERS
            },
            before: LOST_ANSWERS,
            steps: a_batch_is_missing![],
        },
    ],
};
