//! A producer's connections: one live one to each broker, and dead ones of which a broker
//! may still execute what it received.
//!
//! A connection is a pair of FIFO queues. A broker takes one request of a connection at a
//! time: while the answer to one waits for the replicas, the next is not read (Apache Kafka
//! mutes the channel). So it is with dead connections too. There are at most
//! `connections` − 1 dead ones for each producer, to whichever brokers.

use std::fmt;

use crate::broker::MAX_WINDOW;
use crate::message::{Reply, Request, Small};
use crate::network::MAX_CONNECTIONS;
use crate::queue::Queue;

use super::BROKERS;

/// The most answers of one connection that wait for the replicas. It is one, but with a
/// rule that keeps requests, of which several can fit at once.
pub const MAX_WAITING: usize = 4;

/// A request for one partition.
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Parcel {
    /// The partition.
    pub partition: u8,
    /// The request.
    pub request: Request,
}

/// A reply that concerns one partition.
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct Answer {
    /// The partition.
    pub partition: u8,
    /// The reply.
    pub reply: Reply,
}

/// An answer that waits until every replica in sync has the batch.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Waiting {
    /// The partition.
    pub partition: u8,
    /// Record of the request.
    pub record: Small,
    /// Offset that will be told.
    pub offset: Small,
    /// The high watermark that it waits for.
    pub until: Small,
}

/// The way of requests to a broker.
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Pipe {
    /// The broker at its end; 0 if there is nothing in it.
    pub broker: u8,
    /// Requests, oldest first.
    pub requests: Queue<Parcel, MAX_WINDOW>,
    /// Answers that wait.
    pub waiting: Queue<Waiting, MAX_WAITING>,
}

impl Pipe {
    /// The request that the broker takes next, if it may take one.
    pub fn next(&self) -> Option<Parcel> {
        match self.waiting.is_empty() {
            true => self.requests.as_slice().first().copied(),
            false => None,
        }
    }
}

/// A live connection.
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct Link {
    /// Requests, and answers that wait.
    pub pipe: Pipe,
    /// Replies on their way, oldest first.
    pub replies: Queue<Answer, MAX_WINDOW>,
}

/// Which connection of a producer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Connection {
    /// The live one to a broker.
    Live(usize),
    /// A dead one, by position.
    Dead(usize),
}

/// All connections of a producer.
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct Links {
    /// The live ones, by broker.
    pub live: [Link; BROKERS],
    /// The dead ones, sorted: which is which does not matter.
    pub dead: [Pipe; MAX_CONNECTIONS - 1],
}

impl Links {
    /// The way of requests on a connection.
    pub fn pipe(&self, connection: Connection) -> &Pipe {
        match connection {
            Connection::Live(broker) => &self.live[broker].pipe,
            Connection::Dead(index) => &self.dead[index],
        }
    }

    /// The way of requests on a connection.
    pub fn pipe_mut(&mut self, connection: Connection) -> &mut Pipe {
        match connection {
            Connection::Live(broker) => &mut self.live[broker].pipe,
            Connection::Dead(index) => &mut self.dead[index],
        }
    }

    /// The broker at the end of a connection.
    pub fn broker(&self, connection: Connection) -> usize {
        match connection {
            Connection::Live(broker) => broker,
            Connection::Dead(index) => self.dead[index].broker.into(),
        }
    }

    /// Whether the live connection to a broker may break: there is room for what is left
    /// over of it. `connections` includes a live one.
    pub fn can_break(&self, broker: usize, connections: u8) -> bool {
        let dead = &self.dead[..usize::from(connections) - 1];
        let leaves_nothing = self.live[broker].pipe.requests.is_empty() || dead.is_empty();
        leaves_nothing || dead.iter().any(|pipe| pipe.requests.is_empty())
    }

    /// The live connection to a broker breaks.
    pub fn disconnect(&mut self, broker: usize, connections: u8) {
        let link = std::mem::take(&mut self.live[broker]);
        let dead = &mut self.dead[..usize::from(connections) - 1];
        if let Some(free) = dead.iter_mut().find(|pipe| pipe.requests.is_empty()) {
            *free = Pipe {
                broker: broker as u8,
                ..link.pipe
            };
        }
    }

    /// A broker restarts: what was on any connection to it is gone.
    pub fn on_restart(&mut self, broker: usize) {
        self.live[broker] = Link::default();
        for pipe in &mut self.dead {
            if usize::from(pipe.broker) == broker {
                *pipe = Pipe::default();
            }
        }
    }

