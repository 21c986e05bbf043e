//! An audit from inputs to report.
//!
//! What is small is read first and kept: snapshots. Then the logs pass by, each replica of a
//! partition beside the others, batch by batch. Of a log nothing is kept but a few numbers for
//! each producer.

mod told;

use std::collections::{BTreeMap, BTreeSet};
use std::io::Read;
use std::sync::Arc;

use super::acks::Acks;
use super::broker_log;
use super::finding::{Findings, KEPT};
use super::form::Form;
use super::input::{Input, Progress};
use super::judge::{refused, replicas, Ahead, Log};
use super::report::{Note, Report};
use super::snapshot::{self, Snapshot};
use super::stream::{beginning, LogKey, Stream};
use super::{LoggedBatch, Place, Unreadable};

/// What an audit is told beside its inputs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Settings {
    /// Keep every finding, not the first few of each kind only.
    pub keep_all: bool,
    /// The topics are compacted: missing offsets are no finding.
    pub compacted: bool,
}

/// An audit at work.
pub(super) struct Run {
    settings: Settings,
    pub(super) progress: Progress,
    findings: Findings,
    notes: Vec<Note>,
    logs: Vec<Log>,
    /// The partition of each log.
    partitions: Vec<Option<String>>,
    keys: BTreeMap<LogKey, usize>,
    /// The replicas of each partition among the inputs.
    replicas: BTreeMap<Option<String>, BTreeSet<(String, String)>>,
    /// What is to be compared with logs that were not read yet, by offset.
    ahead: Vec<(LogKey, i64, Ahead)>,
    acks: Option<Acks>,
}

/// Judges inputs. `names` are theirs, by number.
///
/// # Errors
/// If an input cannot be read or is not what it seemed to be.
pub fn run(
    inputs: Vec<Input>,
    names: Vec<String>,
    acks: Option<Acks>,
    settings: Settings,
    progress: Progress,
) -> Result<Report, Unreadable> {
    let mut run = Run::new(acks, settings, progress);
    let (small, logs): (Vec<Input>, Vec<Input>) = inputs.into_iter().partition(is_read_first);
    for input in &logs {
        let key = LogKey::of(input, &input.origin);
        run.replicas
            .entry(key.partition)
            .or_default()
            .insert(key.replica);
    }
    for input in small {
        run.read_first(input)?;
    }
    for replicas in grouped(logs) {
        run.side_by_side(replicas)?;
    }
    Ok(run.finish(names))
}

/// Snapshots are needed before the logs pass by.
fn is_read_first(input: &Input) -> bool {
    match input.form {
        Form::Snapshot | Form::BrokerLog => true,
        Form::Dump => input.begins_with_snapshot,
        Form::Segment => false,
    }
}

/// For each partition the inputs of each replica, in the order of their offsets.
fn grouped(inputs: Vec<Input>) -> Vec<Vec<Vec<Input>>> {
    let mut partitions: BTreeMap<Option<String>, BTreeMap<LogKey, Vec<Input>>> = BTreeMap::new();
    for input in inputs {
        let key = LogKey::of(&input, &input.origin);
        let replicas = partitions.entry(key.partition.clone()).or_default();
        replicas.entry(key).or_default().push(input);
    }
    let mut grouped = Vec::new();
    for replicas in partitions.into_values() {
        let mut replicas: Vec<Vec<Input>> = replicas.into_values().collect();
        for inputs in &mut replicas {
            inputs.sort_by_key(|input| input.origin.offset);
        }
        grouped.push(replicas);
    }
    grouped
}

impl Run {
    fn new(acks: Option<Acks>, settings: Settings, progress: Progress) -> Self {
        let most = if settings.keep_all { usize::MAX } else { KEPT };
        Run {
            settings,
            progress,
            findings: Findings::keeping(most),
            notes: Vec::new(),
            logs: Vec::new(),
            partitions: Vec::new(),
            keys: BTreeMap::new(),
            replicas: BTreeMap::new(),
            ahead: Vec::new(),
            acks,
        }
    }

    fn read_first(&mut self, mut input: Input) -> Result<(), Unreadable> {
        match input.form {
            Form::Snapshot => self.read_snapshot(&mut input),
            Form::BrokerLog => self.read_broker_log(&mut input),
            Form::Dump | Form::Segment => {
                let mut stream = Stream::new(vec![input]);
                while stream.next(self)?.is_some() {}
                Ok(())
            }
        }
    }

    fn read_snapshot(&mut self, input: &mut Input) -> Result<(), Unreadable> {
        let place = beginning(input);
        let failed = |error| Unreadable::io(place.file, error);
        let mut bytes = Vec::new();
        let mut reader = input.open(&self.progress).map_err(failed)?;
        reader.read_to_end(&mut bytes).map_err(failed)?;
        let states = snapshot::read(place.file, &bytes)
            .map_err(|error| Unreadable::form(place, error.to_string()))?;
        let snapshot = Snapshot {
            place,
            offset: input.origin.offset.unwrap_or(-1),
            states,
        };
        self.snapshot(LogKey::of(input, &input.origin), snapshot);
        Ok(())
    }

