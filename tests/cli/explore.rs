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
