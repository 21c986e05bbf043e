//! The link of a run leads to the place that the explorer itself names.

use std::io::{BufRead, BufReader};
use std::net::{Ipv4Addr, TcpListener};
use std::process::{Command, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use serde_json::Value;

use crate::{read, REPORT};

/// A claim about one broker, and one about a cluster, whose name a scenario has too.
const CLAIMS: [&str; 2] = ["in-flight-6-writes-duplicates", "acks-1"];

/// So long it may take until a link is told: only a hang takes longer.
const HANG: Duration = Duration::from_secs(60);

/// The links that an explorer names, but for the address.
fn links(command: &str, count: usize) -> Vec<String> {
    let free = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a free port");
    let port = free.local_addr().expect("an address").port().to_string();
    drop(free);
    let mut child = Command::new(env!("CARGO_BIN_EXE_retryproof"))
        .args(command.split(' ').skip(1))
        .args(["--port", &port])
        .stdout(Stdio::piped())
        .spawn()
        .expect("the command starts");
    let lines = BufReader::new(child.stdout.take().expect("a pipe")).lines();
    let (told, tells) = mpsc::channel();
    thread::spawn(move || {
        for line in lines.map_while(Result::ok) {
            if let Some((_, place)) = line.split_once("/#/steps/") {
                // Nobody listens once there are enough.
                let _ = told.send(format!("#/steps/{place}"));
            }
        }
    });
    let links = (0..count).map_while(|_| tells.recv_timeout(HANG).ok());
    let links = links.collect();
    child.kill().expect("it serves until it is ended");
    child.wait().expect("its end");
    links
}

#[test]
fn a_run_stands_where_the_explorer_says() {
    let report: Value = serde_json::from_str(&read(&REPORT, "report.json")).expect("JSON");
    for claim in CLAIMS {
        let runs = report["runs"].as_array().expect("runs").iter();
        let run = runs.clone().find(|run| run["claim"] == claim);
        let run = run.expect("a run against the claim");
        let steps = run["steps"].as_array().expect("steps").len();
        let claims = report["claims"].as_array().expect("claims").iter();
        let told = claims.clone().find(|told| told["id"] == claim);
        let command = told.and_then(|told| told["explore"].as_str());
        let links = links(command.expect("a command"), steps);
        assert_eq!(run["explorer"].as_str(), links.last().map(String::as_str));
    }
}
