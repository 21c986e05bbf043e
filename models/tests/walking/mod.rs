//! A plain breadth-first walk over any world, for tests.

#![allow(dead_code, reason = "no test uses all of it")]

use std::collections::{BTreeMap, HashMap, VecDeque};
use std::time::Instant;

use ahash::RandomState;
use retryproof_models::cluster::ClusterWorld;
use retryproof_models::conditions::Conditions;
use retryproof_models::world::{Quiet, World};
use retryproof_properties::PropertyId;

/// What a walk found.
#[derive(Debug, Default)]
pub struct Found {
    /// Different states.
    pub unique: usize,
    /// Steps, the initial state included.
    pub generated: usize,
    /// The steps of a shortest run to a violation, by property.
    pub runs: BTreeMap<PropertyId, Vec<String>>,
    /// Steps of each kind of action.
    pub kinds: BTreeMap<&'static str, u64>,
}

impl Found {
    /// Whether no run violates the property.
    pub fn holds(&self, property: PropertyId) -> bool {
        !self.runs.contains_key(&property)
    }

    /// The properties that some run violates, with the length of a shortest one.
    pub fn refuted(&self) -> Vec<(PropertyId, usize)> {
        let runs = self.runs.iter();
        runs.map(|(property, run)| (*property, run.len())).collect()
    }
}

/// How a state was first reached: from which one, by which step.
type Arrival<A> = Option<(u32, A)>;

struct Walk<W: World> {
    world: W,
    found: Found,
    hasher: RandomState,
    numbers: HashMap<u64, u32>,
    arrivals: Vec<Arrival<W::Action>>,
    decided: Vec<u32>,
    heals: Vec<(u32, u32)>,
    pending: VecDeque<(W::State, u32)>,
}

/// Walks over the whole world of these conditions.
///
/// # Panics
/// If the conditions are senseless or a state outgrows its world.
pub fn walk<W: World>(conditions: Conditions) -> Found {
    conditions.validate().unwrap();
    let mut walk: Walk<W> = Walk {
        world: W::new(conditions),
        found: Found::default(),
        hasher: RandomState::with_seeds(1, 2, 3, 4),
        numbers: HashMap::new(),
        arrivals: Vec::new(),
        decided: Vec::new(),
        heals: Vec::new(),
        pending: VecDeque::new(),
    };
    let start = walk.world.initial_state();
    walk.arrive(start, None);
    let mut actions = Vec::new();
    while let Some((state, number)) = walk.pending.pop_front() {
        walk.world.actions(&state, &mut actions);
        for action in actions.drain(..) {
            walk.act(&state, number, action);
        }
    }
    if let Some(stuck) = walk.first_stuck() {
        let run = walk.run_to(stuck);
        walk.found.runs.insert(PropertyId::EveryBatchDecided, run);
    }
    walk.found
}

impl<W: World> Walk<W> {
    fn act(&mut self, state: &W::State, number: u32, action: W::Action) {
        let kind = self.world.kind(state, &action);
        *self.found.kinds.entry(kind).or_default() += 1;
        let next = self.world.step(state, action, &mut Quiet);
        let target = self.arrive(next, Some((number, action)));
        if !self.world.is_fault(&action) {
            self.heals.push((target, number));
        }
    }

    fn arrive(&mut self, state: W::State, from: Arrival<W::Action>) -> u32 {
        self.found.generated += 1;
        let new = self.arrivals.len() as u32;
        let key = self.hasher.hash_one(state);
        let number = *self.numbers.entry(key).or_insert(new);
        if number == new {
            self.found.unique += 1;
            assert!(!W::overflow(&state), "a state outgrew its world: {state:?}");
            self.arrivals.push(from);
            for property in state.as_ref().iter() {
                if self.found.holds(property) {
                    let run = self.run_to(number);
                    self.found.runs.insert(property, run);
                }
            }
            if W::all_decided(&state) {
                self.decided.push(number);
            }
            self.pending.push_back((state, number));
        }
        number
    }

    fn run_to(&self, state: u32) -> Vec<String> {
        let mut run = Vec::new();
        let mut at = state;
        while let Some((from, action)) = self.arrivals[at as usize] {
            run.push(format!("{action:?}"));
            at = from;
        }
        run.reverse();
        run
    }

    fn first_stuck(&mut self) -> Option<u32> {
        self.heals.sort_unstable();
        self.heals.dedup();
        let mut hopeful = vec![false; self.arrivals.len()];
        let mut pending = std::mem::take(&mut self.decided);
        while let Some(state) = pending.pop() {
            if !std::mem::replace(&mut hopeful[state as usize], true) {
                let first = self.heals.partition_point(|(target, _)| *target < state);
                let from = self.heals[first..].iter();
                let sources = from.take_while(|(target, _)| *target == state);
                pending.extend(sources.map(|(_, source)| *source));
            }
        }
        let stuck = hopeful.iter().position(|hopeful| !hopeful)?;
        Some(stuck as u32)
    }
}

/// Walks over the cluster of these conditions and tells how large it is.
pub fn explore(conditions: Conditions) -> Found {
    let start = Instant::now();
    let found = walk::<ClusterWorld>(conditions);
    println!(
        "{} states, {} steps, {:.1?}: {conditions}; refuted {:?}",
        found.unique,
        found.generated,
        start.elapsed(),
        found.refuted()
    );
    found
}

/// No run violates these properties.
///
/// # Panics
/// If one does.
pub fn must_hold(found: &Found, properties: &[PropertyId]) {
    for property in properties {
        assert!(
            found.holds(*property),
            "{property}: {:#?}",
            found.runs[property]
        );
    }
}

/// Some run violates each of these properties.
///
/// # Panics
/// If none does.
pub fn must_refute(found: &Found, properties: &[PropertyId]) {
    for property in properties {
        assert!(!found.holds(*property), "{property}");
    }
}
