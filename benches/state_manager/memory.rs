//! Bytes for each producer, everything included, as a counting allocator sees them.

use allocation_counter::measure;
use retryproof::state_manager::Config;

use crate::subjects::Subject;

pub fn print() {
    println!("\nBytes a producer, all included\n");
    println!(
        "| producers | one batch | full window of five | with a cap, full | most at one time |"
    );
    println!("|---|---:|---:|---:|---:|");
    for producers in [1, 1_000, 100_000, 1_000_000, 10_000_000] {
        let per = |bytes: i64| bytes as f64 / producers as f64;
        let cap = std::num::NonZeroUsize::new(producers).expect("not 0");
        let capped = Config::kafka().with_max_producers(cap).expect("possible");
        let one = bytes(Config::kafka(), producers, 1);
        let full = bytes(Config::kafka(), producers, 5);
        let with_cap = bytes(capped, producers, 5);
        println!(
            "| {producers} | {:.1} | {:.1} | {:.1} | {:.1} |",
            per(one.0),
            per(full.0),
            per(with_cap.0),
            per(full.1)
        );
    }
}

/// Bytes held by the manager at the end, and the most held at any time, without what the
/// benchmark itself keeps.
fn bytes(config: Config, producers: usize, written: usize) -> (i64, i64) {
    let mut subject = None;
    let own = 4 * producers as i64;
    let measured = measure(|| subject = Some(Subject::new(config, producers, written)));
    drop(subject);
    (
        measured.bytes_current - own,
        measured.bytes_max as i64 - own,
    )
}
