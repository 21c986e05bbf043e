//! A state as text, as a person would draw it.

use retryproof_models::checking::Run;
use retryproof_models::conditions::{Budget, Conditions, Fault, FaultsLeft};
use retryproof_models::world::Properties;
use retryproof_properties::PropertyId;

use crate::evidence::view::{Entry, Log, Memory, Producer, View};

use super::connections::{at_start, Connection};

/// Columns of the word at the head of a line.
const HEAD: usize = 12;
/// Columns of a line.
const WIDTH: usize = 100;

/// The state at the start of a run without steps. `now` are the properties that the step
/// into it violated, `before` those that earlier steps did.
pub fn text(run: &Run, now: Properties, before: Properties) -> String {
    let view = View::after(run, 0);
    let mut lines = Vec::new();
    if run.conditions().any_length() {
        lines.push("Numbers are relative: this world is one of any length.".to_owned());
    }
    lines.extend(view.logs.iter().flat_map(log));
    lines.extend(view.memories.iter().map(memory));
    lines.extend(view.producers.iter().flat_map(producer));
    lines.extend(at_start(run).iter().flat_map(connection));
    lines.extend(faults(run));
    lines.push(String::new());
    lines.extend(properties(&view, now, before));
    lines.join("\n")
}

fn line(head: &str, rest: &str) -> String {
    format!("{head:<HEAD$} {rest}").trim_end().to_owned()
}

/// Parts with bars between them, in as many lines as it takes.
fn lines(head: &str, lead: &str, parts: &[String]) -> Vec<String> {
    let columns = |text: &str| text.chars().count();
    let indent = HEAD + 1 + columns(lead);
    let mut lines = Vec::new();
    let mut line = format!("{head:<HEAD$} {lead}");
    for (index, part) in parts.iter().enumerate() {
        if index > 0 && columns(&line) + columns(" | ") + columns(part) > WIDTH {
            lines.push(std::mem::replace(&mut line, format!("{:indent$}| ", "")));
        } else if index > 0 {
            line += " | ";
        }
        line += part;
    }
    lines.push(line);
    lines
}

fn log(log: &Log) -> Vec<String> {
    let entry = |entry: &Entry| {
        let numbers = match (entry.epoch, entry.sequence) {
            (Some(epoch), Some(sequence)) => format!(" seq {sequence} epoch {epoch}"),
            _ => String::new(),
        };
        let again = if entry.again { " (again)" } else { "" };
        format!("{}: {}{numbers}{again}", entry.offset, entry.record)
    };
    let entries: Vec<String> = log.entries.iter().map(entry).collect();
    let role = if log.leads { "" } else { "  (does not lead)" };
    match entries.is_empty() {
        true => vec![line(&log.name, &format!("empty{role}"))],
        false => {
            let mut lines = lines(&log.name, "", &entries);
            if let Some(last) = lines.last_mut() {
                last.push_str(role);
            }
            lines
        }
    }
}

fn memory(memory: &Memory) -> String {
    let Some(epoch) = memory.epoch else {
        return line(&memory.name, "producer unknown") + &kept(memory);
    };
    let last = memory.last_sequence;
    let last = last.map_or(String::new(), |last| format!(", last seq {last}"));
    let window: Vec<String> = memory
        .window
        .iter()
        .map(|known| match known.first == known.last {
            true => format!("{} at {}", known.first, known.offset),
            false => format!("{}..{} at {}", known.first, known.last, known.offset),
        })
        .collect();
    let window = match window.is_empty() {
        true => "empty".to_owned(),
        false => window.join(" | "),
    };
    let rest = format!("epoch {epoch}{last}, window {window}");
    line(&memory.name, &rest) + &kept(memory)
}

fn kept(memory: &Memory) -> String {
    match memory.kept.is_empty() {
        true => String::new(),
        false => format!(", kept for later: {}", memory.kept.join(", ")),
    }
}

