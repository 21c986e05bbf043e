//! Which properties a subject's own run violates: its answers, told as the events that the
//! properties judge.
//!
//! A list of operations says what arrived, a subject's answers say what became of it. From
//! both an observer writes the log down as the answers describe it, and hands each step to
//! the monitors of `retryproof_properties`. What a list does not say is assumed:
//!
//! - a sequence of an epoch names one record, however often it is sent, and another epoch
//!   has other records (`judge/sequences.rs`);
//! - whoever sends a batch waits for the answer, and tells the application of a success; but
//!   a batch that holds records of the log and is none of its batches is nobody's, for a
//!   client sends a batch again as it was;
//! - what an operation does to a log (a truncation, a topic made again) is the doing of
//!   whoever asks for it, and loses nothing in the sense of `ack-truthful`.
//!
//! So nothing is said of `every-batch-decided` and `no-false-failure`, which judge what a
//! client makes of answers. Producer state is asked about (`log-is-fold`, after any operation,
//! and `reject-is-stutter`) only if the subject tells it. An error that no property knows by
//! name is not judged, nor is a run from a batch of more than [`MOST_RECORDS`] records on.

mod observer;
mod sequences;

use std::fmt;

use retryproof_properties::{PropertyId, Violation};
use serde::{Serialize, Serializer};

pub(super) use observer::{Observer, Step};

/// Most records of a batch that is judged: each of them is looked up.
pub const MOST_RECORDS: i64 = 10_000;

/// What the properties say of a step on which a subject differs.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Judged {
    /// The properties that the subject's answer and state violate, and those expected do not.
    pub violates: Vec<Broken>,
    /// Those that the expected ones violate, and the subject's do not: there a subject may be
    /// right to differ from Apache Kafka.
    pub expected_violates: Vec<Broken>,
}

/// A property that is violated, and how. In JSON its id.
#[derive(Clone, Debug, PartialEq)]
pub struct Broken {
    /// The property.
    pub property: PropertyId,
    /// The witnesses.
    pub violation: Violation,
}

impl Judged {
    /// What was seen, without what was to be expected, and the other way round.
    fn of(seen: Vec<Broken>, expected: Vec<Broken>) -> Self {
        let without = |these: &[Broken], those: &[Broken]| -> Vec<Broken> {
            let both = |broken: &Broken| those.iter().any(|it| it.property == broken.property);
            let others = these.iter().filter(|broken| !both(broken));
            others.cloned().collect()
        };
        Judged {
            violates: without(&seen, &expected),
            expected_violates: without(&expected, &seen),
        }
    }

    /// The properties that are violated.
    pub fn properties(&self) -> Vec<PropertyId> {
        self.violates.iter().map(|broken| broken.property).collect()
    }

    /// Whether it is worth as much to a reader as the other: it violates one of the same
    /// properties, if the other violates any.
    pub(super) fn is_worth(&self, other: &Judged) -> bool {
        let properties = other.properties();
        let same = |broken: &Broken| properties.contains(&broken.property);
        properties.is_empty() || self.violates.iter().any(same)
    }

    /// All that is said, a line each.
    pub(super) fn lines(&self) -> Vec<String> {
        let mut lines: Vec<String> = self.violates.iter().map(ToString::to_string).collect();
        if lines.is_empty() {
            lines.push("no property".to_owned());
        }
        let expected = self.expected_violates.iter();
        lines.extend(expected.map(|broken| format!("(what is expected violates {broken})")));
        lines
    }
}

impl fmt::Display for Broken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.property, self.violation)
    }
}

impl Serialize for Broken {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&self.property)
    }
}
