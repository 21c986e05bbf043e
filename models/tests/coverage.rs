//! The registry leaves nothing out: its worlds take every kind of action and every branch
//! of every rule, and every property meets its premise in a world where it holds.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use retryproof_models::broker::{
    DOES_NOT_VALIDATE, FAILS_HALF_WAY, NO_SEQUENCE, REFUSED_BEFORE, TOO_LARGE,
};
use retryproof_models::checking::{self, Coverage, Limits, Silent, Survey, Verdict};
use retryproof_models::claims::{registry, Claim, Tier};
use retryproof_models::conditions::Conditions;
use retryproof_models::policies;
use retryproof_models::rules;
use retryproof_models::world::Action;
use retryproof_properties::PropertyId;

/// The claims of tier *quick*, each with the survey of its world.
static SURVEYED: LazyLock<Vec<(&'static Claim, &'static Survey)>> = LazyLock::new(|| {
    let mut worlds: Vec<(Conditions, &'static Survey)> = Vec::new();
    let quick = registry().iter().filter(|claim| claim.tier == Tier::Quick);
    quick
        .map(|claim| {
            let known = worlds
                .iter()
                .find(|(conditions, _)| *conditions == claim.conditions);
            let survey = known.map(|(_, survey)| *survey).unwrap_or_else(|| {
                let survey = checking::survey(&claim.conditions, &Limits::default(), &Silent);
                assert_eq!(survey.cut, None, "{}", claim.id);
                let survey: &'static Survey = Box::leak(Box::new(survey));
                worlds.push((claim.conditions, survey));
                survey
            });
            (claim, survey)
        })
        .collect()
});

/// What the worlds for which `wanted` is true reach together.
fn reached(wanted: impl Fn(&Conditions) -> bool) -> Coverage {
    let mut all = Coverage::default();
    for (claim, survey) in SURVEYED.iter() {
        if wanted(&claim.conditions) {
            all.add(&survey.coverage);
        }
    }
    all
}

fn missing<'a>(
    wanted: impl IntoIterator<Item = &'a &'static str>,
    counts: &BTreeMap<&'static str, u64>,
) -> BTreeSet<&'static str> {
    let wanted = wanted.into_iter().copied();
    wanted.filter(|name| !counts.contains_key(name)).collect()
}

#[test]
fn every_kind_of_action_is_taken() {
    let missing = missing(Action::KINDS, &reached(|_| true).actions);
    assert!(
        missing.is_empty(),
        "no world of the registry takes {missing:?}"
    );
}

#[test]
fn every_branch_of_every_rule_is_taken_under_that_rule() {
    let missing: BTreeMap<_, _> = rules::ALL
        .iter()
        .map(|rule| {
            let under = reached(|conditions| conditions.rule == *rule);
            (rule.name, missing(rule.branches, &under.branches))
        })
        .filter(|(_, missing)| !missing.is_empty())
        .collect();
    assert!(
        missing.is_empty(),
        "no world of the registry takes {missing:#?}"
    );
}

/// What the broker answers without the rule's word.
const BESIDE_THE_RULE: &[&str] = &[
    NO_SEQUENCE,
    REFUSED_BEFORE,
    DOES_NOT_VALIDATE,
    TOO_LARGE,
    FAILS_HALF_WAY,
];

#[test]
fn every_branch_beside_the_rules_is_taken() {
    let missing = missing(BESIDE_THE_RULE, &reached(|_| true).branches);
    assert!(
        missing.is_empty(),
        "no world of the registry takes {missing:?}"
    );
}

/// A branch that no list names would escape the tests above.
#[test]
fn no_rule_decides_by_a_branch_that_it_does_not_list() {
    for rule in rules::ALL {
        let under = reached(|conditions| conditions.rule == *rule);
        let unlisted: Vec<_> = under
            .branches
            .keys()
            .filter(|branch| !rule.branches.contains(branch) && !BESIDE_THE_RULE.contains(branch))
            .collect();
        assert!(unlisted.is_empty(), "{}: {unlisted:?}", rule.name);
    }
}

#[test]
fn every_policy_has_a_claim() {
    for policy in policies::ALL {
        let has_claim = SURVEYED
            .iter()
            .any(|(claim, _)| claim.conditions.client == *policy);
        assert!(has_claim, "no claim is about client {}", policy.name);
    }
}

#[test]
fn every_rule_has_a_claim() {
    for rule in rules::ALL {
        let has_claim = SURVEYED
            .iter()
            .any(|(claim, _)| claim.conditions.rule == *rule);
        assert!(has_claim, "no claim is about rule {}", rule.name);
    }
}

fn holds(survey: &Survey, property: PropertyId) -> bool {
    match property {
        PropertyId::EveryBatchDecided => survey.stuck.is_none(),
        _ => !survey.violated.contains(property),
    }
}

/// A property whose premise is never met holds of anything.
#[test]
fn every_property_meets_its_premise_where_it_holds() {
    let vacuous: Vec<_> = PropertyId::ALL
        .iter()
        .filter(|property| {
            !SURVEYED.iter().any(|(claim, survey)| {
                claim.expected == Verdict::Holds
                    && claim.properties.contains(property)
                    && holds(survey, **property)
                    && survey.coverage.premises[property.index()] > 0
            })
        })
        .map(|property| property.id())
        .collect();
    assert!(
        vacuous.is_empty(),
        "{vacuous:?} hold only where their premise is never met"
    );
}
