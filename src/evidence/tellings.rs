//! Which of the runs of an outcome are told, so that each is told once.

use retryproof_models::checking::{PropertyOutcome, Run};
use retryproof_properties::PropertyId;

/// A run that is told, and the properties that it refutes: the one it was found for first.
#[derive(Clone, Debug)]
pub struct Telling<'a> {
    /// The run.
    pub run: &'a Run,
    /// The properties that it refutes, each with the number of the step that does.
    pub refutes: Vec<(PropertyId, usize)>,
}

/// The runs to tell, shortest first. A run that violates other properties on its way, in
/// the same step as their own shortest runs, stands for those too.
pub fn tellings(properties: &[PropertyOutcome]) -> Vec<Telling<'_>> {
    let mut runs: Vec<(PropertyId, &Run)> = properties
        .iter()
        .filter_map(|found| Some((found.property, found.counterexample.as_ref()?)))
        .collect();
    runs.sort_by_key(|(_, run)| std::cmp::Reverse(run.len()));
    let mut tellings: Vec<Telling<'_>> = Vec::new();
    for (property, run) in runs {
        let refuted = (property, run.len());
        match tellings
            .iter_mut()
            .find(|telling| refutes(telling.run, property, run))
        {
            Some(telling) => telling.refutes.push(refuted),
            None => tellings.push(Telling {
                run,
                refutes: vec![refuted],
            }),
        }
    }
    tellings.reverse();
    tellings
}

/// Whether a run violates the property in the same step as the property's own run.
fn refutes(run: &Run, property: PropertyId, own: &Run) -> bool {
    let last = own.len().checked_sub(1);
    let same_step = last.is_some_and(|last| run.violated_in(last).contains(property));
    same_step || run.has_steps_of(own)
}

impl Telling<'_> {
    /// The properties that the run refutes.
    pub fn properties(&self) -> Vec<PropertyId> {
        self.refutes.iter().map(|(property, _)| *property).collect()
    }

    /// The properties that the last step violates.
    pub fn at_the_end(&self) -> impl Iterator<Item = PropertyId> + '_ {
        self.refutes
            .iter()
            .filter(|(_, steps)| *steps == self.run.len())
            .map(|(property, _)| *property)
    }

    /// What the run is, as a title: "A shortest run against no-duplicate, in 18 steps
    /// (retry-recognised: its first 16)".
    pub fn title(&self) -> String {
        format!("A shortest run {}", self.against())
    }

    /// The title of a run that is none of the shortest, as far as is known.
    pub fn title_of_any_run(&self) -> String {
        format!("A run {}", self.against())
    }

    fn against(&self) -> String {
        let names: Vec<&str> = self.at_the_end().map(PropertyId::id).collect();
        let shorter: Vec<String> = self
            .refutes
            .iter()
            .filter(|(_, steps)| *steps < self.run.len())
            .map(|(property, steps)| format!("{property}: its first {steps}"))
            .collect();
        let shorter = match shorter.is_empty() {
            true => String::new(),
            false => format!(" ({})", shorter.join(", ")),
        };
        format!(
            "against {}, in {}{shorter}",
            names.join(" and "),
            super::figures::counted(self.run.len(), "step")
        )
    }
}
