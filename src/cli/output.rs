//! Where results go: stdout, with colours only where a person looks at it.

use std::io::{self, ErrorKind, StdoutLock, Write};

use anstream::AutoStream;
use serde::Serialize;

use super::Refused;

/// Columns where stdout is no terminal.
const DEFAULT_WIDTH: usize = 100;
/// Fewest and most columns that are made use of.
const WIDTHS: (usize, usize) = (60, 120);

/// Stdout. Escape codes are left out unless it is a terminal that shows colours, and
/// `NO_COLOR` is respected. A reader who closes the pipe early has seen enough: that is no
/// error, and the exit code still tells what came of the command.
pub struct Output {
    stream: AutoStream<StdoutLock<'static>>,
    width: usize,
}

impl Output {
    /// Stdout, locked.
    pub fn stdout() -> Self {
        let terminal = comfy_table::Table::new().width();
        Output {
            stream: AutoStream::auto(io::stdout().lock()),
            width: terminal.map_or(DEFAULT_WIDTH, |width| {
                usize::from(width).clamp(WIDTHS.0, WIDTHS.1)
            }),
        }
    }

    /// Columns that there is room for.
    pub fn width(&self) -> usize {
        self.width
    }

    /// Writes a value as JSON.
    pub fn json(&mut self, value: &impl Serialize) -> Result<(), Refused> {
        let text = serde_json::to_string_pretty(value)?;
        writeln!(self, "{text}")?;
        Ok(())
    }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        forgive(self.stream.write(bytes), bytes.len())
    }

    fn write_all(&mut self, bytes: &[u8]) -> io::Result<()> {
        forgive(self.stream.write_all(bytes), ())
    }

    fn flush(&mut self) -> io::Result<()> {
        forgive(self.stream.flush(), ())
    }
}

/// A closed pipe is no error.
fn forgive<T>(result: io::Result<T>, done: T) -> io::Result<T> {
    match result {
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(done),
        other => other,
    }
}
