//! Walks along drawn lists of operations, until a difference is found and shrunk.

use proptest::strategy::ValueTree;
use retryproof_models::specification::{Operation, Settings};

use super::generate::{Generator, Script};
use super::subject::{StateManager, SubjectFailure};
use super::walk::{walk, Difference, Got};

/// Most walks that shrinking may take: enough for any list of
/// [this length](super::generate::LENGTHS), and an end to a subject that differs by chance.
const MOST_SHRINKING_WALKS: usize = 2000;

/// A subject beside the specification.
pub struct Search<'a> {
    subject: &'a mut dyn StateManager,
    settings: Settings,
    generator: Generator,
}

/// A walk to its end, or to the difference.
#[derive(Clone, Debug, PartialEq)]
pub struct Walked {
    /// The operations, shrunk if they lead to a difference.
    pub operations: Vec<Operation>,
    /// The difference, after the last step that matters.
    pub difference: Option<Difference>,
}

impl<'a> Search<'a> {
    /// A search for differences of this subject under these settings.
    pub fn new(subject: &'a mut dyn StateManager, settings: &Settings) -> Self {
        Search {
            subject,
            settings: *settings,
            generator: Generator::default(),
        }
    }

    /// Walks along the list of one seed. A list that leads to a difference is shrunk as long
    /// as `goes_on` says so.
    ///
    /// # Errors
    /// If the subject cannot be started.
    pub fn walk(
        &mut self,
        seed: u64,
        goes_on: impl Fn() -> bool,
    ) -> Result<Walked, SubjectFailure> {
        let Some(mut tree) = self.generator.draw(seed) else {
            return Ok(Walked {
                operations: Vec::new(),
                difference: None,
            });
        };
        let mut script = tree.current();
        let mut walked = self.perform(seed, &script)?;
        let mut walks = 0;
        let mut simpler = walked.can_be_shrunk() && tree.simplify();
        while simpler && walks < MOST_SHRINKING_WALKS && goes_on() {
            walks += 1;
            let attempt = tree.current();
            let shorter = self.perform(seed, &attempt)?;
            simpler = if shorter.can_be_shrunk() {
                (script, walked) = (attempt, shorter);
                tree.simplify()
            } else {
                tree.complicate()
            };
        }
        // What was simplified last can make superfluous what was left in first.
        let mut at = 0;
        while walked.can_be_shrunk() && at < script.0.len() && goes_on() {
            let mut attempt = script.clone();
            attempt.0.remove(at);
            let shorter = self.perform(seed, &attempt)?;
            if shorter.can_be_shrunk() {
                (script, walked) = (attempt, shorter);
                at = 0;
            } else {
                at += 1;
            }
        }
        Ok(walked)
    }

    fn perform(&mut self, seed: u64, script: &Script) -> Result<Walked, SubjectFailure> {
        let mut operations = script.perform(&self.settings, |step| self.subject.supports(step));
        self.subject.start(&self.settings)?;
        let difference = walk(self.subject, &self.settings, &operations).err();
        if let Some(difference) = &difference {
            operations.truncate(difference.step + 1);
        }
        let difference = difference.map(|difference| Difference {
            case: format!("seed {seed}"),
            ..*difference
        });
        Ok(Walked {
            operations,
            difference,
        })
    }
}

impl Walked {
    /// Whether to look for a shorter list. Each walk with a subject that is silent would
    /// have to wait for it again.
    fn can_be_shrunk(&self) -> bool {
        let difference = self.difference.as_ref();
        difference.is_some_and(|difference| {
            let silent = |failed: &SubjectFailure| matches!(failed, SubjectFailure::Silent { .. });
            !matches!(&difference.got, Got::Failed { failed } if silent(failed))
        })
    }
}
