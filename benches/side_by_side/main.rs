//! The state manager beside the real Kafka: the same operations, a round of ours and a round of
//! Kafka's in turns, both compared in what they answer.
//!
//! `cargo bench --bench side_by_side` takes less than two minutes and 5 GiB of memory. After
//! `--`, `full` measures for longer, and with the garbage collector of Kafka's start script as
//! well; `4.4.0` measures that release.

#[path = "../../tests/oracle/jvm.rs"]
mod jvm;
mod kafka;
mod memory;
mod operations;
mod ours;
mod speed;

use kafka::{Collector, Jvm, G1, PARALLEL};

/// Producers of a partition.
const SIZES: [usize; 4] = [1, 1_000, 100_000, 1_000_000];

/// How thoroughly.
struct Extent {
    /// How long the JVM works before a line is measured.
    warm_up_ns: f64,
    rounds: usize,
    collectors: &'static [Collector],
}

const SHORT: Extent = Extent {
    warm_up_ns: 1.5e9,
    rounds: 7,
    collectors: &[PARALLEL],
};

const FULL: Extent = Extent {
    warm_up_ns: 4e9,
    rounds: 15,
    collectors: &[PARALLEL, G1],
};

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let given = |word: &str| words.iter().any(|given| given == word);
    let extent = if given("full") { &FULL } else { &SHORT };
    let release = if given("4.4.0") { "4.4.0" } else { "4.3.1" };
    let Some(kafka) = jvm::every_kafka().find(|kafka| kafka.release == release) else {
        return;
    };
    println!("{}", Jvm::start(&kafka, &PARALLEL, 1).fill(1, 0));
    for collector in extent.collectors {
        speed::print(&kafka, collector, extent);
    }
    memory::print(&kafka);
}
