//! The broker as a process of its own.

use std::env;
use std::io::BufReader;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

const SIGKILL: i32 = 9;

/// A running broker.
pub struct Broker {
    pub process: Child,
    pub requests: ChildStdin,
    pub answers: BufReader<ChildStdout>,
}

impl Broker {
    /// Starts it on a directory.
    pub fn start(directory: &Path) -> Self {
        Broker::run(Command::new(program()).arg(directory))
    }

    /// Starts it by a command that ends up in the program of the broker.
    pub fn run(command: &mut Command) -> Self {
        let piped = command.stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut process = piped.spawn().expect("the example can be started");
        let requests = process.stdin.take().expect("it is piped");
        let answers = process.stdout.take().expect("it is piped");
        Broker {
            process,
            requests,
            answers: BufReader::new(answers),
        }
    }

    /// Lets it come to its end: there are no more requests.
    pub fn stop(self) {
        let mut process = self.process;
        drop(self.requests);
        let status = process.wait().expect("it was started");
        assert!(status.success(), "the broker ended with {status}");
    }
}

/// Kills it, and sees to it that it did not end by itself before.
pub fn kill(process: &mut Child) {
    process.kill().expect("it was not waited for");
    let status = process.wait().expect("it was started");
    assert_eq!(status.signal(), Some(SIGKILL), "it ended with {status}");
}

/// Where cargo puts examples: beside the directory of the test that runs.
pub fn program() -> PathBuf {
    let test = env::current_exe().expect("a running test has a file");
    let beside = test.parent().and_then(Path::parent).expect("target/…/deps");
    let program = beside.join("examples").join("broker");
    assert!(
        program.exists(),
        "{} is missing: `cargo test` builds it, `cargo test --test broker_kill` does not; \
         run `cargo build --example broker` first, with the same profile and target directory",
        program.display()
    );
    program
}
