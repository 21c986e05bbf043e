//! The frontier: a table of in-flight limit and window, and the line in it at which the
//! verdict turns.

mod drawing;
mod turning;

use retryproof_models::checking::Verdict;

use super::paint::Tone;

/// One cell of the frontier.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cell {
    /// In-flight limit.
    pub in_flight: u8,
    /// Window.
    pub window: u8,
    /// What was found.
    pub verdict: Verdict,
    /// Length of the shortest run that refutes it.
    pub length: Option<usize>,
    /// Different states of the world.
    pub states: usize,
    /// How the cell is meant.
    pub tone: Tone,
}

/// Cells of in-flight limits and windows.
#[derive(Clone, Debug, Default)]
pub struct Staircase {
    cells: Vec<Cell>,
}

impl Staircase {
    /// The frontier of these cells.
    pub fn new(cells: Vec<Cell>) -> Self {
        Staircase { cells }
    }

    /// All cells.
    pub fn cells(&self) -> &[Cell] {
        &self.cells
    }

    /// In-flight limits that occur, ascending.
    pub fn in_flight(&self) -> Vec<u8> {
        ascending(self.cells.iter().map(|cell| cell.in_flight))
    }

    /// Windows that occur, ascending.
    pub fn windows(&self) -> Vec<u8> {
        ascending(self.cells.iter().map(|cell| cell.window))
    }

    /// The cell of an in-flight limit and a window.
    pub fn cell(&self, in_flight: u8, window: u8) -> Option<&Cell> {
        self.cells
            .iter()
            .find(|cell| cell.in_flight == in_flight && cell.window == window)
    }
}

/// What stands in a cell.
pub fn text(cell: &Cell) -> String {
    match (cell.verdict, cell.length) {
        (Verdict::Holds, _) => "✓".to_owned(),
        (Verdict::Refuted, Some(length)) => length.to_string(),
        (Verdict::Refuted, None) => "✗".to_owned(),
        (Verdict::Unknown, _) => "?".to_owned(),
    }
}

fn ascending(numbers: impl Iterator<Item = u8>) -> Vec<u8> {
    let mut numbers: Vec<u8> = numbers.collect();
    numbers.sort_unstable();
    numbers.dedup();
    numbers
}

#[cfg(test)]
mod testing {
    use super::*;

    /// All cells up to a size, of which those hold.
    pub fn cells(sizes: u8, holds: impl Fn(u8, u8) -> bool) -> Staircase {
        let mut cells = Vec::new();
        for in_flight in 1..=sizes {
            for window in 1..=sizes {
                let holds = holds(in_flight, window);
                cells.push(Cell {
                    in_flight,
                    window,
                    verdict: if holds {
                        Verdict::Holds
                    } else {
                        Verdict::Refuted
                    },
                    length: (!holds).then_some(8),
                    states: 1,
                    tone: Tone::Plain,
                });
            }
        }
        Staircase::new(cells)
    }
}
