//! What was not checked, and what is not guaranteed.

use retryproof_models::checking::Verdict;
use retryproof_models::claims::registry;
use retryproof_models::fixes::{Lattice, DISTURBANCES};
use retryproof_properties::PropertyId;
use serde::Serialize;

use crate::evidence::checked_claims::CheckedClaims;
use crate::evidence::not_modelled::NOT_MODELLED;

/// What a verdict does not say.
const NOT_GUARANTEED: &[&str] = &[
    "A verdict is about the model under the conditions of its claim. It says what follows from the \
     rules as written, each with its source; it does not know your cluster.",
    "A claim that is bounded (\"4 batches\") holds for runs within the bound. Only where \"any \
     length\" stands is the number of batches without a bound.",
    "States are told apart by fingerprints of 64 bits. The odds that a collision hid one are told \
     with each claim, and for all together.",
    "A run replayed on Apache Kafka shows that the real code takes these steps. That a claim holds \
     is proved of the model; the real code was held against it in the runs that were played, not \
     in all.",
    "A property may hold because the situation it speaks of never arises. Such verdicts are marked.",
];

/// What was not checked, and what is not guaranteed.
#[derive(Serialize)]
pub(super) struct Limits {
    /// Claims of the registry that this run did not look at.
    not_run: Vec<&'static str>,
    /// Claims that this run was stopped before.
    not_come_to: Vec<&'static str>,
    /// Claims whose search was cut.
    unknown: Vec<&'static str>,
    /// Dropped conditions against which the fixes were not tried to the end.
    fixes_unknown: Vec<&'static str>,
    /// How many claims hold in part for want of a case, by property.
    never_arises: Vec<NeverArises>,
    not_modelled: Vec<&'static str>,
    not_guaranteed: Vec<&'static str>,
}

#[derive(Serialize)]
struct NeverArises {
    property: &'static str,
    claims: usize,
}

impl Limits {
    /// What this run leaves open.
    pub fn of(checked: &CheckedClaims, fixes: &[Lattice]) -> Self {
        let ids = |claims: &[&'static retryproof_models::claims::Claim]| {
            claims.iter().map(|claim| claim.id.as_str()).collect()
        };
        let is_known = |id: &str| {
            let outcomes = checked.outcomes.iter().map(|told| told.claim);
            let mut looked_at = outcomes.chain(checked.not_checked.iter().copied());
            looked_at.any(|claim| claim.id == id)
        };
        let all = registry().iter().map(|claim| claim.id.as_str());
        Limits {
            not_run: all.filter(|id| !is_known(id)).collect(),
            not_come_to: ids(&checked.not_checked),
            unknown: checked
                .unknown()
                .map(|told| told.claim.id.as_str())
                .collect(),
            fixes_unknown: fixes_unknown(fixes),
            never_arises: PropertyId::ALL
                .iter()
                .map(|property| NeverArises::of(*property, checked))
                .filter(|told| told.claims > 0)
                .collect(),
            not_modelled: NOT_MODELLED.to_vec(),
            not_guaranteed: NOT_GUARANTEED.to_vec(),
        }
    }
}

/// The dropped conditions whose worlds were not all exhausted with every set of fixes.
pub(super) fn fixes_unknown(fixes: &[Lattice]) -> Vec<&'static str> {
    let is_known = |name: &str| fixes.iter().any(|lattice| lattice.disturbance.name == name);
    let names = DISTURBANCES.iter().map(|disturbance| disturbance.name);
    names.filter(|name| !is_known(name)).collect()
}

impl NeverArises {
    fn of(property: PropertyId, checked: &CheckedClaims) -> Self {
        let outcomes = checked.outcomes.iter();
        let claimed = outcomes.filter(|told| told.claim.properties.contains(&property));
        let idle = claimed.filter_map(|told| told.outcome.of(property));
        let idle = idle.filter(|found| found.verdict == Verdict::Holds && found.premises == 0);
        NeverArises {
            property: property.id(),
            claims: idle.count(),
        }
    }
}
