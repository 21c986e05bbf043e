//! Faults of Apache Kafka's broker.
//!
//! known-faults expects of kafka-15591 that order is lost. It is not, with the Java client:
//! the first batch is retried for ever and never written, so what breaks is that it is
//! decided.

use retryproof_properties::PropertyId::*;

use crate::conditions::{
    AppendOrder, Budget, Conditions, Expiry, InFlightPer, Replicas, RestartKeeps,
};
use crate::policies::published::FLUSS_2826_REPAIRED;
use crate::rules::published::KAFKA_2_1;
use crate::rules::{KAFKA_0_11, KAFKA_1_1, KAFKA_4, KAFKA_4_5, STRICT};

use super::worlds::{ONE, TWO, TWO_BROKERS};
use super::{Defect, Exhibit};

/// The first batch of a new producer is refused, the second is there.
const FIRST_REFUSED: Conditions = Conditions {
    refusals_before_append: Budget::ONE,
    ..TWO
};

/// An answer says nothing of its batch, and later the connection breaks.
const UNANSWERED: Conditions = Conditions {
    connections: 2,
    disconnects: Budget::ONE,
    errors_after_append: Budget::ONE,
    ..TWO
};

/// A follower has nothing of what the producer wrote before (here: it has forgotten it).
const LATE_FOLLOWER: Conditions = Conditions {
    rule: &KAFKA_0_11,
    expiries: Budget::ONE,
    ..TWO_BROKERS
};

/// Each replica forgets an idle producer at a moment of its own.
const FORGETFUL_FOLLOWER: Conditions = Conditions {
    rule: &STRICT,
    expiry: Expiry::WallClock,
    expiries: Budget::ONE,
    ..TWO_BROKERS
};

/// An append fails between its two steps.
const FAILING_APPEND: Conditions = Conditions {
    append_failures: Budget::ONE,
    batches: Budget::AtMost(2),
    ..ONE
};

/// The broker restarts once.
const RESTART: Conditions = Conditions {
    restarts: Budget::ONE,
    ..ONE
};

/// The broker may forget the producer while a batch waits to be sent again.
const FORGETTING: Conditions = Conditions {
    disconnects: Budget::ONE,
    expiries: Budget::ONE,
    ..ONE
};

