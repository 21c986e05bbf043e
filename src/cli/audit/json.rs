//! The JSON of an audit. It is stable; keys are only ever added.

use serde::Serialize;

use crate::audit::finding::{Finding, Range};
use crate::audit::report::{Note, Report, BEYOND_A_LOG};
use crate::audit::{Place, Position, Summary};

/// What came of an audit.
#[derive(Serialize)]
pub(super) struct Audited<'a> {
    batches: u64,
    findings: Vec<Found<'a>>,
    kinds: Vec<OfKind>,
    logs: Vec<Log<'a>>,
    notes: Vec<Said<'a>>,
    cannot_be_shown: &'static [&'static str],
}

#[derive(Serialize)]
struct Found<'a> {
    property: &'static str,
    also: &'a [&'static str],
    kind: &'static str,
    #[serde(flatten)]
    place: Where<'a>,
    log: &'a str,
    producer_id: Option<i64>,
    producer_epoch: Option<i16>,
    first_sequence: Option<i32>,
    last_sequence: Option<i32>,
    first_offset: Option<i64>,
    last_offset: Option<i64>,
    text: &'a str,
    means: &'static str,
    check: &'static str,
}

/// A line of a text, or a byte of a binary file.
#[derive(Serialize)]
struct Where<'a> {
    file: &'a str,
    line: Option<u64>,
    byte: Option<u64>,
}

/// How many there are of a kind, also where not all of them are listed.
#[derive(Serialize)]
struct OfKind {
    kind: &'static str,
    property: &'static str,
    count: u64,
}

#[derive(Serialize)]
struct Log<'a> {
    name: &'a str,
    batches: u64,
    producers: usize,
    start_offset: Option<i64>,
    end_offset: i64,
    compacted: bool,
    snapshots_compared: u64,
}

#[derive(Serialize)]
struct Said<'a> {
    #[serde(flatten)]
    place: Option<Where<'a>>,
    text: &'a str,
}

impl<'a> Audited<'a> {
    pub(super) fn of(report: &'a Report) -> Self {
        let by_kind = || report.findings.by_kind();
        Audited {
            batches: report.batches,
            findings: by_kind()
                .flat_map(|(_, of_kind)| &of_kind.kept)
                .map(|finding| Found::of(finding, report))
                .collect(),
            kinds: by_kind()
                .map(|(kind, of_kind)| OfKind {
                    kind: kind.title(),
                    property: kind.about().id(),
                    count: of_kind.count,
                })
                .collect(),
            logs: report.logs.iter().map(Log::of).collect(),
            notes: report
                .notes
                .iter()
                .map(|note| Said::of(note, report))
                .collect(),
            cannot_be_shown: &BEYOND_A_LOG,
        }
    }
}

impl<'a> Found<'a> {
    fn of(finding: &'a Finding, report: &'a Report) -> Self {
        Found {
            property: finding.kind.about().id(),
            also: &finding.also,
            kind: finding.kind.title(),
            place: Where::of(finding.place, report),
            log: &finding.log,
            producer_id: finding.producer.map(|(id, _)| id),
            producer_epoch: finding.producer.and_then(|(_, epoch)| epoch),
            first_sequence: finding.sequences.map(first),
            last_sequence: finding.sequences.map(last),
            first_offset: finding.offsets.map(first),
            last_offset: finding.offsets.map(last),
            text: &finding.text,
            means: finding.kind.means(),
            check: finding.kind.check(),
        }
    }
}

fn first<N>(range: Range<N>) -> N {
    range.first
}

fn last<N>(range: Range<N>) -> N {
    range.last
}

impl<'a> Where<'a> {
    fn of(place: Place, report: &'a Report) -> Self {
        let (line, byte) = match place.position {
            Position::Line(line) => (Some(line), None),
            Position::Byte(byte) => (None, Some(byte)),
        };
        Where {
            file: report.file(place),
            line,
            byte,
        }
    }
}

impl<'a> Log<'a> {
    fn of(log: &'a Summary) -> Self {
        Log {
            name: &log.name,
            batches: log.batches,
            producers: log.producers,
            start_offset: log.start,
            end_offset: log.end,
            compacted: log.is_compacted,
            snapshots_compared: log.compared.snapshots,
        }
    }
}

impl<'a> Said<'a> {
    fn of(note: &'a Note, report: &'a Report) -> Self {
        Said {
            place: note.place.map(|place| Where::of(place, report)),
            text: &note.text,
        }
    }
}
