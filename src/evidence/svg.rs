//! The frontier as a drawing: one self-contained SVG, light or dark as the reader's screen.

use std::fmt::Write;

use retryproof_models::checking::Verdict;
use retryproof_models::conditions::Conditions;
use retryproof_properties::PropertyId;

use super::figures;
use super::staircase::{self, Cell, Staircase};
use super::wrap;

/// Edge of a cell, and the gap between two.
const CELL: usize = 56;
const GAP: usize = 4;
const PITCH: usize = CELL + GAP;
/// Left edge of text and of the cells.
const MARGIN: usize = 28;
const LEFT: usize = 96;
/// Room above the cells beside the title, right of them, and below.
const ABOVE: usize = 90;
const RIGHT: usize = 32;
const BELOW: usize = 96;
/// Narrowest drawing in which the legend finds room.
const MIN_WIDTH: usize = 620;
/// Height of a line and width of a letter in the title and in other text, roughly.
const TITLE_LINE: usize = 26;
const TITLE_LETTER: usize = 12;
const LINE: usize = 20;
const LETTER: usize = 8;

const STYLE: &str = "\
.sheet{fill:#ffffff}.ink{fill:#1c2530}.soft{fill:#5b6875}\
.holds{fill:#cdebd6}.holds-ink{fill:#0d6b36}\
.refuted{fill:#f6c9bf}.refuted-ink{fill:#97270f}\
.unknown{fill:#ece3b8}.unknown-ink{fill:#6d5a00}\
.border{stroke:#1c2530;stroke-width:3;fill:none;stroke-linecap:round}\
text{font-family:system-ui,-apple-system,'Segoe UI',Roboto,sans-serif}\
.title{font-size:20px;font-weight:600}.text{font-size:14px}\
.number{font-size:15px;font-variant-numeric:tabular-nums}\
.cell{font-size:19px;font-weight:600;font-variant-numeric:tabular-nums}\
@media (prefers-color-scheme:dark){\
.sheet{fill:#12181f}.ink{fill:#e8edf2}.soft{fill:#9aa7b4}\
.holds{fill:#17402a}.holds-ink{fill:#86e2a9}\
.refuted{fill:#55231a}.refuted-ink{fill:#ffab98}\
.unknown{fill:#453c14}.unknown-ink{fill:#efd97a}\
.border{stroke:#e8edf2}}";

/// The conditions that all cells have in common, in words.
pub fn conditions(base: &Conditions) -> String {
    let changed: Vec<String> = base
        .changed()
        .into_iter()
        .filter(|(flag, _)| !["in-flight", "window"].contains(flag))
        .map(|(flag, value)| format!("{flag} {value}"))
        .collect();
    if changed.is_empty() {
        "Conditions of Apache Kafka 4.x".to_owned()
    } else {
        format!("Apache Kafka 4.x but for: {}", changed.join(", "))
    }
}

/// Draws the frontier of a property.
pub fn draw(staircase: &Staircase, property: PropertyId, base: &Conditions) -> String {
    let (rows, columns) = (staircase.in_flight(), staircase.windows());
    let width = (LEFT + columns.len() * PITCH + RIGHT).max(MIN_WIDTH);
    let turning = staircase.turning(property.id());
    let room = width - 2 * MARGIN;
    let title = wrap::lines(&turning, room / TITLE_LETTER);
    let statement = wrap::lines(property.statement(), room / LETTER);
    let top = title.len() * TITLE_LINE + statement.len() * LINE + ABOVE;
    let height = top + rows.len() * PITCH + BELOW;
    let mut drawing = Drawing {
        staircase,
        rows,
        columns,
        top,
        text: String::new(),
    };
    drawing.sheet(width, height, property, base);
    drawing.head(&title, &statement);
    drawing.axes();
    drawing.cells(property);
    drawing.border();
    drawing.legend(height, base);
    drawing.line("</svg>");
    drawing.text
}

struct Drawing<'a> {
    staircase: &'a Staircase,
    rows: Vec<u8>,
    columns: Vec<u8>,
    top: usize,
    text: String,
}

