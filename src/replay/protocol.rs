//! The lines that the client oracle is spoken to in: see `oracle/README.md`.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// A command. Producers, brokers and partitions are numbers from 0, records the numbers
/// that the application gives them.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "op", rename_all = "snake_case")]
pub enum Command {
    /// All anew: empty logs, producers that have sent nothing.
    Start(Setup),
    /// The application hands records over, which make one batch.
    Record {
        /// Whose.
        producer: usize,
        /// For which partition.
        partition: usize,
        /// Which.
        records: Vec<i64>,
    },
    /// One turn of the sender's loop, in which only these partitions may be drained.
    Turn {
        /// Whose sender.
        producer: usize,
        /// The partitions.
        open: Vec<usize>,
    },
    /// A request reaches the log of its broker.
    Deliver {
        /// Which.
        request: usize,
    },
    /// The client reads an answer.
    Read {
        /// To which request.
        request: usize,
        /// What the log said in this delivery; in the newest if absent.
        #[serde(skip_serializing_if = "Option::is_none")]
        delivery: Option<usize>,
        /// This error instead.
        #[serde(skip_serializing_if = "Option::is_none")]
        error: Option<String>,
    },
    /// A connection breaks: every request outstanding on it fails.
    Disconnect {
        /// The client at its one end.
        producer: usize,
        /// The broker at its other end.
        broker: usize,
    },
    /// The lowest undecided batch runs out of time.
    TimeOut {
        /// Whose.
        producer: usize,
        /// Of which partition.
        partition: usize,
    },
    /// A client learns who leads a partition.
    Refresh {
        /// The client.
        producer: usize,
        /// The partition.
        partition: usize,
        /// Who leads it.
        leader: usize,
    },
    /// A broker stops and starts.
    Restart {
        /// Which.
        broker: usize,
        /// How it stops.
        mode: &'static str,
        /// What is done to its snapshots in between.
        snapshots: &'static str,
    },
    /// A log forgets every producer that it knows.
    Expire {
        /// The broker.
        broker: usize,
        /// The partition.
        partition: usize,
    },
    /// A follower copies the next batch of the leader.
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
        /// The new log end.
        to: usize,
    },
    /// A broker leads a partition in this epoch.
    Lead {
        /// The broker.
        broker: usize,
        /// The partition.
        partition: usize,
        /// The leader epoch.
        epoch: u8,
    },
    /// Tells everything.
    State,
    /// Carries out one command after the other.
    All {
        /// The commands.
        commands: Vec<Command>,
    },
}

/// What there is at the start.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Setup {
    /// Clients.
    pub producers: usize,
    /// Partitions.
    pub partitions: usize,
    /// Brokers, each with a replica of every partition; broker 0 leads.
    pub brokers: usize,
    /// `max.in.flight.requests.per.connection`.
    pub in_flight: u8,
    /// Batches that a log remembers of each producer, at most Kafka's 5.
    pub window: u8,
    /// The first epoch of each client's producer id.
    pub epoch: i64,
    /// Whether all clients get the same producer id.
    pub shared_ids: bool,
    /// The first sequence for each partition.
    pub sequence: i64,
}

/// What is answered. Each command fills what concerns it.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(default)]
pub struct Answer {
    /// Why the command was not carried out.
    pub bad: Option<String>,
    /// The producer ids that the clients got.
    pub pids: Vec<i64>,
    /// Offsets of the first and last record that were written.
    pub append: Option<(i64, i64)>,
    /// Offsets of the batch that the log takes this one for.
    pub dup: Option<(i64, i64)>,
    /// The error, by its name in the protocol.
    pub error: Option<String>,
    /// Which delivery of the request this was.
    pub delivery: Option<usize>,
    /// Requests that left.
    pub sent: Vec<Sent>,
    /// What applications were told.
    pub told: Vec<Told>,
    /// The logs, by broker and partition.
    pub logs: Vec<Vec<Vec<LogBatch>>>,
    /// Producer state, by broker, partition and producer id.
    pub producers: Vec<Vec<BTreeMap<i64, ProducerState>>>,
    /// The clients.
    pub clients: Vec<ClientState>,
    /// What was thrown out of a client's loop. Kafka logs it and goes on.
    pub thrown: Vec<String>,
    /// One for each command of [`Command::All`].
    pub answers: Vec<Answer>,
}

/// What a log remembers of a producer: epoch, timestamp, and of each batch first and last
/// sequence, first and last offset.
pub type ProducerState = (i64, i64, Vec<[i64; 4]>);

/// A request that left.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct Sent {
    /// Its number.
    pub request: usize,
    /// From whom.
    pub producer: usize,
    /// To whom.
    pub broker: usize,
    /// For which partition.
    pub partition: usize,
    /// Producer id, −1 if it has none.
    pub pid: i64,
    /// Producer epoch.
    pub epoch: i64,
    /// Base sequence.
    pub sequence: i64,
    /// Its records.
    pub records: Vec<i64>,
}

/// What an application was told of a batch.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct Told {
    /// Whose.
    pub producer: usize,
    /// Of which partition.
    pub partition: usize,
    /// Its records.
    pub records: Vec<i64>,
    /// Offset of the first; negative or absent if none was named.
    pub offset: Option<i64>,
    /// The exception, by the simple name of its class.
    pub error: Option<String>,
}

/// A batch in a log.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct LogBatch {
    /// Offset of its first record.
    pub offset: i64,
    /// Producer id, −1 if it has none.
    pub pid: i64,
    /// Producer epoch.
    pub epoch: i64,
    /// Base sequence.
    pub sequence: i64,
    /// Epoch of the leader that appended it.
    #[serde(default)]
    pub leader_epoch: i64,
    /// Its records: whose, and which.
    pub records: Vec<(usize, i64)>,
}

/// A client.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct ClientState {
    /// Its producer id.
    pub pid: i64,
    /// Its epoch.
    pub epoch: i64,
    /// By partition.
    pub partitions: Vec<LaneState>,
}

/// What a client has sent to a partition.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct LaneState {
    /// Producer id of the partition's sequences.
    #[serde(default)]
    pub pid: i64,
    /// Epoch of the partition's sequences.
    #[serde(default)]
    pub epoch: i64,
    /// Sequence of the next fresh batch.
    pub next_sequence: i64,
    /// Highest acknowledged sequence, negative if there is none.
    pub last_acked: i64,
    /// Sent and not decided.
    pub undecided: Vec<UndecidedState>,
    /// Whether a sequence is unresolved.
    pub unresolved: bool,
}

/// A batch whose outcome is open.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct UndecidedState {
    /// Its records.
    pub records: Vec<i64>,
    /// Producer id, −1 if it has none.
    pub pid: i64,
    /// Producer epoch.
    pub epoch: i64,
    /// Base sequence.
    pub sequence: i64,
    /// `queued`, or `wire`.
    #[serde(rename = "where")]
    pub place: String,
}
