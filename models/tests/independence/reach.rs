//! Every reachable state of a world.

use std::collections::HashSet;

use ahash::RandomState;
use retryproof_models::world::{Quiet, World};

/// More states than any world here has.
const MAX_STATES: usize = 400_000;

/// Shows every reachable state with the actions that are possible in it, until one is found
/// that something is wrong with. Says what is wrong, or how many states there are.
///
/// # Panics
/// If the world is larger than expected, or a state outgrows it.
pub fn look_at_all<W: World>(
    world: &W,
    mut look: impl FnMut(&W::State, &[W::Action]) -> Result<(), String>,
) -> Result<usize, String> {
    let hasher = RandomState::with_seeds(1, 2, 3, 5);
    let start = world.initial_state();
    let mut seen = HashSet::from([hasher.hash_one(start)]);
    let mut pending = vec![start];
    let mut actions = Vec::new();
    while let Some(state) = pending.pop() {
        assert!(seen.len() < MAX_STATES, "the world is too large");
        assert!(!W::overflow(&state), "a state outgrew its world: {state:?}");
        actions.clear();
        world.actions(&state, &mut actions);
        look(&state, &actions)?;
        for action in &actions {
            let next = world.step(&state, *action, &mut Quiet);
            if seen.insert(hasher.hash_one(next)) {
                pending.push(next);
            }
        }
    }
    Ok(seen.len())
}
