//! What can happen to a transaction, and the command that it is for the oracle.

use proptest::prelude::*;
use proptest::strategy::BoxedStrategy;
use serde_json::{json, Value};

use super::ours::Ours;

const PIDS: [i64; 2] = [7, 9000];

/// One operation without its numbers.
#[derive(Clone, Copy, Debug)]
pub enum Choice {
    /// A client's batch: of which producer, so many epochs later, in a transaction or not, and
    /// so many sequences beyond the next one.
    Batch(usize, i64, bool, i64),
    /// The newest batch once more.
    Retry(usize, bool),
    /// A coordinator's batch.
    Offsets(usize, i64),
    /// The end of a transaction: committed or not, epochs later, coordinator epochs later.
    Marker(usize, bool, i64, i64),
    /// The same, copied by a follower.
    CopiedMarker(usize, bool, i64),
    /// A batch of nobody.
    Plain,
    /// The clock moves this much and the expiry check runs.
    Expire(i64),
    /// All records but so many are deleted.
    DeleteRecords(i64),
    /// The broker stops in order and starts again.
    Restart,
}

/// Mostly what goes on in a transaction.
pub fn choices() -> BoxedStrategy<Choice> {
    let epochs = || prop_oneof![12 => Just(0i64), 2 => Just(1), 1 => Just(-1)];
    let who = || prop_oneof![3 => Just(0usize), 2 => Just(1)];
    prop_oneof![
        12 => (who(), epochs(), prop::bool::weighted(0.8), prop_oneof![9 => Just(0i64), 1 => Just(1)])
            .prop_map(|(who, epoch, open, gap)| Choice::Batch(who, epoch, open, gap)),
        2 => (who(), any::<bool>()).prop_map(|(who, open)| Choice::Retry(who, open)),
        2 => (who(), epochs()).prop_map(|(who, epoch)| Choice::Offsets(who, epoch)),
        6 => (who(), any::<bool>(), epochs(), epochs())
            .prop_map(|(who, commits, epoch, coord)| Choice::Marker(who, commits, epoch, coord)),
        1 => (who(), any::<bool>(), epochs())
            .prop_map(|(who, commits, epoch)| Choice::CopiedMarker(who, commits, epoch)),
        2 => Just(Choice::Plain),
        1 => prop_oneof![Just(1000i64), Just(86_400_000)].prop_map(Choice::Expire),
        1 => (0..6i64).prop_map(Choice::DeleteRecords),
        1 => Just(Choice::Restart),
    ]
    .boxed()
}

/// What the numbers of an operation are taken from.
#[derive(Default)]
pub struct Log {
    clock: i64,
    coordinator_epoch: i64,
}

impl Log {
    /// The operation in lines of JSON.
    pub fn command(&mut self, choice: &Choice, known: &Ours) -> Value {
        let ts = self.clock;
        match *choice {
            Choice::Batch(who, later, txn, gap) => {
                let (pid, epoch) = (PIDS[who], known.epoch(PIDS[who]) + later);
                let seq = if later == 0 {
                    known.next(pid) + gap
                } else {
                    gap
                };
                json!({"op": "append", "pid": pid, "epoch": epoch.max(0), "seq": seq, "n": 2,
                    "ts": ts, "txn": txn})
            }
            Choice::Retry(who, txn) => {
                let (pid, epoch) = (PIDS[who], known.epoch(PIDS[who]));
                let seq = (known.next(pid) - 2).max(0);
                json!({"op": "append", "pid": pid, "epoch": epoch, "seq": seq, "n": 2, "ts": ts,
                    "txn": txn})
            }
            Choice::Offsets(who, later) => {
                let epoch = (known.epoch(PIDS[who]) + later).max(0);
                json!({"op": "append", "pid": PIDS[who], "epoch": epoch, "seq": -1, "n": 1,
                    "ts": ts, "txn": true, "origin": "coordinator"})
            }
            Choice::Marker(who, commits, later, coordinator) => {
                self.coordinator_epoch = (self.coordinator_epoch + coordinator).max(0);
                let epoch = (known.epoch(PIDS[who]) + later).max(0);
                json!({"op": "marker", "pid": PIDS[who], "epoch": epoch, "ts": ts,
                    "coord": self.coordinator_epoch, "ending": ending(commits)})
            }
            Choice::CopiedMarker(who, commits, later) => {
                let epoch = (known.epoch(PIDS[who]) + later).max(0);
                json!({"op": "marker", "pid": PIDS[who], "epoch": epoch, "ts": ts,
                    "coord": self.coordinator_epoch, "ending": ending(commits),
                    "origin": "replica"})
            }
            Choice::Plain => json!({"op": "plain", "n": 1, "ts": ts}),
            Choice::Expire(later) => {
                self.clock += later;
                json!({"op": "expire", "now": self.clock})
            }
            Choice::DeleteRecords(kept) => {
                json!({"op": "delete_records", "before": (known.end() - kept).max(0)})
            }
            Choice::Restart => json!({"op": "reload", "mode": "clean"}),
        }
    }
}

fn ending(commits: bool) -> &'static str {
    if commits {
        "commit"
    } else {
        "abort"
    }
}
