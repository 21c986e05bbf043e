//! What a broker writes into its own log when it refuses a batch.
//!
//! The line that says why names producer, sequences and, in most releases, offset and
//! partition; where it does not, the line before it names the partition. A duplicate that was
//! recognised leaves no line.

mod pattern;
mod refusal;

pub(crate) use refusal::{Refusal, Why};

use std::collections::HashMap;
use std::io::Read;

use memchr::memmem;

use super::input::Bytes;
use super::text::Lines;
use super::{FileId, Place, Position, Unreadable};

/// Most different refusals that are kept; more are counted.
const MOST: usize = 100_000;

/// Refusals read from a broker's log: those with the same numbers are one.
#[derive(Debug, Default)]
pub(crate) struct Refusals {
    /// In the order in which they came first.
    pub(crate) kept: Vec<Refusal>,
    /// How many more there were.
    pub(crate) more: u64,
}

/// Reads a broker's log.
pub(crate) fn read(file: FileId, bytes: Bytes) -> Result<Refusals, Unreadable> {
    let mut lines = Lines::new(bytes);
    let mut reading = Reading::default();
    while let Some(line) = next(&mut lines, file)? {
        let (number, bytes) = line;
        let place = Place {
            file,
            position: Position::Line(number),
        };
        reading.line(place, bytes);
    }
    Ok(reading.refusals)
}

fn next<R: Read>(lines: &mut Lines<R>, file: FileId) -> Result<Option<(u64, &[u8])>, Unreadable> {
    match lines.next() {
        Ok(line) => Ok(line.map(|line| (line.number, line.bytes))),
        Err(error) => Err(Unreadable::io(file, error)),
    }
}

#[derive(Default)]
struct Reading {
    refusals: Refusals,
    known: HashMap<(Option<String>, Option<i64>, Why), usize>,
    /// Of the line with the time that came last.
    partition: Option<String>,
    time: Option<String>,
}

impl Reading {
    fn line(&mut self, place: Place, line: &[u8]) {
        if let Some(time) = time(line) {
            self.time = Some(String::from_utf8_lossy(time).into_owned());
            self.partition = None;
        }
        if let Some(partition) = partition(line) {
            self.partition = Some(partition);
        }
        // What every line of interest has.
        let may_be = memmem::find(line, b"equence number").is_some()
            || memmem::find(line, b"producerId=").is_some()
            || memmem::find(line, b"poch").is_some();
        if !may_be {
            return;
        }
        let Some(found) = refusal::of(line) else {
            return;
        };
        let partition = found.partition.or_else(|| self.partition.clone());
        let key = (partition.clone(), found.producer_id, found.why);
        if let Some(known) = self.known.get(&key) {
            let known = &mut self.refusals.kept[*known];
            known.times += 1;
            known.last_time = self.time.clone();
        } else if self.refusals.kept.len() < MOST {
            self.known.insert(key, self.refusals.kept.len());
            self.refusals.kept.push(Refusal {
                place,
                partition,
                producer_id: found.producer_id,
                offset: found.offset,
                why: found.why,
                times: 1,
                first_time: self.time.clone(),
                last_time: self.time.clone(),
            });
        } else {
            self.refusals.more += 1;
        }
    }
}

/// The time in front of a line, as in `[2023-10-19 13:43:45,084] ERROR …`.
fn time(line: &[u8]) -> Option<&[u8]> {
    let inner = line.strip_prefix(b"[")?;
    let end = memchr::memchr(b']', inner)?;
    let time = &inner[..end];
    (time.len() == 23 && time[4] == b'-' && time[13] == b':').then_some(time)
}

/// The partition of a line about an append, or about what a follower fetched. Since 4.1 an id
/// of the topic stands before it.
fn partition(line: &[u8]) -> Option<String> {
    let name = [
        &b"Error processing append operation on partition "[..],
        b"Error processing data for partition ",
    ]
    .into_iter()
    .find_map(|words| {
        let at = memmem::find(line, words)?;
        line[at + words.len()..].split(|byte| *byte == b' ').next()
    })?;
    let name = String::from_utf8_lossy(name);
    let name = name.split_once(':').map_or(&*name, |(_, name)| name);
    Some(name.to_owned())
}

#[cfg(test)]
mod tests;
