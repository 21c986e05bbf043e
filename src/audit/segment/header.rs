//! The header of a record batch of magic 2, and what of messages of magic 0 and 1 is needed to
//! walk past them.
//!
//! Source: Kafka's `DefaultRecordBatch` (layout in its class comment), `LegacyRecord` and
//! `Records` (4.3.1). All numbers are big-endian.

/// Bytes of the header of a batch of magic 2 (`DefaultRecordBatch.RECORD_BATCH_OVERHEAD`). It
/// starts with the base offset.
pub const HEADER: usize = 61;
/// Bytes before the part that the length field counts (`Records.LOG_OVERHEAD`).
pub const BEFORE_LENGTH_COUNTS: u32 = 12;
/// Where the magic byte stands, in every format (`Records.MAGIC_OFFSET`).
pub const MAGIC: usize = 16;
/// From this byte on the checksum of magic 2 covers all (`DefaultRecordBatch.ATTRIBUTES_OFFSET`).
/// That of magic 0 and 1 covers all from the magic byte on.
pub const CHECKED: usize = 21;
/// Least size of a message of magic 0 (`LegacyRecord.RECORD_OVERHEAD_V0`) and of one of magic 1,
/// which has a timestamp besides.
const MESSAGE_OVERHEAD: [u32; 2] = [14, 22];

const TRANSACTIONAL: i16 = 1 << 4;
const CONTROL: i16 = 1 << 5;
const DELETE_HORIZON: i16 = 1 << 6;
/// The bits of the attributes that name the codec; 0 is none.
const CODEC: u8 = 0x07;
/// All bits of the attributes that mean something, in a batch and in a message.
const ATTRIBUTES: i16 = 0x7f;
const MESSAGE_ATTRIBUTES: u8 = 0x0f;
/// The highest codec, in a batch (zstd) and in a message (lz4).
const LAST_CODEC: i16 = 4;
const LAST_MESSAGE_CODEC: u8 = 3;

/// What stands at a place where a batch should begin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Header {
    /// A batch of magic 2.
    Batch(BatchHeader),
    /// A message of magic 0 or 1, or a compressed set of them.
    Message(MessageHeader),
}

/// What is the same in messages of magic 0 and 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MessageHeader {
    /// Offset of the message, of the last one of a compressed set.
    pub offset: i64,
    /// Whether it is a compressed set.
    pub is_set: bool,
    /// Bytes in the segment, from the offset on.
    pub size: u32,
    /// CRC-32 of everything from the magic byte on.
    pub crc: u32,
    /// Codec, and from magic 1 on the kind of timestamp.
    pub attributes: u8,
    /// Bytes of the key; −1 without one.
    pub key: i32,
}

/// The fields of the header of a batch of magic 2.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BatchHeader {
    /// Offset of the first record.
    pub base_offset: i64,
    /// Bytes in the segment, from the base offset on.
    pub size: u32,
    /// Epoch of the leader that appended it; not covered by the checksum.
    pub leader_epoch: i32,
    /// CRC-32C of everything from the attributes on.
    pub crc: u32,
    /// Codec, kind of timestamp, and what kind of batch it is.
    pub attributes: i16,
    /// Offset of the last record less that of the first.
    pub last_offset_delta: i32,
    /// Producer id; −1 without idempotence.
    pub producer_id: i64,
    /// Producer epoch; −1 without idempotence.
    pub producer_epoch: i16,
    /// Sequence of the first record; −1 without idempotence and in control batches.
    pub base_sequence: i32,
    /// Records that are in it.
    pub count: i32,
}