    /// Refusals with an offset wait for the log of their partition, if there is one only.
    fn read_broker_log(&mut self, input: &mut Input) -> Result<(), Unreadable> {
        let place = beginning(input);
        let bytes = input.open(&self.progress);
        let bytes = bytes.map_err(|error| Unreadable::io(place.file, error))?;
        let refusals = broker_log::read(place.file, bytes)?;
        if refusals.kept.is_empty() {
            let text = "The broker log has no line about a batch that was refused for its epoch or sequence.";
            self.note(Some(place), text.to_owned());
        }
        if refusals.more > 0 {
            let text = format!("{} refused batches more were not looked at.", refusals.more);
            self.note(Some(place), text);
        }
        for refusal in refusals.kept {
            match (&refusal.partition, refusal.offset) {
                (Some(partition), Some(offset)) => {
                    let key = LogKey {
                        partition: Some(partition.clone()),
                        ..LogKey::of(input, &input.origin)
                    };
                    self.ahead.push((key, offset, Ahead::Refusal(refusal)));
                }
                _ => refused::tell(&refusal, &mut self.findings),
            }
        }
        Ok(())
    }

    /// Reads the replicas of one partition, always the one that is behind, and compares what
    /// stands at the same offsets.
    fn side_by_side(&mut self, replicas: Vec<Vec<Input>>) -> Result<(), Unreadable> {
        let mut streams: Vec<Stream> = replicas.into_iter().map(Stream::new).collect();
        if let [only] = streams.as_mut_slice() {
            while only.next(self)?.is_some() {}
            return Ok(());
        }
        let mut heads = Vec::with_capacity(streams.len());
        for stream in &mut streams {
            heads.push(stream.next(self)?);
        }
        while let Some(behind) = furthest_behind(&heads) {
            let Some((log, batch)) = heads[behind] else {
                break;
            };
            for (index, head) in heads.iter().enumerate() {
                match head {
                    Some((other, next))
                        if index != behind
                            && next.base_offset <= batch.last_offset
                            // A log of an unknown partition is no replica of another.
                            && self.partitions[log].is_some()
                            && self.partitions[*other] == self.partitions[log] =>
                    {
                        let one = (&self.logs[log].name, &batch);
                        let other = (&self.logs[*other].name, next);
                        replicas::compare(one, other, &mut self.findings);
                    }
                    _ => {}
                }
            }
            for (stream, head) in streams.iter_mut().zip(&mut heads) {
                if head.is_some_and(|(_, next)| next.base_offset <= batch.base_offset) {
                    *head = stream.next(self)?;
                }
            }
        }
        Ok(())
    }

    /// The number of a log, which is made if there is none.
    pub(super) fn log(&mut self, key: LogKey) -> usize {
        if let Some(log) = self.keys.get(&key) {
            return *log;
        }
        let number = self.logs.len();
        let mut log = Log::new(self.name(&key));
        for (of, offset, ahead) in std::mem::take(&mut self.ahead) {
            if self.is_of(&of, &key) {
                // A log that was not read yet is never beyond anything.
                log.expect(offset, ahead);
            } else {
                self.ahead.push((of, offset, ahead));
            }
        }
        if let Some(acks) = &mut self.acks {
            acks.begin(number, key.partition.as_deref());
        }
        self.logs.push(log);
        self.partitions.push(key.partition.clone());
        self.keys.insert(key, number);
        number
    }

    /// Whether a snapshot, or what a broker refused, is of a log: of the same place, or of the
    /// only log of the partition if the places cannot be compared.
    fn is_of(&self, it: &LogKey, log: &LogKey) -> bool {
        let same_partition =
            it.partition == log.partition || it.partition.is_none() || log.partition.is_none();
        let is_only_one = self
            .replicas
            .get(&log.partition)
            .is_none_or(|replicas| replicas.len() < 2);
        let comparable = it.said_by == log.said_by && it.replica.1 != log.replica.1;
        same_partition && (it.replica == log.replica || is_only_one && !comparable)
    }

    /// The name of a log: its partition, and where it is from if there are others of it.
    fn name(&self, key: &LogKey) -> Arc<str> {
        let partition = key.partition.as_deref().unwrap_or("the log");
        let several = self
            .replicas
            .get(&key.partition)
            .is_some_and(|replicas| replicas.len() > 1)
            || self
                .keys
                .keys()
                .any(|other| other.partition == key.partition);
        if !several {
            return printable(partition).into();
        }
        let others = self.replicas.get(&key.partition).into_iter().flatten();
        let label = labelled(&key.replica, others);
        printable(&format!("{partition} of {label}")).into()
    }

