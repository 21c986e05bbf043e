//! The reader of dumps.
//!
//! Lines are known by how they begin. A payload may hold any text, newlines and all, and so
//! lines that look like any other. As soon as a dump shows a key or a payload, a batch line
//! counts only if the batch begins where the one before it ended, and a `Dumping` line only
//! if the batch behind it begins at position 0. Snapshots behind such a dump are not read:
//! nothing shows that they are some.

use std::collections::VecDeque;
use std::io::Read;

use super::fields::BadLine;
use super::folded::Folded;
use super::item::Item;
use super::lines::{Line, Lines};
use super::section::{self, Section};
use super::{batch_line, record_line, state_line};
use crate::audit::{FileId, LoggedBatch, PassedOver, Place, Position, Reader, Seen, Unreadable};

/// What to do about a line that is not of its form.
const ADVICE: &str = "give the output of kafka-dump-log.sh as it was printed, \
                      without --skip-record-metadata";

/// Reads the output of `kafka-dump-log.sh`.
///
/// Several dumps may stand behind each other, of several releases too. Holds one buffer of
/// fixed size.
pub struct DumpReader<R> {
    lines: Lines<R>,
    state: State,
}

/// What is known of the dump so far.
struct State {
    file: FileId,
    /// What is to be told next.
    queue: VecDeque<Item>,
    /// Path of the section that was begun last.
    path: Vec<u8>,
    /// The section that lines stand in; `None` before the first `Dumping` line.
    section: Option<Section>,
    /// A section that is not believed yet, for payloads are shown.
    claimed: Option<(Place, Vec<u8>)>,
    shows_payloads: bool,
    /// Where the next batch begins in the segment, if that is known.
    next_position: Option<u64>,
    /// Where the log goes on.
    next_offset: Option<i64>,
    has_batches: bool,
    folded: Option<Folded>,
    /// Why a batch line is refused that ends too early, until it shows whether the tool gave
    /// up there: then its output ends, or that for another file begins.
    cut: Option<Unreadable>,
    passed_over: [Option<(Place, u64)>; 4],
}

impl<R: Read> DumpReader<R> {
    /// Reads a dump from its beginning.
    pub fn new(file: FileId, input: R) -> Self {
        DumpReader {
            lines: Lines::new(input),
            state: State::new(file),
        }
    }
}

impl<R: Read> Reader for DumpReader<R> {
    fn next(&mut self) -> Result<Option<Seen<'_>>, Unreadable> {
        let state = &mut self.state;
        while state.queue.is_empty() {
            match self.lines.next() {
                Ok(Some(line)) => state.read(line)?,
                Ok(None) => {
                    state.finish();
                    break;
                }
                Err(error) => return Err(Unreadable::io(state.file, error)),
            }
        }
        Ok(self.state.take())
    }
}

impl State {
    fn new(file: FileId) -> Self {
        State {
            file,
            queue: VecDeque::with_capacity(8),
            path: Vec::new(),
            section: None,
            claimed: None,
            shows_payloads: false,
            next_position: None,
            next_offset: None,
            has_batches: false,
            folded: None,
            cut: None,
            passed_over: [None; 4],
        }
    }

