//! Why a command was not carried out, in one line.

use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use retryproof_models::conditions::Senseless;
use retryproof_models::scenarios::NotRunnable;
use thiserror::Error;

use crate::evidence::report::forms::NoForm;
use crate::evidence::report_directory::NoPlace;
use crate::shadow::cases::NotCases;
use crate::shadow::SubjectFailure;
use crate::state_manager::snapshot::SnapshotError;

use super::names::Nearest;

/// Why a command was not carried out. The text is one line that says what to do.
#[derive(Debug, Error)]
pub enum Refused {
    /// There is nothing of this name.
    #[error("no {kind} is called \"{name}\"{nearest}")]
    UnknownName {
        /// What was looked for.
        kind: &'static str,
        /// The name given.
        name: String,
        /// Names that come near.
        nearest: Nearest,
    },
    /// No claim of the tier has this id or part of an id.
    #[error("no claim of tier {tier} matches \"{name}\": leave --tier out, or say --tier all")]
    NotInTier {
        /// What was given as claim.
        name: String,
        /// The tier asked for.
        tier: &'static str,
    },
    /// More than one matches where one is needed.
    #[error("{count} {kind}s match \"{name}\": say which, as {nearest}")]
    Ambiguous {
        /// What was looked for.
        kind: &'static str,
        /// What was given.
        name: String,
        /// How many match.
        count: usize,
        /// Some of them.
        nearest: String,
    },
    /// Conditions that cannot be or make no sense together.
    #[error(transparent)]
    Senseless(#[from] Senseless),
    /// A scenario does not run: a step of it has another name since the models changed.
    #[error("scenario {name} does not run: {reason}; please report it")]
    Scenario {
        /// Its id.
        name: &'static str,
        /// Why not.
        reason: NotRunnable,
    },
    /// The world has no form that the explorer can show.
    #[error("this world cannot be explored: {reason}")]
    NotExplorable {
        /// Why not.
        reason: String,
    },
    /// The page of scenarios and claims could not be served.
    #[error("the index cannot be served: {0}")]
    Index(String),
    /// Somebody listens on the port already, or it must not be used.
    #[error("port {port} cannot be used ({reason}): choose another with --port {other}")]
    Port {
        /// The port asked for.
        port: u16,
        /// What the system says.
        reason: io::Error,
        /// A port to try.
        other: u16,
    },
    /// A file could not be written.
    #[error("cannot write {}: {reason}", .path.display())]
    File {
        /// Where it was to be.
        path: PathBuf,
        /// What the system says.
        reason: io::Error,
    },
    /// The directory is no place for a report.
    #[error(transparent)]
    Directory(#[from] NoPlace),
    /// The report could not be brought into a form.
    #[error(transparent)]
    Form(#[from] NoForm),
    /// A page could not be made.
    #[error("a page cannot be made, which is a defect of Retryproof: {0}")]
    Page(#[from] minijinja::Error),
    /// The input could not be read.
    #[error("cannot read {name} ({reason}): give the path of {wanted}, or - for stdin")]
    Input {
        /// Where it was to come from.
        name: String,
        /// What the system says.
        reason: io::Error,
        /// What is needed.
        wanted: &'static str,
    },
    /// The input is no producer snapshot, or a damaged one.
    #[error("{name}: {reason}")]
    Snapshot {
        /// Where it comes from.
        name: String,
        /// What is wrong with it.
        reason: SnapshotError,
    },
    /// The input cannot be judged.
    #[error("{name}: {reason}")]
    Audit {
        /// Where it comes from.
        name: String,
        /// What is wrong with it, where, and what to do.
        reason: String,
    },
    /// The input holds no cases.
    #[error(transparent)]
    Cases(#[from] NotCases),
    /// There is no subject to walk with.
    #[error("{0}: give --subject ours, or a command that speaks lines of JSON, in quotes")]
    Subject(SubjectFailure),
    /// The results could not be written to stdout.
    #[error("cannot write the results: {0}")]
    Output(#[from] io::Error),
    /// The results could not be put into JSON.
    #[error("cannot write the results as JSON: {0}")]
    Json(#[from] serde_json::Error),
}

impl Refused {
    /// Says so on stderr. Exit code 2.
    pub fn tell(&self) -> ExitCode {
        tell(&self.to_string())
    }
}

/// Exit code of a refused command.
pub(super) const EXIT: u8 = 2;

/// Says in one line why a command is not carried out.
pub(super) fn tell(reason: &str) -> ExitCode {
    let style = anstyle::AnsiColor::Red.on_default().bold();
    let line = reason.replace(char::is_control, " ");
    // Where stderr cannot be written there is nobody to tell.
    let _ = writeln!(anstream::stderr(), "{style}error{style:#}: {line}");
    ExitCode::from(EXIT)
}
