//! A verdict in the prose is the one that the registry expects, and that a test finds.
//!
//! Read are "`claim` holds", "`one` and `other` are refuted", "`claim` refutes …", and lists
//! behind "holds:" and "refuted:". A question in place of a claim, as "holds: `ask …`", is asked.

use std::collections::BTreeMap;
use std::path::Path;

use assert_cmd::Command;
use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};
use retryproof_models::checking::Verdict;
use retryproof_models::claims::registry;

use crate::markdown::{documents, root};

#[test]
fn every_verdict_is_that_of_the_registry() {
    let mut seen = 0;
    let mut wrong = Vec::new();
    for path in documents().keys() {
        let text = std::fs::read_to_string(root().join(path)).expect("a document");
        for said in verdicts(&text) {
            seen += 1;
            wrong.extend(said.contradiction(path));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(seen > 100, "only {seen} verdicts were found");
}

/// What a document says of a claim.
#[derive(Debug, PartialEq)]
struct Said {
    claim: String,
    verdict: Verdict,
}

impl Said {
    fn contradiction(&self, path: &Path) -> Option<String> {
        if let Some(flags) = self.claim.strip_prefix("ask ") {
            let found = ask(flags);
            return (found != Some(self.verdict)).then(|| {
                let path = path.display();
                format!(
                    "{path}: ask {flags} {}, says the document; found: {found:?}",
                    self.verdict
                )
            });
        }
        let claim = registry().iter().find(|claim| claim.id == self.claim)?;
        (claim.expected != self.verdict).then(|| {
            let (path, id) = (path.display(), &claim.id);
            format!(
                "{path}: {id} {}, says the document; the registry: {}",
                self.verdict, claim.expected
            )
        })
    }
}

/// What a question is answered with; nothing if it is not understood.
fn ask(flags: &str) -> Option<Verdict> {
    let mut command = Command::new(env!("CARGO_BIN_EXE_retryproof"));
    command.arg("ask").args(flags.split_whitespace());
    let output = command.output().expect("retryproof runs");
    match output.status.code() {
        Some(0) => Some(Verdict::Holds),
        Some(1) => Some(Verdict::Refuted),
        Some(3) => Some(Verdict::Unknown),
        _ => None,
    }
}

/// A piece of a paragraph.
#[derive(Clone, Debug, PartialEq)]
enum Token {
    /// A code span.
    Name(String),
    /// A word, or a sign that is none.
    Word(String),
    /// Where a paragraph, a cell or an item begins or ends.
    End,
}

/// All verdicts of a text on something in backticks.
fn verdicts(text: &str) -> Vec<Said> {
    let tokens = tokens(text);
    let mut verdicts = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        let list = list(&tokens[at..]);
        let (before, after) = (&tokens[..at], &tokens[at + list.len().max(1)..]);
        let verdict = followed_by(after).or_else(|| announced_by(before));
        if let (false, Some(verdict)) = (list.is_empty(), verdict) {
            let names = list.iter().filter_map(|token| match token {
                Token::Name(name) => Some(name.clone()),
                _ => None,
            });
            verdicts.extend(names.map(|claim| Said { claim, verdict }));
        }
        at += list.len().max(1);
    }
    verdicts
}

/// Names with commas and "and" between them, from the first token on.
fn list(tokens: &[Token]) -> &[Token] {
    let mut end = 0;
    let mut next = 0;
    while let Some(Token::Name(_)) = tokens.get(next) {
        end = next + 1;
        next = end;
        while is_word(tokens.get(next), &[",", "and"]) {
            next += 1;
        }
    }
    &tokens[..end]
}

fn followed_by(tokens: &[Token]) -> Option<Verdict> {
    if is_word(tokens.first(), &["holds", "hold"]) {
        return Some(Verdict::Holds);
    }
    let is_refuted =
        is_word(tokens.first(), &["is", "are"]) && is_word(tokens.get(1), &["refuted"]);
    (is_refuted || is_word(tokens.first(), &["refutes", "refute"])).then_some(Verdict::Refuted)
}

fn announced_by(tokens: &[Token]) -> Option<Verdict> {
    let [.., verdict, colon] = tokens else {
        return None;
    };
    if !is_word(Some(colon), &[":"]) {
        return None;
    }
    match verdict {
        Token::Word(word) if word == "holds" => Some(Verdict::Holds),
        Token::Word(word) if word == "refuted" => Some(Verdict::Refuted),
        _ => None,
    }
}

fn is_word(token: Option<&Token>, words: &[&str]) -> bool {
    matches!(token, Some(Token::Word(word)) if words.contains(&word.as_str()))
}

fn tokens(text: &str) -> Vec<Token> {
    let mut tokens = Vec::new();
    let mut in_code = false;
    for event in Parser::new_ext(text, Options::ENABLE_TABLES) {
        match event {
            Event::Start(Tag::CodeBlock(_)) => in_code = true,
            Event::End(TagEnd::CodeBlock) => in_code = false,
            Event::Code(name) => tokens.push(Token::Name(name.into_string())),
            Event::Text(words) if !in_code => tokens.extend(words_of(&words)),
            Event::End(TagEnd::Paragraph | TagEnd::TableCell | TagEnd::Item) => {
                tokens.push(Token::End);
            }
            _ => {}
        }
    }
    tokens
}

/// The words of a text, each sign by itself.
fn words_of(text: &str) -> Vec<Token> {
    let mut words: Vec<String> = Vec::new();
    let mut is_open = false;
    for sign in text.chars() {
        match sign {
            _ if sign.is_whitespace() => is_open = false,
            _ if sign.is_alphanumeric() || sign == '-' => {
                match words.last_mut().filter(|_| is_open) {
                    Some(word) => word.push(sign),
                    None => words.push(sign.to_string()),
                }
                is_open = true;
            }
            _ => {
                words.push(sign.to_string());
                is_open = false;
            }
        }
    }
    words.into_iter().map(Token::Word).collect()
}

#[test]
fn verdicts_are_read() {
    let text = "`a` holds, `b` and `c` are refuted; `d` (5 in flight) holds. `e` refutes `f`.\n\n\
                holds: `g`, `h`. refuted:\n`i`\n\n| refuted: | `j` |\n|---|---|\n";
    let read: BTreeMap<String, Verdict> = verdicts(text)
        .into_iter()
        .map(|said| (said.claim, said.verdict))
        .collect();
    let expected = [
        ("a", Verdict::Holds),
        ("b", Verdict::Refuted),
        ("c", Verdict::Refuted),
        ("e", Verdict::Refuted),
        ("g", Verdict::Holds),
        ("h", Verdict::Holds),
        ("i", Verdict::Refuted),
    ];
    let expected: BTreeMap<String, Verdict> = expected
        .into_iter()
        .map(|(claim, verdict)| (claim.to_owned(), verdict))
        .collect();
    assert_eq!(read, expected);
}

#[test]
fn a_wrong_verdict_is_noticed() {
    let contradictions = |text: &str| -> Vec<String> {
        let said = verdicts(text);
        let path = Path::new("x.md");
        said.iter()
            .filter_map(|said| said.contradiction(path))
            .collect()
    };
    assert!(contradictions("`in-flight-5` holds, holds: `late-copies`.").is_empty());
    assert_eq!(contradictions("`in-flight-5` is refuted.").len(), 1);
    assert_eq!(
        contradictions("holds: `left-behind`, `leader-move`").len(),
        2
    );
    let question = "ask --in-flight 1 --window 1 --connections 1 --property no-duplicate";
    assert!(contradictions(&format!("holds: `{question}`")).is_empty());
    assert_eq!(contradictions(&format!("refuted: `{question}`")).len(), 1);
    assert_eq!(contradictions("holds: `ask --restart 1`").len(), 1);
}
