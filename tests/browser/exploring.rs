//! `retryproof explore` beside a test, and Stateright's page in the browser.

use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::process::Command;

use crate::support::{wait, Browser, Running};

/// `retryproof explore`.
pub struct Explorer {
    program: Running,
    /// Where it listens.
    pub url: String,
}

impl Explorer {
    /// Starts it, and waits until it has told its address and so many links to steps.
    pub fn start(arguments: &[&str], links: usize) -> Explorer {
        let port = free_port();
        let mut command = Command::new(env!("CARGO_BIN_EXE_retryproof"));
        let command = command.arg("explore").args(arguments);
        let program = Running::start(command.args(["--port", &port.to_string()]));
        let url = format!("http://{}:{port}/", Ipv4Addr::LOCALHOST);
        let explorer = Explorer { program, url };
        wait("its links", || {
            (explorer.links().len() == links).then_some(())
        });
        wait("its address", || explorer.tells_address().then_some(()));
        wait("the server", || {
            TcpStream::connect((Ipv4Addr::LOCALHOST, port)).ok()
        });
        explorer
    }

    fn tells_address(&self) -> bool {
        let lines = self.program.lines();
        let mut words = lines.iter().flat_map(|line| line.split_whitespace());
        words.any(|word| word == self.url)
    }

    /// The links to steps that it has told.
    pub fn links(&self) -> Vec<String> {
        let lines = self.program.lines();
        let words = lines.iter().flat_map(|line| line.split_whitespace());
        let links = words.filter(|word| word.starts_with(&self.url) && **word != self.url);
        links.map(str::to_owned).collect()
    }
}

fn free_port() -> u16 {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a free port");
    listener.local_addr().expect("an address").port()
}

/// Stateright's page.
pub struct Page<'a>(pub &'a Browser);

/// What the scripts see of it: the texts of the path, of the choices, of the state and of
/// the diagram.
const PAGE: &str = "
    const texts = selector => [...document.querySelectorAll(selector)].map(e => e.textContent.trim());
    const path = () => texts('ol.path-list a');
    const choices = () => texts('nav > ul:last-of-type a');
    const link = text => [...document.querySelectorAll('nav > ul:last-of-type a')]
        .find(e => e.textContent.trim() === text);
    const state = () => texts('section > div:last-of-type').join('');
    const diagram = () => texts('svg').join('');
";

impl Page<'_> {
    /// Waits until something is true of the page.
    pub fn wait_until(&self, condition: &str) {
        self.0.wait_until(&format!("{PAGE}return {condition}"));
    }

    /// Waits until the page stands after so many steps. Two entries of the path come before
    /// the first step.
    pub fn wait_for_steps(&self, steps: usize) {
        self.wait_until(&format!("path().length - 2 == {steps}"));
    }

    /// Takes a choice as soon as it is there: the page draws its choices again and again.
    pub fn choose(&self, choice: &str) {
        self.wait_until(&format!("(link('{choice}')?.click(), !!link('{choice}'))"));
    }
}

/// Errors but for icons: Stateright has none, for which every browser asks.
pub fn without_icons(mut errors: Vec<String>) -> Vec<String> {
    errors.retain(|message| !message.contains("favicon.ico"));
    errors
}
