//! The production state manager as a subject, in the smallest broker that uses all of it.
//!
//! The broker has a log in memory, snapshots in real files of a temporary directory, and a
//! clock that operations move. Batches are checked, written to the log and committed in
//! this order; everything else is done as Apache Kafka 4.3.1 does it.

mod numbers;
mod start_up;

use std::fs;

use retryproof_models::specification::{
    Answer, Batch as Written, Content, Fate, Log, Mode, Operation, Origin, Recovery, Settings,
    Snapshots, State,
};
use tempfile::TempDir;

use crate::state_manager::snapshot::SnapshotDirectory;
use crate::state_manager::{Batch, Check, Config, Permit, ProducerStateManager, Timestamp};

use super::observed::{observed, refusal};
use super::subject::{StateManager, SubjectFailure};

/// Where Linux has files in memory.
const IN_MEMORY: &str = "/dev/shm";

/// [`ProducerStateManager`] in a small broker.
#[derive(Debug, Default)]
pub struct ProductionManager {
    broker: Option<Broker>,
}

impl ProductionManager {
    fn broker(&mut self) -> Result<&mut Broker, SubjectFailure> {
        let not_started = || SubjectFailure::NotStarted("it was not told to".to_owned());
        self.broker.as_mut().ok_or_else(not_started)
    }
}

impl ProductionManager {
    /// The offsets of the snapshot files: up to where each covers the log (exclusive).
    ///
    /// # Errors
    /// If it was not started, or its directory cannot be read.
    pub fn snapshots(&mut self) -> Result<Vec<i64>, SubjectFailure> {
        let files = self.broker()?.snapshots.list();
        let files = files.map_err(SubjectFailure::because)?;
        Ok(files.into_iter().map(|file| file.offset).collect())
    }

    /// Log start offset.
    ///
    /// # Errors
    /// If it was not started.
    pub fn log_start(&mut self) -> Result<i64, SubjectFailure> {
        Ok(self.broker()?.log.start())
    }

    /// Log end offset.
    ///
    /// # Errors
    /// If it was not started.
    pub fn log_end(&mut self) -> Result<i64, SubjectFailure> {
        Ok(self.broker()?.log.end())
    }

    /// The producer state covers the log up to this offset (exclusive).
    ///
    /// # Errors
    /// If it was not started.
    pub fn map_end(&mut self) -> Result<i64, SubjectFailure> {
        Ok(self.broker()?.manager.map_end_offset().get())
    }
}

impl StateManager for ProductionManager {
    fn name(&self) -> String {
        "ours".to_owned()
    }

    fn start(&mut self, settings: &Settings) -> Result<(), SubjectFailure> {
        let not_started = |error: SubjectFailure| SubjectFailure::NotStarted(error.to_string());
        self.broker = Some(Broker::new(settings).map_err(not_started)?);
        Ok(())
    }

    fn apply(&mut self, operation: &Operation) -> Result<Answer, SubjectFailure> {
        self.broker()?.apply(operation)
    }

    fn state(&mut self) -> Result<Option<State>, SubjectFailure> {
        Ok(Some(observed(&self.broker()?.manager)))
    }
}

/// One partition on one broker.
#[derive(Debug)]
struct Broker {
    config: Config,
    clock: i64,
    log: Log,
    manager: ProducerStateManager,
    snapshots: SnapshotDirectory,
    /// Where the snapshots lie; deleted when it is dropped.
    directory: TempDir,
}

impl Broker {
    fn new(settings: &Settings) -> Result<Self, SubjectFailure> {
        let config = numbers::config(settings)?;
        let directory = temporary_directory()?;
        Ok(Broker {
            config,
            clock: 0,
            log: Log::new(),
            manager: ProducerStateManager::new(config),
            snapshots: open(&directory)?,
            directory,
        })
    }

    fn now(&self) -> Timestamp {
        Timestamp::from_millis(self.clock)
    }

