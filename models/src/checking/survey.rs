//! The survey: a second walk over a world, independent of Stateright's checkers.
//!
//! It hashes states with other keys, so that a fingerprint collision in one walk shows as
//! a difference between the two. It keeps the graph of steps that are no fault, and finds
//! on it whether every batch can be decided from everywhere.

use std::collections::{HashMap, VecDeque};
use std::hash::{BuildHasher, Hasher};

use ahash::RandomState;
use retryproof_properties::PropertyId;

use crate::conditions::Conditions;
use crate::world::{Properties, Quiet, World};

use super::{in_world, memory, Counts, Coverage, Cut, Limits, Progress, Run, Trace};

/// States after which the progress is told.
const TELL_EVERY: usize = 4096;

/// What the survey of a world found.
#[derive(Clone, Debug)]
pub struct Survey {
    /// How many states it looked at.
    pub counts: Counts,
    /// Why it is not exhaustive; `None` if it is.
    pub cut: Option<Cut>,
    /// Properties that some step violates.
    pub violated: Properties,
    /// What was reached.
    pub coverage: Coverage,
    /// Whether there is a state from which no continuation without further faults decides
    /// every batch.
    pub is_stuck: bool,
    /// A shortest run to a state from which no continuation without further faults
    /// decides every batch.
    pub stuck: Option<Run>,
}

/// Walks over the whole world of these conditions.
pub fn survey(conditions: &Conditions, limits: &Limits, progress: &dyn Progress) -> Survey {
    in_world!(conditions, world => survey_of(&world, limits, progress))
}

pub(super) fn survey_of<W: World>(world: &W, limits: &Limits, progress: &dyn Progress) -> Survey {
    let mut walk = Walk::new(world);
    let cut = walk.explore(limits, progress);
    // In a search that was cut, "cannot be reached" is not known.
    let first_stuck = match cut {
        None => walk.first_stuck(),
        Some(_) => None,
    };
    Survey {
        counts: walk.counts,
        cut,
        violated: walk.violated,
        is_stuck: first_stuck.is_some(),
        stuck: first_stuck.and_then(|state| walk.run_to(state)),
        coverage: walk.coverage,
    }
}

/// How a state was first reached.
struct Arrival {
    from: u32,
    action: u8,
}

struct Walk<W> {
    world: W,
    hasher: RandomState,
    numbers: HashMap<u64, u32, NoHash>,
    arrivals: Vec<Arrival>,
    decided: Vec<u32>,
    healing_steps: Vec<(u32, u32)>,
    counts: Counts,
    coverage: Coverage,
    violated: Properties,
}

impl<W: World> Walk<W> {
    fn new(world: &W) -> Self {
        Walk {
            world: world.clone(),
            hasher: RandomState::with_seeds(0x5eed, 0xfeed, 0xbead, 0xdeed),
            numbers: HashMap::default(),
            arrivals: Vec::new(),
            decided: Vec::new(),
            healing_steps: Vec::new(),
            counts: Counts::default(),
            coverage: Coverage::default(),
            violated: Properties::default(),
        }
    }

    fn explore(&mut self, limits: &Limits, progress: &dyn Progress) -> Option<Cut> {
        let mut pending: VecDeque<(W::State, u32, usize)> = VecDeque::new();
        let start = self.world.initial_state();
        if let Some(number) = self.number(&start, 0, 0) {
            self.counts.generated += 1;
            pending.push_back((start, number, 1));
        }
        let mut actions = Vec::new();
        let mut overflow = false;
        let mut looked_at = 0usize;
        while let Some((state, number, depth)) = pending.pop_front() {
            self.counts.depth = self.counts.depth.max(depth);
            looked_at += 1;
            if looked_at.is_multiple_of(TELL_EVERY) {
                progress.pending(pending.len());
                progress.update("surveying", self.counts);
                if memory::is_scarce() {
                    return Some(Cut::OutOfMemory);
                }
            }
            if limits.brake.is_pulled() {
                return Some(Cut::Stopped);
            }
            if self.numbers.len() > limits.max_states {
                return Some(Cut::MaxStates(limits.max_states));
            }
            self.look_at(&state, number);
            if W::overflow(&state) {
                overflow = true;
                continue;
            }
            self.world.actions(&state, &mut actions);
            for (index, action) in actions.drain(..).enumerate() {
                self.coverage.acted(self.world.kind(&state, &action));
                let next = self.world.step(&state, action, &mut self.coverage);
                self.counts.generated += 1;
                let (target, is_new) = match self.number(&next, number, index as u8) {
                    Some(new) => (new, true),
                    None => (self.known(&next), false),
                };
                if !self.world.is_fault(&action) && target != number {
                    self.healing_steps.push((number, target));
                }
                if is_new {
                    pending.push_back((next, target, depth + 1));
                }
            }
        }
        overflow.then_some(Cut::Overflow)
    }

