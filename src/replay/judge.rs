//! The properties judge what Apache Kafka did, by the same monitors that judge the models.

use retryproof_models::world::Properties;
use retryproof_properties::{Decision, Event, Offset, PropertyId, RecordedHistory, RecordedMemory};

use super::seen::Seen;

/// What a broker's log and producer state were just before and after a decision.
#[derive(Clone, Debug)]
pub struct AroundDecision {
    /// Producer state before.
    pub before: RecordedMemory,
    /// Producer state after.
    pub after: RecordedMemory,
    /// Log end before.
    pub log_end_before: Offset,
    /// Log end after.
    pub log_end_after: Offset,
}

/// The history of a run of Apache Kafka.
#[derive(Debug, Default)]
pub struct Judge {
    history: RecordedHistory,
}

impl Judge {
    /// Judges what was seen in one step, and writes it down. `around` is what surrounds a
    /// decision, if there is one in it.
    pub fn see(&mut self, seen: &[Seen], around: Option<&AroundDecision>) -> Properties {
        let mut violated = Properties::default();
        for one in seen {
            if let Some(event) = event(one, around) {
                for property in PropertyId::ALL {
                    if property.judge(&self.history, &event).is_broken() {
                        violated.insert(*property);
                    }
                }
                self.history.record(&event);
            }
        }
        violated
    }
}

fn event<'a>(seen: &Seen, around: Option<&'a AroundDecision>) -> Option<Event<'a, RecordedMemory>> {
    Some(match *seen {
        Seen::Sent(batch) => Event::Sent { batch },
        Seen::Appended(batch, base) => Event::Appended { batch, base },
        Seen::Decided(batch, answer) => {
            let around = around?;
            Event::Decided(Decision {
                batch,
                answer,
                before: &around.before,
                after: &around.after,
                log_end_before: around.log_end_before,
                log_end_after: around.log_end_after,
            })
        }
        Seen::Answered(batch, answer) => Event::Answered { batch, answer },
        Seen::Reported(producer, partition, record, outcome) => Event::Reported {
            producer,
            partition,
            record,
            outcome,
        },
        Seen::Truncated(partition, end) => Event::Truncated { partition, end },
    })
}
