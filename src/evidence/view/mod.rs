//! What a person wants to see of a state: the logs, what each producer knows, what each
//! broker remembers of it. With numbers as they are on the wire, of whichever kind of world.

mod cluster;
mod on_its_way;
mod one_broker;
pub mod reasons;

use retryproof_models::checking::Run;
use serde::Serialize;

/// What can be seen of a state.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct View {
    /// The logs: of each replica, if there are several.
    pub logs: Vec<Log>,
    /// The producers: for each partition, if there are several.
    pub producers: Vec<Producer>,
    /// What brokers remember of producers.
    pub memories: Vec<Memory>,
    /// What is on its way.
    pub on_its_way: OnItsWay,
}

/// What is on its way between producers and brokers, each as an arrow in a chart is labelled.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct OnItsWay {
    /// Requests whose answers are awaited.
    pub requests: Vec<String>,
    /// Answers to producers that wait for them.
    pub answers: Vec<String>,
    /// Requests of dead connections, which a broker may still take.
    pub left_over: Vec<String>,
}

/// A log.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Log {
    /// Whose it is, as "log", "log of b1, partition 0".
    pub name: String,
    /// Whether producers are told what stands in it: its broker leads.
    pub leads: bool,
    /// What stands in it, one entry for each record.
    pub entries: Vec<Entry>,
}

/// A record in a log.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Entry {
    /// Its offset.
    pub offset: usize,
    /// The record by name, as "r0" or "p1.r0".
    pub record: String,
    /// The epoch under which it was written; none without idempotence.
    pub epoch: Option<i8>,
    /// Its sequence; none without idempotence.
    pub sequence: Option<i8>,
    /// Whether the record stands at a lower offset too.
    pub again: bool,
}

/// A producer, or its part for one partition.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Producer {
    /// Its name, as "producer", "p1", "p1, partition 0".
    pub name: String,
    /// Its epoch; none without idempotence.
    pub epoch: Option<i8>,
    /// Sequence of the next fresh batch; none without idempotence.
    pub next_sequence: Option<i8>,
    /// Highest acknowledged sequence of the epoch, if there is one.
    pub last_acknowledged: Option<i8>,
    /// It means to raise its epoch.
    pub wants_epoch: bool,
    /// It gave up for good.
    pub stopped: bool,
    /// The batches of which it does not know yet what became of them.
    pub undecided: Vec<Batch>,
}

/// An undecided batch.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Batch {
    /// Its record or records by name.
    pub record: String,
    /// Its base sequence; none without idempotence.
    pub sequence: Option<i8>,
    /// Where it is: "to be sent again", "sent", "sent under an older number".
    pub status: &'static str,
}

/// What a broker remembers of one producer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Memory {
    /// Whose memory of whom, as "broker", "b1 of p0, partition 0".
    pub name: String,
    /// The current epoch; none if the producer is not known.
    pub epoch: Option<i8>,
    /// Last sequence of the newest batch; none if there is none.
    pub last_sequence: Option<i8>,
    /// The batches that it would recognise, oldest first.
    pub window: Vec<Remembered>,
    /// Records of requests that it keeps for later.
    pub kept: Vec<String>,
}

/// A batch in a broker's window.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Remembered {
    /// Sequence of its first record.
    pub first: i8,
    /// Sequence of its last record.
    pub last: i8,
    /// Offset of its first record.
    pub offset: i8,
}

impl View {
    /// What can be seen after so many steps of a run.
    pub fn after(run: &Run, steps: usize) -> View {
        match run {
            Run::OneBroker(trace) => one_broker::view(&trace.conditions, trace.before(steps)),
            Run::Cluster(trace) => cluster::view(&trace.conditions, trace.before(steps)),
        }
    }
}

impl Memory {
    /// The sequences that it would recognise, as "0–4"; none if there is none.
    pub fn window_in_words(&self) -> Option<String> {
        let (oldest, newest) = (self.window.first()?, self.window.last()?);
        Some(match oldest.first == newest.last {
            true => oldest.first.to_string(),
            false => format!("{}–{}", oldest.first, newest.last),
        })
    }
}

/// Marks the entries whose record stands at a lower offset too.
fn mark_repeated(entries: &mut [Entry]) {
    for index in 1..entries.len() {
        let (before, rest) = entries.split_at_mut(index);
        let entry = &mut rest[0];
        entry.again = before.iter().any(|other| other.record == entry.record);
    }
}
