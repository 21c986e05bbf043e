//! How a command ends, and its exit code.

use std::process::ExitCode;

use retryproof_models::checking::Verdict;

/// How a command ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// Everything is as expected; exit code 0.
    AsExpected,
    /// Something differs, or a property that was asked for is refuted; exit code 1.
    Differs,
    /// Nothing differs, but something is unknown: a search was cut; exit code 3.
    Unknown,
}

impl Ending {
    /// The ending of several parts: what differs counts most, then what is unknown.
    pub fn of(parts: impl IntoIterator<Item = Ending>) -> Ending {
        let severity = |ending: &Ending| match ending {
            Ending::AsExpected => 0,
            Ending::Unknown => 1,
            Ending::Differs => 2,
        };
        parts
            .into_iter()
            .max_by_key(severity)
            .unwrap_or(Ending::AsExpected)
    }
}

impl From<Verdict> for Ending {
    /// The ending for a property of which it was asked whether it holds.
    fn from(verdict: Verdict) -> Self {
        match verdict {
            Verdict::Holds => Ending::AsExpected,
            Verdict::Refuted => Ending::Differs,
            Verdict::Unknown => Ending::Unknown,
        }
    }
}

impl From<Ending> for ExitCode {
    fn from(ending: Ending) -> Self {
        ExitCode::from(match ending {
            Ending::AsExpected => 0,
            Ending::Differs => 1,
            Ending::Unknown => 3,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::Ending::{self, AsExpected, Differs, Unknown};

    #[test]
    fn what_differs_counts_more_than_what_is_unknown() {
        assert_eq!(Ending::of([AsExpected, Differs, Unknown]), Differs);
        assert_eq!(Ending::of([AsExpected, Unknown]), Unknown);
        assert_eq!(Ending::of([AsExpected]), AsExpected);
    }

    #[test]
    fn nothing_at_all_is_as_expected() {
        assert_eq!(Ending::of([]), AsExpected);
    }
}
