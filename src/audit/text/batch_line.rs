//! The line that `kafka-dump-log.sh` prints for a batch of magic 2.
//!
//! Which fields it has, and in which order, changed from release to release: `count` came
//! with 2.0, `isControl` with 2.0.1, `deleteHorizonMs` with 3.2, and `isvalid` moved to the
//! end with 2.2. No release is asked for: fields are taken by name, in any order.

use super::fields::{BadLine, Field, Fields};
use crate::audit::{LoggedBatch, Place};

/// What a batch line begins with, and no other line does.
pub(super) const START: &[u8] = b"baseOffset: ";

macro_rules! fields {
    ($($constant:ident = $bit:literal, $name:literal;)*) => {
        $(const $constant: u32 = 1 << $bit;)*
        const NAMES: &[(u32, &str)] = &[$(($constant, $name),)*];
    };
}

fields! {
    BASE_OFFSET = 0, "baseOffset";
    LAST_OFFSET = 1, "lastOffset";
    BASE_SEQUENCE = 2, "baseSequence";
    LAST_SEQUENCE = 3, "lastSequence";
    PRODUCER_ID = 4, "producerId";
    PRODUCER_EPOCH = 5, "producerEpoch";
    LEADER_EPOCH = 6, "partitionLeaderEpoch";
    IS_TRANSACTIONAL = 7, "isTransactional";
    POSITION = 8, "position";
    SIZE = 9, "size";
    MAGIC = 10, "magic";
    CRC = 11, "crc";
    COUNT = 12, "count";
    IS_CONTROL = 13, "isControl";
    DELETE_HORIZON = 14, "deleteHorizonMs";
    IS_VALID = 15, "isvalid";
    CODEC = 16, "compresscodec";
    TIMESTAMP = 17, "CreateTime";
}

/// Fields that every release prints.
const ALWAYS: u32 = BASE_OFFSET
    | LAST_OFFSET
    | BASE_SEQUENCE
    | LAST_SEQUENCE
    | PRODUCER_ID
    | PRODUCER_EPOCH
    | LEADER_EPOCH
    | IS_TRANSACTIONAL
    | POSITION
    | SIZE
    | MAGIC
    | CRC;

/// Reads a line that begins with [`START`].
///
/// # Errors
/// If it does not go on as such a line does. It is never half a batch.
#[inline]
pub(super) fn read(line: &[u8], place: Place) -> Result<LoggedBatch, BadLine> {
    let mut batch = LoggedBatch {
        place,
        base_offset: 0,
        last_offset: 0,
        count: None,
        base_sequence: -1,
        last_sequence: -1,
        producer_id: -1,
        producer_epoch: -1,
        leader_epoch: None,
        is_transactional: false,
        is_control: false,
        position: None,
        size: None,
        crc: None,
        is_valid: None,
        has_delete_horizon: false,
    };
    let mut found = 0;
    for field in Fields::of(line) {
        let field = field?;
        let bit = take(&mut batch, &field)?;
        if found & bit != 0 {
            return Err(BadLine::Twice { name: name(bit) });
        }
        found |= bit;
    }
    let missing = ALWAYS & !found;
    if missing != 0 {
        return Err(BadLine::Missing {
            name: name(missing & missing.wrapping_neg()),
        });
    }
    if found & IS_CONTROL == 0 {
        // 2.0.0 and before do not say. In a transaction only a marker has no sequence.
        batch.is_control =
            batch.is_transactional && batch.producer_id >= 0 && batch.base_sequence < 0;
    }
    Ok(batch)
}

