//! The names of actions: who does what about which record, as "producer sends r2", "broker
//! takes leftover r1", "b1 becomes leader of partition 0".
//!
//! A name says no more than it takes to tell the action from others that are possible in the
//! same state. Producers, brokers and partitions have numbers only where there are several.
//! Where two requests for one record are on their way, the name says which by its sequence
//! and epoch, and if need be by what stands behind it.

mod cluster;
mod one_broker;

use crate::broker::Fate;
use crate::checking::{Run, Trace, TraceStep};
use crate::message::{Request, Small};
use crate::world::World;

/// How much a name says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Detail {
    /// The record.
    Record,
    /// Sequence and epoch too; of an answer what it says.
    Identity,
    /// What stands in the queue behind it too.
    Queue,
}

impl Detail {
    const ALL: [Detail; 3] = [Detail::Record, Detail::Identity, Detail::Queue];
}

/// A world whose actions have names.
pub trait Named: World {
    /// The name of an action that is possible in a state.
    fn name(&self, state: &Self::State, action: &Self::Action, detail: Detail) -> String;
}

/// Everything that is possible in a state, by name. A name says as much as it takes to be
/// the only one; two have the same only if they do the same.
pub fn named_actions<W: Named>(world: &W, state: &W::State) -> Vec<(String, W::Action)> {
    let mut possible = Vec::new();
    world.actions(state, &mut possible);
    let names = |detail| -> Vec<String> {
        let actions = possible.iter();
        actions
            .map(|action| world.name(state, action, detail))
            .collect()
    };
    let by_detail = Detail::ALL.map(names);
    let shortest = |index: usize| {
        let is_unique = |names: &&Vec<String>| {
            let alike = names.iter().filter(|name| **name == names[index]);
            alike.count() == 1
        };
        let unique = by_detail.iter().find(is_unique);
        unique.unwrap_or(&by_detail[2])[index].clone()
    };
    (0..possible.len())
        .map(|index| (shortest(index), possible[index]))
        .collect()
}

/// The names of the steps of a run.
pub fn names_of(run: &Run) -> Vec<String> {
    match run {
        Run::OneBroker(trace) => names_of_trace(trace),
        Run::Cluster(trace) => names_of_trace(trace),
    }
}

fn names_of_trace<W: Named>(trace: &Trace<W>) -> Vec<String> {
    let world = W::new(trace.conditions);
    let steps = trace.steps.iter().enumerate();
    let name = |(index, step): (usize, &TraceStep<W>)| {
        let possible = named_actions(&world, trace.before(index));
        let mut named = possible.into_iter();
        let taken = named.find(|(_, action)| *action == step.action);
        taken.map(|(name, _)| name).unwrap_or_default()
    };
    steps.map(name).collect()
}

/// Records that go in one batch: "r1", "r1..2".
fn batch(first: Small, more: u8) -> String {
    match more {
        0 => format!("r{first}"),
        more => format!("r{first}..{}", first + more as Small),
    }
}

/// What a broker does with a request, `what`, that this befalls.
fn takes(broker: &str, what: &str, fate: Fate) -> String {
    match fate {
        Fate::Decided => format!("{broker} takes {what}"),
        Fate::RefusedBefore => format!("{broker} refuses {what} before the append"),
        Fate::ErrorAfter => format!("{broker} takes {what} and answers with an error"),
        Fate::Invalid => format!("{broker} refuses {what} for good"),
        Fate::TooLarge => format!("{broker} finds {what} too large"),
        Fate::Fails => format!("{broker} fails half way through the append of {what}"),
    }
}

/// The sequence and epoch of a request, in brackets.
fn identity(request: &Request) -> String {
    match request.has_identity() {
        true => format!(" (seq {} epoch {})", request.sequence, request.epoch),
        false => " (without identity)".to_owned(),
    }
}
