//! Why a value changed, in a sentence. What is said follows from what can be seen before and
//! after the step; where that does not tell, the story of the step does.

use crate::evidence::sequence::tracking::beyond;
use crate::evidence::view::{Batch, Memory, Producer, View};

use super::Quantity;

/// One step.
pub struct Change<'a> {
    pub before: &'a View,
    pub after: &'a View,
    /// The kind of its action.
    pub kind: &'static str,
    /// Its story.
    pub told: &'a str,
}

impl Change<'_> {
    /// Why this value of this producer, log or memory changed.
    pub fn why(&self, quantity: Quantity, of: usize) -> String {
        let why = match quantity {
            Quantity::Epoch
            | Quantity::NextSequence
            | Quantity::LastAcknowledged
            | Quantity::Undecided
            | Quantity::Intent => self.of_producer(quantity, of),
            Quantity::Requests | Quantity::Answers | Quantity::LeftOver => {
                self.on_its_way(quantity)
            }
            Quantity::Log => self.of_log(of),
            Quantity::KnownEpoch | Quantity::LastSequence | Quantity::Window | Quantity::Kept => {
                self.of_memory(quantity, of)
            }
        };
        why.unwrap_or_else(|| self.told.to_owned())
    }

    fn of_producer(&self, quantity: Quantity, of: usize) -> Option<String> {
        let (before, after) = (
            self.before.producers.get(of)?,
            self.after.producers.get(of)?,
        );
        let raised = before.epoch != after.epoch;
        let fresh = after.undecided.iter().find(|batch| {
            let known = before.undecided.iter();
            !known
                .map(|other| &other.record)
                .any(|record| *record == batch.record)
        });
        match (quantity, self.kind) {
            (Quantity::Epoch, _) => Some(format!(
                "An answer made it ask for a new epoch; now the client's loop begins anew: {} + 1 = {}.",
                before.epoch?, after.epoch?
            )),
            (Quantity::NextSequence, "send") => fresh.and_then(|batch| takes(before, after, batch)),
            (Quantity::NextSequence | Quantity::Undecided, _) if raised => Some(renumbered(after)),
            (Quantity::LastAcknowledged, _) if raised => {
                Some("In the new epoch nothing is acknowledged yet.".to_owned())
            }
            (Quantity::Intent, _) if raised => Some("It has raised its epoch.".to_owned()),
            (Quantity::Intent, kind) if kind.starts_with("read") => Some(
                match after.stopped {
                    true => "After this answer its client gives up.",
                    false => "After this answer its client wants an epoch of which nothing is known.",
                }
                .to_owned(),
            ),
            (Quantity::LastAcknowledged | Quantity::Undecided, kind) if kind.starts_with("read") => {
                self.read().map(|answer| format!("It read the answer to {answer}"))
            }
            (Quantity::Undecided, "send") => {
                fresh.map(|batch| format!("{} is sent, and its answer awaited.", batch.record))
            }
            (Quantity::Undecided, "retry") => {
                Some("It sends the batch again, as it was: it cannot know whether it is written.".to_owned())
            }
            (Quantity::Undecided, "disconnect" | "restart") => Some(
                "No answer can come any more, so it does not know what is written and must send again."
                    .to_owned(),
            ),
            _ => None,
        }
    }

    /// The answer that a producer read, as "r0: ok, offset 0".
    fn read(&self) -> Option<String> {
        let answers = |view: &View| view.on_its_way.answers.clone();
        let read = beyond(&answers(self.before), &answers(self.after));
        read.into_iter().next()
    }

    /// The request that a broker took, as "r0 seq 0 epoch 0".
    fn taken(&self) -> Option<String> {
        let requests = |view: &View| {
            let way = &view.on_its_way;
            [way.requests.as_slice(), way.left_over.as_slice()].concat()
        };
        let taken = beyond(&requests(self.before), &requests(self.after));
        // Where it goes to, the group says.
        let taken = taken.into_iter().next()?;
        Some(taken.split(" to b").next().unwrap_or(&taken).to_owned())
    }

    fn on_its_way(&self, quantity: Quantity) -> Option<String> {
        let why = match (quantity, self.kind) {
            (Quantity::Requests, "send" | "retry") => "It is on its way to the broker.",
            (Quantity::Answers, kind) if kind.starts_with("read") => "The producer has read it.",
            (Quantity::Answers, "disconnect" | "restart") => {
                "The connection is gone, and what was on its way back with it."
            }
            (Quantity::Requests, "disconnect") => {
                match self.after.on_its_way.left_over == self.before.on_its_way.left_over {
                    true => "The connection is gone, and what was on it with it.",
                    false => "The connection is gone; what was sent may reach the broker all the same.",
                }
            }
            (Quantity::LeftOver, "disconnect") => {
                "It was sent before the connection broke, so it may still arrive. Nobody awaits the answer."
            }
            (Quantity::LeftOver, "lose") => "It never arrives.",
            (Quantity::Requests | Quantity::LeftOver, "restart") => {
                "The broker is gone for a moment, and with it what was on its connections."
            }
            (Quantity::Requests | Quantity::LeftOver, _) => "The broker has taken it.",
            (Quantity::Answers, _) => "The broker answers.",
            _ => return None,
        };
        Some(why.to_owned())
    }

    fn of_log(&self, of: usize) -> Option<String> {
        let (before, after) = (self.before.logs.get(of)?, self.after.logs.get(of)?);
        let (old, new) = (before.entries.len(), after.entries.len());
        let added: Vec<&str> = after
            .entries
            .iter()
            .skip(old)
            .map(|entry| entry.record.as_str())
            .collect();
        if new <= old {
            return Some("It is cut back to what the leader has too.".to_owned());
        }
        let again = after.entries.last().is_some_and(|entry| entry.again);
        Some(format!(
            "{} {} at the end, which was offset {old}{}.",
            added.join(", "),
            match self.kind {
                "fetch" => "is copied from the leader and stands",
                _ => "is appended",
            },
            if again {
                ", though it stands in the log already"
            } else {
                ""
            }
        ))
    }

    fn of_memory(&self, quantity: Quantity, of: usize) -> Option<String> {
        let (before, after) = (self.before.memories.get(of)?, self.after.memories.get(of)?);
        if !(self.kind.starts_with("deliver") || self.kind.contains("append")) {
            return None;
        }
        let taken = self.taken()?;
        let anew = before.epoch != after.epoch;
        match quantity {
            Quantity::KnownEpoch => Some(format!("{taken} carries it, and is appended.")),
            Quantity::LastSequence => Some(match (before.epoch, before.last_sequence) {
                (None, _) => format!("{taken} is the first that it sees of the producer."),
                _ if anew => format!("{taken} begins the epoch: any epoch begins with sequence 0."),
                (_, Some(last)) => format!("{taken} follows on {last}, so it is appended."),
                (_, None) => format!("{taken} is the first of its epoch."),
            }),
            Quantity::Window => Some(slides(before, after, &taken)),
            _ => None,
        }
    }
}

