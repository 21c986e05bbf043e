//! The broker: one leader, one partition, its producer state, and how a request changes
//! them. Which requests are appended is a [`Rule`]'s decision.

mod actor;
mod fate;
mod handled;
mod observed;

pub use actor::{BrokerActor, Host, Leader};
pub use fate::{Fate, DOES_NOT_VALIDATE, FAILS_HALF_WAY, REFUSED_BEFORE, TOO_LARGE};
pub use handled::{Append, Handled, NO_SEQUENCE};
pub use observed::ObservedMemory;

use std::fmt;

use crate::conditions::{AppendOrder, Conditions, RestartKeeps, Validation};
use crate::message::{Place, Refusal, Request, Sequences, Small, Word};
use crate::queue::Queue;
use crate::rules::{Rule, Verdict};

/// The largest window and in-flight limit that a world can have.
pub const MAX_WINDOW: usize = 8;

/// One batch in the broker's window.
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct Cached {
    /// Sequence of its first record.
    pub first: Small,
    /// Sequence of its last record.
    pub last: Small,
    /// Offset of its first record.
    pub offset: Small,
}

impl fmt::Debug for Cached {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "seq {} at {}", self.first, self.offset)
    }
}

/// A request that the broker keeps until it fits (only the rule `buffering` does this).
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Held {
    /// The request.
    pub request: Request,
    /// Whether the connection it came on is still the live one.
    pub awaited: bool,
}

impl fmt::Debug for Held {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", self.request)
    }
}

/// Producer state of one producer on one partition (Kafka: `ProducerStateEntry`).
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct Broker {
    /// Whether there is any state for the producer.
    pub known: bool,
    /// Current epoch.
    pub epoch: Small,
    /// Last sequence of the newest batch in that epoch, −1 if there is none.
    pub last_sequence: Small,
    /// The newest batches of that epoch, oldest first.
    pub window: Queue<Cached, MAX_WINDOW>,
    /// Requests kept for later, lowest sequence first.
    pub held: Queue<Held, MAX_WINDOW>,
    /// Whether the log ever held a batch of the producer.
    pub log_used: bool,
    /// How far the log end offset that the broker goes by is behind the log's own (only
    /// after a failure with [`AppendOrder::EndLast`]).
    pub end_behind: Small,
}

impl fmt::Debug for Broker {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.known {
            return f.write_str("producer unknown");
        }
        write!(
            f,
            "epoch {}, last seq {}, window {:?}",
            self.epoch, self.last_sequence, self.window
        )?;
        if !self.held.is_empty() {
            write!(f, ", held {:?}", self.held)?;
        }
        Ok(())
    }
}

impl Broker {
    /// Takes one request under these conditions. `log_end` is the offset that the next
    /// record gets; the caller advances it by the number of appended records.
    pub fn take(
        &mut self,
        conditions: &Conditions,
        log_end: Small,
        request: Request,
        awaited: bool,
        fate: Fate,
    ) -> Handled {
        let log_end = log_end - self.end_behind;
        let mut handled = match fate {
            Fate::Decided | Fate::ErrorAfter => self.decide(conditions, log_end, request, awaited),
            Fate::RefusedBefore => self.refuse(conditions, request, Refusal::RefusedBefore, fate),
            Fate::Invalid | Fate::TooLarge => {
                self.validate(conditions, log_end, request, awaited, fate)
            }
            Fate::Fails => self.fail(conditions, log_end, request, awaited),
        };
        if let (Fate::ErrorAfter, Some(Word::Written(_))) = (fate, handled.word) {
            handled.word = Some(Word::Refused(Refusal::ErrorAfter));
        }
        handled
    }

    fn decide(
        &mut self,
        conditions: &Conditions,
        log_end: Small,
        request: Request,
        awaited: bool,
    ) -> Handled {
        if conditions.is_idempotent() && request.has_identity() {
            let sequences = Sequences::modulo(conditions.sequence_modulus);
            let capacity = conditions.capacity();
            self.handle(
                conditions.rule,
                capacity,
                sequences,
                log_end,
                request,
                awaited,
            )
        } else {
            Handled::plain(request, awaited, log_end)
        }
    }

    /// A request that does not pass validation: refused, unless duplicates are looked up
    /// first and it is one.
    fn validate(
        &mut self,
        conditions: &Conditions,
        log_end: Small,
        request: Request,
        awaited: bool,
        fate: Fate,
    ) -> Handled {
        let looked_up = match conditions.validation {
            Validation::BeforeLookup => None,
            Validation::AfterLookup => {
                let mut broker = *self;
                Some(broker.decide(conditions, log_end, request, awaited))
            }
        };
        match looked_up {
            Some(handled) if matches!(handled.verdict, Verdict::Duplicate(_)) => handled,
            _ if fate == Fate::TooLarge => {
                self.refuse(conditions, request, Refusal::TooLarge, fate)
            }
            _ => self.refuse(conditions, request, Refusal::Invalid, fate),
        }
    }

    /// Refuses a request without the rule's word.
    fn refuse(
        &mut self,
        conditions: &Conditions,
        request: Request,
        refusal: Refusal,
        fate: Fate,
    ) -> Handled {
        if conditions.is_idempotent() && request.has_identity() {
            (conditions.rule.on_reject)(self, &request, refusal);
        }
        Handled::refused(refusal, fate)
    }

