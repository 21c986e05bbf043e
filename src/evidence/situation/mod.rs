//! Where everybody stands after each step of a run: the producers' numbers, what is on its
//! way, the brokers' producer state and the log, and why each value changed that did.

mod broker;
mod cause;
mod cluster;
mod one_broker;
mod producer;

use retryproof_models::actors::Role;
use retryproof_models::checking::Run;

use super::story::Story;

/// Where everybody stands after a step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Situation {
    /// One for each producer, for the network, and for each broker.
    pub groups: Vec<Group>,
}

/// The values of one of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Group {
    /// What it is.
    pub role: Role,
    /// Its name, as "broker 1".
    pub name: String,
    /// Its values.
    pub values: Vec<Value>,
}

/// A value with a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Value {
    /// What it is.
    pub quantity: Quantity,
    /// The value: what it consists of, if it is a list.
    pub pieces: Vec<Piece>,
    /// Why the step changed it; `None` if it did not.
    pub why: Option<String>,
}

/// A part of a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Piece {
    /// What stands there.
    pub text: String,
    /// Whether it came with the step.
    pub is_new: bool,
    /// Whether the same record stands in this log before it.
    pub is_again: bool,
}

/// What a value is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quantity {
    /// The producer's epoch.
    Epoch,
    /// Sequence of the next fresh batch.
    NextSequence,
    /// Highest acknowledged sequence of the epoch.
    LastAcknowledged,
    /// Requests whose answers are awaited, and how many may be.
    InFlight,
    /// Batches of which the application knows nothing yet.
    Undecided,
    /// What the producer is about to do, or does no more.
    Intent,
    /// Requests whose answers are awaited.
    Requests,
    /// Answers.
    Answers,
    /// Requests of dead connections.
    LeftOver,
    /// Who a broker believes leads, and how.
    Leads,
    /// Epoch in the broker's producer state.
    KnownEpoch,
    /// Last sequence in the broker's producer state.
    LastSequence,
    /// Batches that the broker's producer state remembers.
    Window,
    /// Requests that the broker keeps for later.
    Kept,
    /// The records in the log, by offset.
    Log,
}

impl Quantity {
    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Quantity::Epoch => "epoch",
            Quantity::NextSequence => "next sequence",
            Quantity::LastAcknowledged => "last acknowledged",
            Quantity::InFlight => "in flight",
            Quantity::Undecided => "undecided",
            Quantity::Intent => "intends",
            Quantity::Requests => "requests",
            Quantity::Answers => "answers",
            Quantity::LeftOver => "left over",
            Quantity::Leads => "role",
            Quantity::KnownEpoch => "knows epoch",
            Quantity::LastSequence => "last sequence",
            Quantity::Window => "window",
            Quantity::Kept => "kept for later",
            Quantity::Log => "log",
        }
    }
}

impl Value {
    fn of(quantity: Quantity, pieces: impl IntoIterator<Item = String>) -> Self {
        let pieces = pieces.into_iter().map(|text| Piece {
            text,
            is_new: false,
            is_again: false,
        });
        Value {
            quantity,
            pieces: pieces.collect(),
            why: None,
        }
    }

    fn text(quantity: Quantity, text: impl ToString) -> Self {
        Value::of(quantity, [text.to_string()])
    }

    /// The records of a log, those that stand in it before marked.
    fn log(records: Vec<String>) -> Self {
        let again: Vec<bool> = (0..records.len())
            .map(|offset| records[..offset].contains(&records[offset]))
            .collect();
        let mut log = Value::of(Quantity::Log, records);
        for (piece, is_again) in log.pieces.iter_mut().zip(again) {
            piece.is_again = is_again;
        }
        log
    }

    fn texts(&self) -> impl Iterator<Item = &str> {
        self.pieces.iter().map(|piece| piece.text.as_str())
    }

    /// Marks what differs from the value before the step.
    fn compare(&mut self, before: &Value, why: impl FnOnce() -> String) {
        if self.texts().eq(before.texts()) {
            return;
        }
        self.why = Some(why());
        let is_log = self.quantity == Quantity::Log;
        for (index, piece) in self.pieces.iter_mut().enumerate() {
            let before = &before.pieces;
            piece.is_new = match is_log {
                true => before.get(index).map(|other| &other.text) != Some(&piece.text),
                false => !before.iter().any(|other| other.text == piece.text),
            };
        }
    }
}

impl Situation {
    /// Where everybody stands at the start of a run and after each of its steps.
    pub fn of(run: &Run) -> Vec<Situation> {
        let story = Story::of(run);
        let told = |index: usize| story.steps.get(index).map_or("", |step| &step.text);
        match run {
            Run::OneBroker(trace) => one_broker::situations(trace, told),
            Run::Cluster(trace) => cluster::situations(trace, told),
        }
    }

    /// Marks what differs from the situation before the step; `why` is asked for the reason.
    fn compare(&mut self, before: &Situation, why: impl Fn(usize, Quantity) -> String) {
        for (index, group) in self.groups.iter_mut().enumerate() {
            for value in &mut group.values {
                let others = before.groups.get(index).map(|group| &group.values);
                let quantity = value.quantity;
                let mut others = others.into_iter().flatten();
                if let Some(before) = others.find(|other| other.quantity == quantity) {
                    value.compare(before, || why(index, quantity));
                }
            }
        }
    }
}

#[cfg(test)]
mod tests;