pub(super) const DEFECTS: &[Defect] = &[
    Defect {
        id: "kafka-15591",
        entry: Some("B01"),
        product: "Apache Kafka 2.5–4.4, AutoMQ, Fluss",
        title: "the second batch founds a new producer's state after the first was refused",
        source: "known-faults B01; KAFKA-15591, apache/kafka PR 23234, AutoMQ issue 584",
        exhibit: Exhibit::Caught {
            faulty: Conditions {
                rule: &KAFKA_4,
                ..FIRST_REFUSED
            },
            caught_by: &[GapRejected, SequencePerPartition, EveryBatchDecided],
            repaired: Conditions {
                rule: &KAFKA_4_5,
                ..FIRST_REFUSED
            },
        },
    },
    Defect {
        id: "kafka-9199",
        entry: Some("B02"),
        product: "Apache Kafka 1.0–4.x with its Java client",
        title: "acknowledged batches free room in the in-flight limit and push an undecided one out of the window",
        source: "known-faults B02; KAFKA-9199, apache/kafka PR 19644 (KAFKA-18905)",
        exhibit: Exhibit::Caught {
            faulty: UNANSWERED,
            caught_by: &[RetryRecognised, EveryBatchDecided],
            repaired: Conditions {
                in_flight_per: InFlightPer::Span,
                ..UNANSWERED
            },
        },
    },
    Defect {
        id: "fluss-2826",
        entry: None,
        product: "Fluss, Fluss Rust client",
        title: "the client does not see that out of order below an acknowledged batch is a success",
        source: "known-faults B02; apache/fluss PR 2827, apache/fluss-rust PR 448",
        exhibit: Exhibit::Caught {
            faulty: Conditions {
                rule: &STRICT,
                batches: Budget::AtMost(4),
                ..UNANSWERED
            },
            caught_by: &[EveryBatchDecided],
            repaired: Conditions {
                rule: &STRICT,
                batches: Budget::AtMost(4),
                client: &FLUSS_2826_REPAIRED,
                ..UNANSWERED
            },
        },
    },
    Defect {
        id: "fluss-2826-at-kafka-4",
        entry: None,
        product: "a client with the repair of fluss-2826, at Apache Kafka 2.5–4.4",
        title: "a batch that was never written is out of order below an acknowledged one, and counts as a success",
        source: "ours: the repair of fluss-2826 meets kafka-15591 (known-faults B02, B01)",
        exhibit: Exhibit::Caught {
            faulty: Conditions {
                client: &FLUSS_2826_REPAIRED,
                batches: Budget::AtMost(2),
                ..FIRST_REFUSED
            },
            caught_by: &[AckTruthful, GapRejected, SequencePerPartition],
            repaired: Conditions {
                client: &FLUSS_2826_REPAIRED,
                batches: Budget::AtMost(2),
                rule: &KAFKA_4_5,
                ..FIRST_REFUSED
            },
        },
    },
    Defect {
        id: "kafka-6683",
        entry: Some("B03"),
        product: "Apache Kafka 1.0.0–1.0.1",
        title: "the producer state changes before the batch is in the log",
        source: "known-faults B03; KAFKA-6683, apache/kafka PR 4755",
        exhibit: Exhibit::Caught {
            faulty: Conditions {
                append_order: AppendOrder::StateFirst,
                ..FAILING_APPEND
            },
            caught_by: &[AckTruthful, DuplicateAnswerTruthful, LogIsFold, GapRejected, SequencePerPartition],
            repaired: FAILING_APPEND,
        },
    },
    Defect {
        id: "kafka-7692",
        entry: Some("B05"),
        product: "Apache Kafka 1.0–2.1.0",
        title: "a duplicate's offset is computed from sequences as if they did not wrap",
        source: "known-faults B05; KAFKA-7692, KAFKA-7693",
        exhibit: Exhibit::Caught {
            faulty: Conditions {
                rule: &KAFKA_2_1,
                ..ACROSS_THE_WRAP
            },
            caught_by: &[AckTruthful, DuplicateAnswerTruthful],
            repaired: ACROSS_THE_WRAP,
        },
    },
    Defect {
        id: "kafka-6003",
        entry: Some("B06"),
        product: "Apache Kafka 0.11.0.0–0.11.0.1",
        title: "followers judge what the leader wrote",
        source: "known-faults B06; KAFKA-6003, apache/kafka PR 4004, KAFKA-6016",
        exhibit: Exhibit::Caught {
            faulty: Conditions {
                replicas: Replicas::Judge,
                ..LATE_FOLLOWER
            },
            caught_by: &[EveryBatchDecided],
            repaired: LATE_FOLLOWER,
        },
    },
    Defect {
        id: "fluss-1624",
        entry: Some("B07"),
        product: "Fluss; in a milder form Apache Kafka",
        title: "leader and follower forget a writer at different moments",
        source: "known-faults B07; apache/fluss issue 1624, PR 1639, issues 1383 and 2188",
        exhibit: Exhibit::Caught {
            faulty: Conditions {
                replicas: Replicas::Judge,
                ..FORGETFUL_FOLLOWER
            },
            caught_by: &[EveryBatchDecided],
            repaired: FORGETFUL_FOLLOWER,
        },
    },
    Defect {
        id: "kafka-7190",
        entry: Some("B08"),
        product: "Apache Kafka 0.11–2.3",
        title: "retention takes a producer's state away with its records",
        source: "known-faults B08; KAFKA-7190, KAFKA-5793, KIP-360",
        exhibit: Exhibit::Caught {
            faulty: Conditions {
                rule: &KAFKA_1_1,
                ..FORGETTING
            },
            caught_by: &[NoDuplicate, RetryRecognised],
            repaired: Conditions {
                rule: &KAFKA_1_1,
                expiry: Expiry::WallClock,
                ..FORGETTING
            },
        },
    },
    Defect {
        id: "kafka-7298",
        entry: Some("B09"),
        product: "Apache Kafka up to 2.0.0",
        title: "only a transaction marker is left of a producer",
        source: "known-faults B09; KAFKA-7298",
        exhibit: Exhibit::NotProtocol {
            reason: "transactions: markers are not modelled",
        },
    },
    Defect {
        id: "kafka-9144",
        entry: Some("B10"),
        product: "Apache Kafka up to 2.4.0",
        title: "expiry looks at data only, so the coordinator's epoch goes back",
        source: "known-faults B10; KAFKA-9144",
        exhibit: Exhibit::NotProtocol {
            reason: "transactions: markers and coordinator epochs are not modelled",
        },
    },
    Defect {
        id: "kafka-8335",
        entry: Some("B11"),
        product: "Apache Kafka up to 2.3, Redpanda",
        title: "compaction keeps the wrong batch as a producer's last",
        source: "known-faults B11; KAFKA-8335, KAFKA-7385, KAFKA-7467",
        exhibit: Exhibit::NotProtocol {
            reason: "compaction: records are never taken out of a world's log",
        },
    },
    Defect {
        id: "kafka-9892",
        entry: Some("B12"),
        product: "Apache Kafka up to 2.7",
        title: "a restart after a torn snapshot starts from no state instead of an older snapshot",
        source: "known-faults B12; KAFKA-9892, KAFKA-17181",
        exhibit: Exhibit::Caught {
            faulty: Conditions {
                restart_keeps: RestartKeeps::Nothing,
                ..RESTART
            },
            caught_by: &[NoDuplicate],
            repaired: RESTART,
        },
    },
    Defect {
        id: "kafka-5249",
        entry: Some("B13"),
        product: "Apache Kafka 0.11, Fluss",
        title: "a snapshot has the name of another offset, so a restart does not replay the newest batch",
        source: "known-faults B13; KAFKA-5249, apache/fluss issue 732",
        exhibit: Exhibit::Caught {
            faulty: Conditions {
                restart_keeps: RestartKeeps::AllButNewest,
                batches: Budget::AtMost(2),
                ..RESTART
            },
            caught_by: &[NoDuplicate],
            repaired: Conditions {
                batches: Budget::AtMost(2),
                ..RESTART
            },
        },
    },
    Defect {
        id: "kafka-10832",
        entry: Some("B14"),
        product: "Apache Kafka up to 2.7",
        title: "recovery of old segments writes into the live state manager",
        source: "known-faults B14; KAFKA-10832",
        exhibit: Exhibit::NotProtocol {
            reason: "the inside of a store: a world has no segments; what it leads to, a state that is not the fold of the log, is kafka-5249",
        },
    },
    Defect {
        id: "kafka-5186",
        entry: Some("B15"),
        product: "Apache Kafka 0.11–4.x",
        title: "a clean stop without snapshot files is taken for an upgrade and starts from no state",
        source: "known-faults B15; KAFKA-5186, KAFKA-5435",
        exhibit: Exhibit::Caught {
            faulty: Conditions {
                rule: &KAFKA_1_1,
                restart_keeps: RestartKeeps::Nothing,
                ..RESTART
            },
            caught_by: &[NoDuplicate, RetryRecognised, LogIsFold],
            repaired: Conditions {
                rule: &KAFKA_1_1,
                ..RESTART
            },
        },
    },
    Defect {
        id: "kafka-snapshot-v1",
        entry: Some("B16"),
        product: "Apache Kafka 1.0–4.x",
        title: "a snapshot holds the newest batch of a producer only",
        source: "known-faults B16; snapshot schema version 1, read from source",
        exhibit: Exhibit::Caught {
            faulty: Conditions {
                restarts: Budget::ONE,
                ..TWO
            },
            caught_by: &[NoDuplicate, RetryRecognised, LogIsFold],
            repaired: Conditions {
                restarts: Budget::ONE,
                restart_keeps: RestartKeeps::All,
                ..TWO
            },
        },
    },
    Defect {
        id: "kafka-14561",
        entry: Some("B18"),
        product: "Apache Kafka 3.5–3.6 with transactions",
        title: "a later batch passes verification first and founds a new producer's state",
        source: "known-faults B18; KAFKA-14561, KAFKA-14904, KAFKA-14920, KAFKA-18202",
        exhibit: Exhibit::Caught {
            faulty: FIRST_REFUSED,
            caught_by: &[GapRejected, SequencePerPartition, EveryBatchDecided],
            repaired: Conditions {
                rule: &STRICT,
                ..FIRST_REFUSED
            },
        },
    },
    Defect {
        id: "kafka-19999",
        entry: Some("B19"),
        product: "Apache Kafka 4.0–4.1 with transactions",
        title: "a marker that is sent again is refused by the epoch it brought itself",
        source: "known-faults B19; KAFKA-18202, KAFKA-19690, KAFKA-19999",
        exhibit: Exhibit::NotProtocol {
            reason: "transactions: markers are not modelled; that a first batch must start at 0 is the rule strict",
        },
    },
    Defect {
        id: "kafka-7866",
        entry: Some("B22"),
        product: "Apache Kafka up to 2.2.0",
        title: "the log end offset stays behind when a later step of an append fails",
        source: "known-faults B22; KAFKA-7866",
        exhibit: Exhibit::Caught {
            faulty: Conditions {
                append_order: AppendOrder::EndLast,
                ..FAILING_APPEND
            },
            caught_by: &[LogIsFold, AckTruthful],
            repaired: FAILING_APPEND,
        },
    },
    Defect {
        id: "kafka-15653",
        entry: Some("B23"),
        product: "Apache Kafka 3.6.0",
        title: "a callback runs with the buffers of another thread",
        source: "known-faults B23; KAFKA-15653",
        exhibit: Exhibit::NotProtocol {
            reason: "threads: a broker here takes one request at a time, whole",
        },
    },
    Defect {
        id: "kafka-14097",
        entry: Some("B24"),
        product: "Apache Kafka 1.0–4.x; Redpanda",
        title: "memory is bounded by forgetting producers that may still send a batch again",
        source: "known-faults B24; KAFKA-14097 (KIP-854), KIP-936, KAFKA-16229",
        exhibit: Exhibit::Caught {
            faulty: FORGETTING,
            caught_by: &[NoDuplicate],
            repaired: Conditions {
                expiry: Expiry::WallClock,
                ..FORGETTING
            },
        },
    },
    Defect {
        id: "kafka-19821",
        entry: Some("B25"),
        product: "Apache Kafka",
        title: "one duplicate among several batches of an append skips them all",
        source: "known-faults B25; KAFKA-19821, KAFKA-5121",
        exhibit: Exhibit::NotProtocol {
            reason: "appends of several batches: a producer sends one for each partition",
        },
    },
    Defect {
        id: "kafka-14467",
        entry: Some("B26"),
        product: "Apache Kafka with tiered storage",
        title: "a snapshot fetched from the remote tier is gone before it is read",
        source: "known-faults B26; KAFKA-14467 (apache/kafka PR 14652), KAFKA-13369, KAFKA-16399",
        exhibit: Exhibit::Caught {
            faulty: Conditions {
                restart_keeps: RestartKeeps::Nothing,
                restarts: Budget::ONE,
                ..TWO
            },
            caught_by: &[NoDuplicate, LogIsFold],
            repaired: Conditions {
                restart_keeps: RestartKeeps::All,
                restarts: Budget::ONE,
                ..TWO
            },
        },
    },
    Defect {
        id: "kafka-19012",
        entry: Some("B28"),
        product: "Java client 2.8–4.1",
        title: "a buffer goes back to the pool while it is being sent",
        source: "known-faults B28; KAFKA-19012",
        exhibit: Exhibit::NotProtocol {
            reason: "memory: a request here holds the records it says it holds",
        },
    },
];

/// The second batch of two records straddles the wrap.
const ACROSS_THE_WRAP: Conditions = Conditions {
    sequence_modulus: Some(3),
    records_per_batch: 2,
    batches: Budget::AtMost(2),
    disconnects: Budget::ONE,
    ..ONE
};
