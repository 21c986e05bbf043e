//! The exhaustive run: Stateright looks at every state.
//!
//! Breadth-first: a path vector is cloned for each successor, but in worlds of any length
//! a depth-first search has paths of tens of thousands of steps, and cloning those took
//! fourteen times as long (5 in flight, three dead connections: 10.4 s against 0.7 s).

use std::collections::HashMap;
use std::time::{Duration, Instant};

use retryproof_properties::PropertyId;
use stateright::{Checker, HasDiscoveries, Model, Path, Property};

use crate::world::{never_violated, Properties, Quiet, World};

use super::{memory, Brake, Counts, Cut, Limits, Progress};

/// How long a search goes on before it is looked at again, at most.
const LOOK_EVERY: Duration = Duration::from_millis(20);
/// Name of the property that no state outgrows its world. Without violation it also keeps
/// Stateright from ending early, which it does once every property has a discovery.
const FITS: &str = "state-fits";

pub(super) struct Exhaustive {
    pub counts: Counts,
    pub cut: Option<Cut>,
    pub violated: Properties,
    pub seconds: f64,
}

/// Explores the whole world.
pub(super) fn explore<W: World>(
    world: &W,
    properties: &[PropertyId],
    limits: &Limits,
    progress: &dyn Progress,
) -> Exhaustive {
    let start = Instant::now();
    let search = Search::run(
        Braked::fitting(world.clone(), properties.to_vec()),
        HasDiscoveries::All,
        limits,
        progress,
    );
    let mut violated = Properties::default();
    for property in properties {
        if search.found.contains_key(property.id()) {
            violated.insert(*property);
        }
    }
    let overflow = search.found.contains_key(FITS).then_some(Cut::Overflow);
    Exhaustive {
        counts: search.counts,
        cut: search.cut.or(overflow),
        violated,
        seconds: start.elapsed().as_secs_f64(),
    }
}

/// A breadth-first search by Stateright that can be stopped.
pub(super) struct Search<W: World> {
    pub counts: Counts,
    pub cut: Option<Cut>,
    /// Paths to what was found, by the name of the property.
    pub found: HashMap<&'static str, Path<W::State, W::Action>>,
}

impl<W: World> Search<W> {
    pub(super) fn run(
        model: Braked<W>,
        finish_when: HasDiscoveries,
        limits: &Limits,
        progress: &dyn Progress,
    ) -> Search<W> {
        let start = Instant::now();
        let halt = model.halt.clone();
        let mut checker = model
            .checker()
            .threads(limits.threads)
            .finish_when(finish_when)
            .spawn_bfs();
        let threads = checker.handles();
        let mut scarce = false;
        while !threads.iter().all(|thread| thread.is_finished()) {
            let full = checker.unique_state_count() > limits.max_states;
            scarce |= memory::is_scarce();
            if full || scarce || limits.brake.is_pulled() {
                halt.pull();
            }
            progress.update("exploring", counts(&checker));
            // Small worlds take a millisecond: do not keep them waiting.
            let pause = start.elapsed() / 16;
            std::thread::sleep(pause.clamp(Duration::from_micros(50), LOOK_EVERY));
        }
        let panicked = threads.into_iter().any(|thread| thread.join().is_err());
        let halted = halt.is_pulled();
        // Stateright replays the actions of a path to tell it: they must be possible again.
        halt.release();
        let cut = if panicked {
            Some(Cut::EngineFailed)
        } else if limits.brake.is_pulled() {
            Some(Cut::Stopped)
        } else if scarce {
            Some(Cut::OutOfMemory)
        } else if halted {
            Some(Cut::MaxStates(limits.max_states))
        } else {
            None
        };
        Search {
            counts: counts(&checker),
            cut,
            found: checker.discoveries(),
        }
    }
}

/// A run that did not come to its end.
pub(super) fn failed() -> Exhaustive {
    Exhaustive {
        counts: Counts::default(),
        cut: Some(Cut::EngineFailed),
        violated: Properties::default(),
        seconds: 0.0,
    }
}

fn counts<W: World>(checker: &impl Checker<Braked<W>>) -> Counts {
    Counts {
        unique: checker.unique_state_count(),
        generated: checker.state_count(),
        depth: checker.max_depth(),
    }
}

/// A world, judged by some properties, whose search can be stopped.
pub(super) struct Braked<W> {
    world: W,
    properties: Vec<PropertyId>,
    halt: Brake,
    /// Whether it is a property of the world that no state outgrows it.
    must_fit: bool,
}

impl<W: World> Braked<W> {
    /// A world that is also judged by whether its states fit.
    pub(super) fn fitting(world: W, properties: Vec<PropertyId>) -> Self {
        Braked {
            must_fit: true,
            ..Braked::new(world, properties)
        }
    }

    /// A world that is judged by these properties only.
    pub(super) fn new(world: W, properties: Vec<PropertyId>) -> Self {
        Braked {
            world,
            properties,
            halt: Brake::default(),
            must_fit: false,
        }
    }
}

impl<W: World> Model for Braked<W> {
    type State = W::State;
    type Action = W::Action;

    fn init_states(&self) -> Vec<W::State> {
        vec![self.world.initial_state()]
    }

    fn actions(&self, state: &W::State, found: &mut Vec<W::Action>) {
        if !self.halt.is_pulled() && !W::overflow(state) {
            self.world.actions(state, found);
        }
    }

    fn next_state(&self, state: &W::State, action: W::Action) -> Option<W::State> {
        Some(self.world.step(state, action, &mut Quiet))
    }

    fn properties(&self) -> Vec<Property<Self>> {
        let mut properties = never_violated(&self.properties);
        if self.must_fit {
            properties.push(Property::always(FITS, |_: &Braked<W>, state: &W::State| {
                !W::overflow(state)
            }));
        }
        properties
    }
}
