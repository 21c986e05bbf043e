//! A truly shortest counterexample.
//!
//! Stateright's breadth-first search overwrites an early violation by a later one while it
//! still works at the same block of states; with one property, on one thread, it stops at
//! the first, which is a shortest.

use retryproof_properties::PropertyId;
use stateright::HasDiscoveries;

use crate::world::World;

use super::exhaustive::{Braked, Search};
use super::{Limits, Progress, Run, Trace};

pub(super) fn counterexample<W: World>(
    world: &W,
    property: PropertyId,
    limits: &Limits,
    progress: &dyn Progress,
) -> Option<Run> {
    let alone = Limits {
        threads: 1,
        ..limits.clone()
    };
    let judged = Braked::new(world.clone(), vec![property]);
    let mut search = Search::run(judged, HasDiscoveries::Any, &alone, progress);
    let path = search.found.remove(property.id())?.into_vec();
    let after = path.iter().skip(1).map(|(state, _)| *state);
    let actions = path.iter().filter_map(|(_, action)| *action);
    let steps: Vec<_> = actions.zip(after).collect();
    Trace::replay(world, &steps, property).map(W::as_run)
}
