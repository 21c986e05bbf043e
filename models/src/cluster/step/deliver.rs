//! A broker takes a request, decides it and answers.

use crate::broker::{Fate, Handled};
use crate::conditions::Acks;
use crate::message::{Place, Refusal, Reply, Request, Small, Word};
use crate::world::Watch;

use super::super::action::Seat;
use super::super::link::{Answer, Connection, Waiting};
use super::super::log::{producer_of, Entry};
use super::super::replica::id_of;
use super::Stepping;

impl<W: Watch> Stepping<'_, W> {
    pub fn deliver(&mut self, producer: usize, connection: Connection, fate: Fate) {
        if let Some(fault) = fate.fault() {
            self.take(fault);
        }
        let links = &mut self.state.links[producer];
        let broker = links.broker(connection);
        let parcel = links.pipe_mut(connection).requests.remove(0);
        let seat = Seat {
            broker,
            partition: parcel.partition.into(),
        };
        let awaited = matches!(connection, Connection::Live(_));
        if self.state.replica(seat).leads {
            self.execute(seat, parcel.request, (producer, connection), fate);
        } else if awaited {
            let refused = Word::Refused(Refusal::NotLeader);
            self.answer(seat, Reply::to(&parcel.request, refused));
        }
    }

    /// A broker that believes to lead executes a request that came on this connection of
    /// the producer.
    fn execute(
        &mut self,
        seat: Seat,
        request: Request,
        (producer, connection): (usize, Connection),
        fate: Fate,
    ) {
        let awaited = matches!(connection, Connection::Live(_));
        let handled = self.decide(seat, request, awaited, fate);
        self.state.advance(seat.partition);
        handled.each_reply(&request, awaited, |_, reply| self.answer(seat, reply));
        if let (Some(word), false) = (handled.word, awaited) {
            let waiting = self.must_wait(seat, &Reply::to(&request, word));
            self.mute(producer, connection, waiting);
        }
    }

    /// The request is decided, and what is to be appended is appended. If the broker does
    /// lead, that is what properties see.
    fn decide(&mut self, seat: Seat, request: Request, awaited: bool, fate: Fate) -> Handled {
        let id = id_of(self.conditions, producer_of(request.record));
        let replica = self.state.replica_mut(seat);
        let (before, end) = (replica.memory[id], replica.end());
        let memory = &mut replica.memory[id];
        let handled = memory.take(self.conditions, end, request, awaited, fate);
        let after = *memory;
        self.watch.ruled(handled.branch);
        for append in handled.appended.iter() {
            self.append(seat, &append.request, append.offset);
        }
        if self.state.is_leader(seat) {
            let memory = (&before, &after);
            let mut observer = self.observer();
            observer.decided(seat.partition, &request, memory, &handled, end);
        }
        handled
    }

    fn append(&mut self, seat: Seat, request: &Request, offset: Small) {
        if self.state.is_leader(seat) {
            self.observer().appends(seat.partition, request, offset);
        }
        let replica = self.state.replica_mut(seat);
        if replica.log.is_full() {
            self.state.overflow = true;
            return;
        }
        replica.log.push(Entry::of(request, replica.leader_epoch));
    }

    /// A broker answers a request on a live connection: at once, or when the replicas have
    /// followed.
    fn answer(&mut self, seat: Seat, reply: Reply) {
        let waiting = self.must_wait(seat, &reply);
        let link = &mut self.state.links[producer_of(reply.record)].live[seat.broker];
        let is_full = match waiting {
            Some(_) => link.pipe.waiting.is_full(),
            None => link.replies.is_full(),
        };
        if is_full {
            self.state.overflow = true;
            return;
        }
        let partition = seat.partition as u8;
        match waiting {
            Some(waiting) => link.pipe.waiting.push(waiting),
            None => link.replies.push(Answer { partition, reply }),
        }
    }

    /// Nobody waits for an answer on a dead connection, but the next request of it is not
    /// taken before there would be one.
    fn mute(&mut self, producer: usize, connection: Connection, waiting: Option<Waiting>) {
        let pipe = self.state.links[producer].pipe_mut(connection);
        if let Some(waiting) = waiting {
            pipe.waiting.push(waiting);
        }
    }

    /// What an answer waits for: with acks=all a success that names an offset (also that of
    /// a duplicate) waits for the high watermark, though not for one beyond the log.
    fn must_wait(&self, seat: Seat, reply: &Reply) -> Option<Waiting> {
        let (Acks::All, Word::Written(Place::At(offset))) = (self.conditions.acks, reply.word)
        else {
            return None;
        };
        let until = self.state.replica(seat).end().min(offset + 1);
        let must_wait = self.state.high_watermark(seat) < until;
        must_wait.then_some(Waiting {
            partition: seat.partition as u8,
            record: reply.record,
            offset,
            until,
        })
    }
}
