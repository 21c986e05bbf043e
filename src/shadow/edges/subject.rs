//! Decisions taken by any state manager, each as a list of operations.

use retryproof_models::specification::{Answer, Operation, Origin, Partition, Settings, State};

use crate::shadow::found::Found;
use crate::shadow::subject::StateManager;
use crate::shadow::walk::{Course, Difference, Expected};

use super::collect::{Edge, Edges};
use super::placement::{Placed, Placement, RealBatch, PRODUCER};

/// What was taken of the decisions of a world.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Taken {
    /// So many decisions.
    pub decisions: usize,
    /// So many were not, since the subject does not support what leads to them.
    pub left_out: usize,
}

/// Takes every one of these decisions on a subject, and says how many there were. Each is
/// put in one of the placements of its memory, in turn: a subject may be slow. Memories are
/// copied in as followers do, or written by a client where the subject supports no
/// followers and the specification takes the batches from a client.
///
/// # Errors
/// The first difference.
pub fn on_subject(
    edges: &Edges,
    settings: &Settings,
    subject: &mut dyn StateManager,
) -> Result<Taken, Box<Found>> {
    let mut taken = Taken::default();
    for decisions in edges.by_memory() {
        let placements = Placement::all(&decisions[0].before, edges.conditions.capacity());
        for (edge, placement) in decisions.iter().zip(placements.iter().cycle()) {
            let placed = Placed {
                memory: &edge.before,
                placement,
            };
            let case = format!("rule {}: {edge}; {placement}", edges.conditions.rule.name);
            if take(&placed, edge, settings, subject, &case)? {
                taken.decisions += 1;
            } else {
                taken.left_out += 1;
            }
        }
    }
    Ok(taken)
}

/// Takes one decision. Whether it was taken: the subject may not support what leads there.
fn take(
    placed: &Placed<'_>,
    edge: &Edge,
    settings: &Settings,
    subject: &mut dyn StateManager,
    case: &str,
) -> Result<bool, Box<Found>> {
    let copied = steps(placed, edge, Origin::Replica);
    // Another program says what it supports when it is started.
    subject.start(settings).map_err(|failed| {
        let Step {
            operation, answer, ..
        } = &copied[0];
        let difference = Difference::not_started(case, operation, answer, failed);
        Box::new(found(difference, &copied))
    })?;
    let steps = match is_supported(subject, &copied) {
        true => copied,
        false => steps(placed, edge, Origin::Client),
    };
    if !is_supported(subject, &steps) || !leads_there(&steps, settings) {
        return Ok(false);
    }
    walk(&steps, settings, subject, case).map_err(|it| Box::new(found(*it, &steps)))?;
    Ok(true)
}

fn found(difference: Difference, steps: &[Step]) -> Found {
    let steps = &steps[..=difference.step];
    Found {
        operations: steps.iter().map(|step| step.operation.clone()).collect(),
        difference,
    }
}

fn is_supported(subject: &dyn StateManager, steps: &[Step]) -> bool {
    steps.iter().all(|step| subject.supports(&step.operation))
}

/// Whether the specification answers the past of a decision as the past wants it.
fn leads_there(steps: &[Step], settings: &Settings) -> bool {
    let mut partition = Partition::new(*settings);
    let (_, past) = steps.split_last().unzip();
    let past: &[Step] = past.unwrap_or_default();
    past.iter()
        .all(|step| partition.apply(&step.operation) == step.answer)
}

/// One operation, and what must be seen after it.
struct Step {
    operation: Operation,
    answer: Answer,
    state: Option<State>,
}

/// The past of a decision, appended by these, and the decision.
fn steps(placed: &Placed<'_>, edge: &Edge, past: Origin) -> Vec<Step> {
    let mut steps = Vec::new();
    let mut end = 0;
    for batch in placed.past() {
        steps.extend(fill(end, batch.first_offset));
        steps.push(Step {
            operation: append(&batch, past),
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
    case: &str,
) -> Result<(), Box<Difference>> {
    let mut course = Course::new(case, settings);
    for (at, step) in steps.iter().enumerate() {
        let expected = Expected {
            answer: &step.answer,
            state: step.state.as_ref(),
        };
        course.step(subject, at, &step.operation, expected)?;
    }
    Ok(())
}
