//! The oracle's client as a program that is asked line by line, and what tests want to say to it.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::{LazyLock, Mutex, PoisonError};

use serde_json::{json, Value};

use crate::jvm;

/// One program for each release of Kafka that there is: they take turns with the tests.
static PROGRAMS: LazyLock<Vec<Mutex<Program>>> = LazyLock::new(|| {
    jvm::every_kafka()
        .map(|kafka| Mutex::new(Program::start(&kafka)))
        .collect()
});

/// A schedule on every release of Kafka that is there.
pub fn on_every_kafka(settings: Value, schedule: impl Fn(&mut World)) {
    for program in PROGRAMS.iter() {
        let mut program = program.lock().unwrap_or_else(PoisonError::into_inner);
        let mut world = World::start(&mut program, &settings);
        schedule(&mut world);
    }
}

/// The oracle.
struct Program {
    release: &'static str,
    process: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Program {
    fn start(kafka: &jvm::Kafka) -> Program {
        // It ends by itself when its input does.
        let mut process = Command::new("sh")
            .args(["-c", &format!("exec {}", kafka.command_line("client"))])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("a shell");
        Program {
            release: kafka.release,
            input: process.stdin.take().expect("it was asked for"),
            output: BufReader::new(process.stdout.take().expect("it was asked for")),
            process,
        }
    }

    fn ask(&mut self, command: &Value) -> Value {
        writeln!(self.input, "{command}").expect("the oracle reads");
        let mut line = String::new();
        self.output
            .read_line(&mut line)
            .expect("the oracle answers");
        if line.is_empty() {
            let ended = self.process.wait();
            panic!("{}: the oracle ended at {command}: {ended:?}", self.release);
        }
        serde_json::from_str(&line).unwrap_or_else(|error| {
            panic!(
                "{}: {command} is answered by {line:?}: {error}",
                self.release
            )
        })
    }
}

/// A run from one start on.
pub struct World<'a> {
    program: &'a mut Program,
    pub pids: Vec<i64>,
    told: Vec<String>,
    /// Which producer, partition and broker the short commands speak of.
    pub producer: usize,
    pub partition: usize,
    pub broker: usize,
}

