//! Whether there is a Java and the real Apache Kafka for it.
//!
//! Without them a test says that it was skipped and passes; with `RETRYPROOF_REQUIRE_JVM=1`
//! it fails then.

use std::env;
use std::io::Write;
use std::path::{Path, PathBuf};

/// The releases of Kafka that `oracle/` can be built for, each with the command that does.
pub const RELEASES: [(&str, &str); 2] = [
    ("4.3.1", "mvn -q package"),
    ("4.4.0", "mvn -q -P newest package"),
];

/// A release of the real Kafka that can be started.
pub struct Kafka {
    pub release: &'static str,
    jar: PathBuf,
}

impl Kafka {
    /// The command line of one of its programs, as shells split it.
    pub fn command_line(&self, program: &str) -> String {
        format!("java -jar '{}' {program}", self.jar.display())
    }
}

/// This release, or none after it was said why.
pub fn kafka(release: &'static str) -> Option<Kafka> {
    match find(release) {
        Ok(kafka) => Some(kafka),
        Err(reason) => {
            skip(&reason);
            None
        }
    }
}

/// All releases that there are.
pub fn every_kafka() -> impl Iterator<Item = Kafka> {
    RELEASES.iter().filter_map(|(release, _)| kafka(release))
}

fn find(release: &'static str) -> Result<Kafka, String> {
    let path = env::var_os("PATH").unwrap_or_default();
    if !env::split_paths(&path).any(|directory| directory.join("java").is_file()) {
        return Err("the PATH has no java: install Java 17 or later".to_owned());
    }
    let oracle = Path::new(env!("CARGO_MANIFEST_DIR")).join("oracle");
    let jar = oracle.join(format!("target/{release}/oracle.jar"));
    if jar.is_file() {
        return Ok(Kafka { release, jar });
    }
    let build = RELEASES.iter().find(|(known, _)| *known == release);
    let build = build.map_or("mvn -q package", |(_, build)| build);
    Err(format!(
        "there is no oracle/target/{release}/oracle.jar: run `{build}` in oracle/"
    ))
}

/// Says so past the harness, which keeps the output of tests that pass to itself.
fn skip(reason: &str) {
    assert!(
        env::var_os("RETRYPROOF_REQUIRE_JVM").is_none(),
        "RETRYPROOF_REQUIRE_JVM is set, but {reason}"
    );
    let _ = writeln!(std::io::stdout(), "skipped, because {reason}");
}
