//! Checks, and what becomes of the permits that they give.

use retryproof::state_manager::{
    Batch, Check, CoordinatorBatch, Epoch, Marker, MarkerPermit, Offset, Permit, Sequence,
};

use super::super::operation::{Chosen, Place};
use super::super::reference::{offset, Answer, Basis, Written};
use super::{id, ms, Pair, KEPT};

/// What may be written.
enum Right {
    Batch(Permit, Written),
    Marker(MarkerPermit, Marker),
}

/// A permit, and what the reference says it is about.
pub(super) struct Held {
    right: Right,
    basis: Basis,
}

impl Pair {
    pub(super) fn check(&mut self, written: &Written) -> Option<Held> {
        let answer = self.manager.check(&client_batch(written));
        let expected = self.reference.check(written);
        self.permitted(answer, expected, written)
    }

    fn permitted(&self, answer: Check, expected: Answer, written: &Written) -> Option<Held> {
        let (answer, permit) = match answer {
            Check::Append(permit) => (Answer::Append, Some(permit)),
            Check::Duplicate(original) => (Answer::Duplicate(original), None),
            Check::Rejected(rejection) => (Answer::Rejected(rejection), None),
        };
        assert_eq!(answer, expected, "{written:?}");
        let permit = permit?;
        assert_eq!(permit.producer_id().get(), written.producer_id);
        Some(Held {
            right: Right::Batch(permit, *written),
            basis: self.reference.basis(written.producer_id),
        })
    }

    pub(super) fn check_marker(&mut self, marker: &Marker) -> Option<Held> {
        let answer = self.manager.check_marker(marker);
        let expected = self.reference.check_marker(marker);
        assert_eq!(
            answer.as_ref().map(|_| ()).map_err(|rejection| *rejection),
            expected,
            "{marker:?}"
        );
        let permit = answer.ok()?;
        assert_eq!(permit.producer_id(), marker.producer_id);
        Some(Held {
            right: Right::Marker(permit, *marker),
            basis: self.reference.basis(marker.producer_id.get()),
        })
    }

    pub(super) fn hold(&mut self, held: Option<Held>) {
        self.held.extend(held);
        if self.held.len() > KEPT {
            self.held.remove(0);
        }
    }

    pub(super) fn use_up(&mut self, held: Option<Held>, place: Place) {
        let Some(Held { right, basis }) = held else {
            return;
        };
        let base_offset = self.offset_at(place);
        let (base, now) = (offset(base_offset), ms(self.now));
        match right {
            Right::Batch(permit, written) => {
                let committed = self.manager.commit(permit, base, now).map(Offset::get);
                let allowed = self.reference.allows(&basis, base_offset, written.records);
                assert_eq!(
                    committed,
                    allowed.map(|()| base_offset + (written.records - 1)),
                    "{written:?}"
                );
                if allowed.is_ok() {
                    self.reference.counts.appended += 1;
                    self.reference.record(&written, base_offset, self.now);
                }
            }
            Right::Marker(permit, marker) => {
                let committed = self.manager.commit_marker(permit, base, now);
                let allowed = self.reference.allows(&basis, base_offset, 1);
                assert_eq!(
                    committed,
                    allowed.map(|()| self.reference.record_marker(&marker, base_offset, self.now)),
                    "{marker:?}"
                );
            }
        }
    }

    pub(super) fn request(&mut self, chosen: &Chosen, batches: usize) {
        let written = self.written(chosen, false);
        let answer = self
            .manager
            .check_request(&vec![client_batch(&written); batches]);
        let expected = match batches {
            1 => self.reference.check(&written),
            _ => Answer::Rejected(self.reference.check_request(batches)),
        };
        self.permitted(answer, expected, &written);
    }

    pub(super) fn coordinator(&mut self, chosen: &Chosen) {
        let written = Written {
            base_sequence: -1,
            transactional: true,
            ..self.written(chosen, false)
        };
        let batch = CoordinatorBatch {
            producer_id: id(written.producer_id),
            epoch: Epoch::new(written.epoch),
            records: i32::try_from(written.records).expect("chosen so"),
            max_timestamp: ms(written.timestamp),
        };
        let answer = self.manager.check_coordinator(&batch);
        let expected = self.reference.check_coordinator(&written);
        let held = self.permitted(answer, expected, &written);
        self.use_up(held, chosen.place);
    }
}

fn client_batch(written: &Written) -> Batch {
    let base_sequence = i32::try_from(written.base_sequence)
        .ok()
        .and_then(Sequence::new)
        .expect("in range");
    let records = i32::try_from(written.records).expect("chosen so");
    let (producer_id, epoch) = (id(written.producer_id), Epoch::new(written.epoch));
    let batch = Batch::new(
        producer_id,
        epoch,
        base_sequence,
        records,
        ms(written.timestamp),
    )
    .expect("sound");
    if written.transactional {
        batch.transactional()
    } else {
        batch
    }
}
