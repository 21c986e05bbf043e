//! A search that was cut proves nothing: what it did not refute is *unknown*, and unknown
//! fails a claim whatever it expects.

use retryproof_models::checking::{
    self, Brake, Counts, Cut, Limits, Outcome, Progress, Silent, Verdict,
};
use retryproof_models::claims::{check_claims, registry, Claim, ClaimOutcome};
use retryproof_models::conditions::{Budget, Conditions};
use retryproof_models::network::NetworkKind;
use retryproof_models::policies::{PIPELINING, PLAIN};
use retryproof_models::rules::{self, KAFKA_1_0};
use retryproof_properties::PropertyId;

fn claim(id: &str) -> &'static Claim {
    let claim = registry().iter().find(|claim| claim.id == id);
    claim.unwrap_or_else(|| panic!("the registry has no claim {id}"))
}

fn judged(id: &str, limits: &Limits) -> ClaimOutcome {
    let outcomes = check_claims(&[claim(id)], limits, &Silent, |_| {});
    outcomes
        .into_iter()
        .next()
        .expect("an outcome for the claim")
}

fn at_most(max_states: usize) -> Limits {
    Limits {
        max_states,
        ..Limits::default()
    }
}

fn check(conditions: &Conditions, limits: &Limits) -> Outcome {
    checking::check(conditions, PropertyId::ALL, limits, &Silent)
}

fn verdict(outcome: &Outcome, property: PropertyId) -> Verdict {
    outcome
        .of(property)
        .expect("a property that was asked for")
        .verdict
}

#[test]
fn a_claim_that_holds_is_unknown_beyond_max_states() {
    let told = judged("in-flight-5", &at_most(1_000));
    assert_eq!(told.claim.expected, Verdict::Holds);
    assert_eq!(told.verdict, Verdict::Unknown);
    assert!(!told.as_expected(), "unknown must fail the claim");
    assert_eq!(told.outcome.cut, Some(Cut::MaxStates(1_000)));
    for found in &told.outcome.properties {
        assert_eq!(found.verdict, Verdict::Unknown, "{}", found.property);
    }
}

#[test]
fn a_claim_that_is_refuted_is_unknown_if_the_cut_comes_before_the_violation() {
    let told = judged("in-flight-6-writes-duplicates", &at_most(100));
    assert_eq!(told.claim.expected, Verdict::Refuted);
    assert_eq!(told.verdict, Verdict::Unknown);
    assert!(!told.as_expected(), "unknown must fail the claim");
}

#[test]
fn one_state_less_than_there_are_is_a_cut_and_as_many_is_none() {
    let told = judged("in-flight-1", &Limits::default());
    let unique = told.outcome.counts.unique;
    let cut = judged("in-flight-1", &at_most(unique - 1));
    assert_eq!(cut.outcome.cut, Some(Cut::MaxStates(unique - 1)));
    assert_eq!(cut.verdict, Verdict::Unknown);
    let whole = judged("in-flight-1", &at_most(unique));
    assert_eq!(whole.outcome.cut, None);
    assert_eq!(whole.verdict, Verdict::Holds);
}

const THREE_BY_TWO: Conditions = Conditions {
    in_flight: 3,
    window: 2,
    connections: 2,
    ..Conditions::KAFKA
};

/// The tightest limit on states under which the survey still sees the property violated.
fn tightest(conditions: &Conditions, property: PropertyId) -> Limits {
    let sees_it = |limits: &Limits| {
        let survey = checking::survey(conditions, limits, &Silent);
        survey.violated.contains(property)
    };
    (1..10_000)
        .map(at_most)
        .find(sees_it)
        .expect("a limit that lets the survey see the violation")
}

#[test]
fn what_was_refuted_before_the_cut_stays_refuted() {
    let whole = check(&THREE_BY_TWO, &Limits::default());
    let limits = tightest(&THREE_BY_TWO, PropertyId::RetryRecognised);
    assert!(limits.max_states < whole.counts.unique);
    let cut = check(&THREE_BY_TWO, &limits);
    assert_eq!(cut.cut, Some(Cut::MaxStates(limits.max_states)));
    let run = |outcome: &Outcome| {
        let found = outcome.of(PropertyId::RetryRecognised)?;
        Some(found.counterexample.as_ref()?.len())
    };
    assert_eq!(verdict(&cut, PropertyId::RetryRecognised), Verdict::Refuted);
    assert_eq!(run(&cut), run(&whole), "steps of the shortest run");
    for property in PropertyId::ALL {
        if verdict(&whole, *property) == Verdict::Holds {
            assert_eq!(verdict(&cut, *property), Verdict::Unknown, "{property}");
        }
    }
}

