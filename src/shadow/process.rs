//! Another program as a subject, over its standard input and output, in lines of JSON.
//!
//! Each line that it gets is answered by one line before it gets the next:
//!
//! | it gets | it answers |
//! |---|---|
//! | `{"op":"start","profile":"kafka","window":5,"expiry_ms":86400000}` | `{"ok":true}`; it begins anew with an empty log, as often as it is told to |
//! | an operation, as cases write it: `{"op":"append","pid":9000,"epoch":0,"seq":0,"n":3,"ts":0}` | the answer, as cases write it: `{"append":[0,2]}`, `{"dup":[0,2]}`, `{"error":"OUT_OF_ORDER_SEQUENCE_NUMBER"}`, `{"ok":true}` |
//!
//! An answer may say what is known then, of all producers and not only of those that
//! changed: `"state":{"9000":[0,0,[[0,2,0,2]]]}`. Without it only answers are compared.
//!
//! The answer to `start` may say which operations mean anything to the program:
//! `"supports":["append","plain"]`. `"replica"` stands for batches with an `origin`, `"fate"`
//! for batches with any `fate`, and the name of a fate for batches with this one. Without it
//! all do. `examples/subject.rs` is such a program.
//!
//! A line is at most 1 MiB long, and one that comes before it was asked for is a failure.
//!
//! What the program writes to its standard error is left to be read by a person.

mod group;
mod lines;
mod running;

use std::time::Duration;

use retryproof_models::checking::Brake;
use retryproof_models::specification::{Answer, Fate, Operation, Origin, Profile, Settings, State};
use serde::Serialize;
use serde_json::Value;

use super::kind::kind;
use super::subject::{StateManager, SubjectFailure};

use running::{Running, Wait};

/// How long a program may think about one line, unless said otherwise.
pub const PATIENCE: Duration = Duration::from_secs(10);
/// Most characters of a line that are told.
const TOLD: usize = 200;

/// A program that speaks lines of JSON. It is ended when this is dropped.
#[derive(Debug)]
pub struct Process {
    words: Vec<String>,
    wait: Wait,
    running: Option<Running>,
    /// The state that came with the last answer.
    state: Option<State>,
    /// What it supports; `None` for everything.
    supported: Option<Vec<String>>,
}

impl Process {
    /// The program of this command line. It is split at blanks, except within quotes, as
    /// shells do; no shell is involved. `None` if a quote is not closed, or there is
    /// nothing. It is started when the first walk is.
    pub fn of_command_line(line: &str) -> Option<Self> {
        let words = shlex::split(line)?;
        (!words.is_empty()).then(|| Process {
            words,
            wait: Wait {
                patience: PATIENCE,
                brake: Brake::default(),
            },
            running: None,
            state: None,
            supported: None,
        })
    }

    /// The same program, which may think so long about one line.
    #[must_use]
    pub fn with_patience(mut self, patience: Duration) -> Self {
        self.wait.patience = patience;
        self
    }

    /// The same program, for which one waits only until the brake is pulled.
    #[must_use]
    pub fn with_brake(mut self, brake: Brake) -> Self {
        self.wait.brake = brake;
        self
    }

    /// Sends a line and waits for the answer. After a failure the program is ended.
    pub(crate) fn ask(&mut self, line: &str) -> Result<Value, SubjectFailure> {
        let mut running = match self.running.take() {
            Some(running) => running,
            None => Running::start(&self.words)?,
        };
        let answer = running.ask(line, &self.wait)?;
        self.running = Some(running);
        Ok(answer)
    }
}

impl StateManager for Process {
    fn name(&self) -> String {
        self.words.join(" ")
    }

    fn start(&mut self, settings: &Settings) -> Result<(), SubjectFailure> {
        let line = to_line(&Start::of(settings))?;
        let not_started = |failure: SubjectFailure| match failure {
            SubjectFailure::NotStarted(_) => failure,
            other => SubjectFailure::NotStarted(other.to_string()),
        };
        let mut answer = self.ask(&line).map_err(not_started)?;
        if answer.get("ok") != Some(&Value::Bool(true)) {
            let reason = &r#"to "start" it must say "ok":true"#;
            return Err(not_started(unreadable(reason, &answer, &line)));
        }
        let supported = answer.get_mut("supports").map(Value::take);
        let unreadable = |reason| not_started(unreadable(&reason, &answer, &line));
        self.supported = supported
            .map(serde_json::from_value)
            .transpose()
            .map_err(unreadable)?;
        self.state = None;
        Ok(())
    }

    fn apply(&mut self, operation: &Operation) -> Result<Answer, SubjectFailure> {
        let line = to_line(operation)?;
        let mut reply = self.ask(&line)?;
        let told = reply.clone();
        let unreadable = |reason| unreadable(&reason, &told, &line);
        let state = reply
            .as_object_mut()
            .and_then(|fields| fields.remove("state"));
        self.state = state
            .map(serde_json::from_value)
            .transpose()
            .map_err(unreadable)?;
        serde_json::from_value(reply).map_err(unreadable)
    }

    fn state(&mut self) -> Result<Option<State>, SubjectFailure> {
        Ok(self.state.take())
    }

    fn supports(&self, operation: &Operation) -> bool {
        let Some(supported) = &self.supported else {
            return true;
        };
        let named = |name: &str| supported.iter().any(|supported| supported == name);
        let (origin, fate) = match *operation {
            Operation::Append { origin, fate, .. } => (origin, fate),
            Operation::Marker { origin, .. } => (origin, Fate::Kept),
            _ => (Origin::Client, Fate::Kept),
        };
        named(kind(operation))
            && (origin == Origin::Client || named("replica"))
            && name_of(fate).is_none_or(|name| named("fate") || named(name))
    }
}

/// The line that a walk begins with.
#[derive(Serialize)]
struct Start {
    op: &'static str,
    profile: &'static str,
    window: usize,
    expiry_ms: i64,
}

impl Start {
    fn of(settings: &Settings) -> Self {
        Start {
            op: "start",
            profile: match settings.profile {
                Profile::Kafka => "kafka",
                Profile::Hardened => "hardened",
            },
            window: settings.window,
            expiry_ms: settings.expiry_ms,
        }
    }
}

/// A fate as JSON names it; none for a batch that is simply kept.
fn name_of(fate: Fate) -> Option<&'static str> {
    match fate {
        Fate::Kept => None,
        Fate::Dropped => Some("dropped"),
        Fate::CrashBeforeWrite => Some("crash_before_write"),
        Fate::CrashAfterWrite => Some("crash_after_write"),
    }
}

fn to_line(value: &impl Serialize) -> Result<String, SubjectFailure> {
    serde_json::to_string(value).map_err(SubjectFailure::because)
}

fn unreadable(reason: &impl std::fmt::Display, answer: &Value, sent: &str) -> SubjectFailure {
    let answer = shortened(&answer.to_string());
    SubjectFailure::Failed(format!(
        "it answered {answer}, which cannot be read ({reason}); the last line sent was {sent}"
    ))
}

fn shortened(text: &str) -> String {
    match text.char_indices().nth(TOLD) {
        Some((end, _)) => format!("{} …", &text[..end]),
        None => text.to_owned(),
    }
}
