//! A broker that restarts.

use crate::conditions::{Budget, Conditions, RestartKeeps};

use super::{Act, Scenario};

const RESTART: Conditions = Conditions {
    batches: Budget::AtMost(2),
    restarts: Budget::ONE,
    ..Conditions::KAFKA
};

/// Up to the retry that meets a broker which has just restarted.
macro_rules! retry_after_restart {
    ($($and_then:literal),* $(,)?) => {
        &[
            "producer sends r0",
            "producer sends r1",
            "broker takes r0",
            "broker takes r1",
            "broker restarts",
            "producer sends r0 again",
            "broker takes r0",
            "producer reads answer to r0",
            $($and_then),*
        ]
    };
}

/// See the head of this file.
pub const RESTARTED: Scenario = Scenario {
    id: "restart",
    title: "A restart forgets all but the newest batch",
    shows: "The broker writes two batches and restarts before it has answered. What it kept of the producer on disk \
            is the newest batch alone, so the retry of the older one looks out of order, the client starts to \
            number anew, and a record is written twice. A snapshot of all batches would have been enough.",
    source: "S1.10; kafka-facts H1",
    claims: &["restart-with-a-window-of-one", "restart-with-the-whole-window"],
    acts: &[
        Act {
            title: "Kafka's snapshot keeps the newest batch",
            conditions: RESTART,
            before: &[],
            steps: retry_after_restart![
                "producer sends r0 again",
                "broker takes r0",
                "producer reads answer to r0",
                "producer sends r1 again",
                "broker takes r1",
                "producer reads answer to r1",
            ],
        },
        Act {
            title: "A snapshot that keeps the whole window",
            conditions: Conditions {
                restart_keeps: RestartKeeps::All,
                ..RESTART
            },
            before: &[],
            steps: retry_after_restart![
                "producer sends r1 again",
                "broker takes r1",
                "producer reads answer to r1",
            ],
        },
    ],
};
