//! Policies with one thing wrong. Each must be caught by a property: see
//! [`crate::mutants`].

use crate::message::{Place, Refusal};
use crate::producer::{Producer, Status, Told, Undecided};

use super::{Cancels, Exhausted, Policy, Reaction, Renumbers, HARDENED, JAVA_4, MODULAR, PATIENT};

const MUTANT: Policy = Policy {
    source: "mutant of java-4",
    any_length: false,
    ..JAVA_4
};

const OF_PATIENT: Policy = Policy {
    source: "mutant of patient",
    any_length: false,
    ..PATIENT
};

const OF_MODULAR: Policy = Policy {
    source: "mutant of modular",
    any_length: false,
    ..MODULAR
};

const OF_HARDENED: Policy = Policy {
    source: "mutant of hardened",
    any_length: false,
    ..HARDENED
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

/// A highest acknowledged sequence of another epoch: the next expected batch is not known
/// as such any more.
pub const KEEPS_LAST_ACKED: Policy = Policy {
    name: "keeps-last-acked",
    about: "an epoch bump does not reset the highest acknowledged sequence",
    after_bump: |producer, before| producer.last_acked = before.last_acked,
    ..MUTANT
};

/// Fresh batches of a new epoch go on where those of the old one ended.
pub const KEEPS_NEXT_SEQUENCE: Policy = Policy {
    name: "keeps-next-sequence",
    about: "an epoch bump does not reset the sequence of the next fresh batch",
    after_bump: |producer, before| producer.next_sequence = before.next_sequence,
    ..MUTANT
};

/// What is queued again goes to the end of the queue.
pub const REQUEUES_AT_END: Policy = Policy {
    name: "requeues-at-end",
    about: "a refused batch is queued again behind the others instead of in its place",
    after_reply: |producer, before| {
        let was_sent = |record| {
            let mut others = before.undecided.iter();
            others.any(|other| other.record == record && other.status != Status::Queued)
        };
        let mut batches = producer.undecided.iter();
        let requeued =
            batches.position(|batch| batch.status == Status::Queued && was_sent(batch.record));
        if let Some(index) = requeued {
            let batch = producer.undecided.remove(index);
            producer.undecided.push(batch);
        }
    },
    ..MUTANT
};

/// A new count of which the broker is told nothing.
pub const STARTS_AT_ZERO: Policy = Policy {
    name: "starts-at-zero",
    about: "after a failure for good sequences start at 0 again in the same epoch",
    on_refusal: |refused| match (JAVA_4.on_refusal)(refused) {
        Reaction::TellAndBump(told) => Reaction::TellAndStartAtZero(told),
        other => other,
    },
    ..MUTANT
};

/// Every error is taken for a failed write.
pub const FAILS_ON_RETRIABLE: Policy = Policy {
    name: "fails-on-retriable",
    about: "an error that asks for a retry is reported as a failure",
    on_refusal: |refused| match refused.refusal {
        refusal if refusal.is_retriable() => Reaction::Tell(Told::Failed),
        _ => (JAVA_4.on_refusal)(refused),
    },
    ..MUTANT
};

/// An error of which the client believes that the batch is in the log.
pub const TAKES_REFUSAL_FOR_SUCCESS: Policy = Policy {
    name: "takes-refusal-for-success",
    about: "too few replicas before the append are taken for too few after it, and for a success",
    on_refusal: |refused| match refused.refusal {
        Refusal::RefusedBefore => Reaction::Tell(Told::Acknowledged(Place::Unnamed)),
        _ => (JAVA_4.on_refusal)(refused),
    },
    ..MUTANT
};

/// The count from the lowest undecided batch is off by one.
pub const SPAN_ONE_MORE: Policy = Policy {
    name: "span-one-more",
    about: "one batch more than the limit lies between the lowest undecided one and the newest",
    spare_span: 1,
    ..MUTANT
};

/// Connections that broke are not remembered.
pub const FORGETS_DEAD_CONNECTIONS: Policy = Policy {
    name: "forgets-dead-connections",
    about: "a batch sent on a connection that broke counts as one that is nowhere",
    after_disconnect: |producer, _| {
        for batch in producer.undecided.as_mut_slice() {
            batch.maybe_written = false;
        }
    },
    ..OF_PATIENT
};

/// Errors after the append are not remembered.
pub const FORGETS_ERRORS: Policy = Policy {
    name: "forgets-errors",
    about: "a batch answered with an error after the append counts as one that is nowhere",
    after_reply: |producer, before| {
        for batch in producer.undecided.as_mut_slice() {
            let mut others = before.undecided.iter();
            let other = others.find(|other| other.record == batch.record);
            batch.maybe_written &= other.is_some_and(|other| other.maybe_written);
        }
    },
    ..OF_PATIENT
};

/// No waiting for what may be written.
pub const BUMPS_AT_ONCE: Policy = Policy {
    name: "bumps-at-once",
    about: "an epoch bump waits for nothing and renumbers what may be written",
    renumbers: Renumbers::AtOnce,
    ..OF_PATIENT
};

/// The batch that ran out of time stays in the queue.
pub const RETRIES_TIMED_OUT: Policy = Policy {
    name: "retries-timed-out",
    about: "a batch that waited and ran out of time is sent again all the same",
    after_timeout: |producer, before| {
        let timed_out = before.undecided.as_slice()[0];
        if timed_out.status == Status::Queued {
            producer.undecided.insert(0, timed_out);
        }
    },
    ..OF_PATIENT
};

/// franz-go before it asked whether a batch may be written (issue 1217, C07).
pub const CANCELS_WHAT_WAITS: Policy = Policy {
    name: "cancels-what-waits",
    about: "a waiting batch may be cancelled, and its sequence reused, though it may be written",
    cancels: Cancels::WhatWaits,
    ..OF_PATIENT
};

/// Both halves of a batch get its base sequence.
pub const SPLITS_TO_ONE_SEQUENCE: Policy = Policy {
    name: "splits-to-one-sequence",
    about: "both halves of a batch that is split get the sequence of the first",
    after_reply: |producer, before| {
        if producer.undecided.len() <= before.undecided.len() {
            return;
        }
        let batches = producer.undecided.as_mut_slice();
        for index in 1..batches.len() {
            let record = batches[index].record;
            if !before.undecided.iter().any(|other| other.record == record) {
                batches[index].sequence = batches[index - 1].sequence;
            }
        }
    },
    ..OF_HARDENED
};

/// The second half is lost.
pub const SPLITS_OFF_HALF: Policy = Policy {
    name: "splits-off-half",
    about: "of a batch that is split only the first half is queued again",
    after_reply: |producer, before| {
        let is_new = |record| !before.undecided.iter().any(|other| other.record == record);
        let half = producer.undecided.iter();
        if let Some(half) = half.map(|batch| batch.record).position(is_new) {
            producer.undecided.remove(half);
        }
    },
    ..OF_HARDENED
};

/// After the wrap, 0 is the lowest.
pub const LOWEST_ON_WIRE: Policy = Policy {
    name: "lowest-on-wire",
    about: "the batch with the lowest number on the wire is taken for the lowest",
    pick_retry: |producer, config| {
        let lowest = producer
            .undecided
            .iter()
            .enumerate()
            .min_by_key(|(_, batch)| config.sequences.on_wire(batch.sequence));
        let waits = |batch: &Undecided| batch.status == Status::Queued;
        lowest.and_then(|(index, batch)| waits(batch).then_some(index))
    },
    ..OF_MODULAR
};

/// The last epoch is used twice.
pub const STAYS_AT_LAST_EPOCH: Policy = Policy {
    name: "stays-at-last-epoch",
    about: "where epochs run out, sequences start at 0 again under the last one",
    exhausted: Exhausted::StaysAtLast,
    ..OF_HARDENED
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
    &KEEPS_LAST_ACKED,
    &KEEPS_NEXT_SEQUENCE,
    &REQUEUES_AT_END,
    &STARTS_AT_ZERO,
    &FAILS_ON_RETRIABLE,
    &TAKES_REFUSAL_FOR_SUCCESS,
    &SPAN_ONE_MORE,
    &FORGETS_DEAD_CONNECTIONS,
    &FORGETS_ERRORS,
    &BUMPS_AT_ONCE,
    &RETRIES_TIMED_OUT,
    &CANCELS_WHAT_WAITS,
    &SPLITS_TO_ONE_SEQUENCE,
    &SPLITS_OFF_HALF,
    &LOWEST_ON_WIRE,
    &STAYS_AT_LAST_EPOCH,
];
