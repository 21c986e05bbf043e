//! The page that plays a scenario: `retryproof scenario NAME --html FILE`.

mod reading;
mod stepping;

use std::path::PathBuf;
use std::process::Command;

use serde_json::Value;

use crate::support::{in_target, Browser};

/// A run with one broker, and how many steps it has; one with several acts; one of a cluster
/// with many lifelines.
const ONE_BROKER: &str = "in-flight-6";
const STEPS: u64 = 19;
const ACTS: &str = "dedup-against-plain";
const CLUSTER: &str = "clean-failover";

/// The address of the page of a scenario, and the line that embeds it. Each test has its own.
fn page(test: &str, scenario: &str) -> (String, String) {
    let file: PathBuf = in_target("pages").join(format!("{test}-{scenario}.html"));
    let mut command = Command::new(env!("CARGO_BIN_EXE_retryproof"));
    let command = command.args(["scenario", scenario, "--html"]).arg(&file);
    let output = command.output().expect("the command runs");
    assert!(output.status.success(), "{output:?}");
    let embedding = String::from_utf8(output.stdout).expect("text");
    (format!("file://{}", file.display()), embedding)
}

/// The page of a scenario, opened.
fn opened(test: &str, scenario: &str, hash: &str) -> Option<(Browser, String)> {
    let browser = Browser::start()?;
    let (url, _) = page(test, scenario);
    browser.open(&format!("{url}{hash}"));
    Some((browser, url))
}

/// The number of the step that is shown; nothing if not exactly one is.
fn shown(browser: &Browser) -> Option<u64> {
    let numbers = browser.run(
        "return [...document.querySelectorAll('.step')]
            .filter(step => step.getClientRects().length)
            .map(step => Number(step.dataset.step))",
    );
    match numbers.as_array()?.as_slice() {
        [number] => number.as_u64(),
        _ => None,
    }
}

/// What follows the # in the address.
fn hash(browser: &Browser) -> String {
    let hash = browser.run("return location.hash");
    hash.as_str().unwrap_or_default().to_owned()
}

fn is_true(browser: &Browser, script: &str) -> bool {
    browser.run(&format!("return {script}")) == Value::Bool(true)
}
