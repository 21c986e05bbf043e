//! docs/fixes.md: the lattice of fixes, as a run finds it.

use std::fmt::Write;

use retryproof::evidence::figures;
use retryproof_models::checking::Limits;
use retryproof_models::fixes::{
    lattice, needed, Closing, Fix, FixSet, Lattice, DISTURBANCES, EVERYTHING,
};
use retryproof_properties::PropertyId;

use crate::blessing;

#[test]
fn the_lattice_is_what_a_run_gives() {
    let limits = Limits::default();
    let found: Vec<Lattice> = DISTURBANCES
        .iter()
        .map(|disturbance| lattice(disturbance, &limits).expect("an exhausted world"))
        .collect();
    let together = needed(&limits).expect("an exhausted world");
    let text = format!(
        "{}\n\n{}\n\n{}",
        legend(),
        table(&found),
        everything(&together)
    );
    blessing::compare("docs/fixes.md", "lattice", &text);
}

fn legend() -> String {
    let mut text = String::from("| | fix |\n|---|---|");
    for fix in Fix::ALL {
        let _ = write!(text, "\n| **{}** | {} |", fix.letter(), fix.name());
    }
    text
}

fn table(found: &[Lattice]) -> String {
    let mut text = String::from(
        "| dropped condition | property that breaks | smallest sets of fixes that are enough | sets \
         tried | states |\n|---|---|---|---:|---:|",
    );
    for lattice in found {
        let disturbance = lattice.disturbance;
        let mut label = format!("**{}** {}", disturbance.question, disturbance.name);
        let mut size = format!("{} | {}", lattice.sets, figures::count(lattice.states));
        for closing in &lattice.closings {
            let _ = write!(
                text,
                "\n| {label} | {} | {} | {size} |",
                closing.property,
                enough(closing)
            );
            label.clear();
            " | ".clone_into(&mut size);
        }
    }
    text
}

fn enough(closing: &Closing) -> String {
    let named = |set: &FixSet| match set.is_empty() {
        true => "none needed".to_owned(),
        false => format!("**{set}**"),
    };
    let sets: Vec<String> = closing.minimal.iter().map(named).collect();
    let sets = match sets.is_empty() {
        true => "no set of these".to_owned(),
        false => sets.join(" or "),
    };
    match closing.spoilt {
        Some(set) => format!("{sets}; not with **{set}**"),
        None => sets,
    }
}

fn everything(together: &[(Option<Fix>, Vec<PropertyId>)]) -> String {
    let mut text = format!(
        "{}: `{}`.\n\n| fixes | breaks |\n|---|---|",
        EVERYTHING.name,
        EVERYTHING.conditions.flags()
    );
    for (left_out, broken) in together {
        let broken: Vec<&str> = broken.iter().map(|property| property.id()).collect();
        let fixes = match left_out {
            None => "all of them".to_owned(),
            Some(fix) => format!("all but **{}**, {}", fix.letter(), fix.name()),
        };
        let _ = write!(text, "\n| {fixes} | {} |", broken.join(", "));
    }
    text
}
