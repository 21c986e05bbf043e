//! Everything that has a name, in JSON.

use retryproof_models::claims::registry;
use retryproof_models::{mutants, policies, rules};
use retryproof_properties::PropertyId;
use serde::Serialize;

/// What `list` shows.
#[derive(Serialize)]
pub struct Listing {
    claims: Vec<Claim>,
    properties: Vec<Property>,
    rules: Vec<Named>,
    clients: Vec<Named>,
    scenarios: Vec<Named>,
    mutants: Vec<Mutant>,
}

#[derive(Serialize)]
struct Claim {
    id: &'static str,
    question: &'static str,
    statement: &'static str,
    expected: &'static str,
    tier: &'static str,
    source: &'static str,
}

#[derive(Serialize)]
struct Property {
    id: &'static str,
    statement: &'static str,
    source: &'static str,
}

/// Something with a name and a line about it.
#[derive(Serialize)]
pub(super) struct Named {
    pub(super) id: &'static str,
    pub(super) about: &'static str,
    pub(super) source: &'static str,
}

#[derive(Serialize)]
struct Mutant {
    id: &'static str,
    about: &'static str,
    must_be_caught_by: &'static str,
}

impl Listing {
    /// Everything there is.
    pub fn all() -> Self {
        Listing {
            claims: registry().iter().map(Claim::from).collect(),
            properties: PropertyId::ALL.iter().map(Property::from).collect(),
            rules: rules::ALL
                .iter()
                .chain(rules::published::ALL)
                .map(|rule| Named {
                    id: rule.name,
                    about: rule.about,
                    source: rule.source,
                })
                .collect(),
            clients: policies::ALL
                .iter()
                .chain(policies::published::ALL)
                .map(|policy| Named {
                    id: policy.name,
                    about: policy.about,
                    source: policy.source,
                })
                .collect(),
            scenarios: super::scenario::named(),
            mutants: mutants::ALL
                .iter()
                .map(|mutant| Mutant {
                    id: mutant.id(),
                    about: mutant.about(),
                    must_be_caught_by: mutant.must_be_caught_by.id(),
                })
                .collect(),
        }
    }
}

impl From<&'static retryproof_models::claims::Claim> for Claim {
    fn from(claim: &'static retryproof_models::claims::Claim) -> Self {
        Claim {
            id: &claim.id,
            question: claim.question,
            statement: &claim.statement,
            expected: claim.expected.name(),
            tier: claim.tier.name(),
            source: claim.source,
        }
    }
}

impl From<&PropertyId> for Property {
    fn from(property: &PropertyId) -> Self {
        Property {
            id: property.id(),
            statement: property.statement(),
            source: property.source(),
        }
    }
}
