//! The explorer: `retryproof explore` on the world of a small refuted claim.

use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::process::Command;

use crate::support::{wait, Browser, Running};

/// The claim whose world is opened, and the steps of the shortest run that refutes it.
const CLAIM: &str = "plain-producer-writes-duplicates";
const STEPS: usize = 5;

#[test]
fn the_explorer_shows_a_run_step_by_step() {
    let Some(browser) = Browser::start() else {
        return;
    };
    let explorer = Explorer::start();
    let page = Page(&browser);
    browser.open(&explorer.url);

    // Before the start, the start is all there is to choose.
    page.choose("Init 0");

    // There the producer has one choice, and the state is told as text.
    page.wait_until("choices().includes('producer: send')");
    page.wait_until("state().includes('producer unknown')");

    // A click on a choice takes the step.
    page.choose("producer: send");
    page.wait_until("path().includes('producer: send')");
    page.wait_until("choices().some(text => text.includes('deliver'))");
    page.wait_until("state().includes('on the wire')");

    // The link to the last step of the run that is told leads to the violation.
    let last = explorer.links().pop().expect("a link to the last step");
    browser.open(&last);
    // Two entries of the path come before the first step.
    page.wait_until(&format!("path().length - 2 == {STEPS}"));
    page.wait_until("state().includes('violated by this step: [\"no-duplicate\"]')");
    page.wait_until("diagram().includes('connection breaks')");
    page.wait_until("diagram().includes('violates no-duplicate')");
    browser.save_screenshot("explorer");

    // Stateright has no icon, for which every browser asks.
    let mut errors = browser.errors();
    errors.retain(|message| !message.contains("favicon.ico"));
    assert_eq!(
        errors,
        Vec::<String>::new(),
        "errors in the browser's console"
    );
}

/// `retryproof explore`.
struct Explorer {
    program: Running,
    url: String,
}

impl Explorer {
    fn start() -> Explorer {
        let port = free_port();
        let mut command = Command::new(env!("CARGO_BIN_EXE_retryproof"));
        let program = Running::start(command.args(["explore", CLAIM, "--port", &port.to_string()]));
        let url = format!("http://{}:{port}/", Ipv4Addr::LOCALHOST);
        let explorer = Explorer { program, url };
        wait("a link to every step", || {
            (explorer.links().len() == STEPS).then_some(())
        });
        let tells_url = |line: &String| line.contains(&explorer.url) && !line.contains("#/");
        assert!(
            explorer.program.lines().iter().any(tells_url),
            "the URL is not told"
        );
        wait("the server", || {
            TcpStream::connect((Ipv4Addr::LOCALHOST, port)).ok()
        });
        explorer
    }

    fn links(&self) -> Vec<String> {
        let lines = self.program.lines();
        let words = lines.iter().flat_map(|line| line.split_whitespace());
        let links = words.filter(|word| word.starts_with(&self.url) && word.contains("#/steps"));
        links.map(str::to_owned).collect()
    }
}

fn free_port() -> u16 {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a free port");
    listener.local_addr().expect("an address").port()
}

/// Stateright's page.
struct Page<'a>(&'a Browser);

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
    fn wait_until(&self, condition: &str) {
        self.0.wait_until(&format!("{PAGE}return {condition}"));
    }

    /// Takes a choice as soon as it is there: the page draws its choices again and again.
    fn choose(&self, choice: &str) {
        self.wait_until(&format!("(link('{choice}')?.click(), !!link('{choice}'))"));
    }
}
