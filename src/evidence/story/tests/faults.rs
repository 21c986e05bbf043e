//! What faults do, told.

use retryproof_models::broker::Fate;
use retryproof_models::conditions::{AppendOrder, Expiry, RestartKeeps, Validation};

use super::*;

/// Something befalls the request that came first on the live connection.
fn befalls(fate: Fate) -> Action {
    let slot = Slot {
        connection: 0,
        index: 0,
    };
    Action::DeliverTo(slot, fate)
}

#[test]
fn a_restart_keeps_of_the_window_what_its_snapshot_held() {
    let sent = [Action::Send, deliver(0, 0), Action::Send, deliver(0, 0)];
    let restarted = |restart_keeps, before: &[Action]| {
        let conditions = Conditions {
            restarts: Budget::ONE,
            restart_keeps,
            ..SMALL
        };
        last_told(conditions, &[before, &[Action::Restart]].concat())
    };
    assert_eq!(
        restarted(RestartKeeps::Last, &sent),
        "Broker restarts; of its window, 0 and 1, the snapshot held the newest batch only: 1. What was \
         on its connections is gone. Producer must send r0 and r1 again."
    );
    assert_eq!(
        restarted(RestartKeeps::All, &sent),
        "Broker restarts; its snapshot held the whole window: 0 and 1. What was on its connections is \
         gone. Producer must send r0 and r1 again."
    );
    assert_eq!(
        restarted(RestartKeeps::Nothing, &[Action::Send, deliver(0, 0), READ]),
        "Broker restarts and knows nothing of the producer any more."
    );
    assert_eq!(
        restarted(RestartKeeps::Last, &[]),
        "Broker restarts; it knew nothing of the producer."
    );
}

#[test]
fn an_expiry_names_the_clock() {
    let expired = |expiry| {
        let conditions = Conditions {
            expiries: Budget::ONE,
            expiry,
            ..SMALL
        };
        let actions = [Action::Send, deliver(0, 0), READ, Action::Expire];
        last_told(conditions, &actions)
    };
    assert_eq!(
        expired(Expiry::ClientTime),
        "Broker forgets the producer, whose last sequence was 0: its state has expired by the \
         timestamps in records."
    );
    assert_eq!(
        expired(Expiry::WallClock),
        "Broker forgets the producer, whose last sequence was 0: its state has expired by the time \
         since it was last seen."
    );
}

#[test]
fn a_refusal_before_the_append_is_in_the_words_of_kafka() {
    let conditions = Conditions {
        refusals_before_append: Budget::ONE,
        ..SMALL
    };
    let actions = [Action::Send, befalls(Fate::RefusedBefore), READ];
    assert_eq!(
        told(conditions, &actions)[1..],
        [
            "Broker refuses r0 with NOT_ENOUGH_REPLICAS before it looks at sequences: nothing is \
             written.",
            "Producer reads the answer to r0: NOT_ENOUGH_REPLICAS. It will send r0 again.",
        ]
    );
}

#[test]
fn what_befalls_a_leftover_befalls_it_late() {
    let conditions = Conditions {
        refusals_before_append: Budget::ONE,
        ..SMALL
    };
    let slot = Slot {
        connection: 1,
        index: 0,
    };
    let refused = Action::DeliverTo(slot, Fate::RefusedBefore);
    assert_eq!(
        last_told(conditions, &[Action::Send, Action::Disconnect, refused]),
        "Left over of a dead connection, r0 arrives. Broker refuses r0 with NOT_ENOUGH_REPLICAS before \
         it looks at sequences: nothing is written."
    );
}

#[test]
fn an_error_after_the_append_answers_what_was_written() {
    let conditions = Conditions {
        errors_after_append: Budget::AtMost(2),
        ..SMALL
    };
    let answered = befalls(Fate::ErrorAfter);
    let actions = [Action::Send, answered, READ, Action::Retry, answered];
    let texts = told(conditions, &actions);
    assert_eq!(
        texts[1],
        "Broker appends r0 at offset 0, but answers NOT_ENOUGH_REPLICAS_AFTER_APPEND (sequence 0, \
         epoch 0: unknown producer, any first sequence)."
    );
    assert_eq!(
        texts[4],
        "Broker does not write r0 again, but answers NOT_ENOUGH_REPLICAS_AFTER_APPEND (sequence 0, \
         epoch 0: exact match in the window). Its last sequence is 0, its window holds 0."
    );
}

