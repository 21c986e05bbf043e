//! A chart as Mermaid text, for Markdown: a `sequenceDiagram` whose numbers are those of the
//! steps.

use std::fmt::Write;

use super::{Arrow, Chart, Item, Kind, Note, Row};

/// Writes a chart. The number at an arrow is the number of its step.
pub fn write(chart: &Chart) -> String {
    let mut text = Text {
        chart,
        text: "sequenceDiagram\n".to_owned(),
        next: None,
    };
    for (index, lifeline) in chart.lifelines.iter().enumerate() {
        let name = escaped(&lifeline.name);
        text.line(&format!("participant {} as {name}", chart.id(index)));
    }
    if !chart.log_at_start.is_empty() {
        let log = chart.log_at_start.join(" ");
        text.over_all(&format!("written and acknowledged before: {log}"));
    }
    for row in &chart.rows {
        text.row(row);
    }
    text.text
}

impl Chart {
    /// How a lifeline is called within the text, as "broker1".
    fn id(&self, lifeline: usize) -> String {
        let name = self.lifelines.get(lifeline).map(|lifeline| &lifeline.name);
        name.map_or_else(String::new, |name| name.replace(' ', ""))
    }
}

struct Text<'a> {
    chart: &'a Chart,
    text: String,
    /// The number that Mermaid gives to the next arrow on its own.
    next: Option<usize>,
}

impl Text<'_> {
    fn line(&mut self, line: &str) {
        // Writing to a string cannot fail.
        let _ = writeln!(self.text, "    {line}");
    }

    fn row(&mut self, row: &Row) {
        let step = row.step;
        for item in &row.items {
            match item {
                Item::Arrow(arrow) => self.arrow(step, arrow),
                Item::Note(note) => self.note(step, note),
            }
        }
        for (property, _) in &row.violates {
            self.over_all(&format!("✗ step {step} violates {property}"));
        }
    }

    fn arrow(&mut self, step: usize, arrow: &Arrow) {
        if self.next != Some(step) {
            self.line(&format!("autonumber {step}"));
        }
        self.next = Some(step + 1);
        let line = match (arrow.kind, arrow.lost_in) {
            (Kind::Fresh | Kind::Retry | Kind::Replication, None) => "->>",
            (Kind::Fresh | Kind::Retry | Kind::Replication, Some(_)) => "-x",
            (Kind::Late, None) => "--)",
            (Kind::Success | Kind::Duplicate | Kind::Rejection, None) => "-->>",
            (Kind::Late | Kind::Success | Kind::Duplicate | Kind::Rejection, Some(_)) => "--x",
        };
        let (from, to) = (self.chart.id(arrow.from), self.chart.id(arrow.to));
        let words = escaped(&arrow.words());
        self.line(&format!("{from}{line}{to}: {words}"));
    }

    fn note(&mut self, step: usize, note: &Note) {
        // A note has no number of its own.
        let words = format!("{step}: {}", note.words());
        match note.at {
            Some(at) => {
                let at = self.chart.id(at);
                self.line(&format!("Note over {at}: {}", escaped(&words)));
            }
            None => self.over_all(&words),
        }
    }

    fn over_all(&mut self, words: &str) {
        let last = self.chart.lifelines.len().saturating_sub(1);
        self.line(&format!(
            "Note over {},{}: {}",
            self.chart.id(0),
            self.chart.id(last),
            escaped(words)
        ));
    }
}

/// Text in which Mermaid sees no syntax: its own entities for what ends a line, begins an
/// entity or is markup.
fn escaped(text: &str) -> String {
    let mut escaped = String::new();
    for letter in text.chars() {
        match letter {
            '#' | ';' | '<' | '>' | '&' | '"' | '\\' => {
                // Writing to a string cannot fail.
                let _ = write!(escaped, "#{};", u32::from(letter));
            }
            '\n' | '\r' => escaped.push(' '),
            letter => escaped.push(letter),
        }
    }
    escaped
}
