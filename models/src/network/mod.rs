//! The network between one producer and one broker.
//!
//! The **session** network is what TCP gives: a connection is a pair of FIFO queues. When
//! it breaks, replies not yet read are lost; of the requests already sent any prefix may
//! still be executed by the broker later, interleaved with the next connection's.
//!
//! Stateright's three kinds are over-approximations to compare with: **ordered** (one
//! FIFO channel each way that outlives timeouts and loses single messages), **unordered**
//! (any message may come next) and **duplicating** (besides, any message may come again).
//! In these a "disconnect" is the client's request timeout: it waits no longer for any
//! outstanding request, but nothing in the network is lost by it.
//!
//! One representation serves all four: requests whose answers are awaited, their replies,
//! and up to three groups of *leftovers*, whose answers nobody reads.

mod actor;

pub use actor::{Link, NetworkActor};

use std::fmt;

use crate::broker::MAX_WINDOW;
use crate::message::{Reply, Request};
use crate::queue::Queue;

/// The most connections that a world can have: the live one and three dead ones.
pub const MAX_CONNECTIONS: usize = 4;

/// The most replies on their way: one for each request in flight, and in a duplicating
/// network different ones for each.
pub const MAX_REPLIES: usize = 2 * MAX_WINDOW;

/// How messages travel.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum NetworkKind {
    /// Connections that break.
    Session,
    /// One FIFO channel each way, lossy.
    Ordered,
    /// Any message may be delivered next.
    Unordered,
    /// Any message may be delivered next, and again.
    Duplicating,
}

impl NetworkKind {
    /// All kinds.
    pub const ALL: &'static [NetworkKind] = &[
        NetworkKind::Session,
        NetworkKind::Ordered,
        NetworkKind::Unordered,
        NetworkKind::Duplicating,
    ];

    /// Name, as the command line takes it.
    pub fn name(self) -> &'static str {
        match self {
            NetworkKind::Session => "session",
            NetworkKind::Ordered => "ordered",
            NetworkKind::Unordered => "unordered",
            NetworkKind::Duplicating => "duplicating",
        }
    }

    /// Whether messages keep the order in which they were sent.
    fn is_fifo(self) -> bool {
        matches!(self, NetworkKind::Session | NetworkKind::Ordered)
    }
}

/// A place from which the broker can take a request: the live connection (0) or a group of
/// leftovers (1…), and the position in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Slot {
    /// 0 for requests whose answers are awaited, else the group of leftovers.
    pub connection: u8,
    /// Position, 0 is the oldest.
    pub index: u8,
}

impl Slot {
    fn new(connection: usize, index: usize) -> Self {
        Slot {
            connection: connection as u8,
            index: index as u8,
        }
    }

    /// Whether the sender of the request still waits for the answer.
    pub fn is_live(self) -> bool {
        self.connection == 0
    }
}

/// Messages on their way.
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct Network {
    /// Requests whose answers are awaited, oldest first.
    pub live: Queue<Request, MAX_WINDOW>,
    /// Replies on their way to a producer that waits for them, oldest first.
    pub replies: Queue<Reply, MAX_REPLIES>,
    /// Leftovers: requests that the broker may still execute though nobody waits.
    pub old: [Queue<Request, MAX_WINDOW>; MAX_CONNECTIONS - 1],
    /// More is on its way than there is room for: the search is not exhaustive.
    pub overflow: bool,
}

impl fmt::Debug for Network {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "live {:?}, replies {:?}", self.live, self.replies)?;
        for old in self.old.iter().filter(|old| !old.is_empty()) {
            write!(f, ", left over {old:?}")?;
        }
        Ok(())
    }
}

impl Network {
    fn queue(&self, connection: usize) -> &Queue<Request, MAX_WINDOW> {
        match connection {
            0 => &self.live,
            old => &self.old[old - 1],
        }
    }

    fn queue_mut(&mut self, connection: usize) -> &mut Queue<Request, MAX_WINDOW> {
        match connection {
            0 => &mut self.live,
            old => &mut self.old[old - 1],
        }
    }

    /// The request in a slot.
    pub fn request(&self, slot: Slot) -> Request {
        self.queue(slot.connection.into()).as_slice()[usize::from(slot.index)]
    }

