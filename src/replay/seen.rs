//! What an observer sees in one step, as plain data: of the model and of Apache Kafka alike.

use retryproof_models::broker::ObservedMemory;
use retryproof_models::world::Watch;
use retryproof_properties::{Answer, Batch, Event, Offset, Outcome, Partition, ProducerId, Record};

/// One thing that was seen: [`Event`] without what the broker remembers, which
/// [`Scene`](super::scene::Scene) has.
#[derive(Clone, Debug, PartialEq)]
pub enum Seen {
    /// A batch was sent for the first time.
    Sent(Batch),
    /// A batch was written at this offset.
    Appended(Batch, Offset),
    /// A broker decided a request.
    Decided(Batch, Option<Answer>),
    /// A client read an answer to a batch, as it knows the batch now.
    Answered(Batch, Answer),
    /// The application was told what became of a record.
    Reported(ProducerId, Partition, Record, Outcome),
    /// A leader's log is shorter now.
    Truncated(Partition, Offset),
}

/// Writes down what is seen of the model in one step.
#[derive(Debug, Default)]
pub struct Notes(pub Vec<Seen>);

impl Watch for Notes {
    fn event(&mut self, event: &Event<'_, ObservedMemory>) {
        self.0.extend(match *event {
            Event::Sent { batch } => Some(Seen::Sent(batch)),
            Event::Appended { batch, base } => Some(Seen::Appended(batch, base)),
            Event::Decided(decision) => Some(Seen::Decided(decision.batch, decision.answer)),
            Event::Answered { batch, answer } => Some(Seen::Answered(batch, answer)),
            Event::Reported {
                producer,
                partition,
                record,
                outcome,
            } => Some(Seen::Reported(producer, partition, record, outcome)),
            Event::Truncated { partition, end } => Some(Seen::Truncated(partition, end)),
            Event::Finished => None,
        });
    }
}
