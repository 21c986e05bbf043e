//! The worlds whose decisions are taken.

use retryproof_models::broker::MAX_WINDOW;
use retryproof_models::conditions::{Budget, Conditions};
use retryproof_models::rules::{KAFKA_4, STRICT};
use retryproof_models::specification::{Profile, Settings};

/// More in flight than the broker remembers, so that there are retries below its window,
/// bumps and stale epochs: in runs of any length, and in runs from 0 in which epochs,
/// sequences and offsets are what they are after bumps. None if no model has such a window.
pub(super) fn of(settings: &Settings) -> Vec<Conditions> {
    let Ok(window) = u8::try_from(settings.window) else {
        return Vec::new();
    };
    if !(1..=MAX_WINDOW).contains(&settings.window) {
        return Vec::new();
    }
    let any_length = Conditions {
        rule: match settings.profile {
            Profile::Kafka => &KAFKA_4,
            Profile::Hardened => &STRICT,
        },
        window,
        in_flight: (window + 1).min(MAX_WINDOW as u8),
        connections: 2,
        ..Conditions::KAFKA
    };
    let bounded = Conditions {
        batches: Budget::AtMost(any_length.in_flight + 2),
        disconnects: Budget::AtMost(2),
        ..any_length
    };
    vec![any_length, bounded]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_window_of_a_model_has_worlds_that_make_sense() {
        for profile in [Settings::kafka(), Settings::hardened()] {
            for window in 1..=MAX_WINDOW {
                let worlds = of(&Settings { window, ..profile });
                assert_eq!(worlds.len(), 2);
                for world in worlds {
                    assert_eq!(world.validate(), Ok(()), "{world}");
                }
            }
            for window in [0, MAX_WINDOW + 1, 300] {
                assert_eq!(of(&Settings { window, ..profile }), []);
            }
        }
    }
}
