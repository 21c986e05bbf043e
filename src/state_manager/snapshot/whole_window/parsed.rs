//! Reading a file.

use super::super::plausible::{fault_of_offsets, fault_of_producer, fault_of_sequence};
use super::super::SnapshotError;
use super::records::BATCH_COUNT;
use super::{BatchRecord, Producer, BATCH_SIZE, HEADER_SIZE, MAX_BATCHES, PRODUCER_SIZE};
use super::{
    BATCHES, CHECKED, CHECKSUM, FORMAT_MAGIC, FORMAT_VERSION, MAGIC, MAP_END, PRODUCERS, VERSION,
};

/// A file that was found to be whole and plausible.
#[derive(Clone, Copy, Debug)]
pub struct Parsed<'a> {
    checksum: u32,
    map_end: i64,
    producers: usize,
    entries: &'a [u8],
}

impl<'a> Parsed<'a> {
    /// The state covers the log up to this offset, exclusive.
    pub fn map_end(&self) -> i64 {
        self.map_end
    }

    /// CRC-32C of the file.
    pub fn checksum(&self) -> u32 {
        self.checksum
    }

    /// The producers, in the order of the file.
    pub fn entries(&self) -> Entries<'a> {
        Entries {
            left: self.producers,
            rest: self.entries,
        }
    }
}

/// Looks at a file from its first byte to its last.
///
/// # Errors
/// If the file has another version, another length or another checksum than it says, or
/// holds a number that cannot be: a negative map end, producer id, offset or offset delta,
/// any other but epochs and times below −1, an offset at or after the map end, more than
/// 63 batches of one producer, or batches that overlap or are not in the order of the log.
pub fn parse(bytes: &[u8]) -> Result<Parsed<'_>, SnapshotError> {
    let Some((header, entries)) = bytes.split_first_chunk::<HEADER_SIZE>() else {
        return Err(SnapshotError::too_short(bytes, HEADER_SIZE));
    };
    if FORMAT_MAGIC.get(header) != MAGIC {
        return Err(SnapshotError::NotASnapshot);
    }
    let version = u32::from_be_bytes(FORMAT_VERSION.get(header));
    if version != VERSION {
        let found = i64::from(version);
        return Err(SnapshotError::UnknownVersion { found });
    }
    let producers = u64::from_be_bytes(PRODUCERS.get(header));
    let batches = u64::from_be_bytes(BATCHES.get(header));
    SnapshotError::check_length(bytes.len(), size(producers, batches))?;
    let checksum = u32::from_be_bytes(CHECKSUM.get(header));
    SnapshotError::check_checksum(checksum, &bytes[CHECKED..])?;
    let map_end = i64::from_be_bytes(MAP_END.get(header));
    if map_end < 0 {
        let what = "the map end is negative";
        return Err(SnapshotError::ImplausibleHeader { what });
    }
    let parsed = Parsed {
        checksum,
        map_end,
        // There are fewer than bytes in the file, whose number is a `usize`.
        producers: producers as usize,
        entries,
    };
    parsed.check_entries()?;
    Ok(parsed)
}

/// Bytes of a file with so many producers and batches. Counts too large for any file come
/// to a size too large for any file.
fn size(producers: u64, batches: u64) -> u64 {
    let producers = producers.saturating_mul(PRODUCER_SIZE as u64);
    let batches = batches.saturating_mul(BATCH_SIZE as u64);
    (HEADER_SIZE as u64)
        .saturating_add(producers)
        .saturating_add(batches)
}

impl Parsed<'_> {
    fn check_entries(&self) -> Result<(), SnapshotError> {
        let mut rest = self.entries;
        for entry in 0..self.producers {
            let implausible = |what| SnapshotError::Implausible { entry, what };
            let (read, after) = split_entry(rest)
                .ok_or_else(|| implausible("the batches reach past the end of the file"))?;
            if let Some(what) = read.fault(self.map_end) {
                return Err(implausible(what));
            }
            rest = after;
        }
        if rest.is_empty() {
            Ok(())
        } else {
            let what = "the number of batches is larger than that of all entries";
            Err(SnapshotError::ImplausibleHeader { what })
        }
    }
}

/// The entry at the beginning of these bytes, and the bytes after it; `None` if it is not
/// whole.
#[inline]
fn split_entry(bytes: &[u8]) -> Option<(Entry<'_>, &[u8])> {
    let (producer, rest) = bytes.split_first_chunk::<PRODUCER_SIZE>()?;
    let count = u16::from_be_bytes(BATCH_COUNT.get(producer));
    let (batches, rest) = rest.split_at_checked(usize::from(count) * BATCH_SIZE)?;
    let (batches, _) = batches.as_chunks();
    let producer = Producer::from_bytes(producer);
    Some((Entry { producer, batches }, rest))
}

/// The producers of a file, in its order.
#[derive(Clone, Debug)]
pub struct Entries<'a> {
    left: usize,
    rest: &'a [u8],
}

impl<'a> Iterator for Entries<'a> {
    type Item = Entry<'a>;

    #[inline]
    fn next(&mut self) -> Option<Entry<'a>> {
        // Nothing but the end is no whole entry, as the file was looked at.
        let (entry, rest) = split_entry(self.rest)?;
        self.left -= 1;
        self.rest = rest;
        Some(entry)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.left, Some(self.left))
    }
}

impl ExactSizeIterator for Entries<'_> {}

/// One producer of a file.
#[derive(Clone, Copy, Debug)]
pub struct Entry<'a> {
    /// The producer.
    pub producer: Producer,
    batches: &'a [[u8; BATCH_SIZE]],
}

impl<'a> Entry<'a> {
    /// Its batches, oldest first; 63 at most.
    pub fn batches(
        &self,
    ) -> impl ExactSizeIterator<Item = BatchRecord> + DoubleEndedIterator + use<'a> {
        self.batches.iter().map(BatchRecord::from_bytes)
    }

    /// What cannot be about this entry, if anything.
    fn fault(&self, map_end: i64) -> Option<&'static str> {
        let producer = &self.producer;
        let fault = fault_of_producer(producer.producer_id, producer.transaction_first_offset);
        if fault.is_some() {
            return fault;
        }
        if self.batches.len() > MAX_BATCHES {
            return Some("there are more than 63 batches");
        }
        if producer.transaction_first_offset >= map_end {
            return Some("the open transaction begins at or after the map end");
        }
        // Offset that the next batch may begin at.
        let mut free = 0;
        for batch in self.batches() {
            let fault = fault_of_sequence(batch.last_sequence, batch.offset_delta)
                .or(fault_of_offsets(batch.last_offset, batch.offset_delta));
            if fault.is_some() {
                return fault;
            }
            if batch.last_offset >= map_end {
                return Some("a batch ends at or after the map end");
            }
            if batch.last_offset - i64::from(batch.offset_delta) < free {
                return Some("a batch begins before the one ahead of it has ended");
            }
            // No overflow: the last offset is less than the map end.
            free = batch.last_offset + 1;
        }
        None
    }
}
