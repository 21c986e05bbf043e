//! The frontier: a table of in-flight limit and window, and the line in it at which the
//! verdict turns.

use std::fmt::Write;

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
    /// Whether the verdict is a surprise; only where one was expected.
    pub differs: bool,
}

/// Cells of in-flight limits and windows.
#[derive(Clone, Debug, Default)]
pub struct Staircase {
    cells: Vec<Cell>,
}

/// Columns of one cell and of what stands left of the first.
const CELL: usize = 5;
const LEFT: usize = 11;

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

    /// Where the verdict on a property turns, in a sentence that is true of the cells.
    pub fn turning(&self, property: &str) -> String {
        let known: Vec<&Cell> = self
            .cells
            .iter()
            .filter(|cell| cell.verdict != Verdict::Unknown)
            .collect();
        let holding = known.iter().filter(|cell| holds(cell)).count();
        let unknown = match self.cells.len() - known.len() {
            0 => String::new(),
            1 => " One cell is unknown.".to_owned(),
            cells => format!(" {cells} cells are unknown."),
        };
        let known_cells = known.len();
        let sentence = match holding {
            _ if known.is_empty() => return format!("Of {property} nothing is known here."),
            0 => format!("{property} is refuted in each of the {known_cells} cells looked at."),
            _ if holding == known_cells => {
                format!("{property} holds in each of the {known_cells} cells looked at.")
            }
            _ => match offset(&known) {
                Some(offset) => format!(
                    "{property} holds exactly where in flight ≤ window{}.",
                    signed(offset)
                ),
                None => format!(
                    "{property} holds in {holding} of {known_cells} cells, along no line of the form \
                     in flight ≤ window + c."
                ),
            },
        };
        sentence + &unknown
    }

    /// Draws the cells with a line where the verdict turns: ✓ where it holds, else the
    /// length of the shortest run against it, or "?".
    pub fn draw(&self, tone: impl Fn(&Cell) -> Tone) -> String {
        let (in_flight, windows) = (self.in_flight(), self.windows());
        let mut picture = format!("{:LEFT$}{}\n", "", Tone::Strong.paint(" window"));
        let numbers: String = windows
            .iter()
            .map(|window| centred(&window.to_string()))
            .collect();
        let head = Tone::Strong.paint(format!("{:<LEFT$}", "in flight"));
        // Writing to a string cannot fail.
        let _ = writeln!(picture, "{head}{}", Tone::Dim.paint(numbers.trim_end()));
        for row in 0..in_flight.len() {
            if row > 0 {
                self.draw_line(&mut picture, &in_flight, &windows, row);
            }
            let number = Tone::Dim.paint(format!("{:>7}    ", in_flight[row]));
            picture.push_str(&number);
            for column in 0..windows.len() {
                let left = self.turns(
                    &in_flight,
                    &windows,
                    (row, column),
                    (row, column.wrapping_sub(1)),
                );
                picture.push(if left { '│' } else { ' ' });
                match self.cell(in_flight[row], windows[column]) {
                    Some(cell) => picture.push_str(&painted(cell, tone(cell))),
                    None => picture.push_str(&" ".repeat(CELL - 1)),
                }
            }
            trim_end(&mut picture);
            picture.push('\n');
        }
        picture
    }

    /// The line above a row, if the verdict turns anywhere along it.
    fn draw_line(&self, picture: &mut String, in_flight: &[u8], windows: &[u8], row: usize) {
        let turns = |one, other| self.turns(in_flight, windows, one, other);
        let along = |column: usize| turns((row, column), (row.wrapping_sub(1), column));
        let down = |row: usize, column: usize| turns((row, column), (row, column.wrapping_sub(1)));
        if !(0..windows.len()).any(along) {
            return;
        }
        let mut line = " ".repeat(LEFT);
        for column in 0..=windows.len() {
            let joint = Joint {
                up: down(row - 1, column),
                down: down(row, column),
                left: column > 0 && along(column - 1),
                right: along(column),
            };
            line.push(joint.symbol());
            let stroke = if along(column) { '─' } else { ' ' };
            line.extend(std::iter::repeat_n(stroke, CELL - 1));
        }
        picture.push_str(line.trim_end());
        picture.push('\n');
    }

    /// Whether two neighbours are there and have different verdicts.
    fn turns(
        &self,
        in_flight: &[u8],
        windows: &[u8],
        one: (usize, usize),
        other: (usize, usize),
    ) -> bool {
        let verdict = |(row, column): (usize, usize)| {
            let cell = self.cell(*in_flight.get(row)?, *windows.get(column)?)?;
            Some(cell.verdict)
        };
        match (verdict(one), verdict(other)) {
            (Some(one), Some(other)) => one != other,
            _ => false,
        }
    }
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

