//! Situations of a run with one producer, one partition and one broker.

use retryproof_models::actors::Role;
use retryproof_models::checking::Trace;
use retryproof_models::conditions::Conditions;
use retryproof_models::message::{Reply, Request};
use retryproof_models::producer::{ProducerConfig, Undecided};
use retryproof_models::world::{Action, FlatWorld, State};

use crate::evidence::sequence::label;
use crate::evidence::story::phrase::{said, Answered, Batch as _};
use crate::evidence::story::{wire, Log};

use super::cause::{Batch, Cause};
use super::{broker, producer, Group, Quantity, Situation, Value};

/// The situations at the start and after each step; `told` is the story of a step.
pub fn situations<'t>(run: &Trace<FlatWorld>, told: impl Fn(usize) -> &'t str) -> Vec<Situation> {
    let mut situations = vec![situation(&run.conditions, &run.start)];
    for (index, step) in run.steps.iter().enumerate() {
        let (before, after) = (run.before(index), &step.after);
        let mut now = situation(&run.conditions, after);
        let cause = cause(&run.conditions, before, step.action);
        now.compare(&situations[index], |_, quantity| {
            why(&run.conditions, quantity, (before, after), &cause)
                .unwrap_or_else(|| told(index).to_owned())
        });
        situations.push(now);
    }
    situations
}

fn situation(conditions: &Conditions, state: &State) -> Situation {
    let producer = producer::values(
        conditions,
        &state.producer,
        state.producer.in_flight(),
        Undecided::name,
    );
    let mut broker = match conditions.client.idempotent {
        true => broker::values(conditions, &state.broker),
        false => Vec::new(),
    };
    broker.push(Value::log(Log::of(state).records));
    let group = |role: Role, values| Group {
        role,
        name: role.name().to_owned(),
        values,
    };
    Situation {
        groups: vec![
            group(Role::Producer, producer),
            group(Role::Network, network(conditions, state)),
            group(Role::Broker, broker),
        ],
    }
}

fn network(conditions: &Conditions, state: &State) -> Vec<Value> {
    let request = |request: &Request| label::request(conditions, &request.name(), request);
    let answer = |reply: &Reply| {
        let name = Answered::by(reply, &state.producer).name();
        label::answer(&name, reply.word)
    };
    let network = &state.network;
    let old = network.old.iter().flat_map(|old| old.iter());
    vec![
        Value::of(Quantity::Requests, network.live.iter().map(request)),
        Value::of(Quantity::Answers, network.replies.iter().map(answer)),
        Value::of(Quantity::LeftOver, old.map(request)),
    ]
}

/// What a step does.
fn cause(conditions: &Conditions, before: &State, action: Action) -> Cause {
    let batch = |request: &Request| {
        Batch::of(request, request.name(), |sequence| {
            wire::on_wire(conditions, sequence)
        })
    };
    match action {
        Action::Send => {
            let records = conditions.records_per_batch;
            Cause::Sends(batch(&Request {
                record: before.producer.next_record,
                more: records.saturating_sub(1),
                ..Request::default()
            }))
        }
        Action::Retry => {
            let config = ProducerConfig::of(conditions);
            let undecided = before.producer.undecided.as_slice();
            match before.producer.can_retry(&config) {
                Some(index) => Cause::SendsAgain(batch(&Request {
                    record: undecided[index].record,
                    more: undecided[index].more,
                    ..Request::default()
                })),
                None => Cause::Other,
            }
        }
        Action::Read { index, .. } => {
            match before.network.replies.as_slice().get(usize::from(index)) {
                Some(reply) => Cause::Reads {
                    name: Answered::by(reply, &before.producer).name(),
                    said: said(reply.word),
                },
                None => Cause::Other,
            }
        }
        Action::Deliver(slot) | Action::DeliverTo(slot, _) => {
            Cause::Takes(batch(&before.network.request(slot)))
        }
        Action::Disconnect => Cause::Breaks,
        Action::Restart => Cause::Restarts,
        Action::Lose(_) | Action::Expire | Action::TimeOut | Action::Cancel => Cause::Other,
    }
}

/// Why a value changed; `None` where only the story of the step tells.
fn why(
    conditions: &Conditions,
    quantity: Quantity,
    (before, after): (&State, &State),
    cause: &Cause,
) -> Option<String> {
    match quantity {
        Quantity::Epoch
        | Quantity::NextSequence
        | Quantity::LastAcknowledged
        | Quantity::InFlight
        | Quantity::Undecided
        | Quantity::Intent => producer::why(
            conditions,
            quantity,
            (&before.producer, &after.producer),
            cause,
        ),
        Quantity::KnownEpoch | Quantity::LastSequence | Quantity::Window | Quantity::Kept => {
            broker::why(conditions, quantity, (&before.broker, &after.broker), cause)
        }
        Quantity::Log => log(before, after),
        Quantity::Requests | Quantity::Answers | Quantity::LeftOver | Quantity::Leads => None,
    }
}

/// Why the log changed.
fn log(before: &State, after: &State) -> Option<String> {
    let (old, new) = (Log::of(before).records, Log::of(after).records);
    let added = new.get(old.len()..).filter(|added| !added.is_empty())?;
    Some(format!(
        "{} is appended at offset {}, the end of the log.",
        added.join(", "),
        old.len()
    ))
}
