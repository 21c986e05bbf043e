//! B4, B5, B9, B12: the client gives no undecided batch a new identity, and its old one to
//! no other; a bump waits for what dead connections left over; validation does not refuse a
//! retry; a batch that ran out of time.

use retryproof_properties::PropertyId::{self, *};

use crate::claims::{all_but, Claim};
use crate::conditions::{Budget, Conditions, InFlightPer, Validation};
use crate::policies::{PATIENT, STOP};
use crate::rules::STRICT;

use super::{KAFKA, REAL, REAL_ALONE, SMALL, SMALL_ALONE};

/// A later batch is refused for good while an earlier one is undecided.
const fn refused_for_good(world: Conditions) -> Conditions {
    Conditions {
        fatal_refusals: Budget::ONE,
        errors_after_append: Budget::ONE,
        ..world
    }
}

/// A batch runs out of time.
const fn timed_out(world: Conditions) -> Conditions {
    Conditions {
        delivery_timeouts: Budget::ONE,
        ..world
    }
}

/// An unknown producer must start at 0, and the limit counts from the lowest undecided
/// batch: the holes of B2 and B3 stay out.
const fn strict(world: Conditions) -> Conditions {
    Conditions {
        rule: &STRICT,
        in_flight_per: InFlightPer::Span,
        ..world
    }
}

const fn patient(world: Conditions) -> Conditions {
    Conditions {
        client: &PATIENT,
        ..strict(world)
    }
}

const fn looked_up_first(world: Conditions) -> Conditions {
    Conditions {
        validation: Validation::AfterLookup,
        ..world
    }
}

pub(super) fn claims() -> Vec<Claim> {
    [
        new_identity(),
        cancelled(),
        leftovers(),
        validation(),
        timeouts(),
    ]
    .concat()
}

fn new_identity() -> Vec<Claim> {
    vec![
        Claim::refuted(
            "bump-while-undecided-small",
            "B4",
            "A batch refused for good, behind one whose answer was an error, makes no duplicate",
            strict(looked_up_first(refused_for_good(SMALL_ALONE))),
            &[NoDuplicate],
        )
        .from("KAFKA-14034; kafka-facts H4; known-faults C04"),
        Claim::refuted(
            "bump-while-undecided",
            "B4",
            "A batch refused for good, behind one whose answer was an error, makes no duplicate, 5 \
             in flight",
            refused_for_good(REAL_ALONE),
            &[NoDuplicate],
        )
        .from("KAFKA-14034; kafka-facts H4; known-faults C04"),
        Claim::refuted(
            "bump-while-undecided-two-dead-connections",
            "B4",
            "A batch refused for good makes no duplicate, 5 in flight, whatever two dead connections \
             left over",
            Conditions {
                fatal_refusals: Budget::ONE,
                ..KAFKA
            },
            &[NoDuplicate],
        )
        .deep()
        .from("KAFKA-14034; kafka-facts H4"),
        Claim::holds(
            "bump-of-what-is-nowhere-small",
            "B4",
            "A client that renumbers only batches that are nowhere is safe from this, 2 in flight",
            patient(looked_up_first(refused_for_good(SMALL_ALONE))),
            PropertyId::ALL,
        )
        .from("ours"),
        Claim::holds(
            "bump-of-what-is-nowhere",
            "B4",
            "A client that renumbers only batches that are nowhere is safe from this, 5 in flight",
            patient(looked_up_first(refused_for_good(REAL_ALONE))),
            PropertyId::ALL,
        )
        .from("ours"),
    ]
}

/// The application cancels a batch, whose sequences the next one gets; refusals, errors and
/// lost connections besides.
fn cancelled() -> Vec<Claim> {
    vec![Claim::holds(
        "cancelled-only-if-nowhere",
        "B4",
        "Where only a batch that is nowhere can be cancelled, its sequence is free for another",
        patient(Conditions {
            cancellations: Budget::AtMost(2),
            refusals_before_append: Budget::AtMost(2),
            errors_after_append: Budget::ONE,
            batches: Budget::AtMost(4),
            disconnects: Budget::AtMost(2),
            ..SMALL
        }),
        PropertyId::ALL,
    )
    .from("ours; known-faults C07")]
}

