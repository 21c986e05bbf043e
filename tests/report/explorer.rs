//! The link of a run leads to the place that the explorer itself names.

use std::io::{BufRead, BufReader};
use std::net::{Ipv4Addr, TcpListener};
use std::process::{Command, Stdio};

use serde_json::Value;

use crate::{read, REPORT};

/// A claim about one broker, and one about a cluster.
const CLAIMS: [&str; 2] = ["in-flight-6-writes-duplicates", "acks-1"];

/// The links that the explorer of a claim names, but for the address.
fn links(claim: &str, count: usize) -> Vec<String> {
    let free = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a free port");
    let port = free.local_addr().expect("an address").port().to_string();
    drop(free);
    let mut child = Command::new(env!("CARGO_BIN_EXE_retryproof"))
        .args(["explore", claim, "--port", &port])
        .stdout(Stdio::piped())
        .spawn()
        .expect("the command starts");
    let lines = BufReader::new(child.stdout.take().expect("a pipe")).lines();
    let links = lines.map_while(Result::ok).filter_map(|line| {
        let (_, place) = line.split_once("/#/steps/")?;
        Some(format!("#/steps/{place}"))
    });
    let links = links.take(count).collect();
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
        let links = links(claim, steps);
        assert_eq!(run["explorer"].as_str(), links.last().map(String::as_str));
    }
}
