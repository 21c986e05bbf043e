//! Lines to a program of the oracle and back, for what is no subject's business.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use serde_json::Value;

use crate::jvm::Kafka;

/// A program that answers. It ends with this.
pub struct Conversation {
    child: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
}

impl Conversation {
    pub fn with(kafka: &Kafka, program: &str) -> Self {
        let words = shlex::split(&kafka.command_line(program)).expect("a command line");
        let mut child = Command::new(&words[0])
            .args(&words[1..])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("java starts");
        let output = child.stdout.take().expect("a pipe");
        Conversation {
            input: child.stdin.take(),
            output: BufReader::new(output),
            child,
        }
    }

    /// Sends a line and gives the one that comes back.
    pub fn say(&mut self, line: &str) -> Value {
        let input = self.input.as_mut().expect("it is open until the end");
        writeln!(input, "{line}").expect("it reads");
        let mut answer = String::new();
        self.output.read_line(&mut answer).expect("it answers");
        serde_json::from_str(&answer).unwrap_or_else(|error| panic!("{line}: {answer}: {error}"))
    }

    /// The same for what must be done: its answer is not `bad`.
    #[track_caller]
    pub fn ask(&mut self, command: &Value) -> Value {
        let answer = self.say(&command.to_string());
        assert_eq!(answer.get("bad"), None, "{command}");
        answer
    }
}

impl Drop for Conversation {
    /// Closes its input, after which it deletes its files and ends by itself.
    fn drop(&mut self) {
        drop(self.input.take());
        let _ = self.child.wait();
    }
}
