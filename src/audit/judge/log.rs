//! One log: the batches of a partition as one replica has them, judged from front to back.

use std::sync::Arc;

use hashbrown::HashMap;
use retryproof_properties::{PropertyId, Violation};

use super::expected::{Ahead, Expected};
use super::holes::Holes;
use super::producer::{self, Counted};
use super::refused;
use super::state::Compared;
use super::summary::Summary;
use super::tail::{Past, Tail};
use super::words;
use crate::audit::finding::{Finding, Findings};
use crate::audit::kind::Kind;
use crate::audit::{sequence, LoggedBatch, Place};

/// What is known of a log that was read so far. Its size depends on how many producers the
/// log has, not on how many batches.
#[derive(Debug)]
pub(crate) struct Log {
    /// Partition, and replica if there are several.
    pub(crate) name: Arc<str>,
    /// Offset at which it begins: that of its first segment, or of its first record if no segment
    /// has a name; `None` before the first batch.
    pub(super) start: Option<i64>,
    /// Offset in the name of the first segment, if it is known.
    segment: Option<i64>,
    /// Log end offset.
    pub(super) end: i64,
    /// Batches read.
    pub(super) batches: u64,
    pub(super) holes: Holes,
    pub(super) producers: HashMap<i64, Tail>,
    /// Gaps of sequences that the missing offsets account for.
    pub(super) excused: u64,
    /// Whether batches were put together from record lines.
    pub(super) shows_records_only: bool,
    expected: Expected,
    compared: Compared,
    /// Where the segment at hand ends in bytes that are no whole batch, and how many there are.
    torn: Option<(Place, u64)>,
}

impl Log {
    pub(crate) fn new(name: Arc<str>) -> Self {
        Log {
            name,
            start: None,
            segment: None,
            end: 0,
            batches: 0,
            holes: Holes::default(),
            producers: HashMap::new(),
            excused: 0,
            shows_records_only: false,
            expected: Expected::default(),
            compared: Compared::default(),
            torn: None,
        }
    }

    /// Adds what is to be compared where the log ends at an offset; `false` if the log is read
    /// beyond it already.
    pub(crate) fn expect(&mut self, offset: i64, ahead: Ahead) -> bool {
        if self.start.is_some() && offset < self.end {
            return false;
        }
        self.expected.add(offset, ahead);
        true
    }

    /// Compares what is to be compared up to this offset.
    #[cold]
    fn compare_up_to(&mut self, offset: i64, findings: &mut Findings) {
        while let Some(ahead) = self.expected.take_up_to(offset) {
            match ahead {
                Ahead::Snapshot(snapshot) => {
                    let compared = self.compare(&snapshot, findings);
                    self.compared.snapshots += 1;
                    self.compared.producers += compared.producers;
                    self.compared.absent += compared.absent;
                    if self.start == Some(snapshot.offset) && self.end == snapshot.offset {
                        self.begin_from(&snapshot);
                    }
                }
                Ahead::Refusal(refusal) => self.refused(&refusal, findings),
            }
        }
    }

    /// Log end offset, if a batch was read.
    pub(crate) fn read_up_to(&self) -> Option<i64> {
        self.start.map(|_| self.end)
    }

