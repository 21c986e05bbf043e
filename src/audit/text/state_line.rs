//! The line that `kafka-dump-log.sh` prints for a producer in a snapshot.
//!
//! The first half is about the producer, the second about its newest batch and missing where
//! there is none. 0.11 printed `lastSequence` instead of a first and a last one, 3.1 added
//! `lastTimestamp`, and 3.5 prints Java's optional numbers instead of Scala's.

use super::fields::{number, BadLine, Field, Fields};
use crate::audit::state::{NewestBatch, ProducerState};
use crate::audit::Place;

/// What such a line begins with.
pub(super) const START: &[u8] = b"producerId: ";

/// Reads a line that begins with [`START`].
///
/// # Errors
/// If it does not go on as such a line does.
pub(super) fn read(line: &[u8], place: Place) -> Result<ProducerState, BadLine> {
    let (mut producer_id, mut epoch) = (None, None);
    let (mut first, mut last) = (None, None);
    let (mut last_offset, mut delta) = (None, None);
    for field in Fields::of(line) {
        let field = field?;
        match field.name {
            b"producerId" => producer_id = Some(field.number()?),
            b"producerEpoch" => epoch = Some(field.number()?),
            b"firstSequence" => first = Some(field.number::<i32>()?),
            b"lastSequence" => last = Some(field.number::<i32>()?),
            b"lastOffset" => last_offset = Some(field.number::<i64>()?),
            b"offsetDelta" => delta = Some(field.number::<i32>()?),
            b"coordinatorEpoch" => drop(field.number::<i32>()?),
            b"timestamp" | b"lastTimestamp" => drop(field.number::<i64>()?),
            b"currentTxnFirstOffset" => check_optional(&field)?,
            _ => {
                return Err(BadLine::Unknown {
                    field: super::fields::shown(field.name),
                })
            }
        }
    }
    let missing = |name| BadLine::Missing { name };
    let producer_id = producer_id.ok_or(missing("producerId"))?;
    let producer_epoch = epoch.ok_or(missing("producerEpoch"))?;
    let newest = match (last, last_offset, delta) {
        // 0.11 prints −1 where there is no batch, later releases nothing.
        (None, None, None) | (_, Some(-1), _) => None,
        (Some(last_sequence), Some(last_offset), Some(offset_delta)) => {
            let newest = NewestBatch::new(last_sequence, last_offset, offset_delta)
                .filter(|newest| first.is_none_or(|first| first == newest.first_sequence));
            Some(newest.ok_or_else(|| BadLine::Value {
                field: format!(
                    "lastSequence: {last_sequence} lastOffset: {last_offset} \
                     offsetDelta: {offset_delta}"
                ),
            })?)
        }
        (None, ..) => return Err(missing("lastSequence")),
        (_, None, _) => return Err(missing("lastOffset")),
        (_, _, None) => return Err(missing("offsetDelta")),
    };
    Ok(ProducerState {
        place,
        producer_id,
        producer_epoch,
        newest,
    })
}

/// `None`, `Some(42)`, `OptionalLong.empty`, `OptionalLong[42]`, or a bare number.
fn check_optional(field: &Field<'_>) -> Result<(), BadLine> {
    let is_of_a_release = match field.value {
        b"None" | b"OptionalLong.empty" => true,
        value => {
            let scala = value.strip_prefix(b"Some(");
            let scala = scala.and_then(|rest| rest.strip_suffix(b")"));
            let java = value.strip_prefix(b"OptionalLong[");
            let java = java.and_then(|rest| rest.strip_suffix(b"]"));
            number(scala.or(java).unwrap_or(value)).is_some()
        }
    };
    if is_of_a_release {
        Ok(())
    } else {
        Err(field.bad())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::audit::{FileId, Position};

    const PLACE: Place = Place {
        file: FileId(0),
        position: Position::Line(3),
    };

    fn state(newest: Option<NewestBatch>) -> ProducerState {
        ProducerState {
            place: PLACE,
            producer_id: 1004,
            producer_epoch: 2,
            newest,
        }
    }

    #[test]
    fn every_release_says_the_same_of_a_producer() {
        for (release, line) in [
            ("0.11", "producerId: 1004 producerEpoch: 2 lastSequence: 371 lastOffset: 371 offsetDelta: 1 lastTimestamp: 1706471404037 coordinatorEpoch: -1 currentTxnFirstOffset: None"),
            ("1.0 to 3.0", "producerId: 1004 producerEpoch: 2 coordinatorEpoch: 4 currentTxnFirstOffset: Some(360) firstSequence: 370 lastSequence: 371 lastOffset: 371 offsetDelta: 1 timestamp: 1541325156503"),
            ("3.1 to 3.4", "producerId: 1004 producerEpoch: 2 coordinatorEpoch: -1 currentTxnFirstOffset: None lastTimestamp: 1669689243854 firstSequence: 370 lastSequence: 371 lastOffset: 371 offsetDelta: 1 timestamp: 1669689243854"),
            ("3.5 to 4.x", "producerId: 1004 producerEpoch: 2 coordinatorEpoch: -1 currentTxnFirstOffset: OptionalLong[360] lastTimestamp: 1706471404037 firstSequence: 370 lastSequence: 371 lastOffset: 371 offsetDelta: 1 timestamp: 1706471404037"),
        ] {
            let newest = NewestBatch::new(371, 371, 1);
            assert_eq!(read(line.as_bytes(), PLACE), Ok(state(newest)), "{release}");
        }
    }

    #[test]
    fn a_producer_may_have_a_marker_only() {
        for line in [
            "producerId: 1004 producerEpoch: 2 coordinatorEpoch: 0 currentTxnFirstOffset: OptionalLong.empty lastTimestamp: 1706471404037",
            "producerId: 1004 producerEpoch: 2 lastSequence: -1 lastOffset: -1 offsetDelta: 0 lastTimestamp: -1 coordinatorEpoch: 0 currentTxnFirstOffset: None",
        ] {
            assert_eq!(read(line.as_bytes(), PLACE), Ok(state(None)));
        }
    }

    #[test]
    fn a_batch_may_cross_the_last_sequence() {
        let line = "producerId: 1004 producerEpoch: 2 coordinatorEpoch: -1 currentTxnFirstOffset: None firstSequence: 2147483646 lastSequence: 1 lastOffset: 9 offsetDelta: 3 timestamp: 0";
        assert_eq!(
            read(line.as_bytes(), PLACE),
            Ok(state(NewestBatch::new(1, 9, 3)))
        );
    }

    #[test]
    fn what_cannot_be_is_refused() {
        for line in [
            "producerId: x",
            "producerId: 1",
            "producerId: 1 producerEpoch: 0 lastSequence: 3",
            "producerId: 1 producerEpoch: 0 currentTxnFirstOffset: Maybe(3)",
            "producerId: 1 producerEpoch: 0 firstSequence: 3 lastSequence: 3 lastOffset: 5 offsetDelta: 1",
            "producerId: 1 producerEpoch: 0 lastSequence: 3 lastOffset: 2 offsetDelta: 5",
            "producerId: 1 producerEpoch: 0 colour: 3",
        ] {
            assert!(read(line.as_bytes(), PLACE).is_err(), "{line}");
        }
    }
}
