//! The shortest runs of the headline, step by step: what breaks with six in flight, and
//! what a producer without idempotence does under one lost answer.

use retryproof_models::checking::{self, End, Limits, Silent, Trace};
use retryproof_models::claims::registry;
use retryproof_models::conditions::{Budget, Conditions};
use retryproof_models::policies::PLAIN;
use retryproof_models::world::FlatWorld;
use retryproof_properties::{no_duplicate, Offset, PropertyId, Record, Violation};

const SIX: Conditions = Conditions {
    in_flight: 6,
    ..Conditions::KAFKA
};

/// One dead connection and seven batches, one more than are in flight.
const SIX_BOUNDED: Conditions = Conditions {
    connections: 2,
    batches: Budget::AtMost(7),
    ..SIX
};

fn shortest(conditions: &Conditions, property: PropertyId) -> Trace<FlatWorld> {
    let outcome = checking::check(conditions, &[property], &Limits::default(), &Silent);
    let found = outcome.of(property).expect("a property that was asked for");
    let run = found.counterexample.clone();
    let run = run.unwrap_or_else(|| panic!("{conditions}: {property} {}", found.verdict));
    run.one_broker().expect("a world with one broker").clone()
}

/// Kinds of the steps of a run. A request that the broker executes after its connection
/// broke is delivered all the same.
fn kinds(run: &Trace<FlatWorld>) -> Vec<&'static str> {
    let steps = run.steps.iter().enumerate();
    let kinds = steps.map(|(index, step)| {
        let kind = step.action.kind(run.before(index).producer.bump_wanted);
        kind.trim_end_matches("-leftover")
    });
    kinds.collect()
}

fn counted(run: &Trace<FlatWorld>, kind: &str) -> usize {
    kinds(run).iter().filter(|other| **other == kind).count()
}

/// Six sends, six deliveries, the break, the retry, its delivery, and its answer, which is
/// the false alarm: the batch is in the log.
#[test]
fn the_shortest_false_alarm_with_six_in_flight_takes_16_actions() {
    for conditions in [SIX, SIX_BOUNDED] {
        let run = shortest(&conditions, PropertyId::RetryRecognised);
        assert_eq!(run.len(), 16, "{conditions}: {:?}", kinds(&run));
        assert_eq!(counted(&run, "send"), 6);
        assert_eq!(counted(&run, "disconnect"), 1);
        assert_eq!(kinds(&run)[13..], ["retry", "deliver", "read"]);
        assert_eq!(counted(&run, "deliver"), 7);
        let last = run.steps.last().expect("a step");
        assert!(
            last.after.producer.bump_wanted,
            "the client wants a new epoch"
        );
        assert_eq!(last.after.ledger.log_end, 6);
        assert!(matches!(
            run.end,
            End::Violation(Violation::RetryRecognised(_))
        ));
    }
}

/// The same, then the resend under the new epoch and its delivery.
#[test]
fn the_shortest_duplicate_with_six_in_flight_takes_18_actions() {
    for conditions in [SIX, SIX_BOUNDED] {
        let run = shortest(&conditions, PropertyId::NoDuplicate);
        assert_eq!(run.len(), 18, "{conditions}: {:?}", kinds(&run));
        assert_eq!(counted(&run, "send"), 6);
        assert_eq!(counted(&run, "disconnect"), 1);
        assert_eq!(
            kinds(&run)[13..],
            ["retry", "deliver", "read", "retry", "deliver"]
        );
        assert_eq!(counted(&run, "deliver"), 8);
        let twice = no_duplicate::RecordTwice {
            record: Record(0),
            again_at: Offset(6),
        };
        assert_eq!(run.end, End::Violation(Violation::NoDuplicate(twice)));
        let last = run.steps.last().expect("a step");
        assert_eq!(last.after.producer.epoch, 1);
    }
}

/// Send, delivery, the break that loses the answer, retry, delivery.
#[test]
fn a_plain_producer_writes_its_duplicate_with_5_actions_at_offset_1() {
    let claim = registry()
        .iter()
        .find(|claim| claim.id == "plain-producer-writes-duplicates")
        .expect("the claim on the plain producer");
    assert_eq!(claim.conditions.client, &PLAIN);
    let run = shortest(&claim.conditions, PropertyId::NoDuplicate);
    assert_eq!(
        kinds(&run),
        ["send", "deliver", "disconnect", "retry", "deliver"]
    );
    let twice = no_duplicate::RecordTwice {
        record: Record(0),
        again_at: Offset(1),
    };
    assert_eq!(run.end, End::Violation(Violation::NoDuplicate(twice)));
}
