//! `retryproof list`: everything that has a name, and what it is.

use std::io::Write;

use clap::Args;
use comfy_table::{Cell, ColumnConstraint, Table};
use retryproof_models::claims::{registry, Claim, Question, QUESTIONS};
use retryproof_models::mutants;
use retryproof_models::policies::{self, Policy};
use retryproof_models::rules::{self, Rule};
use retryproof_models::scenarios;
use retryproof_properties::PropertyId;

use crate::evidence::paint::{symbol, Tone};
use crate::evidence::properties_table::plain_table;
use crate::evidence::{figures, json};

use super::output::Output;
use super::{Ending, Refused};

/// List claims, scenarios, properties, rules, clients and mutants
#[derive(Args, Clone, Debug)]
pub struct List {
    /// Show each claim about the frontier instead of a line for all
    #[arg(long)]
    all_rows: bool,
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
                self.claims(width),
            ),
            (
                "Scenarios (retryproof scenario NAME)",
                scenarios_table(width),
            ),
            ("Properties", properties(width)),
            ("Rules of brokers (--rule)", rules_table(rules::ALL, width)),
            (
                "Policies of clients (--client)",
                clients(policies::ALL, width),
            ),
            (
                "Published faulty brokers (--rule, with --batches)",
                rules_table(rules::published::ALL, width),
            ),
            (
                "Published faulty clients (--client, with --batches)",
                clients(policies::published::ALL, width),
            ),
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

    fn claims(&self, width: usize) -> Table {
        let mut table = plain_table(width);
        let is_folded = |claim: &&Claim| !self.all_rows && claim.id.starts_with(FRONTIER);
        let mut folded = Vec::new();
        for claim in by_question() {
            if !is_folded(&claim) {
                let expected = format!("{} {}", symbol(claim.expected), claim.expected);
                add_claim(
                    &mut table,
                    [claim.question, &expected, &claim.id, claim.tier.name()],
                    &claim.statement,
                );
            } else if !folded.contains(&claim.tier) {
                folded.push(claim.tier);
                let alike = registry().iter().filter(is_folded);
                let count = alike.filter(|other| other.tier == claim.tier).count();
                let id = format!("{FRONTIER}N-W-…: {}", figures::counted(count, "claim"));
                add_claim(
                    &mut table,
                    [claim.question, "", &id, claim.tier.name()],
                    "Every in-flight limit N with every window W; --all-rows shows each claim",
                );
            }
        }
        fix(&mut table, &[0, 1, 3]);
        table
    }
}

/// All claims, by question.
fn by_question() -> Vec<&'static Claim> {
    let of = |question: &'static Question| {
        let claims = registry().iter();
        claims.filter(move |claim| claim.question == question.id)
    };
    QUESTIONS.iter().flat_map(of).collect()
}

/// How the ids of the many claims about the frontier begin.
const FRONTIER: &str = "frontier-";

fn add_claim(table: &mut Table, [question, expected, id, tier]: [&str; 4], statement: &str) {
    table.add_row(vec![
        Tone::Plain.cell(question),
        Tone::Plain.cell(expected),
        Tone::Strong.cell(id),
        Tone::Plain.cell(tier),
    ]);
    let statement = Tone::Plain.cell(statement);
    table.add_row(vec![Cell::new(""), Cell::new(""), statement]);
}

fn scenarios_table(width: usize) -> Table {
    let rows = scenarios::ALL
        .iter()
        .map(|scenario| [scenario.id, scenario.title, scenario.source]);
    named(width, rows)
}

fn properties(width: usize) -> Table {
    let rows = PropertyId::ALL
        .iter()
        .map(|property| [property.id(), property.statement(), property.source()]);
    named(width, rows)
}

fn rules_table(rules: &[&Rule], width: usize) -> Table {
    let rows = rules
        .iter()
        .map(|rule| [rule.name, rule.about, rule.source]);
    named(width, rows)
}

fn clients(policies: &[&Policy], width: usize) -> Table {
    let rows = policies
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
            Tone::Strong.cell(name),
            Tone::Plain.cell(about),
            Tone::Plain.cell(remark),
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
