//! A chart as SVG: light or dark as the reader's screen, as wide as a phone where there are
//! three lifelines.

mod layout;
pub(super) mod marks;
mod row;

use std::fmt::Write;

use retryproof_models::actors::Role;

use crate::evidence::svg::escaped;

use super::{Chart, Kind};

use layout::{Layout, GUTTER, LINE};

/// Style of charts. A page that holds charts has it once.
pub const STYLE: &str = include_str!("svg/style.css");

/// Height of a head, with the room around it.
const HEAD: i32 = 26;
const AROUND: i32 = 8;
/// Rows from which on the heads stand at the bottom too.
const LONG: usize = 10;

/// Draws a chart as a file of its own.
pub fn draw(chart: &Chart, title: &str) -> String {
    draw_acts(&[("", chart)], title)
}

/// Draws several charts below each other, each with its title, as one file.
pub fn draw_acts(acts: &[(&str, &Chart)], title: &str) -> String {
    let (mut width, mut height) = (0, 0);
    let (mut told, mut inside) = (Vec::new(), String::new());
    for (title, chart) in acts {
        let mut drawing = Drawing::empty(chart);
        drawing.whole(title);
        drawing.legend();
        if !title.is_empty() {
            told.push(format!("{title}."));
        }
        told.push(chart.in_words());
        // Writing to a string cannot fail.
        let _ = write!(
            inside,
            "<g transform=\"translate(0 {height})\">\n{}</g>\n",
            drawing.text
        );
        width = width.max(drawing.layout.width());
        height += drawing.y + AROUND;
    }
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"sequence\" viewBox=\"0 0 {width} {height}\" \
         width=\"{width}\" height=\"{height}\" role=\"img\" aria-labelledby=\"title told\">\n\
         <title id=\"title\">{}</title>\n<desc id=\"told\">{}</desc>\n<style>{}</style>\n\
         <rect class=\"sheet\" width=\"{width}\" height=\"{height}\" rx=\"8\"/>\n{inside}</svg>\n",
        escaped(title),
        escaped(&told.join(" ")),
        escaped(STYLE),
    )
}

/// A chart as a part of a page that has [`STYLE`] and tells the steps in words.
pub struct Parts {
    /// The heads of the lifelines, to stand over the rows.
    pub heads: String,
    /// The rows, each a group with its number in `data-step`.
    pub rows: String,
    /// What lines and symbols mean.
    pub legend: String,
    /// The width at which text has its size.
    pub width: i32,
}

/// Draws the parts of a chart.
pub fn parts(chart: &Chart) -> Parts {
    let (mut heads, mut rows) = (Drawing::empty(chart), Drawing::empty(chart));
    heads.y += AROUND;
    heads.heads();
    rows.rows();
    Parts {
        heads: heads.element(),
        rows: rows.element(),
        legend: legend(chart),
        width: heads.layout.width(),
    }
}

/// What the lines and symbols of a chart mean, as a part of a page that has [`STYLE`].
pub fn legend(chart: &Chart) -> String {
    let mut drawing = Drawing::empty(chart);
    drawing.legend();
    drawing.element()
}

/// Draws a chart with its heads as a part of a page that has [`STYLE`] and tells the steps in
/// words.
pub fn inline(chart: &Chart) -> String {
    let mut drawing = Drawing::empty(chart);
    drawing.whole("");
    drawing.element()
}

impl Chart {
    /// The steps in words, for who cannot see the drawing.
    pub fn in_words(&self) -> String {
        let mut words = Vec::new();
        if !self.log_at_start.is_empty() {
            let log = self.log_at_start.join(" ");
            words.push(format!("At the start the log holds {log}."));
        }
        for row in &self.rows {
            words.push(format!("{}. {}", row.step, row.text));
            let violates = row.violates.iter();
            words.extend(violates.map(|(property, what)| format!("Violates {property}: {what}.")));
        }
        words.join(" ")
    }
}

struct Drawing<'a> {
    chart: &'a Chart,
    layout: Layout,
    text: String,
    /// Where the next thing is drawn.
    y: i32,
}

impl<'a> Drawing<'a> {
    fn empty(chart: &'a Chart) -> Self {
        Drawing {
            chart,
            layout: Layout::of(chart.lifelines.len()),
            text: String::new(),
            y: 0,
        }
    }

    /// A title, heads, lifelines and rows.
    fn whole(&mut self, title: &str) {
        self.y += AROUND;
        self.title(title);
        self.heads();
        self.rows();
        if self.chart.rows.len() >= LONG {
            self.heads();
        }
    }

