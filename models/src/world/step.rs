//! The step function of a world: the one place where producer, network and broker meet.

use retryproof_properties::{
    Decision, Event, Judgement, Offset, Outcome, PropertyId, Record, Violation,
};

use crate::broker::{Append, Broker, ObservedMemory};
use crate::conditions::{Budget, Conditions, ProducerKnown};
use crate::ledger::{Entry, Ledger};
use crate::message::{
    observed_answer, observed_batch, observed_place, Place, Refusal, Reply, Request, Word,
    PARTITION, PRODUCER,
};
use crate::network::{Network, Slot};
use crate::producer::{Producer, Reports, Told};
use crate::quotient;
use crate::rules::Verdict;

use super::{Action, Properties, State};

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

/// Branch of a request without sequences: every rule appends it.
pub const NO_SEQUENCE: &str = "no sequence";

/// The state in which a world starts.
pub fn initial_state(conditions: &Conditions) -> State {
    let fresh = State {
        producer: Producer::default(),
        network: Network::default(),
        broker: Broker::default(),
        ledger: Ledger::new(conditions.client.idempotent),
        disconnects_left: match conditions.disconnects {
            Budget::Any => 0,
            Budget::AtMost(disconnects) => disconnects,
        },
        violated: Properties::default(),
    };
    match conditions.producer_state {
        ProducerKnown::New => fresh,
        ProducerKnown::Known => {
            let head = Slot {
                connection: 0,
                index: 0,
            };
            let acknowledged = Action::Read {
                index: 0,
                after_bump: false,
            };
            [Action::Send, Action::Deliver(head), acknowledged]
                .iter()
                .fold(fresh, |state, action| {
                    step(conditions, &state, *action, &mut Quiet)
                })
        }
    }
}

/// Every action that is possible in a state, in a fixed order.
pub fn actions(conditions: &Conditions, state: &State, found: &mut Vec<Action>) {
    let limit = usize::from(conditions.in_flight);
    let producer = &state.producer;
    let network = &state.network;
    let kind = conditions.network;
    let more_batches = match conditions.batches {
        Budget::Any => true,
        Budget::AtMost(batches) => (producer.next_record as u8) < batches,
    };
    if more_batches && producer.can_send(limit) {
        found.push(Action::Send);
    }
    if producer.can_retry(conditions.client, limit).is_some() {
        found.push(Action::Retry);
    }
    network.each_deliverable(kind, |slot| found.push(Action::Deliver(slot)));
    network.each_readable(kind, |index| {
        found.push(Action::Read {
            index,
            after_bump: false,
        });
        if producer.bump_wanted {
            found.push(Action::Read {
                index,
                after_bump: true,
            });
        }
    });
    let may_break = conditions.disconnects == Budget::Any || state.disconnects_left > 0;
    if may_break
        && producer.in_flight() > 0
        && network.can_break(kind, conditions.connections.into(), limit)
    {
        found.push(Action::Disconnect);
    }
    network.each_losable(kind, |loss| found.push(Action::Lose(loss)));
}

/// The state after an action. In worlds of any length it is the representative of its
/// class (see [`crate::quotient`]).
pub fn step(
    conditions: &Conditions,
    state: &State,
    action: Action,
    watch: &mut impl Watch,
) -> State {
    let mut next = *state;
    next.violated = Properties::default();
    let mut world = Stepping {
        conditions,
        state: &mut next,
        watch,
    };
    world.act(action);
    next.ledger
        .note_undecided(next.producer.undecided.as_slice());
    if conditions.any_length() {
        quotient::normalise(conditions, &mut next);
    }
    next.network
        .sort(conditions.network, conditions.connections.into());
    next
}

struct Stepping<'a, W> {
    conditions: &'a Conditions,
    state: &'a mut State,
    watch: &'a mut W,
}

