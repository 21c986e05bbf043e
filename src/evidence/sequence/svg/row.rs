//! One row of a chart: what a step has from top to bottom.

use crate::evidence::svg::escaped;

use super::super::{Arrow, Chart, Item, Mark, Note, Row};
use super::layout::{self, Layout, BEYOND, GUTTER, LINE, WITHIN};
use super::marks;

/// Room above the first and below the last thing in a row.
const PADDING: i32 = 7;
/// From the words of an arrow to its line, and from there to what follows.
const ABOVE_WAY: i32 = 6;
const BELOW_WAY: i32 = 11;
/// From the edge of a note to its words, and to what follows.
const NOTE: i32 = 4;
/// Room for a line of a note at one lifeline.
const NOTE_ROOM: i32 = 156;
/// Room of the tag of an epoch at the begin of an arrow.
const TAG: i32 = 20;

/// A row, drawn: its shade lies below the lifelines, its contents above.
pub struct Drawn {
    pub shade: String,
    pub contents: String,
    /// Where the next row begins.
    pub bottom: i32,
}

/// Draws what the log held at the start.
pub fn at_start(chart: &Chart, layout: Layout, top: i32) -> Drawn {
    let mut drawing = Drawing::at(chart, layout, top);
    let text = format!("written before: {}", chart.log_at_start.join(" "));
    drawing.note(&Note {
        at: None,
        mark: Mark::News,
        text,
    });
    let bottom = drawing.y + PADDING;
    Drawn {
        shade: String::new(),
        contents: format!("<g class=\"row\">\n{}</g>\n", drawing.text),
        bottom,
    }
}

/// Draws a step.
pub fn draw(chart: &Chart, layout: Layout, index: usize, row: &Row, top: i32) -> Drawn {
    let mut drawing = Drawing::at(chart, layout, top);
    let step = row.step;
    for item in &row.items {
        match item {
            Item::Arrow(arrow) => drawing.arrow(arrow),
            Item::Note(note) => drawing.note(note),
        }
    }
    for (property, _) in &row.violates {
        drawing.violation(&format!("✗ violates {property}"));
    }
    let bottom = drawing.y + PADDING;
    let band = if index % 2 == 1 { " banded" } else { "" };
    let shade = format!(
        "<rect class=\"shade{band}\" data-step=\"{step}\" x=\"0\" y=\"{top}\" width=\"{}\" height=\"{}\"/>\n",
        layout.width(),
        bottom - top
    );
    let number = format!(
        "<text class=\"number\" x=\"{}\" y=\"{}\">{step}</text>",
        GUTTER / 2 + 1,
        top + PADDING + LINE - 4
    );
    Drawn {
        shade,
        contents: format!(
            "<g class=\"row{band}\" data-step=\"{step}\"><title>{step}. {}</title>\n\
             {number}\n{}</g>\n",
            escaped(&row.text),
            drawing.text
        ),
        bottom,
    }
}

struct Drawing<'a> {
    chart: &'a Chart,
    layout: Layout,
    text: String,
    y: i32,
}

impl<'a> Drawing<'a> {
    fn at(chart: &'a Chart, layout: Layout, top: i32) -> Self {
        Drawing {
            chart,
            layout,
            text: String::new(),
            y: top + PADDING,
        }
    }

    fn line(&mut self, line: &str) {
        self.text.push_str(line);
        self.text.push('\n');
    }

    /// Lines of text, each in the middle over `x`.
    fn words(&mut self, class: &str, x: i32, lines: &[String]) {
        for line in lines {
            self.y += LINE;
            let y = self.y - 4;
            let text = escaped(line);
            self.line(&format!(
                "<text class=\"{class}\" x=\"{x}\" y=\"{y}\">{text}</text>"
            ));
        }
    }

    /// Words in the middle over the line, the line below them.
    fn arrow(&mut self, arrow: &Arrow) {
        let (from, to) = (self.layout.x(arrow.from), self.layout.x(arrow.to));
        let forward = if to > from { 1 } else { -1 };
        let middle = (from + to) / 2;
        let room = (to - from).abs() + BEYOND;
        let says = format!("{}{}", arrow.kind.symbol(), arrow.label);
        self.words("says", middle, &layout::lines(&says, room));
        if arrow.lost_in.is_some() {
            self.y += LINE;
        }
        self.y += ABOVE_WAY;
        let y = self.y;
        let begin = match arrow.epoch {
            Some(_) => from + forward * TAG,
            None => from,
        };
        let arrives = marks::way(arrow.kind, begin, to, y);
        match arrow.lost_in {
            Some(step) => self.lost(arrow, step, &arrives),
            None => self.line(&arrives),
        }
        if let Some(epoch) = arrow.epoch {
            self.line(&marks::tag(from + forward * TAG / 2, y, epoch));
        }
        self.y += BELOW_WAY;
    }

    /// The end of a message that is lost. A page that plays the steps shows it arriving until
    /// that step.
    fn lost(&mut self, arrow: &Arrow, step: usize, arrives: &str) {
        let (from, to, y) = (self.layout.x(arrow.from), self.layout.x(arrow.to), self.y);
        let (middle, base) = ((from + to) / 2, y - ABOVE_WAY - 4);
        let line = marks::line(arrow.kind, from, to, y);
        let cross = marks::cross(to, y);
        self.line(&format!(
            "<g class=\"lost-here\" data-lost-in=\"{step}\">{line}{cross}\
             <text class=\"says lost\" x=\"{middle}\" y=\"{base}\">lost in step {step}</text></g>"
        ));
        self.line(&format!(
            "<g class=\"goes-on\" display=\"none\">{arrives}</g>"
        ));
    }

    fn note(&mut self, note: &Note) {
        let class = match note.mark {
            Mark::Append => "append",
            Mark::Duplicate => "duplicate",
            Mark::Rejection => "rejection",
            Mark::Fault => "fault",
            Mark::News => "news",
        };
        let (left, right) = self.reach();
        match note.at {
            Some(at) => {
                let lines = layout::lines(&note.words(), NOTE_ROOM);
                let longest = lines.iter().map(|line| layout::width(line)).max();
                let width = longest.unwrap_or_default() + 2 * WITHIN;
                let x = self.layout.within(self.layout.x(at), width);
                self.framed(&format!("note {class}"), "note-text", x, width, &lines);
            }
            None => {
                let width = right - left;
                let lines = layout::lines(&note.words(), width - 2 * WITHIN);
                self.framed(&format!("note {class}"), "note-text", left, width, &lines);
            }
        }
    }

    fn violation(&mut self, words: &str) {
        let (left, right) = self.reach();
        let lines = layout::lines(words, right - left);
        self.framed("violation", "violation-text", left, right - left, &lines);
    }

    /// From the edge of the first lifeline's head to that of the last.
    fn reach(&self) -> (i32, i32) {
        let last = self.chart.lifelines.len().saturating_sub(1);
        (self.layout.x(0) - 36, self.layout.x(last) + 36)
    }

    fn framed(&mut self, class: &str, text: &str, x: i32, width: i32, lines: &[String]) {
        let height = lines.len() as i32 * LINE + 2 * NOTE - 2;
        let y = self.y;
        self.line(&format!(
            "<rect class=\"{class}\" x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" rx=\"5\"/>"
        ));
        self.y += NOTE - 1;
        self.words(text, x + width / 2, lines);
        self.y = y + height + NOTE;
    }
}
