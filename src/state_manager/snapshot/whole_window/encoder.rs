//! Writing a file.

use super::super::SnapshotError;
use super::{BatchRecord, Producer, BATCH_SIZE, HEADER_SIZE, MAX_BATCHES, PRODUCER_SIZE};
use super::{BATCHES, CHECKED, CHECKSUM, FORMAT_MAGIC, FORMAT_VERSION, MAP_END, PRODUCERS};
use super::{MAGIC, VERSION};

/// Puts producers and their batches into a file, one after another.
///
/// They are written as they are: whoever calls sees to it that the numbers can be, and that
/// no producer comes twice.
#[derive(Debug)]
pub struct Encoder {
    map_end: i64,
    producers: u64,
    batches: u64,
    bytes: Vec<u8>,
}

impl Encoder {
    /// Begins the file of a state that covers the log up to `map_end`, exclusive.
    pub fn new(map_end: i64) -> Self {
        Encoder::with_room(map_end, 0, 0)
    }

    /// As [`Encoder::new`], with room for so many producers with so many batches in all, so
    /// that memory is taken once.
    pub fn with_room(map_end: i64, producers: usize, batches: usize) -> Self {
        let mut bytes =
            Vec::with_capacity(HEADER_SIZE + producers * PRODUCER_SIZE + batches * BATCH_SIZE);
        bytes.extend_from_slice(&[0; HEADER_SIZE]);
        Encoder {
            map_end,
            producers: 0,
            batches: 0,
            bytes,
        }
    }

    /// Adds a producer with its batches, oldest first.
    ///
    /// # Errors
    /// [`SnapshotError::TooManyBatches`] if there are more than 63. Nothing is added then.
    pub fn push(
        &mut self,
        producer: &Producer,
        batches: impl IntoIterator<Item = BatchRecord>,
    ) -> Result<(), SnapshotError> {
        let start = self.bytes.len();
        self.bytes.extend_from_slice(&[0; PRODUCER_SIZE]);
        let mut count = 0;
        for batch in batches {
            if usize::from(count) == MAX_BATCHES {
                self.bytes.truncate(start);
                let producer_id = producer.producer_id;
                return Err(SnapshotError::TooManyBatches { producer_id });
            }
            self.bytes.extend_from_slice(&batch.to_bytes());
            count += 1;
        }
        // The number of batches, which stands before them, is known only now.
        let place = start..start + PRODUCER_SIZE;
        self.bytes[place].copy_from_slice(&producer.to_bytes(count));
        self.producers += 1;
        self.batches += u64::from(count);
        Ok(())
    }

    /// The file.
    pub fn finish(mut self) -> Vec<u8> {
        let mut header = [0; HEADER_SIZE];
        FORMAT_MAGIC.put(&mut header, MAGIC);
        FORMAT_VERSION.put(&mut header, VERSION.to_be_bytes());
        MAP_END.put(&mut header, self.map_end.to_be_bytes());
        PRODUCERS.put(&mut header, self.producers.to_be_bytes());
        BATCHES.put(&mut header, self.batches.to_be_bytes());
        self.bytes[..HEADER_SIZE].copy_from_slice(&header);
        // The checksum stands before what it is taken of.
        let checksum = crc32c::crc32c(&self.bytes[CHECKED..]);
        CHECKSUM.put(&mut header, checksum.to_be_bytes());
        self.bytes[..HEADER_SIZE].copy_from_slice(&header);
        self.bytes
    }
}
