//! Where the verdict turns, in a sentence that is true of the cells.

use retryproof_models::broker::MAX_WINDOW;
use retryproof_models::checking::Verdict;

use super::{Cell, Staircase};

/// The largest in-flight limit and window.
const MAX: i16 = MAX_WINDOW as i16;
impl Staircase {
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
            _ => match line(&known) {
                Some(line) => format!("{property} holds exactly where {line}."),
                None => format!(
                    "{property} holds in {holding} of {known_cells} cells, along no straight line."
                ),
            },
        };
        sentence + &unknown
    }
}

fn holds(cell: &Cell) -> bool {
    cell.verdict == Verdict::Holds
}

/// The line on one side of which every cell holds and on the other side none.
fn line(known: &[&Cell]) -> Option<String> {
    let fits = |within: &dyn Fn(i16, i16) -> bool| {
        known
            .iter()
            .all(|cell| within(cell.in_flight.into(), cell.window.into()) == holds(cell))
    };
    let mut offsets: Vec<i16> = (-MAX..=MAX).collect();
    offsets.sort_by_key(|offset| offset.abs());
    let diagonal = offsets
        .into_iter()
        .find(|offset| fits(&|in_flight, window| in_flight <= window + offset))
        .map(|offset| format!("in flight ≤ window{}", signed(offset)));
    let level = || {
        (1..=MAX)
            .find(|limit| fits(&|in_flight, _| in_flight <= *limit))
            .map(|limit| format!("in flight ≤ {limit}"))
    };
    let upright = || {
        (1..=MAX)
            .find(|limit| fits(&|_, window| window >= *limit))
            .map(|limit| format!("window ≥ {limit}"))
    };
    diagonal.or_else(level).or_else(upright)
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
    use super::super::testing::cells;
    use super::*;

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
            "p holds in 5 of 9 cells, along no straight line."
        );
        assert_eq!(
            turning(4, |n, _| n <= 1),
            "p holds exactly where in flight ≤ 1."
        );
        assert_eq!(
            turning(4, |_, w| w >= 3),
            "p holds exactly where window ≥ 3."
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
}
