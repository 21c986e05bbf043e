//! `retryproof shadow`: a state manager walks beside its specification.

mod report;
mod telling;

use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use clap::Args;
use retryproof_models::checking::Brake;
use retryproof_models::specification::{Profile, Settings};

use crate::shadow::cases::{self, Case, Outcome};
use crate::shadow::search::Search;
use crate::shadow::{Difference, Got, Process, ProductionManager, StateManager, SubjectFailure};

use super::interrupt::Interrupt;
use super::numbers::{from_to, seed};
use super::output::Output;
use super::progress::Watcher;
use super::{names, Ending, Refused};

use report::Report;

/// Lists of operations that are walked, unless said otherwise.
const RUNS: usize = 1000;
/// Most seconds that a subject can be given for one answer.
const MOST_PATIENCE: usize = 3600;
/// The subject that is not a command.
const OURS: &str = "ours";

/// Walk a state manager beside its specification
///
/// Lists of operations are drawn, each from a seed of its own, and carried out by both. After
/// each operation the answers and all producer state must be the same. A difference is shrunk
/// to a short list and told. Exit code 0 if there is none, 1 if there is one.
#[derive(Args, Clone, Debug)]
pub struct Shadow {
    /// ours, or in quotes a command that speaks lines of JSON, see src/shadow/process.rs [ours]
    #[arg(long, value_name = "COMMAND")]
    subject: Option<String>,
    /// Whom to walk beside: kafka, or hardened [kafka]
    #[arg(long, value_name = "PROFILE")]
    profile: Option<String>,
    /// Lists of operations to walk [1000]
    #[arg(long, value_name = "N", value_parser = from_to(1, usize::MAX), allow_negative_numbers = true)]
    runs: Option<usize>,
    /// Seed of the first list; the others follow [0]
    #[arg(long, value_name = "SEED", value_parser = seed, allow_negative_numbers = true)]
    seed: Option<u64>,
    /// Walk the cases of these files and compare with the answers in there; - is stdin
    #[arg(long, value_name = "FILE", num_args = 1.., conflicts_with_all = ["runs", "seed"])]
    cases: Vec<PathBuf>,
    /// Seconds that a command has for each answer [10]
    #[arg(long, value_name = "SECONDS", value_parser = from_to(1, MOST_PATIENCE))]
    patience: Option<usize>,
    /// Write JSON
    #[arg(long)]
    json: bool,
}

impl Shadow {
    pub(super) fn run(&self, output: &mut Output) -> Result<Ending, Refused> {
        let profile = names::profile(self.profile.as_deref().unwrap_or("kafka"))?;
        let settings = match profile {
            Profile::Kafka => Settings::kafka(),
            Profile::Hardened => Settings::hardened(),
        };
        let cases = self.read_cases()?;
        let brake = Interrupt::new().brake();
        let mut subject = self.subject(&brake)?;
        let start = Instant::now();
        let walk = Walk {
            subject: subject.as_mut(),
            settings,
            brake,
        };
        let mut report = if self.cases.is_empty() {
            walk.drawn(self.seed.unwrap_or(0), self.runs.unwrap_or(RUNS))
        } else {
            walk.recorded(&cases)
        }
        .map_err(Refused::Subject)?;
        if report.walked_nothing() {
            let reason = "it supports none of the operations, so there was nothing to walk";
            let failure = SubjectFailure::NotStarted(reason.to_owned());
            return Err(Refused::Subject(failure));
        }
        report.seconds = start.elapsed().as_secs_f64();
        if self.json {
            output.json(&report)?;
        } else {
            telling::tell(&report, self.subject.as_deref(), output)?;
        }
        Ok(report.ending())
    }