impl<W: Watch> Stepping<'_, W> {
    fn act(&mut self, action: Action) {
        match action {
            Action::Send => self.send(),
            Action::Retry => self.retry(),
            Action::Deliver(slot) => self.deliver(slot),
            Action::Read { index, after_bump } => self.read(index, after_bump),
            Action::Disconnect => self.disconnect(),
            Action::Lose(loss) => self.state.network.lose(loss),
        }
    }

    fn send(&mut self) {
        let mut reports = Reports::default();
        let request = self
            .state
            .producer
            .send(self.conditions.client, &mut reports);
        let batch = self.observed(&request);
        self.emit(&Event::Sent { batch });
        self.state.network.live.push(request);
        self.report(&reports);
    }

    fn retry(&mut self) {
        let client = self.conditions.client;
        let limit = usize::from(self.conditions.in_flight);
        if let Some(index) = self.state.producer.can_retry(client, limit) {
            let request = self.state.producer.retry(client, index);
            self.state.network.live.push(request);
        }
    }

    fn deliver(&mut self, slot: Slot) {
        let request = self.state.network.deliver(self.conditions.network, slot);
        if self.conditions.client.idempotent {
            self.decide(request, slot.is_live());
        } else {
            self.append_plain(request, slot.is_live());
        }
    }

    fn decide(&mut self, request: Request, awaited: bool) {
        let capacity = self.conditions.capacity();
        let before = self.memory();
        let log_end_before = self.log_end();
        let handled = self.state.broker.handle(
            self.conditions.rule,
            capacity,
            self.state.ledger.log_end,
            request,
            awaited,
        );
        self.watch.ruled(handled.branch);
        for append in handled.appended.iter() {
            self.append(append);
        }
        let after = self.memory();
        let answer = handled.word.map(|word| match handled.verdict {
            Verdict::Duplicate(place) => retryproof_properties::Answer::Duplicate {
                base: observed_place(place),
            },
            Verdict::Append | Verdict::Reject(_) | Verdict::Hold => observed_answer(word),
        });
        self.emit(&Event::Decided(Decision {
            batch: self.observed(&request),
            answer,
            before: &before,
            after: &after,
            log_end_before,
            log_end_after: self.log_end(),
        }));
        if let (Some(word), true) = (handled.word, awaited) {
            self.answer(request, word);
        }
        let own = usize::from(handled.verdict == Verdict::Append);
        for append in handled.appended.iter().skip(own) {
            if append.awaited {
                self.answer(append.request, Word::Written(Place::At(append.offset)));
            }
        }
        for held in handled.expelled.iter() {
            if held.awaited {
                self.answer(held.request, Word::Refused(Refusal::StaleEpoch));
            }
        }
    }

    fn append_plain(&mut self, request: Request, awaited: bool) {
        self.watch.ruled(NO_SEQUENCE);
        let offset = self.state.ledger.log_end;
        let log_end_before = self.log_end();
        self.append(&Append {
            request,
            awaited,
            offset,
        });
        let memory = self.memory();
        let word = Word::Written(Place::At(offset));
        self.emit(&Event::Decided(Decision {
            batch: self.observed(&request),
            answer: Some(observed_answer(word)),
            before: &memory,
            after: &memory,
            log_end_before,
            log_end_after: self.log_end(),
        }));
        if awaited {
            self.answer(request, word);
        }
    }

    fn append(&mut self, append: &Append) {
        let request = append.request;
        self.emit(&Event::Appended {
            batch: self.observed(&request),
            base: Offset(append.offset.into()),
        });
        self.state.ledger.note_append(Entry {
            record: request.record,
            epoch: request.epoch,
            sequence: request.sequence,
        });
    }

    fn answer(&mut self, request: Request, word: Word) {
        self.state.network.reply(
            self.conditions.network,
            Reply {
                record: request.record,
                word,
            },
        );
    }

    fn read(&mut self, index: u8, after_bump: bool) {
        let client = self.conditions.client;
        if after_bump {
            self.state.producer.start_loop(client);
        }
        let reply = self.state.network.read(self.conditions.network, index);
        let sequence = self
            .state
            .producer
            .undecided
            .iter()
            .find(|batch| batch.record == reply.record)
            .map_or(0, |batch| batch.sequence);
        let batch = self.observed(&Request {
            epoch: self.state.producer.epoch,
            sequence,
            record: reply.record,
        });
        self.emit(&Event::Answered {
            batch,
            answer: observed_answer(reply.word),
        });
        let mut reports = Reports::default();
        self.state.producer.on_reply(client, &reply, &mut reports);
        self.report(&reports);
    }

    fn disconnect(&mut self) {
        if self.conditions.disconnects != Budget::Any {
            self.state.disconnects_left -= 1;
        }
        self.state
            .network
            .disconnect(self.conditions.network, self.conditions.connections.into());
        self.state.broker.on_disconnect();
        let mut reports = Reports::default();
        self.state
            .producer
            .on_disconnect(self.conditions.client, &mut reports);
        self.report(&reports);
    }

    fn report(&mut self, reports: &Reports) {
        for report in reports.iter() {
            let outcome = match report.told {
                Told::Acknowledged(place) => Outcome::Acknowledged {
                    offset: observed_place(place),
                },
                Told::Failed => Outcome::Failed,
                Told::Unknown => Outcome::Unknown,
            };
            self.emit(&Event::Reported {
                producer: PRODUCER,
                partition: PARTITION,
                record: Record(report.record.into()),
                outcome,
            });
            if report.told == Told::Failed {
                self.state.ledger.note_failed(report.record);
            }
        }
    }

    fn emit(&mut self, event: &Event<'_, ObservedMemory>) {
        self.watch.event(event);
        for property in PropertyId::ALL {
            let judgement = property.judge(&self.state.ledger, event);
            if judgement.is_broken() {
                self.state.violated.insert(*property);
            }
            self.watch.judged(*property, &judgement);
        }
    }

    fn observed(&self, request: &Request) -> retryproof_properties::Batch {
        observed_batch(request, self.conditions.client.idempotent)
    }

    fn memory(&self) -> ObservedMemory {
        ObservedMemory {
            broker: self.state.broker,
            capacity: self.conditions.capacity(),
        }
    }

    fn log_end(&self) -> Offset {
        Offset(self.state.ledger.log_end.into())
    }
}

