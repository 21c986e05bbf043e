//! A run of whichever kind of world.

use crate::cluster::ClusterWorld;
use crate::conditions::Conditions;
use crate::world::{FlatWorld, Properties, World};

use super::{End, Trace};

/// A run: the actions, on the world with its real numbers.
#[derive(Clone, Debug, PartialEq)]
#[allow(clippy::large_enum_variant, reason = "there are few runs")]
pub enum Run {
    /// Of a world with one producer, one partition, one broker.
    OneBroker(Trace<FlatWorld>),
    /// Of a world with several of one of them.
    Cluster(Trace<ClusterWorld>),
}

/// Runs the same expression on the trace, whichever it is.
macro_rules! on_trace {
    ($run:expr, $trace:ident => $then:expr) => {
        match $run {
            Run::OneBroker($trace) => $then,
            Run::Cluster($trace) => $then,
        }
    };
}

impl Run {
    /// Conditions of the world; those of a bounded one, so that numbers are real.
    pub fn conditions(&self) -> &Conditions {
        on_trace!(self, trace => &trace.conditions)
    }

    /// Number of steps.
    pub fn len(&self) -> usize {
        on_trace!(self, trace => trace.len())
    }

    /// Whether the run has no step.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// What the last step violates, or what can never happen after it, if something is wrong.
    pub fn end(&self) -> &End {
        on_trace!(self, trace => &trace.end)
    }

    /// The properties that a step violates.
    pub fn violated_in(&self, step: usize) -> Properties {
        on_trace!(self, trace => trace.steps.get(step).map_or_else(
            Properties::default,
            |step| *step.after.as_ref(),
        ))
    }

    /// Whether both runs take the same steps, whatever each was found for.
    pub fn has_steps_of(&self, other: &Run) -> bool {
        match (self, other) {
            (Run::OneBroker(one), Run::OneBroker(other)) => one.steps == other.steps,
            (Run::Cluster(one), Run::Cluster(other)) => one.steps == other.steps,
            _ => false,
        }
    }

    /// The kinds of its actions, in order.
    pub fn kinds(&self) -> Vec<&'static str> {
        on_trace!(self, trace => kinds(trace))
    }

    /// The branch of the rule that decided a request in each step, if one was decided.
    pub fn branches(&self) -> Vec<Option<&'static str>> {
        on_trace!(self, trace => trace.steps.iter().map(|step| step.branch).collect())
    }

    /// The run, if it is one of a cluster.
    pub fn cluster(&self) -> Option<&Trace<ClusterWorld>> {
        match self {
            Run::Cluster(trace) => Some(trace),
            Run::OneBroker(_) => None,
        }
    }

    /// The run, if it is one of a world with one broker.
    pub fn one_broker(&self) -> Option<&Trace<FlatWorld>> {
        match self {
            Run::OneBroker(trace) => Some(trace),
            Run::Cluster(_) => None,
        }
    }
}

fn kinds<W: World>(trace: &Trace<W>) -> Vec<&'static str> {
    let world = W::new(trace.conditions);
    let steps = trace.steps.iter().enumerate();
    steps
        .map(|(index, step)| world.kind(trace.before(index), &step.action))
        .collect()
}
