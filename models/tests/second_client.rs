//! Two producers with clients of different kinds on one partition.

use retryproof_models::checking::{check, Limits, Outcome, Silent, Verdict};
use retryproof_models::conditions::{Budget, Conditions};
use retryproof_models::policies::{JAVA_4, PLAIN};
use retryproof_models::scenarios::run;
use retryproof_properties::PropertyId::{self, NoDuplicate};

const TWO: Conditions = Conditions {
    in_flight: 1,
    connections: 1,
    batches: Budget::ONE,
    producers: 2,
    disconnects: Budget::ONE,
    ..Conditions::KAFKA
};

fn checked(conditions: Conditions) -> Outcome {
    check(&conditions, PropertyId::ALL, &Limits::default(), &Silent)
}

#[test]
fn a_second_client_of_the_same_kind_changes_nothing() {
    let same = checked(TWO);
    let named = checked(Conditions {
        second_client: Some(&JAVA_4),
        ..TWO
    });
    assert!(same.exhausted());
    assert_eq!(same.counts, named.counts);
}

#[test]
fn beside_a_plain_client_only_its_own_records_are_written_twice() {
    let mixed = Conditions {
        second_client: Some(&PLAIN),
        ..TWO
    };
    let outcome = checked(mixed);
    let found = outcome.of(NoDuplicate).expect("it was asked for");
    assert_eq!(found.verdict, Verdict::Refuted);
    let of_p1 = [
        "p1 sends r0",
        "broker takes r0 of p1",
        "connection of p1 breaks",
        "p1 sends r0 again",
        "broker takes r0 of p1",
    ];
    let run_of_p1 = run(&mixed, of_p1).expect("a run");
    assert!(run_of_p1.violated_in(4).contains(NoDuplicate));
    let of_p0: Vec<String> = of_p1.iter().map(|step| step.replace("p1", "p0")).collect();
    let run_of_p0 = run(&mixed, of_p0.iter().map(String::as_str)).expect("a run");
    assert!(!run_of_p0.violated_in(4).contains(NoDuplicate));
}

#[test]
fn a_plain_client_may_come_first() {
    let conditions = Conditions {
        client: &PLAIN,
        second_client: Some(&JAVA_4),
        ..TWO
    };
    assert_eq!(conditions.validate(), Ok(()));
    let swapped = Conditions {
        second_client: Some(&PLAIN),
        ..TWO
    };
    assert_eq!(checked(conditions).counts, checked(swapped).counts);
}