impl Header {
    /// Reads the header that these bytes begin with. `Ok(None)` if they are too few to tell.
    ///
    /// # Errors
    /// If no batch and no message begins like this, in a few words why.
    pub fn parse(bytes: &[u8]) -> Result<Option<Self>, &'static str> {
        let (Some(length), Some(&magic)) =
            (field(bytes, 8).map(i32::from_be_bytes), bytes.get(MAGIC))
        else {
            return Ok(None);
        };
        let Some(offset) = field(bytes, 0).map(i64::from_be_bytes) else {
            return Ok(None);
        };
        let least = match magic {
            0 | 1 => MESSAGE_OVERHEAD[usize::from(magic)],
            2 => HEADER as u32 - BEFORE_LENGTH_COUNTS,
            _ => return Err("no batch begins here: its magic byte is none of 0, 1 and 2"),
        };
        let length = u32::try_from(length).map_err(|_| "the length of the batch is negative")?;
        if length < least {
            return Err("the length of the batch is less than that of its header");
        }
        if offset < 0 {
            return Err("the offset of the batch is negative");
        }
        let size = length + BEFORE_LENGTH_COUNTS;
        if magic < 2 {
            let attributes = bytes.get(MAGIC + 1).copied().unwrap_or(0);
            let message = MessageHeader {
                offset,
                is_set: attributes & CODEC != 0,
                size,
                crc: field(bytes, 12).map_or(0, u32::from_be_bytes),
                attributes,
                key: field(bytes, BEFORE_LENGTH_COUNTS as usize + least as usize - 8)
                    .map_or(-1, i32::from_be_bytes),
            };
            return Ok(Some(Header::Message(message)));
        }
        Ok(BatchHeader::parse(bytes, offset, size).map(Header::Batch))
    }

    /// Bytes in the segment.
    pub fn size(&self) -> u32 {
        match self {
            Header::Batch(batch) => batch.size,
            Header::Message(message) => message.size,
        }
    }

    /// Whether a broker may have written it, as far as its fields show, in a log that goes on
    /// at this offset.
    pub fn may_be_one(&self, next: Option<i64>) -> bool {
        match self {
            Header::Batch(batch) => batch.may_be_one(),
            Header::Message(message) => message.may_be_one(next),
        }
    }
}

impl MessageHeader {
    /// Offsets of one segment lie within 2³¹ of each other.
    fn may_be_one(&self, next: Option<i64>) -> bool {
        let is_near = |next: i64| self.offset.abs_diff(next) < 1 << 31;
        self.attributes & !MESSAGE_ATTRIBUTES == 0
            && self.attributes & CODEC <= LAST_MESSAGE_CODEC
            && self.key >= -1
            && i64::from(self.key) < i64::from(self.size)
            && next.is_none_or(is_near)
    }
}

impl BatchHeader {
    fn parse(bytes: &[u8], base_offset: i64, size: u32) -> Option<Self> {
        Some(BatchHeader {
            base_offset,
            size,
            leader_epoch: i32::from_be_bytes(field(bytes, 12)?),
            crc: u32::from_be_bytes(field(bytes, 17)?),
            attributes: i16::from_be_bytes(field(bytes, CHECKED)?),
            last_offset_delta: i32::from_be_bytes(field(bytes, 23)?),
            producer_id: i64::from_be_bytes(field(bytes, 43)?),
            producer_epoch: i16::from_be_bytes(field(bytes, 51)?),
            base_sequence: i32::from_be_bytes(field(bytes, 53)?),
            count: i32::from_be_bytes(field(bytes, 57)?),
        })
    }

    /// The base offset is not asked: it is not covered by the checksum, also where the log was
    /// read before.
    fn may_be_one(&self) -> bool {
        self.attributes & !ATTRIBUTES == 0
            && self.attributes & i16::from(CODEC) <= LAST_CODEC
            && self.last_offset_delta >= 0
            && (0..=i64::from(self.last_offset_delta) + 1).contains(&self.count.into())
            && self.producer_id >= -1
            && self.producer_epoch >= -1
            && self.base_sequence >= -1
    }

    /// Offset of the last record.
    pub fn last_offset(&self) -> i64 {
        self.base_offset
            .saturating_add(i64::from(self.last_offset_delta))
    }

    /// Sequence of the last record: sequences go from 2³¹−1 to 0. −1 where the first is −1.
    pub fn last_sequence(&self) -> i32 {
        if self.base_sequence < 0 {
            return self.base_sequence;
        }
        self.base_sequence.wrapping_add(self.last_offset_delta) & i32::MAX
    }

    pub fn is_transactional(&self) -> bool {
        self.attributes & TRANSACTIONAL != 0
    }

    pub fn is_control(&self) -> bool {
        self.attributes & CONTROL != 0
    }

    pub fn has_delete_horizon(&self) -> bool {
        self.attributes & DELETE_HORIZON != 0
    }
}

/// The bytes of a field, if they are there.
fn field<const N: usize>(bytes: &[u8], at: usize) -> Option<[u8; N]> {
    bytes.get(at..at + N)?.try_into().ok()
}
