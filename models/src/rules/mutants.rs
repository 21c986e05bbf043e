//! Rules with one thing wrong. Each must be caught by a property: see
//! [`crate::mutants`].

use crate::broker::{remember, Broker, Cached};
use crate::conditions::RestartKeeps;
use crate::message::{Place, Refusal, Request, Sequences, Small};

use super::{find_duplicate, kafka_4, Rule, Ruling, Verdict, KAFKA_4};

/// kafka-4 with another decision; a mutant's fold of ancient requests is not argued for.
const fn decides(
    name: &'static str,
    about: &'static str,
    decide: fn(&Broker, &Request, Sequences) -> Ruling,
) -> Rule {
    Rule {
        name,
        about,
        source: "mutant of kafka-4",
        decide,
        any_length: false,
        ..KAFKA_4
    }
}

const fn remembers(
    name: &'static str,
    about: &'static str,
    remember: fn(&mut Broker, &Request, Small, usize),
) -> Rule {
    Rule {
        name,
        about,
        source: "mutant of kafka-4",
        remember,
        any_length: false,
        ..KAFKA_4
    }
}

const fn refuses(
    name: &'static str,
    about: &'static str,
    on_reject: fn(&mut Broker, &Request, Refusal),
) -> Rule {
    Rule {
        name,
        about,
        source: "mutant of kafka-4",
        on_reject,
        any_length: false,
        ..KAFKA_4
    }
}

const fn restarts(
    name: &'static str,
    about: &'static str,
    on_restart: fn(&mut Broker, RestartKeeps),
) -> Rule {
    Rule {
        name,
        about,
        source: "mutant of kafka-4",
        on_restart,
        any_length: false,
        ..KAFKA_4
    }
}

const fn expires(name: &'static str, about: &'static str, on_expiry: fn(&mut Broker)) -> Rule {
    Rule {
        name,
        about,
        source: "mutant of kafka-4",
        on_expiry,
        any_length: false,
        ..KAFKA_4
    }
}

/// No deduplication.
pub const APPENDS_DUPLICATES: Rule = decides(
    "appends-duplicates",
    "a batch found in the window is written again",
    |broker, request, sequences| match kafka_4::decide(broker, request, sequences) {
        Ruling {
            verdict: Verdict::Duplicate(_),
            branch,
        } => Ruling::new(Verdict::Append, branch),
        other => other,
    },
);

/// Redpanda issue 3039 (R01).
pub const REFUSES_DUPLICATES: Rule = decides(
    "refuses-duplicates",
    "a batch found in the window is refused as out of order",
    |broker, request, sequences| match kafka_4::decide(broker, request, sequences) {
        Ruling {
            verdict: Verdict::Duplicate(_),
            branch,
        } => Ruling::out_of_order(branch),
        other => other,
    },
);

/// `<` for `≤` in the walk over the window.
pub const SKIPS_OLDEST: Rule = decides(
    "skips-oldest-in-window",
    "the oldest batch of the window is not compared",
    |broker, request, sequences| {
        let oldest = broker.window.as_slice().first();
        let is_oldest = oldest.is_some_and(|cached| cached.first == request.sequence);
        match kafka_4::decide(broker, request, sequences) {
            Ruling {
                verdict: Verdict::Duplicate(_),
                branch,
            } if is_oldest => Ruling::out_of_order(branch),
            other => other,
        }
    },
);

/// A counter that only must not go back.
pub const ACCEPTS_GAPS: Rule = decides(
    "accepts-gaps",
    "a batch beyond the next sequence is written",
    |broker, request, sequences| match kafka_4::decide(broker, request, sequences) {
        Ruling {
            verdict: Verdict::Reject(Refusal::OutOfOrder),
            branch,
        } if broker.known
            && request.epoch == broker.epoch
            && request.sequence > broker.last_sequence =>
        {
            Ruling::new(Verdict::Append, branch)
        }
        other => other,
    },
);

