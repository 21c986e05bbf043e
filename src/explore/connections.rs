//! What is on its way on each connection of a state.

use retryproof_models::checking::{Run, Trace};
use retryproof_models::cluster::{Pipe, State};
use retryproof_models::conditions::Conditions;
use retryproof_models::message::{Request, Small};
use retryproof_models::world::FlatWorld;

use crate::evidence::sequence::label;
use crate::evidence::story::in_cluster::Names;

/// A connection.
pub struct Connection {
    /// The producer at its one end, as "producer", "p0".
    pub producer: String,
    /// The broker at its other end, as "broker", "b1".
    pub broker: String,
    /// Whether somebody waits for the answers.
    pub alive: bool,
    /// Requests on their way, as "produce r1 seq 1 epoch 0", oldest first.
    pub requests: Vec<String>,
    /// Answers on their way, or waiting for replicas, as "r1: ok, offset 1", oldest first.
    pub answers: Vec<String>,
}

/// The connections at the start of a run; of dead ones those that something is left of.
pub fn at_start(run: &Run) -> Vec<Connection> {
    match run {
        Run::OneBroker(trace) => of_one_broker(trace),
        Run::Cluster(trace) => Cluster {
            conditions: &trace.conditions,
            state: &trace.start,
        }
        .connections(),
    }
}

fn of_one_broker(trace: &Trace<FlatWorld>) -> Vec<Connection> {
    let network = &trace.start.network;
    let connection = |alive, requests: &[Request], answers| Connection {
        producer: "producer".to_owned(),
        broker: "broker".to_owned(),
        alive,
        requests: requests
            .iter()
            .map(|request| produce(&trace.conditions, &batch(request), request))
            .collect(),
        answers,
    };
    let answers = network.replies.iter();
    let answers = answers.map(|reply| label::answer(&format!("r{}", reply.record), reply.word));
    let live = connection(true, network.live.as_slice(), answers.collect());
    let dead = network.old.iter().filter(|old| !old.is_empty());
    let dead = dead.map(|old| connection(false, old.as_slice(), Vec::new()));
    std::iter::once(live).chain(dead).collect()
}

fn batch(request: &Request) -> String {
    match request.more {
        0 => format!("r{}", request.record),
        more => format!("r{}..{}", request.record, request.record + more as Small),
    }
}

fn produce(conditions: &Conditions, name: &str, request: &Request) -> String {
    format!("produce {}", label::request(conditions, name, request))
}

struct Cluster<'a> {
    conditions: &'a Conditions,
    state: &'a State,
}

impl Cluster<'_> {
    fn connections(&self) -> Vec<Connection> {
        let shape = self.state.shape;
        let producers = 0..shape.producers;
        producers
            .flat_map(|producer| {
                let live = (0..shape.brokers).map(move |broker| self.live(producer, broker));
                let dead = self.state.links[producer].dead.iter();
                let dead = dead.filter(|pipe| !pipe.requests.is_empty());
                live.chain(dead.map(move |pipe| self.dead(producer, pipe.broker.into(), pipe)))
            })
            .collect()
    }

    fn live(&self, producer: usize, broker: usize) -> Connection {
        let link = &self.state.links[producer].live[broker];
        let waiting = link.pipe.waiting.iter();
        let waiting = waiting.map(|waiting| {
            let record = self.record(waiting.record);
            format!("{record}: waits for the replicas")
        });
        let answers = link.replies.iter();
        let answers = answers
            .map(|answer| label::answer(&self.record(answer.reply.record), answer.reply.word));
        Connection {
            alive: true,
            answers: answers.chain(waiting).collect(),
            ..self.dead(producer, broker, &link.pipe)
        }
    }

    fn dead(&self, producer: usize, broker: usize, pipe: &Pipe) -> Connection {
        let conditions = self.conditions.of_producer(producer);
        let requests = pipe.requests.iter().map(|parcel| {
            let mut name = self.record(parcel.request.record);
            if self.state.shape.partitions > 1 {
                name += &format!(" for partition {}", parcel.partition);
            }
            produce(&conditions, &name, &parcel.request)
        });
        Connection {
            producer: match self.state.shape.producers {
                1 => "producer".to_owned(),
                _ => format!("p{producer}"),
            },
            broker: match self.state.shape.brokers {
                1 => "broker".to_owned(),
                _ => format!("b{broker}"),
            },
            alive: false,
            requests: requests.collect(),
            answers: Vec::new(),
        }
    }

    fn record(&self, record: Small) -> String {
        Names::of(self.state).record(record)
    }
}
