//! Decisions taken by any state manager, each as a list of operations.

use std::collections::BTreeMap;

use retryproof_models::specification::{Answer, Operation, Origin, Settings, State};

use crate::shadow::subject::StateManager;
use crate::shadow::walk::{compare, Difference, Expected, Got, Observed};

use super::collect::{Edge, Edges};
use super::placement::{Placed, Placement, RealBatch, PRODUCER};

/// Takes every one of these decisions on a subject, and says how many there were. Each is
/// put in one of the placements of its memory, in turn: a subject may be slow.
///
/// # Errors
/// The first difference.
pub fn on_subject(
    edges: &Edges,
    settings: &Settings,
    subject: &mut dyn StateManager,
) -> Result<usize, Box<Difference>> {
    for decisions in edges.by_memory() {
        let placements = Placement::all(&decisions[0].before, edges.conditions.capacity());
        for (edge, placement) in decisions.iter().zip(placements.iter().cycle()) {
            let placed = Placed {
                memory: &edge.before,
                placement,
            };
            let case = format!("rule {}: {edge}; {placement}", edges.conditions.rule.name);
            walk(&steps(&placed, edge), settings, subject, case)?;
        }
    }
    Ok(edges.all.len())
}

/// One operation, and what must be seen after it.
struct Step {
    operation: Operation,
    answer: Answer,
    state: Option<State>,
}

/// The past of a decision, and the decision.
fn steps(placed: &Placed<'_>, edge: &Edge) -> Vec<Step> {
    let mut steps = Vec::new();
    let mut end = 0;
    for batch in placed.past() {
        steps.extend(fill(end, batch.first_offset));
        steps.push(Step {
            operation: append(&batch, Origin::Replica),
            answer: Answer::Append(batch.first_offset, batch.last_offset()),
            state: None,
        });
        end = batch.last_offset() + 1;
    }
    steps.extend(fill(end, placed.log_end()));
    if let Some(last) = steps.last_mut() {
        last.state = Some(placed.state(placed.memory));
    }
    steps.push(Step {
        operation: append(&placed.request(&edge.request), Origin::Client),
        answer: placed.answer(&edge.request, edge.ruling.verdict),
        state: Some(placed.state(&edge.after)),
    });
    steps
}

/// Records of nobody between two batches.
fn fill(from: i64, to: i64) -> Option<Step> {
    (from < to).then(|| Step {
        operation: Operation::Plain {
            n: to - from,
            ts: 0,
        },
        answer: Answer::Append(from, to - 1),
        state: None,
    })
}

fn append(batch: &RealBatch, origin: Origin) -> Operation {
    Operation::Append {
        pid: PRODUCER,
        epoch: batch.epoch,
        seq: batch.first_sequence,
        n: batch.records,
        ts: batch.timestamp(),
        origin,
        fate: Default::default(),
    }
}

fn walk(
    steps: &[Step],
    settings: &Settings,
    subject: &mut dyn StateManager,
    case: String,
) -> Result<(), Box<Difference>> {
    let differs = |at: usize, expected, got| {
        Box::new(Difference {
            case: case.clone(),
            step: at,
            operation: steps[at].operation.clone(),
            expected,
            got,
        })
    };
    subject.start(settings).map_err(|failed| {
        let expected = Observed {
            answer: Answer::Ok,
            state: BTreeMap::new(),
        };
        differs(0, expected, Got::Failed { failed })
    })?;
    for (at, step) in steps.iter().enumerate() {
        let expected = Expected {
            answer: &step.answer,
            state: step.state.as_ref(),
        };
        if let Some((expected, got)) = compare(subject, &step.operation, expected) {
            return Err(differs(at, expected, got));
        }
    }
    Ok(())
}
