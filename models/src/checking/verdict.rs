//! From what two walks and a search for a run found to a verdict. Nothing else decides
//! one.

use super::{Counts, Cut, Verdict};

/// The verdict on a property.
///
/// `violated`: a walk saw a violation. `has_run`: there is a shortest run that shows it.
/// `cut`: why a walk is not exhaustive. *Holds* needs that no violation was seen, not that
/// no run is at hand; *refuted* needs the run.
pub(super) fn verdict(violated: bool, has_run: bool, cut: Option<Cut>) -> Verdict {
    match (violated, has_run, cut) {
        (_, true, _) => Verdict::Refuted,
        (false, false, None) => Verdict::Holds,
        (true, false, _) | (false, false, Some(_)) => Verdict::Unknown,
    }
}

/// Two walks over one world count the same states and steps, or one of them is wrong.
pub(super) fn disagreement(stateright: Counts, survey: Counts) -> Option<Cut> {
    let agree = stateright.unique == survey.unique && stateright.generated == survey.generated;
    (!agree).then_some(Cut::EnginesDisagree { stateright, survey })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn holds_needs_that_nothing_was_seen_and_nothing_cut() {
        let cut = Some(Cut::Stopped);
        for (violated, has_run, cut, expected) in [
            (false, false, None, Verdict::Holds),
            (false, false, cut, Verdict::Unknown),
            (true, false, None, Verdict::Unknown),
            (true, false, cut, Verdict::Unknown),
            (true, true, None, Verdict::Refuted),
            (true, true, cut, Verdict::Refuted),
            (false, true, None, Verdict::Refuted),
            (false, true, cut, Verdict::Refuted),
        ] {
            assert_eq!(
                verdict(violated, has_run, cut),
                expected,
                "violated {violated}, run {has_run}, cut {cut:?}"
            );
        }
    }

    #[test]
    fn a_different_count_of_states_or_of_steps_is_a_disagreement() {
        let counts = Counts {
            unique: 23,
            generated: 58,
            depth: 10,
        };
        let deeper = Counts {
            depth: 13,
            ..counts
        };
        assert_eq!(disagreement(counts, deeper), None);
        for other in [
            Counts {
                unique: 24,
                ..counts
            },
            Counts {
                generated: 57,
                ..counts
            },
        ] {
            assert_eq!(
                disagreement(counts, other),
                Some(Cut::EnginesDisagree {
                    stateright: counts,
                    survey: other
                })
            );
        }
    }
}
