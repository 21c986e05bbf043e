//! Decisions taken by the production manager.

use std::collections::BTreeSet;

use retryproof_models::specification::{Answer, State};

use crate::shadow::observed::{observed, refusal};
use crate::state_manager::snapshot::Format;
use crate::state_manager::{Check, Config, ProducerStateManager};

use super::collect::{Edge, Edges};
use super::difference::{EdgeDifference, Mismatch};
use super::history::{client_batch, manager, now, offset};
use super::placement::{Placed, Placement};

/// What was compared without a difference.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EdgesWalked {
    /// States of the world.
    pub states: usize,
    /// Steps that hand a request to the broker.
    pub deliveries: usize,
    /// Different memories in which these are decided.
    pub memories: usize,
    /// Different decisions, those on made-up requests included.
    pub edges: usize,
    /// Those among them on requests that are sent in the world.
    pub reached: usize,
    /// Decisions taken on the manager: each in every placement of its memory.
    pub decisions: usize,
    /// Branches of the rule that they take.
    pub branches: BTreeSet<&'static str>,
}

/// Takes every one of these decisions on a production manager.
///
/// # Errors
/// The first decision on which rule and manager differ.
pub fn replay(edges: &Edges, config: Config) -> Result<EdgesWalked, Box<EdgeDifference>> {
    let mut walked = EdgesWalked {
        states: edges.states,
        deliveries: edges.deliveries,
        edges: edges.all.len(),
        reached: edges.all.iter().filter(|edge| edge.reached).count(),
        branches: edges.branches(),
        ..EdgesWalked::default()
    };
    for decisions in edges.by_memory() {
        walked.memories += 1;
        let memory = &decisions[0].before;
        for placement in Placement::all(memory, edges.conditions.capacity()) {
            let differs = |edge: Edge, mismatch| {
                Box::new(EdgeDifference {
                    rule: edges.conditions.rule.name,
                    edge,
                    placement,
                    mismatch,
                })
            };
            let placed = Placed {
                memory,
                placement: &placement,
            };
            let there = There::bring(placed, config);
            let there = there.map_err(|mismatch| differs(decisions[0], mismatch))?;
            for edge in decisions {
                there
                    .take(edge)
                    .map_err(|mismatch| differs(*edge, mismatch))?;
                walked.decisions += 1;
            }
        }
    }
    Ok(walked)
}

/// A manager that holds a memory.
struct There<'a> {
    placed: Placed<'a>,
    config: Config,
    manager: ProducerStateManager,
    state: State,
    bytes: Vec<u8>,
}

impl<'a> There<'a> {
    fn bring(placed: Placed<'a>, config: Config) -> Result<Self, Mismatch> {
        let manager = manager(&placed, config).map_err(Mismatch::NotReached)?;
        let expected = placed.state(placed.memory);
        let state = observed(&manager);
        if state != expected {
            return Err(Mismatch::Before {
                expected,
                found: state,
            });
        }
        let bytes = bytes(&manager)?;
        Ok(There {
            placed,
            config,
            manager,
            state,
            bytes,
        })
    }

    fn take(&self, edge: &Edge) -> Result<(), Mismatch> {
        let request = self.placed.request(&edge.request);
        let batch = client_batch(&request).map_err(Mismatch::NotReached)?;
        let check = self.manager.check(&batch);
        let expected = self.placed.answer(&edge.request, edge.ruling.verdict);
        let found = match &check {
            Check::Append(_) => Answer::Append(request.first_offset, request.last_offset()),
            Check::Duplicate(original) => {
                Answer::Dup(original.first_offset.get(), original.last_offset.get())
            }
            Check::Rejected(rejection) => refusal(rejection),
        };
        if found != expected {
            return Err(Mismatch::Answer { expected, found });
        }
        drop(check);
        if observed(&self.manager) != self.state || bytes(&self.manager)? != self.bytes {
            return Err(Mismatch::NoStutter);
        }
        if edge.appends() {
            self.append(edge)?;
        }
        Ok(())
    }

    /// Carries the append out, on a manager of its own.
    fn append(&self, edge: &Edge) -> Result<(), Mismatch> {
        let mut manager = manager(&self.placed, self.config).map_err(Mismatch::NotReached)?;
        let request = self.placed.request(&edge.request);
        let batch = client_batch(&request).map_err(Mismatch::NotReached)?;
        let base_offset = offset(request.first_offset).map_err(Mismatch::NotReached)?;
        if let Check::Append(permit) = manager.check(&batch) {
            let committed = manager.commit(permit, base_offset, now(&request));
            committed.map_err(|error| Mismatch::NotCommitted(error.to_string()))?;
        }
        let expected = self.placed.state(&edge.after);
        let found = observed(&manager);
        if found != expected {
            return Err(Mismatch::After { expected, found });
        }
        Ok(())
    }
}

fn bytes(manager: &ProducerStateManager) -> Result<Vec<u8>, Mismatch> {
    let encoded = manager.encode(Format::WholeWindow);
    encoded.map_err(|error| Mismatch::NotReached(error.to_string()))
}
