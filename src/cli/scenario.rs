//! `retryproof scenario`: a named run told step by step, with the log beside it.

mod drawn;

use std::io::Write;

use clap::Args;
use retryproof_models::scenarios::{self, Act, Scenario as Named};

use crate::evidence::paint::Tone;
use crate::evidence::scenario::Telling;
use crate::evidence::{json, lanes, wrap};

use super::output::Output;
use super::{names, Ending, Refused};

/// Tell a named run step by step, or list all of them
///
/// Under each step stands why each number changed, and the log where it did. Nothing is
/// searched: a scenario says what happens, and `check` and `ask` what can.
#[derive(Args, Clone, Debug)]
pub struct Scenario {
    /// The scenario, by its id or a part that no other has; without it all are listed
    #[arg(value_name = "NAME")]
    name: Option<String>,
    /// Write JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    drawing: drawn::Drawing,
}

impl Scenario {
    pub(super) fn run(&self, output: &mut Output) -> Result<Ending, Refused> {
        match &self.name {
            Some(name) if self.drawing.is_asked_for() => {
                self.drawing.draw(output, names::scenario(name)?)?;
            }
            Some(name) => self.tell(output, names::scenario(name)?)?,
            None if self.json => output.json(&json::Scenarios::all())?,
            None => list(output)?,
        }
        Ok(Ending::AsExpected)
    }

    fn tell(&self, output: &mut Output, scenario: &Named) -> Result<(), Refused> {
        let tellings = tellings(scenario)?;
        if self.json {
            return output.json(&json::Scenario::new(scenario, &tellings));
        }
        head(output, scenario)?;
        for (act, telling) in scenario.acts.iter().zip(&tellings) {
            tell_act(output, act, telling)?;
        }
        let how = format!(
            "retryproof explore {} links every step in the explorer.",
            scenario.id
        );
        writeln!(output, "\n{}", Tone::Dim.paint(how))?;
        Ok(())
    }
}

/// Every act of a scenario, told.
fn tellings(scenario: &Named) -> Result<Vec<Telling>, Refused> {
    let acts = scenario.acts.iter();
    acts.map(|act| {
        Telling::of(act).map_err(|reason| Refused::Scenario {
            name: scenario.id,
            reason,
        })
    })
    .collect()
}

fn list(output: &mut Output) -> Result<(), Refused> {
    let longest = scenarios::ALL.iter().map(|scenario| scenario.id.len());
    let indent = longest.max().unwrap_or_default() + 2;
    for scenario in scenarios::ALL {
        let lead = format!("{:indent$}", scenario.id);
        let lines = wrap::hanging(&lead, scenario.title, output.width());
        let (id, rest) = lines.split_at(scenario.id.len());
        writeln!(output, "{}{rest}", Tone::Strong.paint(id))?;
    }
    let how = "retryproof scenario NAME tells one; a part of the name is enough.";
    writeln!(output, "\n{}", Tone::Dim.paint(how))?;
    Ok(())
}

fn head(output: &mut Output, scenario: &Named) -> Result<(), Refused> {
    let width = output.width();
    let title = wrap::fill(scenario.title, width);
    writeln!(output, "{}\n", Tone::Strong.paint(title))?;
    writeln!(output, "{}", wrap::fill(scenario.shows, width))?;
    Ok(())
}

fn tell_act(output: &mut Output, act: &Act, telling: &Telling) -> Result<(), Refused> {
    let width = output.width();
    if !act.title.is_empty() {
        let title = wrap::fill(act.title, width);
        writeln!(output, "\n{}", Tone::Strong.paint(title))?;
    }
    let conditions = wrap::fill(&act.conditions.to_string(), width);
    writeln!(output, "\n{}\n", Tone::Dim.paint(conditions))?;
    writeln!(output, "{}", lanes::draw_telling(telling, width))?;
    let (tone, ending) = ending(telling);
    writeln!(output, "{}", tone.paint(wrap::fill(&ending, width)))?;
    Ok(())
}

/// Which properties the steps violate, in a sentence.
fn ending(telling: &Telling) -> (Tone, String) {
    let broken: Vec<String> = telling
        .steps
        .iter()
        .flat_map(|told| {
            let violates = told.step.violates.iter();
            violates.map(|(property, _)| format!("{property} in step {}", told.number))
        })
        .collect();
    match broken.is_empty() {
        true => (Tone::Good, "✓ No step violates a property.".to_owned()),
        false => (Tone::Bad, format!("✗ Violated: {}.", broken.join(", "))),
    }
}
