//! B2 and B11: one leader, acks=all, clean elections; replicas that never judge; state that
//! is forgotten by one replica and not by another.

use retryproof_properties::PropertyId::{self, *};

use crate::claims::{all_but, Claim};
use crate::conditions::{
    Acks, Budget, Conditions, Election, Expiry, InFlightPer, ProducerKnown, Replicas, RestartKeeps,
};
use crate::policies::HARDENED as CLIENT;
use crate::rules::{HARDENED as RULE, KAFKA_4_5, STRICT};

use super::SMALL;

/// Two brokers; the leader moves once. The broker knows the producer: its first batch is
/// acknowledged at the start.
const MOVES: Conditions = Conditions {
    brokers: 2,
    leader_moves: Budget::ONE,
    disconnects: Budget::AtMost(2),
    batches: Budget::AtMost(4),
    producer_state: ProducerKnown::Known,
    ..SMALL
};

const fn counted(per: InFlightPer, world: Conditions) -> Conditions {
    Conditions {
        in_flight_per: per,
        ..world
    }
}

/// The limit counts from the lowest undecided batch; one connection breaks, three batches.
const SPAN: Conditions = Conditions {
    disconnects: Budget::ONE,
    batches: Budget::AtMost(3),
    ..counted(InFlightPer::Span, MOVES)
};

pub(super) fn claims() -> Vec<Claim> {
    [limit(), unaware(), failover(), lost(), replicas()].concat()
}

fn limit() -> Vec<Claim> {
    vec![
        Claim::refuted(
            "leader-move-small",
            "B2",
            "With a limit per connection the leader may move, 2 in flight",
            MOVES,
            &[NoDuplicate, RetryRecognised, EveryBatchDecided],
        )
        .from("kafka-facts H2 (ran S3, S10)"),
        Claim::refuted(
            "leader-move",
            "B2",
            "With a limit per connection the leader may move, 5 in flight",
            Conditions {
                in_flight: 5,
                window: 5,
                batches: Budget::AtMost(7),
                disconnects: Budget::ONE,
                ..MOVES
            },
            &[RetryRecognised, EveryBatchDecided],
        )
        .from("kafka-facts H2 (ran S3, S10)"),
        Claim::holds(
            "leader-move-keeps-the-rest",
            "B2",
            "Order and truthful acknowledgements survive it",
            MOVES,
            &all_but(&[NoDuplicate, RetryRecognised, EveryBatchDecided]),
        )
        .from("kafka-facts H2"),
        Claim::refuted(
            "leader-move-limit-per-partition",
            "B2",
            "A limit that counts undecided batches per partition is enough",
            counted(InFlightPer::Partition, MOVES),
            &[RetryRecognised, EveryBatchDecided],
        )
        .from("found by the model; kafka-facts H2"),
        Claim::holds(
            "leader-move-limit-per-partition-writes-no-duplicate",
            "B2",
            "It writes no duplicate",
            counted(InFlightPer::Partition, MOVES),
            &all_but(&[RetryRecognised, EveryBatchDecided]),
        )
        .from("kafka-facts H2"),
        Claim::holds(
            "leader-move-limit-from-the-lowest",
            "B2",
            "A limit that counts from the lowest undecided batch is enough for one leader move",
            counted(InFlightPer::Span, MOVES),
            PropertyId::ALL,
        )
        .from("ours"),
        Claim::holds(
            "leader-move-1-in-flight",
            "B2",
            "With 1 in flight, counted per partition as the Java client does then, it may move twice",
            Conditions {
                in_flight: 1,
                leader_moves: Budget::AtMost(2),
                ..MOVES
            },
            PropertyId::ALL,
        )
        .from("kafka-facts S8"),
    ]
}

/// The leader moves away and back; the one in between does not know that it is deposed.
const AWAY_AND_BACK: Conditions = Conditions {
    leader_moves: Budget::AtMost(2),
    ..SPAN
};

