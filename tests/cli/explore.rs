//! `retryproof explore`.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::process::{Child, Command, Stdio};

use crate::{command, retryproof};

/// A port that nobody listens on just now.
fn free_port() -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    listener.local_addr().expect("an address").port()
}

/// An explorer that is stopped when the test ends.
struct Explorer(Child);

impl Drop for Explorer {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// The body that the explorer answers with.
fn get(port: u16, path: &str) -> String {
    let mut attempts = 0;
    let mut stream = loop {
        match TcpStream::connect(("127.0.0.1", port)) {
            Ok(stream) => break stream,
            Err(_) if attempts < 100 => {
                attempts += 1;
                std::thread::sleep(std::time::Duration::from_millis(50));
            }
            Err(error) => panic!("{error}"),
        }
    };
    write!(
        stream,
        "GET {path} HTTP/1.1\r\nHost: test\r\nConnection: close\r\n\r\n"
    )
    .expect("sent");
    let mut answer = String::new();
    stream.read_to_string(&mut answer).expect("an answer");
    answer
}

#[test]
fn a_port_that_is_taken_is_refused() {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let port = listener.local_addr().expect("an address").port();
    let said = retryproof(&format!("explore --port {port}")).exits(2);
    assert_eq!(said.err.lines().count(), 1, "{}", said.err);
    assert!(
        said.err.contains(&format!("port {port} cannot be used")),
        "{}",
        said.err
    );
    assert!(said.err.contains("--port "), "{}", said.err);
}

#[test]
fn a_refuted_claim_comes_with_a_link_to_every_step() {
    let port = free_port();
    let mut child = Command::new(command().get_program())
        .args(["explore", "strict-2-1", "--port", &port.to_string()])
        .stdout(Stdio::piped())
        .spawn()
        .expect("the command starts");
    let stdout = child.stdout.take().expect("stdout");
    let _explorer = Explorer(child);
    let mut links = Vec::new();
    let mut title = String::new();
    for line in BufReader::new(stdout).lines() {
        let line = line.expect("a line");
        if line.contains("A shortest run") {
            title = line;
        } else if let Some((_, path)) = line.split_once("/#/steps") {
            links.push(path.to_owned());
        }
        if !title.is_empty() && title.contains(&format!("in {} steps", links.len())) {
            break;
        }
    }
    assert!(get(port, "/").contains("Stateright"), "no explorer");
    let last = links.last().expect("links");
    let (before, _) = last.rsplit_once('/').expect("a path");
    let states = get(port, &format!("/.states{before}"));
    assert!(states.contains("violated by this step"), "{last}: {states}");
}

#[test]
fn a_name_that_is_not_known_or_not_enough_is_refused() {
    let said = retryproof("explore dedup-against-plane").exits(2);
    assert!(
        said.err.contains("no scenario or claim is called"),
        "{}",
        said.err
    );
    assert!(
        said.err.contains("nearest: dedup-against-plain"),
        "{}",
        said.err
    );
    let said = retryproof("explore in-flight").exits(2);
    assert!(said.err.contains("say which"), "{}", said.err);
    // With flags there is no run to show, so a name is that of a claim.
    let said = retryproof("explore dedup-against-plain --window 2").exits(2);
    assert!(said.err.contains("no claim is called"), "{}", said.err);
    // So too where the flag says what is the default.
    let said = retryproof("explore dedup-against-plain --window 5").exits(2);
    assert!(said.err.contains("no claim is called"), "{}", said.err);
}

#[test]
fn a_scenario_comes_with_links_that_lead_to_its_steps() {
    let port = free_port();
    let mut child = Command::new(command().get_program())
        .args(["explore", "expiry", "--port", &port.to_string()])
        .stdout(Stdio::piped())
        .spawn()
        .expect("the command starts");
    let stdout = child.stdout.take().expect("stdout");
    let _explorer = Explorer(child);
    let lines = BufReader::new(stdout)
        .lines()
        .map(|line| line.expect("a line"));
    let address = format!("http://127.0.0.1:{port}");
    let links = lines.filter_map(|line| Some(line.trim().strip_prefix(&address)?.to_owned()));
    let links: Vec<String> = links
        .filter(|link| link.starts_with("/go/"))
        .take(7)
        .collect();
    for (link, step) in links.iter().zip(1..) {
        assert_eq!(*link, format!("/go/expiry/1/{step}"));
        let answer = get(port, link);
        let place = answer.lines().find(|line| line.starts_with("Location: "));
        let place = place.unwrap_or_else(|| panic!("no place in {answer}"));
        let (_, steps) = place.split_once("#/steps/0").expect("a place");
        assert_eq!(steps.matches('/').count(), step, "{place}");
    }
    assert!(get(port, "/").contains("expiry-lets-a-zombie-in"));
    for nowhere in ["/go/expiry/2/1", "/go/expiry/1/8", "/claim/none", "/other"] {
        let answer = get(port, nowhere);
        assert!(answer.starts_with("HTTP/1.1 404"), "{nowhere}: {answer}");
    }
}
