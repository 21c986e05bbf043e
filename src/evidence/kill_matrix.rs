//! The kill matrix: which property catches which mutant, and after how many steps.

use std::fmt::Write;

use retryproof_models::mutants::Trial;
use retryproof_properties::PropertyId;

use super::paint::Tone;

/// What became of all mutants.
#[derive(Clone, Debug)]
pub struct KillMatrix {
    /// The mutants that were tried.
    pub trials: Vec<Trial>,
    /// Mutants that were not tried, because somebody stopped it.
    pub not_tried: Vec<&'static str>,
}

/// Columns of one property. Its number stands over the last digit of a length; one column
/// right of it is left to a bracket.
const CELL: usize = 5;

impl KillMatrix {
    /// Mutants that no property catches.
    pub fn survivors(&self) -> impl Iterator<Item = &Trial> {
        self.trials.iter().filter(|trial| trial.kills.is_empty())
    }

    /// Mutants that are caught, but not by the property that must catch them.
    pub fn missed(&self) -> impl Iterator<Item = &Trial> {
        self.trials.iter().filter(|trial| {
            !trial.kills.is_empty() && kill(trial, trial.mutant.must_be_caught_by).is_none()
        })
    }

    /// Properties that catch no mutant. None is known to while mutants are not tried.
    pub fn idle_properties(&self) -> impl Iterator<Item = PropertyId> + '_ {
        let all_tried = self.not_tried.is_empty();
        let is_idle = move |property: &PropertyId| {
            self.trials
                .iter()
                .all(|trial| kill(trial, *property).is_none())
        };
        PropertyId::ALL
            .iter()
            .copied()
            .filter(move |property| all_tried && is_idle(property))
    }

    /// Whether every mutant that was tried is caught by the property that must.
    pub fn catches_all(&self) -> bool {
        self.survivors().next().is_none() && self.missed().next().is_none()
    }

    /// Whether every mutant is caught by the property that must, and no property is idle.
    pub fn is_full(&self) -> bool {
        self.catches_all() && self.idle_properties().next().is_none()
    }

    /// Draws the matrix: a numbered column for each property, a row for each mutant, and
    /// below which number is which property.
    pub fn draw(&self) -> String {
        let names = self.trials.iter().map(|trial| trial.mutant.id().len());
        let left = names.max().unwrap_or(0);
        let numbers: String = (1..=PropertyId::ALL.len())
            .map(|number| format!("{number:>room$} ", room = CELL - 1))
            .collect();
        let mut picture = format!("{:left$}{}\n", "", Tone::Strong.paint(numbers.trim_end()));
        for trial in &self.trials {
            picture.push_str(&row(trial, left));
        }
        picture.push('\n');
        for (number, property) in (1..).zip(PropertyId::ALL) {
            let name = Tone::Strong.paint(property);
            // Writing to a string cannot fail.
            let _ = writeln!(picture, "{number:>2}  {name}");
        }
        picture
    }
}

fn row(trial: &Trial, left: usize) -> String {
    let tone = match kill(trial, trial.mutant.must_be_caught_by) {
        Some(_) => Tone::Plain,
        None => Tone::Bad,
    };
    let mut row = tone.paint(format!("{:left$}", trial.mutant.id()));
    for property in PropertyId::ALL {
        let must = trial.mutant.must_be_caught_by == *property;
        // As many columns right of a length as a bracket would take.
        let (text, tone) = match (kill(trial, *property), must) {
            (Some(length), true) => (format!("[{length}]"), Tone::Good),
            (Some(length), false) => (format!("{length} "), Tone::Good),
            (None, true) => ("[!]".to_owned(), Tone::Bad),
            (None, false) => ("· ".to_owned(), Tone::Dim),
        };
        let left = CELL.saturating_sub(text.chars().count());
        let right = text.len() - text.trim_end().len();
        let text = tone.paint(text.trim_end());
        row.push_str(&format!("{:left$}{text}{:right$}", "", ""));
    }
    row.trim_end().to_owned() + "\n"
}

fn kill(trial: &Trial, property: PropertyId) -> Option<usize> {
    trial
        .kills
        .iter()
        .find(|(killer, _)| *killer == property)
        .map(|(_, run)| run.len())
}
