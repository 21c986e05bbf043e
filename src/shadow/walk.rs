//! A list of operations, step by step on the specification and on a subject.

use std::collections::{BTreeMap, BTreeSet};

use retryproof_models::specification::{Answer, Operation, Partition, Producer, Settings, State};
use serde::Serialize;

use super::subject::{StateManager, SubjectFailure};

/// A step after which a subject answered something else than expected, or knew something
/// else.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Difference {
    /// Which list of operations.
    pub case: String,
    /// Which step of it, from 0.
    pub step: usize,
    /// What was asked for.
    pub operation: Operation,
    /// What should have been seen.
    pub expected: Observed,
    /// What was seen.
    pub got: Got,
}

impl Difference {
    /// The difference of a list whose subject could not be started: its first operation was
    /// to be answered like this.
    pub(super) fn not_started(
        case: &str,
        operation: &Operation,
        answer: &Answer,
        failed: SubjectFailure,
    ) -> Self {
        Difference {
            case: case.to_owned(),
            step: 0,
            operation: operation.clone(),
            expected: Observed {
                answer: answer.clone(),
                state: BTreeMap::new(),
            },
            got: Got::Failed { failed },
        }
    }
}

/// An answer and, where state was compared and differs, what is known of the producers that
/// differ.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Observed {
    /// The answer.
    #[serde(flatten)]
    pub answer: Answer,
    /// By producer id; `None` for a producer that is not known.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub state: BTreeMap<i64, Option<Producer>>,
}

/// What a subject did.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Got {
    /// It answered.
    Answered(Observed),
    /// It failed.
    Failed {
        /// How.
        #[serde(serialize_with = "in_words")]
        failed: SubjectFailure,
    },
}

fn in_words<S: serde::Serializer>(
    failure: &SubjectFailure,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    serializer.collect_str(failure)
}

/// What a subject must answer and know after a step.
#[derive(Clone, Copy, Debug)]
pub struct Expected<'a> {
    /// The answer.
    pub answer: &'a Answer,
    /// All producers; `None` if nothing is said of them.
    pub state: Option<&'a State>,
}

/// Walks a subject that was started beside a new partition of the specification, and ends
/// at the first difference. What the subject does not support is left out.
///
/// # Errors
/// The difference. Its case is empty: the caller knows what list it is.
pub fn walk(
    subject: &mut dyn StateManager,
    settings: &Settings,
    operations: &[Operation],
) -> Result<(), Box<Difference>> {
    let mut specification = Partition::new(*settings);
    for (step, operation) in operations.iter().enumerate() {
        if !subject.supports(operation) {
            continue;
        }
        let answer = specification.apply(operation);
        let state = specification.state();
        let expected = Expected {
            answer: &answer,
            state: Some(&state),
        };
        if let Some((expected, got)) = compare(subject, operation, expected) {
            return Err(Box::new(Difference {
                case: String::new(),
                step,
                operation: operation.clone(),
                expected,
                got,
            }));
        }
    }
    Ok(())
}

/// Lets the subject take one step. If what it answers or knows then is not as expected,
/// gives both.
pub fn compare(
    subject: &mut dyn StateManager,
    operation: &Operation,
    expected: Expected<'_>,
) -> Option<(Observed, Got)> {
    let seen = subject
        .apply(operation)
        .and_then(|answer| Ok((answer, subject.state()?)));
    let (answer, state) = match seen {
        Ok(seen) => seen,
        Err(failed) => {
            let state = BTreeMap::new();
            let answer = expected.answer.clone();
            return Some((Observed { answer, state }, Got::Failed { failed }));
        }
    };
    let mut should = Observed {
        answer: expected.answer.clone(),
        state: BTreeMap::new(),
    };
    let mut does = Observed {
        answer,
        state: BTreeMap::new(),
    };
    if let Some((expected, got)) = expected.state.zip(state.as_ref()) {
        let producers: BTreeSet<i64> = expected.keys().chain(got.keys()).copied().collect();
        for pid in producers {
            if expected.get(&pid) != got.get(&pid) {
                should.state.insert(pid, expected.get(&pid).cloned());
                does.state.insert(pid, got.get(&pid).cloned());
            }
        }
    }
    (should != does).then_some((should, Got::Answered(does)))
}
