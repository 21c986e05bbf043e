//! A program that runs: a line to it, a line from it.

use std::fmt::Display;
use std::process::{Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender};
use std::time::{Duration, Instant};

use retryproof_models::checking::Brake;
use serde_json::Value;

use super::group::Group;
use super::lines::{self, NoLine};
use super::{shortened, unreadable};
use crate::shadow::subject::SubjectFailure;

/// How often one looks at the brake.
const SLICE: Duration = Duration::from_millis(100);
/// How long a program that closed its input or output has to end by itself, which it is told
/// by. One that dies closes them as it does.
const DYING: Duration = Duration::from_secs(1);

/// How long a program is waited for.
#[derive(Clone, Debug)]
pub(super) struct Wait {
    pub(super) patience: Duration,
    pub(super) brake: Brake,
}

/// A program that runs. It is ended when this is dropped.
#[derive(Debug)]
pub(super) struct Running {
    group: Group,
    /// What it is to get, line by line.
    input: SyncSender<String>,
    /// That it got a line; no more comes once it has closed its input.
    written: Receiver<()>,
    /// What it writes, line by line; no more comes once it has closed its output.
    lines: Receiver<Result<String, NoLine>>,
}

/// Why nothing came.
enum Nothing {
    /// Nothing will: the other side is closed.
    Closed,
    /// It took too long.
    Late,
    /// The brake was pulled.
    Braked,
}

impl Running {
    pub(super) fn start(words: &[String]) -> Result<Self, SubjectFailure> {
        let not_started = |reason: &dyn Display| {
            SubjectFailure::NotStarted(format!("{} ({reason})", words.join(" ")))
        };
        let (program, arguments) = words
            .split_first()
            .ok_or_else(|| not_started(&"no command"))?;
        let mut command = Command::new(program);
        command
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped());
        let mut group = Group::start(&mut command).map_err(|error| not_started(&error))?;
        let child = group.child();
        let (Some(input), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(not_started(&"it has no input and output"));
        };
        let (input, written) = lines::write(input);
        Ok(Running {
            group,
            input,
            written,
            lines: lines::read(output),
        })
    }

    /// Sends a line and waits for the answer, for both together no longer than this.
    pub(super) fn ask(&mut self, line: &str, wait: &Wait) -> Result<Value, SubjectFailure> {
        if let Ok(unasked) = self.lines.try_recv() {
            return Err(self.unasked(&unasked, line));
        }
        let deadline = Instant::now() + wait.patience;
        if self.input.send(format!("{line}\n")).is_err() {
            return Err(self.ended("", line));
        }
        let answer = receive(&self.written, deadline, &wait.brake)
            .and_then(|()| receive(&self.lines, deadline, &wait.brake));
        let answer = match answer {
            Ok(Ok(answer)) => answer,
            Ok(Err(NoLine::Cut(half))) => {
                let place = format!(" in the middle of the line {}", shortened(&half));
                return Err(self.ended(&place, line));
            }
            Ok(Err(NoLine::Unreadable(reason))) => {
                let told = format!("{reason}; the last line sent was {line}");
                return Err(SubjectFailure::Failed(told));
            }
            Err(Nothing::Closed) => return Err(self.ended("", line)),
            Err(Nothing::Braked) => return Err(SubjectFailure::Cut),
            Err(Nothing::Late) => {
                return Err(SubjectFailure::Silent {
                    seconds: wait.patience.as_secs(),
                    sent: line.to_owned(),
                })
            }
        };
        serde_json::from_str(&answer)
            .map_err(|reason| unreadable(&reason, &Value::String(answer), line))
    }

    /// It closed its input or its output, in this place: how it ended. If it goes on without
    /// the one or the other there is nothing to wait for.
    fn ended(&mut self, place: &str, sent: &str) -> SubjectFailure {
        let how = match self.group.ended_by(Instant::now() + DYING) {
            Ok(Some(status)) => status.to_string(),
            Err(error) => error.to_string(),
            Ok(None) => {
                return SubjectFailure::Closed {
                    place: place.to_owned(),
                    sent: sent.to_owned(),
                }
            }
        };
        SubjectFailure::Failed(format!(
            "it ended ({how}){place}; the last line sent was {sent}"
        ))
    }

    /// A line came that nobody had asked for, or the beginning of one.
    fn unasked(&self, unasked: &Result<String, NoLine>, next: &str) -> SubjectFailure {
        let what = match unasked {
            Ok(line) => format!("it wrote {}", shortened(line)),
            Err(NoLine::Cut(half)) => format!("it wrote {} and closed its output", shortened(half)),
            Err(NoLine::Unreadable(reason)) => reason.clone(),
        };
        SubjectFailure::Failed(format!(
            "{what} before it was asked; the next line to be sent was {next}"
        ))
    }
}

/// What comes next, unless it comes too late or the brake is pulled before.
fn receive<T>(from: &Receiver<T>, deadline: Instant, brake: &Brake) -> Result<T, Nothing> {
    loop {
        let left = deadline.saturating_duration_since(Instant::now());
        match from.recv_timeout(left.min(SLICE)) {
            Ok(it) => return Ok(it),
            Err(RecvTimeoutError::Disconnected) => return Err(Nothing::Closed),
            Err(RecvTimeoutError::Timeout) if brake.is_pulled() => return Err(Nothing::Braked),
            Err(RecvTimeoutError::Timeout) if left <= SLICE => return Err(Nothing::Late),
            Err(RecvTimeoutError::Timeout) => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn running(program: &str) -> Running {
        let words = ["sh", "-c", program].map(str::to_owned);
        Running::start(&words).expect("it starts")
    }

    fn a_second() -> Wait {
        Wait {
            patience: Duration::from_secs(1),
            brake: Brake::default(),
        }
    }

    #[test]
    fn one_that_does_not_read_is_not_waited_for_longer_than_one_that_does_not_write() {
        // More than a pipe holds.
        let line = "x".repeat(1 << 20);
        let begin = Instant::now();
        let failure = running("exec sleep 60").ask(&line, &a_second());
        assert!(matches!(failure, Err(SubjectFailure::Silent { .. })));
        assert!(begin.elapsed() < Duration::from_secs(5));
    }

    #[test]
    fn what_comes_unasked_is_a_failure() {
        let mut running = running(r#"read line; echo 1; echo "{\"ok\":true}"; read line"#);
        assert_eq!(running.ask("{}", &a_second()), Ok(Value::from(1)));
        std::thread::sleep(Duration::from_millis(500));
        let failure = running.ask("{}", &a_second()).expect_err("unasked");
        let told = failure.to_string();
        let wanted = r#"it wrote {"ok":true} before it was asked"#;
        assert!(told.contains(wanted), "{told}");
    }

    #[test]
    fn a_pulled_brake_ends_waiting() {
        let wait = Wait {
            patience: Duration::from_secs(60),
            ..a_second()
        };
        wait.brake.pull();
        let failure = running("exec sleep 60").ask("{}", &wait);
        assert_eq!(failure, Err(SubjectFailure::Cut));
    }
}
