//! The kinds of things that can carry a requirement.

use std::collections::BTreeSet;
use std::fmt;
use std::sync::LazyLock;

use retryproof_models::claims::registry;
use retryproof_models::{mutants, scenarios};
use retryproof_properties::PropertyId;

use super::Requirement;

/// A kind of thing that can carry a requirement.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Carrier {
    /// A property holds events to it.
    Property,
    /// A claim says under which conditions it is true, or that it is not.
    Claim,
    /// A scenario shows it.
    Scenario,
    /// A mutant is a rule or client that does otherwise, and is caught.
    Mutant,
    /// A test pins it.
    Test,
    /// A document tells it.
    Document,
}

impl Carrier {
    /// All kinds, in the order in which they are told.
    pub const ALL: [Carrier; 6] = [
        Carrier::Property,
        Carrier::Claim,
        Carrier::Scenario,
        Carrier::Mutant,
        Carrier::Test,
        Carrier::Document,
    ];

    /// The names of this kind that a requirement gives.
    pub fn names_in(self, requirement: &Requirement) -> &[String] {
        match self {
            Carrier::Property => &requirement.properties,
            Carrier::Claim => &requirement.claims,
            Carrier::Scenario => &requirement.scenarios,
            Carrier::Mutant => &requirement.mutants,
            Carrier::Test => &requirement.tests,
            Carrier::Document => &requirement.documents,
        }
    }

    /// The names that there are of this kind; none where only a checkout can say.
    pub fn registered(self) -> Option<&'static BTreeSet<&'static str>> {
        static PROPERTIES: LazyLock<BTreeSet<&str>> =
            LazyLock::new(|| PropertyId::ALL.iter().map(|it| it.id()).collect());
        static CLAIMS: LazyLock<BTreeSet<&str>> =
            LazyLock::new(|| registry().iter().map(|claim| claim.id.as_str()).collect());
        static MUTANTS: LazyLock<BTreeSet<&str>> =
            LazyLock::new(|| mutants::ALL.iter().map(|mutant| mutant.id()).collect());
        static SCENARIOS: LazyLock<BTreeSet<&str>> =
            LazyLock::new(|| scenarios::ALL.iter().map(|it| it.id).collect());
        match self {
            Carrier::Property => Some(&PROPERTIES),
            Carrier::Claim => Some(&CLAIMS),
            Carrier::Scenario => Some(&SCENARIOS),
            Carrier::Mutant => Some(&MUTANTS),
            Carrier::Test | Carrier::Document => None,
        }
    }
}

impl fmt::Display for Carrier {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Carrier::Property => "property",
            Carrier::Claim => "claim",
            Carrier::Scenario => "scenario",
            Carrier::Mutant => "mutant",
            Carrier::Test => "test",
            Carrier::Document => "document",
        })
    }
}
