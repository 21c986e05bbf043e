//! Once producers are known and have their windows, accepting, recognising and refusing
//! batches takes no memory.

use retryproof::state_manager::{
    Batch, Check, Config, Epoch, Offset, ProducerId, ProducerStateManager, Sequence, Timestamp,
};

const PRODUCERS: i64 = 3_000;

fn batch(producer: i64, first: i32) -> Batch {
    Batch::new(
        ProducerId::new(producer).expect("not negative"),
        Epoch::new(0),
        Sequence::new(first).expect("not negative"),
        2,
        Timestamp::from_millis(first.into()),
    )
    .expect("two records")
}

/// One batch of each producer, from this sequence on.
fn append(manager: &mut ProducerStateManager, first: i32) {
    for producer in 0..PRODUCERS {
        let Check::Append(permit) = manager.check(&batch(producer, first)) else {
            panic!("it goes on");
        };
        let end = manager.map_end_offset();
        let now = Timestamp::from_millis(0);
        manager.commit(permit, end, now).expect("fresh");
    }
}

#[test]
fn a_known_producer_costs_no_allocation() {
    let mut manager = ProducerStateManager::new(Config::kafka());
    let to_know = allocation_counter::measure(|| append(&mut manager, 0));
    assert!(to_know.count_total > 0, "the counter counts");
    append(&mut manager, 2);
    let accepted = allocation_counter::measure(|| {
        for written in 2..40 {
            append(&mut manager, 2 * written);
        }
    });
    assert_eq!(accepted.count_total, 0);
    let answered = allocation_counter::measure(|| {
        for producer in 0..PRODUCERS {
            let retried = manager.check(&batch(producer, 74));
            assert!(matches!(retried, Check::Duplicate(_)));
            let too_old = manager.check(&batch(producer, 2));
            assert!(matches!(too_old, Check::Rejected(_)));
            assert_eq!(manager.map_end_offset().get(), PRODUCERS * 40 * 2);
        }
    });
    assert_eq!(answered.count_total, 0);
}

#[test]
fn a_second_batch_allocates_once_for_many_producers() {
    let mut manager = ProducerStateManager::new(Config::kafka());
    append(&mut manager, 0);
    let second = allocation_counter::measure(|| append(&mut manager, 2));
    assert!(
        (1..=3).contains(&second.count_total),
        "{} allocations for {PRODUCERS} producers",
        second.count_total
    );
    let offset = Offset::new(2 * PRODUCERS * 2).expect("not negative");
    assert_eq!(manager.map_end_offset(), offset);
}
