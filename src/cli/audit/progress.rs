//! What a person sees while files are read: one line on stderr, if that is a terminal.

use std::rc::Rc;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::audit::input::Progress;

/// How often the line is drawn, per second.
const DRAWS: u8 = 12;

/// Shows how much is read.
pub(super) struct Watched(ProgressBar);

impl Watched {
    pub(super) fn new() -> Self {
        let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr_with_hz(DRAWS));
        let template = "{spinner} reading, {bytes} so far, {bytes_per_sec}";
        if let Ok(style) = ProgressStyle::with_template(template) {
            bar.set_style(style);
        }
        Watched(bar)
    }

    /// So many bytes are to be read; 0 if that is not known.
    pub(super) fn expect(&self, bytes: u64) {
        let template = "{spinner} reading, {bytes} of {total_bytes}, {bytes_per_sec}, {eta} left";
        if bytes > 0 {
            self.0.set_length(bytes);
            if let Ok(style) = ProgressStyle::with_template(template) {
                self.0.set_style(style);
            }
        }
    }

    /// Is to be told of what is read.
    pub(super) fn progress(&self) -> Progress {
        let bar = self.0.clone();
        Rc::new(move |bytes| bar.inc(bytes))
    }
}

impl Drop for Watched {
    /// Leaves the terminal as it was.
    fn drop(&mut self) {
        self.0.finish_and_clear();
    }
}
