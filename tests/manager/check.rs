//! The decision table, and the order in which it is gone through.

use retryproof::state_manager::{
    Because, Check, CoordinatorBatch, Epoch, InvalidRecord, Rejection, Sequence,
};

use crate::support::{batch, batch_of, logged, marker, ms, pid, seq, Partition, PID};

fn out_of_order(expected: i32, received: i32, because: Because) -> Rejection {
    Rejection::OutOfOrderSequence {
        expected: seq(expected),
        received: seq(received),
        because,
    }
}

fn stale(current: i16, received: i16) -> Rejection {
    Rejection::StaleEpoch {
        current: Epoch::new(current),
        received: Epoch::new(received),
    }
}

#[test]
fn an_unknown_producer_may_start_anywhere_to_kafka() {
    let partition = Partition::kafka();
    for (epoch, first) in [(0, 0), (0, 7), (5, 9), (0, i32::MAX), (-1, 3)] {
        let _ = partition.permit(&batch(epoch, first, 2));
    }
}

#[test]
fn an_unknown_producer_must_start_at_0_when_hardened() {
    let partition = Partition::hardened();
    let _ = partition.permit(&batch(0, 0, 2));
    let _ = partition.permit(&batch(3, 0, 2));
    for first in [1, 7, i32::MAX] {
        assert_eq!(
            partition.rejection(&batch(0, first, 1)),
            out_of_order(0, first, Because::UnknownProducer)
        );
    }
}

#[test]
fn an_epoch_below_none_is_stale_even_of_an_unknown_producer() {
    for partition in [Partition::kafka(), Partition::hardened()] {
        assert_eq!(partition.rejection(&batch(-2, 0, 1)), stale(-1, -2));
        assert_eq!(
            partition.rejection(&batch(i16::MIN, 5, 1)),
            stale(-1, i16::MIN)
        );
        let _ = partition.permit(&batch(-1, 0, 1));
    }
}

#[test]
fn to_kafka_a_producer_without_an_epoch_is_unknown_whatever_it_wrote() {
    let mut partition = Partition::kafka();
    partition.append(batch(-1, 3, 1));
    partition.append(batch(-1, 9, 1));
    let _ = partition.permit(&batch(0, 5, 1));
    assert_eq!(partition.duplicate(&batch(-1, 9, 1)).first_offset.get(), 1);

    let mut partition = Partition::hardened();
    partition.append(batch(-1, 0, 1));
    assert_eq!(
        partition.rejection(&batch(-1, 9, 1)),
        out_of_order(1, 9, Because::Next)
    );
    assert_eq!(
        partition.rejection(&batch(0, 5, 1)),
        out_of_order(0, 5, Because::StartOfEpoch)
    );
}

#[test]
fn a_known_producer_goes_on_where_it_stopped() {
    for mut partition in [Partition::kafka(), Partition::hardened()] {
        partition.append(batch(0, 0, 3));
        for (first, records) in [
            (4, 1),
            (5, 9),
            (2, 1),
            (1, 2),
            (0, 2),
            (0, 4),
            (i32::MAX, 1),
        ] {
            assert_eq!(
                partition.rejection(&batch(0, first, records)),
                out_of_order(3, first, Because::Next),
                "{records} from {first}"
            );
        }
        assert_eq!(partition.append(batch(0, 3, 2)), 3);
    }
}

#[test]
fn a_new_epoch_starts_at_0() {
    for mut partition in [Partition::kafka(), Partition::hardened()] {
        partition.append(batch(6, 0, 3));
        for first in [1, 3, i32::MAX] {
            assert_eq!(
                partition.rejection(&batch(9, first, 1)),
                out_of_order(0, first, Because::StartOfEpoch)
            );
        }
        assert_eq!(partition.append(batch(9, 0, 1)), 3);
        assert_eq!(partition.append(batch(i16::MAX, 0, 1)), 4);
    }
}

