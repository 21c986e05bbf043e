//! Shorter lists of operations that still lead to a difference.

use retryproof_models::specification::{Operation, Partition, Settings};

use super::found::Found;
use super::subject::StateManager;
use super::walk::{walk, Difference, Got};

/// Leaves out operations one by one, as long as the subject still differs from the
/// specification, and as worth knowing as before. `None` if it does not differ at all, or
/// gives no answer.
pub(super) fn shorten(
    subject: &mut dyn StateManager,
    settings: &Settings,
    case: &str,
    operations: &[Operation],
) -> Option<Found> {
    let mut shortest = attempt(subject, settings, case, operations.to_vec())?;
    let mut at = 0;
    while at < shortest.operations.len() {
        let mut shorter = shortest.operations.clone();
        shorter.remove(at);
        match attempt(subject, settings, case, shorter) {
            Some(found) if is_worth(&found.difference, &shortest.difference) => {
                shortest = found;
                // What was left out can make superfluous what was left in before.
                at = 0;
            }
            _ => at += 1,
        }
    }
    Some(shortest)
}

fn is_worth(it: &Difference, other: &Difference) -> bool {
    it.judged.is_worth(&other.judged)
}

/// Walks along a list, if it is one that a real log can be asked for.
fn attempt(
    subject: &mut dyn StateManager,
    settings: &Settings,
    case: &str,
    mut operations: Vec<Operation>,
) -> Option<Found> {
    if !is_legal(settings, &operations) {
        return None;
    }
    subject.start(settings).ok()?;
    let mut difference = *walk(subject, settings, &operations).err()?;
    if matches!(difference.got, Got::Failed { .. }) {
        return None;
    }
    operations.truncate(difference.step + 1);
    case.clone_into(&mut difference.case);
    Some(Found {
        difference,
        operations,
    })
}

fn is_legal(settings: &Settings, operations: &[Operation]) -> bool {
    let mut partition = Partition::new(*settings);
    operations.iter().all(|operation| {
        let legal = partition.allows(operation).is_ok();
        if legal {
            partition.apply(operation);
        }
        legal
    })
}
