//! Answers that waited for the replicas go out.

use crate::message::{Place, Refusal, Reply, Word};
use crate::world::Watch;

use super::super::action::Seat;
use super::super::link::{Answer, Waiting};
use super::Stepping;

impl<W: Watch> Stepping<'_, W> {
    /// Every answer goes out that has waited long enough.
    pub fn release(&mut self) {
        for partition in 0..self.state.shape.partitions {
            self.state.advance(partition);
        }
        for producer in 0..self.state.shape.producers {
            for broker in 0..self.state.shape.brokers {
                self.release_live(producer, broker);
            }
            for dead in 0..self.state.links[producer].dead.len() {
                self.release_dead(producer, dead);
            }
        }
    }

    fn release_live(&mut self, producer: usize, broker: usize) {
        let mut link = self.state.links[producer].live[broker];
        for waiting in std::mem::take(&mut link.pipe.waiting).iter() {
            match self.awaited_word(broker, waiting) {
                None => link.pipe.waiting.push(*waiting),
                Some(_) if link.replies.is_full() => self.state.overflow = true,
                Some(word) => link.replies.push(Answer {
                    partition: waiting.partition,
                    reply: Reply {
                        record: waiting.record,
                        word,
                    },
                }),
            }
        }
        self.state.links[producer].live[broker] = link;
    }

    fn release_dead(&mut self, producer: usize, dead: usize) {
        let mut pipe = self.state.links[producer].dead[dead];
        for waiting in std::mem::take(&mut pipe.waiting).iter() {
            if self.awaited_word(pipe.broker.into(), waiting).is_none() {
                pipe.waiting.push(*waiting);
            }
        }
        self.state.links[producer].dead[dead] = pipe;
    }

    /// What is answered to a request that waited, if it need not wait any longer.
    fn awaited_word(&self, broker: usize, waiting: &Waiting) -> Option<Word> {
        let seat = Seat {
            broker,
            partition: waiting.partition.into(),
        };
        if !self.state.replica(seat).leads {
            return Some(Word::Refused(Refusal::NotLeader));
        }
        let is_written = waiting.until <= self.state.high_watermark(seat);
        is_written.then_some(Word::Written(Place::At(waiting.offset)))
    }
}