    fn apply(&mut self, operation: &Operation) -> Result<Answer, SubjectFailure> {
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
                let content = Content::Records { pid, epoch, seq };
                match origin {
                    Origin::Client => self.append(n, ts, content, fate),
                    Origin::Replica => self.replicate(n, ts, content),
                }
            }
            Operation::Plain { n, ts } => {
                self.clock = self.clock.max(ts);
                self.replicate(n, ts, Content::Plain)
            }
            Operation::Marker {
                pid,
                epoch,
                coord,
                ts,
                origin,
            } => {
                self.clock = self.clock.max(ts);
                let content = Content::Marker { pid, epoch, coord };
                match origin {
                    Origin::Client => self.end_transaction(ts, content),
                    Origin::Replica => self.replicate(1, ts, content),
                }
            }
            Operation::Reload {
                mode,
                snapshots,
                recovery,
            } => {
                self.restart(mode, snapshots, recovery)?;
                Ok(Answer::Ok)
            }
            Operation::Snapshot => self.take_snapshot(),
            Operation::Truncate { to } => self.truncate(to),
            Operation::DeleteRecords { before } => self.delete_records(before),
            Operation::Expire { now } => {
                self.clock = self.clock.max(now);
                self.manager.remove_expired(self.now());
                Ok(Answer::Ok)
            }
            Operation::Roll => {
                self.log.roll();
                self.take_snapshot()
            }
            Operation::Retention => self.delete_segments(),
            Operation::Recreate => {
                self.log = Log::new();
                self.directory = temporary_directory()?;
                self.snapshots = open(&self.directory)?;
                self.manager = ProducerStateManager::new(self.config);
                Ok(Answer::Ok)
            }
        }
    }

    /// A client's batch: it is checked, and what becomes of it then is its fate.
    fn append(
        &mut self,
        n: i64,
        ts: i64,
        content: Content,
        fate: Fate,
    ) -> Result<Answer, SubjectFailure> {
        let batch = match Batch::from_header(&numbers::header(n, ts, content)?) {
            Ok(Some(batch)) => batch,
            Ok(None) => return self.replicate(n, ts, content),
            Err(rejection) => return Ok(refusal(&rejection)),
        };
        match self.manager.check(&batch) {
            Check::Append(permit) => self.carry_out(permit, (n, ts, content), fate),
            Check::Duplicate(original) => Ok(Answer::Dup(
                original.first_offset.get(),
                original.last_offset.get(),
            )),
            Check::Rejected(rejection) => Ok(refusal(&rejection)),
        }
    }

    fn carry_out(
        &mut self,
        permit: Permit,
        (n, ts, content): (i64, i64, Content),
        fate: Fate,
    ) -> Result<Answer, SubjectFailure> {
        match fate {
            Fate::Kept => {
                let written = self.log.append(n, ts, content);
                let base_offset = numbers::offset(written.base)?;
                let committed = self.manager.commit(permit, base_offset, self.now());
                let last_offset = committed.map_err(SubjectFailure::because)?;
                return Ok(Answer::Append(written.base, last_offset.get()));
            }
            Fate::Dropped => drop(permit),
            Fate::CrashBeforeWrite => self.crash()?,
            Fate::CrashAfterWrite => {
                self.log.append(n, ts, content);
                self.crash()?;
            }
        }
        Ok(Answer::Ok)
    }

    /// A marker that a coordinator writes.
    fn end_transaction(&mut self, ts: i64, content: Content) -> Result<Answer, SubjectFailure> {
        let marker = numbers::marker(ts, content)?;
        let permit = match self.manager.check_marker(&marker) {
            Ok(permit) => permit,
            Err(rejection) => return Ok(refusal(&rejection)),
        };
        let written = self.log.append(1, ts, content);
        let offset = numbers::offset(written.base)?;
        let committed = self.manager.commit_marker(permit, offset, self.now());
        committed.map_err(SubjectFailure::because)?;
        Ok(appended(&written))
    }

    /// What is written without a check: a follower's copy, a batch without producer id.
    fn replicate(&mut self, n: i64, ts: i64, content: Content) -> Result<Answer, SubjectFailure> {
        let written = self.log.append(n, ts, content);
        let now = self.now();
        start_up::record(&mut self.manager, &written, now)?;
        Ok(appended(&written))
    }

    fn take_snapshot(&mut self) -> Result<Answer, SubjectFailure> {
        let taken = self.manager.take_snapshot(&self.snapshots);
        taken.map_err(SubjectFailure::because)?;
        Ok(Answer::Ok)
    }

    fn truncate(&mut self, to: i64) -> Result<Answer, SubjectFailure> {
        if to < self.log.segment_bases()[0] || !self.log.is_boundary(to) {
            let reason = format!("no batch starts at offset {to}, so it cannot truncate to there");
            return Err(SubjectFailure::Failed(reason));
        }
        if to < self.log.end() {
            self.log.truncate_to(to);
            let now = self.now();
            let (log, snapshots) = (&self.log, &self.snapshots);
            start_up::rebuild(&mut self.manager, log, snapshots, to, now)?;
        }
        Ok(Answer::Ok)
    }

    fn delete_records(&mut self, before: i64) -> Result<Answer, SubjectFailure> {
        if before > self.log.end() {
            let end = self.log.end();
            let reason = format!("the log ends at {end}, so it cannot begin at {before}");
            return Err(SubjectFailure::Failed(reason));
        }
        if before > self.log.start() {
            self.log.move_start(before);
            self.manager.on_log_start(numbers::offset(before)?);
        }
        Ok(Answer::Ok)
    }

    fn delete_segments(&mut self) -> Result<Answer, SubjectFailure> {
        if !self.log.delete_segments_below_start().is_empty() {
            let removed = self.snapshots.remove_below(self.log.segment_bases()[0]);
            removed.map_err(SubjectFailure::because)?;
        }
        Ok(Answer::Ok)
    }

    fn crash(&mut self) -> Result<(), SubjectFailure> {
        self.restart(Mode::Crash, Snapshots::Kept, Recovery::All)
    }

    /// The broker stops and starts.
    fn restart(
        &mut self,
        mode: Mode,
        snapshots: Snapshots,
        recovery: Recovery,
    ) -> Result<(), SubjectFailure> {
        if mode == Mode::Clean {
            self.take_snapshot()?;
        }
        damage(&self.snapshots, snapshots)?;
        self.snapshots = open(&self.directory)?;
        let found = start_up::Found {
            config: self.config,
            log: &self.log,
            snapshots: &self.snapshots,
            now: self.now(),
        };
        self.manager = match mode {
            Mode::Clean => found.start_after_clean_stop()?,
            Mode::Crash => found.start_after_crash(recovery)?,
        };
        Ok(())
    }
}

