//! A run told as a story: who did what, what was lost, what the broker decided and why,
//! what the application was told, and what the log holds then.

mod at_broker;
mod at_fault;
mod at_network;
mod at_producer;
pub(crate) mod in_cluster;
pub(super) mod phrase;
pub(super) mod wire;

use retryproof_models::actors::Role;
use retryproof_models::checking::{End, Run, Trace};
use retryproof_models::conditions::Conditions;
use retryproof_models::world::{Action, FlatWorld, State};
use retryproof_properties::PropertyId;

use super::seen::Seen;

/// A run, told.
#[derive(Clone, Debug)]
pub struct Story {
    /// What the log holds at the start, if anything.
    pub log_at_start: Log,
    /// The steps.
    pub steps: Vec<Step>,
    /// What is wrong at the end.
    pub ending: String,
    /// What the log holds at the end.
    pub log: Log,
}

/// One step, told.
#[derive(Clone, Debug)]
pub struct Step {
    /// Who acts.
    pub actor: Role,
    /// The kind of action, one of [`Action::KINDS`].
    pub action: &'static str,
    /// From where to where something goes.
    pub way: Way,
    /// What happens, in one sentence or two.
    pub text: String,
    /// The records in the log after the step, by offset, if the step changed it.
    pub log: Option<Log>,
    /// The properties that the step violates, each with what is wrong.
    pub violates: Vec<(PropertyId, String)>,
}

/// The way that a message takes in a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// Producer to network.
    Out,
    /// Network to broker; the answer is awaited.
    In,
    /// Network to broker, left over of a dead connection.
    Late,
    /// Network to producer.
    Back,
    /// Something is lost in the network.
    Lost,
    /// The broker goes down and comes up again.
    Down,
    /// Nothing is on its way.
    Nowhere,
}

/// The log: the records in it by offset, and those that stand in it more than once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Log {
    /// Records from offset 0.
    pub records: Vec<String>,
}

impl Log {
    fn of(state: &State) -> Log {
        let batches = state.ledger.tail.iter();
        let records = batches.flat_map(|batch| batch.record..batch.record + batch.count());
        Log {
            records: records.map(phrase::record).collect(),
        }
    }

    /// What the log holds, in a sentence.
    pub fn in_words(&self) -> String {
        if self.records.is_empty() {
            return "The log is empty.".to_owned();
        }
        let again: Vec<String> = self.repeated();
        let all = format!("The log holds {}", self.records.join(" "));
        if again.is_empty() {
            format!("{all}.")
        } else {
            format!("{all}: {}.", again.join("; "))
        }
    }

    fn repeated(&self) -> Vec<String> {
        let mut told: Vec<&String> = Vec::new();
        let mut repeated = Vec::new();
        for record in &self.records {
            let offsets: Vec<String> = (0..)
                .zip(&self.records)
                .filter(|(_, other)| *other == record)
                .map(|(offset, _): (usize, _)| offset.to_string())
                .collect();
            if offsets.len() > 1 && !told.contains(&record) {
                told.push(record);
                repeated.push(format!("{record} at offsets {}", phrase::listed(&offsets)));
            }
        }
        repeated
    }

    /// Whether the record at this offset stands at an earlier one too.
    pub fn is_repeated(&self, offset: usize) -> bool {
        let record = self.records.get(offset);
        self.records
            .iter()
            .take(offset)
            .any(|other| Some(other) == record)
    }
}

impl Story {
    /// What the last step does to a property.
    pub fn violation_of(&self, property: PropertyId) -> &str {
        let last = self.steps.last().map(|step| step.violates.as_slice());
        let violation = last
            .unwrap_or_default()
            .iter()
            .find(|(other, _)| *other == property);
        violation.map_or(&self.ending, |(_, violation)| violation)
    }

    /// Tells a run.
    pub fn of(run: &Run) -> Story {
        match run {
            Run::OneBroker(trace) => Story::of_one_broker(trace),
            Run::Cluster(trace) => in_cluster::story(trace),
        }
    }

    fn of_one_broker(run: &Trace<FlatWorld>) -> Story {
        let last = run.steps.last().map_or(&run.start, |step| &step.after);
        Story {
            log_at_start: Log::of(&run.start),
            steps: (0..run.len()).map(|index| tell(run, index)).collect(),
            ending: ending(run, last),
            log: Log::of(last),
        }
    }
}

/// The same in one step: what the narrators of each actor are told.
pub(super) struct Moment<'a> {
    conditions: &'a Conditions,
    before: &'a State,
    after: &'a State,
    seen: Seen,
}

fn tell(run: &Trace<FlatWorld>, index: usize) -> Step {
    let step = &run.steps[index];
    let moment = Moment {
        conditions: &run.conditions,
        before: run.before(index),
        after: &step.after,
        seen: Seen::in_step(run, index),
    };
    let (actor, way, text) = match step.action {
        Action::Send => (Role::Producer, Way::Out, at_producer::sends(&moment)),
        Action::Retry => (Role::Producer, Way::Out, at_producer::sends_again(&moment)),
        Action::Read { index, .. } => (
            Role::Producer,
            Way::Back,
            at_producer::reads(&moment, index),
        ),
        Action::Deliver(slot) => {
            let way = if slot.is_live() { Way::In } else { Way::Late };
            (Role::Broker, way, at_broker::decides(&moment, slot))
        }
        Action::DeliverTo(slot, fate) => {
            let way = if slot.is_live() { Way::In } else { Way::Late };
            (Role::Broker, way, at_fault::befalls(&moment, slot, fate))
        }
        Action::Restart => (Role::Broker, Way::Down, at_fault::restarts(&moment)),
        Action::Expire => (Role::Broker, Way::Nowhere, at_fault::expires(&moment)),
        Action::TimeOut => (Role::Producer, Way::Nowhere, at_fault::times_out(&moment)),
        Action::Cancel => (Role::Producer, Way::Nowhere, at_fault::cancels(&moment)),
        Action::Disconnect => (Role::Network, Way::Lost, at_network::breaks(&moment)),
        Action::Lose(loss) => (Role::Network, Way::Lost, at_network::loses(&moment, loss)),
    };
    let log = Log::of(moment.after);
    Step {
        actor,
        action: step.action.kind(moment.before.producer.bump_wanted),
        way,
        text,
        log: (log != Log::of(moment.before)).then_some(log),
        violates: violations(&moment.seen),
    }
}

/// The properties that a step violates, each with what is wrong.
fn violations(seen: &Seen) -> Vec<(PropertyId, String)> {
    let broken = seen.broken.iter();
    broken
        .map(|(property, violation)| (*property, violation.to_string()))
        .collect()
}

fn ending(run: &Trace<FlatWorld>, last: &State) -> String {
    match &run.end {
        End::Violation(violation) => violation.to_string(),
        End::Well => "nothing is wrong with the last step".to_owned(),
        End::NeverDecided => {
            let undecided: Vec<_> = (0..=i8::MAX)
                .filter(|record| last.ledger.undecided.contains(*record))
                .collect();
            format!(
                "whatever happens from here without further faults, the application is never told \
                 what became of {}",
                phrase::records(undecided)
            )
        }
    }
}

#[cfg(test)]
mod tests;