    /// The producer sends a request on the live connection.
    pub fn send(&mut self, request: Request) {
        if self.live.is_full() {
            self.overflow = true;
            return;
        }
        self.live.push(request);
    }

    /// Every request that the broker may take next.
    pub fn each_deliverable(&self, kind: NetworkKind, mut each: impl FnMut(Slot)) {
        match kind {
            NetworkKind::Session => {
                for connection in 0..MAX_CONNECTIONS {
                    if !self.queue(connection).is_empty() {
                        each(Slot::new(connection, 0));
                    }
                }
            }
            NetworkKind::Ordered => {
                // The channel outlives timeouts: leftovers stand before awaited requests.
                if let Some(connection) = (1..MAX_CONNECTIONS)
                    .chain([0])
                    .find(|connection| !self.queue(*connection).is_empty())
                {
                    each(Slot::new(connection, 0));
                }
            }
            NetworkKind::Unordered | NetworkKind::Duplicating => {
                for connection in 0..MAX_CONNECTIONS {
                    let queue = self.queue(connection).as_slice();
                    for (index, request) in queue.iter().enumerate() {
                        let again = self.is_repeated(connection, index, request);
                        if !again {
                            each(Slot::new(connection, index));
                        }
                    }
                }
            }
        }
    }

    /// Whether an equal request stands in the slot before (bags are kept sorted).
    fn is_repeated(&self, connection: usize, index: usize, request: &Request) -> bool {
        let before = match (connection, index) {
            (0 | 1, 0) => None,
            (_, 0) => self.queue(connection - 1).as_slice().last(),
            _ => self.queue(connection).as_slice().get(index - 1),
        };
        before == Some(request)
    }

    /// Takes a request out to the broker; in a duplicating network it stays as well.
    pub fn deliver(&mut self, kind: NetworkKind, slot: Slot) -> Request {
        if kind == NetworkKind::Duplicating {
            return self.request(slot);
        }
        self.queue_mut(slot.connection.into())
            .remove(slot.index.into())
    }

    /// Puts a reply on its way to a producer that waits for it.
    pub fn reply(&mut self, kind: NetworkKind, reply: Reply) {
        if kind == NetworkKind::Duplicating && self.replies.as_slice().contains(&reply) {
            return;
        }
        if self.replies.is_full() {
            self.overflow = true;
            return;
        }
        self.replies.push(reply);
    }

    /// Every reply that the producer may read next, by position.
    pub fn each_readable(&self, kind: NetworkKind, mut each: impl FnMut(u8)) {
        let readable = if kind.is_fifo() {
            self.replies.len().min(1)
        } else {
            self.replies.len()
        };
        (0..readable).for_each(|index| each(index as u8));
    }

    /// Takes a reply out to the producer. What else is on its way for the same request is
    /// from now on awaited by nobody.
    pub fn read(&mut self, kind: NetworkKind, index: u8) -> Reply {
        let reply = self.replies.remove(index.into());
        if kind == NetworkKind::Duplicating {
            while let Some(again) = self
                .replies
                .iter()
                .position(|other| other.record == reply.record)
            {
                self.replies.remove(again);
            }
            if let Some(sent) = self
                .live
                .iter()
                .position(|request| request.record == reply.record)
            {
                let request = self.live.remove(sent);
                self.leave_over(request);
            }
        }
        reply
    }

    /// Whether the live connection may break (or the client's timeout strike): there is
    /// something outstanding, and room for what is left over. `connections` includes the
    /// live one; `in_flight` is the limit of each.
    pub fn can_break(&self, kind: NetworkKind, connections: usize, in_flight: usize) -> bool {
        let old = connections - 1;
        match kind {
            NetworkKind::Session => {
                self.live.is_empty() || old == 0 || self.old[..old].iter().any(Queue::is_empty)
            }
            NetworkKind::Ordered => {
                self.live.is_empty() || self.old[..old].iter().any(Queue::is_empty)
            }
            NetworkKind::Unordered => self.left_over() + self.live.len() <= old * in_flight,
            NetworkKind::Duplicating => {
                self.left_over() + self.live.len() <= self.old.len() * MAX_WINDOW
            }
        }
    }

