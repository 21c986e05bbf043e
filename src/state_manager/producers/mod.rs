//! All producers of a partition and the newest batches of each, packed.
//!
//! An index from producer id to slot (a `hashbrown` table of 4-byte slots), and in the slots
//! records of 48 bytes, or with a whole window of 24 more for each further batch (see
//! [`record`]). What only transactions need lies on the side, and the order of use is kept
//! only if there is a cap.

mod hash;
mod occupied;
mod range;
mod recency;
mod record;
mod shape;
mod side;
mod slab;

use std::num::NonZeroUsize;

use hashbrown::hash_table::Entry;
use hashbrown::{HashMap, HashTable};

use super::batch::Batch;
use super::numbers::Sequence;
use super::permit::{Basis, Data};
use hash::IdHash;
use occupied::Occupied;
use recency::Recency;
use record::Record;
use slab::Slab;

pub(super) use range::SequenceRange;
pub(super) use record::{CachedBatch, Change};
pub(super) use side::Side;
pub(super) use slab::Slot;

/// A batch of at most this many records in a window of at most 63: together they cover less
/// than the 2³¹ sequences there are.
const SMALL_BATCH: i32 = 1 << 25;

/// What a snapshot keeps of a producer beside its batches.
pub(super) struct Kept {
    pub producer_id: i64,
    pub epoch: i16,
    pub last_timestamp: i64,
    pub side: Side,
    /// Under which number it is taken over, and when it was last seen.
    pub change: Change,
}

/// See the head of this file.
pub(super) struct Producers {
    index: HashTable<Slot>,
    hasher: IdHash,
    slab: Slab,
    side: HashMap<Slot, Side>,
    recency: Option<Recency>,
    window: usize,
}

impl Producers {
    /// None yet. The order of use is kept if there is a cap.
    pub fn new(window: usize, cap: Option<NonZeroUsize>) -> Self {
        Producers {
            index: HashTable::new(),
            hasher: IdHash::new(),
            slab: Slab::new(window),
            side: HashMap::default(),
            recency: cap.map(|_| Recency::new()),
            window,
        }
    }

    /// How many are known.
    pub fn len(&self) -> usize {
        self.index.len()
    }

    /// All slots are below this number; some may be vacant.
    pub fn slots(&self) -> Slot {
        self.slab.slots()
    }

    /// Makes room for this many more, so that the index does not grow on the way.
    pub fn reserve(&mut self, producers: usize) {
        let Producers {
            index,
            hasher,
            slab,
            ..
        } = self;
        index.reserve(producers, |slot| {
            hasher.hash(slab.record(*slot).producer_id())
        });
    }

    #[inline]
    pub fn find(&self, producer_id: i64) -> Option<Slot> {
        let hash = self.hasher.hash(producer_id);
        self.index
            .find(hash, |slot| {
                self.slab.record(*slot).producer_id() == producer_id
            })
            .copied()
    }

    /// The slot of this producer, which is made known if it is not; whether it was made.
    pub fn find_or_insert(&mut self, producer_id: i64) -> (Slot, bool) {
        let Producers {
            index,
            hasher,
            slab,
            ..
        } = self;
        let hash = hasher.hash(producer_id);
        let entry = index.entry(
            hash,
            |slot| slab.record(*slot).producer_id() == producer_id,
            |slot| hasher.hash(slab.record(*slot).producer_id()),
        );
        match entry {
            Entry::Occupied(occupied) => (*occupied.get(), false),
            Entry::Vacant(vacant) => {
                let slot = slab.insert(producer_id);
                vacant.insert(slot);
                (slot, true)
            }
        }
    }

    /// Makes a producer known as a snapshot has it, with its batches, oldest first. `None` if
    /// it is known already.
    pub fn restore(
        &mut self,
        kept: &Kept,
        batches: impl IntoIterator<Item = CachedBatch>,
    ) -> Option<Slot> {
        let (slot, new) = self.find_or_insert(kept.producer_id);
        if !new {
            return None;
        }
        self.slab.record_mut(slot).begin_epoch(kept.epoch);
        let mut next = None;
        for batch in batches {
            self.push(slot, &batch, next == batch.range.first());
            next = batch.range.last().map(Sequence::next);
        }
        if kept.side != Side::NONE {
            self.set_side(slot, kept.side);
        }
        if self.last_timestamp(slot) != kept.last_timestamp {
            self.set_last_timestamp(slot, kept.last_timestamp);
        }
        self.changed(slot, kept.change);
        Some(slot)
    }