#[test]
fn a_lower_epoch_is_refused_even_if_it_repeats_an_old_batch() {
    let mut partition = Partition::kafka();
    partition.append(batch(1, 0, 1));
    partition.append(batch(2, 0, 1));
    assert_eq!(partition.rejection(&batch(1, 0, 1)), stale(2, 1));
    assert_eq!(partition.rejection(&batch(0, 44, 1)), stale(2, 0));
    assert_eq!(partition.duplicate(&batch(2, 0, 1)).first_offset.get(), 1);
}

#[test]
fn a_sequence_wraps_between_batches_and_inside_one() {
    let mut partition = Partition::kafka();
    partition.append(batch(0, i32::MAX - 1, 2));
    assert_eq!(
        partition.rejection(&batch(0, 1, 1)),
        out_of_order(0, 1, Because::Next)
    );
    partition.append(batch(0, 0, 1));

    let mut partition = Partition::kafka();
    partition.append(batch(0, i32::MAX - 1, 4));
    assert_eq!(partition.producer().last_sequence(), Sequence::new(1));
    assert_eq!(
        partition
            .duplicate(&batch(0, i32::MAX - 1, 4))
            .last_offset
            .get(),
        3
    );
    partition.append(batch(0, 2, 1));
}

#[test]
fn only_a_marker_is_known_then_the_epoch_starts_at_0() {
    for mut partition in [Partition::kafka(), Partition::hardened()] {
        partition.end_transaction(&marker(3, 0, 5));
        assert_eq!(partition.rejection(&batch(2, 0, 1)), stale(3, 2));
        assert_eq!(
            partition.rejection(&batch(3, 4, 1)),
            out_of_order(0, 4, Because::StartOfEpoch)
        );
        partition.append(batch(3, 0, 1));
    }
}

#[test]
fn a_request_has_one_batch() {
    let partition = Partition::kafka();
    let sound = [batch(0, 0, 1), batch(0, 1, 1)];
    for batches in [&sound[..], &sound[..0]] {
        let Check::Rejected(rejection) = partition.manager.check_request(batches) else {
            panic!("refused as a whole");
        };
        let batches = batches.len();
        assert_eq!(rejection, InvalidRecord::NotOneBatch { batches }.into());
    }
    assert_eq!(partition.manager.metrics().counts().other_rejections, 2);
    let one = partition.manager.check_request(&sound[..1]);
    assert!(matches!(one, Check::Append(_)));
}

#[test]
fn a_batch_outside_of_the_open_transaction_is_refused_last() {
    let mut partition = Partition::kafka();
    partition.append(batch(0, 0, 1).transactional());
    let open = Rejection::OpenTransaction {
        first_offset: crate::support::at(0),
    };
    assert_eq!(partition.rejection(&batch(0, 1, 1)), open);
    assert_eq!(partition.rejection(&batch(1, 0, 1)), open);
    assert_eq!(
        partition.rejection(&batch(0, 2, 1)),
        out_of_order(1, 2, Because::Next),
        "the sequence is looked at first"
    );
    assert_eq!(
        partition.duplicate(&batch(0, 0, 1)).first_offset.get(),
        0,
        "and duplicates before everything"
    );
    partition.append(batch(0, 1, 1).transactional());
    partition.end_transaction(&marker(0, 0, 0));
    partition.append(batch(0, 2, 1));
}

#[test]
fn a_coordinator_writes_without_sequences() {
    let mut partition = Partition::kafka();
    let offsets = CoordinatorBatch {
        producer_id: PID,
        epoch: Epoch::new(2),
        records: 3,
        max_timestamp: ms(8),
    };
    for _ in 0..2 {
        let Check::Append(permit) = partition.manager.check_coordinator(&offsets) else {
            panic!("only the epoch is checked");
        };
        let first = crate::support::at(partition.end);
        partition.manager.commit(permit, first, ms(0)).unwrap();
        partition.end += 3;
    }
    assert_eq!(partition.window(), [[-1, -1, 0, 2], [-1, -1, 3, 5]]);
    assert_eq!(partition.producer().last_sequence(), None);
    assert_eq!(
        partition.manager.first_unstable_offset(),
        Some(crate::support::at(0))
    );
    partition.end_transaction(&marker(2, 0, 9));
    partition.append(batch(2, 0, 1));
    let old = CoordinatorBatch {
        epoch: Epoch::new(1),
        ..offsets
    };
    let Check::Rejected(rejection) = partition.manager.check_coordinator(&old) else {
        panic!("its epoch is over");
    };
    assert_eq!(rejection, stale(2, 1));
}

