//! The one place that turns conditions into verdicts that can be trusted.
//!
//! Stateright is the engine; what is known of it is handled here, so that no claim can get
//! it wrong:
//!
//! - *holds* is only said when the space was exhausted and nothing cut it: no limit was
//!   reached, nobody stopped the search, no state outgrew what a world can hold
//!   (`exhaustive`);
//! - a counterexample comes from a breadth-first run of its own, on one thread, with that
//!   one property, for only such a run returns a shortest one (`shortest`);
//! - a second, independent walk over the same model counts the same states with another
//!   hash, gathers coverage and premises, and decides liveness on the explored graph
//!   ([`survey`]);
//! - where a world is too large for all that, random walks may refute, and whatever they see,
//!   they never say *holds* ([`walk`]).
//!
//! `every-batch-decided` is not checked with Stateright's `eventually`, which is unsound
//! on cycles and joins, but on the graph: from every reachable state, a state in which
//! every batch is decided can be reached without further faults.

mod brake;
mod coverage;
mod exhaustive;
mod memory;
mod outcome;
mod run;
mod shortest;
mod survey;
mod trace;
mod verdict;
mod walks;

pub use brake::Brake;
pub use coverage::Coverage;
pub use outcome::{Counts, Cut, Outcome, PropertyOutcome, Verdict};
pub use run::Run;
pub use survey::{survey, Survey};
pub use trace::{End, Trace, TraceStep};
pub use walks::{walk, Walked, Walks, Wanderer};

use std::time::Instant;

use retryproof_properties::PropertyId;

use crate::conditions::Conditions;
use crate::world::World;

/// Runs the same expression on the world of these conditions, of whichever kind it is.
macro_rules! in_world {
    ($conditions:expr, $world:ident => $then:expr) => {{
        use $crate::cluster::ClusterWorld;
        use $crate::world::{FlatWorld, World};
        if $conditions.is_cluster() {
            let $world = <ClusterWorld as World>::new(*$conditions);
            $then
        } else {
            let $world = <FlatWorld as World>::new(*$conditions);
            $then
        }
    }};
}
pub(crate) use in_world;

/// How far a search may go, and how.
#[derive(Clone, Debug)]
pub struct Limits {
    /// Unique states after which a search gives up with verdict *unknown*.
    pub max_states: usize,
    /// Threads to use: one for the survey, the others for Stateright's run; with one, they
    /// take turns.
    pub threads: usize,
    /// Stops the search from outside.
    pub brake: Brake,
}

impl Default for Limits {
    fn default() -> Self {
        Limits {
            max_states: 20_000_000,
            threads: std::thread::available_parallelism().map_or(1, usize::from),
            brake: Brake::default(),
        }
    }
}

/// Somebody who wants to see a search go on.
pub trait Progress: Sync {
    /// How far the search is: unique and generated states so far, depth.
    fn update(&self, _stage: &'static str, _counts: Counts) {}
    /// How many states are found and not yet looked at. Told before an update, by a walk that
    /// knows it.
    fn pending(&self, _states: usize) {}
}

/// Nobody is looking.
pub struct Silent;

impl Progress for Silent {}

/// Explores the world of these conditions and judges it by `properties`.
///
/// The conditions must be valid ([`Conditions::validate`]).
pub fn check(
    conditions: &Conditions,
    properties: &[PropertyId],
    limits: &Limits,
    progress: &dyn Progress,
) -> Outcome {
    in_world!(conditions, world => check_world(&world, properties, limits, progress))
}

fn check_world<W: World>(
    world: &W,
    properties: &[PropertyId],
    limits: &Limits,
    progress: &dyn Progress,
) -> Outcome {
    let start = Instant::now();
    let (exhaustive, survey) = both_walks(world, properties, limits, progress);
    let mut cut = exhaustive
        .cut
        .or(survey.cut)
        .or_else(|| verdict::disagreement(exhaustive.counts, survey.counts));
    let mut outcomes = Vec::new();
    for &property in properties {
        let violated = match property {
            PropertyId::EveryBatchDecided => survey.is_stuck,
            _ => exhaustive.violated.contains(property) || survey.violated.contains(property),
        };
        let counterexample = match property {
            PropertyId::EveryBatchDecided => survey.stuck.clone(),
            _ if violated => shortest::counterexample(world, property, limits, progress),
            _ => None,
        };
        if violated && counterexample.is_none() {
            let stopped = limits.brake.is_pulled();
            let reason = if stopped {
                Cut::Stopped
            } else {
                Cut::RunNotFound
            };
            cut = cut.or(Some(reason));
        }
        outcomes.push((property, violated, counterexample));
    }
    let outcomes = outcomes
        .into_iter()
        .map(|(property, violated, counterexample)| PropertyOutcome {
            property,
            verdict: verdict::verdict(violated, counterexample.is_some(), cut),
            counterexample,
            premises: survey.coverage.premises[property.index()],
        })
        .collect();
    Outcome {
        // Stateright's depth depends on how its threads take turns.
        counts: Counts {
            depth: survey.counts.depth,
            ..exhaustive.counts
        },
        cut,
        properties: outcomes,
        coverage: survey.coverage,
        seconds: start.elapsed().as_secs_f64(),
        exploring_seconds: exhaustive.seconds,
        walked: None,
    }
}

/// Stateright's run and the survey: at the same time if there is more than one thread.
fn both_walks<W: World>(
    world: &W,
    properties: &[PropertyId],
    limits: &Limits,
    progress: &dyn Progress,
) -> (exhaustive::Exhaustive, Survey) {
    let others = limits.threads.saturating_sub(1);
    if others == 0 {
        return (
            exhaustive::explore(world, properties, limits, progress),
            survey::survey_of(world, limits, progress),
        );
    }
    let stateright = Limits {
        threads: others,
        ..limits.clone()
    };
    std::thread::scope(|scope| {
        let exhaustive =
            scope.spawn(|| exhaustive::explore(world, properties, &stateright, &Silent));
        let survey = survey::survey_of(world, limits, progress);
        let exhaustive = exhaustive.join().unwrap_or_else(|_| exhaustive::failed());
        (exhaustive, survey)
    })
}