impl<'a> World<'a> {
    fn start(program: &'a mut Program, settings: &Value) -> World<'a> {
        let mut start = settings.clone();
        start["op"] = json!("start");
        let answer = program.ask(&start);
        let pids = answer["pids"]
            .as_array()
            .unwrap_or_else(|| panic!("{start}: {answer}"));
        World {
            pids: pids.iter().filter_map(Value::as_i64).collect(),
            program,
            told: Vec::new(),
            producer: 0,
            partition: 0,
            broker: 0,
        }
    }

    /// Carries a command out that can be.
    pub fn ask(&mut self, command: Value) -> Value {
        let answer = self.program.ask(&command);
        assert!(
            answer.get("bad").is_none() && answer.get("thrown").is_none(),
            "{}: {command}: {answer}",
            self.program.release
        );
        for told in answer["told"].as_array().into_iter().flatten() {
            self.told.push(outcome(told));
        }
        answer
    }

    /// Why a command is refused.
    pub fn refused(&mut self, command: Value) -> String {
        let answer = self.program.ask(&command);
        let reason = answer["bad"].as_str();
        reason
            .unwrap_or_else(|| panic!("{command} is carried out: {answer}"))
            .to_owned()
    }

    /// Records that become one batch.
    pub fn record(&mut self, labels: &[i64]) {
        let (producer, partition) = (self.producer, self.partition);
        self.ask(json!({"op": "record", "producer": producer, "partition": partition, "records": labels}));
    }

    /// A turn in which the partition may be sent to: the requests that left.
    pub fn turn(&mut self) -> Vec<Value> {
        let (producer, partition) = (self.producer, self.partition);
        let answer = self.ask(json!({"op": "turn", "producer": producer, "open": [partition]}));
        answer["sent"].as_array().cloned().unwrap_or_default()
    }

    /// A turn in which one request leaves: its number.
    pub fn send(&mut self) -> i64 {
        self.sent()["request"].as_i64().expect("a number")
    }

    /// A turn in which one request leaves.
    pub fn sent(&mut self) -> Value {
        let sent = self.turn();
        assert_eq!(sent.len(), 1, "{sent:?}");
        sent[0].clone()
    }

    /// A batch of one record that is sent at once.
    pub fn send_new(&mut self, label: i64) -> i64 {
        self.record(&[label]);
        self.send()
    }

    /// What the log answers.
    pub fn deliver(&mut self, request: i64) -> String {
        let answer = self.ask(json!({"op": "deliver", "request": request}));
        if let Some(error) = answer["error"].as_str() {
            return error.to_owned();
        }
        let what = if answer.get("dup").is_some() {
            "dup"
        } else {
            "append"
        };
        format!("{what} {}", answer[what][0])
    }

    /// The client reads the newest answer of the log.
    pub fn read(&mut self, request: i64) {
        self.ask(json!({"op": "read", "request": request}));
    }

    /// The client reads this error, whatever the log answered.
    pub fn read_error(&mut self, request: i64, error: &str) {
        self.ask(json!({"op": "read", "request": request, "error": error}));
    }

    /// The log gets a request and the client its answer.
    pub fn answer(&mut self, request: i64) -> String {
        let answer = self.deliver(request);
        self.read(request);
        answer
    }

    pub fn disconnect(&mut self) {
        let (producer, broker) = (self.producer, self.broker);
        self.ask(json!({"op": "disconnect", "producer": producer, "broker": broker}));
    }

    pub fn time_out(&mut self) {
        let (producer, partition) = (self.producer, self.partition);
        self.ask(json!({"op": "time_out", "producer": producer, "partition": partition}));
    }

    pub fn restart(&mut self, mode: &str) {
        let broker = self.broker;
        self.ask(json!({"op": "restart", "broker": broker, "mode": mode}));
    }

    /// From now on the client sends to this broker, and the short commands speak of it.
    pub fn move_leader(&mut self, to: usize) {
        let (producer, partition) = (self.producer, self.partition);
        self.ask(
            json!({"op": "refresh", "producer": producer, "partition": partition, "leader": to}),
        );
        self.broker = to;
    }

    /// The follower copies so many batches.
    pub fn replicate(&mut self, from: usize, to: usize, batches: usize) {
        for _ in 0..batches {
            let answer = self.ask(
                json!({"op": "replicate", "from": from, "to": to, "partition": self.partition}),
            );
            assert!(answer.get("append").is_some(), "{answer}");
        }
    }

    /// Turns in which whatever leaves is appended and answered, until nothing leaves any more. More than
    /// this many mean that it never ends.
    pub fn settle(&mut self) -> Vec<String> {
        const ENDLESS: usize = 50;
        let mut answers = Vec::new();
        loop {
            let sent = self.turn();
            if sent.is_empty() {
                return answers;
            }
            for request in sent {
                answers.push(self.answer(request["request"].as_i64().expect("a number")));
            }
            assert!(answers.len() < ENDLESS, "it never ends: {answers:?}");
        }
    }

    /// Everything that can be seen.
    pub fn state(&mut self) -> Value {
        self.ask(json!({"op": "state"}))
    }

    /// The labels of the records in the broker's log, in order.
    pub fn log(&mut self) -> Vec<i64> {
        let (broker, partition) = (self.broker, self.partition);
        let state = self.state();
        let batches = state["logs"][broker][partition]
            .as_array()
            .expect("batches");
        let records = batches
            .iter()
            .flat_map(|batch| batch["records"].as_array().expect("records"));
        records
            .map(|record| record[1].as_i64().expect("a label"))
            .collect()
    }

    /// What the producer remembers of the partition.
    pub fn client(&mut self) -> Value {
        let (producer, partition) = (self.producer, self.partition);
        let state = self.state();
        state["clients"][producer]["partitions"][partition].clone()
    }

    /// The producer's epoch.
    pub fn epoch(&mut self) -> i64 {
        let producer = self.producer;
        self.state()["clients"][producer]["epoch"]
            .as_i64()
            .expect("an epoch")
    }

    /// What applications were told until now, in order.
    pub fn told(&self) -> Vec<&str> {
        self.told.iter().map(String::as_str).collect()
    }
}

fn outcome(told: &Value) -> String {
    let records = &told["records"];
    match told["error"].as_str() {
        Some(error) => format!("{records} {error}"),
        None => format!("{records} at {}", told["offset"]),
    }
}
