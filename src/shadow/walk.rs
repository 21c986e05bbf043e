//! A list of operations, step by step on the specification and on a subject.

use std::collections::{BTreeMap, BTreeSet};

use retryproof_models::specification::{Answer, Operation, Partition, Producer, Settings, State};
use serde::Serialize;

use super::judge::{Judged, Observer, Step};
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
    /// Which properties that violates.
    #[serde(flatten)]
    pub judged: Judged,
}

impl Difference {
    /// Which properties it violates and how, a line each, or that it violates none. Nothing
    /// is said of a subject that gave no answer.
    pub fn violations(&self) -> Vec<String> {
        match self.got {
            Got::Answered(_) => self.judged.lines(),
            Got::Failed { .. } => Vec::new(),
        }
    }

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
            expected: Observed::only(answer),
            got: Got::Failed { failed },
            judged: Judged::default(),
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

impl Observed {
    fn only(answer: &Answer) -> Self {
        Observed {
            answer: answer.clone(),
            state: BTreeMap::new(),
        }
    }
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
    let mut course = Course::new("", settings);
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
        course.step(subject, step, operation, expected)?;
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
    match look(subject, operation) {
        Ok(seen) => differing(&seen, expected),
        Err(failed) => Some((Observed::only(expected.answer), Got::Failed { failed })),
    }
}

/// A walk on its way, with the observer of its subject.
#[derive(Debug)]
pub(super) struct Course {
    case: String,
    observer: Observer,
}

impl Course {
    /// A walk that begins, with a subject that was just started. `case` is what its
    /// differences are told of.
    pub(super) fn new(case: &str, settings: &Settings) -> Self {
        Course {
            case: case.to_owned(),
            observer: Observer::new(settings.window),
        }
    }

    /// Lets the subject take the next step.
    ///
    /// # Errors
    /// If what it answers or knows then is not as expected.
    pub(super) fn step(
        &mut self,
        subject: &mut dyn StateManager,
        step: usize,
        operation: &Operation,
        expected: Expected<'_>,
    ) -> Result<(), Box<Difference>> {
        let differs = |(expected, got), judged| {
            Err(Box::new(Difference {
                case: self.case.clone(),
                step,
                operation: operation.clone(),
                expected,
                got,
                judged,
            }))
        };
        let seen = match look(subject, operation) {
            Ok(seen) => seen,
            Err(failed) => {
                let expected = Observed::only(expected.answer);
                return differs((expected, Got::Failed { failed }), Judged::default());
            }
        };
        let did = Step {
            operation,
            answer: &seen.answer,
            state: seen.state.as_ref(),
        };
        let Some(both) = differing(&seen, expected) else {
            self.observer.note(did);
            return Ok(());
        };
        let should = Step {
            operation,
            answer: expected.answer,
            state: did.state.and(expected.state),
        };
        let judged = self.observer.judge(did, should);
        differs(both, judged)
    }
}

/// What a subject says after a step.
#[derive(Debug)]
struct Seen {
    answer: Answer,
    state: Option<State>,
}

fn look(subject: &mut dyn StateManager, operation: &Operation) -> Result<Seen, SubjectFailure> {
    let answer = subject.apply(operation)?;
    let state = subject.state()?;
    Ok(Seen { answer, state })
}

/// What was expected and what was seen, if they differ.
fn differing(seen: &Seen, expected: Expected<'_>) -> Option<(Observed, Got)> {
    let mut should = Observed::only(expected.answer);
    let mut does = Observed::only(&seen.answer);
    if let Some((expected, got)) = expected.state.zip(seen.state.as_ref()) {
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
