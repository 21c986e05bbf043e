//! The sentences with which brokers refuse a batch, of every release.

use super::pattern::{find, Captured};
use crate::audit::Place;

/// Why a broker refused a batch, with its numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Why {
    /// OUT_OF_ORDER_SEQUENCE_NUMBER.
    OutOfOrder {
        /// The sequence that came.
        sequence: i32,
        /// The last one known; −1 if no batch is known.
        last: i32,
    },
    /// The first batch of a new epoch does not start at 0.
    NewEpoch {
        /// The epoch.
        epoch: i16,
        /// Its sequence.
        sequence: i32,
    },
    /// The producer is not known, or no batch of it.
    Unknown {
        /// The sequence that came, if the line says so.
        sequence: Option<i32>,
    },
    /// The epoch is older than the one known.
    Stale {
        /// The epoch.
        epoch: i16,
        /// The one known.
        current: i16,
    },
    /// It is a duplicate, and refused as that (1.0.0 and 1.0.1).
    Duplicate {
        /// Its first sequence.
        sequence: i32,
        /// Its last.
        last: i32,
    },
    /// The sequence cannot be.
    Number {
        /// The sequence.
        sequence: i32,
    },
}

/// A refused batch, and how often it was refused with the same numbers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Refusal {
    /// The line that says why, the first time.
    pub(crate) place: Place,
    /// The partition, if it is known.
    pub(crate) partition: Option<String>,
    /// The producer, if the line says so (not for epochs up to 2.7).
    pub(crate) producer_id: Option<i64>,
    /// Log end offset at the time, if the line says so (since 2.3).
    pub(crate) offset: Option<i64>,
    /// Why.
    pub(crate) why: Why,
    /// How often.
    pub(crate) times: u64,
    /// When first, as the log writes it.
    pub(crate) first_time: Option<String>,
    /// When last.
    pub(crate) last_time: Option<String>,
}

/// What one line says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Said {
    pub(super) partition: Option<String>,
    pub(super) producer_id: Option<i64>,
    pub(super) offset: Option<i64>,
    pub(super) why: Why,
}

type Meaning = fn(&Captured) -> Option<Why>;

/// The sentences. Two lack a blank in Kafka, and so here.
const SENTENCES: [(&str, Meaning); 20] = [
    // 0.11 to 2.2
    ("Out of order sequence number for producerId {p}: {s} (incoming seq. number), {l} (current end", out_of_order),
    // 0.11 to 2.0.0
    ("Out of order sequence number for producerId {p}: found {s} (incoming seq. number), but expected 0", unknown),
    // 2.3 to 2.7
    ("Out of order sequence number for producerId {p} at offset {o} in partition {t}: {s} (incoming seq. number), {l} (", out_of_order),
    // 2.8 on; since 3.6 also "earliest seen sequence"
    ("Out of order sequence number for producer {p} at offset {o} in partition {t}: {s} (incoming seq. number), {l} (", out_of_order),
    // up to 2.7
    ("Invalid sequence number for new epoch: {e} (request epoch), {s} (seq. number)", new_epoch),
    ("Invalid sequence number for new epoch at offset {o} in partition {t}: {e} (request epoch), {s} (seq. number)", new_epoch),
    // 2.8 on; since 3.5 without the blank
    ("Invalid sequence number for new epoch of producer {p} at offset {o} in partition {t}: {e} (request epoch), {s} (seq. number)", new_epoch),
    ("Invalid sequence number for new epoch of producer {p}at offset {o} in partition {t}: {e} (request epoch), {s} (seq. number)", new_epoch),
    // 4.1 on
    ("Invalid sequence number for producer {p} at offset {o} in partition {t}: {s} (incoming seq. number). Expected sequence 0", unknown),
    // 1.0 to 2.4; since 2.3 with the place, and without the blank
    ("Found no record of producerId={p} on the broker. It", unknown),
    ("Found no record of producerId={p} on the broker at offset {o}in partition {t}. It", unknown),
    ("Local producer state matches expected epoch {e} for producerId={p} at offset {o} in partition {t}, but", unknown),
    // 1.0.0, 1.0.1
    ("Duplicate sequence number for producerId {p}: (incomingBatch.firstSeq, incomingBatch.lastSeq): ({s}, {l}).", duplicate),
    // up to 2.2
    ("Producer's epoch is no longer valid. There is probably another producer with a newer epoch. {e} (request epoch), {c} (server epoch)", stale),
    ("Producer's epoch at offset {o} is no longer valid in partition {t}: {e} (request epoch), {c} (current epoch)", stale),
    // 2.3 to 2.7
    ("Producer's epoch at offset {o} in {t} is {e}, which is smaller than the last seen epoch {c}", stale),
    // 2.8 to 4.1
    ("Epoch of producer {p} at offset {o} in {t} is {e}, which is smaller than the last seen epoch {c}", stale),
    // 4.2 on
    ("Epoch of producer {p} at offset {o} in {t} is {e}, which is < the last seen epoch {c}", stale),
    ("Epoch of producer {p} at offset {o} in {t} is {e}, which is <= the last seen epoch {c}", stale),
    ("Invalid sequence number {s} in record batch with producerId {p}", number),
];

/// What a line says of a refused batch; `None` if it is about something else.
pub(super) fn of(line: &[u8]) -> Option<Said> {
    let line = String::from_utf8_lossy(line);
    SENTENCES.iter().find_map(|(pattern, meaning)| {
        let captured = find(pattern, &line)?;
        Some(Said {
            why: meaning(&captured)?,
            partition: captured.partition,
            producer_id: captured.producer_id,
            offset: captured.offset,
        })
    })
}

fn out_of_order(it: &Captured) -> Option<Why> {
    Some(Why::OutOfOrder {
        sequence: it.sequence?,
        last: it.last?,
    })
}

fn new_epoch(it: &Captured) -> Option<Why> {
    Some(Why::NewEpoch {
        epoch: it.epoch?,
        sequence: it.sequence?,
    })
}

fn unknown(it: &Captured) -> Option<Why> {
    Some(Why::Unknown {
        sequence: it.sequence,
    })
}

fn stale(it: &Captured) -> Option<Why> {
    Some(Why::Stale {
        epoch: it.epoch?,
        current: it.current?,
    })
}

fn duplicate(it: &Captured) -> Option<Why> {
    Some(Why::Duplicate {
        sequence: it.sequence?,
        last: it.last?,
    })
}

fn number(it: &Captured) -> Option<Why> {
    Some(Why::Number {
        sequence: it.sequence?,
    })
}
