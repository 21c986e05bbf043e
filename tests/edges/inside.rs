//! The manager inside the broker of the headline worlds.

use std::collections::BTreeSet;

use retryproof::shadow::inside::{PRODUCTION_HARDENED, PRODUCTION_KAFKA};
use retryproof::state_manager::Profile;
use retryproof_models::checking::{check, Limits, Outcome, Silent, Verdict};
use retryproof_models::claims::BORDER;
use retryproof_models::conditions::Conditions;
use retryproof_models::rules::{Rule, KAFKA_4, STRICT};
use retryproof_models::world::ActorWorld;
use retryproof_properties::PropertyId;
use stateright::{Checker, Model};

use crate::worlds::{bounded, headline, rule_of, BEYOND};

const KAFKA: Conditions = Conditions::KAFKA;

/// A shortest run of one property, or that there is none.
fn shortest(outcome: &Outcome) -> Vec<(PropertyId, Verdict, Option<usize>)> {
    let properties = outcome.properties.iter();
    properties
        .map(|found| {
            let run = found.counterexample.as_ref();
            (found.property, found.verdict, run.map(|run| run.len()))
        })
        .collect()
}

fn searched(world: &Conditions) -> Outcome {
    world.validate().expect("conditions of a claim");
    let limits = Limits {
        threads: 1,
        ..Limits::default()
    };
    check(world, PropertyId::ALL, &limits, &Silent)
}

fn inside_is_as_the_rule(profile: Profile, production: &'static Rule) {
    let mut branches = BTreeSet::new();
    for world in headline().into_iter().chain(bounded()) {
        let rule = rule_of(profile);
        let with_rule = searched(&Conditions { rule, ..world });
        let rule = production;
        let with_manager = searched(&Conditions { rule, ..world });
        assert_eq!(with_manager.cut, None, "{world}");
        assert_eq!(with_manager.counts, with_rule.counts, "{world}");
        assert_eq!(shortest(&with_manager), shortest(&with_rule), "{world}");
        if world.in_flight <= 5 && world.in_flight <= world.window {
            let refuted = with_manager.properties.iter();
            let mut refuted = refuted.filter(|found| found.verdict != Verdict::Holds);
            assert!(refuted.next().is_none(), "{world}");
        }
        branches.extend(with_manager.coverage.branches.into_keys());
    }
    let six = searched(&Conditions {
        rule: production,
        ..BEYOND
    });
    for property in BORDER {
        let found = six.of(*property).expect("it was asked for");
        assert_eq!(found.verdict, Verdict::Refuted, "{property:?}");
    }
    let all: BTreeSet<_> = production.branches.iter().copied().collect();
    assert_eq!(branches, all, "every branch is taken");
}

#[test]
fn profile_kafka_inside_the_broker_is_as_safe_as_rule_kafka_4() {
    inside_is_as_the_rule(Profile::Kafka, &PRODUCTION_KAFKA);
}

#[test]
fn profile_hardened_inside_the_broker_is_as_safe_as_rule_strict() {
    inside_is_as_the_rule(Profile::Hardened, &PRODUCTION_HARDENED);
}

#[test]
fn the_actors_can_have_the_manager_too() {
    let small = Conditions {
        in_flight: 3,
        window: 2,
        connections: 2,
        ..KAFKA
    };
    let states = |rule| {
        let world = ActorWorld::new(Conditions { rule, ..small });
        let checker = world
            .expect("a session network")
            .checker()
            .spawn_bfs()
            .join();
        (checker.unique_state_count(), checker.state_count())
    };
    assert_eq!(states(&PRODUCTION_KAFKA), states(&KAFKA_4));
    assert_eq!(states(&PRODUCTION_HARDENED), states(&STRICT));
}

/// The manager, but it remembers one batch less than it should.
static ONE_SHORT: Rule = Rule {
    name: "production-one-short",
    remember: |broker, request, offset, capacity| {
        (PRODUCTION_KAFKA.remember)(broker, request, offset, capacity - 1);
    },
    ..PRODUCTION_KAFKA
};

#[test]
fn a_manager_inside_that_forgets_too_early_is_caught() {
    let outcome = searched(&Conditions {
        rule: &ONE_SHORT,
        connections: 2,
        ..KAFKA
    });
    for property in [PropertyId::NoDuplicate, PropertyId::LogIsFold] {
        let found = outcome.of(property).expect("it was asked for");
        assert_eq!(found.verdict, Verdict::Refuted, "{property:?}");
    }
}
