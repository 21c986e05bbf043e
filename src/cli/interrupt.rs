//! Ctrl-C: once stops a search, which then says how far it got; twice ends at once. So do the
//! signals that ask a program to end (SIGTERM, and SIGHUP when its terminal is closed).

use std::io::{self, IsTerminal, Write};
use std::process;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::Arc;

use retryproof_models::checking::Brake;

/// Exit code of a process that Ctrl-C ended (128 + SIGINT).
const INTERRUPTED: i32 = 130;
/// Clears the line and shows the cursor.
const CLEAN: &[u8] = b"\r\x1b[2K\x1b[?25h";

/// What Ctrl-C does.
#[derive(Clone, Debug, Default)]
pub struct Interrupt {
    brake: Brake,
    serving: Arc<AtomicBool>,
}

impl Interrupt {
    /// From now on Ctrl-C pulls a brake.
    pub fn new() -> Self {
        let interrupt = Interrupt::default();
        let struck = interrupt.clone();
        // Where no handler can be set, Ctrl-C ends the process at once, as ever.
        let _ = ctrlc::set_handler(move || struck.strike());
        interrupt
    }

    /// The brake that Ctrl-C pulls.
    pub fn brake(&self) -> Brake {
        self.brake.clone()
    }

    /// From now on Ctrl-C is the expected end of the command.
    pub fn is_the_end(&self) {
        self.serving.store(true, Ordering::Relaxed);
    }

    fn strike(&self) {
        if self.serving.load(Ordering::Relaxed) {
            end(0);
        }
        if self.brake.is_pulled() {
            end(INTERRUPTED);
        }
        self.brake.pull();
    }
}

fn end(code: i32) {
    let mut stderr = io::stderr();
    if stderr.is_terminal() {
        let _ = stderr.write_all(CLEAN);
    }
    process::exit(code)
}
