//! The inputs of one replica of one partition, read behind each other as one log.

use std::collections::VecDeque;

use super::form::Form;
use super::input::{Input, Progress};
use super::origin::Origin;
use super::run::Run;
use super::snapshot::Snapshot;
use super::text::DumpReader;
use super::{LoggedBatch, Place, Position, Reader, Seen, SegmentReader, Unreadable};

/// Where a log is from: what tells it from the others.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct LogKey {
    /// Topic and partition, if some path says so.
    pub(super) partition: Option<String>,
    /// What says so.
    pub(super) said_by: SaidBy,
    /// Files of one replica lie in one directory, and were dumped from one.
    pub(super) replica: (String, String),
}

/// What says where a log is from. Only what is said alike can be compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum SaidBy {
    /// The `Dumping` line of a text.
    Text,
    /// The path of a file of the log itself.
    Path,
    /// A broker's log, which knows partitions only.
    Broker,
}

impl LogKey {
    /// The log of what an input holds, of this origin.
    pub(super) fn of(input: &Input, origin: &Origin) -> Self {
        // A segment lies in the directory of its partition, which says nothing more.
        let (said_by, directory) = match input.form {
            Form::Dump => (SaidBy::Text, input.directory.clone()),
            Form::Segment | Form::Snapshot => (SaidBy::Path, String::new()),
            Form::BrokerLog => (SaidBy::Broker, String::new()),
        };
        LogKey {
            partition: origin.partition.clone(),
            said_by,
            replica: (directory, origin.directory.clone()),
        }
    }
}

/// Reads the inputs of one replica.
pub(super) struct Stream {
    inputs: VecDeque<Input>,
    current: Option<Current>,
}

/// The input at hand.
struct Current {
    input: Input,
    reader: Box<dyn Reader>,
    log: Option<usize>,
    snapshot: Option<(LogKey, Snapshot)>,
}

impl Stream {
    /// Of inputs in the order of their offsets.
    pub(super) fn new(inputs: Vec<Input>) -> Self {
        Stream {
            inputs: inputs.into(),
            current: None,
        }
    }

    /// Reads up to the next batch, which is judged, and gives it with the number of its log;
    /// `None` at the end of all inputs.
    pub(super) fn next(
        &mut self,
        run: &mut Run,
    ) -> Result<Option<(usize, LoggedBatch)>, Unreadable> {
        loop {
            let Some(current) = &mut self.current else {
                let Some(input) = self.inputs.pop_front() else {
                    return Ok(None);
                };
                self.current = Some(Current::begin(input, &run.progress)?);
                continue;
            };
            match current.next(run)? {
                Step::Batch(log, batch) => return Ok(Some((log, batch))),
                Step::Other => {}
                Step::End => self.current = None,
            }
        }
    }
}

enum Step {
    Batch(usize, LoggedBatch),
    Other,
    End,
}

impl Current {
    fn begin(mut input: Input, progress: &Progress) -> Result<Self, Unreadable> {
        let file = input.file;
        let failed = |error| Unreadable::io(file, error);
        let reader: Box<dyn Reader> = match input.form {
            Form::Segment => {
                let bytes = input.open_to_seek(progress).map_err(failed)?;
                Box::new(SegmentReader::new(file, &input.path, bytes)?)
            }
            _ => Box::new(DumpReader::new(file, input.open(progress).map_err(failed)?)),
        };
        Ok(Current {
            reader,
            input,
            log: None,
            snapshot: None,
        })
    }

    #[inline]
    fn next(&mut self, run: &mut Run) -> Result<Step, Unreadable> {
        match self.reader.next()? {
            Some(Seen::Batch(batch)) => {
                let log = match self.log {
                    Some(log) => log,
                    None => {
                        let log = run.log(LogKey::of(&self.input, &self.input.origin));
                        *self.log.insert(log)
                    }
                };
                run.append(log, &batch);
                return Ok(Step::Batch(log, batch));
            }
            Some(Seen::Segment { place, path }) => {
                let origin = Origin::of(path);
                if !path.is_empty() {
                    let partition = origin.partition.clone();
                    let partition = partition.or(self.input.origin.partition.clone());
                    let key = LogKey::of(
                        &self.input,
                        &Origin {
                            partition,
                            ..origin.clone()
                        },
                    );
                    self.log = Some(run.log(key));
                }
                finish(&mut self.snapshot, run);
                if let (Some(log), Some(offset)) = (self.log, origin.offset) {
                    run.begin_segment(log, offset, place)?;
                }
            }
            Some(Seen::Snapshot { place, path }) => {
                finish(&mut self.snapshot, run);
                self.log = None;
                let own = &self.input.origin;
                let said = Origin::of(path);
                let origin = Origin {
                    partition: said.partition.or(own.partition.clone()),
                    offset: said.offset.or(own.offset),
                    directory: said.directory,
                };
                let snapshot = Snapshot {
                    place,
                    offset: origin.offset.unwrap_or(-1),
                    states: Vec::new(),
                };
                self.snapshot = Some((LogKey::of(&self.input, &origin), snapshot));
            }
            Some(Seen::State(state)) => {
                if let Some((_, snapshot)) = &mut self.snapshot {
                    snapshot.states.push(state);
                }
            }
            Some(Seen::LogStart { offset }) => {
                if let Some(log) = self.log {
                    run.log_start(log, offset);
                }
            }
            Some(Seen::LeftOut { place }) => run.left_out(self.log, place),
            Some(Seen::PassedOver { first, lines, why }) => run.passed_over(first, lines, why),
            Some(Seen::TornTail { place, bytes }) => run.torn_tail(self.log, place, bytes),
            Some(Seen::Damaged { place, what }) => run.damaged(self.log, place, what),
            None => {
                finish(&mut self.snapshot, run);
                return Ok(Step::End);
            }
        }
        Ok(Step::Other)
    }
}

/// Hands over a snapshot that is read.
fn finish(snapshot: &mut Option<(LogKey, Snapshot)>, run: &mut Run) {
    if let Some((key, snapshot)) = snapshot.take() {
        run.snapshot(key, snapshot);
    }
}

/// The first line of an input, or its first byte.
pub(super) fn beginning(input: &Input) -> Place {
    Place {
        file: input.file,
        position: match input.form {
            Form::Dump | Form::BrokerLog => Position::Line(1),
            Form::Segment | Form::Snapshot => Position::Byte(0),
        },
    }
}
