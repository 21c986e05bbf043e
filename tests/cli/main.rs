//! The command line, as a user meets it: what each command says, its JSON, its exit codes.

mod ask;
mod audit;
mod bad_input;
mod bring_your_own;
mod check;
mod explore;
mod frontier;
mod list;
mod mutants;
mod scenario;
mod shadow;
mod snapshot;
mod streams;
mod walks;

use assert_cmd::Command;
use serde_json::Value;

/// What a command did.
struct Said {
    code: i32,
    out: String,
    err: String,
}

impl Said {
    /// Asserts an exit code.
    #[track_caller]
    fn exits(self, code: i32) -> Self {
        assert_eq!(
            self.code, code,
            "stdout:\n{}\nstderr:\n{}",
            self.out, self.err
        );
        self
    }

    /// Asserts that stdout holds each of these, in this order.
    #[track_caller]
    fn tells<'t>(self, words: impl IntoIterator<Item = &'t str>) -> Self {
        let mut rest = self.out.as_str();
        for word in words {
            match rest.find(word) {
                Some(at) => rest = &rest[at + word.len()..],
                None => panic!(
                    "\"{word}\" is missing, or in another place, in\n{}",
                    self.out
                ),
            }
        }
        self
    }

    /// Stdout as JSON.
    #[track_caller]
    fn json(&self) -> Value {
        serde_json::from_str(&self.out).unwrap_or_else(|error| panic!("{error} in\n{}", self.out))
    }
}

/// The command, ready to be given arguments.
fn command() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_retryproof"));
    command.env_remove("CLICOLOR_FORCE").env_remove("NO_COLOR");
    command
}

/// Runs a command line, split at blanks.
fn retryproof(line: &str) -> Said {
    let output = command().args(line.split_whitespace()).output();
    let output = output.expect("the command starts");
    Said {
        code: output.status.code().expect("the command ends by itself"),
        out: String::from_utf8(output.stdout).expect("UTF-8"),
        err: String::from_utf8(output.stderr).expect("UTF-8"),
    }
}

/// The keys of a JSON object.
fn keys(value: &Value) -> Vec<&str> {
    let object = value.as_object().expect("an object");
    object.keys().map(String::as_str).collect()
}

/// Asserts that a JSON object has these keys at least.
#[track_caller]
fn assert_keys(value: &Value, wanted: &[&str]) {
    for key in wanted {
        assert!(value.get(key).is_some(), "no {key} in {:?}", keys(value));
    }
}
