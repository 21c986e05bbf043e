//! What an input is, told by how it begins.

use memchr::memmem;

use crate::state_manager::snapshot;

/// The forms of input that can be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// What `kafka-dump-log.sh` prints.
    Dump,
    /// The log of a broker's own messages, `server.log`.
    BrokerLog,
    /// A producer snapshot as a broker writes it.
    Snapshot,
    /// A segment as a broker writes it.
    Segment,
}

/// The first bytes of a file that is compressed with gzip.
pub const GZIP: [u8; 2] = [0x1f, 0x8b];

/// Bytes of an input that are looked at. A server log may have a long preface.
pub const LOOKED_AT: usize = 64 * 1024;

/// Words of a line that is read in a broker's log.
const OF_A_BROKER_LOG: [&[u8]; 4] = [
    b"org.apache.kafka.common.errors.",
    b"Error processing append operation on partition",
    b"Out of order sequence number for producer",
    b"which is smaller than the last seen epoch",
];

impl Form {
    /// The form of an input that begins with these bytes, which are no more than
    /// [`LOOKED_AT`]. The error says what it seems to be instead.
    pub fn of(front: &[u8]) -> Result<Form, &'static str> {
        let front = front.strip_prefix(BYTE_ORDER_MARK).unwrap_or(front);
        if front.is_empty() {
            return Err("it is empty");
        }
        if front.starts_with(&[0xff, 0xfe]) || front.starts_with(&[0xfe, 0xff]) {
            return Err("it is text in UTF-16: save it as UTF-8");
        }
        // A snapshot can look like a segment, but not the other way round: no log has as many
        // records as its first bytes would say.
        if snapshot::detect(front).is_ok() {
            return Ok(Form::Snapshot);
        }
        if is_segment(front) {
            return Ok(Form::Segment);
        }
        // A payload may hold any byte, so a dump may as well.
        let mut lines = front.split(|byte| *byte == b'\n');
        if lines.any(is_of_a_dump) {
            return Ok(Form::Dump);
        }
        if is_binary(front) {
            return Err("it is binary, and neither a segment nor a producer snapshot");
        }
        let has = |words: &[u8]| memmem::find(front, words).is_some();
        let mut lines = front.split(|byte| *byte == b'\n');
        if OF_A_BROKER_LOG.iter().any(|words| has(words)) || lines.any(is_of_log4j) {
            return Ok(Form::BrokerLog);
        }
        let mut lines = front.split(|byte| *byte == b'\n');
        if lines.any(|line| line.starts_with(b"| key: ") || line.starts_with(b"| payload: ")) {
            return Err("it was made with --skip-record-metadata and has no sequences");
        }
        Err("it is no output of kafka-dump-log.sh, no broker log, no segment and no snapshot")
    }
}

/// What some editors put in front of UTF-8.
pub const BYTE_ORDER_MARK: &[u8] = &[0xef, 0xbb, 0xbf];

fn is_of_a_dump(line: &[u8]) -> bool {
    let begins = |words: &[u8]| line.starts_with(words);
    begins(b"Dumping ")
        || begins(b"baseOffset: ")
        || begins(b"offset: ")
        || begins(b"producerId: ")
        || begins(b"Starting offset: ")
        || begins(b"Log starting offset: ")
}

/// `[2023-10-19 13:43:45,084] ERROR …`
fn is_of_log4j(line: &[u8]) -> bool {
    let is_digit = |at: usize| line.get(at).is_some_and(u8::is_ascii_digit);
    line.first() == Some(&b'[')
        && (1..5).all(is_digit)
        && line.get(5) == Some(&b'-')
        && line.get(24) == Some(&b']')
}

/// Whether these bytes are of no text.
pub fn is_binary(front: &[u8]) -> bool {
    memchr::memchr(0, front).is_some()
}

/// Whether these may be the first bytes of a segment: a base offset, a length that is one,
/// and a magic of 0 to 2 in byte 16.
fn is_segment(front: &[u8]) -> bool {
    let Some(header) = front.first_chunk::<17>() else {
        return false;
    };
    let base_offset = i64::from_be_bytes(std::array::from_fn(|at| header[at]));
    let length = i32::from_be_bytes(std::array::from_fn(|at| header[8 + at]));
    let smallest = if header[16] == 2 { 49 } else { 14 };
    header[16] <= 2 && (0..1 << 48).contains(&base_offset) && length >= smallest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_form_is_told_by_how_an_input_begins() {
        for (front, form) in [
            (
                "Dumping /data/orders-0/0.log\nLog starting offset: 0\n",
                Form::Dump,
            ),
            (
                "SLF4J: Class path contains\nbaseOffset: 0 lastOffset",
                Form::Dump,
            ),
            ("producerId: 3 producerEpoch: 0", Form::Dump),
            ("\u{feff}Dumping x", Form::Dump),
            ("Dumping x\n| offset: 0 payload: \0\u{1}\n", Form::Dump),
            (
                "[2023-10-19 13:43:45,084] INFO started (kafka.server.KafkaServer)",
                Form::BrokerLog,
            ),
            (
                "org.apache.kafka.common.errors.OutOfOrderSequenceException: Out",
                Form::BrokerLog,
            ),
        ] {
            assert_eq!(Form::of(front.as_bytes()), Ok(form), "{front}");
        }
        let mut segment = vec![0; 61];
        segment[11] = 49;
        segment[16] = 2;
        assert_eq!(Form::of(&segment), Ok(Form::Segment));
        let snapshot = snapshot::kafka::encode([].into_iter()).expect("empty");
        assert_eq!(Form::of(&snapshot), Ok(Form::Snapshot));
    }

    #[test]
    fn what_is_none_of_them_is_said() {
        for (front, said) in [
            (&b""[..], "empty"),
            (b"\xff\xfeD\0u\0", "UTF-16"),
            (b"| payload: x\n| payload: y\n", "--skip-record-metadata"),
            (b"{\"a\": 1}", "no output of kafka-dump-log.sh"),
            (b"\0\xfftext and more of it", "binary"),
        ] {
            let refused = Form::of(front).expect_err(said);
            assert!(refused.contains(said), "{refused}");
        }
    }
}
