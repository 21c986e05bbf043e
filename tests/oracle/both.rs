//! Kafka and the production manager as one subject, which fails where they differ.

use retryproof::shadow::{Process, ProductionManager, StateManager, SubjectFailure};
use retryproof_models::specification::{Answer, Operation, Settings, State};

/// Both do the same. What walks beside it walks beside three.
pub struct Both {
    pub kafka: Process,
    pub ours: ProductionManager,
}

impl Both {
    pub fn new(kafka: Process) -> Self {
        let ours = ProductionManager::default();
        Both { kafka, ours }
    }
}

fn agreed<T: PartialEq + std::fmt::Debug>(kafka: T, ours: T) -> Result<T, SubjectFailure> {
    if kafka == ours {
        return Ok(kafka);
    }
    let reason = format!("Kafka says {kafka:?}, the production manager {ours:?}");
    Err(SubjectFailure::Failed(reason))
}

impl StateManager for Both {
    fn name(&self) -> String {
        format!("{} and {}", self.kafka.name(), self.ours.name())
    }

    fn start(&mut self, settings: &Settings) -> Result<(), SubjectFailure> {
        self.kafka.start(settings)?;
        self.ours.start(settings)
    }

    fn apply(&mut self, operation: &Operation) -> Result<Answer, SubjectFailure> {
        agreed(self.kafka.apply(operation)?, self.ours.apply(operation)?)
    }

    fn state(&mut self) -> Result<Option<State>, SubjectFailure> {
        agreed(self.kafka.state()?, self.ours.state()?)
    }

    fn supports(&self, operation: &Operation) -> bool {
        self.kafka.supports(operation) && self.ours.supports(operation)
    }
}
