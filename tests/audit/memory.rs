//! Memory depends on producers, not on batches: a log that is ten times as long allocates
//! nothing more.

use std::io::Cursor;
use std::rc::Rc;

use retryproof::audit::input::{Input, Progress};
use retryproof::audit::run::{run, Settings};
use retryproof::audit::FileId;

use super::dump::{batch, line, Release};

/// A good log of three producers in turns, as a text.
fn text(batches: i64) -> String {
    let mut text = "Dumping /var/kafka/orders-0/00000000000000000000.log\n".to_owned();
    for number in 0..batches {
        let first = i32::try_from(number / 3 * 2).expect("few");
        let it = batch(number % 3, 0, (number * 2, number * 2 + 1), first);
        text += &line(Release::V4, &it, u64::try_from(number).expect("few") * 100);
    }
    text
}

/// Most bytes in use at once, and how often something was allocated.
fn allocations(batches: i64) -> (u64, u64) {
    let text = text(batches);
    let info = allocation_counter::measure(|| {
        let progress: Progress = Rc::new(|_| {});
        let input = Input::stream(FileId(0), Cursor::new(text), &progress);
        let input = input.unwrap_or_else(|error| panic!("{error:?}"));
        let report = run(vec![input], vec![], None, Settings::default(), progress);
        let report = report.expect("readable");
        assert_eq!(report.batches, u64::try_from(batches).expect("few"));
        assert_eq!(report.findings.count(), 0);
    });
    (info.bytes_max, info.count_total)
}

#[test]
fn a_longer_log_takes_no_more_memory() {
    // Both are longer than what is looked at first.
    let (short, long) = (allocations(1_000), allocations(10_000));
    assert_eq!(short, long);
    assert!(short.1 > 10, "something is allocated: {short:?}");
}
