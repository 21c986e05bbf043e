//! docs/why-small-is-enough.md: how verdicts and decisions grow with a world.

use std::fmt::Write;

use retryproof::evidence::figures;
use retryproof_models::checking::{Limits, Verdict};
use retryproof_models::conditions::Budget;
use retryproof_models::cutoffs::{all_growths, Dimension, Growth, Measured, BASES};
use retryproof_properties::PropertyId;

use crate::blessing;

#[test]
fn the_cutoffs_are_what_a_run_gives() {
    let growths = all_growths(&Limits::default());
    let text = format!("{}\n\n{}", by_property(&growths), by_world(&growths));
    blessing::compare("docs/why-small-is-enough.md", "cutoffs", &text);
}

/// For each property the size from which on its verdict is the same in every base world.
fn by_property(growths: &[Growth]) -> String {
    let mut text = String::from("| property |");
    for dimension in Dimension::ALL {
        let _ = write!(text, " {} |", dimension.name());
    }
    text.push_str("\n|---|");
    text.push_str(&"---:|".repeat(Dimension::ALL.len()));
    for property in PropertyId::ALL {
        let _ = write!(text, "\n| `{property}` |");
        for dimension in Dimension::ALL {
            let grown = growths
                .iter()
                .filter(|growth| growth.dimension == *dimension);
            let settled = grown.map(|growth| settled(growth, growth.verdict_from(*property)));
            let last = settled.max_by_key(|(order, _)| *order);
            let _ = write!(
                text,
                " {} |",
                last.map_or_else(String::new, |(_, told)| told)
            );
        }
    }
    text
}

/// A size from which on nothing changes, and its place in an order in which no settling at all
/// comes last.
fn settled(growth: &Growth, from: Budget) -> ((bool, u8), String) {
    let is_open = !growth.is_inside(from);
    let number = match from {
        Budget::Any => u8::MAX,
        Budget::AtMost(number) => number,
    };
    ((is_open, number), told(growth, from))
}

fn told(growth: &Growth, from: Budget) -> String {
    match growth.is_inside(from) {
        true => from.to_string(),
        false => format!("{from}?"),
    }
}

fn by_world(growths: &[Growth]) -> String {
    let mut text = String::from(
        "| world | what grows | sizes | refuted | shapes | pairs | the same from: verdicts | \
         shapes | pairs | states |\n|---|---|---|---|---|---|---:|---:|---:|---:|",
    );
    for base in BASES {
        let mut label = format!("**{}** `{}`", base.name, base.conditions.flags());
        for growth in growths.iter().filter(|growth| growth.base == base) {
            let _ = write!(text, "\n| {label} | {}", row(growth));
            label.clear();
        }
    }
    text
}

fn row(growth: &Growth) -> String {
    let states = growth.sizes.iter().map(|size| size.gathered.states);
    format!(
        "{} | {} | {} | {} | {} | {} | {} | {} | {} |",
        growth.dimension.name(),
        sizes(growth),
        numbers(growth, refuted),
        numbers(growth, |size| size.gathered.shapes.len()),
        numbers(growth, |size| size.gathered.pairs.len()),
        told(growth, growth.verdicts_from()),
        told(growth, growth.shapes_from()),
        told(growth, growth.pairs_from()),
        states.max().map_or_else(String::new, figures::count),
    )
}

/// The sizes that were tried, as in "1 to 8, any".
fn sizes(growth: &Growth) -> String {
    let numbers: Vec<u8> = growth
        .sizes
        .iter()
        .filter_map(|size| match size.size {
            Budget::AtMost(number) => Some(number),
            Budget::Any => None,
        })
        .collect();
    let (first, last) = (numbers.first(), numbers.last());
    let range = match (first, last) {
        (Some(first), Some(last)) => format!("{first} to {last}"),
        _ => String::new(),
    };
    match numbers.len() < growth.sizes.len() {
        true => format!("{range}, any"),
        false => range,
    }
}

fn refuted(size: &Measured) -> usize {
    let verdicts = size.verdicts.iter();
    verdicts
        .filter(|verdict| **verdict == Verdict::Refuted)
        .count()
}

/// The number at each size, up to where it stays what it is.
fn numbers(growth: &Growth, count: impl Fn(&Measured) -> usize) -> String {
    let mut counts: Vec<usize> = growth.sizes.iter().map(count).collect();
    while counts.len() > 1 && counts[counts.len() - 1] == counts[counts.len() - 2] {
        counts.pop();
    }
    let counts: Vec<String> = counts.iter().map(usize::to_string).collect();
    counts.join(" ")
}
