//! Why each number changed in a step, or why none did: sequences, epochs, offsets, windows.
//!
//! What is said follows from the numbers before and after the step and from what the broker
//! answered, so it is true of every rule and client.

mod decided;

use retryproof_models::checking::Run;

use super::{Log, Memory, Producer, View};

/// The reasons in one step of a run, each a short line; none if no number is concerned.
pub fn of_step(run: &Run, index: usize) -> Vec<String> {
    let (before, after) = (View::after(run, index), View::after(run, index + 1));
    let mut reasons = Vec::new();
    for (before, after) in before.producers.iter().zip(&after.producers) {
        reasons.extend(of_producer(before, after));
    }
    if let Some(decided) = decided::in_step(run, index) {
        reasons.push(decided);
        return reasons;
    }
    for (before, after) in before.logs.iter().zip(&after.logs) {
        reasons.extend(of_log(before, after));
    }
    for (before, after) in before.memories.iter().zip(&after.memories) {
        reasons.extend(of_memory(before, after));
    }
    reasons
}

/// "3 → 4"; "4" if there was none before.
fn change(before: Option<i8>, after: Option<i8>) -> Option<String> {
    let words = match (before, after) {
        (None, Some(after)) => after.to_string(),
        (Some(before), Some(after)) => format!("{before} → {after}"),
        (_, None) => "none".to_owned(),
    };
    (before != after).then_some(words)
}

fn of_producer(before: &Producer, after: &Producer) -> Option<String> {
    let mut said = Vec::new();
    let epoch = change(before.epoch, after.epoch);
    if let Some(epoch) = &epoch {
        said.push(format!("epoch {epoch}, sequences start at 0 again"));
        said.extend(renumbered(before, after));
    }
    let fresh = after
        .undecided
        .iter()
        .find(|batch| !before.undecided.iter().any(|b| b.record == batch.record));
    match (fresh, change(before.next_sequence, after.next_sequence)) {
        (Some(fresh), Some(next)) if epoch.is_none() => {
            let own = fresh.sequence.map_or(String::new(), |own| {
                format!("{} gets seq {own}, the next; ", fresh.record)
            });
            said.push(format!("{own}next seq {next}"));
        }
        (_, Some(next)) => said.push(format!("next seq {next}")),
        _ => {}
    }
    if let (None, Some(last)) = (
        &epoch,
        change(before.last_acknowledged, after.last_acknowledged),
    ) {
        said.push(format!("last acknowledged seq {last}"));
    }
    if after.wants_epoch && !before.wants_epoch {
        let next = after.epoch.map_or(0, |epoch| epoch.saturating_add(1));
        said.push(format!("wants epoch {next}"));
    }
    if after.stopped && !before.stopped {
        said.push("stopped: nothing more is sent".to_owned());
    }
    (!said.is_empty()).then(|| format!("{}: {}", after.name, said.join("; ")))
}

/// Undecided batches that have another sequence now.
fn renumbered(before: &Producer, after: &Producer) -> Vec<String> {
    let batches = after.undecided.iter();
    batches
        .filter_map(|batch| {
            let known = before.undecided.iter().find(|b| b.record == batch.record)?;
            let change = change(known.sequence, batch.sequence)?;
            Some(format!("{} seq {change}", batch.record))
        })
        .collect()
}

fn of_log(before: &Log, after: &Log) -> Option<String> {
    let (old, new) = (before.entries.len(), after.entries.len());
    let why = match new > old {
        true => "copied from the leader",
        false => "cut back to what the leader has too",
    };
    (old != new).then(|| format!("{}: end {old} → {new}, {why}", after.name))
}

fn of_memory(before: &Memory, after: &Memory) -> Option<String> {
    if before == after {
        return None;
    }
    let name = &after.name;
    if after.epoch.is_none() {
        return Some(format!("{name}: producer forgotten, with epoch and window"));
    }
    let changes = changes_of_memory(before, after);
    (!changes.is_empty()).then(|| format!("{name}: {changes}"))
}

fn change_of_window(before: &Memory, after: &Memory) -> String {
    let anew = before.epoch != after.epoch;
    match (before.window_in_words(), after.window_in_words()) {
        (_, None) => "window empty".to_owned(),
        (None, Some(after)) => format!("window {after}"),
        (Some(_), Some(after)) if anew => format!("window anew {after}"),
        (Some(before), Some(after)) => format!("window {before} → {after}"),
    }
}

/// "last seq 2 → 3, window 0–2 → 0–3"; empty if nothing changed.
fn changes_of_memory(before: &Memory, after: &Memory) -> String {
    let mut said = Vec::new();
    if let Some(epoch) = change(before.epoch, after.epoch) {
        said.push(format!("epoch {epoch}"));
    }
    if let Some(last) = change(before.last_sequence, after.last_sequence) {
        said.push(format!("last seq {last}"));
    }
    if before.window != after.window {
        said.push(change_of_window(before, after));
    }
    said.join(", ")
}