#[test]
fn a_batch_that_does_not_validate_is_refused_before_the_lookup_or_after() {
    let actions = [
        Action::Send,
        deliver(0, 0),
        Action::Disconnect,
        Action::Retry,
        befalls(Fate::Invalid),
        READ,
    ];
    let refused = |validation, actions: &[Action]| {
        let conditions = Conditions {
            fatal_refusals: Budget::ONE,
            validation,
            ..SMALL
        };
        told(conditions, actions)
    };
    assert_eq!(
        refused(Validation::BeforeLookup, &actions)[4..],
        [
            "Broker refuses r0 with INVALID_RECORD: it does not pass validation, which is checked \
             before duplicates are looked up.",
            "Producer reads the answer to r0: INVALID_RECORD. It tells the application that r0 has \
             failed, and will raise its epoch.",
        ]
    );
    assert_eq!(
        refused(Validation::AfterLookup, &actions)[4],
        "Broker does not write r0 again, but answers offset 0 (sequence 0, epoch 0: exact match in the \
         window). Its last sequence is 0, its window holds 0. A duplicate is not validated."
    );
    let fresh = [Action::Send, befalls(Fate::Invalid)];
    assert_eq!(
        refused(Validation::AfterLookup, &fresh)[1],
        "Broker refuses r0 with INVALID_RECORD: it does not pass validation, and it is no duplicate."
    );
}

#[test]
fn a_batch_that_is_too_large_is_cut_in_two() {
    let conditions = Conditions {
        records_per_batch: 2,
        fatal_refusals: Budget::ONE,
        ..SMALL
    };
    let actions = [
        Action::Send,
        befalls(Fate::TooLarge),
        READ,
        Action::Retry,
        deliver(0, 0),
    ];
    assert_eq!(
        told(conditions, &actions),
        [
            "Producer sends r0..1 (new) as sequences 0..1, epoch 0; 1 in flight.",
            "Broker refuses r0..1 with MESSAGE_TOO_LARGE: it is too large, which is checked before \
             duplicates are looked up.",
            "Producer reads the answer to r0..1: MESSAGE_TOO_LARGE. It cuts r0..1 in two and will send \
             r0 and r1.",
            "Producer sends r0 again as sequence 0, epoch 0.",
            "Broker appends r0 at offset 0 (sequence 0, epoch 0: unknown producer, any first sequence).",
        ]
    );
}

#[test]
fn batches_of_two_records_are_told_as_batches_and_logged_as_records() {
    let conditions = Conditions {
        records_per_batch: 2,
        ..SMALL
    };
    let actions = [
        Action::Send,
        Action::Send,
        deliver(0, 0),
        deliver(0, 0),
        Action::Disconnect,
        Action::Retry,
        deliver(0, 0),
        READ,
    ];
    assert_eq!(
        told(conditions, &actions)[3..],
        [
            "Broker appends r2..3 at offset 2 (sequences 2..3, epoch 0: next in sequence).",
            "Connection breaks: the answers to r0..1 and r2..3 are lost. Producer must send r0..1 and \
             r2..3 again.",
            "Producer sends r0..1 again as sequences 0..1, epoch 0.",
            "Broker does not write r0..1 again, but answers offset 0 (sequences 0..1, epoch 0: exact \
             match in the window). Its last sequence is 3, its window holds 0..1 and 2..3.",
            "Producer reads the answer to r0..1: written at offset 0. It tells the application that r0 \
             is written at offset 0 and that r1 is written at offset 1.",
        ]
    );
    let log = run(conditions, &actions);
    assert_eq!(Story::of(&log).log.in_words(), "The log holds r0 r1 r2 r3.");
}

#[test]
fn an_append_that_fails_half_way_says_what_is_done() {
    let failed = |append_order| {
        let conditions = Conditions {
            append_failures: Budget::ONE,
            append_order,
            ..SMALL
        };
        last_told(conditions, &[Action::Send, befalls(Fate::Fails)])
    };
    assert_eq!(
        failed(AppendOrder::WriteFirst),
        "Broker writes r0 at offset 0 (sequence 0, epoch 0) and fails before it updates its producer \
         state, which start-up rebuilds from the log. It answers KAFKA_STORAGE_ERROR."
    );
    assert_eq!(
        failed(AppendOrder::StateFirst),
        "Broker updates its producer state for r0 (sequence 0, epoch 0) and fails before it writes the \
         batch: nothing is written, but it remembers the batch. It answers KAFKA_STORAGE_ERROR."
    );
    assert_eq!(
        failed(AppendOrder::EndLast),
        "Broker writes r0 at offset 0 (sequence 0, epoch 0) and fails before it moves its log end \
         offset: what it writes next gets the same offset. It answers KAFKA_STORAGE_ERROR."
    );
}

