//! What a test of the suite says when something is different.

use std::fmt;

use retryproof_models::specification::Settings;
use retryproof_properties::PropertyId;

use super::profile;
use crate::shadow::cases::NotCases;
use crate::shadow::found::Found;
use crate::shadow::subject::SubjectFailure;

/// Why a test of the suite did not pass.
#[derive(Debug)]
pub enum Failure {
    /// The subject could not be started for the first time.
    NotStarted {
        /// Its name.
        subject: String,
        /// Why.
        failed: SubjectFailure,
    },
    /// The subject differs.
    Differs {
        /// Its name.
        subject: String,
        /// Under which settings.
        settings: Settings,
        /// What differs, after a list that was shrunk.
        found: Box<Found>,
    },
    /// The recorded cases cannot be read.
    NoCases(NotCases),
}

impl Failure {
    pub(super) fn not_started(subject: &str, failed: SubjectFailure) -> Self {
        Failure::NotStarted {
            subject: subject.to_owned(),
            failed,
        }
    }

    pub(super) fn differs(subject: &str, settings: &Settings, found: Found) -> Self {
        Failure::Differs {
            subject: subject.to_owned(),
            settings: *settings,
            found: Box::new(found),
        }
    }

    /// The difference, if there is one.
    pub fn found(&self) -> Option<&Found> {
        match self {
            Failure::Differs { found, .. } => Some(found),
            Failure::NotStarted { .. } | Failure::NoCases(_) => None,
        }
    }

    /// The properties that the difference violates.
    pub fn violates(&self) -> Vec<PropertyId> {
        let found = self.found();
        found.map_or_else(Vec::new, |found| found.difference.judged.properties())
    }
}

impl From<NotCases> for Failure {
    fn from(reason: NotCases) -> Self {
        Failure::NoCases(reason)
    }
}

impl std::error::Error for Failure {}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Failure::NotStarted { subject, failed } => write!(f, "{subject}: {failed}"),
            Failure::NoCases(reason) => reason.fmt(f),
            Failure::Differs {
                subject,
                settings,
                found,
            } => tell(f, subject, settings, found),
        }
    }
}

fn tell(
    f: &mut fmt::Formatter<'_>,
    subject: &str,
    settings: &Settings,
    found: &Found,
) -> fmt::Result {
    let (profile, window) = (profile(settings), settings.window);
    writeln!(
        f,
        "{subject} is not as it should be (profile {profile}, window {window}):"
    )?;
    writeln!(f, "{found}")?;
    for property in found.difference.judged.properties() {
        writeln!(f, "{property} means: {}", property.statement())?;
    }
    let case = serde_json::to_string(&found.case(settings)).map_err(|_| fmt::Error)?;
    let operations = found.operations.len();
    write!(
        f,
        "The list has {operations} operation{}. As a case with the answers that \
         are right (`retryproof shadow --subject 'COMMAND' --cases FILE` gives it to a \
         program):\n{case}",
        if operations == 1 { "" } else { "s" }
    )
}
