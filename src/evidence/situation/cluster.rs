//! Situations of a run of a cluster: one for each producer and each broker.

use retryproof_models::actors::Role;
use retryproof_models::checking::Trace;
use retryproof_models::cluster::{producer_of, Action, ClusterWorld, Parcel, Seat, State};
use retryproof_models::conditions::{Conditions, InFlightPer, ProducerIds};
use retryproof_models::message::Request;

use crate::evidence::sequence::label;
use crate::evidence::story::in_cluster::Names;
use crate::evidence::story::phrase::said;
use crate::evidence::story::wire;

use super::cause::{Batch, Cause};
use super::{broker, producer, Group, Quantity, Situation, Value};

/// The situations at the start and after each step; `told` is the story of a step.
pub fn situations<'t>(
    run: &Trace<ClusterWorld>,
    told: impl Fn(usize) -> &'t str,
) -> Vec<Situation> {
    let conditions = &run.conditions;
    let mut situations = vec![situation(conditions, &run.start)];
    for (index, step) in run.steps.iter().enumerate() {
        let (before, after) = (run.before(index), &step.after);
        let mut now = situation(conditions, after);
        let cause = cause(conditions, before, step.action);
        let places = places(conditions, before);
        now.compare(&situations[index], |group, quantity| {
            let why = match places[group] {
                Place::Network => None,
                Place::Lane(number, partition) => {
                    let lane = |state: &State| state.clients[number].lanes[partition];
                    let own = conditions.of_producer(number);
                    producer::why(&own, quantity, (&lane(before), &lane(after)), &cause)
                }
                Place::Replica(seat) => match quantity {
                    Quantity::Log => log(before, after, seat),
                    _ => None,
                },
                Place::Memory(seat, id) => {
                    let memory = |state: &State| state.replica(seat).memory[id];
                    let memories = (&memory(before), &memory(after));
                    broker::why(conditions, quantity, memories, &cause)
                }
            };
            why.unwrap_or_else(|| told(index).to_owned())
        });
        situations.push(now);
    }
    situations
}

/// What a group is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    /// A producer and a partition.
    Lane(usize, usize),
    /// What is on its way.
    Network,
    /// A replica itself.
    Replica(Seat),
    /// What a replica knows of a producer id.
    Memory(Seat, usize),
}

/// What there is a group for, in order.
fn places(conditions: &Conditions, state: &State) -> Vec<Place> {
    let shape = state.shape;
    let mut places = Vec::new();
    for producer in 0..shape.producers {
        places.extend((0..shape.partitions).map(|partition| Place::Lane(producer, partition)));
    }
    places.push(Place::Network);
    for broker in 0..shape.brokers {
        for partition in 0..shape.partitions {
            let seat = Seat { broker, partition };
            places.push(Place::Replica(seat));
            let ids = (0..shape.producers)
                .filter(|id| conditions.of_producer(*id).client.idempotent)
                .filter(|id| conditions.producer_ids == ProducerIds::Own || *id == 0);
            places.extend(ids.map(|id| Place::Memory(seat, id)));
        }
    }
    places
}

fn situation(conditions: &Conditions, state: &State) -> Situation {
    let places = places(conditions, state);
    let groups = places.into_iter().map(|place| match place {
        Place::Lane(producer, partition) => lane(conditions, state, producer, partition),
        Place::Network => network(conditions, state),
        Place::Replica(seat) => replica(state, seat),
        Place::Memory(seat, id) => Group {
            role: Role::Broker,
            name: match conditions.producer_ids {
                ProducerIds::Own if state.shape.producers > 1 => {
                    format!("{} about p{id}", broker_name(state, seat))
                }
                _ => format!("{} about the producer", broker_name(state, seat)),
            },
            values: broker::values(conditions, &state.replica(seat).memory[id]),
        },
    });
    Situation {
        groups: groups.collect(),
    }
}

/// ", partition 1" where there are several.
fn of_partition(state: &State, partition: usize) -> String {
    match state.shape.partitions {
        1 => String::new(),
        _ => format!(", partition {partition}"),
    }
}

fn broker_name(state: &State, seat: Seat) -> String {
    let partition = of_partition(state, seat.partition);
    match state.shape.brokers {
        1 => format!("broker{partition}"),
        _ => format!("broker {}{partition}", seat.broker),
    }
}

fn lane(conditions: &Conditions, state: &State, producer: usize, partition: usize) -> Group {
    let client = &state.clients[producer];
    let in_flight = match conditions.in_flight_per {
        InFlightPer::Connection => client.in_flight_to(client.leaders[partition]),
        InFlightPer::Partition | InFlightPer::Span => client.lanes[partition].in_flight(),
    };
    let own = conditions.of_producer(producer);
    let partition_name = of_partition(state, partition);
    let client_name = match conditions.second_client {
        Some(_) => format!(" ({})", own.client.name),
        None => String::new(),
    };
    Group {
        role: Role::Producer,
        name: match state.shape.producers {
            1 => format!("producer{partition_name}"),
            _ => format!("producer {producer}{client_name}{partition_name}"),
        },
        values: producer::values(&own, &client.lanes[partition], in_flight, |batch| {
            Names::of(state).record(batch.record)
        }),
    }
}

