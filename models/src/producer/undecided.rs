//! The batches whose outcome the application does not know yet.

use std::fmt;

use crate::message::Small;

/// Where an undecided batch is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum Status {
    /// Waiting to be sent again.
    #[default]
    Queued,
    /// Sent; the answer is awaited.
    OnWire,
    /// Sent; since then it was given a new identity, under which it was not sent yet.
    Rewritten,
}

/// A batch whose outcome the application does not know yet.
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct Undecided {
    /// Its first record.
    pub record: Small,
    /// How many records follow the first.
    pub more: u8,
    /// Its base sequence in the producer's current epoch.
    pub sequence: Small,
    /// Where it is.
    pub status: Status,
    /// The broker that it was sent to last.
    pub broker: u8,
    /// It was queued again at least once (Java: `ProducerBatch.inRetry`).
    pub requeued: bool,
    /// A copy of it may be in the log, or still get there.
    pub maybe_written: bool,
    /// It lost its identity: it travels without producer id, epoch and sequence.
    pub anonymous: bool,
}

/// A batch that ran out of time while a request of it was on the wire.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Expired {
    /// The broker that it was sent to.
    pub broker: u8,
    /// Sequence of its last record, under the epoch that it ran out of time in.
    pub last_sequence: Small,
    /// Its first record, where the answer still means something to the client.
    pub record: Small,
}

impl Undecided {
    /// How many records it holds.
    pub fn count(&self) -> Small {
        self.more as Small + 1
    }

    /// Sequence of its last record.
    pub fn last_sequence(&self) -> Small {
        self.sequence + self.more as Small
    }
}

impl fmt::Debug for Undecided {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let status = match self.status {
            Status::Queued => "to retry",
            Status::OnWire => "on the wire",
            Status::Rewritten => "renumbered on the wire",
        };
        write!(f, "r{}", self.record)?;
        if self.more > 0 {
            write!(f, "..{}", self.record + self.more as Small)?;
        }
        match self.anonymous {
            true => write!(f, " without identity {status}"),
            false => write!(f, " seq {} {status}", self.sequence),
        }
    }
}
