//! What producers do, and what becomes of their connections.

use crate::conditions::Fault;
use crate::message::Request;
use crate::producer::ProducerConfig;
use crate::world::Watch;

use super::super::action::Lane;
use super::super::client::Outcomes;
use super::super::link::{Answer, Connection, Parcel, Pipe};
use super::Stepping;

impl<W: Watch> Stepping<'_, W> {
    pub fn send(&mut self, lane: Lane) {
        let Lane {
            producer,
            partition,
        } = lane;
        let mut outcomes = Outcomes::default();
        let client = &mut self.state.clients[producer];
        let request = client.send(
            &self.conditions.of_producer(producer),
            partition,
            &mut outcomes,
        );
        if let Some(request) = request {
            self.put_on_its_way(lane, request);
            self.observer().sent(partition, &request);
        }
        self.observer().reported(&outcomes);
    }

    pub fn retry(&mut self, lane: Lane) {
        let Lane {
            producer,
            partition,
        } = lane;
        let mut outcomes = Outcomes::default();
        let client = &mut self.state.clients[producer];
        let request = client.retry(
            &self.conditions.of_producer(producer),
            partition,
            &mut outcomes,
        );
        if let Some(request) = request {
            self.put_on_its_way(lane, request);
        }
        self.observer().reported(&outcomes);
    }

    fn put_on_its_way(&mut self, lane: Lane, request: Request) {
        let broker = self.state.clients[lane.producer].leaders[lane.partition];
        let links = &mut self.state.links[lane.producer];
        let pipe = links.pipe_mut(Connection::Live(broker.into()));
        if pipe.requests.is_full() {
            self.state.overflow = true;
            return;
        }
        pipe.requests.push(Parcel {
            partition: lane.partition as u8,
            request,
        });
    }

    /// A producer learns who leads a partition.
    pub fn refresh(&mut self, lane: Lane) {
        let leader = self.state.leaderships[lane.partition].leader;
        self.state.clients[lane.producer].leaders[lane.partition] = leader;
    }

    pub fn time_out(&mut self, lane: Lane) {
        let Lane {
            producer,
            partition,
        } = lane;
        self.take(Fault::DeliveryTimeout);
        let mut outcomes = Outcomes::default();
        let conditions = self.conditions.of_producer(producer);
        let config = ProducerConfig::of(&conditions);
        let client = &mut self.state.clients[producer];
        client.turn(&conditions, &mut outcomes);
        client.lanes[partition].give_up_on_time(&config, &mut outcomes[partition]);
        self.observer().reported(&outcomes);
    }

    pub fn read(&mut self, producer: usize, broker: usize, after_bump: bool) {
        let mut outcomes = Outcomes::default();
        let conditions = self.conditions.of_producer(producer);
        let config = ProducerConfig::of(&conditions);
        let client = &mut self.state.clients[producer];
        if after_bump {
            client.turn(&conditions, &mut outcomes);
        }
        let replies = &mut self.state.links[producer].live[broker].replies;
        let Answer { partition, reply } = replies.remove(0);
        let partition = usize::from(partition);
        let lane = &mut client.lanes[partition];
        let batch = lane.known_as(&reply);
        lane.on_reply(&config, &reply, broker as u8, &mut outcomes[partition]);
        let mut observer = self.observer();
        observer.answered(partition, &batch, reply.word);
        observer.reported(&outcomes);
    }

    /// What is left over of a dead connection is lost.
    pub fn lose(&mut self, producer: usize, dead: usize) {
        self.state.links[producer].dead[dead] = Pipe::default();
    }

    pub fn disconnect(&mut self, producer: usize, broker: usize) {
        self.take(Fault::Disconnect);
        self.state.links[producer].disconnect(broker, self.conditions.connections);
        for replica in &mut self.state.replicas[broker] {
            replica.on_disconnect(producer);
        }
        self.lose_connection(producer, broker);
    }

    /// A producer waits no longer for what it sent to a broker.
    pub fn lose_connection(&mut self, producer: usize, broker: usize) {
        let mut outcomes = Outcomes::default();
        let client = &mut self.state.clients[producer];
        client.on_disconnect(
            &self.conditions.of_producer(producer),
            broker,
            &mut outcomes,
        );
        self.observer().reported(&outcomes);
    }
}