impl Drawing<'_> {
    fn line(&mut self, line: &str) {
        // Writing to a string cannot fail.
        let _ = writeln!(self.text, "{line}");
    }

    fn write(&mut self, class: &str, x: usize, y: usize, anchor: &str, text: &str) {
        let text = escaped(text);
        self.line(&format!(
            "<text class=\"{class}\" x=\"{x}\" y=\"{y}\" text-anchor=\"{anchor}\">{text}</text>"
        ));
    }

    fn sheet(&mut self, width: usize, height: usize, property: PropertyId, base: &Conditions) {
        let turning = self.staircase.turning(property.id());
        let title = format!("Frontier of {property}");
        let about = format!("{turning} {}. {}", conditions(base), self.in_words());
        self.line(&format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" \
             width=\"{width}\" height=\"{height}\" role=\"img\" aria-labelledby=\"title about\">"
        ));
        self.line(&format!("<title id=\"title\">{}</title>", escaped(&title)));
        self.line(&format!("<desc id=\"about\">{}</desc>", escaped(&about)));
        self.line(&format!("<style>{STYLE}</style>"));
        self.line(&format!(
            "<rect class=\"sheet\" width=\"{width}\" height=\"{height}\" rx=\"12\"/>"
        ));
    }

    fn head(&mut self, title: &[String], statement: &[String]) {
        let mut y = 42;
        for line in title {
            self.write("ink title", MARGIN, y, "start", line);
            y += TITLE_LINE;
        }
        for line in statement {
            self.write("soft text", MARGIN, y - 2, "start", line);
            y += LINE;
        }
    }

    /// Every row in words, for who cannot see the drawing.
    fn in_words(&self) -> String {
        let row = |in_flight: &u8| {
            let cells: Vec<String> = self
                .columns
                .iter()
                .filter_map(|window| self.staircase.cell(*in_flight, *window))
                .map(|cell| match (cell.verdict, cell.length) {
                    (Verdict::Refuted, Some(length)) => {
                        format!("window {} refuted in {length} steps", cell.window)
                    }
                    (verdict, _) => format!("window {} {verdict}", cell.window),
                })
                .collect();
            format!("{in_flight} in flight: {}.", cells.join(", "))
        };
        self.rows.iter().map(row).collect::<Vec<_>>().join(" ")
    }

    fn axes(&mut self) {
        self.write(
            "soft text",
            LEFT,
            self.top - 36,
            "start",
            "window: batches that the broker remembers →",
        );
        for (index, window) in self.columns.clone().iter().enumerate() {
            let x = LEFT + index * PITCH + CELL / 2;
            self.write(
                "ink number",
                x,
                self.top - 12,
                "middle",
                &window.to_string(),
            );
        }
        for (index, in_flight) in self.rows.clone().iter().enumerate() {
            let y = self.top + index * PITCH + CELL / 2 + 5;
            self.write("ink number", LEFT - 16, y, "end", &in_flight.to_string());
        }
        let (x, y) = (36, self.top + self.rows.len() * PITCH / 2);
        self.line(&format!(
            "<text class=\"soft text\" transform=\"translate({x} {y}) rotate(-90)\" \
             text-anchor=\"middle\">← requests in flight</text>"
        ));
    }

    fn cells(&mut self, property: PropertyId) {
        for row in 0..self.rows.len() {
            for column in 0..self.columns.len() {
                let cell = self.staircase.cell(self.rows[row], self.columns[column]);
                if let Some(cell) = cell.copied() {
                    self.cell(&cell, row, column, property);
                }
            }
        }
    }

    fn cell(&mut self, cell: &Cell, row: usize, column: usize, property: PropertyId) {
        let (x, y) = (LEFT + column * PITCH, self.top + row * PITCH);
        let class = cell.verdict.name();
        self.line(&format!(
            "<g><title>{}</title>",
            escaped(&tooltip(cell, property))
        ));
        self.line(&format!(
            "<rect class=\"{class}\" x=\"{x}\" y=\"{y}\" width=\"{CELL}\" height=\"{CELL}\" rx=\"8\"/>"
        ));
        let class = format!("{class}-ink cell");
        let text = staircase::text(cell);
        self.write(&class, x + CELL / 2, y + CELL / 2 + 7, "middle", &text);
        self.line("</g>");
    }

    /// The line between cells whose verdicts differ.
    fn border(&mut self) {
        let verdict = |row: usize, column: usize| {
            let cell = self
                .staircase
                .cell(*self.rows.get(row)?, *self.columns.get(column)?)?;
            Some(cell.verdict)
        };
        let mut path = String::new();
        let half = GAP / 2;
        for row in 0..self.rows.len() {
            for column in 0..self.columns.len() {
                let (x, y) = (LEFT + column * PITCH - half, self.top + row * PITCH - half);
                let here = verdict(row, column);
                let differs =
                    |other: Option<Verdict>| other.is_some() && here.is_some() && other != here;
                if column > 0 && differs(verdict(row, column - 1)) {
                    let _ = write!(path, "M{x} {y}v{PITCH}");
                }
                if row > 0 && differs(verdict(row - 1, column)) {
                    let _ = write!(path, "M{x} {y}h{PITCH}");
                }
            }
        }
        if !path.is_empty() {
            self.line(&format!("<path class=\"border\" d=\"{path}\"/>"));
        }
    }

    fn legend(&mut self, height: usize, base: &Conditions) {
        let y = height - 58;
        let length = if base.any_length() {
            "holds, for runs of any length"
        } else {
            "holds, for runs of the bounded length"
        };
        let entries = [
            (Verdict::Holds, "✓", length),
            (Verdict::Refuted, "n", "refuted; length of the shortest run"),
            (Verdict::Unknown, "?", "unknown"),
        ];
        let occurs = |verdict: Verdict| {
            self.staircase
                .cells()
                .iter()
                .any(|cell| cell.verdict == verdict)
        };
        let entries: Vec<_> = entries
            .into_iter()
            .filter(|(verdict, ..)| occurs(*verdict))
            .collect();
        let mut x = MARGIN;
        for (verdict, symbol, meaning) in entries {
            let class = verdict.name();
            self.line(&format!(
                "<rect class=\"{class}\" x=\"{x}\" y=\"{}\" width=\"22\" height=\"22\" rx=\"4\"/>",
                y - 16
            ));
            self.write(&format!("{class}-ink text"), x + 11, y, "middle", symbol);
            self.write("ink text", x + 30, y, "start", meaning);
            x += 30 + meaning.chars().count() * LETTER + MARGIN;
        }
        let text = format!("{}.", conditions(base));
        self.write("soft text", MARGIN, height - 26, "start", &text);
    }
}

fn tooltip(cell: &Cell, property: PropertyId) -> String {
    let world = format!("{} in flight, window {}", cell.in_flight, cell.window);
    let states = figures::counted(cell.states, "state");
    match (cell.verdict, cell.length) {
        (Verdict::Refuted, Some(length)) => {
            format!("{world}: {property} is refuted in {length} steps ({states})")
        }
        (verdict, _) => format!("{world}: {property} {verdict} ({states})"),
    }
}

/// Text as it may stand in XML.
pub(super) fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
}