/// Acknowledges what it cannot place.
pub const ACKNOWLEDGES_GAPS: Rule = decides(
    "acknowledges-gaps",
    "a batch beyond the next sequence is answered as a duplicate of the newest",
    |broker, request, sequences| match kafka_4::decide(broker, request, sequences) {
        Ruling {
            verdict: Verdict::Reject(Refusal::OutOfOrder),
            branch,
        } if request.epoch == broker.epoch && request.sequence > broker.last_sequence => {
            Ruling::new(Verdict::Duplicate(newest(broker)), branch)
        }
        other => other,
    },
);

/// Deduplicates, but looks at no order.
pub const CHECKS_NO_ORDER: Rule = decides(
    "checks-no-order",
    "whatever is not found in the window is written",
    |broker, request, sequences| match kafka_4::decide(broker, request, sequences) {
        Ruling {
            verdict: Verdict::Reject(Refusal::OutOfOrder),
            branch,
        } => Ruling::new(Verdict::Append, branch),
        other => other,
    },
);

/// A new epoch may start anywhere.
pub const NEW_EPOCH_ANYWHERE: Rule = decides(
    "new-epoch-anywhere",
    "a new epoch need not start at 0",
    |broker, request, sequences| match kafka_4::decide(broker, request, sequences) {
        Ruling {
            verdict: Verdict::Reject(Refusal::OutOfOrder),
            branch,
        } if broker.known && request.epoch > broker.epoch => Ruling::new(Verdict::Append, branch),
        other => other,
    },
);

/// The offset of the newest batch for whatever duplicate.
pub const DUPLICATE_NAMES_NEWEST: Rule = decides(
    "duplicate-names-newest-offset",
    "a duplicate is answered with the offset of the newest batch",
    |broker, request, sequences| match find_duplicate(broker, request, sequences) {
        Some(_) if request.epoch == broker.epoch => Ruling::new(
            Verdict::Duplicate(newest(broker)),
            "exact match in the window",
        ),
        _ => kafka_4::decide(broker, request, sequences),
    },
);

/// kfake before twmb/franz-go dced7214 (F02).
pub const DUPLICATE_NAMES_ZERO: Rule = decides(
    "duplicate-names-offset-0",
    "a duplicate is answered with offset 0",
    |broker, request, sequences| match kafka_4::decide(broker, request, sequences) {
        Ruling {
            verdict: Verdict::Duplicate(_),
            branch,
        } => Ruling::new(Verdict::Duplicate(Place::At(0)), branch),
        other => other,
    },
);

/// A window of one less than promised.
pub const WINDOW_ONE_SHORT: Rule = remembers(
    "window-one-short",
    "one batch less than the window is remembered (4 of 5)",
    |broker, request, offset, capacity| remember(broker, request, offset, capacity - 1),
);

/// The batches of the old epoch stay in the window.
pub const KEEPS_WINDOW: Rule = remembers(
    "keeps-window-across-epochs",
    "a new epoch does not clear the window",
    |broker, request, offset, capacity| {
        broker.epoch = request.epoch;
        remember(broker, request, offset, capacity);
    },
);

/// The log end offset after the append instead of before it.
pub const REMEMBERS_NEXT_OFFSET: Rule = remembers(
    "remembers-next-offset",
    "a batch is remembered at the offset behind it",
    |broker, request, offset, capacity| remember(broker, request, offset + 1, capacity),
);

/// State runs ahead of the log.
pub const CHANGES_STATE_ON_REJECT: Rule = refuses(
    "changes-state-on-reject",
    "a refused batch beyond the next sequence still moves the last sequence",
    |broker, request, refusal| {
        if refusal == Refusal::OutOfOrder && request.epoch == broker.epoch {
            broker.last_sequence = broker.last_sequence.max(request.sequence);
        }
    },
);

/// Fencing that does not fence.
pub const APPENDS_STALE_EPOCH: Rule = decides(
    "appends-stale-epoch",
    "a batch of an older epoch is written",
    |broker, request, sequences| match kafka_4::decide(broker, request, sequences) {
        Ruling {
            verdict: Verdict::Reject(Refusal::StaleEpoch),
            branch,
        } => Ruling::new(Verdict::Append, branch),
        other => other,
    },
);

