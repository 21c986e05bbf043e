//! The fixes, and sets of them.

use std::fmt;

use crate::conditions::{Conditions, Expiry, Fault, InFlightPer, RestartKeeps, Validation};
use crate::policies::{HARDENED as CLIENT, JAVA_4, MODULAR, PATIENT};
use crate::rules::HARDENED as RULE;

/// One thing that broker or client could do better.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Fix {
    /// A snapshot keeps the whole window.
    WholeWindow,
    /// A producer without state must start at 0.
    UnknownStartsAt0,
    /// Expiry counts the time since the producer was last seen, never while a batch of it is
    /// undecided.
    WallClock,
    /// Duplicates are looked up before anything is validated.
    LookupFirst,
    /// The in-flight limit counts per partition.
    PerPartition,
    /// The in-flight limit counts from the lowest undecided batch.
    FromTheLowest,
    /// Only batches that are nowhere get a new identity, once every earlier one is decided.
    PatientBump,
    /// Sequences are compared across the wrap; a used-up producer id is replaced.
    ModularComparison,
}

impl Fix {
    /// All fixes: the broker's, then the client's.
    pub const ALL: &'static [Fix] = &[
        Fix::WholeWindow,
        Fix::UnknownStartsAt0,
        Fix::WallClock,
        Fix::LookupFirst,
        Fix::PerPartition,
        Fix::FromTheLowest,
        Fix::PatientBump,
        Fix::ModularComparison,
    ];

    /// Name, in a few words.
    pub fn name(self) -> &'static str {
        match self {
            Fix::WholeWindow => "snapshot keeps the whole window",
            Fix::UnknownStartsAt0 => "an unknown producer starts at 0",
            Fix::WallClock => "expiry by wall clock",
            Fix::LookupFirst => "duplicates are looked up first",
            Fix::PerPartition => "limit per partition",
            Fix::FromTheLowest => "limit from the lowest undecided batch",
            Fix::PatientBump => "only what is nowhere is renumbered",
            Fix::ModularComparison => "comparison across the wrap",
        }
    }

    /// The letter by which tables call it.
    pub fn letter(self) -> char {
        match self {
            Fix::WholeWindow => 'S',
            Fix::UnknownStartsAt0 => 'U',
            Fix::WallClock => 'E',
            Fix::LookupFirst => 'V',
            Fix::PerPartition => 'P',
            Fix::FromTheLowest => 'L',
            Fix::PatientBump => 'B',
            Fix::ModularComparison => 'M',
        }
    }
}

/// A set of fixes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FixSet(u16);

impl FixSet {
    /// Every fix.
    pub const EVERY: FixSet = FixSet((1 << Fix::ALL.len()) - 1);

    /// All subsets of some fixes, smaller ones first.
    pub fn subsets(of: &[Fix]) -> Vec<FixSet> {
        let mut subsets: Vec<FixSet> = (0..1_u32 << of.len())
            .map(|bits| {
                let chosen = (0..of.len()).filter(|index| bits & (1 << index) != 0);
                chosen.map(|index| of[index]).collect()
            })
            .collect();
        subsets.sort_by_key(|set| (set.len(), *set));
        subsets
    }

    /// Whether the fix is in it.
    pub fn contains(self, fix: Fix) -> bool {
        self.0 & (1 << fix as u16) != 0
    }

    /// Whether every fix of `other` is in it.
    pub fn contains_all(self, other: FixSet) -> bool {
        self.0 & other.0 == other.0
    }

    /// The set without one fix.
    pub fn without(self, fix: Fix) -> FixSet {
        FixSet(self.0 & !(1 << fix as u16))
    }

    /// How many fixes are in it.
    pub fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// Whether no fix is in it.
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The fixes in it.
    pub fn iter(self) -> impl Iterator<Item = Fix> {
        Fix::ALL
            .iter()
            .copied()
            .filter(move |fix| self.contains(*fix))
    }

    /// The conditions with these fixes. A fix that concerns nothing in them changes nothing.
    pub fn apply(self, conditions: Conditions) -> Conditions {
        let mut fixed = conditions;
        if self.contains(Fix::WholeWindow) && conditions.has(Fault::Restart) {
            fixed.restart_keeps = RestartKeeps::All;
        }
        if self.contains(Fix::UnknownStartsAt0) {
            fixed.rule = &RULE;
        }
        if self.contains(Fix::WallClock) && conditions.has(Fault::Expiry) {
            fixed.expiry = Expiry::WallClock;
        }
        if self.contains(Fix::LookupFirst) && conditions.has(Fault::FatalRefusal) {
            fixed.validation = Validation::AfterLookup;
        }
        if self.contains(Fix::PerPartition) && conditions.brokers > 1 {
            fixed.in_flight_per = InFlightPer::Partition;
        }
        if self.contains(Fix::FromTheLowest) {
            fixed.in_flight_per = InFlightPer::Span;
        }
        let bump = self.contains(Fix::PatientBump);
        fixed.client = match (bump, self.contains(Fix::ModularComparison)) {
            (false, false) => &JAVA_4,
            (true, false) => &PATIENT,
            (false, true) => &MODULAR,
            (true, true) => &CLIENT,
        };
        fixed
    }
}

impl FromIterator<Fix> for FixSet {
    fn from_iter<I: IntoIterator<Item = Fix>>(fixes: I) -> Self {
        FixSet(fixes.into_iter().fold(0, |set, fix| set | 1 << fix as u16))
    }
}

impl fmt::Display for FixSet {
    /// The letters of the fixes.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let letters: Vec<String> = self.iter().map(|fix| fix.letter().to_string()).collect();
        f.write_str(&letters.join(" "))
    }
}
