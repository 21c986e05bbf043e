//! The observer of a cluster: turns what was done into events, lets every property judge
//! them, and writes down what the applications know.

use retryproof_properties::{
    Answer, Batch, Decision, Event, Offset, Outcome, Partition, ProducerId, PropertyId, Record,
};

use crate::broker::{Broker, Handled, ObservedMemory};
use crate::conditions::Conditions;
use crate::message::{observed_answer, observed_batch, observed_place, Request, Small, Word};
use crate::producer::{Report, Told};
use crate::rules::Verdict;
use crate::world::Watch;

use super::client::Outcomes;
use super::history::own_number;
use super::log::producer_of;
use super::state::State;

/// Sees one step.
pub(super) struct Observer<'a, W> {
    pub conditions: &'a Conditions,
    pub state: &'a mut State,
    pub watch: &'a mut W,
}

impl<W: Watch> Observer<'_, W> {
    /// A producer sent a fresh batch.
    pub fn sent(&mut self, partition: usize, request: &Request) {
        let batch = self.observed(partition, request);
        self.emit(&Event::Sent { batch });
        let notes = &mut self.state.notes[producer_of(request.record)][partition];
        let fits = notes.undecided.insert(own_number(request.record));
        self.state.overflow |= !fits;
    }

    /// A producer read the answer to a request; `request` is the batch as it knows it.
    pub fn answered(&mut self, partition: usize, request: &Request, word: Word) {
        self.emit(&Event::Answered {
            batch: self.observed(partition, request),
            answer: observed_answer(word),
        });
    }

    /// An application was told something.
    pub fn reported(&mut self, outcomes: &Outcomes) {
        for (partition, reports) in outcomes.iter().enumerate() {
            for report in reports.iter() {
                self.told(partition, report);
            }
        }
    }

    fn told(&mut self, partition: usize, report: &Report) {
        let (producer, record) = (producer_of(report.record), own_number(report.record));
        let outcome = match report.told {
            Told::Acknowledged(place) => Outcome::Acknowledged {
                offset: observed_place(place),
            },
            Told::Failed => Outcome::Failed,
            Told::Unknown => Outcome::Unknown,
        };
        self.emit(&Event::Reported {
            producer: ProducerId(producer as i64),
            partition: Partition(partition as i32),
            record: Record(record.into()),
            outcome,
        });
        let notes = &mut self.state.notes[producer][partition];
        notes.undecided.remove(record);
        match outcome {
            Outcome::Failed => notes.failed.insert(record),
            Outcome::Acknowledged { .. } => notes.acknowledged.insert(record),
            Outcome::Unknown => true,
        };
    }

    /// The leader of a partition is about to append a batch at this offset.
    pub fn appends(&mut self, partition: usize, request: &Request, offset: Small) {
        self.emit(&Event::Appended {
            batch: self.observed(partition, request),
            base: Offset(offset.into()),
        });
    }

    /// The leader of a partition has decided a request; its log ended at `end_before`.
    pub fn decided(
        &mut self,
        partition: usize,
        request: &Request,
        memory: (&Broker, &Broker),
        handled: &Handled,
        end_before: Small,
    ) {
        let answer = handled.word.map(|word| match (handled.verdict, word) {
            (Verdict::Duplicate(place), Word::Written(_)) => Answer::Duplicate {
                base: observed_place(place),
            },
            _ => observed_answer(word),
        });
        let log_end = self.state.log(partition).len();
        self.emit(&Event::Decided(Decision {
            batch: self.observed(partition, request),
            answer,
            before: &self.memory(memory.0),
            after: &self.memory(memory.1),
            log_end_before: Offset(end_before.into()),
            log_end_after: Offset(log_end as i64),
        }));
    }

    /// The log of a partition is about to be cut at this offset.
    pub fn truncates(&mut self, partition: usize, end: usize) {
        self.emit(&Event::Truncated {
            partition: Partition(partition as i32),
            end: Offset(end as i64),
        });
    }

    fn emit(&mut self, event: &Event<'_, ObservedMemory>) {
        self.watch.event(event);
        let seen = self.state.seen(self.conditions.is_idempotent());
        let mut violated = self.state.violated;
        for property in PropertyId::ALL {
            let judgement = property.judge(&seen, event);
            if judgement.is_broken() {
                violated.insert(*property);
            }
            self.watch.judged(*property, &judgement);
        }
        self.state.violated = violated;
    }

    fn observed(&self, partition: usize, request: &Request) -> Batch {
        Batch {
            producer: ProducerId(producer_of(request.record) as i64),
            partition: Partition(partition as i32),
            first_record: Record(own_number(request.record).into()),
            ..observed_batch(request, self.conditions.is_idempotent())
        }
    }

    fn memory(&self, broker: &Broker) -> ObservedMemory {
        ObservedMemory {
            broker: *broker,
            capacity: self.conditions.capacity(),
        }
    }
}
