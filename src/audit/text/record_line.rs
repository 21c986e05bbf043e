//! The line that `kafka-dump-log.sh` prints for a record, where no batch line stands above
//! it: with `--deep-iteration` up to 2.1, and for a batch of magic 0 or 1 in every release.
//!
//! Record lines of later releases begin with a bar, and their batch line says all that is
//! needed.

use super::fields::{number, BadLine, Field, Fields};

/// What such a line begins with.
pub(super) const START: &[u8] = b"offset: ";

/// A record, as far as its line tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Record {
    /// Its offset.
    pub(super) offset: i64,
    /// First byte of its batch in the segment.
    pub(super) position: Option<u64>,
    /// Bytes of the batch, where the line is about a whole one of magic 0 or 1.
    pub(super) size: Option<u32>,
    /// Its producer id; −1 without idempotence.
    pub(super) producer_id: i64,
    /// Producer epoch; −1 without idempotence.
    pub(super) producer_epoch: i16,
    /// Its sequence; −1 without idempotence and in markers.
    pub(super) sequence: i32,
    /// Whether it belongs to a transaction.
    pub(super) is_transactional: bool,
    /// Whether its checksum is right.
    pub(super) is_valid: Option<bool>,
    /// Whether key or payload follow.
    pub(super) has_payload: bool,
}

/// Reads a line that begins with [`START`].
///
/// # Errors
/// If offset, producer, epoch or sequence have a value that cannot be, or there is none of
/// the fields that every release prints.
pub(super) fn read(line: &[u8]) -> Result<Record, BadLine> {
    let mut record = Record {
        offset: -1,
        position: None,
        size: None,
        producer_id: -1,
        producer_epoch: -1,
        sequence: -1,
        is_transactional: false,
        is_valid: None,
        has_payload: false,
    };
    let mut has_magic = false;
    let mut fields = Fields::of(line);
    loop {
        // Keys of headers, key and payload are free text: nothing behind them is a field.
        if fields.rest().starts_with(b"headerKeys: ") {
            let rest = fields.rest();
            record.has_payload = contains(rest, b" key: ") || contains(rest, b" payload: ");
            break;
        }
        let Some(field) = fields.next() else { break };
        let field = field?;
        match field.name {
            b"key" | b"payload" => {
                record.has_payload = true;
                break;
            }
            b"offset" if record.offset < 0 => record.offset = offset(&field)?,
            b"position" => record.position = Some(field.number()?),
            b"size" => record.size = Some(field.number()?),
            b"producerId" => record.producer_id = field.number()?,
            b"producerEpoch" => record.producer_epoch = field.number()?,
            b"sequence" => record.sequence = field.number()?,
            b"isTransactional" => record.is_transactional = field.truth()?,
            b"isvalid" => record.is_valid = Some(field.truth()?),
            b"magic" => has_magic = number(field.value).is_some(),
            _ => {}
        }
    }
    if !has_magic {
        return Err(BadLine::Missing { name: "magic" });
    }
    Ok(record)
}

fn offset(field: &Field<'_>) -> Result<i64, BadLine> {
    let offset = field.number()?;
    if offset < 0 {
        return Err(field.bad());
    }
    Ok(offset)
}

fn contains(text: &[u8], words: &[u8]) -> bool {
    memchr::memmem::find(text, words).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    const DEEP: &str = "offset: 7 position: 146 CreateTime: 1552341204207 isvalid: true keysize: 16 valuesize: 19 magic: 2 compresscodec: NONE producerId: 3 producerEpoch: 5 sequence: 2 isTransactional: true headerKeys: [a b,sequence: 9]";

    fn record() -> Record {
        Record {
            offset: 7,
            position: Some(146),
            size: None,
            producer_id: 3,
            producer_epoch: 5,
            sequence: 2,
            is_transactional: true,
            is_valid: Some(true),
            has_payload: false,
        }
    }

    #[test]
    fn a_record_of_a_deep_dump_is_read() {
        assert_eq!(read(DEEP.as_bytes()), Ok(record()));
    }

    #[test]
    fn nothing_in_a_payload_is_a_field() {
        let line = format!("{DEEP} key: K payload: sequence: 11 producerId: 99");
        let expected = Record {
            has_payload: true,
            ..record()
        };
        assert_eq!(read(line.as_bytes()), Ok(expected));
    }

    #[test]
    fn a_batch_of_magic_1_has_no_producer() {
        let line = b"offset: 41 position: 0 CreateTime: 1469000000000 isvalid: true payloadsize: 3 magic: 1 compresscodec: GZIPCompressionCodec crc: 7 payload: abc";
        let expected = Record {
            offset: 41,
            position: Some(0),
            size: None,
            producer_id: -1,
            producer_epoch: -1,
            sequence: -1,
            is_transactional: false,
            is_valid: Some(true),
            has_payload: true,
        };
        assert_eq!(read(line), Ok(expected));
    }

    #[test]
    fn what_cannot_be_is_refused() {
        for line in [
            "offset: ",
            "offset: x position: 0 magic: 2",
            "offset: -3 position: 0 magic: 2",
            "offset: 1 position: 0",
            "offset: 1 position: 0 magic: 2 sequence: 99999999999",
        ] {
            assert!(read(line.as_bytes()).is_err(), "{line}");
        }
    }
}
