//! A run as a sequence chart: lifelines, and step by step what goes from one to another,
//! what is lost on its way, and what is decided. Drawn as SVG or written as Mermaid.

mod cluster;
pub(crate) mod label;
pub mod mermaid;
mod one_broker;
pub mod svg;
pub(super) mod tracking;

use retryproof_models::actors::Role;
use retryproof_models::checking::Run;
use retryproof_properties::PropertyId;

use super::story::Story;

/// A run as a chart.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chart {
    /// The lifelines, left to right: producers, the network, brokers.
    pub lifelines: Vec<Lifeline>,
    /// The records in the log at the start, by offset; none where the start is told elsewhere.
    pub log_at_start: Vec<String>,
    /// One row for each step.
    pub rows: Vec<Row>,
}

/// Somebody in a chart.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lifeline {
    /// What they are.
    pub role: Role,
    /// Their name, as "broker 1".
    pub name: String,
}

/// One step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// Its number.
    pub step: usize,
    /// What happens, in sentences.
    pub text: String,
    /// What is drawn of it, from top to bottom.
    pub items: Vec<Item>,
    /// The properties that the step violates, each with what is wrong.
    pub violates: Vec<(PropertyId, String)>,
}

/// Something in a row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Item {
    /// A message on its way.
    Arrow(Arrow),
    /// Something that happens at one place, or to all.
    Note(Note),
}

/// A message on its way from one lifeline to another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Arrow {
    /// The lifeline it leaves, by position.
    pub from: usize,
    /// The lifeline it goes to, by position.
    pub to: usize,
    /// What it is.
    pub kind: Kind,
    /// What it says, as "r2 seq 2 epoch 0".
    pub label: String,
    /// Epoch of the producer in a request that carries one.
    pub epoch: Option<u8>,
    /// Number of the step in which it is lost at the end of this way, if it is.
    pub lost_in: Option<usize>,
}

/// What a message is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A batch sent for the first time.
    Fresh,
    /// A copy: a batch that was sent before.
    Retry,
    /// A request of which nobody awaits the answer any more.
    Late,
    /// The answer that a batch is written.
    Success,
    /// The answer that a batch is in the log already.
    Duplicate,
    /// The answer that a batch is refused, or an error.
    Rejection,
    /// A batch that a follower copies.
    Replication,
}

impl Kind {
    /// All kinds, as a legend has them.
    pub const ALL: &'static [Kind] = &[
        Kind::Fresh,
        Kind::Retry,
        Kind::Late,
        Kind::Success,
        Kind::Duplicate,
        Kind::Rejection,
        Kind::Replication,
    ];

    /// What it is, in a few words, with its symbol.
    pub fn words(self) -> &'static str {
        match self {
            Kind::Fresh => "first copy of a batch",
            Kind::Retry => "↻ retry: a further copy",
            Kind::Late => "late: nobody awaits the answer",
            Kind::Success => "✓ answer: written",
            Kind::Duplicate => "= answer: in the log already",
            Kind::Rejection => "✗ answer: refused, or an error",
            Kind::Replication => "copy: a follower follows",
        }
    }

    /// A symbol that stands before what it says, so that nobody needs line or colour.
    pub fn symbol(self) -> &'static str {
        match self {
            Kind::Fresh => "",
            Kind::Retry => "↻ ",
            Kind::Late => "late ",
            Kind::Success => "✓ ",
            Kind::Duplicate => "= ",
            Kind::Rejection => "✗ ",
            Kind::Replication => "copy of ",
        }
    }
}

impl Arrow {
    /// What it says, with the symbol of what it is and whether it is lost.
    pub fn words(&self) -> String {
        let lost = match self.lost_in {
            Some(step) => format!(" (lost in step {step})"),
            None => String::new(),
        };
        format!("{}{}{lost}", self.kind.symbol(), self.label)
    }
}

/// Something that happens without a message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    /// The lifeline it happens at, by position; `None`: it concerns all of them.
    pub at: Option<usize>,
    /// How it is meant.
    pub mark: Mark,
    /// What happens, in a few words.
    pub text: String,
}

/// How a note is meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mark {
    /// Something is written.
    Append,
    /// Something is recognised and not written again.
    Duplicate,
    /// Something is refused.
    Rejection,
    /// Something goes wrong.
    Fault,
    /// Something changes.
    News,
}

impl Mark {
    /// A symbol that says the same as the colour.
    pub fn symbol(self) -> &'static str {
        match self {
            Mark::Append => "✓",
            Mark::Duplicate => "=",
            Mark::Rejection => "✗",
            Mark::Fault => "!",
            Mark::News => "•",
        }
    }
}

impl Note {
    /// Its text behind its symbol.
    pub fn words(&self) -> String {
        format!("{} {}", self.mark.symbol(), self.text)
    }
}

impl Chart {
    /// The chart of a run.
    pub fn of(run: &Run) -> Chart {
        let story = Story::of(run);
        let (lifelines, items) = match run {
            Run::OneBroker(trace) => one_broker::draw(trace),
            Run::Cluster(trace) => cluster::draw(trace),
        };
        let rows = story.steps.into_iter().zip(items).zip(1..);
        Chart {
            lifelines,
            log_at_start: story.log_at_start.records,
            rows: rows
                .map(|((step, items), number)| Row {
                    step: number,
                    text: step.text,
                    items,
                    violates: step.violates,
                })
                .collect(),
        }
    }

    /// The chart without its first rows, which were told elsewhere; the others are numbered
    /// from `number` on.
    pub fn behind(mut self, rows: usize, number: usize) -> Chart {
        if rows > 0 {
            self.log_at_start.clear();
        }
        self.rows.drain(..rows.min(self.rows.len()));
        let renumbered = |step: usize| (step + number).saturating_sub(rows + 1);
        for row in &mut self.rows {
            row.step = renumbered(row.step);
            for item in &mut row.items {
                if let Item::Arrow(arrow) = item {
                    arrow.lost_in = arrow.lost_in.map(renumbered);
                }
            }
        }
        self
    }

    /// The lifeline of the network, by position.
    pub fn network(&self) -> usize {
        let network = |lifeline: &Lifeline| lifeline.role == Role::Network;
        self.lifelines.iter().position(network).unwrap_or_default()
    }

    /// The arrows of all rows, in order.
    pub fn arrows(&self) -> impl Iterator<Item = &Arrow> {
        let items = self.rows.iter().flat_map(|row| &row.items);
        items.filter_map(|item| match item {
            Item::Arrow(arrow) => Some(arrow),
            Item::Note(_) => None,
        })
    }
}

#[cfg(test)]
mod tests;