    fn look_at(&mut self, state: &W::State, number: u32) {
        self.violated.0 |= state.as_ref().0;
        if W::all_decided(state) {
            self.decided.push(number);
        } else {
            self.coverage.premises[PropertyId::EveryBatchDecided.index()] += 1;
        }
    }

    /// Gives a state a number if it has none.
    fn number(&mut self, state: &W::State, from: u32, action: u8) -> Option<u32> {
        let new = self.arrivals.len() as u32;
        let number = *self
            .numbers
            .entry(self.hasher.hash_one(state))
            .or_insert(new);
        (number == new).then(|| {
            self.arrivals.push(Arrival { from, action });
            self.counts.unique += 1;
            new
        })
    }

    fn known(&self, state: &W::State) -> u32 {
        self.numbers[&self.hasher.hash_one(state)]
    }

    /// The first state from which no state with everything decided can be reached by
    /// steps that are no fault.
    fn first_stuck(&self) -> Option<u32> {
        let states = self.arrivals.len();
        let sources = Sources::new(states, &self.healing_steps);
        let mut hopeful = vec![false; states];
        let mut pending = self.decided.clone();
        while let Some(state) = pending.pop() {
            if !std::mem::replace(&mut hopeful[state as usize], true) {
                pending.extend_from_slice(sources.of(state));
            }
        }
        hopeful
            .iter()
            .position(|hopeful| !hopeful)
            .map(|state| state as u32)
    }

    /// The run by which a state was first reached, which is a shortest.
    fn run_to(&self, state: u32) -> Option<Run> {
        let mut choices = Vec::new();
        let mut at = state;
        while at != 0 {
            let arrival = &self.arrivals[at as usize];
            choices.push(arrival.action);
            at = arrival.from;
        }
        let mut state = self.world.initial_state();
        let mut path: Vec<(W::Action, W::State)> = Vec::new();
        let mut actions = Vec::new();
        for choice in choices.iter().rev() {
            actions.clear();
            self.world.actions(&state, &mut actions);
            let action = *actions.get(usize::from(*choice))?;
            state = self.world.step(&state, action, &mut Quiet);
            path.push((action, state));
        }
        Trace::replay(&self.world, &path, PropertyId::EveryBatchDecided).map(W::as_run)
    }
}

/// The steps of a graph, by the state they lead to.
struct Sources {
    starts: Vec<u32>,
    sources: Vec<u32>,
}

impl Sources {
    fn new(states: usize, steps: &[(u32, u32)]) -> Self {
        let mut starts = vec![0u32; states + 1];
        for (_, target) in steps {
            starts[*target as usize + 1] += 1;
        }
        for state in 0..states {
            starts[state + 1] += starts[state];
        }
        let mut next = starts.clone();
        let mut sources = vec![0u32; steps.len()];
        for (source, target) in steps {
            let place = &mut next[*target as usize];
            sources[*place as usize] = *source;
            *place += 1;
        }
        Sources { starts, sources }
    }

    fn of(&self, state: u32) -> &[u32] {
        let state = state as usize;
        &self.sources[self.starts[state] as usize..self.starts[state + 1] as usize]
    }
}

/// Keys are hashes already.
#[derive(Clone, Copy, Default)]
pub(super) struct NoHash;

impl BuildHasher for NoHash {
    type Hasher = Same;

    fn build_hasher(&self) -> Same {
        Same(0)
    }
}

pub(super) struct Same(u64);

impl Hasher for Same {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = self.0 << 8 | u64::from(*byte);
        }
    }

    fn write_u64(&mut self, hash: u64) {
        self.0 = hash;
    }
}
