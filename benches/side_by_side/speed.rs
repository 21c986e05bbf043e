//! Nanoseconds an operation, in turns: a round of ours, the same round of Kafka's.
//!
//! The timed part is the same on both sides: from an operation that was drawn before, make the
//! batch (a header whose fields are numbers), look for it in the producer's window, and unless it
//! is there check it and commit it at the end of the log. Outside of it on both sides: drawing
//! the operations, parsing and validating bytes, writing a log, locks, transactions.

use std::time::Instant;

use crate::jvm::Kafka;
use crate::kafka::{Collector, Jvm};
use crate::operations::{checksum, Operations, Stream, WINDOW};
use crate::ours::Append;
use crate::{Extent, SIZES};

const SEED: u64 = 42;

pub fn print(kafka: &Kafka, collector: &Collector, extent: &Extent) {
    println!(
        "\nNanoseconds an operation: medians of {} rounds, garbage collector {}.",
        extent.rounds, collector.name
    );
    println!(
        "Kafka's time by ours in the same round: median (least to most); and of all rounds.\n"
    );
    println!("| producers | stream | ours | Kafka | ratio | of all | collecting |");
    println!("|---:|---|---:|---:|---:|---:|---:|");
    for producers in SIZES {
        for stream in Stream::ALL {
            // One producer is always the next one.
            if producers > 1 || stream != Stream::Random {
                line(kafka, collector, extent, producers, stream);
            }
        }
    }
}

fn line(kafka: &Kafka, collector: &Collector, extent: &Extent, producers: usize, stream: Stream) {
    let mut pair = Pair::new(kafka, collector, producers, stream);
    while pair.warmed_up < extent.warm_up_ns {
        pair.warmed_up += pair.round().1;
    }
    let mut rounds: Vec<(f64, f64)> = Vec::new();
    pair.collecting_ms = 0;
    for _ in 0..extent.rounds {
        rounds.push(pair.round());
    }
    let operations = pair.drawn.len() as f64;
    let ours = in_order(rounds.iter().map(|(ours, _)| ours / operations));
    let kafkas = in_order(rounds.iter().map(|(_, kafkas)| kafkas / operations));
    let ratios = in_order(rounds.iter().map(|(ours, kafkas)| kafkas / ours));
    let sum = |numbers: &[f64]| numbers.iter().sum::<f64>();
    println!(
        "| {producers} | {} | {:.1} | {:.0} | {:.1} ({:.1} to {:.1}) | {:.1} | {:.0} % |",
        stream.word(),
        median(&ours),
        median(&kafkas),
        median(&ratios),
        ratios[0],
        ratios[ratios.len() - 1],
        sum(&kafkas) / sum(&ours),
        pair.collecting_ms as f64 * 1e6 / operations / sum(&kafkas) * 100.0,
    );
}

/// Both sides, in step.
struct Pair {
    ours: Append,
    jvm: Jvm,
    operations: Operations,
    stream: Stream,
    drawn: Vec<u64>,
    /// Nanoseconds that Kafka was given to get warm.
    warmed_up: f64,
    collecting_ms: u64,
}

impl Pair {
    fn new(kafka: &Kafka, collector: &Collector, producers: usize, stream: Stream) -> Self {
        let mut jvm = Jvm::start(kafka, collector, producers);
        jvm.fill(producers, SEED);
        Pair {
            ours: Append::after(producers, WINDOW),
            jvm,
            operations: Operations::new(producers, WINDOW, SEED),
            stream,
            drawn: vec![0; operations(producers, stream)],
            warmed_up: 0.0,
            collecting_ms: 0,
        }
    }

    /// The nanoseconds of ours and of Kafka's, which did the same and answered the same.
    fn round(&mut self) -> (f64, f64) {
        self.operations.draw(self.stream, &mut self.drawn);
        let start = Instant::now();
        let offsets = self.ours.append_all(&self.drawn);
        let ours = start.elapsed().as_secs_f64() * 1e9;
        let kafka = self.jvm.round(self.stream, self.drawn.len());
        assert_eq!(kafka.checksum, format!("{:x}", checksum(&self.drawn)));
        assert_eq!(kafka.offsets, offsets, "answered offsets");
        self.collecting_ms += kafka.collecting_ms;
        (ours, kafka.nanoseconds as f64)
    }
}

/// Of a round: enough that garbage is collected in several.
fn operations(producers: usize, stream: Stream) -> usize {
    if producers > 1_000 && stream != Stream::Turns {
        300_000
    } else {
        1_000_000
    }
}

fn in_order(numbers: impl Iterator<Item = f64>) -> Vec<f64> {
    let mut numbers: Vec<f64> = numbers.collect();
    numbers.sort_by(f64::total_cmp);
    numbers
}

fn median(in_order: &[f64]) -> f64 {
    in_order[in_order.len() / 2]
}
