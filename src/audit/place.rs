//! Where in an input something was seen.

use std::fmt;

/// An input by number: the files of one audit are counted from 0 in the order in which they
/// are given. Their names are kept elsewhere, so that a place is a few bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FileId(pub u32);

/// A position inside an input.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Position {
    /// A line of a text, counted from 1.
    Line(u64),
    /// A byte of a binary file, counted from 0. Where the file is compressed, of what it
    /// unpacks to.
    Byte(u64),
}

impl Position {
    /// The bare number: the line or the byte.
    pub fn number(self) -> u64 {
        match self {
            Position::Line(number) | Position::Byte(number) => number,
        }
    }
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Position::Line(line) => write!(f, "line {line}"),
            Position::Byte(byte) => write!(f, "byte {byte}"),
        }
    }
}

/// Where something was seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Place {
    /// In which input.
    pub file: FileId,
    /// Where in it.
    pub position: Position,
}
