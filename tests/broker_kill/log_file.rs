//! The broker's log, read from outside while no broker runs.

use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};

use super::frame::Frame;
use super::request::Request;

/// What was read of a log so far.
pub struct LogFile {
    path: PathBuf,
    /// The bytes of all whole frames.
    whole: Vec<u8>,
    pub frames: Vec<Frame>,
}

impl LogFile {
    /// The log of a broker in this directory, of which nothing was read yet.
    pub fn of(directory: &Path) -> Self {
        LogFile {
            path: directory.join("log"),
            whole: Vec::new(),
            frames: Vec::new(),
        }
    }

    /// Reads what has come since the last time, and says how many bytes lie behind the last
    /// whole frame. What was there must still be there.
    pub fn read_on(&mut self) -> usize {
        let bytes = fs::read(&self.path).unwrap_or_default();
        assert!(
            bytes.starts_with(&self.whole),
            "the log has changed where it was written before"
        );
        while let Some((frame, size)) = Frame::first_of(&bytes[self.whole.len()..]) {
            let from = self.whole.len();
            self.whole.extend_from_slice(&bytes[from..from + size]);
            self.frames.push(frame);
        }
        bytes.len() - self.whole.len()
    }

    /// Where it is.
    pub fn path(&self) -> PathBuf {
        self.path.clone()
    }

    /// How many bytes all whole frames take.
    pub fn size(&self) -> usize {
        self.whole.len()
    }

    /// Log end offset.
    pub fn end(&self) -> i64 {
        self.frames.last().map_or(0, Frame::end)
    }

    /// The frame that the broker would write for the next batch.
    pub fn next_frame(&self, request: Request) -> Frame {
        Frame {
            base_offset: self.end(),
            request,
        }
    }

    /// Puts bytes behind all others.
    pub fn append(&self, bytes: &[u8]) {
        let file = File::options().append(true).create(true).open(&self.path);
        let written = file.and_then(|mut file| file.write_all(bytes));
        written.expect("the log of a broker that does not run can be written");
    }
}
