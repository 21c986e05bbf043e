//! What is on its way between producers and brokers.

use retryproof_models::cluster::{self, producer_of, Parcel};
use retryproof_models::conditions::Conditions;
use retryproof_models::message::{Reply, Request};
use retryproof_models::world;

use crate::evidence::sequence::label;
use crate::evidence::story::in_cluster::Names;
use crate::evidence::story::phrase::{Answered, Batch};

use super::OnItsWay;

/// What is on its way where there is one broker.
pub fn of_one_broker(conditions: &Conditions, state: &world::State) -> OnItsWay {
    let request = |request: &Request| label::request(conditions, &request.name(), request);
    let answer = |reply: &Reply| {
        let name = Answered::by(reply, &state.producer).name();
        label::answer(&name, reply.word)
    };
    let network = &state.network;
    let old = network.old.iter().flat_map(|old| old.iter());
    OnItsWay {
        requests: network.live.iter().map(request).collect(),
        answers: network.replies.iter().map(answer).collect(),
        left_over: old.map(request).collect(),
    }
}

/// What is on its way in a cluster.
pub fn of_cluster(conditions: &Conditions, state: &cluster::State) -> OnItsWay {
    let names = Names::of(state);
    let to = |broker: usize| match state.shape.brokers {
        1 => String::new(),
        _ => format!(" to b{broker}"),
    };
    let request = |parcel: &Parcel, broker: usize| {
        let record = parcel.request.record;
        let own = conditions.of_producer(producer_of(record));
        let label = label::request(&own, &names.record(record), &parcel.request);
        format!("{label}{}", to(broker))
    };
    let mut way = OnItsWay::default();
    for links in &state.links[..state.shape.producers] {
        let live = links.live[..state.shape.brokers].iter().enumerate();
        for (broker, link) in live {
            let requests = link.pipe.requests.iter();
            way.requests
                .extend(requests.map(|parcel| request(parcel, broker)));
            way.answers.extend(link.replies.iter().map(|answer| {
                let name = names.record(answer.reply.record);
                label::answer(&name, answer.reply.word)
            }));
            way.answers.extend(link.pipe.waiting.iter().map(|waiting| {
                let name = names.record(waiting.record);
                format!("{name}: waits for the replicas")
            }));
        }
        for pipe in &links.dead {
            let requests = pipe.requests.iter();
            way.left_over
                .extend(requests.map(|parcel| request(parcel, pipe.broker.into())));
        }
    }
    way
}
