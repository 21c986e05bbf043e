//! Walks along drawn lists of operations, until a difference is found and shrunk.

use proptest::strategy::ValueTree;
use retryproof_models::specification::{Operation, Partition, Settings};

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
    /// Whether the subject was started before.
    started: bool,
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
            started: false,
        }
    }

    /// Walks along the list of one seed. A list that leads to a difference is shrunk as long
    /// as `goes_on` says so, and as the subject can be started.
    ///
    /// # Errors
    /// If the subject cannot be started for the first time. Later that is a difference.
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
        let mut walked = match self.perform(seed, &script) {
            Err(failed) if self.started => self.not_started(seed, &script, failed),
            performed => performed?,
        };
        let mut walks = 0;
        let mut simpler = walked.can_be_shrunk() && tree.simplify();
        while simpler && walks < MOST_SHRINKING_WALKS && goes_on() {
            walks += 1;
            let attempt = tree.current();
            let Ok(shorter) = self.perform(seed, &attempt) else {
                return Ok(walked);
            };
            simpler = if shorter.can_replace(&walked) {
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
            let Ok(shorter) = self.perform(seed, &attempt) else {
                return Ok(walked);
            };
            if shorter.can_replace(&walked) {
                (script, walked) = (attempt, shorter);
                at = 0;
            } else {
                at += 1;
            }
        }
        Ok(walked)
    }

    fn perform(&mut self, seed: u64, script: &Script) -> Result<Walked, SubjectFailure> {
        // Another program says what it supports when it is started.
        self.subject.start(&self.settings)?;
        self.started = true;
        let mut operations = script.perform(&self.settings, |step| self.subject.supports(step));
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

    /// A walk that ended before its first step.
    fn not_started(&self, seed: u64, script: &Script, failed: SubjectFailure) -> Walked {
        let mut operations = script.perform(&self.settings, |step| self.subject.supports(step));
        operations.truncate(1);
        let difference = operations.first().map(|operation| {
            let answer = Partition::new(self.settings).apply(operation);
            Difference::not_started(&format!("seed {seed}"), operation, &answer, failed)
        });
        Walked {
            operations,
            difference,
        }
    }
}

impl Walked {
    /// Whether it says as much as the longer one: a list that violates a property is not
    /// given away for one that only differs.
    fn can_replace(&self, longer: &Walked) -> bool {
        let pair = self.difference.as_ref().zip(longer.difference.as_ref());
        self.can_be_shrunk() && pair.is_some_and(|(it, other)| it.judged.is_worth(&other.judged))
    }

    /// Whether to look for a shorter list: not if the subject gave no answer that another
    /// list could change. Each walk with one that is silent would have to wait for it again.
    fn can_be_shrunk(&self) -> bool {
        let difference = self.difference.as_ref();
        difference.is_some_and(|difference| {
            let Got::Failed { failed } = &difference.got else {
                return true;
            };
            matches!(failed, SubjectFailure::Failed(_))
        })
    }
}