    fn subject(&self, brake: &Brake) -> Result<Box<dyn StateManager>, Refused> {
        let line = match self.subject.as_deref() {
            None | Some(OURS) => return Ok(Box::new(ProductionManager::default())),
            Some(line) => line,
        };
        let process = Process::of_command_line(line).ok_or_else(|| {
            let reason = format!("the command \"{line}\" is empty, or a quote is not closed");
            Refused::Subject(SubjectFailure::NotStarted(reason))
        })?;
        let process = process.with_brake(brake.clone());
        Ok(Box::new(match self.patience {
            Some(seconds) => process.with_patience(Duration::from_secs(seconds as u64)),
            None => process,
        }))
    }

    fn read_cases(&self) -> Result<Vec<Case>, Refused> {
        let mut cases = Vec::new();
        for file in &self.cases {
            let name = match is_stdin(file) {
                true => "stdin".to_owned(),
                false => file.display().to_string(),
            };
            let text = read(file).map_err(|reason| Refused::Input {
                name: name.clone(),
                reason,
                wanted: "a file of cases",
            })?;
            cases.extend(cases::read(&name, &text)?);
        }
        Ok(cases)
    }
}

fn is_stdin(file: &Path) -> bool {
    file == Path::new("-")
}

fn read(file: &Path) -> io::Result<String> {
    if is_stdin(file) {
        let mut text = String::new();
        io::stdin().lock().read_to_string(&mut text)?;
        Ok(text)
    } else {
        fs::read_to_string(file)
    }
}

/// A subject and how it is walked.
struct Walk<'a> {
    subject: &'a mut dyn StateManager,
    settings: Settings,
    brake: Brake,
}

impl Walk<'_> {
    /// Walks drawn lists until there is a difference.
    fn drawn(self, first_seed: u64, runs: usize) -> Result<Report, SubjectFailure> {
        let mut report = Report::new(self.subject.name(), &self.settings);
        report.seed = Some(first_seed);
        let watcher = Watcher::new(runs, &self.brake);
        let mut search = Search::new(self.subject, &self.settings);
        for run in 0..runs as u64 {
            let seed = first_seed.wrapping_add(run);
            watcher.begin(format!("seed {seed}"));
            let walked = match search.walk(seed, || !self.brake.is_pulled()) {
                Err(failed) if !self.brake.is_pulled() => return Err(failed),
                Ok(walked) if !is_cut(&self.brake, walked.difference.as_ref()) => walked,
                _ => {
                    report.cut = true;
                    break;
                }
            };
            report.count(&walked.operations);
            watcher.done(1);
            if let Some(difference) = walked.difference {
                report.add(difference, walked.operations);
                break;
            }
        }
        Ok(report)
    }

    /// Walks all cases.
    fn recorded(self, cases: &[Case]) -> Result<Report, SubjectFailure> {
        let mut report = Report::new(self.subject.name(), &self.settings);
        let watcher = Watcher::new(cases.len(), &self.brake);
        let mut started = false;
        for case in cases {
            watcher.begin(&case.id);
            let mut differences = match case.run(self.subject, &self.settings) {
                Ok(Outcome::LeftOut(_)) => {
                    report.left_out.push(case.id.clone());
                    continue;
                }
                Ok(Outcome::Walked(differences)) => differences,
                Err(failed) if started || self.brake.is_pulled() => {
                    case.not_started(failed).into_iter().collect()
                }
                Err(failed) => return Err(failed),
            };
            started = true;
            if is_cut(&self.brake, differences.last()) {
                report.cut = true;
                differences.pop();
            } else {
                report.count(&case.operations);
                watcher.done(1);
            }
            for difference in differences {
                let operations = case.operations[..=difference.step].to_vec();
                report.add(difference, operations);
            }
            if report.cut {
                break;
            }
        }
        Ok(report)
    }
}

/// Whether a signal ended the walk. It may have ended a command that walks, too, and that is
/// no fault of the command.
fn is_cut(brake: &Brake, difference: Option<&Difference>) -> bool {
    let answered = difference.is_some_and(|it| matches!(it.got, Got::Answered(_)));
    brake.is_pulled() && !answered
}
