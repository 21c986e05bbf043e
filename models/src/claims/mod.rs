//! The registry of claims. A claim is data: adding one is adding a value, no code.
//!
//! The command line, the tests, the explorer's presets and the documents all read
//! [`registry`].

mod bounds;
mod frontier;
mod guarantee;
mod hardened;
mod headline;
mod judging;
mod museum;
mod networks;
mod pinned;
mod plain;
mod questions;
mod rules;

use std::sync::LazyLock;

use retryproof_properties::PropertyId;

use crate::checking::Verdict;
use crate::conditions::Conditions;

pub use bounds::{BORDER, REST};
pub use judging::{check_claims, walk_claims, ClaimOutcome};
pub use pinned::{Pin, PINNED};
pub use questions::{Question, QUESTIONS};

/// How long a claim may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Tier {
    /// All of this tier together take less than a minute.
    Quick,
    /// Minutes.
    Deep,
}

impl Tier {
    /// Name, as the command line takes it.
    pub fn name(self) -> &'static str {
        match self {
            Tier::Quick => "quick",
            Tier::Deep => "deep",
        }
    }
}

/// A claim about a world.
#[derive(Clone, Debug)]
pub struct Claim {
    /// Stable id, in kebab case.
    pub id: String,
    /// The question it answers, as in A1.
    pub question: &'static str,
    /// What is claimed, in one sentence.
    pub statement: String,
    /// The world.
    pub conditions: Conditions,
    /// The properties it is about. *Holds* means that all of them hold, *refuted* that
    /// each of them is refuted.
    pub properties: Vec<PropertyId>,
    /// The verdict that is expected.
    pub expected: Verdict,
    /// How long it may take.
    pub tier: Tier,
    /// Where the expectation comes from.
    pub source: &'static str,
}

impl Claim {
    fn holds(
        id: impl Into<String>,
        question: &'static str,
        statement: impl Into<String>,
        conditions: Conditions,
        properties: &[PropertyId],
    ) -> Claim {
        Claim {
            id: id.into(),
            question,
            statement: statement.into(),
            conditions,
            properties: properties.to_vec(),
            expected: Verdict::Holds,
            tier: Tier::Quick,
            source: "",
        }
    }

    fn refuted(
        id: impl Into<String>,
        question: &'static str,
        statement: impl Into<String>,
        conditions: Conditions,
        properties: &[PropertyId],
    ) -> Claim {
        Claim {
            expected: Verdict::Refuted,
            ..Claim::holds(id, question, statement, conditions, properties)
        }
    }

    fn deep(self) -> Claim {
        Claim {
            tier: Tier::Deep,
            ..self
        }
    }

    fn from(self, source: &'static str) -> Claim {
        Claim { source, ..self }
    }

    /// The id as the name of a test.
    pub fn test_name(&self) -> String {
        self.id.replace(['-', '.'], "_")
    }
}

/// All claims.
pub fn registry() -> &'static [Claim] {
    static REGISTRY: LazyLock<Vec<Claim>> = LazyLock::new(|| {
        [
            headline::claims(),
            frontier::claims(),
            rules::claims(),
            networks::claims(),
            plain::claims(),
            guarantee::claims(),
            hardened::claims(),
            museum::claims(),
        ]
        .concat()
    });
    &REGISTRY
}

/// Every property but these.
fn all_but(without: &[PropertyId]) -> Vec<PropertyId> {
    PropertyId::ALL
        .iter()
        .copied()
        .filter(|property| !without.contains(property))
        .collect()
}
