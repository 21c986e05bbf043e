//! Text in lines of limited length. Words are not broken, least of all ids at a hyphen.

use textwrap::{Options, WordSplitter};

/// The lines of a text, each of at most so many columns if its words allow.
pub fn lines(text: &str, width: usize) -> Vec<String> {
    textwrap::wrap(text, options(width))
        .into_iter()
        .map(|line| line.into_owned())
        .collect()
}

/// The text in lines.
pub fn fill(text: &str, width: usize) -> String {
    textwrap::fill(text, options(width))
}

/// The text in lines, the first led by `lead` and the others by as many blanks.
pub fn hanging(lead: &str, text: &str, width: usize) -> String {
    let blanks = " ".repeat(lead.chars().count());
    let options = options(width)
        .initial_indent(lead)
        .subsequent_indent(&blanks);
    textwrap::fill(text, options)
}

fn options(width: usize) -> Options<'static> {
    Options::new(width).word_splitter(WordSplitter::NoHyphenation)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_not_broken() {
        assert_eq!(
            lines("below 3e-15 of no-duplicate", 15),
            ["below 3e-15 of", "no-duplicate"]
        );
    }

    #[test]
    fn a_lead_hangs() {
        assert_eq!(hanging("✗ ", "one two", 6), "✗ one\n  two");
    }
}
