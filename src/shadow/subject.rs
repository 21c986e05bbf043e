//! What walks beside the specification: the one trait that a state manager must fill.

use retryproof_models::specification::{Answer, Operation, Settings, State};
use thiserror::Error;

/// A state manager with the log that it belongs to: one partition on one broker.
///
/// Ours fills it ([`ProductionManager`](super::ProductionManager)), so does any program that
/// speaks lines of JSON ([`Process`](super::Process)), and so can a reader's own broker. An
/// adapter carries out each [`Operation`] as its broker would and says what a client is
/// answered. Its clock is moved by operations only: before a batch or marker it is at least
/// the timestamp of that, at an expiry check at least the time of the check.
pub trait StateManager {
    /// What it is called when it is told of.
    fn name(&self) -> String;

    /// Begins anew: an empty log at offset 0, no producers, the clock at 0.
    ///
    /// # Errors
    /// If it cannot begin.
    fn start(&mut self, settings: &Settings) -> Result<(), SubjectFailure>;

    /// Carries out an operation and gives the answer.
    ///
    /// # Errors
    /// If it cannot answer at all. A refused batch is an answer, [`Answer::Error`].
    fn apply(&mut self, operation: &Operation) -> Result<Answer, SubjectFailure>;

    /// All producers that it knows now; `None` if it cannot tell, then only answers are
    /// compared.
    ///
    /// # Errors
    /// If it should be able to tell, and cannot.
    fn state(&mut self) -> Result<Option<State>, SubjectFailure> {
        Ok(None)
    }

    /// Whether operations like this one mean anything to it. Others are left out of the
    /// walks: a broker without segments has nothing to roll.
    fn supports(&self, _operation: &Operation) -> bool {
        true
    }
}

/// Why a subject has no answer. Not for refused batches: a refusal is an answer.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum SubjectFailure {
    /// It could not be started, or never answered.
    #[error("the subject cannot be started: {0}")]
    NotStarted(String),
    /// It stopped answering, or answered what cannot be read.
    #[error("the subject failed: {0}")]
    Failed(String),
    /// It did not answer in time.
    #[error(
        "the subject did not answer within {seconds} s (a longer --patience gives it more); the \
         last line sent was {sent}"
    )]
    Silent {
        /// How long it had.
        seconds: u64,
        /// What it was to answer.
        sent: String,
    },
    /// It closed its input or output, and went on.
    #[error(
        "the subject closed its input or output{place}, and went on; the last line sent was {sent}"
    )]
    Closed {
        /// In the middle of which line, if of one.
        place: String,
        /// What it was to answer.
        sent: String,
    },
    /// It was not waited for any longer, since the walk was to end.
    #[error("the walk was cut")]
    Cut,
}

impl SubjectFailure {
    /// A failure that this error led to.
    pub fn because(error: impl std::fmt::Display) -> Self {
        SubjectFailure::Failed(error.to_string())
    }
}
