//! The production manager inside the broker of a world: rules whose decision and memory are
//! those of [`ProducerStateManager`](crate::state_manager::ProducerStateManager).
//!
//! A world with such a rule is checked as any other, so that every property is asked of the
//! manager itself. A model's broker is a small value, so for each request a manager is
//! brought to hold what the broker does, with real numbers and the wrap of sequences inside
//! the window. It checks the batch, commits it if it is appended, and what it shows then is
//! the broker's memory again.

use retryproof_models::broker::{read_to_the_end, stutter, Broker, MAX_WINDOW};
use retryproof_models::message::{Place, Refusal, Request, Small};
use retryproof_models::rules::{Rule, Ruling, Verdict};

use crate::state_manager::{Because, Check, Config, Rejection};

use super::edges::history::{client_batch, manager, now, offset};
use super::edges::placement::Placed;
use super::edges::{Memory, Placement};
use super::observed::observed;

const APPENDED: &str = "appended";
const DUPLICATE: &str = "duplicate";
const STALE_EPOCH: &str = "stale epoch";
const NOT_NEXT: &str = "out of order: does not follow the newest batch";
const NOT_THE_START: &str = "out of order: does not start the epoch";
const UNKNOWN: &str = "out of order: nothing is known of the producer";
/// Never taken: not one of [`Rule::branches`].
const ANOTHER: &str = "an answer that no rule gives";

/// The manager under [`Profile::Kafka`](crate::state_manager::Profile::Kafka), which follows
/// rule kafka-4.
pub static PRODUCTION_KAFKA: Rule = Rule {
    name: "production-kafka",
    about: "the production manager, profile Kafka",
    source: "src/state_manager",
    decide: |broker, request, _| decide(Config::kafka(), broker, request),
    branches: &[APPENDED, DUPLICATE, STALE_EPOCH, NOT_NEXT, NOT_THE_START],
    capacity: |window| window,
    remember: |broker, request, offset, capacity| {
        remember(Config::kafka(), broker, request, offset, capacity);
    },
    on_reject: stutter,
    on_restart: Broker::restart,
    on_expiry: Broker::forget,
    on_recovery: read_to_the_end,
    any_length: true,
};

/// The manager under [`Profile::Hardened`](crate::state_manager::Profile::Hardened), which
/// follows rule strict.
pub static PRODUCTION_HARDENED: Rule = Rule {
    name: "production-hardened",
    about: "the production manager, profile Hardened",
    decide: |broker, request, _| decide(Config::hardened(), broker, request),
    branches: &[
        APPENDED,
        DUPLICATE,
        STALE_EPOCH,
        NOT_NEXT,
        NOT_THE_START,
        UNKNOWN,
    ],
    remember: |broker, request, offset, capacity| {
        remember(Config::hardened(), broker, request, offset, capacity);
    },
    ..PRODUCTION_KAFKA
};

/// Batches of three records, the wrap in the middle of the second newest.
const ACROSS_THE_WRAP: Placement = Placement {
    next: 5,
    records: 3,
    older: 0,
    earlier_epoch: false,
    copied: true,
};

fn decide(config: Config, broker: &Broker, request: &Request) -> Ruling {
    // What is remembered is for `remember` to limit.
    let config = config.with_window(MAX_WINDOW).unwrap_or(config);
    let newest = broker.window.as_slice().last();
    let memory = Memory {
        broker: *broker,
        log_end: newest.map_or(0, |newest| newest.offset + 1),
    };
    let placed = Placed {
        memory: &memory,
        placement: &ACROSS_THE_WRAP,
    };
    let (verdict, branch) = check(&placed, config, request)
        .unwrap_or((Verdict::Reject(Refusal::UnknownProducer), ANOTHER));
    Ruling { verdict, branch }
}

fn check(
    placed: &Placed<'_>,
    config: Config,
    request: &Request,
) -> Option<(Verdict, &'static str)> {
    let manager = manager(placed, config).ok()?;
    let batch = client_batch(&placed.request(request)).ok()?;
    Some(match manager.check(&batch) {
        Check::Append(_) => (Verdict::Append, APPENDED),
        Check::Duplicate(original) => {
            let place = Place::At(placed.model_offset(original.first_offset.get())?);
            (Verdict::Duplicate(place), DUPLICATE)
        }
        Check::Rejected(Rejection::StaleEpoch { .. }) => {
            (Verdict::Reject(Refusal::StaleEpoch), STALE_EPOCH)
        }
        Check::Rejected(Rejection::OutOfOrderSequence { because, .. }) => {
            let branch = match because {
                Because::Next => NOT_NEXT,
                Because::StartOfEpoch => NOT_THE_START,
                Because::UnknownProducer => UNKNOWN,
            };
            (Verdict::Reject(Refusal::OutOfOrder), branch)
        }
        Check::Rejected(_) => return None,
    })
}

/// If the manager does not record what was appended, the memory stays as it is, and property
/// log-is-fold sees it.
fn remember(
    config: Config,
    broker: &mut Broker,
    request: &Request,
    log_end: Small,
    capacity: usize,
) {
    let memory = Memory {
        broker: *broker,
        log_end,
    };
    let placed = Placed {
        memory: &memory,
        placement: &ACROSS_THE_WRAP,
    };
    if let Ok(config) = config.with_window(capacity) {
        if let Some(after) = commit(&placed, config, request) {
            *broker = after;
        }
    }
}

fn commit(placed: &Placed<'_>, config: Config, request: &Request) -> Option<Broker> {
    let mut manager = manager(placed, config).ok()?;
    let batch = placed.request(request);
    let Check::Append(permit) = manager.check(&client_batch(&batch).ok()?) else {
        return None;
    };
    let base_offset = offset(batch.first_offset).ok()?;
    manager.commit(permit, base_offset, now(&batch)).ok()?;
    let producer = observed(&manager).into_values().next()?;
    let epoch = placed.model_epoch(producer.epoch)?;
    let mut after = Broker {
        known: true,
        epoch,
        held: placed.memory.broker.held,
        ..Broker::default()
    };
    for batch in producer.batches {
        let cached = placed.model_batch(epoch, batch)?;
        after.last_sequence = cached.last;
        after.window.push(cached);
    }
    Some(after)
}
