//! How batches are decided: by answers, lost connections, timeouts, cancellations.

use crate::message::{Reply, Small, Word, SOME_UNWRITTEN_RECORD};
use crate::policies::{Cancels, Comparison, LateAnswers, Reaction, Refused};

use super::{Expired, Producer, ProducerConfig, Report, Reports, Status, Told, Undecided};

impl Producer {
    /// The live connection to a broker is gone: every request outstanding there failed, in
    /// order.
    pub fn on_disconnect(&mut self, config: &ProducerConfig, broker: u8, reports: &mut Reports) {
        while let Some(index) = self.expired.iter().position(|batch| batch.broker == broker) {
            self.expired.remove(index);
        }
        for batch in self.undecided.as_mut_slice() {
            if batch.status != Status::Queued && batch.broker == broker {
                batch.status = Status::Queued;
                batch.requeued = true;
                batch.maybe_written = true;
            }
        }
        (config.policy.after_disconnect)(self, reports);
    }

    /// Reads one reply, which came from `broker`.
    pub fn on_reply(
        &mut self,
        config: &ProducerConfig,
        reply: &Reply,
        broker: u8,
        reports: &mut Reports,
    ) {
        let Some(index) = (config.policy.match_reply)(self, reply) else {
            if let Some(index) = self.expired_as(config, reply, broker) {
                self.late(config, index, reply.word);
            }
            return;
        };
        let before = *self;
        let batch = self.undecided.as_slice()[index];
        match reply.word {
            Word::Written(place) => {
                if !batch.anonymous {
                    self.note_acked(config, batch.last_sequence());
                }
                self.decide(index, Told::Acknowledged(place), reports);
            }
            Word::Refused(refusal) => {
                let refused = Refused {
                    refusal,
                    head_of_line: index == 0,
                    next_expected: config.is_next(self.last_acked, batch.sequence),
                    below_acked: batch.sequence <= self.last_acked,
                    rewritten: batch.status == Status::Rewritten,
                    unresolved: self.unresolved.map(|next| next == batch.sequence),
                    maybe_written: batch.maybe_written,
                    several_records: batch.more > 0,
                };
                self.undecided.as_mut_slice()[index].maybe_written |= refusal.may_be_written();
                self.react(config, (config.policy.on_refusal)(&refused), index, reports);
            }
        }
        (config.policy.after_reply)(self, &before);
    }

    /// The batch that ran out of time to which this reply came late, as an index.
    fn expired_as(&self, config: &ProducerConfig, reply: &Reply, broker: u8) -> Option<usize> {
        let heeds = config.policy.late_answers == LateAnswers::Heeded;
        self.expired
            .iter()
            .position(|batch| batch.broker == broker && (!heeds || batch.record == reply.record))
    }

    /// The answer to a batch that ran out of time came late.
    fn late(&mut self, config: &ProducerConfig, index: usize, word: Word) {
        let batch = self.expired.remove(index);
        let is_heeded = config.policy.late_answers == LateAnswers::Heeded;
        if is_heeded && matches!(word, Word::Written(_)) {
            self.note_acked(config, batch.last_sequence);
        }
    }

    fn note_acked(&mut self, config: &ProducerConfig, last: Small) {
        let is_higher = match config.policy.comparison {
            Comparison::Plain => config.sequences.is_beyond(last, self.last_acked),
            Comparison::Modular => last > self.last_acked,
        };
        if is_higher {
            self.last_acked = last;
        }
    }

    fn react(
        &mut self,
        config: &ProducerConfig,
        reaction: Reaction,
        index: usize,
        reports: &mut Reports,
    ) {
        let sequence = self.undecided.as_slice()[index].sequence;
        match reaction {
            Reaction::Retry => self.requeue(index),
            Reaction::BumpAndRetry => {
                self.requeue(index);
                self.want_bump(config, sequence);
            }
            Reaction::Tell(told) => self.decide(index, told, reports),
            Reaction::TellAndBump(told) => {
                self.decide(index, told, reports);
                self.want_bump(config, sequence);
            }
            Reaction::TellAndStartAtZero(told) => {
                self.decide(index, told, reports);
                self.next_sequence = 0;
                self.last_acked = -1;
            }
            Reaction::Split => self.split(index),
            Reaction::Stop(told) => {
                self.decide(index, told, reports);
                self.give_up(|_| true, reports);
                self.stopped = true;
            }
        }
    }

