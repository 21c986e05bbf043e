//! Situations of the scenarios.

use retryproof_models::scenarios;

use super::*;

fn situations(id: &str) -> Vec<Situation> {
    let scenario = scenarios::find(id).expect("a scenario");
    Situation::of(&scenario.acts[0].run().expect("it runs"))
}

fn value(situation: &Situation, quantity: Quantity) -> &Value {
    let mut values = situation.groups.iter().flat_map(|group| &group.values);
    let value = values.find(|value| value.quantity == quantity);
    value.expect("a value of this quantity")
}

fn why(situation: &Situation, quantity: Quantity) -> &str {
    value(situation, quantity)
        .why
        .as_deref()
        .unwrap_or("not changed")
}

#[test]
fn a_fresh_batch_takes_the_next_sequence() {
    let situations = situations("in-flight-6");
    let third = &situations[2];
    let next = value(third, Quantity::NextSequence);
    assert_eq!(
        (next.was.as_deref(), next.pieces[0].text.as_str()),
        (Some("2"), "3")
    );
    assert_eq!(
        why(third, Quantity::NextSequence),
        "r2 takes sequence 2, so the next one is 3."
    );
    assert_eq!(why(third, Quantity::Epoch), "not changed");
}

#[test]
fn the_sixth_batch_pushes_the_first_out_of_the_window() {
    let situations = situations("in-flight-6");
    assert_eq!(
        why(&situations[11], Quantity::Window),
        "It remembers r5 seq 5 epoch 0; sequence 0 falls out, for there is room for 5."
    );
    assert_eq!(
        why(&situations[11], Quantity::LastSequence),
        "r5 seq 5 epoch 0 follows on 4, so it is appended."
    );
}

#[test]
fn an_epoch_numbers_anew_and_a_record_stands_in_the_log_again() {
    let situations = situations("in-flight-6");
    assert_eq!(
        why(&situations[15], Quantity::Intent),
        "After this answer its client wants an epoch of which nothing is known."
    );
    assert!(why(&situations[16], Quantity::Epoch).ends_with("0 + 1 = 1."));
    let log = value(&situations[17], Quantity::Log);
    let last = log.pieces.last().expect("records");
    assert!(last.is_new && last.is_again, "{last:?}");
    assert!(log.pieces[..6]
        .iter()
        .all(|piece| !piece.is_new && !piece.is_again));
    assert!(why(&situations[17], Quantity::Log).contains("though it stands in the log already"));
}

#[test]
fn what_is_on_a_broken_connection_is_lost() {
    let situations = situations("in-flight-6");
    let broken = &situations[12];
    assert!(value(broken, Quantity::Answers).pieces.is_empty());
    assert!(why(broken, Quantity::Answers).starts_with("The connection is gone"));
    assert!(why(broken, Quantity::Undecided).starts_with("No answer can come any more"));
}

/// Whatever a scenario does: a value has a reason if and only if it is not what it was.
#[test]
fn what_changed_and_only_that_has_a_reason() {
    let mut reasons = 0;
    for scenario in scenarios::ALL {
        for act in scenario.acts {
            let situations = Situation::of(&act.run().expect("it runs"));
            for pair in situations.windows(2) {
                for (before, after) in pair[0].groups.iter().zip(&pair[1].groups) {
                    for (before, after) in before.values.iter().zip(&after.values) {
                        let same = before.is_same(after);
                        assert_eq!(after.why.is_none(), same, "{}: {after:?}", scenario.id);
                        let why = after.why.as_deref().unwrap_or("Nothing.");
                        assert!(!why.is_empty());
                        reasons += usize::from(!same);
                    }
                }
            }
        }
    }
    assert!(reasons > 500, "{reasons}");
}