fn network(conditions: &Conditions, state: &State) -> Group {
    let several = state.shape.brokers > 1;
    let to = |broker: usize| match several {
        true => format!(" to broker {broker}"),
        false => String::new(),
    };
    let request = |parcel: &Parcel, broker: usize| {
        let record = parcel.request.record;
        let own = conditions.of_producer(producer_of(record));
        let name = Names::of(state).record(record);
        let label = label::request(&own, &name, &parcel.request);
        let partition = of_partition(state, parcel.partition.into());
        format!("{label}{partition}{}", to(broker))
    };
    let (mut requests, mut answers, mut left_over) = (Vec::new(), Vec::new(), Vec::new());
    for links in &state.links[..state.shape.producers] {
        for (broker, link) in links.live.iter().enumerate().take(state.shape.brokers) {
            let live = link.pipe.requests.iter();
            requests.extend(live.map(|parcel| request(parcel, broker)));
            answers.extend(link.replies.iter().map(|answer| {
                let name = Names::of(state).record(answer.reply.record);
                label::answer(&name, answer.reply.word)
            }));
            answers.extend(link.pipe.waiting.iter().map(|waiting| {
                let name = Names::of(state).record(waiting.record);
                format!("{name}: waits for the replicas")
            }));
        }
        for pipe in &links.dead {
            let dead = pipe.requests.iter();
            left_over.extend(dead.map(|parcel| request(parcel, pipe.broker.into())));
        }
    }
    Group {
        role: Role::Network,
        name: Role::Network.name().to_owned(),
        values: vec![
            Value::of(Quantity::Requests, requests),
            Value::of(Quantity::Answers, answers),
            Value::of(Quantity::LeftOver, left_over),
        ],
    }
}

fn replica(state: &State, seat: Seat) -> Group {
    let replica = state.replica(seat);
    let mut values = Vec::new();
    if state.shape.brokers > 1 {
        let leads = match (state.is_leader(seat), replica.leads) {
            (true, _) => "leads",
            (false, true) => "deposed, and does not know it",
            (false, false) => "follows",
        };
        let in_sync = match state.leaderships[seat.partition].is_in_sync(seat.broker) {
            true => "in sync",
            false => "out of sync",
        };
        values.push(Value::text(Quantity::Leads, format!("{leads}, {in_sync}")));
    }
    values.push(Value::log(records(state, seat)));
    Group {
        role: Role::Broker,
        name: broker_name(state, seat),
        values,
    }
}

fn records(state: &State, seat: Seat) -> Vec<String> {
    let names = Names::of(state);
    let entries = state.replica(seat).log.iter();
    entries.map(|entry| names.record(entry.record)).collect()
}

/// What a step does.
fn cause(conditions: &Conditions, before: &State, action: Action) -> Cause {
    let names = Names::of(before);
    let batch = |request: &Request| {
        Batch::of(request, names.record(request.record), |sequence| {
            wire::on_wire(conditions, sequence)
        })
    };
    let of_record = |record| {
        let request = Request {
            record,
            ..Request::default()
        };
        batch(&request)
    };
    match action {
        Action::Send(lane) => {
            let client = &before.clients[lane.producer];
            Cause::Sends(of_record(client.lanes[lane.partition].next_record))
        }
        Action::Retry(lane) => {
            let client = &before.clients[lane.producer];
            let own = conditions.of_producer(lane.producer);
            match client.can_retry(&own, lane.partition) {
                Some(index) => {
                    let undecided = client.lanes[lane.partition].undecided.as_slice();
                    Cause::SendsAgain(of_record(undecided[index].record))
                }
                None => Cause::Other,
            }
        }
        Action::Read {
            producer, broker, ..
        } => match before.links[producer].live[broker]
            .replies
            .as_slice()
            .first()
        {
            Some(answer) => Cause::Reads {
                name: names.record(answer.reply.record),
                said: said(answer.reply.word),
            },
            None => Cause::Other,
        },
        Action::Deliver {
            producer,
            connection,
            ..
        } => match before.links[producer].pipe(connection).next() {
            Some(parcel) => Cause::Takes(batch(&parcel.request)),
            None => Cause::Other,
        },
        Action::Disconnect { .. } => Cause::Breaks,
        Action::Restart { .. } => Cause::Restarts,
        _ => Cause::Other,
    }
}

/// Why a log changed: something was appended; `None` where the story of the step tells.
fn log(before: &State, after: &State, seat: Seat) -> Option<String> {
    let (old, new) = (records(before, seat), records(after, seat));
    let added = new.get(old.len()..).filter(|added| !added.is_empty())?;
    Some(format!(
        "{} is appended at offset {}, the end of the log.",
        added.join(", "),
        old.len()
    ))
}
