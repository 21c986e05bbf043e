//! What there is in a document: links, anchors, code.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use pulldown_cmark::{Event, HeadingLevel, Options, Parser, Tag, TagEnd};

/// A document, taken apart.
#[derive(Clone, Debug, Default)]
pub struct Document {
    /// The targets of its links and images, as they are written.
    pub links: Vec<String>,
    /// What a link within a document can end in, after the `#`.
    pub anchors: BTreeSet<String>,
    /// The text of each code span.
    pub spans: Vec<String>,
    /// The lines of its code blocks.
    pub code: Vec<String>,
    /// Its headings of the first level.
    pub titles: Vec<String>,
}

impl Document {
    /// Takes a text apart.
    pub fn read(text: &str) -> Document {
        let mut document = Document::default();
        let mut anchors = Anchors::default();
        let mut heading: Option<(HeadingLevel, String)> = None;
        let mut in_code = false;
        for event in Parser::new_ext(text, Options::ENABLE_TABLES) {
            match event {
                Event::Start(Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. }) => {
                    document.links.push(dest_url.into_string());
                }
                Event::Start(Tag::Heading { level, .. }) => heading = Some((level, String::new())),
                Event::End(TagEnd::Heading(_)) => {
                    if let Some((level, words)) = heading.take() {
                        document.anchors.insert(anchors.of(&words));
                        if level == HeadingLevel::H1 {
                            document.titles.push(words);
                        }
                    }
                }
                Event::Start(Tag::CodeBlock(_)) => in_code = true,
                Event::End(TagEnd::CodeBlock) => in_code = false,
                Event::Code(code) => {
                    if let Some((_, words)) = &mut heading {
                        words.push_str(&code);
                    }
                    document.spans.push(code.into_string());
                }
                Event::Text(words) if in_code => {
                    document.code.extend(words.lines().map(str::to_owned));
                }
                Event::Text(words) => {
                    if let Some((_, heading)) = &mut heading {
                        heading.push_str(&words);
                    }
                }
                Event::Html(html) | Event::InlineHtml(html) => {
                    document.anchors.extend(attributes(&html, "id"));
                    document.links.extend(attributes(&html, "href"));
                    document.links.extend(attributes(&html, "src"));
                }
                _ => {}
            }
        }
        document
    }
}

/// The values of an attribute in some HTML, as far as they stand in double quotes.
fn attributes<'a>(html: &'a str, name: &str) -> impl Iterator<Item = String> + 'a {
    let begin = format!(" {name}=\"");
    let mut pieces = html.split(begin.as_str()).map(str::to_owned);
    pieces.next();
    let values: Vec<String> = pieces
        .filter_map(|piece| piece.split_once('"').map(|(value, _)| value.to_owned()))
        .collect();
    values.into_iter()
}

/// Anchors of headings, by the rule that forges and mdBook share: letters and digits in lower
/// case, `-` for a space, nothing for other signs; a repeated one gets a number.
#[derive(Debug, Default)]
struct Anchors(BTreeMap<String, usize>);

impl Anchors {
    fn of(&mut self, words: &str) -> String {
        let slug: String = words
            .trim()
            .chars()
            .filter_map(|sign| match sign {
                ' ' => Some('-'),
                '-' | '_' => Some(sign),
                _ if sign.is_alphanumeric() => Some(sign.to_ascii_lowercase()),
                _ => None,
            })
            .collect();
        let seen = self.0.entry(slug.clone()).or_default();
        *seen += 1;
        match *seen {
            1 => slug,
            again => format!("{slug}-{}", again - 1),
        }
    }
}

/// The root of the repository.
pub fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The documents at the root that are checked, and all of docs; paths from the root.
pub fn documents() -> BTreeMap<PathBuf, Document> {
    let at_root = ["README.md", "ARCHITECTURE.md", "CHANGELOG.md"].map(PathBuf::from);
    let mut paths = chapters();
    paths.extend(at_root);
    paths
        .into_iter()
        .map(|path| {
            let text = fs::read_to_string(root().join(&path));
            let text = text.unwrap_or_else(|error| panic!("{}: {error}", path.display()));
            (path, Document::read(&text))
        })
        .collect()
}

/// The Markdown files of docs, from the root of the repository.
pub fn chapters() -> BTreeSet<PathBuf> {
    let folder = fs::read_dir(root().join("docs")).expect("docs");
    folder
        .map(|entry| Path::new("docs").join(entry.expect("an entry of docs").file_name()))
        .filter(|path| path.extension().is_some_and(|extension| extension == "md"))
        .collect()
}

#[test]
fn a_document_is_taken_apart() {
    let text =
        "# A `b` c.\n\n[d](e.md#f) ![g](h.svg) `i j`\n\n```console\n$ k\n```\n\n## A b, c\n\n\
                <a id=\"l\"></a>\n\n| m |\n|---|\n| [n](o) |\n";
    let document = Document::read(text);
    assert_eq!(document.links, ["e.md#f", "h.svg", "o"]);
    let anchors: Vec<&str> = document.anchors.iter().map(String::as_str).collect();
    assert_eq!(anchors, ["a-b-c", "a-b-c-1", "l"]);
    assert_eq!(document.spans, ["b", "i j"]);
    assert_eq!(document.code, ["$ k"]);
    assert_eq!(document.titles, ["A b c."]);
}
