//! A story as a picture in the terminal: producer, network and broker as lifelines, what
//! goes from one to the other as an arrow, and beside each step what happens.

use std::fmt::Write;

use anstyle::{AnsiColor, Style};
use retryproof_models::actors::Role;
use retryproof_properties::PropertyId;

use super::paint::Tone;
use super::wrap;
use super::story::{Log, Step, Story, Way};

/// Heads of the lifelines; each stands over its line.
const HEADS: &str = "producer  network   broker";
/// Columns of a picture: number of the step, lifelines, room between them and the text.
const MARGIN: usize = 4;
const LANES: usize = 24;
const GAP: usize = 2;
/// Lifelines of a line on which nothing goes anywhere.
const STILL: &str = "   │         │         │";

/// Draws a story in so many columns. Only violations of the properties asked for are told.
pub fn draw(story: &Story, asked: &[PropertyId], width: usize) -> String {
    let mut picture = Picture {
        text: String::new(),
        room: width.saturating_sub(MARGIN + LANES + GAP).max(20),
    };
    picture.heads();
    if !story.log_at_start.records.is_empty() {
        let start = "At the start this was written and acknowledged:";
        picture.lines("", STILL, Tone::Plain.style(), &[start.to_owned()]);
        picture.log(&story.log_at_start);
    }
    for (index, step) in story.steps.iter().enumerate() {
        picture.step(index + 1, step, asked);
    }
    picture.text
}

struct Picture {
    text: String,
    room: usize,
}

impl Picture {
    fn heads(&mut self) {
        let heads = Tone::Strong.paint(HEADS);
        // Writing to a string cannot fail.
        let _ = writeln!(self.text, "{:MARGIN$}{heads}", "");
    }

    fn step(&mut self, number: usize, step: &Step, asked: &[PropertyId]) {
        let style = actor(step.actor);
        let lines = wrap::lines(&step.text, self.room);
        self.lines(&number.to_string(), arrow(step.way), style, &lines);
        if let Some(log) = &step.log {
            self.log(log);
        }
        let told = step
            .violates
            .iter()
            .filter(|(property, _)| asked.contains(property));
        for (property, what) in told {
            self.violation(&format!("{property}: {what}."));
        }
    }

    /// Lines of text beside lifelines; the first with the arrow.
    fn lines(&mut self, number: &str, arrow: &str, style: Style, lines: &[String]) {
        let number = Tone::Dim.paint(format!("{number:>2}  "));
        let mut lead = format!("{number}{style}{arrow}{style:#}");
        for line in lines {
            let _ = writeln!(self.text, "{lead}{:GAP$}{line}", "");
            lead = format!("{:MARGIN$}{STILL}", "");
        }
    }

    fn log(&mut self, log: &Log) {
        let lines = wrap::lines(&log.records.join(" "), self.room.saturating_sub(5));
        let mut offset = 0;
        for (index, line) in lines.iter().enumerate() {
            let painted: Vec<String> = line
                .split(' ')
                .map(|record| {
                    offset += 1;
                    match log.is_repeated(offset - 1) {
                        true => Tone::Bad.paint(record),
                        false => Tone::Good.paint(record),
                    }
                })
                .collect();
            let head = if index == 0 { "log" } else { "" };
            let head = Tone::Dim.paint(format!("{head:<5}"));
            let _ = writeln!(
                self.text,
                "{:MARGIN$}{STILL}{:GAP$}{head}{}",
                "",
                "",
                painted.join(" ")
            );
        }
    }

    fn violation(&mut self, text: &str) {
        for line in textwrap::wrap(
            text,
            textwrap::Options::new(self.room).subsequent_indent("  "),
        ) {
            let line = Tone::Bad.paint(line);
            let _ = writeln!(self.text, "{:MARGIN$}{STILL}{:GAP$}{line}", "", "");
        }
    }
}

fn arrow(way: Way) -> &'static str {
    match way {
        Way::Out => "   ●────────▶│         │",
        Way::In => "   │         ●────────▶│",
        Way::Late => "   │         ○┄┄┄┄┄┄┄┄▶│",
        Way::Back => "   │◀────────●         │",
        Way::Lost => "   │         ╳         │",
    }
}

fn actor(role: Role) -> Style {
    match role {
        Role::Producer => AnsiColor::Cyan.on_default(),
        Role::Network => AnsiColor::Red.on_default(),
        Role::Broker => AnsiColor::Blue.on_default(),
    }
}
