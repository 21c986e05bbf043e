//! How templates write figures and text.

use minijinja::{Environment, Value};

use crate::evidence::figures;

/// Adds what templates call.
pub(super) fn add_to(environment: &mut Environment<'_>) {
    environment.add_filter("count", figures::count);
    environment.add_filter("counted", |number: usize, noun: &str| {
        figures::counted(number, noun)
    });
    environment.add_filter("odds", figures::odds);
    environment.add_filter("seconds", figures::seconds);
    environment.add_filter("sentence", sentence);
    environment.add_filter("code", code);
    environment.add_filter("cell", cell);
    environment.add_filter("repeated", repeated);
}

/// With a capital letter.
fn sentence(words: &str) -> String {
    let mut letters = words.chars();
    letters.next().map_or_else(String::new, |first| {
        first.to_uppercase().chain(letters).collect()
    })
}

/// What stands between backticks as code, in HTML.
fn code(text: &str) -> Value {
    let parts = text.split('`').enumerate().map(|(index, part)| {
        let part = escaped(part);
        match index % 2 {
            0 => part,
            _ => format!("<code>{part}</code>"),
        }
    });
    Value::from_safe_string(parts.collect())
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
}

/// Text in a cell of a table, in Markdown.
fn cell(text: &str) -> String {
    escaped(text).replace('|', "\\|").replace('\n', " ")
}

/// For each record of a log whether it stands at an earlier offset too.
fn repeated(log: Vec<String>) -> Vec<bool> {
    let earlier = |(offset, record)| log[..offset].contains(record);
    log.iter().enumerate().map(earlier).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn code_is_marked_and_nothing_else_is_let_through() {
        let html = code("a `b<c` & d");
        assert_eq!(html.to_string(), "a <code>b&lt;c</code> &amp; d");
    }

    #[test]
    fn a_cell_stays_one() {
        assert_eq!(cell("a | b\n<c>"), "a \\| b &lt;c&gt;");
    }

    #[test]
    fn a_sentence_begins_with_a_capital() {
        assert_eq!(sentence("no batch"), "No batch");
        assert_eq!(sentence(""), "");
    }
}
