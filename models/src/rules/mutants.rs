//! Rules with one thing wrong. Each must be caught by a property: see
//! [`crate::mutants`].

use crate::broker::{remember, stutter, Broker};
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
pub const CHANGES_STATE_ON_REJECT: Rule = Rule {
    name: "changes-state-on-reject",
    about: "a refused batch beyond the next sequence still moves the last sequence",
    source: "mutant of kafka-4",
    on_reject: |broker, request, refusal| {
        if refusal == Refusal::OutOfOrder && request.epoch == broker.epoch {
            broker.last_sequence = broker.last_sequence.max(request.sequence);
        }
        stutter(broker, request, refusal);
    },
    any_length: false,
    ..KAFKA_4
};

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
];

fn newest(broker: &Broker) -> Place {
    match broker.window.as_slice().last() {
        Some(cached) => Place::At(cached.offset),
        None => Place::Unnamed,
    }
}
