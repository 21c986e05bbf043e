//! B2 on one broker: what the limit counts. Batches that are acknowledged make room in the
//! limit, though they stay between the lowest undecided batch and the newest: a batch whose
//! answer was an error can be left behind by more than a window of later ones. The hole was
//! found by the model; kafka-facts has its like for six in flight only (Q1 B).

use retryproof_properties::PropertyId::{self, *};

use crate::claims::{all_but, Claim};
use crate::conditions::{Budget, Conditions, InFlightPer, ProducerKnown};

use super::{KAFKA, REAL, SMALL};

/// What breaks when a batch is left behind by a window of later ones.
const LEFT_BEHIND: &[PropertyId] = &[RetryRecognised, EveryBatchDecided];

const fn errors(times: Budget, world: Conditions) -> Conditions {
    Conditions {
        errors_after_append: times,
        ..world
    }
}

const fn from_the_lowest(world: Conditions) -> Conditions {
    Conditions {
        in_flight_per: InFlightPer::Span,
        ..world
    }
}

pub(super) fn claims() -> Vec<Claim> {
    vec![
        Claim::refuted(
            "left-behind-small",
            "B2",
            "One error after append and lost connections leave no retry unrecognised, 2 in flight",
            errors(Budget::ONE, SMALL),
            LEFT_BEHIND,
        )
        .from("found by the model; kafka-facts Q1 B, 5.3"),
        Claim::refuted(
            "left-behind",
            "B2",
            "One error after append and lost connections leave no retry unrecognised, 5 in flight \
             and a window of 5",
            errors(Budget::ONE, REAL),
            LEFT_BEHIND,
        )
        .from("found by the model; kafka-facts Q1 B, 5.3"),
        Claim::refuted(
            "left-behind-by-a-refusal",
            "B2",
            "One refusal before append does no harm to a producer that the broker knows",
            Conditions {
                refusals_before_append: Budget::ONE,
                producer_state: ProducerKnown::Known,
                ..SMALL
            },
            LEFT_BEHIND,
        )
        .from("found by the model"),
        Claim::holds(
            "left-behind-keeps-the-rest",
            "B2",
            "With any number of errors after append no duplicate is written and order is kept, 5 in \
             flight",
            errors(Budget::Any, REAL),
            &all_but(LEFT_BEHIND),
        )
        .from("kafka-facts Q1 B"),
        Claim::holds(
            "1-in-flight-under-errors",
            "B2",
            "With 1 in flight any number of refusals and errors that may be retried does no harm",
            Conditions {
                in_flight: 1,
                refusals_before_append: Budget::Any,
                ..errors(Budget::Any, KAFKA)
            },
            PropertyId::ALL,
        )
        .from("found by the model; kafka-facts S8"),
        Claim::holds(
            "limit-from-the-lowest-undecided-small",
            "B2",
            "A limit that counts from the lowest undecided batch closes the hole, 2 in flight",
            from_the_lowest(errors(Budget::Any, SMALL)),
            PropertyId::ALL,
        )
        .from("ours"),
        Claim::holds(
            "limit-from-the-lowest-undecided",
            "B2",
            "A limit that counts from the lowest undecided batch closes the hole, 5 in flight",
            from_the_lowest(errors(Budget::Any, REAL)),
            PropertyId::ALL,
        )
        .from("ours"),
    ]
}
