//! The production manager behind the same lines, in a log without content.

use retryproof::state_manager::snapshot::SnapshotDirectory;
use retryproof::state_manager::{
    Batch, Check, Config, CoordinatorBatch, CoordinatorEpoch, Ending, Epoch, Marker, Offset,
    ProducerId, ProducerStateManager, ProducerView, Rejection, Sequence, Timestamp,
};
use serde_json::{json, Map, Value};
use tempfile::TempDir;

/// A manager and where its log begins and ends.
pub struct Ours {
    manager: ProducerStateManager,
    start: i64,
    end: i64,
    /// Where the batches of the log begin.
    bases: Vec<i64>,
    clock: i64,
    snapshots: TempDir,
}

fn number(command: &Value, field: &str) -> i64 {
    command[field].as_i64().expect("a number")
}

fn at(offset: i64) -> Offset {
    Offset::new(offset).expect("not negative")
}

fn small<N: TryFrom<i64>>(command: &Value, field: &str) -> N
where
    N::Error: std::fmt::Debug,
{
    N::try_from(number(command, field)).expect("small enough")
}

impl Ours {
    pub fn new() -> Self {
        Ours {
            manager: ProducerStateManager::new(Config::kafka()),
            start: 0,
            end: 0,
            bases: Vec::new(),
            clock: 0,
            snapshots: tempfile::tempdir().expect("a directory"),
        }
    }

    /// Log end offset.
    pub fn end(&self) -> i64 {
        self.end
    }

    /// The epoch of a producer; 0 if it is not known.
    pub fn epoch(&self, pid: i64) -> i64 {
        self.producer(pid)
            .map_or(0, |known| known.epoch().get().into())
    }

    /// The sequence that is due; 0 if none is known.
    pub fn next(&self, pid: i64) -> i64 {
        let last = self.producer(pid).and_then(|known| known.last_sequence());
        last.map_or(0, |last| i64::from(last.get()) + 1)
    }

