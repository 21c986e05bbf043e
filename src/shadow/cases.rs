//! Cases in files: lists of operations with the answers that were recorded for them.
//!
//! A file is one JSON array of cases, or has one case a line. Which of the two is told by
//! its first character.

use std::collections::BTreeMap;

use retryproof_models::specification::{Answer, Operation, Partition, Producer, Settings, State};
use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::subject::{StateManager, SubjectFailure};
use super::walk::{Course, Difference, Expected, Got};

/// A list of operations with their recorded answers. Other fields are passed over, as what
/// other releases are believed to answer (`expect_differs`).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Case {
    /// How it is called.
    pub id: String,
    /// What it is about.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub name: String,
    /// After how many milliseconds a producer is forgotten; Kafka's default if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expiry_ms: Option<i64>,
    /// What happens.
    #[serde(rename = "ops")]
    pub operations: Vec<Operation>,
    /// What is answered, one for each operation.
    #[serde(alias = "expect")]
    pub answers: Vec<Answer>,
    /// The producers that changed, for each operation: `None` for one that was forgotten.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub state: Option<Vec<Changes>>,
}

/// The producers that changed in a step.
pub type Changes = BTreeMap<i64, Option<Producer>>;

/// What came of a case.
#[derive(Clone, Debug, PartialEq)]
pub enum Outcome {
    /// It was walked to its end; these steps differ.
    Walked(Vec<Difference>),
    /// The subject does not support this operation, so nothing was asked of it.
    LeftOut(Operation),
}

/// Why a file holds no cases.
#[derive(Debug, Error)]
pub enum NotCases {
    /// It is empty, or an array of nothing.
    #[error("{file} holds no case: give a JSON array of cases, or one case a line")]
    Empty {
        /// Which file.
        file: String,
    },
    /// It is no JSON, or not of this shape.
    #[error(
        "{file}, line {line}: {reason}: give a JSON array of cases, or one case a line, each \
         with \"id\", \"ops\" and \"expect\" or \"answers\""
    )]
    Unreadable {
        /// Which file.
        file: String,
        /// Line, from 1.
        line: usize,
        /// What is wrong.
        reason: String,
    },
    /// A case that cannot be walked.
    #[error("{file}, case {case}: {reason}")]
    Senseless {
        /// Which file.
        file: String,
        /// Which case.
        case: String,
        /// What is wrong, and what to do.
        reason: String,
    },
    /// A case does not have one answer for each operation.
    #[error(
        "{file}, case {case}: {operations} operations, but {found} {what}: give one for each \
         operation"
    )]
    Lengths {
        /// Which file.
        file: String,
        /// Which case.
        case: String,
        /// How many operations it has.
        operations: usize,
        /// Of what it has another number.
        what: &'static str,
        /// How many of these.
        found: usize,
    },
}

/// Reads the cases of a text; `file` is what errors call it.
///
/// # Errors
/// See [`NotCases`].
pub fn read(file: &str, text: &str) -> Result<Vec<Case>, NotCases> {
    let unreadable = |line: usize, error: serde_json::Error| NotCases::Unreadable {
        file: file.to_owned(),
        // An error in a value that is made of others has no line of its own.
        line: line + error.line().max(1),
        reason: without_place(&error),
    };
    let cases: Vec<Case> = match text.trim_start().chars().next() {
        None => Vec::new(),
        Some('[') => serde_json::from_str(text).map_err(|error| unreadable(0, error))?,
        Some(_) => text
            .lines()
            .enumerate()
            .filter(|(_, line)| !line.trim().is_empty())
            .map(|(number, line)| {
                serde_json::from_str(line).map_err(|error| unreadable(number, error))
            })
            .collect::<Result<_, _>>()?,
    };
    if cases.is_empty() {
        let file = file.to_owned();
        return Err(NotCases::Empty { file });
    }
    for case in &cases {
        case.check(file)?;
        case.check_lengths(file)?;
    }
    Ok(cases)
}

/// The message of an error without the place that serde_json puts behind it.
fn without_place(error: &serde_json::Error) -> String {
    let text = error.to_string();
    match text.rfind(" at line ") {
        Some(place) => text[..place].to_owned(),
        None => text,
    }
}

