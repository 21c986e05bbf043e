//! Where a run stands in the explorer of its claim.

use retryproof_models::checking::Run;
use retryproof_models::cluster::ClusterWorld;
use retryproof_models::conditions::Conditions;
use retryproof_models::world::{
    ActorState, ActorWorld, DirectState, DirectWorld, PlainModel, World,
};

use crate::evidence::permalink::Place;

/// The path of the last step of a run in the explorer of the world of these conditions, as in
/// `#/steps/0/1`; `None` if the explorer cannot show it.
pub(super) fn path(conditions: &Conditions, run: &Run) -> Option<String> {
    let place = match run {
        Run::Cluster(trace) => {
            let actions = trace.steps.iter().map(|step| step.action);
            let model = PlainModel(ClusterWorld::new(*conditions));
            Place::of_actions(actions, &model)
        }
        Run::OneBroker(trace) => match ActorWorld::new(*conditions) {
            Ok(world) => Place::of_run(trace, conditions, &world, ActorState::flatten),
            Err(_) => {
                let world = DirectWorld::new(*conditions).ok()?;
                Place::of_run(trace, conditions, &world, DirectState::flatten)
            }
        },
    };
    Some(place?.path(run.len()))
}