/// Puts a field into the batch, and says which one it is.
#[inline]
fn take(batch: &mut LoggedBatch, field: &Field<'_>) -> Result<u32, BadLine> {
    Ok(match field.name {
        b"baseOffset" => {
            batch.base_offset = offset(field)?;
            BASE_OFFSET
        }
        b"lastOffset" => {
            batch.last_offset = offset(field)?;
            LAST_OFFSET
        }
        b"count" => {
            batch.count = match field.value {
                b"null" => None,
                _ => Some(field.number()?),
            };
            COUNT
        }
        b"baseSequence" => {
            batch.base_sequence = field.number()?;
            BASE_SEQUENCE
        }
        b"lastSequence" => {
            batch.last_sequence = field.number()?;
            LAST_SEQUENCE
        }
        b"producerId" => {
            batch.producer_id = field.number()?;
            PRODUCER_ID
        }
        b"producerEpoch" => {
            batch.producer_epoch = field.number()?;
            PRODUCER_EPOCH
        }
        b"partitionLeaderEpoch" => {
            batch.leader_epoch = Some(field.number()?);
            LEADER_EPOCH
        }
        b"isTransactional" => {
            batch.is_transactional = field.truth()?;
            IS_TRANSACTIONAL
        }
        b"isControl" => {
            batch.is_control = field.truth()?;
            IS_CONTROL
        }
        b"deleteHorizonMs" => {
            batch.has_delete_horizon = is_present(field)?;
            DELETE_HORIZON
        }
        b"position" => {
            batch.position = Some(field.number()?);
            POSITION
        }
        b"CreateTime" | b"LogAppendTime" | b"NoTimestampType" => {
            field.number::<i64>()?;
            TIMESTAMP
        }
        b"isvalid" => {
            batch.is_valid = Some(field.truth()?);
            IS_VALID
        }
        b"size" => {
            batch.size = Some(field.number()?);
            SIZE
        }
        b"magic" => match field.value {
            b"2" => MAGIC,
            _ => return Err(field.bad()),
        },
        b"compresscodec" => CODEC,
        b"crc" => {
            batch.crc = Some(field.number()?);
            CRC
        }
        _ => return Err(unknown(field)),
    })
}

/// An offset, which is 0 or more.
#[inline]
fn offset(field: &Field<'_>) -> Result<i64, BadLine> {
    field.number().and_then(|offset| {
        if offset >= 0 {
            Ok(offset)
        } else {
            Err(field.bad())
        }
    })
}

/// `OptionalLong.empty`, or `OptionalLong[42]`.
fn is_present(field: &Field<'_>) -> Result<bool, BadLine> {
    let inner = field.value.strip_prefix(b"OptionalLong");
    match inner {
        Some(b".empty") => Ok(false),
        Some([b'[', number @ .., b']']) if super::fields::number(number).is_some() => Ok(true),
        _ => Err(field.bad()),
    }
}

fn unknown(field: &Field<'_>) -> BadLine {
    BadLine::Unknown {
        field: format!(
            "{}: {}",
            super::fields::shown(field.name),
            super::fields::shown(field.value)
        ),
    }
}

