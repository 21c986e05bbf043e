//! What an audit found.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::kind::Kind;
use super::{LoggedBatch, Place};

/// First and last of a range of numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Range<N> {
    /// The first.
    pub first: N,
    /// The last; below the first only where sequences begin again at 0.
    pub last: N,
}

/// One thing that is not as it should be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// What kind it is of, and so which property is broken.
    pub kind: Kind,
    /// Other properties that the same batch breaks.
    pub also: Vec<&'static str>,
    /// Where it shows.
    pub place: Place,
    /// Of which log: partition, and replica if there are several.
    pub log: Arc<str>,
    /// Producer id, and epoch if that is known, if it is about a producer.
    pub producer: Option<(i64, Option<i16>)>,
    /// Sequences, if it is about some.
    pub sequences: Option<Range<i32>>,
    /// Offsets, if it is about some.
    pub offsets: Option<Range<i64>>,
    /// What was seen, in one sentence with its numbers.
    pub text: String,
}

impl Finding {
    /// A finding about a whole batch, at its place in a log.
    pub fn about(kind: Kind, log: Arc<str>, batch: &LoggedBatch, text: String) -> Self {
        Finding {
            kind,
            also: Vec::new(),
            place: batch.place,
            log,
            producer: (batch.producer_id >= 0)
                .then_some((batch.producer_id, Some(batch.producer_epoch))),
            sequences: batch.has_sequences().then_some(Range {
                first: batch.base_sequence,
                last: batch.last_sequence,
            }),
            offsets: Some(Range {
                first: batch.base_offset,
                last: batch.last_offset,
            }),
            text,
        }
    }
}

/// How many findings of a kind are kept, unless all are asked for.
pub const KEPT: usize = 10;

/// Findings, bounded: of each kind the first few are kept and all are counted.
#[derive(Debug)]
pub struct Findings {
    most: usize,
    kinds: BTreeMap<Kind, OfKind>,
}

/// The findings of one kind.
#[derive(Debug, Default)]
pub struct OfKind {
    /// Those that were kept, in the order in which they were found.
    pub kept: Vec<Finding>,
    /// How many there were.
    pub count: u64,
}

impl Findings {
    /// Keeps so many of each kind.
    pub fn keeping(most: usize) -> Self {
        Findings {
            most,
            kinds: BTreeMap::new(),
        }
    }

    /// Adds a finding, which is made only if it is kept.
    pub fn add(&mut self, kind: Kind, finding: impl FnOnce() -> Finding) {
        let of_kind = self.kinds.entry(kind).or_default();
        of_kind.count += 1;
        if of_kind.kept.len() < self.most {
            of_kind.kept.push(finding());
        }
    }

    /// Counts findings of which nothing is kept.
    pub fn add_uncounted(&mut self, kind: Kind, count: u64) {
        if count > 0 {
            self.kinds.entry(kind).or_default().count += count;
        }
    }

    /// By kind, in the order in which kinds are shown.
    pub fn by_kind(&self) -> impl Iterator<Item = (Kind, &OfKind)> {
        self.kinds.iter().map(|(kind, found)| (*kind, found))
    }

    /// How many there are.
    pub fn count(&self) -> u64 {
        self.kinds.values().map(|of_kind| of_kind.count).sum()
    }
}
