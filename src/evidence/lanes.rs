//! A story as a picture in the terminal: producer, network and broker as lifelines, what
//! goes from one to the other as an arrow, and beside each step what happens.

use anstyle::{AnsiColor, Style};
use retryproof_models::actors::Role;
use retryproof_properties::PropertyId;

use super::paint::Tone;
use super::story::{Log, Step, Story, Way};
use super::wrap;

/// Heads of the lifelines; each stands over its line.
const HEADS: &str = "   producer  network   broker";
/// Lifelines where nothing goes anywhere.
const STILL: &str = "   │         │         │";
/// Columns left of the lifelines, and of lifelines with the gap to the text.
const MARGIN: usize = 3;
const LANES: usize = 26;
/// Fewest columns for text.
const MIN_ROOM: usize = 20;
/// Columns of the word "log".
const LOG: usize = 5;

/// Draws a story in so many columns. Only violations of the properties asked for are told.
pub fn draw(story: &Story, asked: &[PropertyId], width: usize) -> String {
    let mut picture = Picture {
        text: Tone::Strong.paint(HEADS) + "\n",
        room: width.saturating_sub(MARGIN + LANES).max(MIN_ROOM),
    };
    if !story.log_at_start.records.is_empty() {
        picture.line("At the start this was written and acknowledged:");
        picture.log(&story.log_at_start);
    }
    for (index, step) in story.steps.iter().enumerate() {
        picture.step(index + 1, step);
        if let Some(log) = &step.log {
            picture.log(log);
        }
        let violates = step.violates.iter();
        for (property, what) in violates.filter(|(property, _)| asked.contains(property)) {
            picture.violation(&format!("{property}: {what}."));
        }
    }
    picture.text
}

struct Picture {
    text: String,
    room: usize,
}

impl Picture {
    /// What happens, the first line beside the arrow.
    fn step(&mut self, number: usize, step: &Step) {
        let number = Tone::Dim.paint(format!("{number:>2}"));
        let blank = MARGIN - 2;
        let lanes = lanes(way(step), colour(step.actor));
        let mut lines = wrap::lines(&step.text, self.room).into_iter();
        let first = lines.next().unwrap_or_default();
        self.text += &format!("{number}{:blank$}{lanes}  {first}\n", "");
        for line in lines {
            self.line(&line);
        }
    }

    /// A line on which nothing goes anywhere.
    fn line(&mut self, text: &str) {
        let lanes = lanes(STILL, Style::new());
        self.text += &format!("{:MARGIN$}{lanes}  {text}\n", "");
    }

    /// What the log holds; a record that stands in it already is marked.
    fn log(&mut self, log: &Log) {
        let mut head = "log";
        let mut offset = 0;
        for line in wrap::lines(&log.records.join(" "), self.room - LOG) {
            let mut text = Tone::Dim.paint(format!("{head:<LOG$}"));
            for record in line.split(' ') {
                let tone = match log.is_repeated(offset) {
                    true => Tone::Bad,
                    false => Tone::Good,
                };
                text += &tone.paint(record);
                text.push(' ');
                offset += 1;
            }
            self.line(text.trim_end());
            head = "";
        }
    }

    fn violation(&mut self, text: &str) {
        for line in wrap::hanging("✗ ", text, self.room).lines() {
            self.line(&Tone::Bad.paint(line));
        }
    }
}

/// What goes from whom to whom; where nothing goes anywhere, who acts.
fn way(step: &Step) -> &'static str {
    match (step.way, step.actor) {
        (Way::Out, _) => "   ●────────▶│         │",
        (Way::In, _) => "   │         ●────────▶│",
        (Way::Late, _) => "   │         ○┄┄┄┄┄┄┄┄▶│",
        (Way::Back, _) => "   │◀────────●         │",
        (Way::Lost, _) => "   │         ╳         │",
        (Way::Down, _) => "   │         │         ╳",
        (Way::Nowhere, Role::Producer) => "   ●         │         │",
        (Way::Nowhere, Role::Network) => "   │         ●         │",
        (Way::Nowhere, Role::Broker) => "   │         │         ●",
    }
}

fn colour(actor: Role) -> Style {
    match actor {
        Role::Producer => AnsiColor::Cyan.on_default(),
        Role::Network => AnsiColor::Red.on_default().bold(),
        Role::Broker => AnsiColor::Blue.on_default(),
    }
}

/// Lifelines in the background, what crosses them in colour.
fn lanes(lanes: &str, colour: Style) -> String {
    let is_behind = |symbol: &char| matches!(symbol, '│' | ' ');
    let symbols: Vec<char> = lanes.chars().collect();
    symbols
        .chunk_by(|one, other| is_behind(one) == is_behind(other))
        .map(|piece| {
            let text: String = piece.iter().collect();
            match is_behind(&piece[0]) {
                true => Tone::Dim.paint(text),
                false => format!("{colour}{text}{colour:#}"),
            }
        })
        .collect()
}
