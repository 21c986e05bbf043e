//! From conditions to a world that can be looked at.

use std::net::SocketAddr;

use retryproof_models::checking::{Run, Trace};
use retryproof_models::cluster::ClusterWorld;
use retryproof_models::conditions::{Budget, Conditions};
use retryproof_models::world::{ActorWorld, DirectWorld, NetworkIsAnActor, PlainModel, World};
use stateright::Model;

use super::explored::Explored;
use super::form::Form;
use super::Place;

/// Why a world cannot be looked at.
pub type NotExplorable = NetworkIsAnActor;

/// Batches beyond the in-flight limit that a world to look at has at least.
const TO_SPARE: u8 = 3;

/// These conditions with so many batches that numbers are the real ones: in a world of any
/// length those of a state are relative. There are enough for the runs, and no more than a
/// few: a reader may let the explorer run to completion.
pub fn bounded<'r>(conditions: Conditions, runs: impl IntoIterator<Item = &'r Run>) -> Conditions {
    let enough = runs.into_iter().map(batches_of).max().unwrap_or_default();
    match conditions.batches {
        Budget::Any => Conditions {
            batches: Budget::AtMost(enough.max(conditions.in_flight + TO_SPARE)),
            ..conditions
        },
        Budget::AtMost(_) => conditions,
    }
}

/// How many batches a run sends, with the one that may be known at its start.
fn batches_of(run: &Run) -> u8 {
    let kinds = run.kinds().into_iter();
    1 + kinds.filter(|kind| *kind == "send").count() as u8
}

/// A world that is ready to be served.
pub struct Opened(Kind);

enum Kind {
    Actors(Explored<ActorWorld>),
    Direct(Explored<DirectWorld>),
    Cluster(Explored<PlainModel<ClusterWorld>>),
}

impl Opened {
    /// The world of these conditions, which must be valid.
    ///
    /// # Errors
    /// If it has no form that can be looked at.
    pub fn new(conditions: &Conditions) -> Result<Self, NotExplorable> {
        if conditions.is_cluster() {
            let form = PlainModel(ClusterWorld::new(*conditions));
            return Ok(Opened(Kind::Cluster(Explored::new(form, conditions))));
        }
        if let Ok(form) = ActorWorld::new(*conditions) {
            return Ok(Opened(Kind::Actors(Explored::new(form, conditions))));
        }
        let form = DirectWorld::new(*conditions)?;
        Ok(Opened(Kind::Direct(Explored::new(form, conditions))))
    }

    /// The place of a run of this world; `None` if it is none of it.
    pub fn place(&self, run: &Run) -> Option<Place> {
        match &self.0 {
            Kind::Actors(model) => place(model, run.one_broker()?),
            Kind::Direct(model) => place(model, run.one_broker()?),
            Kind::Cluster(model) => place(model, run.cluster()?),
        }
    }

    /// Serves the world at an address until the process ends.
    ///
    /// # Panics
    /// If the address is in use.
    pub fn serve(self, address: SocketAddr) {
        match self.0 {
            Kind::Actors(model) => serve(model, address),
            Kind::Direct(model) => serve(model, address),
            Kind::Cluster(model) => serve(model, address),
        }
    }
}

fn serve<F: Form>(model: Explored<F>, address: SocketAddr) {
    model.checker().serve(address);
}

/// The place of a run; its states are brought to the form of the world, in which numbers may
/// be relative.
fn place<F: Form>(model: &Explored<F>, run: &Trace<F::World>) -> Option<Place> {
    let states =
        (0..run.len()).map(|index| model.after(run.before(index), run.steps[index].action));
    Place::of(model, states)
}
