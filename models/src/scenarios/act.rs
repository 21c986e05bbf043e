//! A run given by the names of its steps.

use crate::checking::{in_world, Run, Trace};
use crate::conditions::{Conditions, Senseless};

use super::names::{named_actions, Named};

/// One world, and a run through it.
#[derive(Clone, Copy, Debug)]
pub struct Act {
    /// What is different about this run, in a few words; empty if the scenario has no other.
    pub title: &'static str,
    /// Conditions of the world; bounded, so that numbers are real.
    pub conditions: Conditions,
    /// Steps that come first and that the act before has told, by name.
    pub before: &'static [&'static str],
    /// The steps by name, see [`super::names`].
    pub steps: &'static [&'static str],
}

/// Why an act cannot be run.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotRunnable {
    /// The conditions make no sense.
    #[error(transparent)]
    Senseless(#[from] Senseless),
    /// In a world of any length the numbers of a state are not the real ones.
    #[error("a scenario needs a world with so many batches, not one of any length")]
    AnyLength,
    /// No possible action has the name of a step.
    #[error("step {step}, \"{name}\", is not possible: {}", .possible.join("; "))]
    NoSuchStep {
        /// Number of the step, from 1.
        step: usize,
        /// Its name.
        name: String,
        /// The names of what is possible.
        possible: Vec<String>,
    },
    /// Several possible actions have the name of a step.
    #[error("step {step}, \"{name}\", can mean {count} things: {}", .possible.join("; "))]
    Ambiguous {
        /// Number of the step, from 1.
        step: usize,
        /// Its name.
        name: String,
        /// How many actions have it.
        count: usize,
        /// The names of what is possible.
        possible: Vec<String>,
    },
}

impl Act {
    /// All steps of the run by name; the telling may begin behind the first
    /// [`Act::before`]`.len()`.
    pub fn all_steps(&self) -> impl Iterator<Item = &'static str> {
        self.before.iter().chain(self.steps).copied()
    }

    /// Takes all steps, from the start of the world.
    ///
    /// # Errors
    /// If the conditions make no sense, or a name is not that of exactly one action that is
    /// possible then.
    pub fn run(&self) -> Result<Run, NotRunnable> {
        run(&self.conditions, self.all_steps())
    }
}

/// The run of these steps through the world of these conditions.
///
/// # Errors
/// As [`Act::run`].
pub fn run<'n>(
    conditions: &Conditions,
    steps: impl IntoIterator<Item = &'n str>,
) -> Result<Run, NotRunnable> {
    conditions.validate()?;
    if conditions.any_length() {
        return Err(NotRunnable::AnyLength);
    }
    in_world!(conditions, world => follow(&world, steps))
}

fn follow<'n, W: Named>(
    world: &W,
    steps: impl IntoIterator<Item = &'n str>,
) -> Result<Run, NotRunnable> {
    let mut trace = Trace::at_start(world);
    for (index, name) in steps.into_iter().enumerate() {
        let possible = named_actions(world, trace.last());
        let mut meant = possible.iter().filter(|(other, _)| other == name);
        let (first, others) = (meant.next(), meant.count());
        let names = || possible.iter().map(|(name, _)| name.clone()).collect();
        match (first, others) {
            (Some((_, action)), 0) => trace.take(world, *action),
            (None, _) => {
                return Err(NotRunnable::NoSuchStep {
                    step: index + 1,
                    name: name.to_owned(),
                    possible: names(),
                })
            }
            (Some(_), others) => {
                return Err(NotRunnable::Ambiguous {
                    step: index + 1,
                    name: name.to_owned(),
                    count: others + 1,
                    possible: names(),
                })
            }
        }
    }
    Ok(W::as_run(trace))
}
