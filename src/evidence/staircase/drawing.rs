//! The cells as a picture in the terminal, with a line where the verdict turns.

use super::{text, Cell, Staircase};
use crate::evidence::paint::Tone;

/// Columns of one cell and of what stands left of the first.
const CELL: usize = 5;
const LEFT: usize = 11;

impl Staircase {
    /// Draws the cells with a line where the verdict turns: ✓ where it holds, else the
    /// length of the shortest run against it, or "?".
    pub fn draw(&self) -> String {
        let grid = Grid {
            staircase: self,
            rows: self.in_flight(),
            columns: self.windows(),
        };
        let mut picture = grid.heads();
        for row in 0..grid.rows.len() {
            picture += &grid.line_above(row);
            picture += &grid.row(row);
        }
        picture
    }
}

struct Grid<'a> {
    staircase: &'a Staircase,
    rows: Vec<u8>,
    columns: Vec<u8>,
}

impl Grid<'_> {
    fn heads(&self) -> String {
        let title = Tone::Strong.paint("  window");
        let head = Tone::Strong.paint(format!("{:<LEFT$}", "in flight"));
        let windows = self
            .columns
            .iter()
            .map(|window| padded(&window.to_string()));
        let windows = Tone::Dim.paint(windows.collect::<String>().trim_end());
        format!("{:LEFT$}{title}\n{head}{windows}\n", "")
    }

    fn row(&self, row: usize) -> String {
        let number = format!("{:>7}", self.rows[row]);
        let blank = LEFT - number.len();
        let mut line = format!("{}{:blank$}", Tone::Dim.paint(number), "");
        for column in 0..self.columns.len() {
            line.push(if self.turns_left_of(row, column) {
                '│'
            } else {
                ' '
            });
            line += &self
                .cell(row, column)
                .map_or_else(|| padded("")[1..].to_owned(), painted);
        }
        line.trim_end().to_owned() + "\n"
    }

    /// The line above a row; nothing if the verdict turns nowhere along it.
    fn line_above(&self, row: usize) -> String {
        if !(0..self.columns.len()).any(|column| self.turns_above(row, column)) {
            return String::new();
        }
        let mut line = " ".repeat(LEFT);
        for column in 0..=self.columns.len() {
            let joint = Joint {
                up: row > 0 && self.turns_left_of(row - 1, column),
                down: self.turns_left_of(row, column),
                left: column > 0 && self.turns_above(row, column - 1),
                right: self.turns_above(row, column),
            };
            let stroke = if joint.right { "─" } else { " " };
            line.push(joint.symbol());
            line += &stroke.repeat(CELL - 1);
        }
        line.trim_end().to_owned() + "\n"
    }

    fn cell(&self, row: usize, column: usize) -> Option<&Cell> {
        let (in_flight, window) = (*self.rows.get(row)?, *self.columns.get(column)?);
        self.staircase.cell(in_flight, window)
    }

    fn turns_left_of(&self, row: usize, column: usize) -> bool {
        let neighbour = column.checked_sub(1).and_then(|left| self.cell(row, left));
        differ(self.cell(row, column), neighbour)
    }

    fn turns_above(&self, row: usize, column: usize) -> bool {
        let neighbour = row
            .checked_sub(1)
            .and_then(|above| self.cell(above, column));
        differ(self.cell(row, column), neighbour)
    }
}

/// Whether both cells are there and have different verdicts.
fn differ(one: Option<&Cell>, other: Option<&Cell>) -> bool {
    one.zip(other)
        .is_some_and(|(one, other)| one.verdict != other.verdict)
}

/// Where lines meet.
struct Joint {
    up: bool,
    down: bool,
    left: bool,
    right: bool,
}

impl Joint {
    fn symbol(&self) -> char {
        match (self.up, self.down, self.left, self.right) {
            (false, false, false, false) => ' ',
            (true, true, false, false)
            | (true, false, false, false)
            | (false, true, false, false) => '│',
            (false, false, true, true)
            | (false, false, true, false)
            | (false, false, false, true) => '─',
            (false, true, false, true) => '┌',
            (false, true, true, false) => '┐',
            (true, false, false, true) => '└',
            (true, false, true, false) => '┘',
            (true, true, false, true) => '├',
            (true, true, true, false) => '┤',
            (false, true, true, true) => '┬',
            (true, false, true, true) => '┴',
            (true, true, true, true) => '┼',
        }
    }
}

/// A cell with this text; its first column is left to the line.
fn padded(text: &str) -> String {
    format!("  {text:>2} ")
}

/// The text of a cell right of the line, its blanks without colour.
fn painted(cell: &Cell) -> String {
    let text = text(cell);
    padded(&text)[1..].replace(&text, &cell.tone.paint(&text))
}

#[cfg(test)]
mod tests {
    use super::super::testing::cells;

    #[test]
    fn the_line_runs_where_the_verdict_turns() {
        let picture = cells(3, |n, w| n <= w).draw();
        let plain = anstream::adapter::strip_str(&picture).to_string();
        let expected = [
            "             window",
            "in flight     1    2    3",
            "      1       ✓    ✓    ✓",
            "           ─────┐",
            "      2       8 │  ✓    ✓",
            "                └────┐",
            "      3       8    8 │  ✓",
        ];
        assert_eq!(plain.lines().collect::<Vec<_>>(), expected);
    }
}
