//! What a search reached: kinds of action, branches of rules, premises of properties.

use std::collections::BTreeMap;

use retryproof_properties::{Judgement, PropertyId, Violation};

use crate::world::Watch;

/// Counts of what was reached, over all steps of a search.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Coverage {
    /// Steps of each kind of action.
    pub actions: BTreeMap<&'static str, u64>,
    /// Decisions by each branch of the rule.
    pub branches: BTreeMap<&'static str, u64>,
    /// Steps that met the premise of each property, by [`PropertyId::index`].
    pub premises: [u64; PropertyId::ALL.len()],
}

impl Coverage {
    /// Adds what another search reached.
    pub fn add(&mut self, other: &Coverage) {
        for (kind, count) in &other.actions {
            *self.actions.entry(kind).or_default() += count;
        }
        for (branch, count) in &other.branches {
            *self.branches.entry(branch).or_default() += count;
        }
        for (mine, theirs) in self.premises.iter_mut().zip(other.premises) {
            *mine += theirs;
        }
    }

    pub(super) fn acted(&mut self, kind: &'static str) {
        *self.actions.entry(kind).or_default() += 1;
    }
}

impl Watch for Coverage {
    fn judged(&mut self, property: PropertyId, judgement: &Judgement<Violation>) {
        if !matches!(judgement, Judgement::Unconcerned) {
            self.premises[property.index()] += 1;
        }
    }

    fn ruled(&mut self, branch: &'static str) {
        *self.branches.entry(branch).or_default() += 1;
    }
}
