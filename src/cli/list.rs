//! `retryproof list`: everything that has a name, with one line each.

use std::io::Write;

use clap::Args;
use comfy_table::{ColumnConstraint, Table};
use retryproof_models::claims::registry;
use retryproof_models::{mutants, policies, rules};
use retryproof_properties::PropertyId;

use crate::evidence::json;
use crate::evidence::paint::{symbol, Tone};
use crate::evidence::properties_table::plain_table;

use super::output::Output;
use super::{Ending, Refused};

/// List claims, properties, rules, clients and mutants, one line each
#[derive(Args, Clone, Debug)]
pub struct List {
    /// Write JSON
    #[arg(long)]
    json: bool,
}

impl List {
    pub(super) fn run(&self, output: &mut Output) -> Result<Ending, Refused> {
        if self.json {
            output.json(&json::Listing::all())?;
            return Ok(Ending::AsExpected);
        }
        let width = output.width();
        for (title, table) in [
            (
                "Claims: question, expected verdict, statement",
                claims(width),
            ),
            ("Properties", properties(width)),
            ("Rules of brokers (--rule)", rules_table(width)),
            ("Policies of clients (--client)", clients(width)),
            (
                "Mutants, and the property that must catch each",
                mutants_table(width),
            ),
        ] {
            writeln!(
                output,
                "{}\n{}\n",
                Tone::Strong.paint(title),
                table.trim_fmt()
            )?;
        }
        Ok(Ending::AsExpected)
    }
}

fn claims(width: usize) -> Table {
    let mut table = plain_table(width);
    for claim in registry() {
        let expected = format!("{} {}", symbol(claim.expected), claim.expected);
        table.add_row(vec![
            Tone::Plain.cell(claim.question),
            Tone::Plain.cell(expected),
            Tone::Plain.cell(format!("{}\n{}", claim.id, claim.statement)),
            Tone::Dim.cell(claim.tier.name()),
        ]);
    }
    fix(&mut table, &[0, 1, 3]);
    table
}

fn properties(width: usize) -> Table {
    let rows = PropertyId::ALL
        .iter()
        .map(|property| [property.id(), property.statement(), property.source()]);
    named(width, rows)
}

fn rules_table(width: usize) -> Table {
    named(
        width,
        rules::ALL
            .iter()
            .map(|rule| [rule.name, rule.about, rule.source]),
    )
}

fn clients(width: usize) -> Table {
    let rows = policies::ALL
        .iter()
        .map(|policy| [policy.name, policy.about, policy.source]);
    named(width, rows)
}

fn mutants_table(width: usize) -> Table {
    let rows = mutants::ALL
        .iter()
        .map(|mutant| [mutant.id(), mutant.about(), mutant.must_be_caught_by.id()]);
    named(width, rows)
}

/// A table of a name, a line about it, and a remark.
fn named(width: usize, rows: impl Iterator<Item = [&'static str; 3]>) -> Table {
    let mut table = plain_table(width);
    for [name, about, remark] in rows {
        table.add_row(vec![
            Tone::Plain.cell(name),
            Tone::Plain.cell(about),
            Tone::Dim.cell(remark),
        ]);
    }
    fix(&mut table, &[0]);
    table
}

fn fix(table: &mut Table, columns: &[usize]) {
    for column in columns {
        if let Some(column) = table.column_mut(*column) {
            column.set_constraint(ColumnConstraint::ContentWidth);
        }
    }
}
