//! A partition: its log, its producer state, and what each operation does to them.

use super::answer::Answer;
use super::decision::{self, Decision};
use super::log::{Content, Log};
use super::manager::Manager;
use super::operation::{Fate, Mode, Operation, Origin, Recovery, Snapshots};
use super::producer::State;
use super::rebuild::rebuild;
use super::sequence::MAX_SEQUENCE;
use super::settings::Settings;
use super::snapshot::{SnapshotFile, SnapshotFiles};
use super::start_up::start;

/// One partition, on one broker.
///
/// It has a clock that only operations move: before a batch or marker it is at least the
/// timestamp of that, at an expiry check at least the time of the check.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Partition {
    settings: Settings,
    clock: i64,
    log: Log,
    manager: Manager,
}

impl Partition {
    /// A new partition with an empty log; the clock stands at 0.
    pub fn new(settings: Settings) -> Self {
        Partition {
            settings,
            clock: 0,
            log: Log::new(),
            manager: Manager::new(settings, SnapshotFiles::new()),
        }
    }

    /// Every producer that there is state for.
    pub fn state(&self) -> State {
        let producers = self.manager.producers().iter();
        producers
            .map(|(pid, entry)| (*pid, entry.observed()))
            .collect()
    }

    /// The log.
    pub fn log(&self) -> &Log {
        &self.log
    }

    /// Log end offset.
    pub fn log_end(&self) -> i64 {
        self.log.end()
    }

    /// Log start offset.
    pub fn log_start(&self) -> i64 {
        self.log.start()
    }

    /// The producer state covers the log up to this offset (exclusive).
    pub fn map_end(&self) -> i64 {
        self.manager.map_end()
    }

    /// The offsets of the snapshot files: up to where each covers the log (exclusive).
    pub fn snapshots(&self) -> Vec<i64> {
        self.manager.files().keys().copied().collect()
    }

    /// Carries out an operation that [is allowed](Partition::allows) and says what the
    /// partition answers.
    pub fn apply(&mut self, operation: &Operation) -> Answer {
        match *operation {
            Operation::Append {
                pid,
                epoch,
                seq,
                n,
                ts,
                origin,
                fate,
            } => {
                self.clock = self.clock.max(ts);
                let decision = match origin {
                    Origin::Client => {
                        let entry = self.manager.producers().get(&pid);
                        decision::on_batch(self.settings.profile, entry, (epoch, seq, n))
                    }
                    Origin::Replica => Decision::Append,
                };
                let content = Content::Records { pid, epoch, seq };
                self.carry_out(decision, n, ts, content, fate)
            }
            Operation::Plain { n, ts } => {
                self.clock = self.clock.max(ts);
                self.write(n, ts, Content::Plain)
            }
            Operation::Marker {
                pid,
                epoch,
                coord,
                ts,
                origin,
            } => {
                self.clock = self.clock.max(ts);
                let decision = match origin {
                    Origin::Client => {
                        let entry = self.manager.producers().get(&pid);
                        decision::on_marker(entry, epoch, coord)
                    }
                    Origin::Replica => Decision::Append,
                };
                let content = Content::Marker { pid, epoch, coord };
                self.carry_out(decision, 1, ts, content, Fate::Kept)
            }
            Operation::Reload {
                mode,
                snapshots,
                recovery,
            } => self.reload(mode, snapshots, recovery),
            Operation::Snapshot => {
                self.manager.take_snapshot();
                Answer::Ok
            }
            Operation::Truncate { to } => self.truncate(to),
            Operation::DeleteRecords { before } => self.delete_records(before),
            Operation::Expire { now } => {
                self.clock = self.clock.max(now);
                self.manager.expire(self.clock);
                Answer::Ok
            }
            Operation::Roll => {
                self.log.roll();
                self.manager.take_snapshot();
                Answer::Ok
            }
            Operation::Retention => {
                for base in self.log.delete_segments_below_start() {
                    self.manager.delete_snapshot(base);
                }
                Answer::Ok
            }
            Operation::Recreate => {
                self.log = Log::new();
                self.manager = Manager::new(self.settings, SnapshotFiles::new());
                Answer::Ok
            }
        }
    }

