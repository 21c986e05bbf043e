//! Scenarios that chapters show as drawings: their first acts.

use retryproof::evidence::sequence::{svg, Chart};
use retryproof_models::scenarios;

use crate::{blessing, whole_file};

/// Which scenario is drawn in which chapter.
const DRAWN: [(&str, &str); 3] = [
    ("dedup-against-plain", "docs/deduplication.md"),
    ("late-copies", "docs/network.md"),
    ("restart", "docs/operators.md"),
];

/// The files of the drawings, from docs.
pub fn files() -> impl Iterator<Item = String> {
    DRAWN.iter().map(|(id, _)| file(id))
}

fn file(id: &str) -> String {
    format!("diagrams/{id}.svg")
}

#[test]
fn the_drawings_are_those_of_the_scenarios() {
    for (id, document) in DRAWN {
        let scenario = scenarios::find(id).expect("a scenario of this id");
        let act = scenario.acts.first().expect("an act");
        let run = act.run().unwrap_or_else(|error| panic!("{id}: {error}"));
        let titles = [scenario.title, act.title].map(str::trim);
        let titles = titles.into_iter().filter(|title| !title.is_empty());
        let title = titles.collect::<Vec<_>>().join(": ");
        let drawn = svg::draw(&Chart::of(&run), &title);
        whole_file::compare(&format!("docs/{}", file(id)), &drawn);
        let text = format!(
            "![{title}]({})\n\n`retryproof scenario {id}` tells it.",
            file(id)
        );
        blessing::compare(document, id, &text);
    }
}
