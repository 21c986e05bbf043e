//! The real Kafka in a JVM of its own, by lines of JSON (`oracle/README.md`, `speed`).

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use serde::de::DeserializeOwned;
use serde::Deserialize;
use serde_json::{json, Value};

use crate::jvm::Kafka;
use crate::operations::Stream;

/// A heap with much room, ten times and more what producers with full windows take: the less
/// room, the more often garbage is collected. It does not grow while it is measured, and all its
/// pages are there from the start.
fn heap(producers: usize) -> [String; 3] {
    let mebibytes = 1024 + 4096 * producers / 1_000_000;
    let touched = "-XX:+AlwaysPreTouch".to_owned();
    [
        format!("-Xms{mebibytes}m"),
        format!("-Xmx{mebibytes}m"),
        touched,
    ]
}

/// How the JVM collects what is no longer used.
pub struct Collector {
    pub name: &'static str,
    flags: &'static [&'static str],
}

/// The one with which Kafka's state is fastest: it stops everything now and then, and costs
/// little in between.
pub const PARALLEL: Collector = Collector {
    name: "Parallel",
    flags: &["-XX:+UseParallelGC"],
};

/// The one that Kafka's start script takes, with the flags that it gives it and that matter here.
pub const G1: Collector = Collector {
    name: "G1",
    flags: &[
        "-XX:+UseG1GC",
        "-XX:MaxGCPauseMillis=20",
        "-XX:InitiatingHeapOccupancyPercent=35",
        "-XX:MaxInlineLevel=15",
    ],
};

/// What Kafka took for a round of operations.
#[derive(Deserialize)]
pub struct Round {
    pub nanoseconds: u64,
    /// For how long of that time garbage was collected.
    pub collecting_ms: u64,
    /// Of the operations, in hexadecimal digits.
    pub checksum: String,
    /// Sum of the last offsets that it answered.
    pub offsets: i64,
}

/// What producers take on the heap.
#[derive(Deserialize)]
pub struct Memory {
    pub bytes: i64,
    /// How many managers there were, each with all the producers.
    pub managers: i64,
}

/// A JVM. It ends with this.
pub struct Jvm {
    child: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
}

impl Jvm {
    /// With a heap for so many producers.
    pub fn start(kafka: &Kafka, collector: &Collector, producers: usize) -> Self {
        let words = shlex::split(&kafka.command_line("speed")).expect("a command line");
        let mut child = Command::new(&words[0])
            .args(heap(producers))
            .args(collector.flags)
            .args(&words[1..])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("java starts");
        let output = child.stdout.take().expect("a pipe");
        Jvm {
            input: child.stdin.take(),
            output: BufReader::new(output),
            child,
        }
    }

    /// Full windows of so many producers. Gives which JVM it is, and on which release of Kafka.
    pub fn fill(&mut self, producers: usize, seed: u64) -> String {
        let command = json!({"op": "start", "producers": producers, "seed": seed});
        let answer: Value = self.ask(&command);
        let word = |name: &str| answer[name].as_str().unwrap_or("?").to_owned();
        format!("Kafka {} on {}", word("kafka"), word("jvm"))
    }

    pub fn round(&mut self, stream: Stream, operations: usize) -> Round {
        self.ask(&json!({"op": "round", "stream": stream.word(), "operations": operations}))
    }

    pub fn memory(&mut self, producers: usize, batches: i32) -> Memory {
        self.ask(&json!({"op": "memory", "producers": producers, "batches": batches}))
    }

    fn ask<T: DeserializeOwned>(&mut self, command: &Value) -> T {
        let input = self.input.as_mut().expect("it is open until the end");
        writeln!(input, "{command}").expect("it reads");
        let mut answer = String::new();
        self.output.read_line(&mut answer).expect("it answers");
        serde_json::from_str(&answer).unwrap_or_else(|error| panic!("{command}: {answer}: {error}"))
    }
}

impl Drop for Jvm {
    /// Closes its input, after which it deletes its files and ends by itself.
    fn drop(&mut self) {
        drop(self.input.take());
        let _ = self.child.wait();
    }
}