/// A zombie is told that all is well.
pub const ACKNOWLEDGES_STALE_EPOCH: Rule = decides(
    "acknowledges-stale-epoch",
    "a batch of an older epoch is answered as a duplicate of the newest",
    |broker, request, sequences| match kafka_4::decide(broker, request, sequences) {
        Ruling {
            verdict: Verdict::Reject(Refusal::StaleEpoch),
            branch,
        } => Ruling::new(Verdict::Duplicate(newest(broker)), branch),
        other => other,
    },
);

/// The window is searched by base sequence.
pub const MATCHES_FIRST_SEQUENCE: Rule = decides(
    "matches-first-sequence",
    "a batch with the first sequence of one in the window is taken for its duplicate",
    |broker, request, sequences| {
        let matches = |cached: &Cached| sequences.same(cached.first, request.sequence);
        match_by(broker, request, sequences, matches)
    },
);

/// The window is searched by last sequence.
pub const MATCHES_LAST_SEQUENCE: Rule = decides(
    "matches-last-sequence",
    "a batch with the last sequence of one in the window is taken for its duplicate",
    |broker, request, sequences| {
        let matches = |cached: &Cached| sequences.same(cached.last, request.last_sequence());
        match_by(broker, request, sequences, matches)
    },
);

/// Kafka counts with 2³¹ (KAFKA-7692 and its like, B05).
pub const NO_WRAP: Rule = decides(
    "no-wrap",
    "after the last sequence that there is comes one that there is not",
    |broker, request, sequences| match kafka_4::decide(broker, request, sequences) {
        Ruling {
            verdict: Verdict::Append,
            branch,
        } if broker.known
            && request.epoch == broker.epoch
            && sequences.on_wire(request.sequence) == 0 =>
        {
            Ruling::out_of_order(branch)
        }
        other => other,
    },
);

/// The base offset reckoned back from the last one by the distance of two sequences.
pub const OFFSET_FROM_SEQUENCES: Rule = decides(
    "offset-from-sequences",
    "the offset of a duplicate is reckoned from its sequences as plain numbers",
    |broker, request, sequences| {
        let ruling = kafka_4::decide(broker, request, sequences);
        match (ruling.verdict, find_duplicate(broker, request, sequences)) {
            (Verdict::Duplicate(_), Some(cached)) => {
                let last_offset = cached.offset + (cached.last - cached.first);
                let distance = sequences.on_wire(cached.last) - sequences.on_wire(cached.first);
                let place = Place::At(last_offset - distance);
                Ruling::new(Verdict::Duplicate(place), ruling.branch)
            }
            _ => ruling,
        }
    },
);

/// A batch counts as one record.
pub const COUNTS_BATCHES: Rule = remembers(
    "counts-batches",
    "the last sequence is that of the first record of the newest batch",
    |broker, request, offset, capacity| {
        remember(broker, request, offset, capacity);
        broker.last_sequence = request.sequence;
    },
);

/// State runs ahead of validation.
pub const CHANGES_STATE_ON_INVALID: Rule = refuses(
    "changes-state-on-invalid",
    "a batch that does not validate still moves the last sequence",
    |broker, request, refusal| {
        if refusal == Refusal::Invalid && broker.known && request.epoch == broker.epoch {
            broker.last_sequence = broker.last_sequence.max(request.last_sequence());
        }
    },
);

/// The state of what was not written stays (Kafka 1.0, KAFKA-6683; B03).
pub const REMEMBERS_WHAT_IS_REFUSED: Rule = refuses(
    "remembers-what-is-refused",
    "a batch refused before anything is done is remembered as written",
    |broker, request, refusal| {
        let newest = broker.window.as_slice().last().copied();
        if let (Refusal::RefusedBefore, Some(newest)) = (refusal, newest) {
            let end = newest.offset + (newest.last - newest.first) + 1;
            remember(broker, request, end, broker.window.len());
        }
    },
);

/// A snapshot written before the newest batch, and a log not read to its end.
pub const RESTART_LOSES_NEWEST: Rule = restarts(
    "restart-loses-newest",
    "a restart loads the window without its newest batch",
    |broker, _| {
        if let Some(newest) = broker.window.len().checked_sub(1) {
            broker.window.remove(newest);
        }
    },
);

