//! A4 and A5: is a gap always rejected, and which rules need a window?

use retryproof_properties::PropertyId::{self, *};

use crate::conditions::{Conditions, ProducerKnown};
use crate::network::NetworkKind;
use crate::policies::STOP;
use crate::rules::{Rule, BUFFERING, KAFKA_0_11, KAFKA_1_0, KAFKA_4, LAST_SEQUENCE_ONLY, STRICT};

use super::{all_but, Claim, BORDER};

pub(super) fn claims() -> Vec<Claim> {
    [
        gaps(),
        last_sequence_only(),
        kafka_1_0(),
        kafka_0_11(),
        like_kafka_4(&STRICT),
        like_kafka_4(&BUFFERING),
    ]
    .concat()
}

/// A world in which a batch can overtake another, so that gaps arise.
fn overtaking(rule: &'static Rule, producer_state: ProducerKnown) -> Conditions {
    Conditions {
        rule,
        producer_state,
        network: NetworkKind::Unordered,
        in_flight: 2,
        window: 2,
        connections: 2,
        ..Conditions::KAFKA
    }
}

fn gaps() -> Vec<Claim> {
    let known = ProducerKnown::Known;
    let new = ProducerKnown::New;
    let mut claims = vec![
        Claim::holds(
            "gap-of-a-known-producer",
            "A4",
            "A broker with state for the producer rejects every gap, across epoch bumps too",
            overtaking(&KAFKA_4, known),
            &[GapRejected],
        )
        .from("kafka-facts 2.3, 2.4"),
        Claim::refuted(
            "gap-of-a-new-producer",
            "A4",
            "A broker without state for the producer rejects every gap",
            overtaking(&KAFKA_4, new),
            &[GapRejected, PartitionOrder],
        )
        .from("kafka-facts H3; known-faults B01"),
        Claim::refuted(
            "gap-of-a-new-producer-strands-a-batch",
            "A4",
            "A batch overtaken before the broker knew its producer is decided in the end",
            overtaking(&KAFKA_4, new),
            &[EveryBatchDecided],
        )
        .from("kafka-facts H3; known-faults B01"),
        Claim::refuted(
            "gap-under-buffering",
            "A4",
            "A broker that keeps batches from the future rejects every gap",
            overtaking(&BUFFERING, new),
            &[GapRejected],
        )
        .from("S2.5 against S2.3"),
        Claim::holds(
            "gap-under-buffering-is-filled",
            "A4",
            "A broker that keeps batches from the future appends in order",
            overtaking(&BUFFERING, new),
            &[PartitionOrder, NoDuplicate, AckTruthful],
        )
        .from("S2.5"),
    ];
    for rule in [&STRICT, &KAFKA_1_0, &KAFKA_0_11, &LAST_SEQUENCE_ONLY] {
        claims.push(
            Claim::holds(
                format!("gap-under-{}", rule.name),
                "A4",
                format!(
                    "Rule {} rejects every gap, of a new producer too",
                    rule.name
                ),
                overtaking(rule, new),
                &[GapRejected],
            )
            .from(rule.source),
        );
    }
    claims
}

fn in_flight(in_flight: u8, rule: &'static Rule) -> Conditions {
    Conditions {
        in_flight,
        rule,
        connections: 2,
        ..Conditions::KAFKA
    }
}

fn last_sequence_only() -> Vec<Claim> {
    let stop = Conditions {
        client: &STOP,
        ..in_flight(6, &LAST_SEQUENCE_ONLY)
    };
    let mut claims = vec![Claim::holds(
        "last-sequence-only-stop",
        "A5",
        "Without a window even a client that stops at out of order reports no false failure, 6 in \
         flight",
        stop,
        &all_but(&[DuplicateAnswerTruthful]),
    )
    .from("S2.3")];
    for limit in [5, 6] {
        claims.push(
            Claim::holds(
                format!("last-sequence-only-{limit}"),
                "A5",
                format!(
                    "Acknowledging everything at or below the last sequence is safe without a \
                     window, {limit} in flight"
                ),
                in_flight(limit, &LAST_SEQUENCE_ONLY),
                &all_but(&[DuplicateAnswerTruthful]),
            )
            .from("S2.3"),
        );
        claims.push(
            Claim::refuted(
                format!("last-sequence-only-{limit}-tells-no-offset"),
                "A5",
                format!(
                    "Without a window a duplicate is answered with its offset, {limit} in flight"
                ),
                in_flight(limit, &LAST_SEQUENCE_ONLY),
                &[DuplicateAnswerTruthful],
            )
            .from("S2.3 against S1.5"),
        );
    }
    claims
}

fn kafka_1_0() -> Vec<Claim> {
    let mut claims = Vec::new();
    for limit in [5, 6] {
        claims.push(
            Claim::holds(
                format!("kafka-1.0-{limit}"),
                "A5",
                format!(
                    "Answering older than the window as a duplicate is safe, {limit} in flight"
                ),
                in_flight(limit, &KAFKA_1_0),
                &all_but(&[DuplicateAnswerTruthful]),
            )
            .from("kafka-facts 2.5, Q1 E; S1.6"),
        );
        claims.push(
            Claim::refuted(
                format!("kafka-1.0-{limit}-tells-no-offset"),
                "A5",
                format!(
                    "A duplicate older than the window is answered with its offset, {limit} in flight"
                ),
                in_flight(limit, &KAFKA_1_0),
                &[DuplicateAnswerTruthful],
            )
            .from("kafka-facts 2.5; S1.6"),
        );
    }
    claims
}

fn kafka_0_11() -> Vec<Claim> {
    vec![
        Claim::holds(
            "kafka-0.11-1",
            "A5",
            "Remembering only the last batch is safe with 1 in flight",
            in_flight(1, &KAFKA_0_11),
            &all_but(&[DuplicateAnswerTruthful]),
        )
        .from("KIP-98; kafka-facts 2.5"),
        Claim::refuted(
            "kafka-0.11-2",
            "A5",
            "Remembering only the last batch is safe with 2 in flight",
            in_flight(2, &KAFKA_0_11),
            BORDER,
        )
        .from("KAFKA-5494"),
    ]
}

/// Rules that decide on a FIFO network exactly as kafka-4 does: the border is the same.
fn like_kafka_4(rule: &'static Rule) -> Vec<Claim> {
    let mut claims = Vec::new();
    for window in [1, 2, 5] {
        let within = Conditions {
            window,
            ..in_flight(window, rule)
        };
        let beyond = Conditions {
            in_flight: window + 1,
            ..within
        };
        claims.push(
            Claim::holds(
                format!("{}-{window}-{window}", rule.name),
                "A5",
                format!(
                    "Rule {}: {window} in flight are safe with a window of {window}",
                    rule.name
                ),
                within,
                PropertyId::ALL,
            )
            .from(rule.source),
        );
        claims.push(
            Claim::refuted(
                format!("{}-{}-{window}", rule.name, window + 1),
                "A5",
                format!(
                    "Rule {}: {} in flight are safe with a window of {window}",
                    rule.name,
                    window + 1
                ),
                beyond,
                BORDER,
            )
            .from(rule.source),
        );
    }
    claims
}