    /// Whether nothing is on its way.
    pub fn is_empty(&self) -> bool {
        self.live.is_empty() && self.replies.is_empty() && self.left_over() == 0
    }

    /// The broker restarts: what was on any connection to it is gone.
    pub fn on_restart(&mut self) {
        self.live.clear();
        self.replies.clear();
        for old in &mut self.old {
            old.clear();
        }
    }

    /// How many leftovers there are.
    pub fn left_over(&self) -> usize {
        self.old.iter().map(Queue::len).sum()
    }

    /// The live connection breaks.
    pub fn disconnect(&mut self, kind: NetworkKind, connections: usize) {
        self.replies.clear();
        let live = std::mem::take(&mut self.live);
        match kind {
            NetworkKind::Session | NetworkKind::Ordered => {
                let free = self.old[..connections - 1]
                    .iter_mut()
                    .find(|old| old.is_empty());
                if let Some(free) = free {
                    *free = live;
                }
            }
            NetworkKind::Unordered | NetworkKind::Duplicating => {
                for request in live.iter() {
                    self.leave_over(*request);
                }
            }
        }
    }

    /// A request is left over.
    pub(crate) fn leave_over(&mut self, request: Request) {
        match self.old.iter_mut().find(|old| !old.is_full()) {
            Some(room) => room.push(request),
            None => self.overflow = true,
        }
    }

    /// Everything that the network may lose next.
    pub fn each_losable(&self, kind: NetworkKind, mut each: impl FnMut(Loss)) {
        match kind {
            NetworkKind::Session => {
                for connection in 1..MAX_CONNECTIONS {
                    if !self.queue(connection).is_empty() {
                        each(Loss::Leftovers(connection as u8));
                    }
                }
            }
            NetworkKind::Ordered => {
                self.each_deliverable(kind, |slot| each(Loss::Request(slot)));
                if !self.replies.is_empty() {
                    each(Loss::Reply(0));
                }
            }
            NetworkKind::Unordered => {
                self.each_deliverable(kind, |slot| {
                    if !slot.is_live() {
                        each(Loss::Request(slot));
                    }
                });
            }
            NetworkKind::Duplicating => {}
        }
    }

    /// Loses something.
    pub fn lose(&mut self, loss: Loss) {
        match loss {
            Loss::Leftovers(connection) => self.queue_mut(connection.into()).clear(),
            Loss::Request(slot) => {
                self.queue_mut(slot.connection.into())
                    .remove(slot.index.into());
            }
            Loss::Reply(index) => {
                self.replies.remove(index.into());
            }
        }
    }

    /// Brings what is a set into one order: dead connections, and the messages of a
    /// network without order. In a duplicating network a copy more or less is nothing.
    pub fn sort(&mut self, kind: NetworkKind, connections: usize) {
        match kind {
            NetworkKind::Session => self.old[..connections - 1].sort_unstable(),
            NetworkKind::Ordered => {
                // Groups of one channel: empty ones last, order kept.
                self.old[..connections - 1].sort_by_key(Queue::is_empty);
            }
            NetworkKind::Unordered | NetworkKind::Duplicating => {
                self.live.as_mut_slice().sort_unstable();
                self.replies.as_mut_slice().sort_unstable();
                if kind == NetworkKind::Duplicating {
                    self.replies.dedup();
                }
                self.sort_bag(kind == NetworkKind::Duplicating);
            }
        }
    }

    fn sort_bag(&mut self, as_set: bool) {
        let mut bag: Queue<Request, { MAX_WINDOW * (MAX_CONNECTIONS - 1) }> = Queue::default();
        for request in self.old.iter().flat_map(Queue::iter) {
            bag.push(*request);
        }
        bag.as_mut_slice().sort_unstable();
        self.old = Default::default();
        let mut before = None;
        for request in bag.iter() {
            if !(as_set && before == Some(*request)) {
                self.leave_over(*request);
            }
            before = Some(*request);
        }
    }
}

/// What a network can lose.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Loss {
    /// All that is left over of a dead connection.
    Leftovers(u8),
    /// One request.
    Request(Slot),
    /// One reply, by position.
    Reply(u8),
}
