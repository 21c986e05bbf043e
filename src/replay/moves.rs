//! What is done to the real client and log in a step of a model, whichever world it is of.

use retryproof_properties::{Answer, Batch, Rejection};

/// One thing that is done. Producers, brokers and partitions are numbers from 0.
#[derive(Clone, Debug, PartialEq)]
pub enum Move {
    /// The application hands records over, and the producer sends them.
    Send {
        /// Whose.
        producer: usize,
        /// For which partition.
        partition: usize,
        /// Which.
        records: Vec<i64>,
    },
    /// The producer's loop turns, and what waits to be sent again to the partition may be.
    Retry {
        /// Whose.
        producer: usize,
        /// For which partition.
        partition: usize,
    },
    /// The lowest undecided batch runs out of time.
    TimeOut {
        /// Whose.
        producer: usize,
        /// Of which partition.
        partition: usize,
    },
    /// The producer learns who leads a partition.
    Refresh {
        /// The producer.
        producer: usize,
        /// The partition.
        partition: usize,
        /// The leader.
        leader: usize,
    },
    /// A request reaches a broker.
    Deliver(Delivery),
    /// The producer reads an answer.
    Read {
        /// The producer.
        producer: usize,
        /// The broker that it comes from.
        broker: usize,
        /// The partition that it is about.
        partition: usize,
        /// The first record of the batch.
        record: i64,
        /// What it says.
        answer: Answer,
        /// Whether the loop turns before it is read.
        after_turn: bool,
    },
    /// A connection breaks.
    Disconnect {
        /// The producer at its one end.
        producer: usize,
        /// The broker at its other end.
        broker: usize,
    },
    /// A broker stops and starts.
    Restart {
        /// The broker.
        broker: usize,
        /// Whether what it remembered of producers is lost.
        forgets: bool,
    },
    /// A log forgets every producer.
    Expire {
        /// The broker.
        broker: usize,
        /// The partition.
        partition: usize,
    },
    /// A follower copies the next batch.
    Replicate {
        /// The leader.
        from: usize,
        /// The follower.
        to: usize,
        /// The partition.
        partition: usize,
    },
    /// A follower cuts its log.
    Truncate {
        /// The follower.
        broker: usize,
        /// The partition.
        partition: usize,
        /// Where.
        to: usize,
    },
    /// Another broker leads.
    Lead {
        /// The one that led.
        from: usize,
        /// The one that leads.
        broker: usize,
        /// The partition.
        partition: usize,
        /// The leader epoch.
        epoch: u8,
    },
}

/// A request that reaches a broker.
#[derive(Clone, Debug, PartialEq)]
pub struct Delivery {
    /// The batch, as it travels.
    pub batch: Batch,
    /// The broker.
    pub broker: usize,
    /// Whether its sender waits for the answer.
    pub awaited: bool,
    /// Whether the network may deliver the same request again.
    pub may_repeat: bool,
    /// Whether it gets as far as the log.
    pub reaches_log: bool,
    /// The error that is answered instead of a success, or without asking the log.
    pub error: Option<Rejection>,
    /// Whether the broker is the true leader, whose decisions properties see.
    pub is_seen: bool,
}
