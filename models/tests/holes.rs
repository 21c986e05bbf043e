//! The holes H1 to H9 that were observed on the real Apache Kafka 4.3.1 (kafka-facts Q2):
//! the model finds each by itself, with nothing but a fault that may happen at any moment,
//! and its shortest run has the same events in the same order.

use retryproof_models::checking::{self, Limits, Run, Silent};
use retryproof_models::claims::registry;
use retryproof_properties::PropertyId::{self, EveryBatchDecided, NoDuplicate};

/// An event of a run: the kind of action, and of a decision the branch of the rule.
type Event = (&'static str, &'static str);

const SENT_AGAIN: Event = ("retry", "");
const READ: Event = ("read", "");
const EVICTED: Event = (
    "deliver",
    "at or below the last sequence, not in the window",
);
const WRITTEN: Event = ("deliver", "next in sequence");
const UNDER_A_NEW_EPOCH: Event = ("deliver", "new epoch, starts at 0");
const UNKNOWN: Event = ("deliver", "unknown producer, any first sequence");
const WITHOUT_IDENTITY: Event = ("deliver", "no sequence");

/// The shortest run by which the property refutes the claim.
fn run_of(claim: &str, property: PropertyId) -> Run {
    let claim = registry().iter().find(|other| other.id == claim);
    let claim = claim.unwrap_or_else(|| panic!("no such claim"));
    let outcome = checking::check(&claim.conditions, &[property], &Limits::default(), &Silent);
    let found = outcome.of(property).expect("a property that was asked for");
    let run = found.counterexample.clone();
    run.unwrap_or_else(|| panic!("{}: {property} {}", claim.id, found.verdict))
}

/// Asserts that these events happen in the run, in this order, others between them.
fn assert_happens(run: &Run, events: &[Event]) {
    let happened: Vec<Event> = run
        .kinds()
        .into_iter()
        .zip(run.branches())
        .map(|(kind, branch)| (kind, branch.unwrap_or("")))
        .collect();
    let mut left = happened.iter();
    for event in events {
        let found = left.any(|(kind, branch)| {
            kind.starts_with(event.0) && (event.1.is_empty() || *branch == event.1)
        });
        assert!(found, "{event:?} does not happen in order in {happened:#?}");
    }
}

#[test]
fn h1_a_restart_shrinks_the_window_and_the_client_bumps() {
    for claim in [
        "restart-with-a-window-of-one-small",
        "restart-with-a-window-of-one",
    ] {
        let run = run_of(claim, NoDuplicate);
        let events = [
            ("restart", ""),
            SENT_AGAIN,
            EVICTED,
            READ,
            SENT_AGAIN,
            UNDER_A_NEW_EPOCH,
        ];
        assert_happens(&run, &events);
    }
}

#[test]
fn h2_the_limit_is_per_connection_and_the_leader_moves() {
    let run = run_of("leader-move-small", NoDuplicate);
    let events = [
        ("leader-move", ""),
        SENT_AGAIN,
        EVICTED,
        SENT_AGAIN,
        UNDER_A_NEW_EPOCH,
    ];
    assert_happens(&run, &events);
}

#[test]
fn h3_a_later_batch_founds_the_state_and_the_first_is_stuck() {
    let run = run_of("unknown-producer-small", PropertyId::GapRejected);
    assert_happens(&run, &[("refuse-before-append", ""), UNKNOWN]);
    let stuck = run_of("unknown-producer-small", EveryBatchDecided);
    assert_happens(
        &stuck,
        &[("send", ""), ("send", ""), ("refuse-before-append", "")],
    );
}

#[test]
fn h4_a_later_batch_is_refused_for_good_and_the_bump_rewrites_an_earlier_one() {
    for claim in ["bump-while-undecided-small", "bump-while-undecided"] {
        let run = run_of(claim, NoDuplicate);
        let events = [
            ("error-after-append", ""),
            ("refuse-for-good", ""),
            SENT_AGAIN,
            UNDER_A_NEW_EPOCH,
        ];
        assert_happens(&run, &events);
    }
}

#[test]
fn h5_a_bump_races_with_what_a_dead_connection_left_over() {
    for claim in ["bump-races-leftovers-small", "bump-races-leftovers"] {
        let run = run_of(claim, NoDuplicate);
        let events = [
            ("disconnect", ""),
            ("deliver-leftover", ""),
            SENT_AGAIN,
            UNDER_A_NEW_EPOCH,
        ];
        assert_happens(&run, &events);
        assert_happens(&run, &[("time-out", ""), UNDER_A_NEW_EPOCH]);
    }
}

#[test]
fn h6_h7_the_state_is_forgotten_between_a_batch_and_its_retry() {
    for claim in ["expiry-by-client-time-smallest", "expiry-by-client-time"] {
        let run = run_of(claim, NoDuplicate);
        assert_happens(&run, &[UNKNOWN, ("expire", ""), UNKNOWN]);
        assert_happens(&run, &[UNKNOWN, SENT_AGAIN, UNKNOWN]);
    }
}

#[test]
fn h8_the_last_epoch_is_used_up_and_a_batch_loses_its_identity() {
    let run = run_of("epochs-run-out", NoDuplicate);
    let events = [
        ("refuse-for-good", ""),
        SENT_AGAIN,
        WITHOUT_IDENTITY,
        ("disconnect", ""),
        SENT_AGAIN,
        WITHOUT_IDENTITY,
    ];
    assert_happens(&run, &events);
}

#[test]
fn h9_two_batches_at_the_wrap_both_wait_and_the_wrong_one_goes_first() {
    let run = run_of("plain-comparison-at-the-wrap", EveryBatchDecided);
    let refused = ("refuse-before-append", "");
    assert_happens(&run, &[WRITTEN, refused]);
    let trace = run.one_broker().expect("one broker");
    let last = trace.steps.last().expect("a step");
    let waiting: Vec<i8> = last
        .after
        .producer
        .undecided
        .iter()
        .map(|batch| batch.sequence)
        .collect();
    assert!(
        waiting.contains(&3) && waiting.contains(&4),
        "3 is the last of 4 sequences, and 4 is 0 on the wire: {waiting:?}"
    );
}