fn name(bit: u32) -> &'static str {
    let known = NAMES.iter().find(|(known, _)| *known == bit);
    known.map_or("a field", |(_, name)| name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::audit::{FileId, Position};

    const PLACE: Place = Place {
        file: FileId(0),
        position: Position::Line(1),
    };

    /// A batch as each release prints it: the same but for what the release leaves out.
    const RELEASES: [(&str, &str); 6] = [
        (
            "0.11 to 1.1",
            "baseOffset: 5 lastOffset: 7 baseSequence: 0 lastSequence: 2 producerId: 4005 producerEpoch: 16 partitionLeaderEpoch: 3 isTransactional: true position: 146 CreateTime: 1596728571524 isvalid: true size: 107 magic: 2 compresscodec: LZ4 crc: 2238940677",
        ),
        (
            "2.0.0",
            "baseOffset: 5 lastOffset: 7 count: 3 baseSequence: 0 lastSequence: 2 producerId: 4005 producerEpoch: 16 partitionLeaderEpoch: 3 isTransactional: true position: 146 CreateTime: 1596728571524 isvalid: true size: 107 magic: 2 compresscodec: LZ4 crc: 2238940677",
        ),
        (
            "2.0.1, 2.1",
            "baseOffset: 5 lastOffset: 7 count: 3 baseSequence: 0 lastSequence: 2 producerId: 4005 producerEpoch: 16 partitionLeaderEpoch: 3 isTransactional: true isControl: false position: 146 CreateTime: 1596728571524 isvalid: true size: 107 magic: 2 compresscodec: LZ4 crc: 2238940677",
        ),
        (
            "2.2 to 2.8",
            "baseOffset: 5 lastOffset: 7 count: 3 baseSequence: 0 lastSequence: 2 producerId: 4005 producerEpoch: 16 partitionLeaderEpoch: 3 isTransactional: true isControl: false position: 146 CreateTime: 1596728571524 size: 107 magic: 2 compresscodec: LZ4 crc: 2238940677 isvalid: true",
        ),
        (
            "3.0, 3.1",
            "baseOffset: 5 lastOffset: 7 count: 3 baseSequence: 0 lastSequence: 2 producerId: 4005 producerEpoch: 16 partitionLeaderEpoch: 3 isTransactional: true isControl: false position: 146 LogAppendTime: 1596728571524 size: 107 magic: 2 compresscodec: lz4 crc: 2238940677 isvalid: true",
        ),
        (
            "3.2 to 4.x",
            "baseOffset: 5 lastOffset: 7 count: 3 baseSequence: 0 lastSequence: 2 producerId: 4005 producerEpoch: 16 partitionLeaderEpoch: 3 isTransactional: true isControl: false deleteHorizonMs: OptionalLong.empty position: 146 CreateTime: 1596728571524 size: 107 magic: 2 compresscodec: lz4 crc: 2238940677 isvalid: true",
        ),
    ];

    fn expected() -> LoggedBatch {
        LoggedBatch {
            place: PLACE,
            base_offset: 5,
            last_offset: 7,
            count: Some(3),
            base_sequence: 0,
            last_sequence: 2,
            producer_id: 4005,
            producer_epoch: 16,
            leader_epoch: Some(3),
            is_transactional: true,
            is_control: false,
            position: Some(146),
            size: Some(107),
            crc: Some(2_238_940_677),
            is_valid: Some(true),
            has_delete_horizon: false,
        }
    }

    #[test]
    fn every_release_says_the_same_of_a_batch() {
        for (release, line) in RELEASES {
            let count = if release == "0.11 to 1.1" {
                None
            } else {
                Some(3)
            };
            let expected = LoggedBatch {
                count,
                ..expected()
            };
            assert_eq!(read(line.as_bytes(), PLACE), Ok(expected), "{release}");
        }
    }

    #[test]
    fn a_cleaned_batch_and_one_without_a_count_are_read() {
        let line = RELEASES[5].1;
        let cleaned = line.replace("OptionalLong.empty", "OptionalLong[1790510504371]");
        let batch = read(cleaned.as_bytes(), PLACE).expect("a batch");
        assert!(batch.has_delete_horizon);
        let uncounted = line.replace("count: 3", "count: null");
        let batch = read(uncounted.as_bytes(), PLACE).expect("a batch");
        assert_eq!(batch.count, None);
    }

    #[test]
    fn where_no_release_says_it_a_marker_is_known_by_its_sequence() {
        let line = RELEASES[1].1.replace("baseSequence: 0", "baseSequence: -1");
        assert!(read(line.as_bytes(), PLACE).expect("a batch").is_control);
        let outside = line.replace("isTransactional: true", "isTransactional: false");
        assert!(!read(outside.as_bytes(), PLACE).expect("a batch").is_control);
    }

    #[test]
    fn a_line_cut_anywhere_before_its_last_needed_field_is_no_batch() {
        for (release, line) in RELEASES {
            let needed = line.find("crc: ").expect("a checksum") + "crc: ".len();
            for end in START.len()..needed {
                let cut = &line.as_bytes()[..end];
                assert!(read(cut, PLACE).is_err(), "{release}: {}", &line[..end]);
            }
        }
    }

    #[test]
    fn what_is_wrong_is_said() {
        let line = RELEASES[5].1;
        for (from, to, expected) in [
            (
                "producerEpoch: 16",
                "producerEpoch: 99999",
                "\"producerEpoch: 99999\" cannot be",
            ),
            (
                "baseOffset: 5",
                "baseOffset: -5",
                "\"baseOffset: -5\" cannot be",
            ),
            (
                "isControl: false",
                "isControl: no",
                "\"isControl: no\" cannot be",
            ),
            ("magic: 2", "magic: 3", "\"magic: 3\" cannot be"),
            (
                "OptionalLong.empty",
                "Optional",
                "\"deleteHorizonMs: Optional\" cannot be",
            ),
            (
                "count: 3",
                "colour: 3",
                "\"colour: 3\" is no field that is known",
            ),
            ("count: 3", "crc: 3", "crc stands there twice"),
            ("size: 107 ", "", "size is missing"),
        ] {
            let altered = line.replace(from, to);
            let refused = read(altered.as_bytes(), PLACE).expect_err(to);
            assert_eq!(refused.to_string(), expected);
        }
    }
}