/// What stands in a cell.
pub fn text(cell: &Cell) -> String {
    match (cell.verdict, cell.length) {
        (Verdict::Holds, _) => "✓".to_owned(),
        (Verdict::Refuted, Some(length)) => length.to_string(),
        (Verdict::Refuted, None) => "✗".to_owned(),
        (Verdict::Unknown, _) => "?".to_owned(),
    }
}

/// The text in the middle of a cell; its first column is left to the line.
fn centred(text: &str) -> String {
    format!("{:^CELL$}", format!(" {text}"))
}

/// The text of a cell right of the line, its blanks without colour.
fn painted(cell: &Cell, tone: Tone) -> String {
    let text = text(cell);
    centred(&text)[1..].replace(&text, &tone.paint(&text))
}

fn trim_end(picture: &mut String) {
    picture.truncate(picture.trim_end_matches(' ').len());
}

fn holds(cell: &Cell) -> bool {
    cell.verdict == Verdict::Holds
}

fn ascending(numbers: impl Iterator<Item = u8>) -> Vec<u8> {
    let mut numbers: Vec<u8> = numbers.collect();
    numbers.sort_unstable();
    numbers.dedup();
    numbers
}

/// The c, nearest to 0, for which a cell holds if and only if in flight ≤ window + c.
fn offset(known: &[&Cell]) -> Option<i16> {
    let fits = |offset: i16| {
        known.iter().all(|cell| {
            let within = i16::from(cell.in_flight) <= i16::from(cell.window) + offset;
            within == holds(cell)
        })
    };
    let mut offsets: Vec<i16> = (-8..=8).collect();
    offsets.sort_by_key(|offset| offset.abs());
    offsets.into_iter().find(|offset| fits(*offset))
}

fn signed(offset: i16) -> String {
    match offset {
        0 => String::new(),
        1.. => format!(" + {offset}"),
        _ => format!(" − {}", -offset),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cells(sizes: u8, holds: impl Fn(u8, u8) -> bool) -> Staircase {
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
                    differs: false,
                });
            }
        }
        Staircase::new(cells)
    }

    fn turning(sizes: u8, holds: impl Fn(u8, u8) -> bool) -> String {
        cells(sizes, holds).turning("p")
    }

    #[test]
    fn a_border_is_only_named_where_it_is_one() {
        let cells = "p holds exactly where in flight ≤ window";
        assert_eq!(turning(4, |n, w| n <= w), format!("{cells}."));
        assert_eq!(turning(4, |n, w| n < w), format!("{cells} − 1."));
        assert_eq!(turning(4, |n, w| n <= w + 2), format!("{cells} + 2."));
        assert_eq!(
            turning(3, |n, w| n == 2 || w == 3),
            "p holds in 5 of 9 cells, along no line of the form in flight ≤ window + c."
        );
    }

    #[test]
    fn without_a_border_the_sentence_names_none() {
        assert_eq!(
            turning(2, |_, _| true),
            "p holds in each of the 4 cells looked at."
        );
        assert_eq!(
            turning(2, |_, _| false),
            "p is refuted in each of the 4 cells looked at."
        );
        assert_eq!(
            Staircase::default().turning("p"),
            "Of p nothing is known here."
        );
    }

    #[test]
    fn unknown_cells_are_counted() {
        let mut staircase = cells(2, |n, w| n <= w);
        staircase.cells[0].verdict = Verdict::Unknown;
        let text = staircase.turning("p");
        assert!(text.ends_with("One cell is unknown."), "{text}");
    }

    #[test]
    fn the_line_runs_where_the_verdict_turns() {
        let picture = cells(3, |n, w| n <= w).draw(|_| Tone::Plain);
        let plain = anstream::adapter::strip_str(&picture).to_string();
        let expected = [
            "            window",
            "in flight     1    2    3",
            "      1       ✓    ✓    ✓",
            "           ─────┐",
            "      2       8 │  ✓    ✓",
            "                └────┐",
            "      3       8    8 │  ✓",
            "",
        ];
        assert_eq!(plain.lines().collect::<Vec<_>>(), expected[..7]);
    }
}
