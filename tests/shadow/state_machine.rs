//! Two partitions, each a manager of ours beside the specification: what happens to one
//! changes nothing in the other.
//!
//! `PROPTEST_CASES` says how many lists are walked. A failure prints them shrunk, as JSON like
//! that of cases.

use std::fmt;

use proptest::prelude::*;
use proptest_state_machine::{prop_state_machine, ReferenceStateMachine, StateMachineTest};
use retryproof::shadow::generate::{choices, Choice, Performance};
use retryproof::shadow::{compare, Expected, ProductionManager, StateManager};
use retryproof_models::specification::{Answer, Operation, Profile, Settings};

const PARTITIONS: usize = 2;

/// The specification of both partitions, and what happened so far.
#[derive(Clone)]
struct Reference {
    settings: Settings,
    partitions: [Performance; PARTITIONS],
    happened: [Vec<Operation>; PARTITIONS],
    /// Where the last operation was, and its answer; `None` if the choice came to nothing.
    last: Option<(usize, Answer)>,
}

impl Reference {
    fn new(profile: Profile, window: usize) -> Self {
        let settings = Settings {
            profile,
            window,
            ..Settings::kafka()
        };
        Reference {
            settings,
            partitions: std::array::from_fn(|_| Performance::new(&settings)),
            happened: Default::default(),
            last: None,
        }
    }
}

impl fmt::Debug for Reference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", self.settings)
    }
}

impl ReferenceStateMachine for Reference {
    type State = Self;
    type Transition = (usize, Choice);

    fn init_state() -> BoxedStrategy<Self> {
        let profiles = prop_oneof![Just(Profile::Kafka), Just(Profile::Hardened)];
        let windows = prop_oneof![Just(5), Just(1), Just(2), Just(8)];
        (profiles, windows)
            .prop_map(|(profile, window)| Reference::new(profile, window))
            .boxed()
    }

    fn transitions(_: &Self) -> BoxedStrategy<(usize, Choice)> {
        (0..PARTITIONS, choices()).boxed()
    }

    fn apply(mut reference: Self, (partition, choice): &(usize, Choice)) -> Self {
        let performance = &mut reference.partitions[*partition];
        reference.last = performance.next(choice).map(|operation| {
            let answer = performance.take(&operation);
            reference.happened[*partition].push(operation);
            (*partition, answer)
        });
        reference
    }
}

/// Two managers of ours.
struct Ours;

impl StateMachineTest for Ours {
    type SystemUnderTest = [ProductionManager; PARTITIONS];
    type Reference = Reference;

    fn init_test(reference: &Reference) -> Self::SystemUnderTest {
        std::array::from_fn(|_| {
            let mut subject = ProductionManager::default();
            subject.start(&reference.settings).expect("ours starts");
            subject
        })
    }

    fn apply(
        mut subjects: Self::SystemUnderTest,
        reference: &Reference,
        _: (usize, Choice),
    ) -> Self::SystemUnderTest {
        let Some((partition, answer)) = &reference.last else {
            return subjects;
        };
        let state = reference.partitions[*partition].partition().state();
        let expected = Expected {
            answer,
            state: Some(&state),
        };
        let last = reference.happened[*partition].last();
        let operation = last.expect("something happened there");
        if let Some((expected, got)) = compare(&mut subjects[*partition], operation, expected) {
            let json = |list| serde_json::to_string(list).expect("JSON");
            panic!(
                "partition {partition} of 2, {reference:?}\nexpected {expected:?}\ngot      \
                 {got:?}\npartition 0: {}\npartition 1: {}",
                json(&reference.happened[0]),
                json(&reference.happened[1])
            );
        }
        for (subject, partition) in subjects.iter_mut().zip(&reference.partitions) {
            let state = subject.state().expect("ours tells");
            let both = &reference.happened;
            assert_eq!(state, Some(partition.partition().state()), "{both:?}");
        }
        subjects
    }
}

prop_state_machine! {
    #![proptest_config(ProptestConfig {
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn ours_and_the_specification_are_one_in_both_partitions(sequential 1..60 => Ours);
}
