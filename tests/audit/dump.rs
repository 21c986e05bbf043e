//! Dumps made by hand, as releases print them.

use std::fmt::Write;

/// A release, by what its lines look like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Release {
    /// 0.11 to 1.1.
    V0_11,
    /// 2.0.0.
    V2_0_0,
    /// 2.0.1 and 2.1.
    V2_1,
    /// 2.2 to 2.8.
    V2_8,
    /// 3.0 and 3.1.
    V3_1,
    /// 3.2 to 4.x.
    V4,
}

impl Release {
    /// All of them.
    pub const ALL: [Release; 6] = [
        Release::V0_11,
        Release::V2_0_0,
        Release::V2_1,
        Release::V2_8,
        Release::V3_1,
        Release::V4,
    ];
}

/// A batch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Batch {
    pub base: i64,
    pub last: i64,
    pub count: Option<u32>,
    pub first_sequence: i32,
    pub last_sequence: i32,
    pub producer: i64,
    pub epoch: i16,
    pub leader_epoch: i32,
    pub transactional: bool,
    pub control: bool,
    pub valid: bool,
    pub horizon: bool,
}

/// A batch of records at these offsets, with sequences from this one on.
pub fn batch(producer: i64, epoch: i16, offsets: (i64, i64), first_sequence: i32) -> Batch {
    let more = i32::try_from(offsets.1 - offsets.0).expect("few");
    let last_sequence = i32::try_from((i64::from(first_sequence) + i64::from(more)) & 0x7fff_ffff);
    Batch {
        base: offsets.0,
        last: offsets.1,
        count: u32::try_from(more + 1).ok(),
        first_sequence,
        last_sequence: last_sequence.expect("a sequence"),
        producer,
        epoch,
        leader_epoch: 0,
        transactional: false,
        control: false,
        valid: true,
        horizon: false,
    }
}

/// A transaction marker.
pub fn marker(producer: i64, epoch: i16, offset: i64) -> Batch {
    Batch {
        first_sequence: -1,
        last_sequence: -1,
        transactional: true,
        control: true,
        ..batch(producer, epoch, (offset, offset), 0)
    }
}

/// A batch without a producer, from a client that writes sequence 0 there.
pub fn plain(offset: i64) -> Batch {
    batch(-1, -1, (offset, offset), 0)
}

/// Bytes of every batch.
const SIZE: u64 = 100;

/// The dump of a segment of `orders-0` that begins at this offset.
pub fn segment(release: Release, base: i64, batches: &[Batch]) -> String {
    let word = if release == Release::V4 {
        "Log starting"
    } else {
        "Starting"
    };
    let mut text = format!("Dumping /var/kafka/orders-0/{base:020}.log\n{word} offset: {base}\n");
    for (batch, number) in batches.iter().zip(0..) {
        text += &line(release, batch, number * SIZE);
    }
    text
}

/// The dump of a whole log as 4.x prints it.
pub fn dump(batches: &[Batch]) -> String {
    segment(Release::V4, 0, batches)
}

/// The line of a batch.
pub fn line(release: Release, batch: &Batch, position: u64) -> String {
    let mut line = String::new();
    let mut put = |field: &str, value: &dyn std::fmt::Display| {
        let blank = if line.is_empty() { "" } else { " " };
        write!(line, "{blank}{field}: {value}").expect("a string");
    };
    put("baseOffset", &batch.base);
    put("lastOffset", &batch.last);
    if release != Release::V0_11 {
        match batch.count {
            Some(count) => put("count", &count),
            None => put("count", &"null"),
        }
    }
    put("baseSequence", &batch.first_sequence);
    put("lastSequence", &batch.last_sequence);
    put("producerId", &batch.producer);
    put("producerEpoch", &batch.epoch);
    put("partitionLeaderEpoch", &batch.leader_epoch);
    put("isTransactional", &batch.transactional);
    if !matches!(release, Release::V0_11 | Release::V2_0_0) {
        put("isControl", &batch.control);
    }
    if release == Release::V4 {
        let horizon = if batch.horizon {
            "[1790510504371]"
        } else {
            ".empty"
        };
        put("deleteHorizonMs", &format!("OptionalLong{horizon}"));
    }
    put("position", &position);
    put("CreateTime", &1_790_510_023_056_i64);
    let is_early = matches!(release, Release::V0_11 | Release::V2_0_0 | Release::V2_1);
    if is_early {
        put("isvalid", &batch.valid);
    }
    put("size", &SIZE);
    put("magic", &2);
    let codec = match release {
        Release::V3_1 | Release::V4 => "none",
        _ => "NONE",
    };
    put("compresscodec", &codec);
    put("crc", &(u32::try_from(batch.base).expect("small") + 1));
    if !is_early {
        put("isvalid", &batch.valid);
    }
    line + "\n"
}

/// A good log: two producers, one of them in transactions and with two epochs, and a client
/// without idempotence.
pub fn good() -> Vec<Batch> {
    let in_transaction = |it: Batch| Batch {
        transactional: true,
        ..it
    };
    vec![
        batch(7, 0, (0, 2), 0),
        batch(7, 0, (3, 3), 3),
        in_transaction(batch(8, 0, (4, 5), 0)),
        plain(6),
        marker(8, 0, 7),
        batch(7, 0, (8, 12), 4),
        in_transaction(batch(8, 0, (13, 13), 2)),
        marker(8, 1, 14),
        in_transaction(batch(8, 1, (15, 17), 0)),
        batch(7, 1, (18, 18), 0),
        batch(7, 1, (19, 20), 1),
    ]
}
