//! Every decision, taken by the manager.

use std::collections::{BTreeSet, HashSet};

use retryproof::shadow::edges::{
    edges, every_edge, on_subject, replay, EdgeDifference, Edges, EdgesWalked, Memory, Mismatch,
};
use retryproof::shadow::ProductionManager;
use retryproof::state_manager::{Config, Profile};
use retryproof_models::conditions::Conditions;
use retryproof_models::message::Request;
use retryproof_models::rules::{Verdict, KAFKA_1_0, LAST_SEQUENCE_ONLY, STRICT};
use retryproof_models::specification::{Answer, ErrorName, Settings};

use crate::worlds::{bounded, rule_of, worlds, BEYOND};

/// A profile with the window of a world.
fn config_for(profile: Profile, world: &Conditions) -> Config {
    let config = match profile {
        Profile::Kafka => Config::kafka(),
        Profile::Hardened => Config::hardened(),
    };
    config.with_window(world.window.into()).expect("1 to 8")
}

/// What was compared in all worlds of a rule.
#[derive(Debug, Default)]
struct Compared {
    worlds: usize,
    states: usize,
    deliveries: usize,
    /// By the window of the world: every memory that is reached in one with that window.
    memories: HashSet<(u8, Memory)>,
    /// Likewise every request that is sent to such a memory.
    reached: HashSet<(u8, Memory, Request)>,
    /// Likewise every request around it.
    edges: HashSet<(u8, Memory, Request)>,
    decisions: usize,
    branches: BTreeSet<&'static str>,
}

impl Compared {
    fn add(&mut self, found: &Edges, walked: &EdgesWalked) {
        self.worlds += 1;
        self.states += walked.states;
        self.deliveries += walked.deliveries;
        self.decisions += walked.decisions;
        self.branches.extend(&walked.branches);
        let window = found.conditions.window;
        for edge in &found.all {
            self.memories.insert((window, edge.before));
            self.edges.insert((window, edge.before, edge.request));
            if edge.reached {
                self.reached.insert((window, edge.before, edge.request));
            }
        }
    }
}

#[track_caller]
fn every_edge_is_the_rules(profile: Profile) {
    let rule = rule_of(profile);
    let mut compared = Compared::default();
    for world in worlds(rule) {
        let found = edges(&world);
        assert_eq!(found.outgrown, 0, "{world}: the walk was cut");
        let walked = replay(&found, config_for(profile, &world));
        let walked = walked.unwrap_or_else(|difference| panic!("{world}\n{difference}"));
        compared.add(&found, &walked);
    }
    let branches: BTreeSet<_> = rule.branches.iter().copied().collect();
    assert_eq!(
        compared.branches, branches,
        "every branch of the rule is taken"
    );
    let sizes = [
        ("worlds", compared.worlds, 100),
        ("states", compared.states, 600_000),
        ("deliveries", compared.deliveries, 1_300_000),
        ("memories", compared.memories.len(), 120),
        ("requests sent to them", compared.reached.len(), 500),
        ("requests around them", compared.edges.len(), 7_000),
        ("decisions", compared.decisions, 4_500_000),
    ];
    for (what, found, at_least) in sizes {
        println!("{}: {found} {what}", rule.name);
        assert!(found >= at_least, "{found} {what}, {at_least} expected");
    }
}

#[test]
fn profile_kafka_takes_every_decision_as_rule_kafka_4() {
    every_edge_is_the_rules(Profile::Kafka);
}

#[test]
fn profile_hardened_takes_every_decision_as_rule_strict() {
    every_edge_is_the_rules(Profile::Hardened);
}

#[test]
fn the_manager_in_a_broker_takes_every_decision_too() {
    let sizes = (1..=8).map(|window| Conditions { window, ..BEYOND });
    let worlds: Vec<Conditions> = sizes.chain(bounded()).collect();
    for (profile, settings) in [
        (Profile::Kafka, Settings::kafka()),
        (Profile::Hardened, Settings::hardened()),
    ] {
        let mut decisions = 0;
        for world in &worlds {
            let rule = rule_of(profile);
            let settings = Settings {
                window: world.window.into(),
                ..settings
            };
            let subject = &mut ProductionManager::default();
            let walked = on_subject(&edges(&Conditions { rule, ..*world }), &settings, subject);
            let taken = walked.unwrap_or_else(|found| panic!("{found}"));
            assert_eq!(taken.left_out, 0);
            decisions += taken.decisions;
        }
        assert!(decisions >= 7_000, "{decisions}");
    }
}

#[track_caller]
fn difference(world: Conditions, config: Config) -> EdgeDifference {
    let walked = every_edge(&world, config);
    *walked.expect_err("rule and manager differ, and the walk says so")
}

fn answers(difference: &EdgeDifference) -> (&Answer, &Answer) {
    match &difference.mismatch {
        Mismatch::Answer { expected, found } => (expected, found),
        other => panic!("not about the answer: {other}"),
    }
}

const OUT_OF_ORDER: Answer = Answer::Error(ErrorName::OutOfOrderSequenceNumber);

#[test]
fn a_manager_of_another_rule_is_told() {
    let hardened = difference(BEYOND, Config::hardened());
    assert_eq!(hardened.rule, "kafka-4");
    assert!(!hardened.edge.before.broker.known);
    let (expected, found) = answers(&hardened);
    assert!(matches!(expected, Answer::Append(..)), "{hardened}");
    assert_eq!(*found, OUT_OF_ORDER);

    let strict = Conditions {
        rule: &STRICT,
        ..BEYOND
    };
    let kafka = difference(strict, Config::kafka());
    let (expected, found) = answers(&kafka);
    assert_eq!(*expected, OUT_OF_ORDER);
    assert!(matches!(found, Answer::Append(..)), "{kafka}");
    assert!(kafka.to_string().starts_with(
        "rule strict: producer unknown, log end 0; request epoch -1, seq -8: unknown producer, \
         does not start at 0\nput at: batches of 1, next sequence 0, 0 older\nthe rule's answer \
         is Error(OutOfOrderSequenceNumber), the manager's Append(1000000, 1000000)"
    ), "{kafka}");
}

#[test]
fn a_manager_of_another_window_is_told() {
    let shorter = Config::kafka().with_window(4).expect("1 to 63");
    let found = difference(BEYOND, shorter);
    assert!(
        matches!(
            found.mismatch,
            Mismatch::Before { .. } | Mismatch::After { .. }
        ),
        "{found}"
    );

    let longer = Config::kafka().with_window(6).expect("1 to 63");
    let found = difference(BEYOND, longer);
    assert_eq!(found.edge.before.broker.window.len(), 5, "{found}");
}

#[test]
fn rules_that_are_not_the_managers_are_told() {
    let kafka_1_0 = Conditions {
        rule: &KAFKA_1_0,
        ..BEYOND
    };
    let found = difference(kafka_1_0, Config::kafka());
    assert_eq!(
        found.edge.ruling.branch,
        "unknown producer, does not start at 0"
    );

    let last_only = Conditions {
        rule: &LAST_SEQUENCE_ONLY,
        ..BEYOND
    };
    let found = difference(last_only, Config::hardened());
    assert_eq!(found.edge.ruling.verdict, Verdict::Append);
    assert!(matches!(found.mismatch, Mismatch::After { .. }), "{found}");
}