    fn take(&mut self) -> Option<Seen<'_>> {
        let item = self.queue.pop_front()?;
        Some(item.seen(&self.path))
    }

    fn place(&self, line: &Line<'_>) -> Place {
        Place {
            file: self.file,
            position: Position::Line(line.number),
        }
    }

    #[inline]
    fn read(&mut self, line: Line<'_>) -> Result<(), Unreadable> {
        let bytes = line.bytes;
        if let Some(refusal) = self.cut.take() {
            self.end_of_output(refusal, bytes)?;
        }
        if bytes.starts_with(batch_line::START) {
            self.batch_line(&line)
        } else if bytes.starts_with(b"| ") {
            self.record_of_a_batch(&line)
        } else if bytes.starts_with(record_line::START) {
            self.record_line(&line)
        } else if bytes.starts_with(state_line::START) {
            self.state_line(&line)
        } else {
            self.other_line(&line)
        }
    }

    #[inline]
    fn batch_line(&mut self, line: &Line<'_>) -> Result<(), Unreadable> {
        let place = self.place(line);
        if self.section.is_some_and(|section| section != Section::Log) {
            self.pass_over(place, PassedOver::OtherFile);
            return Ok(());
        }
        match batch_line::read(line.bytes, place) {
            Ok(batch) if self.shows_payloads && !self.is_believed(&batch) => {
                self.pass_over(place, PassedOver::Payload);
            }
            Ok(batch) => self.batch(batch),
            Err(_) if self.shows_payloads => self.pass_over(place, PassedOver::Payload),
            Err(_) if !line.is_ended => self.pass_over(place, PassedOver::Cut),
            Err(bad) => {
                let text = format!("this is no batch line of any release ({bad}): {ADVICE}");
                let refusal = Unreadable::form(place, text);
                if let BadLine::Missing { .. } = bad {
                    self.cut = Some(refusal);
                } else {
                    return Err(refusal);
                }
            }
        }
        Ok(())
    }

    /// A batch line ended too early: refused, unless the tool gave up in the middle of it.
    #[cold]
    fn end_of_output(&mut self, refusal: Unreadable, next: &[u8]) -> Result<(), Unreadable> {
        let gave_up =
            next.starts_with(section::DUMPING) || next.starts_with(b"Exception in thread");
        match refusal.position {
            Some(position) if gave_up => {
                let file = self.file;
                self.pass_over(Place { file, position }, PassedOver::Cut);
                Ok(())
            }
            _ => Err(refusal),
        }
    }

    /// Whether a batch in a dump with payloads is one: it begins where the last one ended, or
    /// a segment with it. A claim of a new segment that does not come true is dropped.
    fn is_believed(&mut self, batch: &LoggedBatch) -> bool {
        if let Some((place, path)) = self.claimed.take() {
            if batch.position == Some(0) {
                self.begin(place, path);
                return true;
            }
        }
        match self.next_position {
            Some(next) => batch.position == Some(next),
            // Among record lines of 2.1 and before there are no batch lines.
            None => self.folded.is_none(),
        }
    }

    #[inline]
    fn batch(&mut self, batch: LoggedBatch) {
        self.flush();
        match (self.next_position, batch.position) {
            // Begun anew without a line that says so.
            (Some(next), Some(0)) if next > 0 && self.has_batches => {
                self.queue.push_back(Item::Segment(batch.place));
            }
            (Some(next), Some(position)) if next != position => {
                self.queue.push_back(Item::LeftOut(batch.place));
            }
            _ => {}
        }
        self.next_position = batch
            .position
            .zip(batch.size)
            .map(|(position, size)| position.saturating_add(u64::from(size)));
        self.next_offset = batch.last_offset.checked_add(1);
        self.has_batches = true;
        self.queue.push_back(Item::Batch(batch));
    }

    /// A record that a batch line stands above: all that is of interest is whether payloads
    /// are shown.
    #[inline]
    fn record_of_a_batch(&mut self, line: &Line<'_>) -> Result<(), Unreadable> {
        if self.shows_payloads {
            return Ok(());
        }
        let has = |words: &[u8]| memchr::memmem::find(line.bytes, words).is_some();
        self.shows_payloads = has(b" payload: ") || has(b" key: ");
        if self.has_batches || self.section.is_some_and(|it| it != Section::Log) {
            return Ok(());
        }
        let text =
            format!("a record without its batch, so without producer id and epoch: {ADVICE}");
        Err(Unreadable::form(self.place(line), text))
    }

    fn record_line(&mut self, line: &Line<'_>) -> Result<(), Unreadable> {
        let place = self.place(line);
        if self.section.is_some_and(|section| section != Section::Log) {
            self.pass_over(place, PassedOver::OtherFile);
            return Ok(());
        }
        match record_line::read(line.bytes) {
            Ok(record) if self.shows_payloads && !self.follows(&record) => {
                self.pass_over(place, PassedOver::Payload);
            }
            Ok(record) => {
                self.shows_payloads |= record.has_payload;
                self.record(&record, place);
            }
            Err(_) if self.shows_payloads => self.pass_over(place, PassedOver::Payload),
            Err(_) if !line.is_ended => self.pass_over(place, PassedOver::Cut),
            Err(bad) => {
                let text = format!("this is no record line of any release ({bad}): {ADVICE}");
                return Err(Unreadable::form(place, text));
            }
        }
        Ok(())
    }

    /// Whether a record comes behind the one before it, in the log and in the segment.
    fn follows(&mut self, record: &record_line::Record) -> bool {
        if let Some((place, path)) = self.claimed.take() {
            if record.position == Some(0) {
                self.begin(place, path);
                return true;
            }
        }
        if self.next_position.is_some() {
            return record.position == self.next_position;
        }
        let Some(last) = &self.folded else {
            return true;
        };
        let last = last.batch();
        record.offset > last.last_offset && record.position >= last.position
    }

    fn record(&mut self, record: &record_line::Record, place: Place) {
        if self.folded.as_mut().is_some_and(|last| last.add(record)) {
            self.next_offset = record.offset.checked_add(1);
            return;
        }
        self.flush();
        self.folded = Some(Folded::begin(record, place, self.next_offset));
        self.next_offset = record.offset.checked_add(1);
        self.next_position = record
            .position
            .zip(record.size)
            .map(|(position, size)| position.saturating_add(u64::from(size)));
        self.has_batches = true;
    }

    /// Tells the batch of the records so far.
    #[inline]
    fn flush(&mut self) {
        if let Some(folded) = self.folded.take() {
            self.queue.push_back(Item::Batch(folded.batch()));
        }
    }

    fn state_line(&mut self, line: &Line<'_>) -> Result<(), Unreadable> {
        let place = self.place(line);
        match self.section {
            Some(Section::Log) => {
                self.pass_over(place, PassedOver::Payload);
                return Ok(());
            }
            Some(Section::Other) => {
                self.pass_over(place, PassedOver::OtherFile);
                return Ok(());
            }
            Some(Section::Snapshot) => {}
            None => {
                self.section = Some(Section::Snapshot);
                self.queue.push_back(Item::Snapshot(place));
            }
        }
        match state_line::read(line.bytes, place) {
            Ok(state) => self.queue.push_back(Item::Producer(state)),
            Err(_) if !line.is_ended => self.pass_over(place, PassedOver::Cut),
            Err(bad) => {
                let text = format!("this is no line of a producer snapshot ({bad}): {ADVICE}");
                return Err(Unreadable::form(place, text));
            }
        }
        Ok(())
    }

    fn other_line(&mut self, line: &Line<'_>) -> Result<(), Unreadable> {
        let place = self.place(line);
        if !self.has_batches && !self.shows_payloads && holds_batch_line(line.bytes) {
            let text = format!("a batch line that does not begin its line: {ADVICE}");
            return Err(Unreadable::form(place, text));
        }
        if let Some(path) = line.bytes.strip_prefix(section::DUMPING) {
            if self.shows_payloads {
                self.claimed = Some((place, path.to_vec()));
            } else {
                self.begin(place, path.to_vec());
            }
        } else if let Some(offset) = section::starting_offset(line.bytes) {
            if !self.has_batches && self.claimed.is_none() {
                self.queue.push_back(Item::LogStart(offset));
            }
        } else if let Some(bytes) = section::invalid_bytes(line.bytes) {
            self.flush();
            self.queue.push_back(Item::TornTail(place, bytes));
        } else if self.section == Some(Section::Other) {
            self.pass_over(place, PassedOver::OtherFile);
        } else if !line.bytes.is_empty() && !self.shows_payloads {
            self.pass_over(place, PassedOver::Noise);
        }
        Ok(())
    }

    /// Begins a section.
    fn begin(&mut self, place: Place, path: Vec<u8>) {
        self.finish_section();
        let section = Section::of(&path);
        self.path = path;
        self.section = Some(section);
        self.next_position = Some(0).filter(|_| section == Section::Log);
        self.next_offset = None;
        self.has_batches = false;
        match section {
            Section::Log => self.queue.push_back(Item::Segment(place)),
            Section::Snapshot => self.queue.push_back(Item::Snapshot(place)),
            Section::Other => {}
        }
    }

    fn pass_over(&mut self, place: Place, why: PassedOver) {
        let (_, lines) = self.passed_over[why as usize].get_or_insert((place, 0));
        *lines += 1;
    }

    fn finish_section(&mut self) {
        self.flush();
        for why in [
            PassedOver::Noise,
            PassedOver::Payload,
            PassedOver::Cut,
            PassedOver::OtherFile,
        ] {
            if let Some((first, lines)) = self.passed_over[why as usize].take() {
                self.queue.push_back(Item::PassedOver(first, lines, why));
            }
        }
    }

    fn finish(&mut self) {
        if let Some(position) = self.cut.take().and_then(|refusal| refusal.position) {
            let file = self.file;
            self.pass_over(Place { file, position }, PassedOver::Cut);
        }
        self.finish_section();
    }
}

/// Whether a batch line stands within a line: it was indented, or line ends were lost.
fn holds_batch_line(line: &[u8]) -> bool {
    let has = |words: &[u8]| memchr::memmem::find(line, words).is_some();
    has(batch_line::START) && has(b" lastOffset: ")
}
