//! Expiry of a million producers in small steps: how long a step keeps an append waiting.

use std::time::{Duration, Instant};

use retryproof::state_manager::{Config, Timestamp};

use crate::subjects::Subject;

const PRODUCERS: usize = 1_000_000;
/// Places that one step looks at.
const STEP: usize = 1024;

pub fn print() {
    println!("\nExpiry of a million producers in steps of {STEP} places\n");
    println!("| | whole pass | median step | 99 % of steps | longest step | steps |");
    println!("|---|---:|---:|---:|---:|---:|");
    line("nothing expires", 1_800_000_000_000);
    line("all expire", 1_800_000_000_000 + 86_400_000);
}

fn line(name: &str, now: i64) {
    let mut subject = Subject::new(Config::kafka(), PRODUCERS, 5);
    let mut steps: Vec<Duration> = Vec::new();
    loop {
        let start = Instant::now();
        let step = subject
            .manager
            .expire_some(Timestamp::from_millis(now), STEP);
        steps.push(start.elapsed());
        if step.finished {
            break;
        }
    }
    let whole: Duration = steps.iter().sum();
    steps.sort_unstable();
    let at = |part: f64| steps[((steps.len() - 1) as f64 * part) as usize];
    println!(
        "| {name} | {:.1} ms | {:.1} µs | {:.1} µs | {:.1} µs | {} |",
        whole.as_secs_f64() * 1e3,
        at(0.5).as_secs_f64() * 1e6,
        at(0.99).as_secs_f64() * 1e6,
        at(1.0).as_secs_f64() * 1e6,
        steps.len()
    );
}
