//! Lists about which the production manager and the specification once did not agree.

use retryproof::shadow::{walk, ProductionManager, StateManager};
use retryproof_models::specification::Settings;

use crate::operations;

fn agree(settings: Settings, list: &str) {
    let mut subject = ProductionManager::default();
    subject.start(&settings).expect("ours starts");
    if let Err(difference) = walk(&mut subject, &settings, &operations(list)) {
        panic!("they do not agree: {difference:#?}");
    }
}

/// The epoch goes from 0 to 1 and back to 0, and a read that begins before it and ends
/// behind it keeps the window from before (Kafka 4.3.1: `ProducerAppendInfo` of a whole
/// read).
#[test]
fn a_read_in_which_an_epoch_goes_away_and_comes_back() {
    let list = r#"[
        {"op":"append","pid":9000,"epoch":0,"seq":0,"n":1},
        {"op":"roll"},
        {"op":"append","pid":9000,"epoch":1,"seq":0,"n":1},
        {"op":"append","pid":9000,"epoch":0,"seq":1,"n":1,"origin":"replica"},
        {"op":"plain","n":1,"ts":0},
        {"op":"truncate","to":3}
    ]"#;
    for settings in [Settings::kafka(), Settings::hardened()] {
        agree(settings, list);
    }
}

/// A hardened producer of epoch −1 is known like any other; to Kafka it is not.
#[test]
fn a_producer_of_epoch_minus_one() {
    let list = r#"[
        {"op":"append","pid":9000,"epoch":-1,"seq":0,"n":1},
        {"op":"append","pid":9000,"epoch":-1,"seq":2,"n":1}
    ]"#;
    for settings in [Settings::kafka(), Settings::hardened()] {
        agree(settings, list);
    }
}

/// The log start lies within the first batch that is read back.
#[test]
fn a_log_that_starts_within_a_batch() {
    let list = r#"[
        {"op":"append","pid":9000,"epoch":0,"seq":0,"n":2},
        {"op":"append","pid":9000,"epoch":0,"seq":2,"n":4},
        {"op":"delete_records","before":1},
        {"op":"truncate","to":2}
    ]"#;
    for settings in [Settings::kafka(), Settings::hardened()] {
        agree(settings, list);
    }
}
