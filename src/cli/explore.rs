//! `retryproof explore`: Stateright's web explorer on the world of a scenario, of a claim, or
//! of flags; and an index of all of them.

use std::io::{self, Write};
use std::net::{Ipv4Addr, SocketAddr, TcpListener};

use clap::Args;
use retryproof_models::checking::{self, Limits, Outcome, Verdict};
use retryproof_models::claims::Claim;
use retryproof_models::conditions::Conditions;
use retryproof_models::scenarios::Scenario;

use crate::evidence::paint::Tone;
use crate::evidence::story::Story;
use crate::evidence::tellings::{tellings, Telling};
use crate::evidence::{scenario, wrap};
use crate::explore::{bounded, index, Opened, Place};

use super::conditions::{SizeFlags, WorldFlags};
use super::interrupt::Interrupt;
use super::names::{self, Explorable};
use super::numbers::port;
use super::output::Output;
use super::progress::Watcher;
use super::{Ending, Refused};

/// Look at worlds in Stateright's web explorer
///
/// Without a name there is an index of all scenarios and claims, each with a link that opens it.
/// For a scenario, and for a claim that expects a refutation, there is a link to every step of a
/// run. Flags change conditions of the claim, or of Apache Kafka 4.x. A world of any length is shown
/// with a few batches, so that numbers are real; with --batches any it is shown as it is. Ctrl-C ends
/// it.
#[derive(Args, Clone, Debug)]
pub struct Explore {
    /// The scenario or claim to look at, by its id or a part that no other has
    #[arg(value_name = "SCENARIO|CLAIM")]
    name: Option<String>,
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
        let found = match &self.name {
            None if self.has_flags() => None,
            None => return self.index(output, None),
            Some(name) if self.has_flags() => Some(names::claim(name)?),
            Some(name) => match names::explorable(name)? {
                Explorable::Scenario(scenario) => return self.index(output, Some(scenario)),
                Explorable::Claim(claim) => Some(claim),
            },
        };
        let base = found.map_or(Conditions::KAFKA, |claim| claim.conditions);
        let visit = Visit {
            claim: found,
            conditions: self.world.apply(self.size.apply(base))?,
            any_length: self.asks_for_any_length(base),
            address: self.listener()?.local_addr()?,
            interrupt: Interrupt::new(),
        };
        visit.show(output)
    }

    /// Whether any condition is given, be it the default.
    fn has_flags(&self) -> bool {
        self.size != SizeFlags::default() || self.world != WorldFlags::default()
    }

    /// Whether the flags ask for a world of any length, as a claim may be about.
    fn asks_for_any_length(&self, base: Conditions) -> bool {
        let asked = self.world.apply(self.size.apply(bounded(base, [])));
        asked.is_ok_and(|asked| asked.any_length())
    }

    /// The port, taken: Stateright's server fails without a word if it is not free.
    fn listener(&self) -> Result<TcpListener, Refused> {
        TcpListener::bind((Ipv4Addr::LOCALHOST, self.port)).map_err(|reason| Refused::Port {
            port: self.port,
            reason,
            other: match self.port {
                u16::MAX => 3000,
                port => port + 1,
            },
        })
    }

    /// Serves the index. Of a scenario every step is linked.
    fn index(&self, output: &mut Output, scenario: Option<&Scenario>) -> Result<Ending, Refused> {
        let listener = self.listener()?;
        let address = listener.local_addr()?;
        let title = match scenario {
            Some(scenario) => format!("{}: {}", scenario.id, scenario.title),
            None => "All scenarios and claims".to_owned(),
        };
        title_and_address(output, &title, address)?;
        if let Some(scenario) = scenario {
            links_of_scenario(output, scenario, address)?;
        }
        output.flush()?;
        let page = index::page().map_err(|error| Refused::Index(error.to_string()))?;
        Interrupt::new().is_the_end();
        index::serve(listener, &page).map_err(|error| Refused::Index(error.to_string()))?;
        Ok(Ending::AsExpected)
    }
}

fn title_and_address(output: &mut Output, title: &str, address: SocketAddr) -> io::Result<()> {
    let title = wrap::fill(title, output.width());
    writeln!(output, "{}", Tone::Strong.paint(title))?;
    writeln!(output, "http://{address}/  (Ctrl-C ends it)")
}

fn links_of_scenario(
    output: &mut Output,
    named: &Scenario,
    address: SocketAddr,
) -> Result<(), Refused> {
    for (act, number) in named.acts.iter().zip(1..) {
        let telling = scenario::Telling::of(act).map_err(|reason| Refused::Scenario {
            name: named.id,
            reason,
        })?;
        let title = match act.title {
            "" => act.conditions.to_string(),
            title => format!("{title} ({})", act.conditions),
        };
        let title = wrap::fill(&title, output.width());
        writeln!(output, "\n{}", Tone::Strong.paint(title))?;
        for told in &telling.steps {
            let link = index::step_link(named.id, number, told.number);
            let link = format!("http://{address}{link}");
            write_link(output, told.number, &told.step.text, &link)?;
        }
    }
    Ok(())
}

/// A step, and the link to it.
fn write_link(output: &mut Output, number: usize, text: &str, link: &str) -> io::Result<()> {
    let lines = wrap::hanging(&format!("{number:>2}  "), text, output.width());
    writeln!(output, "{lines}\n    {}", Tone::Dim.paint(link))
}

/// A world that is looked at, and where.
struct Visit {
    claim: Option<&'static Claim>,
    /// Conditions as they are claimed, or asked for.
    conditions: Conditions,
    /// Whether a world of any length is shown as such, with relative numbers.
    any_length: bool,
    address: SocketAddr,
    interrupt: Interrupt,
}

impl Visit {
    fn show(&self, output: &mut Output) -> Result<Ending, Refused> {
        let outcome = self.refutation();
        if self.interrupt.brake().is_pulled() {
            return Ok(Ending::Unknown);
        }
        let found = outcome.iter().flat_map(|outcome| &outcome.properties);
        let runs = found.filter_map(|found| found.counterexample.as_ref());
        let shown = match self.any_length {
            true => self.conditions,
            false => bounded(self.conditions, runs),
        };
        let world = Opened::new(&shown).map_err(|reason| Refused::NotExplorable {
            reason: reason.to_string(),
        })?;
        let name = self.claim.map_or("", |claim| claim.id.as_str());
        let title = format!("{name} {shown}");
        title_and_address(output, title.trim(), self.address)?;
        for telling in outcome
            .iter()
            .flat_map(|outcome| tellings(&outcome.properties))
        {
            if let Some(place) = world.place(telling.run) {
                self.links(output, &telling, &place)?;
            }
        }
        output.flush()?;
        self.interrupt.is_the_end();
        world.serve(self.address);
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
    fn links(&self, output: &mut Output, telling: &Telling<'_>, place: &Place) -> io::Result<()> {
        let title = wrap::fill(&telling.title(), output.width());
        writeln!(output, "\n{}", Tone::Strong.paint(title))?;
        for (step, number) in Story::of(telling.run).steps.iter().zip(1..) {
            let link = format!("http://{}/{}", self.address, place.fragment(number));
            write_link(output, number, &step.text, &link)?;
        }
        Ok(())
    }
}