    /// Forgets the producer of this slot.
    pub fn remove(&mut self, slot: Slot) {
        let hash = self.hasher.hash(self.producer_id(slot));
        if let Ok(occupied) = self.index.find_entry(hash, |other| *other == slot) {
            occupied.remove();
        }
        if self.slab.record(slot).rest().shape.has_side() {
            self.side.remove(&slot);
        }
        if let Some(recency) = &mut self.recency {
            recency.unlink(slot);
        }
        self.slab.remove(slot);
    }

    /// The slots in use, in order.
    pub fn iter(&self) -> Occupied<'_> {
        Occupied::new(self)
    }

    /// Whether the slot is in use.
    pub fn occupied(&self, slot: Slot) -> bool {
        self.slab.occupied(slot)
    }

    #[inline]
    pub fn producer_id(&self, slot: Slot) -> i64 {
        self.slab.record(slot).producer_id()
    }

    #[inline]
    pub fn epoch(&self, slot: Slot) -> i16 {
        self.slab.record(slot).rest().epoch
    }

    pub fn last_timestamp(&self, slot: Slot) -> i64 {
        self.slab.record(slot).last_timestamp()
    }

    pub fn last_seen(&self, slot: Slot) -> i64 {
        self.slab.record(slot).last_seen()
    }

    #[inline]
    pub fn version(&self, slot: Slot) -> u32 {
        self.slab.record(slot).rest().version
    }

    /// Last sequence of the newest batch; −1 if it has none, `None` if there is no batch.
    #[inline]
    pub fn last_sequence(&self, slot: Slot) -> Option<i32> {
        let record = self.slab.record(slot);
        let len = record.rest().shape.len();
        (len > 0).then_some(record.newest_range().last_sequence())
    }

    /// The sequence after the newest batch, if there is one; 0 after a batch without
    /// sequences.
    #[inline]
    pub fn next_sequence(&self, slot: Slot) -> Option<Sequence> {
        self.last_sequence(slot)
            .map(|last| Sequence::new(last).map_or(Sequence::ZERO, Sequence::next))
    }

    /// The number of the producer's last change, if this batch follows the newest one in its
    /// epoch and there is nothing else to look at: no older batch can equal it, and the
    /// producer never used a transaction.
    #[inline]
    pub fn goes_on(&self, slot: Slot, batch: &Batch) -> Option<u32> {
        let record = self.slab.record(slot);
        let rest = record.rest();
        let next = record.newest_range().last_sequence().wrapping_add(1) & i32::MAX;
        let goes_on = rest.epoch == batch.epoch.get()
            && next == batch.base_sequence.get()
            && rest.shape.plain();
        goes_on.then_some(rest.version)
    }

    /// Records a batch that goes on where the newest one of its producer ended, if the
    /// producer is still as the permit has it and nothing else must be looked at. Does at one
    /// look what [`push`](Self::push) and [`changed`](Self::changed) do step by step, because
    /// this is what a broker does all day. `false` if nothing was done.
    #[inline]
    pub fn go_on(
        &mut self,
        basis: &Basis,
        data: &Data,
        last_offset: i64,
        change: Change,
        between: u32,
    ) -> bool {
        let Some(mut record) = self.slab.get_mut(basis.slot) else {
            return false;
        };
        let rest = record.as_ref().rest();
        let plain = is_unchanged(
            record.as_ref(),
            basis,
            change.number.wrapping_sub(1),
            between,
        ) && rest.epoch == data.epoch
            && rest.shape.plain()
            && record.has_room(self.window)
            && data.follows
            && !data.transactional
            && data.range.offset_delta() < SMALL_BATCH
            && self.recency.is_none();
        if !plain {
            return false;
        }
        let batch = CachedBatch {
            last_offset,
            timestamp: data.max_timestamp,
            range: data.range,
        };
        let timestamp = record.as_ref().last_timestamp();
        record.push(&batch, true, timestamp, self.window);
        record.change(change);
        true
    }

    /// Whether the producer of a permit is as it was when the permit was given, `between`
    /// changes before the last one, which has the number `now`.
    pub fn is_unchanged(&self, basis: &Basis, now: u32, between: u32) -> bool {
        is_unchanged(self.slab.record(basis.slot), basis, now, between)
    }

    #[inline]
    pub fn side(&self, slot: Slot) -> Side {
        if self.slab.record(slot).rest().shape.has_side() {
            self.side.get(&slot).copied().unwrap_or(Side::NONE)
        } else {
            Side::NONE
        }
    }

    pub fn set_side(&mut self, slot: Slot, side: Side) {
        let has_side = side != Side::NONE;
        let mut record = self.slab.record_mut(slot);
        let mut rest = record.as_ref().rest();
        if has_side {
            self.side.insert(slot, side);
        } else if rest.shape.has_side() {
            self.side.remove(&slot);
        }
        rest.shape.set_side(has_side);
        record.set_rest(rest);
    }

    /// The newest batch.
    pub fn newest(&self, slot: Slot) -> Option<CachedBatch> {
        let record = self.slab.record(slot);
        (record.rest().shape.len() > 0).then(|| {
            let timestamp = self.side(slot).newest_timestamp;
            record.newest(timestamp.unwrap_or(record.last_timestamp()))
        })
    }

    /// How many batches the window holds.
    pub fn window_len(&self, slot: Slot) -> usize {
        self.slab.record(slot).rest().shape.len()
    }

    /// The batches of the window, oldest first.
    pub fn batches(&self, slot: Slot) -> impl Iterator<Item = CachedBatch> + '_ {
        self.slab.record(slot).older().chain(self.newest(slot))
    }

    /// The batch of the window with exactly the epoch and sequences of this one; of several
    /// the oldest (Kafka: `ProducerStateEntry.findDuplicateBatch`).
    #[inline]
    pub fn find_duplicate(&self, slot: Slot, batch: &Batch) -> Option<CachedBatch> {
        let record = self.slab.record(slot);
        let rest = record.rest();
        if rest.epoch != batch.epoch.get() {
            return None;
        }
        let range = batch.range();
        if rest.shape.irregular() {
            return self.batches(slot).find(|cached| cached.range == range);
        }
        // All batches of a regular window differ, so the order does not matter.
        if let Some(older) = record.older_with(rest.shape.len(), range) {
            return Some(older);
        }
        let newest = record.newest_range() == range && rest.shape.len() > 0;
        if newest && !rest.shape.has_side() {
            return Some(record.newest(record.last_timestamp()));
        }
        self.newest(slot).filter(|_| newest)
    }

    /// Begins an epoch, if it is another one: the window is empty then.
    pub fn set_epoch(&mut self, slot: Slot, epoch: i16) {
        if self.epoch(slot) == epoch {
            return;
        }
        self.take_newest_timestamp(slot);
        let mut record = self.slab.record_mut(slot);
        let mut rest = record.as_ref().rest();
        rest.epoch = epoch;
        rest.shape.clear_window();
        record.set_rest(rest);
    }

    /// Makes `batch` the newest of the window, from which the oldest goes if it is full.
    /// `follows` says whether it begins where the newest one ended.
    #[inline]
    pub fn push(&mut self, slot: Slot, batch: &CachedBatch, follows: bool) {
        let shape = self.slab.record(slot).rest().shape;
        let timestamp = match shape.has_side() {
            true => self.take_newest_timestamp(slot),
            false => None,
        };
        let mut record = match shape.len() {
            0 => self.slab.record_mut(slot),
            _ => self.slab.roomy_mut(slot),
        };
        let range = batch.range;
        let regular = range.offset_delta() < SMALL_BATCH && range.last_sequence() >= 0;
        let regular = regular && (shape.len() == 0 || follows && !shape.irregular());
        let timestamp = timestamp.unwrap_or(record.as_ref().last_timestamp());
        record.push(batch, regular, timestamp, self.window);
    }

    /// The timestamp of the newest batch, if it is kept on the side; it is not any more.
    #[cold]
    fn take_newest_timestamp(&mut self, slot: Slot) -> Option<i64> {
        let side = self.side(slot);
        self.set_side(
            slot,
            Side {
                newest_timestamp: None,
                ..side
            },
        );
        side.newest_timestamp
    }

    /// Sets the producer's last timestamp to that of a marker. The newest batch keeps its
    /// own.
    pub fn set_last_timestamp(&mut self, slot: Slot, timestamp: i64) {
        let side = self.side(slot);
        if let Some(newest) = self.newest(slot) {
            let differs = newest.timestamp != timestamp;
            self.set_side(
                slot,
                Side {
                    newest_timestamp: differs.then_some(newest.timestamp),
                    ..side
                },
            );
        }
        self.slab.record_mut(slot).set_last_timestamp(timestamp);
    }

    /// Notes a change. Keeps the order of use; a producer with
    /// an open transaction is not in it.
    #[inline]
    pub fn changed(&mut self, slot: Slot, change: Change) {
        self.slab.record_mut(slot).change(change);
        if self.recency.is_some() {
            self.order(slot);
        }
    }

    fn order(&mut self, slot: Slot) {
        let open = self.side(slot).transaction_first_offset.is_some();
        if let Some(recency) = &mut self.recency {
            if open {
                recency.unlink(slot);
            } else {
                recency.touch(slot);
            }
        }
    }

    /// Brings the order of use into that of the times at which producers were last seen.
    /// Needed after a restore only, as files have no order.
    pub fn order_by_last_seen(&mut self) {
        if self.recency.is_none() {
            return;
        }
        let mut slots: Vec<Slot> = self.iter().collect();
        slots.sort_by_key(|slot| self.last_seen(*slot));
        for slot in slots {
            self.order(slot);
        }
    }

    /// The least recently seen producer without an open transaction. Needs a cap.
    pub fn least_recently_seen(&self) -> Option<Slot> {
        self.recency.as_ref()?.oldest()
    }
}