fn unaware() -> Vec<Claim> {
    vec![
        Claim::refuted(
            "deposed-leader-judges",
            "B2",
            "The answer of a leader that is none any more, and does not know it, does no harm",
            AWAY_AND_BACK,
            &[NoDuplicate, RetryRecognised],
        )
        .from("found by the model; known-faults R02"),
        Claim::holds(
            "deposed-leader-and-a-hardened-client",
            "B2",
            "A client that renumbers only batches that are nowhere writes no duplicate then",
            Conditions {
                client: &CLIENT,
                rule: &RULE,
                ..AWAY_AND_BACK
            },
            &all_but(&[RetryRecognised]),
        )
        .from("ours"),
    ]
}

fn failover() -> Vec<Claim> {
    let new = Conditions {
        producer_state: ProducerKnown::New,
        ..SPAN
    };
    let pair = Conditions {
        batches: Budget::AtMost(2),
        rule: &STRICT,
        ..new
    };
    vec![
        Claim::holds(
            "clean-failover",
            "H",
            "One clean failover with a follower that lags behind breaks nothing where the limit counts \
             from the lowest undecided batch",
            SPAN,
            PropertyId::ALL,
        )
        .from("kafka-facts H11"),
        Claim::holds(
            "clean-failover-3-brokers",
            "H",
            "The same among three brokers",
            Conditions { brokers: 3, ..SPAN },
            PropertyId::ALL,
        )
        .from("kafka-facts H11"),
        Claim::holds(
            "clean-failover-two-partitions",
            "H",
            "The same for a producer that writes to two partitions",
            Conditions {
                partitions: 2,
                ..pair
            },
            PropertyId::ALL,
        )
        .deep()
        .from("kafka-facts H11"),
        Claim::holds(
            "clean-failover-two-producers",
            "H",
            "The same for two producers on one partition",
            Conditions {
                producers: 2,
                ..pair
            },
            PropertyId::ALL,
        )
        .deep()
        .from("kafka-facts H11"),
        Claim::refuted(
            "failover-of-a-new-producer",
            "B3",
            "The same with a producer that no broker knows yet",
            new,
            &[NoDuplicate, PartitionOrder, GapRejected, EveryBatchDecided],
        )
        .from("found by the model; KAFKA-15591"),
        Claim::holds(
            "failover-of-a-new-producer-from-0",
            "B3",
            "It holds where an unknown producer must start at 0",
            Conditions {
                rule: &STRICT,
                ..new
            },
            PropertyId::ALL,
        )
        .from("KAFKA-19880"),
        Claim::holds(
            "failover-of-a-new-producer-4.5",
            "B3",
            "It holds under Kafka 4.5",
            Conditions {
                rule: &KAFKA_4_5,
                ..new
            },
            PropertyId::ALL,
        )
        .from("KAFKA-15591"),
        Claim::refuted(
            "restarted-replica-leads",
            "B1",
            "A replica that restarted, and leads, recognises every retry",
            Conditions {
                restarts: Budget::ONE,
                ..SPAN
            },
            &[NoDuplicate, RetryRecognised, LogIsFold],
        )
        .from("kafka-facts H1 (ran S16)"),
        Claim::holds(
            "restarted-replica-leads-with-the-whole-window",
            "B1",
            "It does if its snapshot kept the whole window",
            Conditions {
                restarts: Budget::ONE,
                restart_keeps: RestartKeeps::All,
                ..SPAN
            },
            PropertyId::ALL,
        )
        .from("kafka-facts H1"),
    ]
}

/// The same with five in flight and a window of five.
const fn real(world: Conditions) -> Conditions {
    Conditions {
        in_flight: 5,
        window: 5,
        batches: Budget::AtMost(6),
        ..world
    }
}

