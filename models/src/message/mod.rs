//! What travels: produce requests and their replies, one batch each.
//!
//! Numbers are small and signed. In a bounded world they are the real ones, from 0. In a
//! world of any length they are relative (see [`crate::quotient`]).

mod sequences;

pub use sequences::Sequences;

use std::fmt;

use retryproof_properties::{
    Answer, Batch, Epoch, Identity, Offset, Partition, ProducerId, Record, Rejection, Sequence,
};

/// A small number: a sequence, epoch, record or offset of a model.
pub type Small = i8;

/// The largest epoch or sequence that a state may hold. Beyond it a [`Small`] would wrap
/// soon: the search is then not exhaustive, and says so.
pub const MAX_NUMBER: Small = 90;

/// Sequence of every request too old for the broker to tell from others of its age.
pub const ANCIENT: Small = -100;
/// Record of a request of which only this is known: its record stands in the log.
pub const SOME_WRITTEN_RECORD: Small = -1;
/// Record of a request that can only be refused, or whose record is not in the log.
pub const SOME_UNWRITTEN_RECORD: Small = -2;

/// Epoch of a request that carries no identity: no producer id, no epoch, no sequence.
pub const NO_IDENTITY: Small = Small::MIN;

/// A produce request with one batch.
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Request {
    /// Producer epoch, or [`NO_IDENTITY`].
    pub epoch: Small,
    /// Base sequence. Where sequences wrap it counts on all the same: see [`Sequences`].
    pub sequence: Small,
    /// Its first record.
    pub record: Small,
    /// How many records follow the first.
    pub more: u8,
}

impl Request {
    /// Sequence of the last record.
    #[inline]
    pub fn last_sequence(&self) -> Small {
        self.sequence + self.more as Small
    }

    /// How many records it holds.
    #[inline]
    pub fn count(&self) -> Small {
        self.more as Small + 1
    }

    /// Whether it carries producer id, epoch and sequence.
    #[inline]
    pub fn has_identity(&self) -> bool {
        self.epoch != NO_IDENTITY
    }
}

impl fmt::Debug for Request {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "produce r{}", self.record)?;
        if self.more > 0 {
            write!(f, "..{}", self.record + self.more as Small)?;
        }
        match self.has_identity() {
            true => write!(f, " seq {} epoch {}", self.sequence, self.epoch),
            false => f.write_str(" without identity"),
        }
    }
}

/// Where a reply says that the record stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Place {
    /// At this offset.
    At(Small),
    /// At the offset where it does stand (worlds of any length keep no more of it).
    WhereItStands,
    /// At an offset where it does not stand (worlds of any length keep no more of it).
    Elsewhere,
    /// The reply names no offset.
    Unnamed,
}

impl Place {
    /// The place of a record so many behind the one at this place.
    pub fn further(self, records: Small) -> Place {
        match self {
            Place::At(offset) => Place::At(offset + records),
            other => other,
        }
    }
}

/// What a reply says. A success does not tell whether the batch was appended now or had
/// been before: on the wire both are "no error" and an offset.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Word {
    /// The batch is in the log.
    Written(Place),
    /// The batch was refused.
    Refused(Refusal),
}

/// [`Rejection`] in an order of its own, as replies are sorted where they are a set.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Refusal {
    /// OUT_OF_ORDER_SEQUENCE_NUMBER.
    OutOfOrder,
    /// INVALID_PRODUCER_EPOCH.
    StaleEpoch,
    /// UNKNOWN_PRODUCER_ID.
    UnknownProducer,
    /// NOT_ENOUGH_REPLICAS: nothing was done.
    RefusedBefore,
    /// NOT_ENOUGH_REPLICAS_AFTER_APPEND: the batch is in the leader's log.
    ErrorAfter,
    /// NOT_LEADER_OR_FOLLOWER: the batch may be in the log.
    NotLeader,
    /// KAFKA_STORAGE_ERROR: the append failed half way.
    StorageError,
    /// INVALID_RECORD: for good.
    Invalid,
    /// MESSAGE_TOO_LARGE: for good, but a batch of several records can be split.
    TooLarge,
}

