//! What a person sees while a search goes on: one line on stderr, if that is a terminal.

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use retryproof_models::checking::{Brake, Counts, Progress};

use crate::evidence::figures;

use super::memory;

/// How often the line is drawn, per second.
const DRAWS: u8 = 12;
/// Time of a stage after which its speed says something.
const WARM: Duration = Duration::from_millis(100);
/// Most columns of what is worked at.
const MOST_TASK: usize = 36;
/// Time after which the memory in use is looked up again.
const STALE: Duration = Duration::from_millis(250);

/// Shows how far a command is.
pub struct Watcher {
    bar: ProgressBar,
    brake: Brake,
    stage: Mutex<Stage>,
}

struct Stage {
    task: String,
    name: &'static str,
    since: Instant,
    pending: Option<usize>,
    memory: Memory,
}

/// The memory in use, looked up again from time to time.
#[derive(Default)]
struct Memory {
    bytes: Option<u64>,
    since: Option<Instant>,
}

impl Memory {
    fn in_use(&mut self) -> Option<u64> {
        if self.since.is_none_or(|since| since.elapsed() >= STALE) {
            self.bytes = memory::in_use();
            self.since = Some(Instant::now());
        }
        self.bytes
    }
}

impl Watcher {
    /// Watches a command of so many parts, which this brake stops.
    pub fn new(parts: usize, brake: &Brake) -> Self {
        let target = ProgressDrawTarget::stderr_with_hz(DRAWS);
        let bar = ProgressBar::with_draw_target(Some(parts as u64), target);
        let template = match parts {
            0 | 1 => "{spinner} {wide_msg}",
            _ => "{spinner} {pos}/{len} {wide_msg}",
        };
        if let Ok(style) = ProgressStyle::with_template(template) {
            bar.set_style(style);
        }
        Watcher {
            bar,
            brake: brake.clone(),
            stage: Mutex::new(Stage {
                task: String::new(),
                name: "",
                since: Instant::now(),
                pending: None,
                memory: Memory::default(),
            }),
        }
    }

    /// The next part begins.
    pub fn begin(&self, task: impl Into<String>) {
        let mut stage = self.stage.lock().unwrap_or_else(PoisonError::into_inner);
        stage.task = shortened(task.into());
        stage.name = "";
        stage.pending = None;
        self.bar.set_message(stage.task.clone());
    }

    /// So many more parts are done.
    pub fn done(&self, parts: usize) {
        self.bar.inc(parts as u64);
    }
}

/// A task in few enough columns to leave room for figures.
fn shortened(task: String) -> String {
    if task.chars().count() <= MOST_TASK {
        return task;
    }
    let kept: String = task.chars().take(MOST_TASK - 1).collect();
    kept.trim_end().to_owned() + "…"
}

impl Drop for Watcher {
    /// Leaves the terminal as it was.
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}

impl Progress for Watcher {
    fn pending(&self, states: usize) {
        let mut stage = self.stage.lock().unwrap_or_else(PoisonError::into_inner);
        stage.pending = Some(states);
    }

    fn update(&self, name: &'static str, counts: Counts) {
        if self.bar.is_hidden() {
            return;
        }
        let mut stage = self.stage.lock().unwrap_or_else(PoisonError::into_inner);
        if stage.name != name {
            stage.name = name;
            stage.since = Instant::now();
        }
        let elapsed = stage.since.elapsed();
        let mut line = format!(
            "{} {name}, {} states",
            stage.task,
            figures::count(counts.unique)
        );
        if elapsed >= WARM {
            let speed = figures::speed(counts.generated, elapsed.as_secs_f64());
            line.push_str(&format!(", {speed} generated"));
        }
        if let Some(pending) = stage.pending.take() {
            line.push_str(&format!(", {} pending", figures::count(pending)));
        }
        if let Some(bytes) = stage.memory.in_use() {
            line.push_str(&format!(", {}", figures::memory(bytes)));
        }
        if self.brake.is_pulled() {
            line.push_str(", stopping");
        }
        self.bar.set_message(line);
        self.bar.tick();
    }
}