fn producer(producer: &Producer) -> Vec<String> {
    let mut numbers = Vec::new();
    if producer.epoch.is_none() {
        numbers.push("no producer id".to_owned());
    }
    if let (Some(epoch), Some(next)) = (producer.epoch, producer.next_sequence) {
        numbers.push(format!("epoch {epoch}, next seq {next}"));
        let last = producer.last_acknowledged;
        numbers.push(match last {
            Some(last) => format!("last acknowledged {last}"),
            None => "nothing acknowledged".to_owned(),
        });
    }
    if producer.wants_epoch {
        numbers.push("wants a new epoch".to_owned());
    }
    if producer.stopped {
        numbers.push("stopped".to_owned());
    }
    let undecided: Vec<String> = producer
        .undecided
        .iter()
        .map(|batch| match batch.sequence {
            Some(sequence) => format!("{} seq {sequence} ({})", batch.record, batch.status),
            None => format!("{} ({})", batch.record, batch.status),
        })
        .collect();
    let undecided = match undecided.is_empty() {
        true => vec!["nothing".to_owned()],
        false => undecided,
    };
    let mut text = vec![line(&producer.name, &numbers.join(", "))];
    text.extend(lines("", "undecided: ", &undecided));
    text
}

fn connection(connection: &Connection) -> Vec<String> {
    let words = |messages: &[String]| match messages.is_empty() {
        true => "nothing".to_owned(),
        false => messages.join(" | "),
    };
    let (producer, broker) = (&connection.producer, &connection.broker);
    let requests = format!("{producer} → {broker}: {}", words(&connection.requests));
    if !connection.alive {
        return vec![line("left over", &requests)];
    }
    let answers = format!("{broker} → {producer}: {}", words(&connection.answers));
    vec![line("connection", &requests), line("", &answers)]
}

/// How many of each fault are left.
fn faults(run: &Run) -> Option<String> {
    let conditions = run.conditions();
    let left = match run {
        Run::OneBroker(trace) => trace.start.left,
        Run::Cluster(trace) => trace.start.left,
    };
    let left: Vec<String> = Fault::ALL
        .iter()
        .filter(|fault| conditions.has(**fault))
        .map(|fault| {
            format!(
                "{} {}",
                fault.flag(),
                number_left(conditions, &left, *fault)
            )
        })
        .collect();
    (!left.is_empty()).then(|| line("faults left", &left.join(", ")))
}

fn number_left(conditions: &Conditions, left: &FaultsLeft, fault: Fault) -> String {
    match conditions.budget(fault) {
        Budget::Any => "any".to_owned(),
        Budget::AtMost(_) => left.bytes()[fault as usize].to_string(),
    }
}

/// Each property, and what can be said of it here: of the path to the state, for a state
/// alone violates nothing.
fn properties(view: &View, now: Properties, before: Properties) -> Vec<String> {
    let name = |property: PropertyId| format!("{:<26}", property.id());
    let of = |property: PropertyId| match (now.contains(property), before.contains(property)) {
        (true, _) => format!("✗ {}violated by this step", name(property)),
        (false, true) => format!("✗ {}violated before", name(property)),
        (false, false) if property == PropertyId::EveryBatchDecided => {
            format!(
                "{}{}",
                undecided_symbol(view, &name(property)),
                undecided(view)
            )
        }
        (false, false) => format!("✓ {}not violated so far", name(property)),
    };
    PropertyId::ALL.iter().copied().map(of).collect()
}

fn undecided_symbol(view: &View, name: &str) -> String {
    let symbol = if open(view).is_empty() { "✓" } else { "…" };
    format!("{symbol} {name}")
}

fn undecided(view: &View) -> String {
    let open = open(view);
    match open.is_empty() {
        true => "every batch sent so far is decided".to_owned(),
        false => format!("not decided yet: {}", open.join(", ")),
    }
}

fn open(view: &View) -> Vec<&str> {
    let producers = view.producers.iter();
    let undecided = producers.flat_map(|producer| &producer.undecided);
    undecided.map(|batch| batch.record.as_str()).collect()
}
