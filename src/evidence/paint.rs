//! Colours and symbols. A symbol always says the same as the colour, so that nobody needs
//! the colour.

use anstyle::{AnsiColor, Style};
use comfy_table::{Attribute, Cell, Color};
use retryproof_models::checking::Verdict;

/// How a thing is meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tone {
    /// As it should be.
    Good,
    /// Not as it should be.
    Bad,
    /// Not known.
    Open,
    /// Said beside.
    Dim,
    /// A heading.
    Strong,
    /// Neither good nor bad.
    Plain,
}

impl Tone {
    /// The tone of a property that was asked for.
    pub fn of(verdict: Verdict) -> Tone {
        match verdict {
            Verdict::Holds => Tone::Good,
            Verdict::Refuted => Tone::Bad,
            Verdict::Unknown => Tone::Open,
        }
    }

    /// The tone of a verdict beside the expected one.
    pub fn of_expected(verdict: Verdict, as_expected: bool) -> Tone {
        match (verdict, as_expected) {
            (_, true) => Tone::Good,
            (Verdict::Unknown, _) => Tone::Open,
            _ => Tone::Bad,
        }
    }

    /// The worse of two tones, of which *good* is best and *bad* is worst.
    pub fn worse(self, other: Tone) -> Tone {
        match (self, other) {
            (Tone::Bad, _) | (_, Tone::Bad) => Tone::Bad,
            (Tone::Open, _) | (_, Tone::Open) => Tone::Open,
            _ => self,
        }
    }

    /// Style of text written as it is.
    pub fn style(self) -> Style {
        match self {
            Tone::Good => AnsiColor::Green.on_default(),
            Tone::Bad => AnsiColor::Red.on_default().bold(),
            Tone::Open => AnsiColor::Yellow.on_default(),
            Tone::Dim => Style::new().dimmed(),
            Tone::Strong => Style::new().bold(),
            Tone::Plain => Style::new(),
        }
    }

    /// The text in this tone.
    pub fn paint(self, text: impl std::fmt::Display) -> String {
        let style = self.style();
        format!("{style}{text}{style:#}")
    }

    /// A cell of a table.
    pub fn cell(self, text: impl ToString) -> Cell {
        let cell = Cell::new(text);
        match self {
            Tone::Good => cell.fg(Color::Green),
            Tone::Bad => cell.fg(Color::Red).add_attribute(Attribute::Bold),
            Tone::Open => cell.fg(Color::Yellow),
            Tone::Dim => cell.add_attribute(Attribute::Dim),
            Tone::Strong => cell.add_attribute(Attribute::Bold),
            Tone::Plain => cell,
        }
    }
}

/// The symbol of a verdict.
pub fn symbol(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Holds => "✓",
        Verdict::Refuted => "✗",
        Verdict::Unknown => "?",
    }
}
