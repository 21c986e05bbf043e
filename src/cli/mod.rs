//! The command line: one file for each command, and what commands share.
//!
//! A command ends in one of three ways ([`Ending`]) or is refused with one line
//! ([`Refused`]). Results go to stdout, progress and refusals to stderr.

mod ask;
mod audit;
mod check;
mod chosen;
mod conditions;
mod ending;
mod explore;
mod frontier;
mod interrupt;
mod list;
mod memory;
mod mutants;
mod names;
mod numbers;
mod output;
mod progress;
mod refused;
mod report;
mod scenario;
mod search;
mod shadow;
mod snapshot;
mod usage;
mod walking;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

pub use ending::Ending;
pub use refused::Refused;

use output::Output;

/// Under which conditions does an idempotent producer write every record exactly once, in order?
///
/// Model-checked answers: what holds is proved over the whole state space, what does not is
/// refuted by a shortest run.
#[derive(Parser)]
#[command(
    name = "retryproof",
    version,
    subcommand_required = true,
    arg_required_else_help = true,
    disable_help_subcommand = true,
    after_help = "Exit codes: 0 everything as expected, 1 a verdict differs, a property is refuted, a \
                  subject differs or an audit found something, 2 wrong usage or unreadable input, 3 unknown: the search was cut.",
    max_term_width = 100
)]
struct CommandLine {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Check(check::Check),
    List(list::List),
    Ask(ask::Ask),
    Frontier(frontier::Frontier),
    Explore(explore::Explore),
    Mutants(mutants::Mutants),
    Report(report::Report),
    Scenario(scenario::Scenario),
    Shadow(shadow::Shadow),
    Audit(audit::Audit),
    Snapshot(snapshot::Snapshot),
}

impl Command {
    fn run(&self, output: &mut Output) -> Result<Ending, Refused> {
        match self {
            Command::Check(check) => check.run(output),
            Command::List(list) => list.run(output),
            Command::Ask(ask) => ask.run(output),
            Command::Frontier(frontier) => frontier.run(output),
            Command::Explore(explore) => explore.run(output),
            Command::Mutants(mutants) => mutants.run(output),
            Command::Report(report) => report.run(output),
            Command::Scenario(scenario) => scenario.run(output),
            Command::Shadow(shadow) => shadow.run(output),
            Command::Audit(audit) => audit.run(output),
            Command::Snapshot(snapshot) => snapshot.run(output),
        }
    }
}

/// Runs the command line of this process. The exit code says what came of it.
pub fn run() -> ExitCode {
    let command_line = match CommandLine::try_parse() {
        Ok(command_line) => command_line,
        Err(error) => return usage::explain(&error),
    };
    match command_line.command.run(&mut Output::stdout()) {
        Ok(ending) => ending.into(),
        Err(refused) => refused.tell(),
    }
}
