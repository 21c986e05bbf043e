//! An audit told to a person.

use std::io::Write;

use crate::audit::finding::OfKind;
use crate::audit::kind::Kind;
use crate::audit::report::{Report, BEYOND_A_LOG};
use crate::audit::{Place, Summary};
use crate::cli::output::Output;
use crate::cli::Refused;
use crate::evidence::figures;
use crate::evidence::paint::Tone;
use crate::evidence::wrap;

/// Most logs that are named one by one.
const MOST_LOGS: usize = 20;
/// Most notes that are told.
const MOST_NOTES: usize = 20;

/// Tells what came of an audit.
pub(super) fn tell(report: &Report, output: &mut Output) -> Result<(), Refused> {
    let width = output.width();
    logs(report, output)?;
    for (kind, found) in report.findings.by_kind() {
        findings(report, kind, found, output)?;
    }
    if report.findings.count() == 0 && report.batches == 0 {
        let nothing = "no batch was judged";
        writeln!(output, "\n{}", Tone::Strong.paint(nothing))?;
    } else if report.findings.count() == 0 {
        let nothing = "✓ nothing found";
        writeln!(output, "\n{}", Tone::Good.paint(nothing))?;
    }
    if !report.notes.is_empty() {
        writeln!(output, "\n{}", Tone::Strong.paint("To know"))?;
        for note in report.notes.iter().take(MOST_NOTES) {
            let place = note.place.map(|place| shown(report, place) + ": ");
            let text = format!("{}{}", place.unwrap_or_default(), note.text);
            writeln!(output, "{}", wrap::hanging("  · ", &text, width))?;
        }
        more(
            report.notes.len() as u64,
            MOST_NOTES,
            "--json has them",
            output,
        )?;
    }
    writeln!(
        output,
        "\n{}",
        Tone::Strong.paint("What a log alone cannot show")
    )?;
    for text in BEYOND_A_LOG {
        let text = wrap::hanging("  · ", text, width);
        writeln!(output, "{}", Tone::Dim.paint(text))?;
    }
    Ok(())
}

/// What was read.
fn logs(report: &Report, output: &mut Output) -> Result<(), Refused> {
    for log in report.logs.iter().take(MOST_LOGS) {
        writeln!(output, "{}", wrap::hanging("", &about(log), output.width()))?;
    }
    more(
        report.logs.len() as u64,
        MOST_LOGS,
        "--json has them",
        output,
    )
}

fn about(log: &Summary) -> String {
    let name = Tone::Strong.paint(&log.name);
    let Some(start) = log.start else {
        return format!("{name}: no batches");
    };
    let mut text = format!(
        "{name}: {} at offsets {start} to {}, {}",
        batches(log.batches),
        log.end - 1,
        figures::counted(log.producers, "producer id")
    );
    if log.compared.snapshots > 0 {
        let snapshots = usize::try_from(log.compared.snapshots).unwrap_or(usize::MAX);
        text.push_str(&format!(
            ", {} compared",
            figures::counted(snapshots, "snapshot")
        ));
    }
    text
}

fn batches(count: u64) -> String {
    match count {
        1 => "1 batch".to_owned(),
        _ => format!("{} batches", counted(count)),
    }
}

fn counted(count: u64) -> String {
    figures::count(usize::try_from(count).unwrap_or(usize::MAX))
}

/// The findings of one kind.
fn findings(
    report: &Report,
    kind: Kind,
    found: &OfKind,
    output: &mut Output,
) -> Result<(), Refused> {
    let width = output.width();
    let title = format!("✗ {}: {}", kind.about().id(), kind.title());
    let count = format!("{} times", counted(found.count));
    let count = if found.count == 1 { "once" } else { &count };
    writeln!(
        output,
        "\n{} {}",
        Tone::Bad.paint(title),
        Tone::Dim.paint(format!("· {count}"))
    )?;
    writeln!(output, "{}", wrap::hanging("  ", kind.means(), width))?;
    let many_logs = report.logs.len() > 1;
    for finding in &found.kept {
        let place = Tone::Strong.paint(shown(report, finding.place));
        writeln!(output, "  {place}")?;
        let log = if many_logs {
            format!("{}, ", finding.log)
        } else {
            String::new()
        };
        let also = match finding.also.as_slice() {
            [] => String::new(),
            also => format!(" (also {})", also.join(", ")),
        };
        let text = format!("{log}{}{also}", finding.text);
        writeln!(output, "{}", wrap::hanging("    ", &text, width))?;
    }
    more(found.count, found.kept.len(), "--all shows them", output)?;
    let check = format!("Next: {}", kind.check());
    writeln!(output, "{}", wrap::hanging("  ", &check, width))?;
    Ok(())
}

/// Says how many are not shown.
fn more(count: u64, shown: usize, how: &str, output: &mut Output) -> Result<(), Refused> {
    let rest = count.saturating_sub(shown as u64);
    if rest > 0 {
        let text = format!("  and {} more ({how})", counted(rest));
        writeln!(output, "{}", Tone::Dim.paint(text))?;
    }
    Ok(())
}

/// A place, as editors write one.
fn shown(report: &Report, place: Place) -> String {
    format!("{}, {}", report.file(place), place.position)
}
