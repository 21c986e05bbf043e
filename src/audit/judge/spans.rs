//! Which records of a producer the log holds, in little room: as spans without holes.

use retryproof_properties::Record;

/// Most spans below the newest one. A producer has one for each of its epochs, and one more
/// for each gap. What is lowest is forgotten first.
const MOST: usize = 32;

/// Records that follow on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Span {
    first: Record,
    last: Record,
}

impl Span {
    fn holds(&self, record: Record) -> bool {
        self.first <= record && record <= self.last
    }
}

/// The records of one producer in a log.
#[derive(Clone, Debug)]
pub(super) struct Spans {
    /// The one with the highest record.
    newest: Span,
    /// The others, from low to high. Without room of its own while there are none.
    older: Vec<Span>,
}

impl Spans {
    /// Of a producer whose first records these are.
    pub(super) fn new(first: Record, last: Record) -> Self {
        Spans {
            newest: Span { first, last },
            older: Vec::new(),
        }
    }

    /// The highest record.
    pub(super) fn highest(&self) -> Record {
        self.newest.last
    }

    /// Whether the record was added, and not forgotten since.
    pub(super) fn contains(&self, record: Record) -> bool {
        self.newest.holds(record) || self.older.iter().any(|span| span.holds(record))
    }

    /// Adds records that follow on the highest one.
    #[inline]
    pub(super) fn extend(&mut self, last: Record) {
        self.newest.last = last;
    }

    /// Adds records that may stand anywhere.
    pub(super) fn add(&mut self, first: Record, last: Record) {
        let added = Span { first, last };
        if first.0 == self.newest.last.0 + 1 {
            self.newest.last = last;
        } else if first > self.newest.last {
            let below = std::mem::replace(&mut self.newest, added);
            self.insert(below);
        } else {
            self.newest.last = self.newest.last.max(last);
            if first < self.newest.first {
                self.insert(added);
            }
        }
    }

    /// Puts a span among the older ones, or into one that it touches.
    fn insert(&mut self, span: Span) {
        let at = self
            .older
            .partition_point(|other| other.last.0 < span.first.0 - 1);
        match self.older.get_mut(at) {
            Some(next) if next.first.0 <= span.last.0 + 1 => {
                next.first = next.first.min(span.first);
                next.last = next.last.max(span.last);
            }
            _ => self.older.insert(at, span),
        }
        if self.older.len() > MOST {
            self.older.remove(0);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn spans_hold_what_was_added(added in proptest::collection::vec((0..60_i64, 0..5_i64), 1..20)) {
            let mut reference = BTreeSet::new();
            let mut spans: Option<Spans> = None;
            for (first, more) in added {
                let (first, last) = (Record(first), Record(first + more));
                reference.extend(first.0..=last.0);
                match &mut spans {
                    Some(spans) => spans.add(first, last),
                    None => spans = Some(Spans::new(first, last)),
                }
                let spans = spans.as_ref().expect("added");
                for record in 0..70 {
                    prop_assert_eq!(spans.contains(Record(record)), reference.contains(&record));
                }
                prop_assert_eq!(Some(&spans.highest().0), reference.last());
            }
        }
    }

    #[test]
    fn beyond_so_many_spans_the_lowest_is_forgotten() {
        let mut spans = Spans::new(Record(0), Record(0));
        for number in 1..=MOST as i64 + 1 {
            spans.add(Record(10 * number), Record(10 * number));
        }
        assert!(!spans.contains(Record(0)));
        assert!(spans.contains(Record(10)));
    }
}
