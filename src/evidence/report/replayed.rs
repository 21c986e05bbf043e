//! Whether a run was replayed on the real Apache Kafka.

use retryproof_models::claims::Claim;
use retryproof_properties::PropertyId;
use serde::Serialize;

use crate::replay::{why_not, Kept, KEPT, RELEASES};

/// Whether a run was replayed on a release.
#[derive(Debug, PartialEq, Eq, Serialize)]
pub(super) struct Replayed {
    release: &'static str,
    replayed: bool,
    /// Why not.
    why_not: Option<String>,
}

/// Whether the run against a property of a claim was replayed on each release. That the run
/// that was played is the one of today is what `tests/replays` is for.
pub(super) fn on_each_release(claim: &Claim, property: PropertyId) -> Vec<Replayed> {
    let played = KEPT
        .iter()
        .find(|kept| kept.claim == claim.id && kept.property == property.id());
    RELEASES
        .iter()
        .map(|release| on(release, claim, played))
        .collect()
}

fn on(release: &'static str, claim: &Claim, played: Option<&Kept>) -> Replayed {
    let why_not = match played {
        Some(kept) if kept.kafka.iter().any(|known| known == release) => None,
        _ => Some(
            why_not(&claim.conditions)
                .map_or_else(|| "it was not recorded".to_owned(), str::to_owned),
        ),
    };
    Replayed {
        release,
        replayed: why_not.is_none(),
        why_not,
    }
}

#[cfg(test)]
mod tests {
    use retryproof_models::claims::registry;

    use super::*;

    fn replayed(id: &str, property: PropertyId) -> Vec<Replayed> {
        let claim = registry().iter().find(|claim| claim.id == id);
        on_each_release(claim.expect("a claim"), property)
    }

    #[test]
    fn a_run_that_was_played_is_replayed_on_both_releases() {
        let runs = replayed("in-flight-6-writes-duplicates", PropertyId::NoDuplicate);
        assert_eq!(runs.len(), RELEASES.len());
        assert!(runs.iter().all(|run| run.replayed && run.why_not.is_none()));
    }

    #[test]
    fn what_kafka_cannot_play_says_why() {
        let runs = replayed("strict-2-1", PropertyId::NoDuplicate);
        let why = "it is about another broker or client";
        assert!(runs.iter().all(|run| run.why_not.as_deref() == Some(why)));
        let runs = replayed("in-flight-6-writes-duplicates", PropertyId::LogIsFold);
        let why = "it was not recorded";
        assert!(runs.iter().all(|run| run.why_not.as_deref() == Some(why)));
    }
}
