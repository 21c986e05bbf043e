//! Who answers commands: the client oracle itself, or a record of what it answered.

use serde_json::Value;
use thiserror::Error;

use super::protocol::{Answer, Command};
use crate::shadow::{Process, SubjectFailure};

/// Why there is no answer.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum NoAnswer {
    /// The program that was to answer failed.
    #[error("{0}")]
    Failed(String),
    /// The record holds another command here, or none.
    #[error("the record has {recorded} where {asked} is asked")]
    OffTheRecord {
        /// What was asked when it was recorded.
        recorded: String,
        /// What is asked now.
        asked: String,
    },
    /// The answer cannot be read.
    #[error("the answer {answer} cannot be read: {reason}")]
    Unreadable {
        /// The answer.
        answer: String,
        /// Why.
        reason: String,
    },
}

/// Somebody who answers commands.
pub trait Ask {
    /// The answer to a command, as JSON.
    ///
    /// # Errors
    /// If there is none.
    fn ask(&mut self, command: &Value) -> Result<Value, NoAnswer>;
}

/// The answer to a command.
///
/// # Errors
/// If there is none that can be read.
pub fn ask(who: &mut dyn Ask, command: &Command) -> Result<Answer, NoAnswer> {
    let command = serde_json::to_value(command).map_err(|e| NoAnswer::Failed(e.to_string()))?;
    let answer = who.ask(&command)?;
    Answer::deserialize_from(answer)
}

impl Answer {
    fn deserialize_from(answer: Value) -> Result<Self, NoAnswer> {
        serde_json::from_value(answer.clone()).map_err(|reason| NoAnswer::Unreadable {
            answer: answer.to_string().chars().take(400).collect(),
            reason: reason.to_string(),
        })
    }
}

impl Ask for Process {
    fn ask(&mut self, command: &Value) -> Result<Value, NoAnswer> {
        let failed = |failure: SubjectFailure| NoAnswer::Failed(failure.to_string());
        Process::ask(self, &command.to_string()).map_err(failed)
    }
}

/// Commands and answers, as they followed on each other.
pub type Exchange = Vec<(Value, Value)>;

/// Passes commands on, and writes down what is answered.
pub struct Recorder<'a> {
    who: &'a mut dyn Ask,
    /// What was asked and answered.
    pub exchange: Exchange,
}

impl<'a> Recorder<'a> {
    /// Passes commands on to `who`.
    pub fn new(who: &'a mut dyn Ask) -> Self {
        Recorder {
            who,
            exchange: Vec::new(),
        }
    }
}

impl Ask for Recorder<'_> {
    fn ask(&mut self, command: &Value) -> Result<Value, NoAnswer> {
        let answer = self.who.ask(command)?;
        self.exchange.push((command.clone(), answer.clone()));
        Ok(answer)
    }
}

/// Answers from a record, as long as it is asked what it was asked then.
#[derive(Debug)]
pub struct Recorded {
    exchange: std::vec::IntoIter<(Value, Value)>,
}

impl Recorded {
    /// Answers from this record.
    pub fn new(exchange: Exchange) -> Self {
        Recorded {
            exchange: exchange.into_iter(),
        }
    }

    /// How much of the record was not asked for.
    pub fn left(&self) -> usize {
        self.exchange.len()
    }
}

impl Ask for Recorded {
    fn ask(&mut self, command: &Value) -> Result<Value, NoAnswer> {
        let off = |recorded: String| NoAnswer::OffTheRecord {
            recorded,
            asked: command.to_string(),
        };
        match self.exchange.next() {
            Some((asked, answer)) if asked == *command => Ok(answer),
            Some((asked, _)) => Err(off(asked.to_string())),
            None => Err(off("nothing more".to_owned())),
        }
    }
}
