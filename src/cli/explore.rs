//! `retryproof explore`: Stateright's web explorer on the world of a claim, or of flags.

use std::fmt::Debug;
use std::hash::Hash;
use std::io::{self, Write};
use std::net::{Ipv4Addr, SocketAddr, TcpListener};

use clap::Args;
use retryproof_models::checking::{self, Limits, Outcome, Run, Verdict};
use retryproof_models::claims::Claim;
use retryproof_models::cluster::ClusterWorld;
use retryproof_models::conditions::Conditions;
use retryproof_models::world::{
    ActorState, ActorWorld, DirectState, DirectWorld, PlainModel, World,
};
use stateright::Model;

use crate::evidence::paint::Tone;
use crate::evidence::permalink::Place;
use crate::evidence::story::Story;
use crate::evidence::tellings::{tellings, Telling};
use crate::evidence::wrap;

use super::conditions::{SizeFlags, WorldFlags};
use super::interrupt::Interrupt;
use super::numbers::port;
use super::output::Output;
use super::progress::Watcher;
use super::{names, Ending, Refused};

/// Look at a world in Stateright's web explorer
///
/// The world is that of a claim, or of Apache Kafka 4.x; flags change conditions of it. For a claim
/// that expects a refutation there is a link to every step of a shortest run. Ctrl-C ends it.
#[derive(Args, Clone, Debug)]
pub struct Explore {
    /// The claim whose world to look at, by its id or a part that no other has
    #[arg(value_name = "CLAIM")]
    claim: Option<String>,
    /// Port on this machine
    #[arg(long, value_name = "PORT", default_value = "3000", value_parser = port)]
    port: u16,
    #[command(flatten)]
    size: SizeFlags,
    #[command(flatten)]
    world: WorldFlags,
}

impl Explore {
    pub(super) fn run(&self, output: &mut Output) -> Result<Ending, Refused> {
        let claim = self.claim.as_deref().map(names::claim).transpose()?;
        let base = claim.map_or(Conditions::KAFKA, |claim| claim.conditions);
        let conditions = self.world.apply(self.size.apply(base))?;
        let address = SocketAddr::from((Ipv4Addr::LOCALHOST, self.port));
        find_free(address)?;
        let visit = Visit {
            claim,
            conditions,
            address,
            interrupt: Interrupt::new(),
        };
        if conditions.is_cluster() {
            return visit.show(
                output,
                PlainModel(ClusterWorld::new(conditions)),
                in_cluster,
            );
        }
        if let Ok(world) = ActorWorld::new(conditions) {
            return visit.show(output, world, |run, world| {
                Place::of_run(run.one_broker()?, &conditions, world, ActorState::flatten)
            });
        }
        match DirectWorld::new(conditions) {
            Ok(world) => visit.show(output, world, |run, world| {
                Place::of_run(run.one_broker()?, &conditions, world, DirectState::flatten)
            }),
            Err(reason) => Err(Refused::NotExplorable {
                reason: reason.to_string(),
            }),
        }
    }
}

/// The place of a run of a cluster.
fn in_cluster(run: &Run, model: &PlainModel<ClusterWorld>) -> Option<Place> {
    let steps = run.cluster()?.steps.iter();
    Place::of_actions(steps.map(|step| step.action), model)
}

/// A world that is looked at, and where.
struct Visit {
    claim: Option<&'static Claim>,
    conditions: Conditions,
    address: SocketAddr,
    interrupt: Interrupt,
}

impl Visit {
    fn show<M>(
        &self,
        output: &mut Output,
        world: M,
        place: impl Fn(&Run, &M) -> Option<Place>,
    ) -> Result<Ending, Refused>
    where
        M: Model + Send + Sync + 'static,
        M::Action: Clone + Debug + PartialEq + Send + Sync,
        M::State: Clone + Debug + Hash + PartialEq + Send + Sync,
    {
        let outcome = self.refutation();
        if self.interrupt.brake().is_pulled() {
            return Ok(Ending::Unknown);
        }
        let name = self.claim.map_or("", |claim| claim.id.as_str());
        let title = format!("{name} {}", self.conditions);
        let title = wrap::fill(title.trim(), output.width());
        writeln!(output, "{}", Tone::Strong.paint(title))?;
        writeln!(output, "http://{}/  (Ctrl-C ends it)", self.address)?;
        for telling in outcome
            .iter()
            .flat_map(|outcome| tellings(&outcome.properties))
        {
            if let Some(place) = place(telling.run, &world) {
                self.link(output, &telling, &place)?;
            }
        }
        output.flush()?;
        self.interrupt.is_the_end();
        world.checker().serve(self.address);
        Ok(Ending::AsExpected)
    }

    /// The runs that refute the claim; none where it expects to hold.
    fn refutation(&self) -> Option<Outcome> {
        let claim = self
            .claim
            .filter(|claim| claim.expected == Verdict::Refuted)?;
        let limits = Limits {
            brake: self.interrupt.brake(),
            ..Limits::default()
        };
        let watcher = Watcher::new(1, &limits.brake);
        watcher.begin(&claim.id);
        Some(checking::check(
            &self.conditions,
            &claim.properties,
            &limits,
            &watcher,
        ))
    }

    /// A link to every step of a run.
    fn link(&self, output: &mut Output, telling: &Telling<'_>, place: &Place) -> io::Result<()> {
        let title = wrap::fill(&telling.title(), output.width());
        writeln!(output, "\n{}", Tone::Strong.paint(title))?;
        for (index, step) in Story::of(telling.run).steps.iter().enumerate() {
            let number = index + 1;
            let lines = wrap::hanging(&format!("{number:>2}  "), &step.text, output.width());
            let link = Tone::Dim.paint(place.link(self.address, number));
            writeln!(output, "{lines}\n    {link}")?;
        }
        Ok(())
    }
}

/// Makes sure that the port is free: Stateright's server fails without a word if it is not.
fn find_free(address: SocketAddr) -> Result<(), Refused> {
    TcpListener::bind(address).map_err(|reason| Refused::Port {
        port: address.port(),
        reason,
        other: match address.port() {
            u16::MAX => 3000,
            port => port + 1,
        },
    })?;
    Ok(())
}
