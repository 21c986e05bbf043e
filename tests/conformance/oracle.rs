//! The real Apache Kafka as a process that answers lines of JSON (`oracle/`).

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::{LazyLock, Mutex, MutexGuard, PoisonError};

use serde_json::Value;

use crate::jvm::{self, Kafka};

/// A release of Kafka, with the processes that run it.
pub struct Release {
    kafka: Kafka,
    log: Mutex<Option<Oracle>>,
    client: Mutex<Option<Oracle>>,
}

/// Which part of Kafka answers.
#[derive(Clone, Copy, Debug)]
pub enum What {
    /// A partition's log.
    Log,
    /// Clients, connected to logs.
    Client,
}

static RELEASES: LazyLock<Vec<Release>> = LazyLock::new(|| {
    let found = jvm::every_kafka().map(|kafka| Release {
        kafka,
        log: Mutex::new(None),
        client: Mutex::new(None),
    });
    found.collect()
});

/// The releases that there are. Of one that is missing it is said why.
///
/// # Panics
/// If one is missing and all are required.
pub fn releases() -> &'static [Release] {
    &RELEASES
}

impl Release {
    /// The last part of the names of tests on it.
    pub fn test_name(&self) -> String {
        format!("on_kafka_{}", self.kafka.release.replace('.', "_"))
    }

    /// Does something with the process for this part. It is started if it does not run, and
    /// ended if this fails.
    ///
    /// # Errors
    /// If it cannot be started, and whatever is done fails with.
    pub fn with(
        &self,
        what: What,
        act: impl FnOnce(&mut Oracle) -> Result<(), String>,
    ) -> Result<(), String> {
        let mut running = self.process(what);
        let mut oracle = match running.take() {
            Some(oracle) => oracle,
            None => Oracle::start(&self.kafka, what)?,
        };
        act(&mut oracle)?;
        *running = Some(oracle);
        Ok(())
    }

    fn process(&self, what: What) -> MutexGuard<'_, Option<Oracle>> {
        let process = match what {
            What::Log => &self.log,
            What::Client => &self.client,
        };
        process.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A running process. It is ended when this is dropped.
pub struct Oracle {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Oracle {
    fn start(kafka: &Kafka, what: What) -> Result<Self, String> {
        let program = match what {
            What::Log => "log",
            What::Client => "client",
        };
        // The command line is one for shells; the program takes the place of this one.
        let mut command = Command::new("sh");
        command.args(["-c", &format!("exec {}", kafka.command_line(program))]);
        let pipes = command.stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = pipes.spawn().map_err(|error| format!("sh: {error}"))?;
        let (input, output) = (child.stdin.take(), child.stdout.take());
        let (Some(input), Some(output)) = (input, output) else {
            return Err("the oracle has no pipes".to_owned());
        };
        Ok(Oracle {
            child,
            input,
            output: BufReader::new(output),
        })
    }

    /// Sends a command and gives the answer.
    ///
    /// # Errors
    /// If it has no answer, or calls the command bad.
    pub fn ask(&mut self, command: &Value) -> Result<Value, String> {
        let mut answer = String::new();
        writeln!(self.input, "{command}")
            .and_then(|()| self.input.flush())
            .and_then(|()| self.output.read_line(&mut answer))
            .map_err(|error| format!("{command}: {error}"))?;
        let answer: Value = serde_json::from_str(&answer)
            .map_err(|error| format!("{command} is answered by {answer:?}: {error}"))?;
        match answer.get("bad") {
            Some(reason) => Err(format!("{command} is bad: {reason}")),
            None => Ok(answer),
        }
    }
}

impl Drop for Oracle {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
