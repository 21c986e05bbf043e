//! A scenario, told: step by step what happens, why each number changed, and what can be
//! seen then.

use retryproof_models::checking::Run;
use retryproof_models::scenarios::names::names_of;
use retryproof_models::scenarios::{Act, NotRunnable};

use super::story::{Step, Story};
use super::view::{reasons, View};

/// An act, told. Of its run the telling begins behind the steps that an act before has told.
#[derive(Clone, Debug)]
pub struct Telling {
    /// The whole run.
    pub run: Run,
    /// What can be seen before the first step that is told.
    pub start: View,
    /// The steps.
    pub steps: Vec<Told>,
}

/// A step, told.
#[derive(Clone, Debug)]
pub struct Told {
    /// Number of the step in the run, from 1.
    pub number: usize,
    /// Its name, as the scenario has it.
    pub name: String,
    /// What happens.
    pub step: Step,
    /// Why each number changed, or none did.
    pub reasons: Vec<String>,
    /// What can be seen after it.
    pub after: View,
}

impl Telling {
    /// Tells an act.
    ///
    /// # Errors
    /// If it cannot be run.
    pub fn of(act: &Act) -> Result<Telling, NotRunnable> {
        let run = act.run()?;
        let story = Story::of(&run);
        let first = act.before.len();
        let steps = names_of(&run).into_iter().zip(story.steps).enumerate();
        let told = steps.skip(first).map(|(index, (name, step))| Told {
            number: index + 1,
            name,
            step,
            reasons: reasons::of_step(&run, index),
            after: View::after(&run, index + 1),
        });
        let steps = told.collect();
        Ok(Telling {
            start: View::after(&run, first),
            steps,
            run,
        })
    }
}
