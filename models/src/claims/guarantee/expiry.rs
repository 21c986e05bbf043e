//! B6: the state is not expired while a batch is undecided.

use retryproof_properties::PropertyId::{self, *};

use crate::claims::{all_but, Claim};
use crate::conditions::{Budget, Conditions, Expiry};
use crate::rules::{KAFKA_4_5, STRICT};

use super::{KAFKA, REAL, REAL_ALONE, SMALL};

const fn forgotten(world: Conditions) -> Conditions {
    Conditions {
        expiries: Budget::ONE,
        ..world
    }
}

const fn by_wall_clock(world: Conditions) -> Conditions {
    Conditions {
        expiries: Budget::Any,
        expiry: Expiry::WallClock,
        ..world
    }
}

/// What an expiry at any time breaks.
const FORGOTTEN: &[PropertyId] = &[NoDuplicate, RetryRecognised, LogIsFold];

pub(super) fn claims() -> Vec<Claim> {
    vec![
        Claim::refuted(
            "expiry-by-client-time-smallest",
            "B6",
            "A producer that is forgotten at a time its own timestamps choose writes no duplicate, 1 \
             in flight",
            forgotten(Conditions {
                in_flight: 1,
                window: 1,
                ..SMALL
            }),
            &[NoDuplicate],
        )
        .from("kafka-facts H6, H7 (ran E7); known-faults B08, R04"),
        Claim::refuted(
            "expiry-by-client-time",
            "B6",
            "A producer that is forgotten at a time its own timestamps choose loses nothing, 5 in \
             flight",
            forgotten(REAL_ALONE),
            FORGOTTEN,
        )
        .from("kafka-facts H6, H7 (ran E7); known-faults B08, R04"),
        Claim::refuted(
            "expiry-by-client-time-strict",
            "B6",
            "A rule that takes an unknown producer at 0 only is enough against such an expiry",
            Conditions {
                rule: &STRICT,
                ..forgotten(SMALL)
            },
            FORGOTTEN,
        )
        .from("kafka-facts H6"),
        Claim::refuted(
            "expiry-by-client-time-4.5",
            "B6",
            "Kafka 4.5, which asks for 0 on a log that never held a record, is enough against such \
             an expiry and a first batch that is refused before it is appended",
            Conditions {
                rule: &KAFKA_4_5,
                refusals_before_append: Budget::ONE,
                ..forgotten(SMALL)
            },
            &[NoDuplicate, PartitionOrder, GapRejected, LogIsFold],
        )
        .from("KAFKA-15591; kafka-facts H3, H6"),
        Claim::refuted(
            "expiry-lets-a-zombie-in",
            "B6",
            "After an expiry what is left over of an older epoch is still fenced",
            Conditions {
                fatal_refusals: Budget::ONE,
                expiries: Budget::AtMost(1),
                ..SMALL
            },
            &[StaleEpochRejected],
        )
        .from("kafka-facts 3.5; H6"),
        Claim::holds(
            "expiry-by-client-time-keeps-the-rest",
            "B6",
            "After an expiry at any time order and truthful acknowledgements survive, 5 in flight",
            forgotten(REAL),
            &all_but(FORGOTTEN),
        )
        .from("kafka-facts H6"),
        Claim::holds(
            "expiry-by-wall-clock-small",
            "B6",
            "Expiry by the time since the producer was last seen, never while a batch is undecided, \
             breaks nothing but the fold, 2 in flight",
            by_wall_clock(SMALL),
            &all_but(&[LogIsFold]),
        )
        .from("kafka-facts H6; known-faults B07"),
        Claim::holds(
            "expiry-by-wall-clock",
            "B6",
            "Expiry by the time since the producer was last seen, never while a batch is undecided, \
             breaks nothing but the fold, 5 in flight",
            by_wall_clock(KAFKA),
            &all_but(&[LogIsFold]),
        )
        .from("kafka-facts H6; S1.9"),
    ]
}
