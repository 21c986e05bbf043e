//! Programs that run beside a test.

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex};
use std::thread;

/// A program whose lines are read as they come. It ends with the test.
pub struct Running {
    child: Child,
    lines: Arc<Mutex<Vec<String>>>,
}

impl Running {
    /// Starts it.
    pub fn start(command: &mut Command) -> Running {
        let command = command.stdin(Stdio::null()).stdout(Stdio::piped());
        let mut child = command
            .spawn()
            .unwrap_or_else(|error| panic!("{command:?}: {error}"));
        let lines = Arc::new(Mutex::new(Vec::new()));
        let written = Arc::clone(&lines);
        let output = BufReader::new(child.stdout.take().expect("a pipe"));
        thread::spawn(move || {
            for line in output.lines().map_while(Result::ok) {
                written.lock().expect("no reader panics").push(line);
            }
        });
        Running { child, lines }
    }

    /// What it has written so far.
    pub fn lines(&self) -> Vec<String> {
        self.lines.lock().expect("no writer panics").clone()
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
