//! Runs of a few steps, told.

mod faults;

use retryproof_models::conditions::Budget;
use retryproof_models::network::{Loss, NetworkKind, Slot};
use retryproof_models::world::{initial_state, step, Quiet};
use retryproof_models::{checking::TraceStep, policies, rules};

use super::*;

const SMALL: Conditions = Conditions {
    in_flight: 3,
    window: 2,
    connections: 2,
    batches: Budget::AtMost(4),
    ..Conditions::KAFKA
};
const READ: Action = Action::Read {
    index: 0,
    after_bump: false,
};

fn deliver(connection: u8, index: u8) -> Action {
    Action::Deliver(Slot { connection, index })
}

/// A run that takes these actions.
fn run(conditions: Conditions, actions: &[Action]) -> Run {
    let start = initial_state(&conditions);
    let mut state = start;
    let mut steps = Vec::new();
    for action in actions {
        state = step(&conditions, &state, *action, &mut Quiet);
        steps.push(TraceStep {
            action: *action,
            after: state,
            branch: None,
        });
    }
    Run::OneBroker(Trace {
        conditions,
        start,
        steps,
        end: End::NeverDecided,
    })
}

/// The texts of a run that takes these actions.
fn told(conditions: Conditions, actions: &[Action]) -> Vec<String> {
    let steps = Story::of(&run(conditions, actions)).steps;
    steps.into_iter().map(|step| step.text).collect()
}

fn last_told(conditions: Conditions, actions: &[Action]) -> String {
    told(conditions, actions).pop().unwrap_or_default()
}

#[test]
fn a_leftover_arrives_late_and_is_recognised() {
    let actions = [
        Action::Send,
        Action::Disconnect,
        Action::Retry,
        deliver(0, 0),
        deliver(1, 0),
    ];
    assert_eq!(
        last_told(SMALL, &actions),
        "Left over of a dead connection, r0 arrives. Broker does not write r0 again, but answers \
         offset 0 (sequence 0, epoch 0: exact match in the window). Its last sequence is 0, its \
         window holds 0."
    );
}

#[test]
fn a_connection_that_breaks_loses_answers_and_leaves_requests_over() {
    let actions = [
        Action::Send,
        Action::Send,
        deliver(0, 0),
        Action::Disconnect,
    ];
    assert_eq!(
        last_told(SMALL, &actions),
        "Connection breaks: the answer to r0 is lost; r1, sent already, may still reach the \
         broker. Producer must send r0 and r1 again."
    );
}

#[test]
fn without_dead_connections_nothing_is_left_over() {
    let alone = Conditions {
        connections: 1,
        ..SMALL
    };
    assert_eq!(
        last_told(alone, &[Action::Send, Action::Disconnect]),
        "Connection breaks: r0, sent already, never arrives. Producer must send r0 again."
    );
}

#[test]
fn leftovers_may_never_arrive() {
    let actions = [
        Action::Send,
        Action::Disconnect,
        Action::Lose(Loss::Leftovers(1)),
    ];
    assert_eq!(
        last_told(SMALL, &actions),
        "What a dead connection left over never arrives: r0."
    );
}

#[test]
fn an_answer_is_told_to_the_application() {
    assert_eq!(
        last_told(SMALL, &[Action::Send, deliver(0, 0), READ]),
        "Producer reads the answer to r0: written at offset 0. It tells the application that r0 is \
         written at offset 0."
    );
}

#[test]
fn a_plain_producer_has_no_identity() {
    let plain = Conditions {
        client: &policies::PLAIN,
        window: 5,
        ..SMALL
    };
    assert_eq!(
        told(plain, &[Action::Send, deliver(0, 0)]),
        [
            "Producer sends r0 (new); 1 in flight.",
            "Broker appends r0 at offset 0 (no sequence).",
        ]
    );
}

#[test]
fn a_batch_that_was_kept_is_appended_when_it_fits() {
    let buffering = Conditions {
        rule: &rules::BUFFERING,
        network: NetworkKind::Unordered,
        ..SMALL
    };
    let texts = told(
        buffering,
        &[Action::Send, Action::Send, deliver(0, 1), deliver(0, 0)],
    );
    assert_eq!(
        texts[2..],
        [
            "Broker keeps r1 for later (sequence 1, epoch 0: beyond the next sequence: kept).",
            "Broker appends r0 at offset 0 (sequence 0, epoch 0: unknown producer, starts at 0). r1, \
             kept before, fits now and is appended at offset 1.",
        ]
    );
}

#[test]
fn a_timeout_loses_nothing_on_an_unordered_network() {
    let unordered = Conditions {
        network: NetworkKind::Unordered,
        ..SMALL
    };
    let actions = [Action::Send, Action::Disconnect, deliver(1, 0)];
    assert_eq!(
        told(unordered, &actions)[1..],
        [
            "Request timeout strikes: nobody waits for the answer to r0 any more, but what is on its \
             way may still arrive. Producer must send r0 again.",
            "Late, for nobody waits any more, r0 arrives. Broker appends r0 at offset 0 (sequence 0, \
             epoch 0: unknown producer, any first sequence).",
        ]
    );
}

#[test]
fn a_log_names_what_stands_in_it_twice() {
    let log = Log {
        records: ["r0", "r1", "r0", "r0"].map(str::to_owned).to_vec(),
    };
    assert_eq!(
        log.in_words(),
        "The log holds r0 r1 r0 r0: r0 at offsets 0, 2 and 3."
    );
    assert!(!log.is_repeated(0) && !log.is_repeated(1) && log.is_repeated(2));
}
