//! Tables of things that have names, in the chapters that introduce them.

use retryproof_models::rules;
use retryproof_properties::PropertyId;

use crate::blessing;

#[test]
fn the_properties_are_those_of_the_registry() {
    let rows = PropertyId::ALL
        .iter()
        .map(|property| format!("| `{property}` | {} |", property.statement()));
    let table = table("property", "what it says", rows);
    blessing::compare("docs/guarantee.md", "properties", &table);
}

#[test]
fn the_rules_are_those_of_the_registry() {
    let rows = rules::ALL
        .iter()
        .map(|rule| format!("| `{}` | {} |", rule.name, rule.about));
    let table = table("rule", "what it does", rows);
    blessing::compare("docs/deduplication.md", "rules", &table);
}

fn table(name: &str, about: &str, rows: impl Iterator<Item = String>) -> String {
    let head = [format!("| {name} | {about} |"), "|---|---|".to_owned()];
    head.into_iter().chain(rows).collect::<Vec<_>>().join("\n")
}