impl Refusal {
    /// Whether the client may send the batch again as it is (Kafka: `RetriableException`).
    pub fn is_retriable(self) -> bool {
        matches!(
            self,
            Refusal::RefusedBefore
                | Refusal::ErrorAfter
                | Refusal::NotLeader
                | Refusal::StorageError
        )
    }

    /// Whether the batch may be in the log all the same.
    pub fn may_be_written(self) -> bool {
        matches!(
            self,
            Refusal::ErrorAfter | Refusal::NotLeader | Refusal::StorageError
        )
    }
}

impl From<Refusal> for Rejection {
    fn from(refusal: Refusal) -> Self {
        match refusal {
            Refusal::OutOfOrder => Rejection::OutOfOrderSequence,
            Refusal::StaleEpoch => Rejection::InvalidProducerEpoch,
            Refusal::UnknownProducer => Rejection::UnknownProducerId,
            Refusal::RefusedBefore => Rejection::NotEnoughReplicas,
            Refusal::ErrorAfter => Rejection::NotEnoughReplicasAfterAppend,
            Refusal::NotLeader => Rejection::NotLeaderOrFollower,
            Refusal::StorageError => Rejection::KafkaStorageError,
            Refusal::Invalid => Rejection::InvalidRecord,
            Refusal::TooLarge => Rejection::MessageTooLarge,
        }
    }
}

/// The reply to one request.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Reply {
    /// Record of the request that is answered: how the producer matches it.
    pub record: Small,
    /// What it says.
    pub word: Word,
}

impl Reply {
    /// The reply to this request.
    pub fn to(request: &Request, word: Word) -> Self {
        Reply {
            record: request.record,
            word,
        }
    }
}

impl Default for Reply {
    fn default() -> Self {
        Reply {
            record: 0,
            word: Word::Written(Place::At(0)),
        }
    }
}

impl fmt::Debug for Reply {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "r{}: {:?}", self.record, self.word)
    }
}

impl fmt::Debug for Word {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Word::Written(Place::At(offset)) => write!(f, "ok, offset {offset}"),
            Word::Written(Place::WhereItStands) => f.write_str("ok, its offset"),
            Word::Written(Place::Elsewhere) => f.write_str("ok, a wrong offset"),
            Word::Written(Place::Unnamed) => f.write_str("ok, no offset"),
            Word::Refused(refusal) => write!(f, "{}", Rejection::from(*refusal)),
        }
    }
}

/// The one producer of these worlds, as properties see it.
pub const PRODUCER: ProducerId = ProducerId(0);
/// The one partition of these worlds, as properties see it.
pub const PARTITION: Partition = Partition(0);

/// A request as properties see it; `idempotent` says whether sequences are in use.
pub fn observed_batch(request: &Request, idempotent: bool) -> Batch {
    Batch {
        producer: PRODUCER,
        partition: PARTITION,
        identity: (idempotent && request.has_identity()).then(|| Identity {
            epoch: Epoch(request.epoch.into()),
            first: Sequence(request.sequence.into()),
            last: Sequence(request.last_sequence().into()),
        }),
        first_record: Record(request.record.into()),
        count: u32::from(request.more) + 1,
    }
}

/// The offset that stands for [`Place::WhereItStands`] before properties.
pub const WHERE_IT_STANDS: Offset = Offset(i64::MAX);
/// The offset that stands for [`Place::Elsewhere`] before properties.
pub const ELSEWHERE: Offset = Offset(i64::MIN);

/// A place as properties see it.
pub fn observed_place(place: Place) -> Option<Offset> {
    match place {
        Place::At(offset) => Some(Offset(offset.into())),
        Place::WhereItStands => Some(WHERE_IT_STANDS),
        Place::Elsewhere => Some(ELSEWHERE),
        Place::Unnamed => None,
    }
}

/// What the producer reads in a reply, as properties see it. A success with an offset is
/// an append as far as the producer can tell.
pub fn observed_answer(word: Word) -> Answer {
    match word {
        Word::Written(place) => match observed_place(place) {
            Some(base) => Answer::Appended { base },
            None => Answer::Duplicate { base: None },
        },
        Word::Refused(refusal) => Answer::Rejected(refusal.into()),
    }
}
