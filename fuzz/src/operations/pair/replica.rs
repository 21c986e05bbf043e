//! What stands in a log already.

use retryproof::state_manager::{BatchHeader, LogEntry, LoggedBatch};

use super::super::operation::{Chosen, Ended, Logged, Place};
use super::super::reference::{offset, Entry, Written};
use super::{id, ms, Pair};

impl Pair {
    pub(super) fn replicate(&mut self, chosen: &Chosen) {
        let written = self.written(chosen, true);
        let base_offset = self.offset_at(chosen.place);
        let Some(logged) = logged_batch(&written, base_offset) else {
            return;
        };
        let fits = self.reference.bears(&written, base_offset);
        assert_eq!(
            self.manager.replicate(&logged, ms(self.now)),
            fits,
            "{written:?}"
        );
        if fits.is_ok() {
            self.reference.counts.replicated += 1;
            self.reference.record(&written, base_offset, self.now);
        }
    }

    /// A read is recorded as a whole here, so it is left out if it cannot be.
    pub(super) fn replicate_read(&mut self, read: &[Logged]) {
        if self.reference.is_capped() {
            return;
        }
        let mut one_by_one = self.reference.clone();
        let (mut entries, mut references) = (Vec::new(), Vec::new());
        for logged in read {
            let at = one_by_one.end;
            let Some((entry, reference)) = self.log_entry(logged, at) else {
                return;
            };
            if let Entry::Batch(written, _) = &reference {
                if one_by_one.bears(written, at).is_err() {
                    return;
                }
            }
            one_by_one.record_read(&[reference], self.now);
            entries.push(entry);
            references.push(reference);
        }
        let completed = self.manager.replicate_read(&entries, ms(self.now));
        let expected = self.reference.record_read(&references, self.now);
        assert_eq!(completed, Ok(expected), "{references:?}");
    }

    /// What this is if it stands here, if it can.
    fn log_entry(&self, logged: &Logged, at: i64) -> Option<(LogEntry, Entry)> {
        at.checked_add(1)?;
        Some(match logged {
            Logged::Batch(chosen) => {
                let written = self.written(chosen, true);
                let batch = logged_batch(&written, at)?;
                (LogEntry::Batch(batch), Entry::Batch(written, at))
            }
            Logged::Marker(ended) => {
                let marker = self.marker(ended);
                (
                    LogEntry::Marker(marker, offset(at)),
                    Entry::Marker(marker, at),
                )
            }
            Logged::EmptyControl(producer_id) => {
                let entry = LogEntry::EmptyControl(id(*producer_id), offset(at));
                (entry, Entry::EmptyControl(*producer_id, at))
            }
            Logged::Plain(records) => {
                let end = at.checked_add(i64::from(*records))?;
                (LogEntry::Plain(offset(end)), Entry::Plain(end))
            }
        })
    }

    pub(super) fn replicate_marker(&mut self, ended: &Ended) {
        let (marker, at) = (self.marker(ended), self.offset_at(ended.place));
        let recorded = self
            .manager
            .replicate_marker(&marker, offset(at), ms(self.now));
        let fits = self.reference.fits(at, 1);
        assert_eq!(
            recorded,
            fits.map(|()| self.reference.record_marker(&marker, at, self.now)),
            "{marker:?}"
        );
    }

    pub(super) fn replicate_empty_control(&mut self, producer_id: i64, place: Place) {
        let at = self.offset_at(place);
        let recorded =
            self.manager
                .replicate_empty_control(id(producer_id), offset(at), ms(self.now));
        assert_eq!(recorded, self.reference.fits(at, 1));
        if recorded.is_ok() {
            self.reference
                .record_empty_control(producer_id, at, self.now);
        }
    }

    pub(super) fn skip_to(&mut self, end: i64) {
        let end = end.max(0);
        let skipped = self.manager.skip_to(offset(end));
        assert_eq!(skipped, self.reference.fits(end, 0));
        if skipped.is_ok() {
            self.reference.end = end;
        }
    }
}

/// The batch as it stands in a log, as if compaction had removed all records but one; `None`
/// if it does not fit there.
fn logged_batch(written: &Written, base_offset: i64) -> Option<LoggedBatch> {
    let header = BatchHeader {
        producer_id: written.producer_id,
        producer_epoch: written.epoch,
        base_sequence: i32::try_from(written.base_sequence).expect("in range"),
        last_offset_delta: i32::try_from(written.records - 1).expect("chosen so"),
        record_count: 1,
        max_timestamp: written.timestamp,
        transactional: written.transactional,
        control: false,
    };
    let logged = LoggedBatch::from_header(&header, offset(base_offset));
    let fits = base_offset.checked_add(written.records).is_some();
    assert_eq!(logged.is_ok(), fits, "{logged:?}");
    logged
        .ok()
        .map(|logged| logged.expect("it has a producer id"))
}
