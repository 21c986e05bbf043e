//! What a search found.

use std::fmt;

use retryproof_properties::PropertyId;

use super::{Coverage, Run, Walked, Walks};

/// How many states a search looked at.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Different states.
    pub unique: usize,
    /// Steps taken, the initial state included.
    pub generated: usize,
    /// States on the longest path of the breadth-first search.
    pub depth: usize,
}

/// Why a search is not exhaustive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cut {
    /// It reached the limit on states.
    MaxStates(usize),
    /// It was no search but random walks.
    Walked(Walks),
    /// Somebody stopped it.
    Stopped,
    /// Memory was nearly used up.
    OutOfMemory,
    /// A state outgrew what a world can hold.
    Overflow,
    /// A violation was seen and no run to it could be told: a defect in the checking.
    RunNotFound,
    /// A thread of the search failed: a defect in the model.
    EngineFailed,
    /// Two independent walks counted differently: a defect in the checking.
    EnginesDisagree {
        /// Stateright's counts.
        stateright: Counts,
        /// The survey's counts.
        survey: Counts,
    },
}

impl fmt::Display for Cut {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Cut::MaxStates(max) => write!(f, "stopped after {max} states (--max-states)"),
            Cut::Walked(walks) => write!(f, "{walks}, which prove nothing"),
            Cut::Stopped => f.write_str("stopped before its end"),
            Cut::OutOfMemory => f.write_str(
                "stopped because memory was nearly used up; a smaller world, or --walks, needs less",
            ),
            Cut::Overflow => f.write_str("a state outgrew what a world can hold"),
            Cut::RunNotFound => f.write_str(
                "a violation was seen and no run to it found: a defect in the checking, \
                 please report it",
            ),
            Cut::EngineFailed => f.write_str(
                "a thread of the search failed: a defect in the model, please report it",
            ),
            Cut::EnginesDisagree { stateright, survey } => write!(
                f,
                "two walks over the same world disagree ({stateright:?} and {survey:?}): \
                 a defect in the checking, please report it"
            ),
        }
    }
}

/// What is known of a property.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Verdict {
    /// No run violates it; the space was exhausted and nothing cut it.
    Holds,
    /// A run violates it.
    Refuted,
    /// Neither: the search was cut.
    Unknown,
}

impl Verdict {
    /// Name, as in reports.
    pub fn name(self) -> &'static str {
        match self {
            Verdict::Holds => "holds",
            Verdict::Refuted => "refuted",
            Verdict::Unknown => "unknown",
        }
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// What a search found of one property.
#[derive(Clone, Debug)]
pub struct PropertyOutcome {
    /// The property.
    pub property: PropertyId,
    /// The verdict.
    pub verdict: Verdict,
    /// A shortest run that violates it; of random walks, a run that does.
    pub counterexample: Option<Run>,
    /// How many steps met the property's premise. A property whose premise was never met
    /// holds because the situation does not arise.
    pub premises: u64,
}

/// What a search found.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// How many states it looked at.
    pub counts: Counts,
    /// Why it is not exhaustive; `None` if it is.
    pub cut: Option<Cut>,
    /// Property by property, in the order asked for.
    pub properties: Vec<PropertyOutcome>,
    /// What was reached.
    pub coverage: Coverage,
    /// How long everything took.
    pub seconds: f64,
    /// How long Stateright's exhaustive run took of that.
    pub exploring_seconds: f64,
    /// What random walks came to, if it was no search.
    pub walked: Option<Walked>,
}

impl Outcome {
    /// Whether nothing cut the search.
    pub fn exhausted(&self) -> bool {
        self.cut.is_none()
    }

    /// Upper bound of the odds that two different states had the same 64-bit fingerprint,
    /// so that one was not looked at: n² / 2⁶⁵ (birthday bound).
    pub fn collision_odds(&self) -> f64 {
        let unique = self.counts.unique as f64;
        unique * unique / 2f64.powi(65)
    }

    /// What was found of one property.
    pub fn of(&self, property: PropertyId) -> Option<&PropertyOutcome> {
        self.properties
            .iter()
            .find(|outcome| outcome.property == property)
    }
}
