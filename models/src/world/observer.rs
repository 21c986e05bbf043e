//! The observer of a world: turns what actors did into events, lets every property judge
//! them, and writes down what the properties can still ask about.

use retryproof_properties::{
    Answer, Batch, Decision, Event, Judgement, Offset, Outcome, PropertyId, Record, Violation,
};

use crate::actors::{Decided, Sighting};
use crate::broker::{Append, Broker, ObservedMemory};
use crate::conditions::Conditions;
use crate::ledger::{Entry, Ledger};
use crate::message::{
    observed_answer, observed_batch, observed_place, Request, Small, Word, PARTITION, PRODUCER,
};
use crate::producer::{Report, Told};
use crate::rules::Verdict;

use super::Properties;

/// Somebody who wants to know more of a step than the state after it.
pub trait Watch {
    /// An event, before any property judges it.
    fn event(&mut self, _event: &Event<'_, ObservedMemory>) {}
    /// The word of a property on the event.
    fn judged(&mut self, _property: PropertyId, _judgement: &Judgement<Violation>) {}
    /// The branch of the rule that decided a request.
    fn ruled(&mut self, _branch: &'static str) {}
}

/// Nobody wants to know.
pub struct Quiet;

impl Watch for Quiet {}

/// Sees one step.
pub(crate) struct Observer<'a, W> {
    pub conditions: &'a Conditions,
    pub ledger: &'a mut Ledger,
    pub violated: &'a mut Properties,
    pub watch: &'a mut W,
}

impl<W: Watch> Observer<'_, W> {
    /// Something was seen of an actor.
    pub fn see(&mut self, sighting: &Sighting) {
        match sighting {
            Sighting::Sent(request) => self.sent(request),
            Sighting::Answered { request, word } => self.answered(request, *word),
            Sighting::Reported(report) => self.reported([report]),
            Sighting::Decided(decided) => self.decided(decided),
        }
    }

    /// The producer sent a fresh batch.
    pub fn sent(&mut self, request: &Request) {
        let batch = self.observed(request);
        self.emit(&Event::Sent { batch });
        for record in request.record..=request.record + request.more as Small {
            self.ledger.note_sent(record);
        }
    }

    /// The producer read the answer to a request; `request` is the batch as it knows it.
    pub fn answered(&mut self, request: &Request, word: Word) {
        self.emit(&Event::Answered {
            batch: self.observed(request),
            answer: observed_answer(word),
        });
    }

    /// The application was told something.
    pub fn reported<'r>(&mut self, reports: impl IntoIterator<Item = &'r Report>) {
        for report in reports {
            for within in 0..=report.more as Small {
                self.told(report.record + within, report.told, within);
            }
        }
    }

    /// The application was told something of one record, which stands `within` its batch.
    fn told(&mut self, record: Small, told: Told, within: Small) {
        let outcome = match told {
            Told::Acknowledged(place) => Outcome::Acknowledged {
                offset: observed_place(place.further(within)),
            },
            Told::Failed => Outcome::Failed,
            Told::Unknown => Outcome::Unknown,
        };
        self.emit(&Event::Reported {
            producer: PRODUCER,
            partition: PARTITION,
            record: Record(record.into()),
            outcome,
        });
        self.ledger.note_reported(record, told == Told::Failed);
    }

    /// The broker decided a request.
    pub fn decided(&mut self, decided: &Decided) {
        let Decided {
            request,
            before,
            after,
            handled,
        } = decided;
        self.watch.ruled(handled.branch);
        let log_end_before = self.log_end();
        for append in handled.appended.iter() {
            self.appended(append);
        }
        let answer = handled.word.map(|word| match (handled.verdict, word) {
            (Verdict::Duplicate(place), Word::Written(_)) => Answer::Duplicate {
                base: observed_place(place),
            },
            _ => observed_answer(word),
        });
        self.emit(&Event::Decided(Decision {
            batch: self.observed(request),
            answer,
            before: &self.memory(before),
            after: &self.memory(after),
            log_end_before,
            log_end_after: self.log_end(),
        }));
    }

    fn appended(&mut self, append: &Append) {
        let request = append.request;
        self.emit(&Event::Appended {
            batch: self.observed(&request),
            base: Offset(append.offset.into()),
        });
        self.ledger.note_append(Entry::of(&request));
    }

    fn emit(&mut self, event: &Event<'_, ObservedMemory>) {
        self.watch.event(event);
        for property in PropertyId::ALL {
            let judgement = property.judge(&*self.ledger, event);
            if judgement.is_broken() {
                self.violated.insert(*property);
            }
            self.watch.judged(*property, &judgement);
        }
    }

    fn observed(&self, request: &Request) -> Batch {
        observed_batch(request, self.conditions.client.idempotent)
    }

    fn memory(&self, broker: &Broker) -> ObservedMemory {
        ObservedMemory {
            broker: *broker,
            capacity: self.conditions.capacity(),
        }
    }

    fn log_end(&self) -> Offset {
        Offset(self.ledger.log_end.into())
    }
}
