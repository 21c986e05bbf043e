//! Every set of fixes against every disturbance.

use retryproof_properties::PropertyId;

use crate::checking::{survey, Limits, Silent};
use crate::conditions::Conditions;

use super::{Disturbance, Fix, FixSet, EVERYTHING};

/// What closes the holes of one disturbance.
#[derive(Clone, Debug)]
pub struct Lattice {
    /// The disturbance.
    pub disturbance: Disturbance,
    /// The fixes that concern it: each changes the world, and with it some verdict.
    pub tried: Vec<Fix>,
    /// How many sets of fixes were tried, and how many states that took.
    pub sets: usize,
    /// Different states of all their worlds.
    pub states: usize,
    /// The properties that it breaks, each with what closes it.
    pub closings: Vec<Closing>,
}

/// What makes one property hold again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Closing {
    /// The property.
    pub property: PropertyId,
    /// The smallest sufficient sets: none of them holds another. Empty if no set is enough.
    pub minimal: Vec<FixSet>,
    /// A set that is not enough though it holds one that is.
    pub spoilt: Option<FixSet>,
}

/// Batches that are sent in a world that is not known in runs of any length.
const BATCHES: u8 = 3;

/// The verdicts of one world, by [`PropertyId::index`].
struct Verdicts {
    holds: Vec<bool>,
    states: usize,
}

impl Verdicts {
    /// `None` if the world was not exhausted.
    fn of(conditions: &Conditions, limits: &Limits) -> Option<Self> {
        let conditions = conditions.of_any_length_or(BATCHES);
        let survey = survey(&conditions, limits, &Silent);
        let holds = |property: &PropertyId| match property {
            PropertyId::EveryBatchDecided => !survey.is_stuck,
            _ => !survey.violated.contains(*property),
        };
        survey.cut.is_none().then(|| Verdicts {
            holds: PropertyId::ALL.iter().map(holds).collect(),
            states: survey.counts.unique,
        })
    }

    fn holds(&self, property: PropertyId) -> bool {
        self.holds[property.index()]
    }
}

/// Tries every set of the fixes that concern the disturbance. `None` if some world was not
/// exhausted.
pub fn lattice(disturbance: &Disturbance, limits: &Limits) -> Option<Lattice> {
    let tried = concerned(disturbance);
    let mut found = Vec::new();
    for set in FixSet::subsets(&tried) {
        let verdicts = Verdicts::of(&set.apply(disturbance.conditions), limits)?;
        found.push((set, verdicts));
    }
    let closings = PropertyId::ALL
        .iter()
        .filter(|property| {
            found
                .iter()
                .any(|(_, verdicts)| !verdicts.holds(**property))
        })
        .map(|property| closing(*property, &found))
        .collect();
    Some(Lattice {
        disturbance: *disturbance,
        tried,
        sets: found.len(),
        states: found.iter().map(|(_, verdicts)| verdicts.states).sum(),
        closings,
    })
}

/// The fixes that change the world of a disturbance.
fn concerned(disturbance: &Disturbance) -> Vec<Fix> {
    let conditions = disturbance.conditions;
    let changes = |fix: &Fix| FixSet::from_iter([*fix]).apply(conditions) != conditions;
    let is_wrap = |fix: &Fix| {
        *fix != Fix::ModularComparison
            || conditions.sequence_modulus.is_some()
            || conditions.max_epoch.is_some()
    };
    Fix::ALL
        .iter()
        .copied()
        .filter(changes)
        .filter(is_wrap)
        .collect()
}

fn closing(property: PropertyId, found: &[(FixSet, Verdicts)]) -> Closing {
    let mut minimal: Vec<FixSet> = Vec::new();
    let mut spoilt = None;
    for (set, verdicts) in found {
        let holds_enough = minimal.iter().any(|enough| set.contains_all(*enough));
        match (verdicts.holds(property), holds_enough) {
            (true, false) => minimal.push(*set),
            (false, true) => spoilt = spoilt.or(Some(*set)),
            (true, true) | (false, false) => {}
        }
    }
    Closing {
        property,
        minimal,
        spoilt,
    }
}

/// Under all disturbances together: for each fix the properties that break without it,
/// though every other fix is in place. The first entry is what breaks with all of them.
/// `None` if some world was not exhausted.
pub fn needed(limits: &Limits) -> Option<Vec<(Option<Fix>, Vec<PropertyId>)>> {
    let relevant = concerned(&EVERYTHING);
    let every: FixSet = relevant.iter().copied().collect();
    let sets = std::iter::once((None, every))
        .chain(relevant.iter().map(|fix| (Some(*fix), every.without(*fix))));
    sets.map(|(left_out, set)| {
        let verdicts = Verdicts::of(&set.apply(EVERYTHING.conditions), limits)?;
        let broken = PropertyId::ALL.iter().copied();
        let broken = broken.filter(|property| !verdicts.holds(*property));
        Some((left_out, broken.collect()))
    })
    .collect()
}
