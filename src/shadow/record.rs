//! What a subject answers to drawn lists, to be kept as [cases](super::cases).

use proptest::strategy::ValueTree;
use retryproof_models::specification::{Answer, Operation, Settings, State};
use serde::Serialize;

use super::cases::Changes;
use super::generate::Generator;
use super::subject::{StateManager, SubjectFailure};

/// A drawn list with what a subject answered and knew: one line of a file of cases.
#[derive(Debug, Serialize)]
pub struct Recorded {
    /// Names the list.
    pub id: String,
    /// From which it is drawn.
    pub seed: u64,
    /// The list.
    #[serde(rename = "ops")]
    pub operations: Vec<Operation>,
    /// What was answered, one for each operation.
    pub answers: Vec<Answer>,
    /// The producers that changed, for each operation.
    pub state: Vec<Changes>,
}

/// Lets a subject walk along the list of this seed under Kafka's settings, as far as it
/// supports the operations.
///
/// # Errors
/// If it fails, or does not tell its state.
pub fn record(subject: &mut dyn StateManager, seed: u64) -> Result<Recorded, SubjectFailure> {
    let settings = Settings::kafka();
    subject.start(&settings)?;
    let script = Generator::default().draw(seed);
    let operations = script.map_or_else(Vec::new, |script| {
        let supports = |operation: &Operation| subject.supports(operation);
        script.current().perform(&settings, supports)
    });
    let mut answers = Vec::new();
    let mut state = Vec::new();
    let mut known = State::new();
    for operation in &operations {
        answers.push(subject.apply(operation)?);
        let silent = || SubjectFailure::Failed("it does not tell its state".to_owned());
        let now = subject.state()?.ok_or_else(silent)?;
        state.push(changes(&known, &now));
        known = now;
    }
    Ok(Recorded {
        id: format!("D{seed:03}"),
        seed,
        operations,
        answers,
        state,
    })
}

fn changes(before: &State, after: &State) -> Changes {
    let forgotten = before.keys().filter(|pid| !after.contains_key(pid));
    let mut changes: Changes = forgotten.map(|pid| (*pid, None)).collect();
    let changed = after
        .iter()
        .filter(|(pid, now)| before.get(pid) != Some(now));
    changes.extend(changed.map(|(pid, now)| (*pid, Some(now.clone()))));
    changes
}
