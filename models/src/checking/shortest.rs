//! A truly shortest counterexample.
//!
//! Stateright's breadth-first search overwrites an early violation by a later one while it
//! still works at the same block of states; with one property, on one thread, it stops at
//! the first, which is a shortest.

use retryproof_properties::PropertyId;
use stateright::{Checker, HasDiscoveries, Model};

use crate::conditions::Conditions;
use crate::world::FlatWorld;

use super::{Limits, Run};

pub(super) fn counterexample(
    conditions: &Conditions,
    property: PropertyId,
    limits: &Limits,
) -> Option<Run> {
    let checker = FlatWorld::judged_by(*conditions, property)
        .checker()
        .threads(1)
        .finish_when(HasDiscoveries::Any)
        // Generated states are never fewer than unique ones: a hint to stop, no verdict.
        .target_state_count(limits.max_states.saturating_mul(8))
        .spawn_bfs()
        .join();
    let path = checker.discovery(property.id())?.into_vec();
    let mut steps = Vec::new();
    let mut states = path.iter().map(|(state, _)| *state).skip(1);
    for (_, action) in &path {
        if let (Some(action), Some(after)) = (action, states.next()) {
            steps.push((*action, after));
        }
    }
    Run::replay(conditions, &steps, property)
}