fn leftovers() -> Vec<Claim> {
    vec![
        Claim::refuted(
            "bump-races-leftovers-small",
            "B5",
            "An epoch bump after a delivery timeout writes no duplicate while dead connections may \
             still deliver",
            strict(timed_out(SMALL)).of_any_length_or(4),
            &[NoDuplicate],
        )
        .from("kafka-facts H5 (ran S13b)"),
        Claim::refuted(
            "bump-races-leftovers",
            "B5",
            "An epoch bump after a delivery timeout writes no duplicate while dead connections may \
             still deliver, 5 in flight",
            strict(timed_out(REAL)).of_any_length_or(4),
            &[NoDuplicate],
        )
        .from("kafka-facts H5 (ran S13b)"),
        Claim::holds(
            "bump-without-leftovers",
            "B5",
            "Where nothing is left over, an epoch bump after a delivery timeout writes no duplicate",
            strict(timed_out(REAL_ALONE)).of_any_length_or(6),
            &all_but(&[NoFalseFailure, EveryBatchDecided]),
        )
        .from("kafka-facts H5 (ran S13c)"),
        Claim::holds(
            "patient-bump-with-leftovers-small",
            "B5",
            "A client that renumbers only batches that are nowhere is safe from leftovers, 2 in \
             flight",
            patient(timed_out(SMALL)),
            &all_but(&[RetryRecognised]),
        )
        .from("ours"),
        Claim::holds(
            "patient-bump-with-leftovers",
            "B5",
            "A client that renumbers only batches that are nowhere is safe from leftovers, 5 in \
             flight",
            patient(timed_out(KAFKA)),
            &all_but(&[RetryRecognised]),
        )
        .from("ours"),
    ]
}

fn validation() -> Vec<Claim> {
    let refused = |world| Conditions {
        fatal_refusals: Budget::ONE,
        ..strict(world)
    };
    vec![
        Claim::refuted(
            "validation-before-lookup",
            "B9",
            "A retry that does not pass validation any more does no harm",
            refused(SMALL_ALONE),
            &[NoDuplicate, RetryRecognised, NoFalseFailure],
        )
        .from("kafka-facts H10 (ran E22)"),
        Claim::refuted(
            "validation-before-lookup-real",
            "B9",
            "A retry that does not pass validation any more does no harm, 5 in flight",
            refused(REAL_ALONE),
            &[NoDuplicate, RetryRecognised, NoFalseFailure],
        )
        .from("kafka-facts H10 (ran E22)"),
        Claim::holds(
            "validation-after-lookup-real",
            "B9",
            "Where duplicates are looked up before anything is validated, and nothing is left over, it \
             does none, 5 in flight",
            looked_up_first(refused(REAL_ALONE)),
            PropertyId::ALL,
        )
        .from("ours"),
        Claim::holds(
            "validation-after-lookup",
            "B9",
            "Where duplicates are looked up before anything is validated, and nothing is left over, it \
             does none",
            looked_up_first(refused(SMALL_ALONE)),
            PropertyId::ALL,
        )
        .from("ours"),
    ]
}

fn timeouts() -> Vec<Claim> {
    vec![
        Claim::refuted(
            "delivery-timeout-means-unknown-small",
            "B12",
            "A batch that ran out of time, and is reported as failed, is not in the log",
            strict(timed_out(SMALL)).of_any_length_or(4),
            &[NoFalseFailure],
        )
        .from("kafka-facts H14 (ran S14); KAFKA-13843; known-faults C16"),
        Claim::refuted(
            "delivery-timeout-means-unknown",
            "B12",
            "A batch that ran out of time, and is reported as failed, is not in the log, 5 in flight",
            timed_out(REAL).of_any_length_or(4),
            &[NoFalseFailure],
        )
        .from("kafka-facts H14 (ran S14); KAFKA-13843; known-faults C16"),
        Claim::holds(
            "delivery-timeouts-told-as-unknown",
            "B12",
            "A client with a word for not knowing reports no written batch as failed, however many \
             run out of time",
            Conditions {
                delivery_timeouts: Budget::Any,
                ..patient(SMALL)
            },
            &all_but(&[RetryRecognised]),
        )
        .from("known-faults C09"),
        Claim::refuted(
            "stop-reports-a-failure-after-a-timeout",
            "B12",
            "A client that stops at out of order reports no written batch as failed after a timeout",
            Conditions {
                client: &STOP,
                ..strict(timed_out(SMALL))
            },
            &[NoFalseFailure, RetryRecognised],
        )
        .from("kafka-facts 5.8"),
    ]
}
