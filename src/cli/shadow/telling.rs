//! What came of a walk, for a person.

use std::io::Write;

use retryproof_models::specification::Operation;
use serde::Serialize;

use crate::cli::output::Output;
use crate::cli::Refused;
use crate::evidence::paint::Tone;
use crate::evidence::{figures, wrap};
use crate::shadow::Found;

use super::report::Report;

/// Tells what was walked, and what was different. `command` is the subject as it was given.
pub(super) fn tell(
    report: &Report,
    command: Option<&str>,
    output: &mut Output,
) -> Result<(), Refused> {
    let width = output.width();
    writeln!(
        output,
        "{}\n{}",
        Tone::Strong.paint(title(report)),
        Tone::Dim.paint(wrap::fill(&size(report), width))
    )?;
    if !report.left_out.is_empty() {
        let left_out = format!(
            "Left out, since the subject does not support all of their operations: {}.",
            report.left_out.join(", ")
        );
        writeln!(output, "{}", wrap::fill(&left_out, width))?;
    }
    match report.seed {
        Some(_) => {
            for told in &report.differences {
                tell_drawn(report, told, command, output)?;
            }
        }
        None => tell_recorded(&report.differences, output)?,
    }
    writeln!(output, "\n{}", wrap::fill(&result(report), width))?;
    Ok(())
}

fn title(report: &Report) -> String {
    let beside = match report.seed {
        Some(_) => "the specification",
        None => "recorded answers",
    };
    format!("{} beside {beside}, {}", report.subject, report.profile)
}

fn size(report: &Report) -> String {
    let runs = match report.seed {
        Some(first) if report.runs > 1 => format!(
            "{} from the seeds {first} to {}",
            figures::counted(report.runs, "list"),
            first.wrapping_add(report.runs as u64 - 1)
        ),
        Some(first) => format!(
            "{} from the seed {first}",
            figures::counted(report.runs, "list")
        ),
        None => figures::counted(report.runs, "case"),
    };
    let mut kinds: Vec<(usize, &str)> = report
        .kinds
        .iter()
        .map(|(kind, count)| (*count, *kind))
        .collect();
    kinds.sort_unstable_by(|one, other| other.cmp(one));
    let kinds: Vec<String> = kinds
        .into_iter()
        .map(|(count, kind)| format!("{} {kind}", figures::count(count)))
        .collect();
    format!(
        "{runs}, {} in {}: {}",
        figures::counted(report.operations, "operation"),
        figures::seconds(report.seconds),
        kinds.join(", ")
    )
}

/// One difference, as it can be repeated and put into a file.
fn tell_drawn(
    report: &Report,
    told: &Found,
    command: Option<&str>,
    output: &mut Output,
) -> Result<(), Refused> {
    tell_difference(told, output)?;
    writeln!(output, "\nA short list of operations that leads there:\n")?;
    writeln!(output, "{}", list(&told.operations)?)?;
    let seed = told.difference.case.trim_start_matches("seed ");
    let subject = command.map_or(String::new(), |command| {
        let quoted = shlex::try_quote(command).unwrap_or(command.into());
        format!("--subject {quoted} ")
    });
    writeln!(
        output,
        "\nTo see it again: retryproof shadow {subject}--profile {} --seed {seed} --runs 1",
        report.profile
    )?;
    Ok(())
}

/// The first difference of each case, and how many follow.
fn tell_recorded(differences: &[Found], output: &mut Output) -> Result<(), Refused> {
    for of_case in differences.chunk_by(|one, other| one.difference.case == other.difference.case) {
        if let [first, others @ ..] = of_case {
            tell_difference(first, output)?;
            let steps: Vec<String> = others
                .iter()
                .map(|told| told.difference.step.to_string())
                .collect();
            if !steps.is_empty() {
                let line = format!("Later steps that differ, too: {}.", steps.join(", "));
                writeln!(output, "{}", wrap::hanging("  ", &line, output.width()))?;
            }
        }
    }
    Ok(())
}

fn tell_difference(told: &Found, output: &mut Output) -> Result<(), Refused> {
    let difference = &told.difference;
    let head = format!("✗ {}, step {}", difference.case, difference.step);
    writeln!(output, "\n{}", Tone::Bad.paint(head))?;
    writeln!(output, "  operation {}", json(&difference.operation)?)?;
    writeln!(output, "  expected  {}", json(&difference.expected)?)?;
    writeln!(output, "  got       {}", json(&difference.got)?)?;
    for (at, line) in difference.violations().iter().enumerate() {
        let head = if at == 0 {
            "  violates  "
        } else {
            "            "
        };
        writeln!(output, "{}", wrap::hanging(head, line, output.width()))?;
    }
    Ok(())
}

fn json(value: &impl Serialize) -> Result<String, Refused> {
    Ok(serde_json::to_string(value)?)
}

/// A list in JSON, an operation a line.
fn list(operations: &[Operation]) -> Result<String, Refused> {
    let lines: Vec<String> = operations.iter().map(json).collect::<Result<_, _>>()?;
    Ok(format!("[{}]", lines.join(",\n ")))
}

fn result(report: &Report) -> String {
    let differences = report.differences.len();
    if differences > 0 {
        let found = format!("{} found.", figures::counted(differences, "difference"));
        return Tone::Bad.paint(found);
    }
    if report.cut {
        return Tone::Open.paint("The walk was cut: no difference up to there.");
    }
    let text = match report.seed {
        Some(_) => "✓ No difference: after each operation the answers and all that was told of producers were the same.",
        None => "✓ No difference: each answer, and each state that is recorded, is as in the file.",
    };
    Tone::Good.paint(text)
}
