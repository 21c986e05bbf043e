//! Policies with one thing wrong. Each must be caught by a property: see
//! [`crate::mutants`].

use crate::message::Place;
use crate::producer::{Producer, Status, Told};

use super::{Policy, JAVA_4};

const MUTANT: Policy = Policy {
    source: "mutant of java-4",
    any_length: false,
    ..JAVA_4
};

/// A retry is a new batch to the broker.
pub const RETRIES_WITH_NEW_SEQUENCE: Policy = Policy {
    name: "retries-with-new-sequence",
    about: "a retry takes the next free sequence",
    before_resend: |producer, index| {
        producer.undecided.as_mut_slice()[index].sequence = producer.next_sequence;
        producer.next_sequence += 1;
    },
    ..MUTANT
};

/// Answers are matched by position instead of by the request they answer.
pub const MATCHES_HEAD_OF_LINE: Policy = Policy {
    name: "matches-head-of-line",
    about: "any answer is taken for the answer to the lowest undecided batch",
    match_reply: |producer, _| (!producer.undecided.is_empty()).then_some(0),
    ..MUTANT
};

/// A lost connection is taken for a failed write.
pub const FAILS_ON_DISCONNECT: Policy = Policy {
    name: "fails-on-disconnect",
    about: "a disconnect reports every outstanding batch as failed",
    after_disconnect: |producer, reports| {
        while !producer.undecided.is_empty() {
            producer.decide(0, Told::Failed, reports);
        }
    },
    ..MUTANT
};

/// Outstanding batches are dropped without a word.
pub const FORGETS_ON_DISCONNECT: Policy = Policy {
    name: "forgets-on-disconnect",
    about: "a disconnect drops every outstanding batch and tells nobody",
    after_disconnect: |producer, _| producer.undecided.clear(),
    ..MUTANT
};

/// Nothing is ever sent again.
pub const NEVER_RETRIES: Policy = Policy {
    name: "never-retries",
    about: "an undecided batch is never sent again",
    pick_retry: |_, _| None,
    ..MUTANT
};

/// Fire and forget, told as success.
pub const ACKNOWLEDGES_ON_SEND: Policy = Policy {
    name: "acknowledges-on-send",
    about: "a batch is reported as written when it is sent",
    after_send: |producer, reports| {
        let newest = producer.undecided.len() - 1;
        producer.decide(newest, Told::Acknowledged(Place::Unnamed), reports);
    },
    ..MUTANT
};

/// Retries go newest first.
pub const RETRIES_NEWEST_FIRST: Policy = Policy {
    name: "retries-newest-first",
    about: "the newest waiting batch is sent again first",
    pick_retry: |producer, _| {
        producer
            .undecided
            .iter()
            .rposition(|batch| batch.status == Status::Queued)
    },
    ..MUTANT
};

/// The Java client 2.3.0 renumbered in the order of a heap (KAFKA-8483, C01).
pub const RENUMBERS_IN_REVERSE: Policy = Policy {
    name: "renumbers-in-reverse",
    about: "an epoch bump renumbers and queues the undecided batches in reverse",
    renumber: |producer: &mut Producer| {
        producer.undecided.as_mut_slice().reverse();
        (JAVA_4.renumber)(producer);
    },
    ..MUTANT
};

/// One counter for all partitions: another partition takes every second number.
pub const GLOBAL_SEQUENCE: Policy = Policy {
    name: "global-sequence",
    about: "one sequence counter serves two partitions in turn",
    sequence_step: 2,
    ..MUTANT
};

/// All of them.
pub const ALL: &[&Policy] = &[
    &RETRIES_WITH_NEW_SEQUENCE,
    &MATCHES_HEAD_OF_LINE,
    &FAILS_ON_DISCONNECT,
    &FORGETS_ON_DISCONNECT,
    &NEVER_RETRIES,
    &ACKNOWLEDGES_ON_SEND,
    &RETRIES_NEWEST_FIRST,
    &RENUMBERS_IN_REVERSE,
    &GLOBAL_SEQUENCE,
];
