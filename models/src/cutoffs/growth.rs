//! How the verdicts and the shapes of a world grow with its size.

use std::sync::Mutex;

use retryproof_properties::PropertyId;

use crate::checking::{survey, Limits, Silent, Verdict};
use crate::conditions::{Budget, Conditions};

use super::{gather, Base, Dimension, Gathered, Size, BASES};

/// The world of one size.
#[derive(Clone, Debug)]
pub struct Measured {
    /// The size.
    pub size: Budget,
    /// The world.
    pub conditions: Conditions,
    /// The verdict on each property, by [`PropertyId::index`].
    pub verdicts: [Verdict; PropertyId::ALL.len()],
    /// Its decisions; where windows grow, without the size of the window.
    pub gathered: Gathered,
}

/// A base world of growing size.
#[derive(Clone, Debug)]
pub struct Growth {
    /// The base world.
    pub base: &'static Base,
    /// What grows.
    pub dimension: Dimension,
    /// The worlds, smallest first.
    pub sizes: Vec<Measured>,
}

impl Growth {
    /// The smallest size from which on every larger one that was tried looks alike.
    fn settled<T: PartialEq>(&self, look: impl Fn(&Measured) -> T) -> Budget {
        let mut sizes = self.sizes.iter().rev();
        let Some(largest) = sizes.next() else {
            return Budget::Any;
        };
        let final_look = look(largest);
        let alike = sizes.take_while(|smaller| look(smaller) == final_look);
        alike.last().unwrap_or(largest).size
    }

    /// From which size on the verdict on a property is the same.
    pub fn verdict_from(&self, property: PropertyId) -> Budget {
        self.settled(|measured| measured.verdicts[property.index()])
    }

    /// From which size on every verdict is the same.
    pub fn verdicts_from(&self) -> Budget {
        self.settled(|measured| measured.verdicts)
    }

    /// From which size on no shape of a decision is new.
    pub fn shapes_from(&self) -> Budget {
        self.settled(|measured| measured.gathered.shapes.clone())
    }

    /// From which size on no two decisions follow on each other that did not before.
    pub fn pairs_from(&self) -> Budget {
        self.settled(|measured| measured.gathered.pairs.clone())
    }

    /// Whether a larger size than this was tried.
    pub fn is_inside(&self, size: Budget) -> bool {
        let largest = self.sizes.last();
        largest.is_some_and(|largest| largest.size != size)
    }
}

/// Makes a base world larger and larger.
///
/// # Panics
/// If two walks over the same world count different states.
pub fn growth(base: &'static Base, dimension: Dimension, limits: &Limits) -> Growth {
    let sizes = dimension.sizes(base).into_iter();
    Growth {
        base,
        dimension,
        sizes: sizes.map(|size| measure(size, dimension, limits)).collect(),
    }
}

/// Makes every base world larger in every way in which it grows, several at a time.
///
/// # Panics
/// As [`growth`].
pub fn all_growths(limits: &Limits) -> Vec<Growth> {
    let grows = |base: &'static Base| base.grows.iter().map(move |(grown, _)| (base, *grown));
    let pending: Vec<_> = BASES.iter().flat_map(grows).enumerate().collect();
    let (pending, found) = (Mutex::new(pending), Mutex::new(Vec::new()));
    std::thread::scope(|scope| {
        for _ in 0..limits.threads {
            scope.spawn(|| {
                // The lock is not held while a world grows.
                while let Some((place, (base, dimension))) = take(&pending) {
                    let grown = growth(base, dimension, limits);
                    if let Ok(mut found) = found.lock() {
                        found.push((place, grown));
                    }
                }
            });
        }
    });
    let mut found = found.into_inner().unwrap_or_default();
    found.sort_by_key(|(place, _)| *place);
    found.into_iter().map(|(_, growth)| growth).collect()
}

fn take<T>(pending: &Mutex<Vec<T>>) -> Option<T> {
    pending.lock().ok()?.pop()
}

fn measure(size: Size, dimension: Dimension, limits: &Limits) -> Measured {
    let conditions = size.conditions;
    let (verdicts, states) = verdicts(&conditions, limits);
    let gathered = gather(&conditions, limits.max_states);
    assert_eq!(gathered.states, states, "two walks: {conditions}");
    let capacity = conditions.capacity();
    Measured {
        size: size.size,
        conditions,
        verdicts,
        gathered: match dimension {
            Dimension::Window => gathered.map(|shape| shape.of_any_window(capacity)),
            _ => gathered,
        },
    }
}

/// The verdict on each property, and how many states there are.
fn verdicts(conditions: &Conditions, limits: &Limits) -> ([Verdict; PropertyId::ALL.len()], usize) {
    let survey = survey(conditions, limits, &Silent);
    let mut verdicts = [Verdict::Unknown; PropertyId::ALL.len()];
    for property in PropertyId::ALL {
        let is_violated = match property {
            PropertyId::EveryBatchDecided => survey.is_stuck,
            _ => survey.violated.contains(*property),
        };
        verdicts[property.index()] = match (is_violated, survey.cut) {
            (true, _) => Verdict::Refuted,
            (false, None) => Verdict::Holds,
            (false, Some(_)) => Verdict::Unknown,
        };
    }
    (verdicts, survey.counts.unique)
}
