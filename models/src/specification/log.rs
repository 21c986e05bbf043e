//! A log: segments of batches. It knows nothing of producer state.

/// One batch in a log.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Batch {
    /// Offset of its first record.
    pub base: i64,
    /// Number of records, at least 1.
    pub count: i64,
    /// Timestamp of its records.
    pub timestamp: i64,
    /// What it holds.
    pub content: Content,
}

/// What a batch holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Content {
    /// Records without a producer id.
    Plain,
    /// Records of a producer.
    Records {
        /// Producer id.
        pid: i64,
        /// Producer epoch.
        epoch: i64,
        /// Sequence of the first record.
        seq: i64,
    },
    /// The end of a transaction.
    Marker {
        /// Producer id.
        pid: i64,
        /// Producer epoch.
        epoch: i64,
        /// Epoch of the transaction coordinator.
        coord: i64,
    },
}

impl Batch {
    /// Offset of its last record.
    pub fn last(&self) -> i64 {
        self.base + self.count - 1
    }

    /// The offset that follows it.
    pub fn end(&self) -> i64 {
        self.base + self.count
    }
}

/// One file of a log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Segment {
    /// Its base offset: that of its first batch, once it has one.
    pub base: i64,
    /// Its batches, oldest first.
    pub batches: Vec<Batch>,
}

impl Segment {
    fn empty(base: i64) -> Self {
        Segment {
            base,
            batches: Vec::new(),
        }
    }
}

/// A log. It has at least one segment; batches go into the newest.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Log {
    start: i64,
    segments: Vec<Segment>,
}

impl Default for Log {
    fn default() -> Self {
        Log::new()
    }
}

impl Log {
    /// An empty log that starts at offset 0, with one segment.
    pub fn new() -> Self {
        Log {
            start: 0,
            segments: vec![Segment::empty(0)],
        }
    }

    /// Log start offset: records below it can no longer be read.
    pub fn start(&self) -> i64 {
        self.start
    }

    /// Log end offset: that of the next record.
    pub fn end(&self) -> i64 {
        let newest = self.newest();
        newest.batches.last().map_or(newest.base, Batch::end)
    }

    /// The segments, oldest first.
    pub fn segments(&self) -> &[Segment] {
        &self.segments
    }

    /// Base offsets of the segments, oldest first.
    pub fn segment_bases(&self) -> Vec<i64> {
        self.segments.iter().map(|segment| segment.base).collect()
    }

    /// Where the newest segment begins: the offset of the newest roll, if there was one.
    pub fn newest_roll(&self) -> i64 {
        self.newest().base
    }

    /// All batches that are in the files, also those below the log start, oldest first.
    pub fn batches(&self) -> impl Iterator<Item = &Batch> {
        self.segments.iter().flat_map(|segment| &segment.batches)
    }

    /// The batches with a record at this offset or above, oldest first.
    pub fn batches_from(&self, offset: i64) -> impl Iterator<Item = &Batch> {
        self.batches().filter(move |batch| batch.last() >= offset)
    }

    /// Whether a batch starts here, or the log ends here.
    pub fn is_boundary(&self, offset: i64) -> bool {
        offset == self.end() || self.batches().any(|batch| batch.base == offset)
    }

    /// Appends a batch of `count` records at the log end.
    pub fn append(&mut self, count: i64, timestamp: i64, content: Content) -> Batch {
        let batch = Batch {
            base: self.end(),
            count,
            timestamp,
            content,
        };
        let newest = self.segments.len() - 1;
        self.segments[newest].batches.push(batch);
        batch
    }

    /// Begins a new segment at the log end, unless the newest is still empty.
    pub fn roll(&mut self) {
        if !self.newest().batches.is_empty() {
            self.segments.push(Segment::empty(self.end()));
        }
    }

    /// Cuts off everything from this offset on. `to` is a boundary and not below the first
    /// segment. A segment that begins there stays, empty; the log start moves down if need
    /// be.
    pub fn truncate_to(&mut self, to: i64) {
        self.segments.retain(|segment| segment.base <= to);
        for segment in &mut self.segments {
            segment.batches.retain(|batch| batch.base < to);
        }
        self.start = self.start.min(to);
    }

    /// Moves the log start up to this offset, which is at most the log end. It never moves
    /// down. No batch is removed.
    pub fn move_start(&mut self, to: i64) {
        self.start = self.start.max(to);
    }

    /// Deletes the segments that lie wholly below the log start, but never the newest, and
    /// returns their base offsets.
    pub fn delete_segments_below_start(&mut self) -> Vec<i64> {
        let mut deleted = Vec::new();
        while self.segments.len() > 1 && self.segments[1].base <= self.start {
            deleted.push(self.segments.remove(0).base);
        }
        deleted
    }

    fn newest(&self) -> &Segment {
        &self.segments[self.segments.len() - 1]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Segments [0: 0–2, 3–4] [5: 5–8] [9:].
    fn three_segments() -> Log {
        let mut log = Log::new();
        log.append(3, 0, Content::Plain);
        log.append(2, 0, Content::Plain);
        log.roll();
        log.append(4, 0, Content::Plain);
        log.roll();
        log
    }

    fn bases(log: &Log) -> Vec<i64> {
        log.batches().map(|batch| batch.base).collect()
    }

    #[test]
    fn batches_follow_each_other_across_segments() {
        let log = three_segments();
        assert_eq!(bases(&log), [0, 3, 5]);
        assert_eq!(log.segment_bases(), [0, 5, 9]);
        assert_eq!((log.start(), log.end(), log.newest_roll()), (0, 9, 9));
    }

    #[test]
    fn rolling_an_empty_segment_changes_nothing() {
        let mut log = three_segments();
        log.roll();
        assert_eq!(log, three_segments());
    }

    #[test]
    fn truncation_keeps_the_segment_that_begins_there() {
        let mut log = three_segments();
        log.truncate_to(5);
        assert_eq!(log.segment_bases(), [0, 5]);
        assert_eq!((bases(&log), log.end()), (vec![0, 3], 5));
    }

    #[test]
    fn truncation_takes_the_log_start_along() {
        let mut log = three_segments();
        log.move_start(4);
        log.truncate_to(3);
        assert_eq!((log.start(), log.end()), (3, 3));
    }

    #[test]
    fn the_log_start_may_lie_inside_a_batch_and_never_moves_down() {
        let mut log = three_segments();
        log.move_start(7);
        log.move_start(6);
        assert_eq!(log.start(), 7);
        assert_eq!(log.batches_from(7).count(), 1);
        assert_eq!(bases(&log), [0, 3, 5], "no batch is removed");
    }

    #[test]
    fn retention_deletes_whole_segments_but_never_the_newest() {
        let mut log = three_segments();
        log.move_start(8);
        assert_eq!(log.delete_segments_below_start(), [0]);
        log.move_start(9);
        assert_eq!(log.delete_segments_below_start(), [5]);
        assert!(log.delete_segments_below_start().is_empty());
        assert_eq!((log.start(), log.end()), (9, 9));
    }

    #[test]
    fn boundaries_are_where_batches_start_and_the_log_end() {
        let log = three_segments();
        let found: Vec<i64> = (0..12).filter(|offset| log.is_boundary(*offset)).collect();
        assert_eq!(found, [0, 3, 5, 9]);
    }
}