/// A window loaded with one place less.
pub const RESTART_EVICTS_ONE: Rule = restarts(
    "restart-evicts-one",
    "a restart evicts one batch too many from the window",
    |broker, _| {
        if broker.window.len() > 1 {
            broker.window.drop_oldest(1);
        }
    },
);

/// The epoch of an older snapshot.
pub const RESTART_LOADS_OLD_EPOCH: Rule = restarts(
    "restart-loads-old-epoch",
    "a restart loads the epoch before with the window of the current one",
    |broker, _| broker.epoch = (broker.epoch - 1).max(0),
);

/// Next for last.
pub const RESTART_OFF_BY_ONE: Rule = restarts(
    "restart-off-by-one",
    "a restart takes the next sequence for the last",
    |broker, _| broker.last_sequence += Small::from(broker.known),
);

/// The tail of the log is left out when the state is rebuilt.
pub const RECOVERY_SKIPS_TAIL: Rule = Rule {
    name: "recovery-skips-tail",
    about: "what was written by an append that failed half way is not in the rebuilt state",
    source: "mutant of kafka-4",
    on_recovery: |broker, before| *broker = *before,
    any_length: false,
    ..KAFKA_4
};

/// The window goes, the rest stays.
pub const EXPIRY_KEEPS_LAST_SEQUENCE: Rule = expires(
    "expiry-keeps-last-sequence",
    "an expiry forgets the window, but no epoch and no last sequence",
    |broker| broker.window.clear(),
);

/// Half forgotten.
pub const EXPIRY_KEEPS_EPOCH: Rule = expires(
    "expiry-keeps-epoch",
    "an expiry forgets the window and the last sequence, but not the epoch",
    |broker| {
        broker.window.clear();
        broker.last_sequence = -1;
    },
);

/// All of them.
pub const ALL: &[&Rule] = &[
    &APPENDS_DUPLICATES,
    &REFUSES_DUPLICATES,
    &SKIPS_OLDEST,
    &WINDOW_ONE_SHORT,
    &ACCEPTS_GAPS,
    &ACKNOWLEDGES_GAPS,
    &CHECKS_NO_ORDER,
    &NEW_EPOCH_ANYWHERE,
    &DUPLICATE_NAMES_NEWEST,
    &DUPLICATE_NAMES_ZERO,
    &KEEPS_WINDOW,
    &REMEMBERS_NEXT_OFFSET,
    &CHANGES_STATE_ON_REJECT,
    &APPENDS_STALE_EPOCH,
    &ACKNOWLEDGES_STALE_EPOCH,
    &MATCHES_FIRST_SEQUENCE,
    &MATCHES_LAST_SEQUENCE,
    &NO_WRAP,
    &OFFSET_FROM_SEQUENCES,
    &COUNTS_BATCHES,
    &CHANGES_STATE_ON_INVALID,
    &REMEMBERS_WHAT_IS_REFUSED,
    &RESTART_LOSES_NEWEST,
    &RESTART_EVICTS_ONE,
    &RESTART_LOADS_OLD_EPOCH,
    &RESTART_OFF_BY_ONE,
    &RECOVERY_SKIPS_TAIL,
    &EXPIRY_KEEPS_LAST_SEQUENCE,
    &EXPIRY_KEEPS_EPOCH,
];

/// kafka-4 with another notion of what a duplicate is.
fn match_by(
    broker: &Broker,
    request: &Request,
    sequences: Sequences,
    matches: impl Fn(&Cached) -> bool,
) -> Ruling {
    let duplicate = broker.window.iter().find(|cached| matches(cached));
    match duplicate.filter(|_| request.epoch == broker.epoch) {
        Some(cached) => Ruling::new(
            Verdict::Duplicate(Place::At(cached.offset)),
            "exact match in the window",
        ),
        None => kafka_4::decide(broker, request, sequences),
    }
}

fn newest(broker: &Broker) -> Place {
    match broker.window.as_slice().last() {
        Some(cached) => Place::At(cached.offset),
        None => Place::Unnamed,
    }
}