/// In a space that was not exhausted, that a state cannot be reached is not known.
#[test]
fn liveness_is_not_refuted_in_a_search_that_was_cut() {
    let conditions = Conditions {
        network: NetworkKind::Unordered,
        in_flight: 2,
        window: 2,
        ..THREE_BY_TWO
    };
    let whole = check(&conditions, &Limits::default());
    assert_eq!(
        verdict(&whole, PropertyId::EveryBatchDecided),
        Verdict::Refuted
    );
    let cut = check(&conditions, &at_most(whole.counts.unique - 1));
    assert_eq!(
        verdict(&cut, PropertyId::EveryBatchDecided),
        Verdict::Unknown
    );
    let survey = checking::survey(&conditions, &at_most(whole.counts.unique - 1), &Silent);
    assert!(survey.stuck.is_none());
}

#[test]
fn a_brake_that_is_pulled_before_the_search_leaves_all_unknown() {
    let limits = Limits::default();
    limits.brake.pull();
    let told = judged("in-flight-5", &limits);
    assert_eq!(told.outcome.cut, Some(Cut::Stopped));
    assert_eq!(told.verdict, Verdict::Unknown);
    assert!(!told.as_expected());
}

/// Pulls the brake as soon as it hears of a search.
struct Impatient(Brake);

impl Progress for Impatient {
    fn update(&self, _stage: &'static str, _counts: Counts) {
        self.0.pull();
    }
}

#[test]
fn a_brake_that_is_pulled_during_the_search_leaves_all_unknown() {
    let limits = Limits::default();
    let impatient = Impatient(limits.brake.clone());
    let outcome = checking::check(&Conditions::KAFKA, PropertyId::ALL, &limits, &impatient);
    assert_eq!(outcome.cut, Some(Cut::Stopped));
    for property in PropertyId::ALL {
        assert_eq!(verdict(&outcome, *property), Verdict::Unknown, "{property}");
    }
}

/// A plain producer's only batch, written again after every disconnect: where batches are
/// counted, offsets are real, and the log outgrows what a world can hold.
#[test]
fn a_world_that_overflows_is_unknown() {
    let conditions = Conditions {
        client: &PLAIN,
        in_flight: 1,
        connections: 2,
        batches: Budget::AtMost(1),
        ..Conditions::KAFKA
    };
    conditions.validate().expect("conditions that make sense");
    let outcome = check(&conditions, &Limits::default());
    assert_eq!(outcome.cut, Some(Cut::Overflow));
    assert_eq!(verdict(&outcome, PropertyId::NoDuplicate), Verdict::Refuted);
    for property in PropertyId::ALL {
        if *property != PropertyId::NoDuplicate {
            assert_eq!(verdict(&outcome, *property), Verdict::Unknown, "{property}");
        }
    }
}

/// Retries that do not wait for each other raise the epoch again and again when single
/// messages are lost: in a bounded world epochs are real numbers, and end somewhere.
#[test]
fn epochs_that_rise_without_end_are_unknown() {
    let conditions = Conditions {
        client: &PIPELINING,
        rule: &KAFKA_1_0,
        network: NetworkKind::Ordered,
        in_flight: 2,
        window: 2,
        connections: 2,
        batches: Budget::AtMost(2),
        ..Conditions::KAFKA
    };
    let outcome = check(&conditions, &Limits::default());
    assert_eq!(outcome.cut, Some(Cut::Overflow));
    assert_eq!(verdict(&outcome, PropertyId::NoDuplicate), Verdict::Unknown);
}

/// The step into a log that is too long is judged before notes that lack a batch.
#[test]
fn the_step_that_overflows_refutes_nothing() {
    let conditions = Conditions {
        rule: &rules::mutants::APPENDS_DUPLICATES,
        in_flight: 1,
        connections: 2,
        batches: Budget::AtMost(1),
        ..Conditions::KAFKA
    };
    let outcome = check(&conditions, &Limits::default());
    assert_eq!(outcome.cut, Some(Cut::Overflow));
    assert_eq!(verdict(&outcome, PropertyId::LogIsFold), Verdict::Unknown);
}

/// Pulls the brake when the search for a shortest run begins. (With two threads nothing
/// else tells that it is exploring.)
struct ImpatientForTheRun(Brake);

impl Progress for ImpatientForTheRun {
    fn update(&self, stage: &'static str, _counts: Counts) {
        if stage == "exploring" {
            self.0.pull();
        }
    }
}

#[test]
fn a_brake_that_is_pulled_in_the_search_for_the_run_proves_nothing() {
    let limits = Limits {
        threads: 2,
        ..Limits::default()
    };
    let six = Conditions {
        in_flight: 6,
        ..Conditions::KAFKA
    };
    let impatient = ImpatientForTheRun(limits.brake.clone());
    let outcome = checking::check(&six, PropertyId::ALL, &limits, &impatient);
    assert_eq!(outcome.cut, Some(Cut::Stopped));
    let of_retries = verdict(&outcome, PropertyId::RetryRecognised);
    assert_eq!(of_retries, Verdict::Unknown, "seen, but its run was not");
    for property in PropertyId::ALL {
        assert_ne!(verdict(&outcome, *property), Verdict::Holds, "{property}");
    }
}
