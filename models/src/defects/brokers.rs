//! Faults and designs of other brokers.

use retryproof_properties::PropertyId::*;

use crate::conditions::{AppendOrder, Budget, Conditions, Expiry, ProducerKnown, RestartKeeps};
use crate::rules::published::{CRABKA, HELIX, INKLESS_252, KFAKE, REDPANDA_3039, TANSU};

use super::worlds::{ONE, TWO};
use super::{Defect, Exhibit};

/// Two batches, and a connection that breaks.
const DISCONNECT: Conditions = Conditions {
    disconnects: Budget::ONE,
    batches: Budget::AtMost(2),
    ..ONE
};

/// The same in runs of any length.
const DISCONNECT_ANY: Conditions = Conditions {
    batches: Budget::Any,
    ..DISCONNECT
};

/// Two batches in flight, and a connection that breaks.
const DISCONNECT_TWO: Conditions = Conditions {
    disconnects: Budget::ONE,
    batches: Budget::AtMost(2),
    ..TWO
};

/// The broker may forget the producer while a batch waits to be sent again.
const FORGETTING: Conditions = Conditions {
    disconnects: Budget::ONE,
    expiries: Budget::ONE,
    ..ONE
};

/// The same with two batches in flight.
const FORGETTING_TWO: Conditions = Conditions {
    disconnects: Budget::ONE,
    expiries: Budget::ONE,
    ..TWO
};

/// The partition moves to another owner, which is a restart.
const MOVED: Conditions = Conditions {
    restarts: Budget::ONE,
    ..ONE
};

/// The same with two batches in flight.
const MOVED_TWO: Conditions = Conditions {
    restarts: Budget::ONE,
    ..TWO
};

/// Two sequences, three batches, and nothing goes wrong.
const WRAPPING: Conditions = Conditions {
    sequence_modulus: Some(2),
    batches: Budget::AtMost(3),
    ..ONE
};

/// An append fails between its two steps.
const FAILING_APPEND: Conditions = Conditions {
    rule: &TANSU,
    append_failures: Budget::ONE,
    batches: Budget::AtMost(1),
    ..ONE
};

/// The first of two batches of a known producer is refused.
const FIRST_REFUSED: Conditions = Conditions {
    producer_state: ProducerKnown::Known,
    refusals_before_append: Budget::ONE,
    batches: Budget::AtMost(3),
    ..TWO
};