/// A new directory: in memory where the system has such, since snapshots are forced to the
/// disk and most of a walk's time would go into that.
fn temporary_directory() -> Result<TempDir, SubjectFailure> {
    tempfile::tempdir_in(IN_MEMORY)
        .or_else(|_| tempfile::tempdir())
        .map_err(SubjectFailure::because)
}

fn open(directory: &TempDir) -> Result<SnapshotDirectory, SubjectFailure> {
    SnapshotDirectory::open(directory.path()).map_err(SubjectFailure::because)
}

/// Does to the files what happens to them while the broker is down.
fn damage(directory: &SnapshotDirectory, how: Snapshots) -> Result<(), SubjectFailure> {
    let files = directory.list().map_err(SubjectFailure::because)?;
    let done = match how {
        Snapshots::Kept => Ok(()),
        Snapshots::Lost => files
            .iter()
            .try_for_each(|file| fs::remove_file(&file.path)),
        Snapshots::NewestCorrupt => files.last().map_or(Ok(()), |newest| {
            let mut bytes = fs::read(&newest.path)?;
            if let Some(last) = bytes.last_mut() {
                *last = !*last;
            }
            fs::write(&newest.path, bytes)
        }),
    };
    done.map_err(SubjectFailure::because)
}

fn appended(written: &Written) -> Answer {
    Answer::Append(written.base, written.last())
}
