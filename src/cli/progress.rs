//! What a person sees while a search goes on: one line on stderr, if that is a terminal.

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use retryproof_models::checking::{Brake, Counts, Progress};

use crate::evidence::figures;

/// How often the line is drawn, per second.
const DRAWS: u8 = 12;
/// Time of a stage after which its speed says something.
const WARM: Duration = Duration::from_millis(100);

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
            }),
        }
    }

    /// The next part begins.
    pub fn begin(&self, task: impl Into<String>) {
        let mut stage = self.stage.lock().unwrap_or_else(PoisonError::into_inner);
        stage.task = task.into();
        stage.name = "";
        self.bar.set_message(stage.task.clone());
    }

    /// So many more parts are done.
    pub fn done(&self, parts: usize) {
        self.bar.inc(parts as u64);
    }
}

impl Drop for Watcher {
    /// Leaves the terminal as it was.
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}

impl Progress for Watcher {
    fn update(&self, name: &'static str, counts: Counts) {
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
        if self.brake.is_pulled() {
            line.push_str(", stopping");
        }
        self.bar.set_message(line);
        self.bar.tick();
    }
}
