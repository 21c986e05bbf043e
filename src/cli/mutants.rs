//! `retryproof mutants`: which property catches which mutant.

use std::io::Write;

use clap::Args;
use retryproof_models::checking::Limits;
use retryproof_models::mutants::{self, Mutant};

use crate::evidence::kill_matrix::KillMatrix;
use crate::evidence::paint::Tone;
use crate::evidence::{figures, json, wrap};

use super::interrupt::Interrupt;
use super::output::Output;
use super::progress::Watcher;
use super::search::ThreadsFlag;
use super::{Ending, Refused};

/// Which property catches which mutant: rules and clients with one thing wrong
///
/// Exit code 0 if every mutant is caught and no property is idle, else 1.
#[derive(Args, Clone, Debug)]
pub struct Mutants {
    /// Write JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    threads: ThreadsFlag,
}

impl Mutants {
    pub(super) fn run(&self, output: &mut Output) -> Result<Ending, Refused> {
        let brake = Interrupt::new().brake();
        let matrix = try_all(&self.threads.limits(brake));
        if self.json {
            output.json(&json::Trials::new(&matrix))?;
        } else {
            show(output, &matrix)?;
        }
        Ok(ending(&matrix))
    }
}

/// Tries every mutant, until the brake is pulled. A trial that was stopped says nothing.
pub(super) fn try_all(limits: &Limits) -> KillMatrix {
    let watcher = Watcher::new(mutants::ALL.len(), &limits.brake);
    let mut trials = Vec::new();
    for mutant in mutants::ALL {
        watcher.begin(mutant.id());
        let trial = mutants::try_out(mutant, limits, &watcher);
        if limits.brake.is_pulled() {
            break;
        }
        trials.push(trial);
        watcher.done(1);
    }
    let not_tried = mutants::ALL[trials.len()..]
        .iter()
        .map(Mutant::id)
        .collect();
    KillMatrix { trials, not_tried }
}

fn show(output: &mut Output, matrix: &KillMatrix) -> Result<(), Refused> {
    writeln!(output, "{}", matrix.draw())?;
    let legend = "A number is the length of the shortest run in which the property catches the \
                  mutant; [ ] marks the property that must. The same world without the mutant \
                  upholds it.";
    let legend = wrap::fill(legend, output.width());
    writeln!(output, "{}", Tone::Dim.paint(legend))?;
    for trial in matrix.survivors() {
        let line = format!("✗ {} survives: {}", trial.mutant.id(), trial.mutant.about());
        writeln!(output, "{}", Tone::Bad.paint(line))?;
    }
    for trial in matrix.missed() {
        let must = trial.mutant.must_be_caught_by;
        let line = format!("✗ {} is not caught by {must}", trial.mutant.id());
        writeln!(output, "{}", Tone::Bad.paint(line))?;
    }
    for property in matrix.idle_properties() {
        let line = format!("✗ {property} catches no mutant");
        writeln!(output, "{}", Tone::Bad.paint(line))?;
    }
    if let Some(first) = matrix.not_tried.first() {
        let count = figures::counted(matrix.not_tried.len(), "mutant");
        let line = format!("? Stopped: {count} not tried, from {first} on.");
        writeln!(output, "{}", Tone::Open.paint(line))?;
    } else if matrix.is_full() {
        let line = format!(
            "✓ {} caught, each by the property that must; no property is idle.",
            figures::counted(matrix.trials.len(), "mutant")
        );
        writeln!(output, "{}", Tone::Good.paint(line))?;
    }
    Ok(())
}

pub(super) fn ending(matrix: &KillMatrix) -> Ending {
    match (matrix.catches_all(), matrix.not_tried.is_empty()) {
        (true, false) => Ending::Unknown,
        (true, true) if matrix.is_full() => Ending::AsExpected,
        _ => Ending::Differs,
    }
}
