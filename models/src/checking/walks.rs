//! Random walks, for worlds too large to be exhausted: runs that take one possible action
//! after another, until none is possible or they are long enough.
//!
//! Each walk prefers other kinds of action, as it happens: in one connections break all the
//! time, in another hardly ever, so that many requests are in flight. (Swarm testing: Groce,
//! Zhang, Eide, Chen and Regehr, ISSTA 2012.) With the same odds for all actions, walks with 6
//! in flight came upon half as many states, and 26 times as late upon the first duplicate.
//!
//! They may refute, and never prove: what they do not refute is *unknown*. What they reached
//! is told instead ([`Coverage`]).
//!
//! Stateright's own simulation (`spawn_simulation`, 0.31) is not used. It counts no runs and
//! can only be stopped by the clock or at a number of states; it goes on to a next seed drawn
//! from a generator that may change with every version; it ends a run at the first state that
//! it saw before, as soon as a retry brings one back; and of what it reached it tells nothing
//! but through a visitor, which is given the whole path anew at each step.
//!
//! Each walk has a seed of its own, the first the one asked for, and the others those that
//! follow. A walk depends on nothing else, so that each can be repeated alone.

mod liking;

use std::collections::{HashMap, HashSet};
use std::fmt;

use ahash::RandomState;
use retryproof_properties::PropertyId;

use crate::conditions::Conditions;
use crate::world::{Properties, Quiet, World};

use super::survey::NoHash;
use super::{
    in_world, Counts, Coverage, Cut, End, Limits, Outcome, Progress, PropertyOutcome, Run, Trace,
    Verdict,
};

use liking::{Liking, SplitMix};

/// Steps after which the progress is told.
const TELL_EVERY: usize = 4096;

/// Which random walks to take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Walks {
    /// How many.
    pub count: usize,
    /// Steps of each, at most.
    pub steps: usize,
    /// Seed of the first; the others follow.
    pub seed: u64,
}

impl Walks {
    /// The walk of this seed alone.
    pub fn only(self, seed: u64) -> Walks {
        Walks {
            count: 1,
            seed,
            ..self
        }
    }
}

impl fmt::Display for Walks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let plural = if self.count == 1 { "" } else { "s" };
        write!(
            f,
            "{} random walk{plural} of at most {} steps, seed {}",
            self.count, self.steps, self.seed
        )?;
        f.write_str(if self.count == 1 { "" } else { " and on" })
    }
}

/// What random walks came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Walked {
    /// The walks that were asked for.
    pub asked: Walks,
    /// How many were taken to their end.
    pub taken: usize,
    /// Steps of all together.
    pub steps: usize,
    /// Steps of the longest.
    pub longest: usize,
    /// Walks that ended because no action was possible any more.
    pub ended: usize,
    /// Walks that ended because a state outgrew what a world can hold.
    pub outgrown: usize,
    /// For each property that was refuted, the seed of the walk that gave its run.
    pub refuted_by: Vec<(PropertyId, u64)>,
    /// Properties that were seen violated, but in no run that fits into a world with its real
    /// numbers; so nothing is said of them.
    pub untold: Vec<PropertyId>,
}

impl Walked {
    /// The walk that refuted a property.
    pub fn walk_against(&self, property: PropertyId) -> Option<Walks> {
        let mut refuted = self.refuted_by.iter();
        let (_, seed) = refuted.find(|(refuted, _)| *refuted == property)?;
        Some(self.asked.only(*seed))
    }
}

/// Walks about in the world of these conditions and judges what it sees by `properties`.
///
/// No property *holds* afterwards. The run against one that is refuted is the shortest that
/// was come upon, without its detours, and need not be a shortest of all. The conditions must
/// be valid ([`Conditions::validate`]). Everything but the seconds is the same each time, as
/// long as nobody pulls the brake.
pub fn walk(
    conditions: &Conditions,
    properties: &[PropertyId],
    walks: &Walks,
    limits: &Limits,
    progress: &dyn Progress,
) -> Outcome {
    in_world!(conditions, world => walk_in(&world, properties, walks, limits, progress))
}

fn walk_in<W: World>(
    world: &W,
    properties: &[PropertyId],
    walks: &Walks,
    limits: &Limits,
    progress: &dyn Progress,
) -> Outcome {
    let start = std::time::Instant::now();
    let mut walker = Walker::new(world, properties, walks);
    let cut = walker.walk_all(walks, limits, progress);
    let seconds = start.elapsed().as_secs_f64();
    walker.into_outcome(cut, seconds)
}

/// Chooses the actions of one random walk. It depends on nothing but its seed.
pub struct Wanderer {
    random: SplitMix,
    liking: Liking,
}

impl Wanderer {
    /// The one of this seed.
    pub fn new(seed: u64) -> Self {
        Wanderer {
            random: SplitMix(seed),
            liking: Liking::default(),
        }
    }

    /// One of the actions that are possible in a state; `None` if there is none.
    pub fn choose<W: World>(
        &mut self,
        world: &W,
        state: &W::State,
        possible: &[W::Action],
    ) -> Option<W::Action> {
        let kind = |action: &W::Action| world.kind(state, action);
        self.liking.choose(possible, kind, &mut self.random)
    }
}

/// A run against a property, and the seed of its walk.
struct Found {
    run: Run,
    seed: u64,
}

struct Walker<W> {
    world: W,
    properties: Vec<PropertyId>,
    hasher: RandomState,
    /// Fingerprints of the states that were come upon.
    known: HashSet<u64, NoHash>,
    coverage: Coverage,
    walked: Walked,
    found: HashMap<PropertyId, Found>,
    untold: Properties,
}

