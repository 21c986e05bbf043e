//! Kafka with one answer altered is noticed: the comparison with it can fail.

use retryproof::shadow::search::Search;
use retryproof::shadow::{Got, Process, StateManager, SubjectFailure};
use retryproof_models::specification::{Answer, ErrorName, Operation, Settings, State};

use crate::{jvm, log};

/// Lists until it must have been noticed.
const LISTS: u64 = 300;

/// Kafka, if it remembered four batches: the oldest of five is not recognised any more.
struct OfFour {
    kafka: Process,
    known: State,
}

impl OfFour {
    fn is_the_oldest_of_five(&self, operation: &Operation, first_offset: i64) -> bool {
        let Operation::Append { pid, .. } = operation else {
            return false;
        };
        let window = self.known.get(pid).map(|known| &known.batches);
        window.is_some_and(|window| window.len() == 5 && window[0][2] == first_offset)
    }
}

impl StateManager for OfFour {
    fn name(&self) -> String {
        "Kafka with a window of four".to_owned()
    }

    fn start(&mut self, settings: &Settings) -> Result<(), SubjectFailure> {
        self.known.clear();
        self.kafka.start(settings)
    }

    fn apply(&mut self, operation: &Operation) -> Result<Answer, SubjectFailure> {
        let answer = self.kafka.apply(operation)?;
        Ok(match answer {
            Answer::Dup(first, _) if self.is_the_oldest_of_five(operation, first) => {
                Answer::Error(ErrorName::OutOfOrderSequenceNumber)
            }
            answer => answer,
        })
    }

    fn state(&mut self) -> Result<Option<State>, SubjectFailure> {
        let state = self.kafka.state()?;
        self.known = state.clone().unwrap_or_default();
        Ok(state)
    }

    fn supports(&self, operation: &Operation) -> bool {
        self.kafka.supports(operation)
    }
}

#[test]
fn a_window_of_four_is_noticed() {
    let Some(kafka) = jvm::kafka("4.3.1") else {
        return;
    };
    let mut subject = OfFour {
        kafka: log(&kafka),
        known: State::new(),
    };
    let mut search = Search::new(&mut subject, &Settings::kafka());
    let walked = (0..LISTS)
        .map(|seed| search.walk(seed, || true).expect("Kafka starts"))
        .find(|walked| walked.difference.is_some())
        .expect("it is noticed");
    // Five batches, and the first of them once more.
    let list = serde_json::to_string(&walked.operations).expect("JSON");
    assert_eq!(walked.operations.len(), 6, "{list}");
    let difference = walked.difference.expect("a difference");
    let Got::Answered(got) = difference.got else {
        panic!("{difference:?}");
    };
    let out_of_order = Answer::Error(ErrorName::OutOfOrderSequenceNumber);
    assert_eq!(got.answer, out_of_order);
    assert!(matches!(difference.expected.answer, Answer::Dup(..)));
}