    /// Whether an operation makes sense here; if not, why, in one sentence.
    ///
    /// Allowed is what a real log can be asked to do:
    ///
    /// - a producer id is not negative, an epoch fits 16 bits and a sequence 32; only a
    ///   client may send a negative sequence (it is refused);
    /// - a batch has at least one record and at most 2³¹ − 1; timestamps are not negative;
    /// - a truncation ends where a batch starts or at the log end, and not below the
    ///   first segment (it may end below the log start);
    /// - records are deleted up to the log end at most;
    /// - everything else is always allowed.
    pub fn allows(&self, operation: &Operation) -> Result<(), String> {
        match *operation {
            Operation::Append {
                pid,
                epoch,
                seq,
                n,
                ts,
                origin,
                ..
            } => {
                let lowest = match origin {
                    Origin::Client => i64::from(i32::MIN),
                    Origin::Replica => 0,
                };
                within("producer id", pid, 0, i64::MAX)?;
                within("epoch", epoch, i16::MIN.into(), i16::MAX.into())?;
                within("sequence", seq, lowest, MAX_SEQUENCE)?;
                within("number of records", n, 1, MAX_SEQUENCE)?;
                within("timestamp", ts, 0, i64::MAX)
            }
            Operation::Plain { n, ts } => {
                within("number of records", n, 1, MAX_SEQUENCE)?;
                within("timestamp", ts, 0, i64::MAX)
            }
            Operation::Marker {
                pid,
                epoch,
                coord,
                ts,
                ..
            } => {
                within("producer id", pid, 0, i64::MAX)?;
                within("epoch", epoch, 0, i16::MAX.into())?;
                within("coordinator epoch", coord, 0, i32::MAX.into())?;
                within("timestamp", ts, 0, i64::MAX)
            }
            Operation::Truncate { to } => {
                let first = self.log.segment_bases()[0];
                within("offset to truncate to", to, first, self.log_end())?;
                if self.log.is_boundary(to) {
                    Ok(())
                } else {
                    Err(format!("no batch starts at offset {to}"))
                }
            }
            Operation::DeleteRecords { before } => {
                within("offset to delete up to", before, 0, self.log_end())
            }
            Operation::Expire { now } => within("time", now, 0, i64::MAX),
            Operation::Reload { .. }
            | Operation::Snapshot
            | Operation::Roll
            | Operation::Retention
            | Operation::Recreate => Ok(()),
        }
    }

    fn carry_out(
        &mut self,
        decision: Decision,
        n: i64,
        ts: i64,
        content: Content,
        fate: Fate,
    ) -> Answer {
        match decision {
            Decision::Duplicate(original) => {
                Answer::Dup(original.first_offset, original.last_offset)
            }
            Decision::Refuse(error) => Answer::Error(error),
            Decision::Append => match fate {
                Fate::Kept => self.write(n, ts, content),
                Fate::Dropped => Answer::Ok,
                Fate::CrashBeforeWrite => self.crash(),
                Fate::CrashAfterWrite => {
                    self.log.append(n, ts, content);
                    self.crash()
                }
            },
        }
    }

    fn write(&mut self, n: i64, ts: i64, content: Content) -> Answer {
        let batch = self.log.append(n, ts, content);
        self.manager.add(&[batch], self.clock);
        self.manager.set_map_end(batch.end());
        Answer::Append(batch.base, batch.last())
    }

    fn crash(&mut self) -> Answer {
        self.reload(Mode::Crash, Snapshots::Kept, Recovery::All)
    }

    fn reload(&mut self, mode: Mode, snapshots: Snapshots, recovery: Recovery) -> Answer {
        if mode == Mode::Clean {
            self.manager.take_snapshot();
        }
        let mut files = self.manager.clone().into_files();
        match snapshots {
            Snapshots::Kept => {}
            Snapshots::Lost => files.clear(),
            Snapshots::NewestCorrupt => {
                if let Some(mut newest) = files.last_entry() {
                    newest.insert(SnapshotFile::Corrupt);
                }
            }
        }
        self.manager = start(self.settings, &self.log, files, mode, recovery, self.clock);
        Answer::Ok
    }

    fn truncate(&mut self, to: i64) -> Answer {
        if to < self.log.end() {
            self.log.truncate_to(to);
            rebuild(&mut self.manager, &self.log, to, false, self.clock);
        }
        Answer::Ok
    }

    fn delete_records(&mut self, before: i64) -> Answer {
        if before > self.log.start() {
            self.log.move_start(before);
            self.manager.on_log_start_moved(before);
        }
        Answer::Ok
    }
}

fn within(what: &str, value: i64, lowest: i64, highest: i64) -> Result<(), String> {
    if (lowest..=highest).contains(&value) {
        Ok(())
    } else {
        Err(format!(
            "the {what} is {value}, not within {lowest} to {highest}"
        ))
    }
}