#[inline]
fn is_unchanged(record: Record<'_>, basis: &Basis, now: u32, between: u32) -> bool {
    let version = record.rest().version;
    record.producer_id() == basis.producer_id.get()
        && version == basis.version
        // Another change could have the same number modulo 2³². It would be more recent than
        // the permit.
        && now.wrapping_sub(version) >= between
}

#[cfg(test)]
mod tests {
    use super::super::numbers::ProducerId;
    use super::*;

    #[test]
    fn a_change_after_the_permit_is_told_from_one_with_the_same_number() {
        let mut producers = Producers::new(5, None);
        let (slot, _) = producers.find_or_insert(0);
        let number = 7;
        producers.changed(slot, Change { number, now: 0 });
        let basis = Basis {
            incarnation: 0,
            changes: 7,
            producer_id: ProducerId::LOWEST,
            slot,
            version: number,
        };
        assert!(producers.is_unchanged(&basis, number, 0));
        assert!(producers.is_unchanged(&basis, number + 3, 3));
        assert!(
            !producers.is_unchanged(&basis, number + 2, 3),
            "it changed two changes ago, the permit is three old"
        );
        let another = Basis {
            producer_id: ProducerId::new(1).expect("not negative"),
            ..basis
        };
        assert!(!producers.is_unchanged(&another, number, 0));
    }

    #[test]
    fn what_lies_on_the_side_goes_with_its_producer() {
        let mut producers = Producers::new(5, None);
        let (slot, _) = producers.find_or_insert(0);
        let side = Side {
            transaction_first_offset: Some(3),
            ..Side::NONE
        };
        producers.set_side(slot, side);
        assert_eq!(producers.side(slot), side);
        producers.remove(slot);
        assert!(producers.side.is_empty());
        assert_eq!(producers.find_or_insert(0), (slot, true));
        assert_eq!(producers.side(slot), Side::NONE);
    }
}
