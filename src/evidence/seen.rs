//! What can be seen from outside in one step of a run: events, the branch of the rule, and
//! what properties say.

use retryproof_models::broker::ObservedMemory;
use retryproof_models::checking::Trace;
use retryproof_models::world::{Watch, World};
use retryproof_properties::{
    Answer, Event, Judgement, Offset, Outcome, PropertyId, Record, Violation,
};

/// What was seen in one step.
#[derive(Clone, Debug, Default)]
pub struct Seen {
    /// Batches appended, with their offsets: first the request's own, if it was.
    pub appended: Vec<(Record, Offset)>,
    /// What the broker answered; `None` if it decided nothing, or keeps the request.
    pub answer: Option<Answer>,
    /// Branch of the rule that decided a request.
    pub branch: Option<&'static str>,
    /// What the application was told.
    pub reported: Vec<(Record, Outcome)>,
    /// Properties that the step violates.
    pub broken: Vec<(PropertyId, Violation)>,
}

impl Seen {
    /// Takes the step once more, and looks.
    pub fn in_step<W: World>(run: &Trace<W>, index: usize) -> Seen {
        let mut seen = Seen::default();
        if let Some(taken) = run.steps.get(index) {
            W::new(run.conditions).step(run.before(index), taken.action, &mut seen);
        }
        seen
    }
}

impl Watch for Seen {
    fn event(&mut self, event: &Event<'_, ObservedMemory>) {
        match event {
            Event::Appended { batch, base } => self.appended.push((batch.first_record, *base)),
            Event::Decided(decision) => self.answer = decision.answer,
            Event::Reported {
                record, outcome, ..
            } => self.reported.push((*record, *outcome)),
            Event::Sent { .. }
            | Event::Answered { .. }
            | Event::Truncated { .. }
            | Event::Finished => {}
        }
    }

    fn judged(&mut self, property: PropertyId, judgement: &Judgement<Violation>) {
        if let Judgement::Broken(violation) = judgement {
            if !self.broken.iter().any(|(known, _)| *known == property) {
                self.broken.push((property, violation.clone()));
            }
        }
    }

    fn ruled(&mut self, branch: &'static str) {
        self.branch = Some(branch);
    }
}
