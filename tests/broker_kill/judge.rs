//! What happened, told to the properties.

use std::collections::BTreeMap;

use retryproof_properties::{
    Answer, Decision, Event, Judgement, Offset, Outcome, PropertyId, Record, RecordedHistory,
    RecordedMemory, Violation,
};

use super::frame::Frame;
use super::request::{Request, PARTITION};
use super::state::{self, Asked};

/// The properties of which a log, its answers and its state tell something. A log that was
/// taken over begins in the middle of a producer's sequences, which is what `gap-rejected`
/// calls a gap; the others are about refusals and failures, and there are none.
pub const PROPERTIES: [PropertyId; 7] = [
    PropertyId::NoDuplicate,
    PropertyId::PartitionOrder,
    PropertyId::AckTruthful,
    PropertyId::DuplicateAnswerTruthful,
    PropertyId::RetryRecognised,
    PropertyId::LogIsFold,
    PropertyId::EveryBatchDecided,
];

/// The properties, and what they said so far.
#[derive(Default)]
pub struct Judge {
    history: RecordedHistory,
    upheld: BTreeMap<PropertyId, usize>,
    broken: BTreeMap<PropertyId, Violation>,
}

impl Judge {
    fn see(&mut self, event: &Event<'_, RecordedMemory>) {
        for property in PROPERTIES {
            match property.judge(&self.history, event) {
                Judgement::Unconcerned => {}
                Judgement::Upheld => *self.upheld.entry(property).or_default() += 1,
                Judgement::Broken(violation) => {
                    self.broken.entry(property).or_insert(violation);
                }
            }
        }
        self.history.record(event);
    }

    /// A producer sent a batch for the first time.
    pub fn sent(&mut self, request: &Request) {
        let batch = request.batch();
        self.see(&Event::Sent { batch });
    }

    /// The log has one batch more.
    pub fn appended(&mut self, frame: &Frame) {
        let (batch, base) = (frame.request.batch(), Offset(frame.base_offset));
        self.see(&Event::Appended { batch, base });
    }

    /// A producer read an answer, and told the application.
    pub fn answered(&mut self, request: &Request, answer: Answer) {
        let batch = request.batch();
        self.see(&Event::Answered { batch, answer });
        let base = match answer {
            Answer::Appended { base } => Some(base),
            Answer::Duplicate { base } => base,
            Answer::Rejected(why) => panic!("{request:?} was refused: {why}"),
        };
        for within in 0..i64::from(request.count) {
            let offset = base.map(|base| Offset(base.0 + within));
            self.see(&Event::Reported {
                producer: batch.producer,
                partition: PARTITION,
                record: Record(request.first_record + within),
                outcome: Outcome::Acknowledged { offset },
            });
        }
    }

    /// The state that a start would load, asked about batches of the log.
    pub fn asked(&mut self, asked: &[Asked], log_end: i64) {
        for Asked {
            request,
            answer,
            memory,
        } in asked
        {
            self.see(&Event::Decided(Decision {
                batch: request.batch(),
                answer: Some(*answer),
                before: memory,
                after: memory,
                log_end_before: Offset(log_end),
                log_end_after: Offset(log_end),
            }));
        }
    }

    /// Nothing more will happen.
    pub fn finished(&mut self) {
        self.see(&Event::Finished);
    }

    /// The properties that are violated, each with the first violation.
    pub fn broken(&self) -> &BTreeMap<PropertyId, Violation> {
        &self.broken
    }

    /// The properties that were concerned and are not violated.
    pub fn upheld(&self) -> Vec<PropertyId> {
        let upheld = self.upheld.keys().copied();
        upheld
            .filter(|property| !self.broken.contains_key(property))
            .collect()
    }

    /// Stops the test at a violation.
    pub fn insist(&self) {
        if let Some((property, violation)) = self.broken.first_key_value() {
            panic!("{property} is violated: {violation}");
        }
    }
}

/// The judgement of a run that is over: its log, the answers that were read, and the state
/// that the next start would load.
pub fn judge(
    frames: &[Frame],
    answers: &[(Request, Answer)],
    manager: &retryproof::state_manager::ProducerStateManager,
) -> Judge {
    let mut judge = Judge::default();
    answers.iter().for_each(|(request, _)| judge.sent(request));
    frames.iter().for_each(|frame| judge.appended(frame));
    for (request, answer) in answers {
        judge.answered(request, *answer);
    }
    let log_end = frames.last().map_or(0, Frame::end);
    judge.asked(&state::ask(manager, frames), log_end);
    judge.finished();
    judge
}
