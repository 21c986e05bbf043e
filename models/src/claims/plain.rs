//! A6: a plain and an idempotent producer under the same lost answer.

use retryproof_properties::PropertyId::{self, *};

use crate::conditions::{Budget, Conditions};
use crate::policies::PLAIN;

use super::{all_but, Claim};

/// One batch in flight, one disconnect.
const LOST_ANSWER: Conditions = Conditions {
    in_flight: 1,
    connections: 2,
    disconnects: Budget::AtMost(1),
    ..Conditions::KAFKA
};

pub(super) fn claims() -> Vec<Claim> {
    let plain = Conditions {
        client: &PLAIN,
        ..LOST_ANSWER
    };
    let plain_pipelined = Conditions {
        in_flight: 2,
        disconnects: Budget::Any,
        ..plain
    };
    vec![
        Claim::refuted(
            "plain-producer-writes-duplicates",
            "A6",
            "A producer without idempotence survives one lost answer without a duplicate",
            plain,
            &[NoDuplicate],
        )
        .from("S2.1, S3.4"),
        Claim::holds(
            "plain-producer-keeps-the-rest",
            "A6",
            "A producer without idempotence keeps the order of first copies on connections, and its \
             acknowledgements are true",
            plain_pipelined,
            &all_but(&[NoDuplicate]),
        )
        .from("S2.1"),
        Claim::refuted(
            "plain-producer-reorders",
            "A6",
            "A producer without idempotence keeps the order when one batch is refused for the moment",
            Conditions {
                refusals_before_append: Budget::ONE,
                ..plain_pipelined
            },
            &[PartitionOrder],
        )
        .from("S2.1, S2.4"),
        Claim::holds(
            "idempotent-producer-survives-a-lost-answer",
            "A6",
            "An idempotent producer survives one lost answer",
            LOST_ANSWER,
            PropertyId::ALL,
        )
        .from("S3.3"),
    ]
}