    /// Brings the dead connections into one order. Of one that has no request left nothing
    /// more is to be expected.
    pub fn sort(&mut self, connections: u8) {
        let dead = &mut self.dead[..usize::from(connections) - 1];
        for pipe in dead.iter_mut().filter(|pipe| pipe.requests.is_empty()) {
            *pipe = Pipe::default();
        }
        dead.sort_unstable();
    }

    /// Whether a request or reply of this partition is on its way.
    pub fn concern(&self, partition: usize) -> bool {
        let live = self.live.iter().map(|link| &link.pipe);
        let mut parcels = live.chain(&self.dead).flat_map(|pipe| pipe.requests.iter());
        let mut answers = self.live.iter().flat_map(|link| link.replies.iter());
        let mut waiting = self.live.iter().flat_map(|link| link.pipe.waiting.iter());
        parcels.any(|parcel| usize::from(parcel.partition) == partition)
            || answers.any(|answer| usize::from(answer.partition) == partition)
            || waiting.any(|waiting| usize::from(waiting.partition) == partition)
    }
}

impl fmt::Debug for Parcel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?} for partition {}", self.request, self.partition)
    }
}

impl fmt::Debug for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?} for partition {}", self.reply, self.partition)
    }
}

impl fmt::Debug for Pipe {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.requests.fmt(f)?;
        match self.waiting.is_empty() {
            true => Ok(()),
            false => write!(f, ", waiting {:?}", self.waiting),
        }
    }
}

impl fmt::Debug for Link {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}, replies {:?}", self.pipe, self.replies)
    }
}

impl fmt::Debug for Links {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let nothing = Link::default();
        let live = self.live.iter().enumerate();
        for (broker, link) in live.filter(|(_, link)| **link != nothing) {
            write!(f, "to broker {broker} {link:?}; ")?;
        }
        for pipe in self.dead.iter().filter(|pipe| !pipe.requests.is_empty()) {
            write!(f, "left over for broker {} {pipe:?}; ", pipe.broker)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// One request on the live connection to broker 1.
    fn one_request() -> Links {
        let mut links = Links::default();
        links.live[1].pipe.requests.push(Parcel::default());
        links
    }

    #[test]
    fn while_an_answer_waits_no_request_is_taken() {
        let mut links = one_request();
        let pipe = links.pipe_mut(Connection::Live(1));
        assert!(pipe.next().is_some());
        pipe.waiting.push(Waiting::default());
        assert_eq!(pipe.next(), None);
    }

    #[test]
    fn a_broken_connection_leaves_its_requests_over() {
        let mut links = one_request();
        links.live[1].replies.push(Answer::default());
        links.disconnect(1, 2);
        assert_eq!(links.live[1], Link::default());
        assert_eq!(links.broker(Connection::Dead(0)), 1);
        assert!(links.pipe(Connection::Dead(0)).next().is_some());
    }

    #[test]
    fn a_connection_breaks_only_if_there_is_room_for_what_it_leaves() {
        let mut links = one_request();
        links.disconnect(1, 2);
        assert!(links.can_break(0, 2), "nothing is left over");
        links.live[0].pipe.requests.push(Parcel::default());
        assert!(!links.can_break(0, 2));
        assert!(links.can_break(0, 3));
        assert!(links.can_break(0, 1), "what is left over is lost");
    }

    #[test]
    fn a_restart_takes_away_what_is_on_the_way_to_that_broker() {
        let mut links = one_request();
        links.disconnect(1, 2);
        links.live[0].pipe.requests.push(Parcel::default());
        links.on_restart(1);
        assert_eq!(links.dead, Links::default().dead);
        assert!(links.concern(0), "what is for broker 0 stays");
        links.on_restart(0);
        assert_eq!(links, Links::default());
    }

    #[test]
    fn which_dead_connection_is_which_does_not_matter() {
        let mut links = one_request();
        links.disconnect(1, 3);
        let mut other = Links::default();
        other.dead.swap(0, 1);
        other.dead[1] = links.dead[0];
        links.sort(3);
        other.sort(3);
        assert_eq!(links, other);
    }

    #[test]
    fn of_a_dead_connection_without_requests_nothing_is_kept() {
        let mut links = Links::default();
        links.dead[0].broker = 1;
        links.dead[0].waiting.push(Waiting::default());
        links.sort(2);
        assert_eq!(links, Links::default());
    }

    #[test]
    fn only_messages_of_a_partition_concern_it() {
        let links = one_request();
        assert!(links.concern(0));
        assert!(!links.concern(1));
        assert!(!Links::default().concern(0));
    }
}