impl Case {
    /// A list of operations, with the answers and states of the specification.
    pub fn specified(id: &str, settings: &Settings, operations: &[Operation]) -> Self {
        let mut partition = Partition::new(*settings);
        let (mut answers, mut state, mut before) = (Vec::new(), Vec::new(), State::new());
        for operation in operations {
            answers.push(partition.apply(operation));
            let after = partition.state();
            state.push(changes(&before, &after));
            before = after;
        }
        let kafka = Settings::kafka();
        Case {
            id: id.to_owned(),
            name: String::new(),
            expiry_ms: (settings.expiry_ms != kafka.expiry_ms).then_some(settings.expiry_ms),
            operations: operations.to_vec(),
            answers,
            state: Some(state),
        }
    }

    fn check(&self, file: &str) -> Result<(), NotCases> {
        let senseless = |reason| NotCases::Senseless {
            file: file.to_owned(),
            case: self.id.clone(),
            reason,
        };
        if self.operations.is_empty() {
            return Err(senseless("no operations: give at least one".to_owned()));
        }
        match self.expiry_ms {
            Some(expiry_ms) if expiry_ms < 1 => Err(senseless(format!(
                "\"expiry_ms\" is {expiry_ms}: give 1 or more"
            ))),
            _ => Ok(()),
        }
    }

    fn check_lengths(&self, file: &str) -> Result<(), NotCases> {
        let lengths = |what, found| NotCases::Lengths {
            file: file.to_owned(),
            case: self.id.clone(),
            operations: self.operations.len(),
            what,
            found,
        };
        if self.answers.len() != self.operations.len() {
            return Err(lengths("answers", self.answers.len()));
        }
        match &self.state {
            Some(state) if state.len() != self.operations.len() => {
                Err(lengths("states", state.len()))
            }
            _ => Ok(()),
        }
    }

    /// The case as far as the operation before the first one that ends it.
    #[must_use]
    pub fn before(&self, ends: impl Fn(&Operation) -> bool) -> Self {
        let operations = self.operations.iter().take_while(|it| !ends(it)).count();
        let mut case = self.clone();
        case.operations.truncate(operations);
        case.answers.truncate(operations);
        if let Some(state) = &mut case.state {
            state.truncate(operations);
        }
        case
    }

    /// The settings of this case, among otherwise these.
    pub fn settings(&self, settings: &Settings) -> Settings {
        Settings {
            expiry_ms: self.expiry_ms.unwrap_or(settings.expiry_ms),
            ..*settings
        }
    }

    /// Starts a subject and lets it take all steps. The steps that differ from what was
    /// recorded are named. It ends before the last one only if the subject fails.
    ///
    /// # Errors
    /// If the subject cannot be started.
    pub fn run(
        &self,
        subject: &mut dyn StateManager,
        settings: &Settings,
    ) -> Result<Outcome, SubjectFailure> {
        // Another program says what it supports when it is started.
        subject.start(&self.settings(settings))?;
        let unsupported = self.operations.iter().find(|step| !subject.supports(step));
        if let Some(operation) = unsupported {
            return Ok(Outcome::LeftOut(operation.clone()));
        }
        let mut differences = Vec::new();
        let mut course = Course::new(&self.id, settings);
        let mut state = State::new();
        for (step, (operation, answer)) in self.operations.iter().zip(&self.answers).enumerate() {
            if let Some(changes) = &self.state {
                fold(&mut state, &changes[step]);
            }
            let expected = Expected {
                answer,
                state: self.state.is_some().then_some(&state),
            };
            let Err(difference) = course.step(subject, step, operation, expected) else {
                continue;
            };
            let failed = matches!(difference.got, Got::Failed { .. });
            differences.push(*difference);
            if failed {
                break;
            }
        }
        Ok(Outcome::Walked(differences))
    }

    /// The difference of a case whose subject could not be started; `None` if nothing is to
    /// be answered.
    pub fn not_started(&self, failed: SubjectFailure) -> Option<Difference> {
        let (operation, answer) = self.operations.iter().zip(&self.answers).next()?;
        Some(Difference::not_started(&self.id, operation, answer, failed))
    }
}

fn changes(before: &State, after: &State) -> Changes {
    let producers = before.keys().chain(after.keys());
    producers
        .filter(|pid| before.get(pid) != after.get(pid))
        .map(|pid| (*pid, after.get(pid).cloned()))
        .collect()
}

fn fold(state: &mut State, changes: &Changes) {
    for (pid, change) in changes {
        match change {
            Some(producer) => state.insert(*pid, producer.clone()),
            None => state.remove(pid),
        };
    }
}