    /// Rows on their lifelines.
    fn rows(&mut self) {
        let (chart, layout, top) = (self.chart, self.layout, self.y);
        let mut rows = Vec::new();
        if !chart.log_at_start.is_empty() {
            rows.push(row::at_start(chart, layout, top));
        }
        for (index, row) in chart.rows.iter().enumerate() {
            let top = rows.last().map_or(top, |row: &row::Drawn| row.bottom);
            rows.push(row::draw(chart, layout, index, row, top));
        }
        let bottom = rows.last().map_or(top, |row| row.bottom) + AROUND;
        // Shades below, lifelines upon them, contents upon those.
        self.text.extend(rows.iter().map(|row| row.shade.as_str()));
        self.lifelines(bottom);
        self.text
            .extend(rows.iter().map(|row| row.contents.as_str()));
        self.y = bottom;
    }

    fn line(&mut self, line: &str) {
        // Writing to a string cannot fail.
        let _ = writeln!(self.text, "{line}");
    }

    fn title(&mut self, title: &str) {
        if title.is_empty() {
            return;
        }
        let room = self.layout.width() - 2 * AROUND;
        for line in layout::lines(title, room) {
            self.y += LINE;
            let y = self.y;
            self.line(&format!(
                "<text class=\"title\" x=\"{AROUND}\" y=\"{y}\">{}</text>",
                escaped(&line)
            ));
        }
        self.y += 2 * AROUND;
    }

    fn heads(&mut self) {
        let y = self.y;
        for (index, lifeline) in self.chart.lifelines.iter().enumerate() {
            let x = self.layout.x(index);
            let width = layout::width(&lifeline.name) + 18;
            self.line(&format!(
                "<rect class=\"head\" x=\"{}\" y=\"{y}\" width=\"{width}\" height=\"{HEAD}\" rx=\"6\"/>\
                 <text class=\"head-text\" x=\"{x}\" y=\"{}\">{}</text>",
                x - width / 2,
                y + 17,
                escaped(&lifeline.name)
            ));
        }
        self.y += HEAD;
    }

    fn lifelines(&mut self, bottom: i32) {
        let top = self.y;
        for (index, lifeline) in self.chart.lifelines.iter().enumerate() {
            let x = self.layout.x(index);
            let class = match lifeline.role {
                Role::Network => "lifeline network",
                Role::Producer | Role::Broker => "lifeline",
            };
            self.line(&format!(
                "<line class=\"{class}\" x1=\"{x}\" y1=\"{top}\" x2=\"{x}\" y2=\"{bottom}\"/>"
            ));
        }
    }

    /// What occurs in the chart, with its meaning.
    fn legend(&mut self) {
        self.y += AROUND;
        let kinds: Vec<Kind> = self.chart.arrows().map(|arrow| arrow.kind).collect();
        for kind in Kind::ALL.iter().filter(|kind| kinds.contains(kind)) {
            let (from, to, y) = (GUTTER, GUTTER + 56, self.y + LINE / 2);
            let way = marks::way(*kind, from, to, y);
            self.entry(&way, kind.words());
        }
        if self.chart.arrows().any(|arrow| arrow.lost_in.is_some()) {
            let cross = marks::cross(GUTTER + 28, self.y + LINE / 2);
            self.entry(&cross, "lost here, on the network");
        }
        if self.chart.arrows().any(|arrow| arrow.epoch > Some(0)) {
            let y = self.y + LINE / 2;
            let tags = marks::tag(GUTTER + 16, y, 0) + &marks::tag(GUTTER + 40, y, 1);
            self.entry(&tags, "epoch of the request");
        }
        self.y += AROUND;
    }

    fn entry(&mut self, mark: &str, words: &str) {
        let (x, y) = (GUTTER + 68, self.y + LINE / 2 + 4);
        self.line(&format!(
            "{mark}<text class=\"legend\" x=\"{x}\" y=\"{y}\">{}</text>",
            escaped(words)
        ));
        self.y += LINE + 5;
    }

    /// A part of a page. The page tells the same in words.
    fn element(&self) -> String {
        let (width, height) = (self.layout.width(), self.y + AROUND);
        format!(
            "<svg class=\"sequence\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" \
             height=\"{height}\" aria-hidden=\"true\" focusable=\"false\">\n{}</svg>\n",
            self.text
        )
    }
}
