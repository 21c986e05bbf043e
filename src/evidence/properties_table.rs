//! The verdict on each property of one world, as a table.

use comfy_table::{presets, ColumnConstraint, Table};
use retryproof_models::checking::{Outcome, PropertyOutcome, Verdict};

use super::figures;
use super::paint::{symbol, Tone};

/// Lays out what was found of each property, in so many columns.
pub fn table(outcome: &Outcome, width: usize) -> Table {
    let mut table = plain_table(width);
    for found in &outcome.properties {
        let tone = Tone::of(found.verdict);
        table.add_row(vec![
            tone.cell(format!("{} {}", symbol(found.verdict), found.verdict)),
            Tone::Strong.cell(found.property),
            Tone::Plain.cell(remark(found)),
        ]);
    }
    for column in 0..2 {
        if let Some(column) = table.column_mut(column) {
            column.set_constraint(ColumnConstraint::ContentWidth);
        }
    }
    table
}

fn remark(found: &PropertyOutcome) -> String {
    match (found.verdict, &found.counterexample) {
        (_, Some(run)) => format!(
            "The shortest run against it has {}.",
            figures::counted(run.len(), "step")
        ),
        (Verdict::Holds, None) if found.premises == 0 => {
            "Holds because the situation it speaks of never arises here.".to_owned()
        }
        _ => found.property.statement().to_owned(),
    }
}

/// A table without lines, in so many columns.
pub fn plain_table(width: usize) -> Table {
    let mut table = Table::new();
    table
        .load_preset(presets::NOTHING)
        .enforce_styling()
        .set_content_arrangement(comfy_table::ContentArrangement::Dynamic)
        .set_width(width.try_into().unwrap_or(u16::MAX));
    table
}