/// A fresh batch takes the next sequence.
fn takes(before: &Producer, after: &Producer, batch: &Batch) -> Option<String> {
    let (own, next) = (batch.sequence?, after.next_sequence?);
    let anew = match before.epoch != after.epoch {
        true => renumbered(after) + " ",
        false => String::new(),
    };
    Some(format!(
        "{anew}{} takes sequence {own}, so the next one is {next}.",
        batch.record
    ))
}

/// What a new epoch does to sequences.
fn renumbered(after: &Producer) -> String {
    let batches: Vec<String> = after
        .undecided
        .iter()
        .filter_map(|batch| Some(format!("{} → {}", batch.record, batch.sequence?)))
        .collect();
    match batches.is_empty() {
        true => "A new epoch counts from 0.".to_owned(),
        false => format!("A new epoch counts from 0: {}.", batches.join(", ")),
    }
}

fn slides(before: &Memory, after: &Memory, taken: &str) -> String {
    let gone: Vec<String> = before
        .window
        .iter()
        .filter(|old| !after.window.contains(old))
        .map(|old| old.first.to_string())
        .collect();
    let rest = match (before.epoch == after.epoch, gone.is_empty()) {
        (_, true) => String::new(),
        (true, false) => format!(
            "; sequence {} falls out, for there is room for {}",
            gone.join(", "),
            after.window.len()
        ),
        (false, false) => "; the window of the epoch before is dropped".to_owned(),
    };
    format!("It remembers {taken}{rest}.")
}
