//! README: what is not modelled, in the words of the report.

use retryproof::evidence::not_modelled::NOT_MODELLED;

use crate::blessing;

#[test]
fn the_readme_tells_what_is_in_no_model() {
    let lines: Vec<String> = NOT_MODELLED.iter().map(|it| format!("- {it}")).collect();
    blessing::compare("README.md", "not-modelled", &lines.join("\n"));
}
