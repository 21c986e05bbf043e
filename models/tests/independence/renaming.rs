//! Other names for records.

use retryproof_models::actors::Decided;
use retryproof_models::broker::{Broker, Leader};
use retryproof_models::conditions::{Budget, Conditions};
use retryproof_models::ledger::{Ledger, RecordSet};
use retryproof_models::message::{Reply, Request, Small};
use retryproof_models::producer::{Producer, Reports};
use retryproof_models::world::State;

/// In which order the new names are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Order {
    /// Of two records the later one keeps the higher name. There are gaps between batches.
    Kept,
    /// Of two batches the later one has the lower name.
    Reversed,
}

/// New names for records. The records of one batch stay next to each other.
#[derive(Clone, Copy, Debug)]
pub struct Renaming {
    order: Order,
    records_per_batch: Small,
}

/// Higher than any batch of the worlds tried here, and odd: what was even is odd then.
const HIGHEST_BATCH: Small = 29;

impl Renaming {
    /// New names in the same order, with gaps.
    pub fn in_order(conditions: &Conditions) -> Self {
        Renaming::of(Order::Kept, conditions)
    }

    /// New names in the opposite order.
    pub fn reversed(conditions: &Conditions) -> Self {
        Renaming::of(Order::Reversed, conditions)
    }

    fn of(order: Order, conditions: &Conditions) -> Self {
        Renaming {
            order,
            records_per_batch: conditions.records_per_batch as Small,
        }
    }

    /// The new name. What is below 0 names no record.
    pub fn record(&self, record: Small) -> Small {
        if record < 0 {
            return record;
        }
        let size = self.records_per_batch;
        let (batch, within) = (record / size, record % size);
        let renamed = match self.order {
            Order::Kept => 2 * batch + 1,
            Order::Reversed => HIGHEST_BATCH - batch,
        };
        renamed * size + within
    }

    /// Conditions under which as many batches can be sent with the new names (in order).
    pub fn conditions(&self, conditions: &Conditions) -> Conditions {
        let batches = match conditions.batches {
            Budget::Any => Budget::Any,
            Budget::AtMost(batches) => Budget::AtMost(2 * batches + 1),
        };
        Conditions {
            batches,
            ..*conditions
        }
    }

    pub fn request(&self, mut request: Request) -> Request {
        request.record = self.record(request.record);
        request
    }

    pub fn reply(&self, mut reply: Reply) -> Reply {
        reply.record = self.record(reply.record);
        reply
    }

    pub fn reports(&self, mut reports: Reports) -> Reports {
        for report in reports.as_mut_slice() {
            report.record = self.record(report.record);
        }
        reports
    }

    pub fn producer(&self, mut producer: Producer) -> Producer {
        producer.next_record = self.record(producer.next_record);
        for batch in producer.undecided.as_mut_slice() {
            batch.record = self.record(batch.record);
        }
        for batch in producer.expired.as_mut_slice() {
            batch.record = self.record(batch.record);
        }
        producer
    }

    pub fn broker(&self, mut broker: Broker) -> Broker {
        for held in broker.held.as_mut_slice() {
            held.request = self.request(held.request);
        }
        broker
    }

    pub fn leader(&self, leader: &Leader) -> Leader {
        Leader {
            broker: self.broker(leader.broker),
            retired: self.broker(leader.retired),
            log_end: leader.log_end,
        }
    }

    pub fn decided(&self, decided: &Decided) -> Decided {
        let mut handled = decided.handled;
        for append in handled.appended.as_mut_slice() {
            append.request = self.request(append.request);
        }
        for held in handled.expelled.as_mut_slice() {
            held.request = self.request(held.request);
        }
        Decided {
            request: self.request(decided.request),
            before: self.broker(decided.before),
            after: self.broker(decided.after),
            handled,
        }
    }

    fn set(&self, set: RecordSet) -> RecordSet {
        let mut renamed = RecordSet::default();
        for record in set.iter() {
            assert!(renamed.insert(self.record(record)), "no room for the name");
        }
        renamed
    }

    fn ledger(&self, mut ledger: Ledger) -> Ledger {
        for entry in ledger.tail.as_mut_slice() {
            entry.record = self.record(entry.record);
        }
        ledger.older = self.set(ledger.older);
        ledger.failed = self.set(ledger.failed);
        ledger.undecided = self.set(ledger.undecided);
        ledger.highest = self.record(ledger.highest);
        ledger
    }

    /// A whole state, with names in order.
    pub fn state(&self, state: &State) -> State {
        let mut renamed = *state;
        renamed.producer = self.producer(state.producer);
        renamed.broker = self.broker(state.broker);
        renamed.retired = self.broker(state.retired);
        renamed.ledger = self.ledger(state.ledger);
        let network = &mut renamed.network;
        for queue in std::iter::once(&mut network.live).chain(&mut network.old) {
            for request in queue.as_mut_slice() {
                *request = self.request(*request);
            }
        }
        for reply in network.replies.as_mut_slice() {
            *reply = self.reply(*reply);
        }
        renamed
    }
}
