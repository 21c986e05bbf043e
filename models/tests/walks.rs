//! Random walks refute and never prove, and the same seed gives the same walks.

use retryproof_models::checking::{
    self, walk, Brake, Counts, Cut, Limits, Outcome, Progress, Silent, Verdict, Walks,
};
use retryproof_models::conditions::{Budget, Conditions, ProducerIds};
use retryproof_models::policies::PLAIN;
use retryproof_properties::PropertyId;

const SOME: Walks = Walks {
    count: 200,
    steps: 100,
    seed: 7,
};

/// Refuted by a search, in 10 steps at least.
const TWO_BY_ONE: Conditions = Conditions {
    in_flight: 2,
    window: 1,
    connections: 2,
    ..Conditions::KAFKA
};

fn walked(conditions: &Conditions, walks: &Walks) -> Outcome {
    conditions.validate().expect("conditions that make sense");
    walk(
        conditions,
        PropertyId::ALL,
        walks,
        &Limits::default(),
        &Silent,
    )
}

/// All but the time that it took.
fn told(outcome: &Outcome) -> String {
    format!(
        "{:?}",
        (
            outcome.counts,
            outcome.cut,
            &outcome.properties,
            &outcome.coverage,
            &outcome.walked
        )
    )
}

#[test]
fn a_known_hole_is_found() {
    let outcome = walked(&TWO_BY_ONE, &SOME);
    let found = outcome.of(PropertyId::NoDuplicate).expect("a property");
    assert_eq!(found.verdict, Verdict::Refuted);
    let run = found.counterexample.as_ref().expect("a run");
    assert!((10..=100).contains(&run.len()), "{} steps", run.len());
    assert!(run
        .violated_in(run.len() - 1)
        .contains(PropertyId::NoDuplicate));
    // The violation is that of the run with its real numbers.
    assert!(matches!(run.end(), checking::End::Violation(_)));
}

#[test]
fn a_hole_of_two_producers_is_found_in_their_kind_of_world() {
    let conditions = Conditions {
        in_flight: 2,
        window: 2,
        batches: Budget::AtMost(2),
        disconnects: Budget::ONE,
        producers: 2,
        producer_ids: ProducerIds::Shared,
        ..TWO_BY_ONE
    };
    let outcome = walked(&conditions, &SOME);
    let found = outcome.of(PropertyId::AckTruthful).expect("a property");
    assert_eq!(found.verdict, Verdict::Refuted);
    assert_eq!(told(&walked(&conditions, &SOME)), told(&outcome));
}

/// Beyond 24 batches a log with real numbers is too long; the walks are 40 times as long.
#[test]
fn a_run_of_a_long_walk_is_told_without_its_detours() {
    let long = Walks {
        count: 20,
        steps: 1000,
        ..SOME
    };
    let outcome = walked(&TWO_BY_ONE, &long);
    let walked = outcome.walked.as_ref().expect("walks");
    assert_eq!(walked.longest, 1000);
    let found = outcome.of(PropertyId::NoDuplicate).expect("a property");
    assert_eq!(found.verdict, Verdict::Refuted, "{:?}", walked.untold);
}

#[test]
fn the_walk_of_a_run_can_be_taken_again_alone() {
    let outcome = walked(&TWO_BY_ONE, &SOME);
    let found = outcome.of(PropertyId::NoDuplicate).expect("a property");
    let walks = outcome.walked.as_ref().expect("walks");
    let only = walks.walk_against(PropertyId::NoDuplicate).expect("a seed");
    assert_eq!((only.count, only.steps), (1, 100));
    let again = walked(&TWO_BY_ONE, &only);
    let refound = again.of(PropertyId::NoDuplicate).expect("a property");
    assert_eq!(refound.counterexample, found.counterexample);
}

#[test]
fn the_same_seed_gives_the_same_and_another_seed_another() {
    for conditions in [Conditions::KAFKA, TWO_BY_ONE] {
        let once = told(&walked(&conditions, &SOME));
        assert_eq!(told(&walked(&conditions, &SOME)), once);
        let other = Walks { seed: 8, ..SOME };
        assert_ne!(told(&walked(&conditions, &other)), once);
    }
}