#[test]
fn producers_are_independent() {
    let mut partition = Partition::kafka();
    partition.append(batch(0, 0, 2));
    partition.append(batch_of(pid(7), 4, 11, 2, 0));
    partition.append(batch(0, 2, 2));
    partition.append(batch_of(pid(7), 4, 13, 2, 0));
    assert_eq!(partition.window(), [[0, 1, 0, 1], [2, 3, 4, 5]]);
    let other = batch_of(pid(7), 4, 11, 2, 0);
    assert_eq!(partition.duplicate(&other).first_offset.get(), 2);
}

#[test]
fn a_batch_that_follows_but_stands_in_the_window_is_a_duplicate() {
    let mut partition = Partition::kafka();
    partition.replicate(&logged(0, 5, 1, 0));
    partition.replicate(&logged(0, 4, 1, 1));
    assert_eq!(partition.duplicate(&batch(0, 5, 1)).first_offset.get(), 0);
    partition.append(batch(0, 5, 2));
    assert_eq!(partition.duplicate(&batch(0, 5, 1)).first_offset.get(), 0);
}

#[test]
fn batches_that_come_round_to_their_own_sequences_are_duplicates() {
    let half = 1 << 30;
    let mut partition = Partition::kafka();
    partition.append(batch(0, 0, half));
    partition.append(batch(0, half, half));
    assert_eq!(
        partition.duplicate(&batch(0, 0, half)).first_offset.get(),
        0
    );
    partition.append(batch(0, 0, half - 1));
}

#[test]
fn large_batches_that_come_round_in_a_full_window_are_duplicates() {
    let half = 1 << 30;
    let mut partition = Partition::kafka();
    for first in 0..6 {
        partition.append(batch(0, first, 1));
    }
    partition.append(batch(0, 6, half));
    partition.append(batch(0, 6 + half, half));
    assert_eq!(partition.producer().last_sequence(), Sequence::new(5));
    assert_eq!(
        partition.duplicate(&batch(0, 6, half)).first_offset.get(),
        6
    );
}

#[test]
fn a_batch_without_sequences_does_not_hide_what_came_before_it() {
    let mut partition = Partition::kafka();
    partition.append(batch(0, 0, 2));
    let offsets = CoordinatorBatch {
        producer_id: PID,
        epoch: Epoch::new(0),
        records: 1,
        max_timestamp: ms(0),
    };
    let Check::Append(permit) = partition.manager.check_coordinator(&offsets) else {
        panic!("only the epoch is checked");
    };
    let first = crate::support::at(2);
    partition.manager.commit(permit, first, ms(0)).unwrap();
    partition.end = 3;
    partition.end_transaction(&marker(0, -1, 0));
    assert_eq!(partition.duplicate(&batch(0, 0, 2)).first_offset.get(), 0);
    partition.append(batch(0, 0, 1));
}

#[test]
fn the_last_batch_of_an_epoch_that_is_over_is_forgotten() {
    let mut partition = Partition::kafka();
    partition.append(batch(1, 0, 2));
    partition.end_transaction(&marker(2, -1, 0));
    partition.append(batch(2, 0, 2));
}

#[test]
fn a_large_batch_makes_a_regular_window_worth_a_look() {
    let mut partition = Partition::kafka();
    partition.append(batch(0, 0, 1));
    partition.append(batch(0, 1, 1));
    partition.append(batch(0, 2, 1 << 30));
    partition.append(batch(0, 2 + (1 << 30), (1 << 30) - 2));
    assert_eq!(partition.duplicate(&batch(0, 0, 1)).first_offset.get(), 0);
}

#[test]
fn without_an_epoch_a_window_may_be_out_of_order() {
    let mut partition = Partition::kafka();
    for first in [7, 8, 1, 0] {
        partition.append(batch(-1, first, 1));
    }
    assert_eq!(partition.duplicate(&batch(-1, 1, 1)).first_offset.get(), 2);
}
