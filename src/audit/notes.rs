//! What there is to say of a log beside findings, so that silence is not misread.

use super::judge::Summary;
use super::report::Note;
use super::{Place, Position};

/// The notes of one log.
pub(super) fn of(log: &Summary, compacted: bool) -> Vec<Note> {
    let name = &log.name;
    let mut notes = Vec::new();
    let mut say = |place, text| notes.push(Note { place, text });
    if let Some((place, times)) = log.left_out {
        let times = counted(times, "place");
        say(
            Some(place),
            format!(
                "Lines of the dump of {name} are missing at {times}, the first before this one. What stood \
                 there was not judged: dump the segment anew, and do not filter it."
            ),
        );
    }
    if let Some(start) = log.start.filter(|start| *start > 0) {
        say(
            None,
            format!(
                "{name} begins at offset {start}: what stood before it is taken on trust, also with which \
                 sequence a producer began that no snapshot at this offset holds."
            ),
        );
    }
    if log.holes > 0 && (log.is_compacted || compacted) {
        say(
            None,
            format!(
                "{name} is compacted and lacks offsets in {}: sequences that may have stood there are \
                 not missed.",
                counted(log.holes, "place")
            ),
        );
    }
    if log.has_unjudged_holes {
        say(
            None,
            format!(
                "{name} lacks offsets. Whether they were cleaned or lost does not show in a dump that does not \
                 say how many records a batch holds: dump with a release since 2.0, and up to 2.1 without \
                 --deep-iteration."
            ),
        );
    }
    if log.excused > 0 {
        say(
            None,
            format!(
                "{name}: {} of sequences counted as no finding, for as many offsets are missing before.",
                counted(log.excused, "gap")
            ),
        );
    }
    if let Some((place, bytes)) = log.torn {
        say(Some(place), torn(place, bytes));
    }
    let compared = log.compared;
    if compared.absent > 0 {
        say(
            None,
            format!(
                "{name}: {} of the log not in a snapshot: their ids expired, or the snapshot lost them.",
                counted(compared.absent, "producer")
            ),
        );
    }
    for offset in &log.unreached {
        say(
            None,
            format!(
                "The snapshot at offset {offset} of {name} was not compared: the log that was given ends at {}.",
                log.end
            ),
        );
    }
    notes
}

/// A torn tail, with nothing behind it.
pub(super) fn torn(place: Place, bytes: u64) -> String {
    let more = match place.position {
        Position::Line(_) => {
            " A dump looks the same if the middle of a segment is damaged: give the segment itself to \
             tell them apart."
        }
        Position::Byte(_) => "",
    };
    format!(
        "The segment ends in {bytes} bytes that are no whole batch: what a broker leaves that stops in \
         the middle of a write, and cuts off when it starts.{more}"
    )
}

/// A count with its noun.
pub(super) fn counted(count: u64, noun: &str) -> String {
    let plural = if count == 1 { "" } else { "s" };
    format!("{count} {noun}{plural}")
}