    /// What is remembered of a producer.
    pub(super) fn past(&self, producer_id: i64) -> Past<'_> {
        Past {
            tail: self.producers.get(&producer_id),
            log_end: self.end,
        }
    }

    /// Reads the next batch.
    #[inline]
    pub(crate) fn append(&mut self, batch: &LoggedBatch, findings: &mut Findings) {
        self.batches += 1;
        if self.start.is_none() {
            // A segment has the name of the offset that it begins at.
            let start = self.segment.unwrap_or(batch.base_offset);
            self.start = Some(start);
            self.end = start;
            self.holes.before_the_log(start);
            self.shows_records_only = batch.size.is_none();
        }
        if batch.base_offset >= self.expected.next() {
            self.compare_up_to(batch.base_offset, findings);
        }
        if !self.is_whole(batch, findings) {
            self.holes.unreadable(batch);
            self.end = self.end.max(batch.last_offset.saturating_add(1));
            return;
        }
        if batch.base_offset != self.end && producer::overlaps(batch, self.end) {
            self.overlap(batch, findings);
            return;
        }
        self.holes.see(self.end, batch);
        self.end = batch.last_offset.saturating_add(1);
        if batch.producer_id < 0 {
            return;
        }
        if batch.has_sequences() {
            self.data(batch, findings);
        } else if batch.is_control {
            self.marker(batch, findings);
        }
    }

    /// Whether the batch can be judged: its checksum is right, its numbers fit each other.
    #[inline]
    fn is_whole(&self, batch: &LoggedBatch, findings: &mut Findings) -> bool {
        if batch.is_valid == Some(false) {
            findings.add(Kind::Corrupt, || {
                self.finding(Kind::Corrupt, batch, words::corrupt(batch))
            });
            return false;
        }
        let offsets = i128::from(batch.last_offset) - i128::from(batch.base_offset);
        let counted = batch.count.map_or(0, i128::from);
        let fits = (0..=offsets).contains(&(counted - 1).max(0))
            && (!batch.has_sequences()
                || i128::from(sequence::span(batch.base_sequence, batch.last_sequence)) == offsets);
        // Only a marker has a producer and no sequence.
        let has_no_sequence =
            batch.producer_id >= 0 && !batch.is_control && batch.base_sequence < 0;
        let fits = fits && !has_no_sequence;
        // Record lines tell what is left of a cleaned batch only.
        let fits = fits || offsets >= 0 && batch.size.is_none() && batch.count.is_none();
        if !fits {
            findings.add(Kind::Malformed, || {
                self.finding(Kind::Malformed, batch, words::malformed(batch))
            });
        }
        fits
    }

    /// A batch that begins before the log end offset. Its producer is not judged: it was not
    /// appended behind what is remembered.
    fn overlap(&mut self, batch: &LoggedBatch, findings: &mut Findings) {
        findings.add(Kind::Overlap, || {
            self.finding(Kind::Overlap, batch, words::overlap(batch, self.end))
        });
        self.holes.unreadable(batch);
        self.end = self.end.max(batch.last_offset.saturating_add(1));
    }

    /// A batch with sequences.
    #[inline]
    fn data(&mut self, batch: &LoggedBatch, findings: &mut Findings) {
        let missing = self.holes.offsets();
        if let Some(tail) = self.producers.get_mut(&batch.producer_id) {
            if producer::follows_on(batch, tail) {
                tail.follow(batch, missing);
                return;
            }
        }
        self.suspicious(batch, missing, findings);
    }

    /// A batch that does not plainly follow on: the first of a producer or of an epoch, or one
    /// that something is wrong with.
    #[cold]
    fn suspicious(&mut self, batch: &LoggedBatch, missing: u64, findings: &mut Findings) {
        let past = Past {
            tail: self.producers.get(&batch.producer_id),
            // The offset was judged before.
            log_end: batch.base_offset,
        };
        let counted = Counted::of(batch, past.tail);
        let broken: Vec<(PropertyId, Violation)> = counted.judge(batch, &past).collect();
        if let Some((_, violation)) = broken.first() {
            let since = missing - past.tail.map_or(0, |tail| tail.missing);
            let kind = kind_of(violation, past.tail, batch);
            // What stood before the log begins is taken on trust.
            let is_unknown = past.tail.is_none() && self.start > Some(0);
            if is_unknown || is_excused(violation, since) {
                self.excused += 1;
            } else if let Some(kind) = kind {
                let tail = past.tail.cloned();
                let text = words::broken(kind, violation, batch, tail.as_ref());
                findings.add(kind, || Finding {
                    also: broken[1..]
                        .iter()
                        .map(|(property, _)| property.id())
                        .collect(),
                    ..self.finding(kind, batch, text)
                });
            }
        }
        let tail = self.producers.remove(&batch.producer_id);
        let tail = Tail::with(tail, counted, batch, missing);
        self.producers.insert(batch.producer_id, tail);
    }

    /// A transaction marker. It moves the epoch, and uses no sequence up.
    fn marker(&mut self, batch: &LoggedBatch, findings: &mut Findings) {
        if producer::marker_is_stale(batch, &self.past(batch.producer_id)) {
            let newest = self
                .producers
                .get(&batch.producer_id)
                .map(|tail| tail.epoch);
            findings.add(Kind::Stale, || {
                self.finding(Kind::Stale, batch, words::stale_marker(batch, newest))
            });
            return;
        }
        let tail = self.producers.entry(batch.producer_id).or_insert(Tail {
            epoch: batch.producer_epoch,
            newest: None,
            records: None,
            missing: 0,
        });
        if batch.producer_epoch > tail.epoch {
            tail.epoch = batch.producer_epoch;
            tail.newest = None;
        }
    }

    /// Everything is read: what could only be told at the end.
    pub(crate) fn finish(&mut self, is_compacted: bool, findings: &mut Findings) {
        self.compare_up_to(self.end, findings);
        for refusal in self.expected.refusals() {
            refused::tell(refusal, findings);
        }
        if is_compacted || self.is_compacted() {
            return;
        }
        let holes = std::mem::take(&mut self.holes);
        for hole in holes.kept() {
            findings.add(Kind::Hole, || Finding {
                kind: Kind::Hole,
                also: Vec::new(),
                place: hole.place,
                log: self.name.clone(),
                producer: None,
                sequences: None,
                offsets: Some(hole.offsets),
                text: words::hole(hole),
            });
        }
        findings.add_uncounted(Kind::Hole, holes.count() - holes.kept().len() as u64);
        self.holes = holes;
    }

    /// Whether a batch shows that the log was compacted, or its topic is one of Kafka's own
    /// that are.
    pub(crate) fn is_compacted(&self) -> bool {
        const COMPACTED: [&str; 2] = ["__consumer_offsets-", "__transaction_state-"];
        let is_named_so = COMPACTED.iter().any(|topic| self.name.starts_with(topic));
        is_named_so || self.holes.show_compaction()
    }

    /// What there is to say of the log beside findings.
    pub(crate) fn summary(&self) -> Summary {
        Summary {
            name: self.name.clone(),
            batches: self.batches,
            start: self.start,
            end: self.end,
            producers: self.producers.len(),
            excused: self.excused,
            holes: self.holes.count(),
            is_compacted: self.is_compacted(),
            has_unjudged_holes: self.holes.are_unjudged(),
            left_out: self.holes.lines_left_out(),
            compared: self.compared,
            unreached: self.expected.snapshots(),
            torn: self.torn,
        }
    }

    fn finding(&self, kind: Kind, batch: &LoggedBatch, text: String) -> Finding {
        Finding::about(kind, self.name.clone(), batch, text)
    }

    /// A segment begins, by its name at this offset.
    pub(crate) fn begin_segment(&mut self, offset: i64, findings: &mut Findings) {
        self.segment.get_or_insert(offset);
        // A broker that stops leaves torn bytes in the last segment only.
        if let Some((place, bytes)) = self.torn.take() {
            findings.add(Kind::Corrupt, || Finding {
                kind: Kind::Corrupt,
                also: Vec::new(),
                place,
                log: self.name.clone(),
                producer: None,
                sequences: None,
                offsets: None,
                text: words::torn_before_another(bytes),
            });
        }
    }

    /// The segment at hand ends in so many bytes that are no whole batch.
    pub(crate) fn torn_tail(&mut self, place: Place, bytes: u64) {
        self.torn = Some((place, bytes));
        self.lose_the_next();
    }

    /// What comes before the next batch cannot be read: that offsets are missing there is no
    /// finding of its own.
    pub(crate) fn lose_the_next(&mut self) {
        self.holes.expect_one();
    }

    /// Notes that lines of the dump are missing before this place.
    pub(crate) fn left_out(&mut self, place: Place) {
        self.holes.left_out(place);
    }
}

/// Which kind of finding a violation is.
fn kind_of(violation: &Violation, tail: Option<&Tail>, batch: &LoggedBatch) -> Option<Kind> {
    Some(match violation {
        Violation::StaleEpochRejected(_) => Kind::Stale,
        Violation::NoDuplicate(_) => Kind::Duplicate,
        Violation::PartitionOrder(_) => Kind::Late,
        Violation::SequencePerPartition(_) | Violation::GapRejected(_) => {
            let goes_on = tail.is_some_and(|tail| tail.epoch == batch.producer_epoch);
            if goes_on {
                Kind::Gap
            } else {
                Kind::FirstMissing
            }
        }
        _ => return None,
    })
}

/// Whether the missing sequences may have stood at offsets that are missing too: what
/// retention or compaction took away, or what the dump leaves out.
fn is_excused(violation: &Violation, missing_offsets: u64) -> bool {
    match violation {
        Violation::SequencePerPartition(gap) => {
            let sequences = gap.got.0 - gap.expected.0;
            u64::try_from(sequences).is_ok_and(|sequences| sequences <= missing_offsets)
        }
        _ => false,
    }
}
