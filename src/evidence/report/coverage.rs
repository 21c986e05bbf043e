//! What the searches reached, and how large they were. Each world counts once.

use std::collections::BTreeMap;

use retryproof_models::checking::Coverage as Reached;
use retryproof_models::claims::ClaimOutcome;
use retryproof_models::conditions::Conditions;
use retryproof_models::rules::Rule;
use retryproof_properties::PropertyId;
use serde::Serialize;

/// What was reached in all worlds together.
#[derive(Serialize)]
pub(super) struct Coverage {
    worlds: usize,
    worlds_of_any_length: usize,
    unique: usize,
    generated: usize,
    /// Upper bound of the odds that a collision hid a state in any world.
    collision_odds: f64,
    actions: Vec<Count>,
    rules: Vec<Branches>,
    premises: Vec<Count>,
}

/// How often something was reached.
#[derive(Serialize)]
struct Count {
    name: &'static str,
    steps: u64,
}

/// The branches of a rule.
#[derive(Serialize)]
struct Branches {
    rule: &'static str,
    about: &'static str,
    branches: Vec<Count>,
}

impl Coverage {
    /// What the searches of these claims reached.
    pub fn of(outcomes: &[ClaimOutcome]) -> Self {
        let mut counted: Vec<&Conditions> = Vec::new();
        let mut all = Reached::default();
        let mut rules: BTreeMap<&'static str, (&'static Rule, Reached)> = BTreeMap::new();
        let mut coverage = Coverage {
            worlds: 0,
            worlds_of_any_length: 0,
            unique: 0,
            generated: 0,
            collision_odds: 0.0,
            actions: Vec::new(),
            rules: Vec::new(),
            premises: Vec::new(),
        };
        for told in outcomes {
            let world = &told.claim.conditions;
            if counted.contains(&world) {
                continue;
            }
            counted.push(world);
            coverage.worlds += 1;
            coverage.worlds_of_any_length += usize::from(world.any_length());
            coverage.unique += told.outcome.counts.unique;
            coverage.generated += told.outcome.counts.generated;
            coverage.collision_odds += told.outcome.collision_odds();
            all.add(&told.outcome.coverage);
            let (_, reached) = rules
                .entry(world.rule.name)
                .or_insert_with(|| (world.rule, Reached::default()));
            reached.add(&told.outcome.coverage);
        }
        coverage.actions = all.actions.iter().map(Count::from).collect();
        coverage.rules = rules.into_values().map(Branches::from).collect();
        let premises = PropertyId::ALL.iter().zip(all.premises);
        let premises = premises.map(|(property, steps)| Count {
            name: property.id(),
            steps,
        });
        coverage.premises = premises.collect();
        coverage
    }
}

impl From<(&&'static str, &u64)> for Count {
    fn from((name, steps): (&&'static str, &u64)) -> Self {
        Count {
            name,
            steps: *steps,
        }
    }
}

impl From<(&'static Rule, Reached)> for Branches {
    fn from((rule, reached): (&'static Rule, Reached)) -> Self {
        let taken = |branch: &&'static str| Count {
            name: branch,
            steps: reached.branches.get(branch).copied().unwrap_or(0),
        };
        Branches {
            rule: rule.name,
            about: rule.about,
            branches: rule.branches.iter().map(taken).collect(),
        }
    }
}