    fn producer(&self, pid: i64) -> Option<ProducerView<'_>> {
        self.manager.producer(ProducerId::new(pid)?)
    }

    /// The answer, and all that is known then.
    pub fn carry_out(&mut self, command: &Value) -> Value {
        for field in ["ts", "now"] {
            self.clock = self.clock.max(command[field].as_i64().unwrap_or(0));
        }
        let mut answer = self.answer(command);
        self.manager.on_high_watermark(at(self.end));
        let known = self.manager.active_producers();
        let known: Vec<(String, Value, Value)> = known
            .map(|it| {
                (
                    it.producer_id().get().to_string(),
                    window(&it),
                    transaction(&it),
                )
            })
            .collect();
        let state = known
            .iter()
            .map(|(pid, window, _)| (pid.clone(), window.clone()));
        answer["state"] = Value::Object(state.collect::<Map<_, _>>());
        let open = known
            .into_iter()
            .map(|(pid, _, transaction)| (pid, transaction));
        answer["transactions"] = Value::Object(open.collect::<Map<_, _>>());
        answer["last_stable"] = json!(self.last_stable());
        answer
    }

    /// Where committed data ends. If the log starts inside an open transaction, that is where
    /// the batch begins in which it starts, as with Kafka: maybe below the log start.
    fn last_stable(&self) -> i64 {
        let Some(first) = self.manager.first_unstable_offset() else {
            return self.end;
        };
        let offset = first.get().max(self.start);
        if offset == self.end {
            return offset;
        }
        let begins_below = self.bases.iter().rfind(|base| **base <= offset);
        begins_below.copied().unwrap_or(offset)
    }

    fn answer(&mut self, command: &Value) -> Value {
        match command["op"].as_str().expect("a name") {
            "append" if command["origin"] == "coordinator" => self.offsets(command),
            "append" => self.append(command),
            "marker" if command["origin"] == "replica" => {
                let marker = marker(command);
                let copied = self
                    .manager
                    .replicate_marker(&marker, at(self.end), self.now());
                copied.expect("in order");
                self.appended(1)
            }
            "marker" => self.marker(&marker(command)),
            "plain" => {
                let skipped = self.manager.skip_to(at(self.end + 1));
                skipped.expect("in order");
                self.appended(1)
            }
            "expire" => {
                self.manager.remove_expired(self.now());
                json!({"ok": true})
            }
            "delete_records" => {
                let before = number(command, "before");
                if before > self.start {
                    self.start = before;
                    self.manager.on_log_start(at(before));
                }
                json!({"ok": true})
            }
            "reload" => {
                self.restart();
                json!({"ok": true})
            }
            other => panic!("no operation {other}"),
        }
    }

    fn append(&mut self, command: &Value) -> Value {
        let records: i32 = small(command, "n");
        let sequence = Sequence::new(small(command, "seq")).expect("not negative");
        let epoch = Epoch::new(small(command, "epoch"));
        let batch = Batch::new(pid(command), epoch, sequence, records, timestamp(command));
        let batch = batch.expect("a sound batch");
        let batch = match command["txn"] == true {
            true => batch.transactional(),
            false => batch,
        };
        let check = self.manager.check(&batch);
        self.settle(check, records)
    }

    fn offsets(&mut self, command: &Value) -> Value {
        let batch = CoordinatorBatch {
            producer_id: pid(command),
            epoch: Epoch::new(small(command, "epoch")),
            records: small(command, "n"),
            max_timestamp: timestamp(command),
        };
        let check = self.manager.check_coordinator(&batch);
        self.settle(check, batch.records)
    }

    fn settle(&mut self, check: Check, records: i32) -> Value {
        match check {
            Check::Append(permit) => {
                let committed = self.manager.commit(permit, at(self.end), self.now());
                committed.expect("the permit is fresh");
                self.appended(records)
            }
            Check::Duplicate(original) => {
                json!({"dup": [original.first_offset.get(), original.last_offset.get()]})
            }
            Check::Rejected(rejection) => refused(&rejection),
        }
    }

    fn marker(&mut self, marker: &Marker) -> Value {
        let permit = match self.manager.check_marker(marker) {
            Ok(permit) => permit,
            Err(rejection) => return refused(&rejection),
        };
        let committed = self.manager.commit_marker(permit, at(self.end), self.now());
        committed.expect("the permit is fresh");
        self.appended(1)
    }

    fn restart(&mut self) {
        let directory = SnapshotDirectory::open(self.snapshots.path()).expect("it opens");
        self.manager
            .take_snapshot(&directory)
            .expect("it is written");
        self.manager = ProducerStateManager::new(Config::kafka());
        let (start, end, now) = (at(self.start), at(self.end), self.now());
        let reloaded = self
            .manager
            .truncate_and_reload(&directory, start, end, now);
        let replay_from = reloaded.expect("it is read").replay_from;
        assert_eq!(replay_from, end, "a stop in order leaves nothing to read");
    }

    fn appended(&mut self, records: i32) -> Value {
        let first = self.end;
        self.bases.push(first);
        self.end += i64::from(records);
        json!({"append": [first, self.end - 1]})
    }

    fn now(&self) -> Timestamp {
        Timestamp::from_millis(self.clock)
    }
}

fn pid(command: &Value) -> ProducerId {
    ProducerId::new(number(command, "pid")).expect("not negative")
}

fn timestamp(command: &Value) -> Timestamp {
    Timestamp::from_millis(number(command, "ts"))
}

fn marker(command: &Value) -> Marker {
    Marker {
        producer_id: pid(command),
        epoch: Epoch::new(small(command, "epoch")),
        coordinator_epoch: CoordinatorEpoch::new(small(command, "coord")),
        timestamp: timestamp(command),
        ending: match command["ending"] == "commit" {
            true => Ending::Committed,
            false => Ending::Aborted,
        },
    }
}

fn refused(rejection: &Rejection) -> Value {
    json!({"error": rejection.code_name()})
}

fn window(known: &ProducerView<'_>) -> Value {
    let batches = known.batches().map(|batch| {
        let number = |sequence: Option<Sequence>| sequence.map_or(-1, Sequence::get);
        json!([
            number(batch.first_sequence),
            number(batch.last_sequence),
            batch.first_offset.get(),
            batch.last_offset.get()
        ])
    });
    json!([
        known.epoch().get(),
        known.last_timestamp().get(),
        batches.collect::<Vec<_>>()
    ])
}

fn transaction(known: &ProducerView<'_>) -> Value {
    let mut transaction = json!({"coordinator_epoch": known.coordinator_epoch().get()});
    if let Some(first) = known.transaction_first_offset() {
        transaction["first_offset"] = json!(first.get());
    }
    transaction
}
