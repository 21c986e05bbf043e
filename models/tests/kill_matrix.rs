//! The kill matrix is full: every mutant is caught, by the property that it names, in a
//! world that upholds this property without the mutant; every property catches a mutant;
//! and these kills lie well inside what their worlds allow.

use std::collections::BTreeSet;
use std::fmt::Write;
use std::sync::LazyLock;

use retryproof_models::checking::{self, Limits, Run, Silent, Verdict};
use retryproof_models::conditions::Budget;
use retryproof_models::mutants::{self, Trial};
use retryproof_models::{policies, rules};
use retryproof_properties::PropertyId;

static TRIALS: LazyLock<Vec<Trial>> = LazyLock::new(|| {
    let limits = Limits::default();
    let trial = |mutant| mutants::try_out(mutant, &limits, &Silent);
    mutants::ALL.iter().map(trial).collect()
});

/// The matrix as text: a line for each mutant, with the steps of the shortest run by which
/// each property catches it. An exclamation mark stands before the property that must.
fn matrix() -> String {
    let mut text = String::new();
    for trial in TRIALS.iter() {
        let mutant = trial.mutant;
        let _ = write!(text, "\n{:<30}", mutant.id());
        for property in PropertyId::ALL {
            let must = if *property == mutant.must_be_caught_by {
                "!"
            } else {
                ""
            };
            match kill(trial, *property) {
                Some(run) => {
                    let _ = write!(text, "  {must}{property} {}", run.len());
                }
                None if !must.is_empty() => {
                    let _ = write!(text, "  {must}{property} MISSING");
                }
                None => {}
            }
        }
    }
    text
}

fn kill(trial: &Trial, property: PropertyId) -> Option<&Run> {
    let mut kills = trial.kills.iter();
    kills.find(|(by, _)| *by == property).map(|(_, run)| run)
}

#[test]
fn no_mutant_survives() {
    let survivors: Vec<_> = TRIALS
        .iter()
        .filter(|trial| trial.kills.is_empty())
        .map(|trial| trial.mutant.id())
        .collect();
    assert!(survivors.is_empty(), "{survivors:?} survive{}", matrix());
}

#[test]
fn every_mutant_is_caught_by_the_property_that_it_names() {
    let missed: Vec<_> = TRIALS
        .iter()
        .filter(|trial| kill(trial, trial.mutant.must_be_caught_by).is_none())
        .map(|trial| trial.mutant.id())
        .collect();
    assert!(missed.is_empty(), "{missed:?} are missed{}", matrix());
}

#[test]
fn no_property_is_idle() {
    let idle: Vec<_> = PropertyId::ALL
        .iter()
        .filter(|property| !TRIALS.iter().any(|trial| kill(trial, **property).is_some()))
        .map(|property| property.id())
        .collect();
    assert!(idle.is_empty(), "{idle:?} catch nothing{}", matrix());
}

/// Only then is it the mutant that was caught, and not its world.
#[test]
fn the_world_without_the_mutant_upholds_the_property() {
    for mutant in mutants::ALL {
        let property = mutant.must_be_caught_by;
        let original = mutant.original();
        let outcome = checking::check(&original, &[property], &Limits::default(), &Silent);
        let found = outcome.of(property).map(|found| found.verdict);
        assert_eq!(
            found,
            Some(Verdict::Holds),
            "{}: {property} in the world without it ({original}), cut {:?}",
            mutant.id(),
            outcome.cut
        );
    }
}

#[test]
fn every_mutated_rule_and_policy_is_tried() {
    let tried: BTreeSet<_> = mutants::ALL.iter().map(|mutant| mutant.id()).collect();
    let rules = rules::mutants::ALL.iter().map(|rule| rule.name);
    let policies = policies::mutants::ALL.iter().map(|policy| policy.name);
    let written: BTreeSet<_> = rules.chain(policies).collect();
    assert_eq!(tried, written);
    assert_eq!(tried.len(), mutants::ALL.len(), "a mutant is tried twice");
}

#[test]
fn every_mutant_has_a_world_that_makes_sense() {
    for mutant in mutants::ALL {
        assert_eq!(mutant.conditions.validate(), Ok(()), "{}", mutant.id());
        assert_eq!(mutant.original().validate(), Ok(()), "{}", mutant.id());
    }
}

/// The steps of a run that a budget counts.
fn count(run: &Run, counted: &str) -> u8 {
    let kinds = run.kinds().into_iter();
    kinds.filter(|kind| *kind == counted).count() as u8
}

/// The kill by the property that a mutant names, and the shortest. If one used a budget up,
/// the world would be too tight to trust that it shows what there is.
#[test]
fn every_kill_lies_inside_the_bounds_of_its_world() {
    let mut at_the_bound = Vec::new();
    for trial in TRIALS.iter() {
        let conditions = trial.mutant.conditions;
        let shortest = trial.kills.iter().min_by_key(|(_, run)| run.len());
        let named = trial
            .kills
            .iter()
            .filter(|(by, _)| *by == trial.mutant.must_be_caught_by);
        for (property, run) in named.chain(shortest) {
            let used = [
                ("batches", conditions.batches, count(run, "send")),
                (
                    "disconnects",
                    conditions.disconnects,
                    count(run, "disconnect"),
                ),
            ];
            for (bound, budget, used) in used {
                if matches!(budget, Budget::AtMost(most) if used >= most) {
                    let mutant = trial.mutant.id();
                    at_the_bound.push(format!("{mutant}, {property}: {used} of {budget} {bound}"));
                }
            }
        }
    }
    assert!(at_the_bound.is_empty(), "{at_the_bound:#?}");
}
