//! What every reader of a format tells the judge, and how.

use std::fmt;
use std::io;

use super::state::ProducerState;
use super::{FileId, LoggedBatch, Place, Position};

/// One thing seen in an input. What is borrowed lives until the reader is asked again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Seen<'a> {
    /// A segment begins: a `Dumping` line in a text, or the start of a segment file. What
    /// follows, up to the next of these, stands in it.
    Segment {
        /// Where it begins.
        place: Place,
        /// Path of the segment: that in the `Dumping` line, or of the file itself. Bytes, for
        /// a path need not be UTF-8.
        path: &'a [u8],
    },
    /// The dump says where the log, or the segment, starts.
    LogStart {
        /// The offset.
        offset: i64,
    },
    /// A batch stands in the log.
    Batch(LoggedBatch),
    /// The dump lacks something that the segment has: a batch does not begin where the one
    /// before it ended. Lines were lost or filtered out, and what is missing is not missing
    /// in the log.
    LeftOut {
        /// The line at which it shows.
        place: Place,
    },
    /// A producer snapshot begins. What follows, up to the next segment or snapshot, stands
    /// in it.
    Snapshot {
        /// Where it begins.
        place: Place,
        /// Its path, as for a segment.
        path: &'a [u8],
    },
    /// A snapshot holds this of a producer.
    State(ProducerState),
    /// Lines that were not judged.
    PassedOver {
        /// The first of them.
        first: Place,
        /// How many there are.
        lines: u64,
        /// Why they were not.
        why: PassedOver,
    },
    /// The segment ends in bytes that are no whole batch: what a broker leaves that stops in
    /// the middle of a write. Nothing of the segment follows.
    TornTail {
        /// Where the torn bytes begin, or the line that tells of them.
        place: Place,
        /// How many there are.
        bytes: u64,
    },
    /// What stands here is no batch, yet batches may follow: the middle of the file is
    /// damaged.
    Damaged {
        /// Where.
        place: Place,
        /// What is wrong, in a few words.
        what: &'static str,
    },
}

/// Why lines were not judged.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PassedOver {
    /// They are no part of a dump: messages of the tool, say.
    Noise,
    /// They look like batches, but do not begin where the batch before them ended, in a dump
    /// that shows payloads: a payload may hold any text.
    Payload,
    /// The last line of the input is cut off.
    Cut,
    /// They are of another kind of file than a log or a producer snapshot: an index, say.
    OtherFile,
}

/// Reads one input from front to back.
///
/// A reader of another format needs nothing but this: give the [`Seen`] one by one. It holds
/// one buffer, whatever the size of the input, and allocates nothing per batch. Batches come
/// in the order of the input; the judge expects that to be the order of their offsets.
pub trait Reader {
    /// The next thing seen; `None` at the end of the input.
    ///
    /// # Errors
    /// If the input cannot be read, or is not what it looked like. After that nothing more is
    /// asked of the reader.
    fn next(&mut self) -> Result<Option<Seen<'_>>, Unreadable>;
}

/// Why an input cannot be judged. The name of the file is put in front by whoever has it.
#[derive(Debug)]
pub struct Unreadable {
    /// Which input.
    pub file: FileId,
    /// Where in it, if it is about a place.
    pub position: Option<Position>,
    /// What is wrong.
    pub reason: Reason,
}

/// What is wrong with an input.
#[derive(Debug)]
pub enum Reason {
    /// The system could not read it.
    Io(io::Error),
    /// It is not of the form that it seemed to be of. The text says what to do.
    Form(String),
}

impl Unreadable {
    /// The input could not be read.
    pub fn io(file: FileId, error: io::Error) -> Self {
        Unreadable {
            file,
            position: None,
            reason: Reason::Io(error),
        }
    }

    /// What stands in a place is of no known form.
    pub fn form(place: Place, text: impl Into<String>) -> Self {
        Unreadable {
            file: place.file,
            position: Some(place.position),
            reason: Reason::Form(text.into()),
        }
    }
}

impl fmt::Display for Unreadable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(position) = self.position {
            write!(f, "{position}: ")?;
        }
        match &self.reason {
            Reason::Io(error) => error.fmt(f),
            Reason::Form(text) => f.write_str(text),
        }
    }
}

impl std::error::Error for Unreadable {}