impl<W: World> Walker<W> {
    fn new(world: &W, properties: &[PropertyId], walks: &Walks) -> Self {
        Walker {
            world: world.clone(),
            properties: properties.to_vec(),
            hasher: RandomState::with_seeds(0x5eed, 0xfeed, 0xbead, 0xdeed),
            known: HashSet::default(),
            coverage: Coverage::default(),
            walked: Walked {
                asked: *walks,
                taken: 0,
                steps: 0,
                longest: 0,
                ended: 0,
                outgrown: 0,
                refuted_by: Vec::new(),
                untold: Vec::new(),
            },
            found: HashMap::new(),
            untold: Properties::default(),
        }
    }

    /// Takes all walks, or as many as the limits allow, and says why they prove nothing.
    fn walk_all(&mut self, walks: &Walks, limits: &Limits, progress: &dyn Progress) -> Cut {
        for number in 0..walks.count {
            let seed = walks.seed.wrapping_add(number as u64);
            if let Some(cut) = self.walk_once(seed, limits, progress) {
                return cut;
            }
            self.walked.taken += 1;
        }
        Cut::Walked(*walks)
    }

    /// Takes one walk; gives the reason if it had to be left before its end.
    fn walk_once(&mut self, seed: u64, limits: &Limits, progress: &dyn Progress) -> Option<Cut> {
        let mut wanderer = Wanderer::new(seed);
        let mut state = self.world.initial_state();
        let mut path = Vec::new();
        let mut violated = Properties::default();
        let mut possible = Vec::new();
        self.look_at(&state);
        while path.len() < self.walked.asked.steps {
            if limits.brake.is_pulled() {
                return Some(Cut::Stopped);
            }
            if self.known.len() > limits.max_states {
                return Some(Cut::MaxStates(limits.max_states));
            }
            if W::overflow(&state) {
                self.walked.outgrown += 1;
                break;
            }
            possible.clear();
            self.world.actions(&state, &mut possible);
            let Some(action) = wanderer.choose(&self.world, &state, &possible) else {
                self.walked.ended += 1;
                if !W::all_decided(&state) {
                    self.note(PropertyId::EveryBatchDecided, &path, seed);
                }
                break;
            };
            self.coverage.acted(self.world.kind(&state, &action));
            state = self.world.step(&state, action, &mut self.coverage);
            path.push(action);
            self.look_at(&state);
            self.walked.steps += 1;
            self.walked.longest = self.walked.longest.max(path.len());
            for property in state.as_ref().iter() {
                if !violated.contains(property) {
                    violated.insert(property);
                    self.note(property, &path, seed);
                }
            }
            if self.walked.steps.is_multiple_of(TELL_EVERY) {
                progress.update("walking", self.counts());
            }
        }
        None
    }

    fn look_at(&mut self, state: &W::State) {
        self.known.insert(self.hasher.hash_one(state));
        if !W::all_decided(state) {
            self.coverage.premises[PropertyId::EveryBatchDecided.index()] += 1;
        }
    }

    fn counts(&self) -> Counts {
        Counts {
            unique: self.known.len(),
            generated: self.walked.steps,
            depth: self.walked.longest + 1,
        }
    }

    /// The last step of a path violates a property, or nothing can come after it.
    fn note(&mut self, property: PropertyId, path: &[W::Action], seed: u64) {
        if !self.properties.contains(&property) {
            return;
        }
        let direct = self.without_detours(path);
        let known = self.found.get(&property).map(|found| found.run.len());
        if known.is_some_and(|known| known <= direct.len()) {
            return;
        }
        match self.told(property, &direct) {
            Some(run) => {
                self.found.insert(property, Found { run, seed });
            }
            None => self.untold.insert(property),
        }
    }

    /// The path without what lies between two visits to the same state.
    fn without_detours(&self, path: &[W::Action]) -> Vec<(W::Action, W::State)> {
        let start = self.world.initial_state();
        let mut state = start;
        let mut direct: Vec<(W::Action, W::State)> = Vec::new();
        let mut steps_to = HashMap::from([(start, 0)]);
        for action in path {
            state = self.world.step(&state, *action, &mut Quiet);
            match steps_to.get(&state) {
                Some(&steps) => {
                    for (_, left_out) in direct.drain(steps..) {
                        steps_to.remove(&left_out);
                    }
                }
                None => {
                    direct.push((*action, state));
                    steps_to.insert(state, direct.len());
                }
            }
        }
        direct
    }

    /// The run with its real numbers, if it shows the violation and fits.
    fn told(&self, property: PropertyId, path: &[(W::Action, W::State)]) -> Option<Run> {
        let trace = Trace::replay(&self.world, path, property)?;
        let fits = !trace.steps.iter().any(|step| W::overflow(&step.after));
        let shows = match (property, &trace.end) {
            (PropertyId::EveryBatchDecided, End::NeverDecided) => true,
            (_, end) => matches!(end, End::Violation(_)),
        };
        (fits && shows).then(|| W::as_run(trace))
    }

    fn into_outcome(mut self, cut: Cut, seconds: f64) -> Outcome {
        let counts = self.counts();
        let mut outcomes = Vec::new();
        for property in &self.properties {
            let found = self.found.remove(property);
            if let Some(found) = &found {
                self.walked.refuted_by.push((*property, found.seed));
            } else if self.untold.contains(*property) {
                self.walked.untold.push(*property);
            }
            outcomes.push(PropertyOutcome {
                property: *property,
                verdict: match found {
                    Some(_) => Verdict::Refuted,
                    None => Verdict::Unknown,
                },
                counterexample: found.map(|found| found.run),
                premises: self.coverage.premises[property.index()],
            });
        }
        Outcome {
            counts,
            cut: Some(cut),
            properties: outcomes,
            coverage: self.coverage,
            seconds,
            exploring_seconds: seconds,
            walked: Some(self.walked),
        }
    }
}