    #[inline]
    pub(super) fn append(&mut self, log: usize, batch: &LoggedBatch) {
        self.logs[log].append(batch, &mut self.findings);
        if let Some(acks) = &mut self.acks {
            acks.see(log, batch);
        }
    }

    /// A segment begins at this offset by its name.
    pub(super) fn begin_segment(
        &mut self,
        log: usize,
        offset: i64,
        place: Place,
    ) -> Result<(), Unreadable> {
        match self.logs[log].read_up_to() {
            Some(end) if offset < end => Err(Unreadable::form(
                place,
                format!(
                    "this segment begins at offset {offset}, but the log was read up to {end}: give \
                     each segment once, the oldest first, and the segments of another replica in \
                     files in a directory of their own"
                ),
            )),
            _ => {
                self.logs[log].begin_segment(offset, &mut self.findings);
                Ok(())
            }
        }
    }

    /// The segment at hand begins at this offset, as the dump says.
    pub(super) fn log_start(&mut self, log: usize, offset: i64) {
        self.logs[log].begin_segment(offset, &mut self.findings);
    }

    pub(super) fn snapshot(&mut self, key: LogKey, snapshot: Snapshot) {
        if snapshot.offset < 0 {
            self.note(
                Some(snapshot.place),
                "The snapshot was not compared: its offset is its file name, which is not known."
                    .to_owned(),
            );
            return;
        }
        let of = self.keys.iter().find(|(log, _)| self.is_of(&key, log));
        let (place, offset) = (snapshot.place, snapshot.offset);
        let Some(log) = of.map(|(_, log)| *log) else {
            self.ahead.push((key, offset, Ahead::Snapshot(snapshot)));
            return;
        };
        if !self.logs[log].expect(offset, Ahead::Snapshot(snapshot)) {
            let text = format!(
                "The snapshot at offset {offset} was not compared: it came when the log was read \
                 beyond it. Give snapshots as files of their own."
            );
            self.note(Some(place), text);
        }
    }

    pub(super) fn left_out(&mut self, log: Option<usize>, place: Place) {
        if let Some(log) = log {
            self.logs[log].left_out(place);
        }
    }

    fn note(&mut self, place: Option<Place>, text: String) {
        self.notes.push(Note { place, text });
    }

    fn finish(mut self, files: Vec<String>) -> Report {
        for log in &mut self.logs {
            log.finish(self.settings.compacted, &mut self.findings);
        }
        let logs: Vec<_> = self.logs.iter().map(Log::summary).collect();
        if let Some(acks) = self.acks.take() {
            self.notes.extend(acks.finish(&logs, &mut self.findings));
        }
        for log in &logs {
            self.notes
                .extend(super::notes::of(log, self.settings.compacted));
        }
        for (_, offset, ahead) in std::mem::take(&mut self.ahead) {
            match ahead {
                Ahead::Snapshot(snapshot) => {
                    let text = format!(
                        "The snapshot at offset {offset} was not compared: no log of its partition \
                         was given."
                    );
                    self.note(Some(snapshot.place), text);
                }
                Ahead::Refusal(refusal) => refused::tell(&refusal, &mut self.findings),
            }
        }
        Report {
            files,
            batches: logs.iter().map(|log| log.batches).sum(),
            logs,
            findings: self.findings,
            notes: self.notes,
        }
    }
}

/// Which of the next batches begins first.
fn furthest_behind(heads: &[Option<(usize, LoggedBatch)>]) -> Option<usize> {
    let heads = heads.iter().enumerate();
    let next = heads.filter_map(|(index, head)| Some((head.as_ref()?.1.base_offset, index)));
    next.min().map(|(_, index)| index)
}

/// What tells one replica from the others: the directory that it lies in, or was dumped from,
/// without what all of them begin with.
fn labelled<'a>(
    replica: &'a (String, String),
    others: impl Iterator<Item = &'a (String, String)>,
) -> &'a str {
    let place = |(directory, dumped_from): &'a (String, String)| {
        if directory.is_empty() {
            dumped_from.as_str()
        } else {
            directory.as_str()
        }
    };
    let own = place(replica);
    let mut common = own.len();
    for other in others.map(place).filter(|other| *other != own) {
        let pairs = own.bytes().zip(other.bytes());
        let same = pairs.take_while(|(one, other)| one == other).count();
        let whole = own.as_bytes()[..same]
            .iter()
            .rposition(|byte| matches!(byte, b'/' | b'\\'));
        common = common.min(whole.map_or(0, |at| at + 1));
    }
    own.get(common..)
        .filter(|label| !label.is_empty())
        .unwrap_or(own)
}

/// A name without what a terminal would obey: the path in a dump is anybody's text.
fn printable(name: &str) -> String {
    name.replace(char::is_control, "\u{fffd}")
}