pub(super) const DEFECTS: &[Defect] = &[
    Defect {
        id: "redpanda-3039",
        entry: Some("R01"),
        product: "Redpanda 21.10.1",
        title: "an exact retry is out of order",
        source: "known-faults R01; redpanda issues 3038 and 3039, PR 3040, Jepsen 21.10.1",
        exhibit: Exhibit::Caught {
            faulty: Conditions {
                rule: &REDPANDA_3039,
                ..DISCONNECT_ANY
            },
            caught_by: &[NoDuplicate, RetryRecognised],
            repaired: DISCONNECT_ANY,
        },
    },
    Defect {
        id: "redpanda-12712",
        entry: Some("R02"),
        product: "Redpanda before PR 12759",
        title: "a leader that is none any more refuses for good",
        source: "known-faults R02; redpanda issue 12712, PR 12759",
        exhibit: Exhibit::Later {
            reason: "it needs brokers that make sure that they still lead before they refuse for good",
        },
    },
    Defect {
        id: "redpanda-22670",
        entry: Some("R03"),
        product: "Redpanda before PR 22687",
        title: "a producer that was forgotten while idle is refused for ever",
        source: "known-faults R03; redpanda issue 22670, PR 22687",
        exhibit: Exhibit::NoProperty {
            reason: "what is refused is told truthfully as failed; that a producer serves on is asked by no property",
        },
    },
    Defect {
        id: "redpanda-3826",
        entry: Some("R04"),
        product: "Redpanda before PR 3824; Apache Kafka on topics with CreateTime",
        title: "expiry goes by the timestamps that the client chose",
        source: "known-faults R04; redpanda issue 3826, PR 3824, PR 12041",
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
        id: "redpanda-755a890e7a",
        entry: Some("R07"),
        product: "Redpanda before 352d369e95",
        title: "a producer with requests in flight is evicted under load",
        source: "known-faults R07; redpanda commits 755a890e7a, 1c17011d20, 352d369e95",
        exhibit: Exhibit::Caught {
            faulty: FORGETTING_TWO,
            caught_by: &[NoDuplicate, RetryRecognised],
            repaired: Conditions {
                expiry: Expiry::WallClock,
                ..FORGETTING_TWO
            },
        },
    },
    Defect {
        id: "redpanda-4ee6b02436",
        entry: Some("R08"),
        product: "Redpanda",
        title: "an iterator is not valid any more after a suspension",
        source: "known-faults R08; redpanda commit 4ee6b02436",
        exhibit: Exhibit::NotProtocol {
            reason: "threads: a broker here takes one request at a time, whole",
        },
    },
    Defect {
        id: "redpanda-90967b6f24",
        entry: Some("R09"),
        product: "Redpanda",
        title: "a lock is skipped when leadership was lost and won again",
        source: "known-faults R09; redpanda commit 90967b6f24",
        exhibit: Exhibit::NotProtocol {
            reason: "threads: a broker here takes one request at a time, whole",
        },
    },
    Defect {
        id: "redpanda-11949",
        entry: Some("R10"),
        product: "Redpanda",
        title: "DescribeProducers reports wrong fields",
        source: "known-faults R10; redpanda issue 11949",
        exhibit: Exhibit::NotProtocol {
            reason: "observability: nobody in a world asks for it",
        },
    },
    Defect {
        id: "redpanda-5026",
        entry: Some("C17"),
        product: "Redpanda before PR 5026",
        title: "a sequence is used again after an abort and answered as a duplicate",
        source: "known-faults C17; redpanda PR 5026, issue 4261",
        exhibit: Exhibit::NotProtocol {
            reason: "transactions: aborts are not modelled; without them it is librdkafka-3712",
        },
    },
    Defect {
        id: "kfake-dced7214",
        entry: Some("F02"),
        product: "kfake, the test broker of franz-go",
        title: "a duplicate is answered without its offset, which reads 0",
        source: "known-faults F02; twmb/franz-go commit dced7214",
        exhibit: Exhibit::Caught {
            faulty: Conditions {
                rule: &KFAKE,
                ..DISCONNECT
            },
            caught_by: &[AckTruthful, DuplicateAnswerTruthful],
            repaired: DISCONNECT,
        },
    },
    Defect {
        id: "kfake-3825bbc1",
        entry: Some("F03"),
        product: "kfake, the test broker of franz-go",
        title: "the producer state outlives its topic",
        source: "known-faults F03; twmb/franz-go commit 3825bbc1",
        exhibit: Exhibit::NotProtocol {
            reason: "topics that are deleted and made again: a world has one log from beginning to end",
        },
    },
    Defect {
        id: "inkless-252",
        entry: Some("I01"),
        product: "inkless before PR 252",
        title: "a duplicate is looked for in the whole history",
        source: "known-faults I01; aiven/inkless PR 252, issue 120",
        exhibit: Exhibit::Caught {
            faulty: Conditions {
                rule: &INKLESS_252,
                ..WRAPPING
            },
            caught_by: &[AckTruthful, DuplicateAnswerTruthful],
            repaired: WRAPPING,
        },
    },
    Defect {
        id: "kop-912",
        entry: Some("K01"),
        product: "KoP",
        title: "the producer state is in memory only and is gone when the partition moves",
        source: "known-faults K01, B16; streamnative/kop issues 912, 960, 1923",
        exhibit: Exhibit::Caught {
            faulty: Conditions {
                restart_keeps: RestartKeeps::Nothing,
                ..MOVED
            },
            caught_by: &[NoDuplicate],
            repaired: Conditions {
                restart_keeps: RestartKeeps::All,
                ..MOVED
            },
        },
    },
    Defect {
        id: "automq-437",
        entry: None,
        product: "AutoMQ before PR 438",
        title: "the window is empty when a partition was reassigned",
        source: "known-faults B16; AutoMQ issue 437, PR 438",
        exhibit: Exhibit::Caught {
            faulty: Conditions {
                restart_keeps: RestartKeeps::Nothing,
                ..MOVED_TWO
            },
            caught_by: &[NoDuplicate, LogIsFold],
            repaired: Conditions {
                restart_keeps: RestartKeeps::All,
                ..MOVED_TWO
            },
        },
    },
    Defect {
        id: "nisshi-939be10",
        entry: Some("N01"),
        product: "nisshi, formerly tansu, on an object store",
        title: "the next sequence is stored before the data",
        source: "known-faults N01; nisshi-storage dynostore at 939be10, read from source",
        exhibit: Exhibit::Caught {
            faulty: Conditions {
                append_order: AppendOrder::StateFirst,
                ..FAILING_APPEND
            },
            caught_by: &[AckTruthful, LogIsFold],
            repaired: FAILING_APPEND,
        },
    },
    Defect {
        id: "tansu",
        entry: None,
        product: "tansu, now nisshi",
        title: "the counter of a producer never wraps",
        source: "known-faults N01 and table of designs; read from source at 939be10",
        exhibit: Exhibit::Caught {
            faulty: Conditions {
                rule: &TANSU,
                ..WRAPPING
            },
            caught_by: &[AckTruthful, DuplicateAnswerTruthful],
            repaired: WRAPPING,
        },
    },
    Defect {
        id: "helix",
        entry: None,
        product: "helix, 2026-01",
        title: "a small gap is written, and what should have filled it is written behind it",
        source: "known-faults, table of designs",
        exhibit: Exhibit::Caught {
            faulty: Conditions {
                rule: &HELIX,
                ..FIRST_REFUSED
            },
            caught_by: &[PartitionOrder, GapRejected, SequencePerPartition],
            repaired: FIRST_REFUSED,
        },
    },
    Defect {
        id: "crabka",
        entry: None,
        product: "crabka, first version",
        title: "whatever is at or below the last sequence is answered with the newest offset",
        source: "known-faults, table of designs",
        exhibit: Exhibit::Caught {
            faulty: Conditions {
                rule: &CRABKA,
                ..DISCONNECT_TWO
            },
            caught_by: &[AckTruthful, DuplicateAnswerTruthful],
            repaired: DISCONNECT_TWO,
        },
    },
    Defect {
        id: "bufstream-0.1.0",
        entry: Some("N03"),
        product: "Bufstream 0.1.0",
        title: "acknowledged writes are lost, and offsets of 0 are told",
        source: "known-faults N03; Jepsen, Bufstream 0.1.0; KAFKA-17754",
        exhibit: Exhibit::NotProtocol {
            reason: "several faults of a store and of transactions, reported without their events; its lessons are the network unordered and kfake-dced7214",
        },
    },
    Defect {
        id: "ydb-19678",
        entry: Some("N04"),
        product: "YDB topics",
        title: "deduplication by producer id gets the semantics of Kafka",
        source: "known-faults N04; ydb-platform/ydb PR 19678",
        exhibit: Exhibit::NotProtocol {
            reason: "a list of cases to test, no fault",
        },
    },
];
