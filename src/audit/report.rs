//! What came of an audit.

use super::finding::Findings;
use super::judge::Summary;
use super::Place;

/// What came of an audit.
#[derive(Debug)]
pub struct Report {
    /// Names of the inputs, by number.
    pub files: Vec<String>,
    /// Batches read.
    pub batches: u64,
    /// The logs that were read.
    pub logs: Vec<Summary>,
    /// What is not as it should be.
    pub findings: Findings,
    /// What a reader must know to read the rest rightly: what was not judged, and why.
    pub notes: Vec<Note>,
}

/// Something to know beside findings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    /// Where, if it is about a place.
    pub place: Option<Place>,
    /// What.
    pub text: String,
}

/// What no log can show, whatever is found in it.
pub const BEYOND_A_LOG: [&str; 4] = [
    "A record that was acknowledged and never written, or answered as a duplicate of another, leaves \
     no trace in a log: --acks compares with what the producer was told.",
    "A record that was sent again under a new epoch or producer id stands there as another one: only \
     its payload, which is not read, tells that it is the same.",
    "What retention or compaction took away is taken on trust, as is the order in which the \
     application sent.",
    "Timestamps are the clients' unless the topic says LogAppendTime: nothing is concluded from them.",
];

impl Report {
    /// The name of the input that a place is in.
    pub fn file(&self, place: Place) -> &str {
        let name = self.files.get(place.file.0 as usize);
        name.map_or("", String::as_str)
    }
}
