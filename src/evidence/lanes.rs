//! A story as a picture in the terminal: producer, network and broker as lifelines, what
//! goes from one to the other as an arrow, and beside each step what happens.

use anstyle::{AnsiColor, Style};
use retryproof_models::actors::Role;
use retryproof_properties::PropertyId;

use super::paint::Tone;
use super::scenario::Telling;
use super::story::{Log, Step, Story, Way};
use super::view;
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
    let mut picture = Picture::new(width);
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

/// Draws an act of a scenario in so many columns: under each step why numbers changed, every
/// log that changed, and every violation.
pub fn draw_telling(telling: &Telling, width: usize) -> String {
    let mut picture = Picture::new(width);
    let mut before = &telling.start;
    let logs = before.logs.iter().filter(|log| !log.entries.is_empty());
    for (index, log) in logs.enumerate() {
        if index == 0 {
            picture.line("So far:");
        }
        picture.entries(log);
    }
    for told in &telling.steps {
        picture.step(told.number, &told.step);
        for reason in &told.reasons {
            picture.reason(reason);
        }
        for (log, before) in told.after.logs.iter().zip(&before.logs) {
            if log.entries != before.entries {
                picture.entries(log);
            }
        }
        for (property, what) in &told.step.violates {
            picture.violation(&format!("{property}: {what}."));
        }
        before = &told.after;
    }
    picture.text
}

struct Picture {
    text: String,
    room: usize,
}

impl Picture {
    fn new(width: usize) -> Self {
        Picture {
            text: Tone::Strong.paint(HEADS) + "\n",
            room: width.saturating_sub(MARGIN + LANES).max(MIN_ROOM),
        }
    }

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

    /// Why a number changed.
    fn reason(&mut self, text: &str) {
        for line in wrap::hanging("· ", text, self.room).lines() {
            self.line(&Tone::Dim.paint(line));
        }
    }

    /// What a log holds, each record after its offset.
    fn entries(&mut self, log: &view::Log) {
        let words: Vec<String> = log
            .entries
            .iter()
            .map(|entry| format!("{}:{}", entry.offset, entry.record))
            .collect();
        let mut entries = log.entries.iter();
        let lead = format!("{}  ", log.name);
        let all = match words.is_empty() {
            true => "(empty)".to_owned(),
            false => words.join(" "),
        };
        for line in wrap::hanging(&lead, &all, self.room).lines() {
            let (lead, line) = line.split_at(lead.len());
            let mut text = Tone::Dim.paint(lead);
            for word in line.split(' ') {
                let tone = match entries.next() {
                    Some(entry) if entry.again => Tone::Bad,
                    Some(_) => Tone::Good,
                    None => Tone::Dim,
                };
                text += &tone.paint(word);
                text.push(' ');
            }
            self.line(text.trim_end());
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
