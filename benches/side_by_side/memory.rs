//! Bytes a producer, with its share of everything that belongs to the state of a partition.
//!
//! Ours are what a counting allocator gave out and did not get back, Kafka's what the heap holds
//! more after collecting garbage. Where few producers are asked for, many managers are made on
//! Kafka's side, for a heap is no fine balance.

use allocation_counter::measure;

use crate::jvm::Kafka;
use crate::kafka::{Jvm, PARALLEL};
use crate::operations::WINDOW;
use crate::ours::Append;
use crate::SIZES;

pub fn print(kafka: &Kafka) {
    println!("\nBytes a producer, all included\n");
    println!("| producers | batches | ours | Kafka | ratio |");
    println!("|---:|---:|---:|---:|---:|");
    let mut jvm = Jvm::start(kafka, &PARALLEL, SIZES[SIZES.len() - 1]);
    for producers in SIZES {
        for batches in [1, WINDOW] {
            let ours = ours(producers, batches) / producers as f64;
            let kafka = jvm.memory(producers, batches);
            let kafka = kafka.bytes as f64 / kafka.managers as f64 / producers as f64;
            println!(
                "| {producers} | {batches} | {ours:.1} | {kafka:.1} | {:.1} |",
                kafka / ours
            );
        }
    }
}

/// Bytes of a manager, itself on the heap as Kafka's is.
fn ours(producers: usize, batches: i32) -> f64 {
    let mut kept = None;
    let measured = measure(|| kept = Some(Box::new(Append::after(producers, batches).manager)));
    drop(kept);
    measured.bytes_current as f64
}