    /// An append that fails between its two steps. What would not be appended is decided
    /// as ever.
    fn fail(
        &mut self,
        conditions: &Conditions,
        log_end: Small,
        request: Request,
        awaited: bool,
    ) -> Handled {
        let before = *self;
        let mut handled = self.decide(conditions, log_end, request, awaited);
        if handled.verdict != Verdict::Append {
            return handled;
        }
        handled.word = Some(Word::Refused(Refusal::StorageError));
        handled.branch = FAILS_HALF_WAY;
        match conditions.append_order {
            // Start-up rebuilds the state from what was written.
            AppendOrder::WriteFirst => (conditions.rule.on_recovery)(self, &before),
            AppendOrder::StateFirst => handled.appended = Queue::default(),
            AppendOrder::EndLast => self.end_behind += request.count(),
        }
        handled
    }

    /// The broker restarts: of the window remains what its snapshot keeps.
    pub fn restart(&mut self, keeps: RestartKeeps) {
        match keeps {
            RestartKeeps::All => {}
            RestartKeeps::Last => {
                let older = self.window.len().saturating_sub(1);
                self.window.drop_oldest(older);
            }
            RestartKeeps::AllButNewest => self.forget_newest(),
            RestartKeeps::Nothing => self.forget(),
        }
        self.held.clear();
        // Start-up reads the log to its end.
        self.end_behind = 0;
    }

    /// The broker forgets the newest batch. Of a producer with a first batch in its epoch it
    /// forgets everything, for nothing is left of the epoch before.
    fn forget_newest(&mut self) {
        let Some(index) = self.window.len().checked_sub(1) else {
            return;
        };
        let newest = self.window.remove(index);
        self.last_sequence = newest.first - 1;
        if newest.first == 0 {
            self.forget();
        }
    }

    /// The broker forgets the producer.
    pub fn forget(&mut self) {
        *self = Broker {
            end_behind: self.end_behind,
            log_used: self.log_used,
            ..Broker::default()
        };
    }

    /// Decides one request under `rule` and carries the decision out.
    ///
    /// `capacity` is how many batches the rule remembers, `log_end` the offset that the
    /// next record gets; the caller advances it by the number of appended records.
    pub fn handle(
        &mut self,
        rule: &Rule,
        capacity: usize,
        sequences: Sequences,
        log_end: Small,
        request: Request,
        awaited: bool,
    ) -> Handled {
        let ruling = (rule.decide)(self, &request, sequences);
        let mut handled = Handled {
            appended: Queue::default(),
            expelled: Queue::default(),
            verdict: ruling.verdict,
            branch: ruling.branch,
            word: None,
        };
        handled.word = match ruling.verdict {
            Verdict::Append => {
                self.append(rule, capacity, log_end, request, awaited, &mut handled);
                Some(Word::Written(Place::At(log_end)))
            }
            Verdict::Duplicate(place) => Some(Word::Written(place)),
            Verdict::Reject(refusal) => {
                (rule.on_reject)(self, &request, refusal);
                Some(Word::Refused(refusal))
            }
            Verdict::Hold => {
                self.hold(request, awaited);
                None
            }
        };
        handled
    }

    fn append(
        &mut self,
        rule: &Rule,
        capacity: usize,
        log_end: Small,
        request: Request,
        awaited: bool,
        handled: &mut Handled,
    ) {
        let mut next = Some((request, awaited));
        let mut offset = log_end;
        while let Some((request, awaited)) = next {
            (rule.remember)(self, &request, offset, capacity);
            handled.appended.push(Append {
                request,
                awaited,
                offset,
            });
            offset += request.count();
            next = self.release();
        }
        self.expel(handled);
    }

    fn expel(&mut self, handled: &mut Handled) {
        while let Some(index) = self
            .held
            .iter()
            .position(|held| held.request.epoch < self.epoch)
        {
            handled.expelled.push(self.held.remove(index));
        }
    }

    /// Takes out the held request that fits next, if there is one.
    fn release(&mut self) -> Option<(Request, bool)> {
        let index = self.held.iter().position(|held| {
            held.request.epoch == self.epoch && held.request.sequence == self.last_sequence + 1
        })?;
        let held = self.held.remove(index);
        Some((held.request, held.awaited))
    }

    fn hold(&mut self, request: Request, awaited: bool) {
        match self
            .held
            .as_mut_slice()
            .iter_mut()
            .find(|held| held.request == request)
        {
            Some(held) => held.awaited |= awaited,
            None => {
                self.held.push(Held { request, awaited });
                self.held.as_mut_slice().sort_unstable();
            }
        }
    }

    /// The live connection is gone: nobody waits for the answers to held requests.
    pub fn on_disconnect(&mut self) {
        for held in self.held.as_mut_slice() {
            held.awaited = false;
        }
    }
}

/// The plain outcome of appending a batch: a new epoch clears the window, the batch is
/// pushed, the oldest goes when there are more than `capacity` (Kafka:
/// `ProducerAppendInfo`, `ProducerStateEntry.addBatchMetadata`).
pub fn remember(broker: &mut Broker, request: &Request, offset: Small, capacity: usize) {
    if !broker.known || broker.epoch != request.epoch {
        broker.window.clear();
    }
    broker.known = true;
    broker.log_used = true;
    broker.epoch = request.epoch;
    broker.last_sequence = request.last_sequence();
    if capacity == 0 {
        return;
    }
    if broker.window.len() == capacity {
        broker.window.drop_oldest(1);
    }
    broker.window.push(Cached {
        first: request.sequence,
        last: request.last_sequence(),
        offset,
    });
}

/// Refusing changes nothing.
pub fn stutter(_broker: &mut Broker, _request: &Request, _refusal: Refusal) {}

/// Start-up reads the log to its end: the state is that of what was written.
pub fn read_to_the_end(_broker: &mut Broker, _before: &Broker) {}
