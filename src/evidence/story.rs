//! A run told as a story: who did what, what was lost, what the broker decided and why,
//! what the application was told, and what the log holds then.

mod at_broker;
mod at_fault;
mod at_network;
mod at_producer;
mod phrase;
mod wire;

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
struct Moment<'a> {
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
        violates: moment
            .seen
            .broken
            .iter()
            .map(|(property, violation)| (*property, violation.to_string()))
            .collect(),
    }
}

fn ending(run: &Trace<FlatWorld>, last: &State) -> String {
    match &run.end {
        End::Violation(violation) => violation.to_string(),
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
mod tests {
    use retryproof_models::conditions::Budget;
    use retryproof_models::network::{Loss, NetworkKind, Slot};
    use retryproof_models::world::{initial_state, step, Quiet};
    use retryproof_models::{checking::TraceStep, policies, rules};

    use super::*;

    const SMALL: Conditions = Conditions {
        in_flight: 3,
        window: 2,
        connections: 2,
        batches: Budget::AtMost(4),
        ..Conditions::KAFKA
    };
    const READ: Action = Action::Read {
        index: 0,
        after_bump: false,
    };

    fn deliver(connection: u8, index: u8) -> Action {
        Action::Deliver(Slot { connection, index })
    }

    /// The texts of a run that takes these actions.
    fn told(conditions: Conditions, actions: &[Action]) -> Vec<String> {
        let start = initial_state(&conditions);
        let mut state = start;
        let mut steps = Vec::new();
        for action in actions {
            state = step(&conditions, &state, *action, &mut Quiet);
            steps.push(TraceStep {
                action: *action,
                after: state,
                branch: None,
            });
        }
        let run = Trace {
            conditions,
            start,
            steps,
            end: End::NeverDecided,
        };
        Story::of(&Run::OneBroker(run))
            .steps
            .into_iter()
            .map(|step| step.text)
            .collect()
    }

    fn last_told(conditions: Conditions, actions: &[Action]) -> String {
        told(conditions, actions).pop().unwrap_or_default()
    }

    #[test]
    fn a_leftover_arrives_late_and_is_recognised() {
        let actions = [
            Action::Send,
            Action::Disconnect,
            Action::Retry,
            deliver(0, 0),
            deliver(1, 0),
        ];
        assert_eq!(
            last_told(SMALL, &actions),
            "Left over of a dead connection, r0 arrives. Broker does not write r0 again, but answers \
             offset 0 (sequence 0, epoch 0: exact match in the window). Its last sequence is 0, its \
             window holds 0."
        );
    }

    #[test]
    fn a_connection_that_breaks_loses_answers_and_leaves_requests_over() {
        let actions = [
            Action::Send,
            Action::Send,
            deliver(0, 0),
            Action::Disconnect,
        ];
        assert_eq!(
            last_told(SMALL, &actions),
            "Connection breaks: the answer to r0 is lost; r1, sent already, may still reach the \
             broker. Producer must send r0 and r1 again."
        );
    }

    #[test]
    fn without_dead_connections_nothing_is_left_over() {
        let alone = Conditions {
            connections: 1,
            ..SMALL
        };
        assert_eq!(
            last_told(alone, &[Action::Send, Action::Disconnect]),
            "Connection breaks: r0, sent already, never arrives. Producer must send r0 again."
        );
    }

    #[test]
    fn leftovers_may_never_arrive() {
        let actions = [
            Action::Send,
            Action::Disconnect,
            Action::Lose(Loss::Leftovers(1)),
        ];
        assert_eq!(
            last_told(SMALL, &actions),
            "What a dead connection left over never arrives: r0."
        );
    }

    #[test]
    fn an_answer_is_told_to_the_application() {
        assert_eq!(
            last_told(SMALL, &[Action::Send, deliver(0, 0), READ]),
            "Producer reads the answer to r0: written at offset 0. It tells the application that r0 is \
             written at offset 0."
        );
    }

    #[test]
    fn a_plain_producer_has_no_identity() {
        let plain = Conditions {
            client: &policies::PLAIN,
            window: 5,
            ..SMALL
        };
        assert_eq!(
            told(plain, &[Action::Send, deliver(0, 0)]),
            [
                "Producer sends r0 (new); 1 in flight.",
                "Broker appends r0 at offset 0 (no sequence).",
            ]
        );
    }

    #[test]
    fn a_batch_that_was_kept_is_appended_when_it_fits() {
        let buffering = Conditions {
            rule: &rules::BUFFERING,
            network: NetworkKind::Unordered,
            ..SMALL
        };
        let texts = told(
            buffering,
            &[Action::Send, Action::Send, deliver(0, 1), deliver(0, 0)],
        );
        assert_eq!(
            texts[2..],
            [
                "Broker keeps r1 for later (sequence 1, epoch 0: beyond the next sequence: kept).",
                "Broker appends r0 at offset 0 (sequence 0, epoch 0: unknown producer, starts at 0). r1, \
                 kept before, fits now and is appended at offset 1.",
            ]
        );
    }

    #[test]
    fn a_timeout_loses_nothing_on_an_unordered_network() {
        let unordered = Conditions {
            network: NetworkKind::Unordered,
            ..SMALL
        };
        let actions = [Action::Send, Action::Disconnect, deliver(1, 0)];
        assert_eq!(
            told(unordered, &actions)[1..],
            [
                "Request timeout strikes: nobody waits for the answer to r0 any more, but what is on its \
                 way may still arrive. Producer must send r0 again.",
                "Late, for nobody waits any more, r0 arrives. Broker appends r0 at offset 0 (sequence 0, \
                 epoch 0: unknown producer, any first sequence).",
            ]
        );
    }

    #[test]
    fn a_log_names_what_stands_in_it_twice() {
        let log = Log {
            records: ["r0", "r1", "r0", "r0"].map(str::to_owned).to_vec(),
        };
        assert_eq!(
            log.in_words(),
            "The log holds r0 r1 r0 r0: r0 at offsets 0, 2 and 3."
        );
        assert!(!log.is_repeated(0) && !log.is_repeated(1) && log.is_repeated(2));
    }
}