#[test]
fn an_append_that_cannot_fail_is_decided_as_ever() {
    let conditions = Conditions {
        append_failures: Budget::ONE,
        ..SMALL
    };
    let actions = [
        Action::Send,
        deliver(0, 0),
        Action::Disconnect,
        Action::Retry,
        befalls(Fate::Fails),
    ];
    assert_eq!(
        last_told(conditions, &actions),
        "Broker does not write r0 again, but answers offset 0 (sequence 0, epoch 0: exact match in the \
         window). Its last sequence is 0, its window holds 0."
    );
}

#[test]
fn a_batch_that_runs_out_of_time_has_failed() {
    let conditions = Conditions {
        delivery_timeouts: Budget::ONE,
        ..SMALL
    };
    assert_eq!(
        last_told(conditions, &[Action::Send, Action::TimeOut]),
        "Delivery timeout: r0 has run out of time. Producer tells the application that r0 has failed."
    );
    let lost = [Action::Send, Action::Disconnect, Action::TimeOut];
    assert_eq!(
        last_told(conditions, &lost),
        "Delivery timeout: r0 has run out of time. Producer tells the application that r0 has failed. \
         Which sequence the broker expects next it does not know."
    );
    let others = [
        Action::Send,
        Action::Send,
        Action::Disconnect,
        Action::TimeOut,
    ];
    assert_eq!(
        last_told(conditions, &others),
        "Delivery timeout: r0 has run out of time. Producer tells the application that r0 has failed. \
         It sends nothing fresh until the other batches are decided."
    );
}

#[test]
fn a_sequence_that_starts_anew_is_told_as_on_the_wire() {
    let conditions = Conditions {
        sequence_modulus: Some(3),
        ..SMALL
    };
    let actions = [Action::Send, deliver(0, 0), READ].repeat(4);
    assert_eq!(
        told(conditions, &actions)[9..],
        [
            "Producer sends r3 (new) as sequence 0 [3 modulo 3], epoch 0; 1 in flight.",
            "Broker appends r3 at offset 3 (sequence 0 [3 modulo 3], epoch 0: next in sequence). \
             Sequence 1 has left its window, which holds 2 and 0 now.",
            "Producer reads the answer to r3: written at offset 3. It tells the application that r3 is \
             written at offset 3.",
        ]
    );
}

#[test]
fn a_sequence_that_starts_anew_too_soon_is_taken_for_the_one_before() {
    let conditions = Conditions {
        sequence_modulus: Some(2),
        ..SMALL
    };
    let mut actions = [Action::Send, deliver(0, 0), READ].repeat(2);
    actions.extend([Action::Send, deliver(0, 0)]);
    assert_eq!(
        last_told(conditions, &actions),
        "Broker does not write r2 again, but answers offset 0 (sequence 0 [2 modulo 2], epoch 0: exact \
         match in the window). Its last sequence is 1, its window holds 0 and 1."
    );
}

#[test]
fn a_producer_without_an_epoch_left_takes_a_new_producer_id() {
    let conditions = Conditions {
        max_epoch: Some(0),
        restarts: Budget::ONE,
        ..SMALL
    };
    let actions = [
        Action::Send,
        Action::Send,
        deliver(0, 0),
        deliver(0, 0),
        Action::Restart,
        Action::Retry,
        deliver(0, 0),
        READ,
        Action::Retry,
        deliver(0, 0),
        READ,
    ];
    let texts = told(conditions, &actions);
    assert_eq!(
        texts[0],
        "Producer sends r0 (new) as sequence 0, producer id 0, epoch 0; 1 in flight."
    );
    assert_eq!(
        texts[8..],
        [
            "Producer has no epoch left, takes a new producer id (1), drops the identity of r0 and r1, \
             and sends r0 again without producer id and sequence.",
            "Broker appends r0 at offset 2 (no producer id: no sequence).",
            "Producer reads the answer to r0: written at offset 2. It tells the application that r0 is \
             written at offset 2.",
        ]
    );
    let renewing = Conditions {
        client: &policies::HARDENED,
        ..conditions
    };
    assert_eq!(told(renewing, &actions[..1]), texts[..1]);
}

#[test]
fn a_batch_that_is_cancelled_leaves_its_sequence_free() {
    let conditions = Conditions {
        cancellations: Budget::ONE,
        ..SMALL
    };
    let actions = [Action::Send, Action::Disconnect, Action::Cancel];
    assert_eq!(
        last_told(conditions, &actions),
        "Application cancels r0. Producer tells the application that r0 has failed, and will use \
         sequence 0 again."
    );
}
