//! Waiting for what comes in its own time.

use std::thread;
use std::time::{Duration, Instant};

/// So long a program may take until it does what it must: only a hang takes longer.
const HANG: Duration = Duration::from_secs(60);

/// Waits until there is something, and gives up where a program hangs.
pub fn wait<T>(what: &str, look: impl FnMut() -> Option<T>) -> T {
    within_patience(look).unwrap_or_else(|| panic!("no sign of {what}"))
}

/// The same, for one who knows better what to say then.
pub fn within_patience<T>(mut look: impl FnMut() -> Option<T>) -> Option<T> {
    let start = Instant::now();
    while start.elapsed() < HANG {
        if let Some(found) = look() {
            return Some(found);
        }
        thread::sleep(Duration::from_millis(50));
    }
    None
}
