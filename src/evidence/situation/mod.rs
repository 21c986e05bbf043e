//! Where everybody stands after each step of a run: the producers' numbers, what is on its
//! way, the logs and the brokers' producer state, each value with the reason why it changed
//! if it did.

mod values;
mod why;

use retryproof_models::actors::Role;
use retryproof_models::checking::Run;

use super::story::Story;
use super::view::View;

/// Where everybody stands after a step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Situation {
    /// One for each producer, for the network, and for each log and producer state.
    pub groups: Vec<Group>,
}

/// The values of one of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Group {
    /// What it is.
    pub role: Role,
    /// Its name, as "producer", "log of b1".
    pub name: String,
    /// Its values.
    pub values: Vec<Value>,
}

/// A value with a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Value {
    /// What it is.
    pub quantity: Quantity,
    /// Whose it is: position among the producers, logs or memories of a view.
    of: usize,
    /// What it consists of: one piece, or any number if it is a list.
    pub pieces: Vec<Piece>,
    /// The value before, if the step changed it and it is no list.
    pub was: Option<String>,
    /// Why the step changed it; `None` if it did not.
    pub why: Option<String>,
}

/// A part of a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Piece {
    /// What stands there.
    pub text: String,
    /// What is said beside; may be empty.
    pub beside: String,
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
    /// The records in the log, by offset.
    Log,
    /// Epoch in the broker's producer state.
    KnownEpoch,
    /// Last sequence in the broker's producer state.
    LastSequence,
    /// Batches that the broker would recognise.
    Window,
    /// Requests that the broker keeps for later.
    Kept,
}

impl Quantity {
    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Quantity::Epoch => "epoch",
            Quantity::NextSequence => "next sequence",
            Quantity::LastAcknowledged => "acknowledged",
            Quantity::Undecided => "undecided",
            Quantity::Intent => "intends",
            Quantity::Requests => "requests",
            Quantity::Answers => "answers",
            Quantity::LeftOver => "left over",
            Quantity::Log => "log",
            Quantity::KnownEpoch => "known epoch",
            Quantity::LastSequence => "last sequence",
            Quantity::Window => "window",
            Quantity::Kept => "kept for later",
        }
    }

    /// Whether it is a list, which can be empty.
    fn is_list(self) -> bool {
        match self {
            Quantity::Epoch
            | Quantity::NextSequence
            | Quantity::LastAcknowledged
            | Quantity::KnownEpoch
            | Quantity::LastSequence => false,
            Quantity::Undecided
            | Quantity::Intent
            | Quantity::Requests
            | Quantity::Answers
            | Quantity::LeftOver
            | Quantity::Log
            | Quantity::Window
            | Quantity::Kept => true,
        }
    }
}

impl Situation {
    /// Where everybody stands after each step of a run.
    pub fn of(run: &Run) -> Vec<Situation> {
        let story = Story::of(run);
        let views: Vec<View> = (0..=run.len())
            .map(|steps| View::after(run, steps))
            .collect();
        let steps = views.windows(2).zip(run.kinds()).zip(&story.steps);
        steps
            .map(|((pair, kind), step)| {
                let (before, after) = (&pair[0], &pair[1]);
                let mut situation = Situation {
                    groups: values::groups(after),
                };
                let change = why::Change {
                    before,
                    after,
                    kind,
                    told: &step.text,
                };
                situation.compare(&values::groups(before), &change);
                situation
            })
            .collect()
    }

    /// Marks what differs from the values before the step.
    fn compare(&mut self, before: &[Group], change: &why::Change<'_>) {
        for (index, group) in self.groups.iter_mut().enumerate() {
            let others = before.get(index).map_or(&[][..], |group| &group.values);
            for value in &mut group.values {
                let quantity = value.quantity;
                match others.iter().find(|other| other.quantity == quantity) {
                    Some(other) if !value.is_same(other) => {
                        value.compare(other);
                        value.why = Some(change.why(quantity, value.of));
                    }
                    _ => {}
                }
            }
        }
    }
}

impl Value {
    fn texts(&self) -> impl Iterator<Item = &str> {
        self.pieces.iter().map(|piece| piece.text.as_str())
    }

    fn is_same(&self, other: &Value) -> bool {
        self.texts().eq(other.texts())
    }

    /// Marks the pieces that are new: in a log those at the end, in other lists those that
    /// were not there.
    fn compare(&mut self, before: &Value) {
        let is_log = self.quantity == Quantity::Log;
        for (index, piece) in self.pieces.iter_mut().enumerate() {
            let before = &before.pieces;
            piece.is_new = match is_log {
                true => before.get(index).map(|other| &other.text) != Some(&piece.text),
                false => !before.iter().any(|other| other.text == piece.text),
            };
        }
        if !self.quantity.is_list() {
            self.was = before.texts().next().map(str::to_owned);
        }
    }
}

#[cfg(test)]
mod tests;
