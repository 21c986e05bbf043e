//! Explorers that are started when they are first asked for, one for each world.

use std::collections::BTreeMap;
use std::io;
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::thread;
use std::time::{Duration, Instant};

use retryproof_models::claims::registry;
use retryproof_models::conditions::Conditions;
use retryproof_models::scenarios::{self, NotRunnable};
use thiserror::Error;

use super::super::{bounded, NotExplorable, Opened};

/// How long an explorer may take to start.
const START: Duration = Duration::from_secs(10);

/// Why a link leads nowhere.
#[derive(Debug, Error)]
pub enum Nowhere {
    /// It is no link of the index.
    #[error("there is no such page; the index has all that there are")]
    NoSuchPage,
    /// A scenario does not run.
    #[error(transparent)]
    NotRunnable(#[from] NotRunnable),
    /// A world has no form that can be looked at.
    #[error("this world cannot be explored: {0}")]
    NotExplorable(#[from] NotExplorable),
    /// A run is no path of its world.
    #[error("the run is no path of this world: a defect, please report it")]
    NoPlace,
    /// No explorer could be started.
    #[error("no explorer could be started: {0}")]
    NotStarted(#[from] io::Error),
}

/// The explorers that run, by the conditions of their worlds.
#[derive(Default)]
pub struct Worlds(BTreeMap<String, SocketAddr>);

impl Worlds {
    /// The place in an explorer that a link of the index leads to. The explorer is started
    /// if it does not run yet.
    ///
    /// # Errors
    /// If the link leads nowhere.
    pub fn follow(&mut self, link: &str) -> Result<String, Nowhere> {
        let parts: Vec<&str> = link.split('/').skip(1).collect();
        match parts[..] {
            ["go", scenario, act, step] => self.step(scenario, number(act)?, number(step)?),
            ["claim", claim] => self.claim(claim),
            _ => Err(Nowhere::NoSuchPage),
        }
    }

    fn step(&mut self, scenario: &str, act: usize, step: usize) -> Result<String, Nowhere> {
        let scenario = scenarios::find(scenario).ok_or(Nowhere::NoSuchPage)?;
        let act = act.checked_sub(1).and_then(|act| scenario.acts.get(act));
        let act = act.ok_or(Nowhere::NoSuchPage)?;
        let run = act.run()?;
        if step > run.len() {
            return Err(Nowhere::NoSuchPage);
        }
        let world = Opened::new(&act.conditions)?;
        let place = world.place(&run).ok_or(Nowhere::NoPlace)?;
        let address = self.start(&act.conditions, world)?;
        Ok(format!("http://{address}/{}", place.fragment(step)))
    }

    fn claim(&mut self, id: &str) -> Result<String, Nowhere> {
        let claim = registry().iter().find(|claim| claim.id == id);
        let conditions = bounded(claim.ok_or(Nowhere::NoSuchPage)?.conditions, []);
        let address = self.start(&conditions, Opened::new(&conditions)?)?;
        Ok(format!("http://{address}/#/steps/0"))
    }

    /// The address of the explorer of a world.
    fn start(&mut self, conditions: &Conditions, world: Opened) -> Result<SocketAddr, Nowhere> {
        let key = conditions.flags();
        if let Some(address) = self.0.get(&key) {
            return Ok(*address);
        }
        let address = free_address()?;
        thread::Builder::new().spawn(move || world.serve(address))?;
        wait_for(address)?;
        self.0.insert(key, address);
        Ok(address)
    }
}

fn number(part: &str) -> Result<usize, Nowhere> {
    part.parse().map_err(|_| Nowhere::NoSuchPage)
}

/// An address that nobody listens on just now: Stateright's server binds it itself.
fn free_address() -> io::Result<SocketAddr> {
    TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?.local_addr()
}

/// Waits until somebody listens at an address.
fn wait_for(address: SocketAddr) -> io::Result<()> {
    let start = Instant::now();
    loop {
        match TcpStream::connect(address) {
            Ok(_) => return Ok(()),
            Err(error) if start.elapsed() > START => return Err(error),
            Err(_) => thread::sleep(Duration::from_millis(5)),
        }
    }
}