#[test]
fn walks_stay_within_the_world_that_a_search_exhausts() {
    let whole = checking::check(&TWO_BY_ONE, PropertyId::ALL, &Limits::default(), &Silent);
    let outcome = walked(&TWO_BY_ONE, &SOME);
    assert!(outcome.counts.unique <= whole.counts.unique);
    for kind in outcome.coverage.actions.keys() {
        assert!(whole.coverage.actions.contains_key(kind), "{kind}");
    }
    for branch in outcome.coverage.branches.keys() {
        assert!(whole.coverage.branches.contains_key(branch), "{branch}");
    }
    for property in PropertyId::ALL {
        let verdict = |outcome: &Outcome| outcome.of(*property).map(|found| found.verdict);
        if verdict(&whole) == Some(Verdict::Holds) {
            assert_eq!(verdict(&outcome), Some(Verdict::Unknown), "{property}");
        }
    }
}

/// However small the world: 1 in flight has a few dozen states, and walks see them all.
#[test]
fn nothing_ever_holds() {
    let one = Conditions {
        in_flight: 1,
        ..Conditions::KAFKA
    };
    let outcome = walked(&one, &SOME);
    assert_eq!(outcome.cut, Some(Cut::Walked(SOME)));
    assert!(!outcome.exhausted());
    for found in &outcome.properties {
        assert_eq!(found.verdict, Verdict::Unknown, "{}", found.property);
    }
}

#[test]
fn only_the_properties_asked_for_are_judged() {
    let asked = [PropertyId::PartitionOrder];
    let outcome = walk(&TWO_BY_ONE, &asked, &SOME, &Limits::default(), &Silent);
    assert_eq!(outcome.properties.len(), 1);
    assert!(outcome.of(PropertyId::NoDuplicate).is_none());
}

#[test]
fn a_walk_ends_where_nothing_can_happen_or_a_state_outgrows_its_world() {
    let bounded = Conditions {
        batches: Budget::AtMost(2),
        disconnects: Budget::AtMost(1),
        ..TWO_BY_ONE
    };
    let outcome = walked(&bounded, &SOME);
    let walks = outcome.walked.as_ref().expect("walks");
    assert_eq!((walks.taken, walks.ended), (200, 200));
    assert!(walks.longest < 100);

    let growing = Conditions {
        client: &PLAIN,
        in_flight: 1,
        connections: 2,
        batches: Budget::AtMost(16),
        ..Conditions::KAFKA
    };
    let long = Walks {
        steps: 10_000,
        ..SOME
    };
    let outcome = walked(&growing, &long);
    let walks = outcome.walked.as_ref().expect("walks");
    assert!(walks.outgrown > 0, "{walks:?}");
}

#[test]
fn a_limit_on_states_ends_the_walks() {
    let limits = Limits {
        max_states: 100,
        ..Limits::default()
    };
    let outcome = walk(&Conditions::KAFKA, PropertyId::ALL, &SOME, &limits, &Silent);
    assert_eq!(outcome.cut, Some(Cut::MaxStates(100)));
    assert!(outcome.walked.expect("walks").taken < 200);
}

/// Pulls the brake as soon as it hears of a walk.
struct Impatient(Brake);

impl Progress for Impatient {
    fn update(&self, _stage: &'static str, _counts: Counts) {
        self.0.pull();
    }
}

#[test]
fn a_brake_ends_the_walks() {
    let limits = Limits::default();
    let impatient = Impatient(limits.brake.clone());
    let outcome = walk(
        &Conditions::KAFKA,
        PropertyId::ALL,
        &SOME,
        &limits,
        &impatient,
    );
    assert_eq!(outcome.cut, Some(Cut::Stopped));
    let walks = outcome.walked.expect("walks");
    assert!(0 < walks.taken && walks.taken < 200, "{walks:?}");
}