fn lost() -> Vec<Claim> {
    let acks_1 = Conditions {
        acks: Acks::One,
        ..SPAN
    };
    let unclean = Conditions {
        election: Election::Unclean,
        ..SPAN
    };
    vec![
        Claim::refuted(
            "acks-1",
            "B11",
            "With acks=1 an acknowledged record stays in the log when the leader moves",
            acks_1,
            &[AckTruthful],
        )
        .from("kafka-facts H13"),
        Claim::refuted(
            "acks-1-real",
            "B11",
            "With acks=1 an acknowledged record stays in the log when the leader moves, 5 in flight",
            real(acks_1),
            &[AckTruthful],
        )
        .from("kafka-facts H13"),
        Claim::holds(
            "acks-all-real",
            "B11",
            "With acks=all and a clean election it does, 5 in flight",
            real(SPAN),
            PropertyId::ALL,
        )
        .from("kafka-facts H11"),
        Claim::holds(
            "acks-1-keeps-the-rest",
            "B11",
            "With acks=1 no duplicate is written and order is kept when the leader moves once",
            acks_1,
            &all_but(&[AckTruthful]),
        )
        .from("kafka-facts H13"),
        Claim::refuted(
            "unclean-election",
            "B11",
            "An acknowledged record stays in the log when a replica that is not in sync is elected",
            unclean,
            &[AckTruthful],
        )
        .from("kafka-facts H13 (ran S7)"),
        Claim::holds(
            "unclean-election-keeps-the-rest",
            "B11",
            "After one unclean election no duplicate is written and order is kept",
            unclean,
            &all_but(&[AckTruthful]),
        )
        .from("kafka-facts H13"),
    ]
}

fn replicas() -> Vec<Claim> {
    let forgets = Conditions {
        leader_moves: Budget::NONE,
        expiries: Budget::ONE,
        ..SPAN
    };
    let by_wall_clock = Conditions {
        expiry: Expiry::WallClock,
        ..forgets
    };
    let judging = Conditions {
        replicas: Replicas::Judge,
        ..forgets
    };
    vec![
        Claim::refuted(
            "followers-judge",
            "B6",
            "Where followers judge what they fetch, a replica may forget the producer before another",
            judging,
            &[EveryBatchDecided],
        )
        .from("KAFKA-6003, fluss 1624; known-faults B06, B07"),
        Claim::holds(
            "followers-copy",
            "H",
            "Where followers take what the leader wrote, every batch is decided all the same",
            forgets,
            &all_but(&[NoDuplicate, RetryRecognised, LogIsFold]),
        )
        .from("KAFKA-6003; known-faults B06"),
        Claim::refuted(
            "expiry-on-one-replica",
            "B6",
            "One replica may forget the producer and lead",
            Conditions {
                leader_moves: Budget::ONE,
                ..forgets
            },
            &[NoDuplicate, LogIsFold],
        )
        .from("known-faults B07; kafka-facts H7"),
        Claim::refuted(
            "expiry-on-one-replica-by-wall-clock",
            "B6",
            "It may where that is never while a batch is undecided",
            Conditions {
                leader_moves: Budget::ONE,
                ..by_wall_clock
            },
            &[PartitionOrder, GapRejected, EveryBatchDecided],
        )
        .from("found by the model; KAFKA-15591"),
        Claim::holds(
            "expiry-on-one-replica-by-wall-clock-from-0",
            "B6",
            "It may where besides an unknown producer must start at 0",
            Conditions {
                leader_moves: Budget::ONE,
                rule: &STRICT,
                ..by_wall_clock
            },
            &all_but(&[LogIsFold]),
        )
        .from("known-faults B07"),
        Claim::holds(
            "hardened-leader-moves",
            "C",
            "The hardened broker and client under a leader move, a restart and an expiry together",
            Conditions {
                client: &CLIENT,
                rule: &RULE,
                restarts: Budget::ONE,
                restart_keeps: RestartKeeps::All,
                expiries: Budget::ONE,
                expiry: Expiry::WallClock,
                ..SPAN
            },
            &all_but(&[LogIsFold]),
        )
        .from("ours"),
    ]
}
