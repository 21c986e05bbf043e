//! A run of a cluster, told step by step. Of the logs the story shows that of the partition
//! which the last step concerns.

mod change;
mod names;

use retryproof_models::actors::Role;
use retryproof_models::checking::{End, Trace};
use retryproof_models::cluster::{Action, ClusterWorld, Connection, State};
use retryproof_models::world::World;

use crate::evidence::seen::Seen;

use super::{phrase, violations, Log, Step, Story, Way};

use change::Change;
pub use names::Names;

/// Tells a run.
pub(super) fn story(run: &Trace<ClusterWorld>) -> Story {
    let last = run.steps.last().map_or(&run.start, |step| &step.after);
    let partition = partition_at_end(run);
    Story {
        log_at_start: log(&run.start, partition),
        steps: (0..run.len())
            .map(|index| tell(run, index, partition))
            .collect(),
        ending: ending(run, last),
        log: log(last, partition),
    }
}

fn partition_at_end(run: &Trace<ClusterWorld>) -> usize {
    let before_last = run.len().saturating_sub(1);
    let last = run.steps.last();
    let concerned = last.and_then(|step| step.action.partition(run.before(before_last)));
    concerned.unwrap_or_default()
}

fn log(state: &State, partition: usize) -> Log {
    let names = Names::of(state);
    let records = state.log(partition).iter();
    Log {
        records: records.map(|entry| names.record(entry.record)).collect(),
    }
}

fn tell(run: &Trace<ClusterWorld>, index: usize, partition: usize) -> Step {
    let (step, before) = (&run.steps[index], run.before(index));
    let seen = Seen::in_step(run, index);
    let (actor, way) = who(&step.action);
    let log_after = log(&step.after, partition);
    let change = Change {
        before,
        after: &step.after,
        seen: &seen,
    };
    Step {
        actor,
        action: ClusterWorld::new(run.conditions).kind(before, &step.action),
        way,
        text: change.sentence(&step.action),
        log: (log_after != log(before, partition)).then_some(log_after),
        violates: violations(&seen),
    }
}

/// Who acts, and where something goes.
fn who(action: &Action) -> (Role, Way) {
    match action {
        Action::Send(_) | Action::Retry(_) => (Role::Producer, Way::Out),
        Action::Read { .. } => (Role::Producer, Way::Back),
        Action::Refresh(_) | Action::TimeOut(_) => (Role::Producer, Way::Nowhere),
        Action::Deliver {
            connection: Connection::Live(_),
            ..
        } => (Role::Broker, Way::In),
        Action::Deliver { .. } => (Role::Broker, Way::Late),
        Action::Disconnect { .. } | Action::Lose { .. } => (Role::Network, Way::Lost),
        Action::Restart { .. } => (Role::Broker, Way::Lost),
        Action::Fetch(_)
        | Action::Shrink(_)
        | Action::Expand(_)
        | Action::LeaderMove(_)
        | Action::Learn(_)
        | Action::Expire { .. } => (Role::Broker, Way::Nowhere),
    }
}

fn ending(run: &Trace<ClusterWorld>, last: &State) -> String {
    match &run.end {
        End::Violation(violation) => violation.to_string(),
        End::Well => "nothing is wrong with the last step".to_owned(),
        End::NeverDecided => {
            let notes = last.notes.iter().flatten();
            let undecided = notes.flat_map(|notes| notes.undecided.iter());
            format!(
                "whatever happens from here without further faults, the application is never told \
                 what became of {}",
                phrase::records(undecided)
            )
        }
    }
}