    fn requeue(&mut self, index: usize) {
        let batch = &mut self.undecided.as_mut_slice()[index];
        batch.status = Status::Queued;
        batch.requeued = true;
    }

    /// Of these batches the producer does not know, and tells the application so.
    pub(super) fn give_up(&mut self, is_meant: impl Fn(&Undecided) -> bool, reports: &mut Reports) {
        while let Some(index) = self.undecided.iter().position(&is_meant) {
            self.decide(index, Told::Unknown, reports);
        }
    }

    /// Cuts a batch of two records into two of one, which wait to be sent; their sequences
    /// stay (Java: `RecordAccumulator.splitAndReenqueue`).
    pub(crate) fn split(&mut self, index: usize) {
        self.requeue(index);
        let batch = &mut self.undecided.as_mut_slice()[index];
        if batch.more == 0 {
            return;
        }
        batch.more = 0;
        let second = Undecided {
            record: batch.record + 1,
            sequence: batch.sequence + 1,
            ..*batch
        };
        self.undecided.insert(index + 1, second);
    }

    /// Whether the lowest undecided batch may run out of time.
    pub fn can_time_out(&self) -> bool {
        !self.stopped && !self.undecided.is_empty()
    }

    /// The lowest undecided batch runs out of time (delivery.timeout.ms), which the client's
    /// loop notices in its turn.
    pub fn time_out(&mut self, config: &ProducerConfig, reports: &mut Reports) {
        self.start_loop(config, reports);
        self.give_up_on_time(config, reports);
    }

    /// The lowest undecided batch runs out of time, without a turn of the client's loop
    /// before it.
    pub fn give_up_on_time(&mut self, config: &ProducerConfig, reports: &mut Reports) {
        let before = *self;
        let Some(batch) = self.undecided.as_slice().first().copied() else {
            return;
        };
        if batch.status != Status::Queued {
            self.expired.push(match config.policy.late_answers {
                LateAnswers::Heeded => Expired {
                    broker: batch.broker,
                    last_sequence: if batch.anonymous {
                        -1
                    } else {
                        batch.last_sequence()
                    },
                    record: batch.record,
                },
                LateAnswers::Ignored => Expired {
                    broker: batch.broker,
                    last_sequence: -1,
                    record: SOME_UNWRITTEN_RECORD,
                },
            });
            let expired = self.expired.as_mut_slice();
            expired.sort_by_key(|batch| (batch.broker, batch.last_sequence));
        }
        if batch.requeued && config.policy.waits_when_unresolved {
            self.unresolved = Some(batch.last_sequence() + 1);
        }
        self.decide(0, (config.policy.timed_out)(&batch), reports);
        (config.policy.after_timeout)(self, &before);
    }

    /// Whether the application may cancel the newest batch: it waits to be sent again.
    pub fn can_cancel(&self, config: &ProducerConfig) -> bool {
        let newest = self.undecided.as_slice().last();
        newest.is_some_and(|batch| match config.policy.cancels {
            Cancels::Never => false,
            Cancels::WhatWaits => batch.status == Status::Queued,
            Cancels::WhatIsNowhere => batch.status == Status::Queued && !batch.maybe_written,
        })
    }

    /// The application cancels the newest batch: it is told that the batch failed, and the
    /// batch's sequences are free again.
    pub fn cancel(&mut self, reports: &mut Reports) {
        let newest = self.undecided.len() - 1;
        self.next_sequence = self.undecided.as_slice()[newest].sequence;
        self.decide(newest, Told::Failed, reports);
    }

    /// Takes a batch out of the undecided ones and tells the application.
    pub(crate) fn decide(&mut self, index: usize, told: Told, reports: &mut Reports) {
        let batch = self.undecided.remove(index);
        reports.push(Report {
            record: batch.record,
            more: batch.more,
            told,
        });
    }
}
