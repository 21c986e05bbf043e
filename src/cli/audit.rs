//! `retryproof audit`: logs of real brokers, judged by the properties.

mod inputs;
mod json;
mod progress;
mod telling;

use std::path::PathBuf;

use clap::Args;

use crate::audit::run::{run, Settings};
use crate::audit::Unreadable;

use super::output::Output;
use super::{Ending, Refused};

use json::Audited;
use progress::Watched;

/// Judge logs of real brokers by the properties that judge the models
///
/// Reads what kafka-dump-log.sh prints of logs and of producer snapshots (releases 0.11 to 4.x,
/// with and without --deep-iteration), snapshot files, and the lines in a broker's own log
/// about refused batches; also packed with gzip. The kind of a file is recognised by what it holds.
/// Several files are the segments of a log, in whichever order; the files of one replica of a
/// partition lie in one directory, those of another replica in another. Exit code 1 if
/// something was found.
#[derive(Args, Clone, Debug)]
pub struct Audit {
    /// Dumps, segments, snapshots, broker logs, or directories of these; - is stdin
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    /// What the producer was told, as lines of JSON (docs/audit.md): finds what was acknowledged
    /// and is not in the log; - is stdin
    #[arg(long, value_name = "FILE")]
    acks: Option<PathBuf>,
    /// The topics are compacted, or were: missing offsets are no finding
    #[arg(long)]
    compacted: bool,
    /// Show every finding, not the first 10 of each kind
    #[arg(long)]
    all: bool,
    /// Write JSON
    #[arg(long)]
    json: bool,
}

impl Audit {
    pub(super) fn run(&self, output: &mut Output) -> Result<Ending, Refused> {
        inputs::stdin_once(self.files.iter().chain(&self.acks))?;
        let watched = Watched::new();
        let (inputs, mut names) = inputs::of(&self.files, &watched.progress())?;
        let acks = match &self.acks {
            Some(path) => Some(inputs::acks(path, &mut names)?),
            None => None,
        };
        watched.expect(inputs.iter().map(|input| input.size()).sum());
        let settings = Settings {
            keep_all: self.all,
            compacted: self.compacted,
        };
        let report = run(inputs, names.clone(), acks, settings, watched.progress())
            .map_err(|unreadable| refused(&names, &unreadable))?;
        drop(watched);
        if self.json {
            output.json(&Audited::of(&report))?;
        } else {
            telling::tell(&report, output)?;
        }
        Ok(if report.findings.count() == 0 {
            Ending::AsExpected
        } else {
            Ending::Differs
        })
    }
}

/// The name of an input in front of why it cannot be read.
fn refused(names: &[String], unreadable: &Unreadable) -> Refused {
    let name = names.get(unreadable.file.0 as usize);
    Refused::Audit {
        name: name.cloned().unwrap_or_default(),
        reason: unreadable.to_string(),
    }
}
