//! Accepting a batch and recognising a retry, beside one look-up and write in a `hashbrown`
//! table of entries as large, over the same producers in the same order.

use std::cell::RefCell;
use std::hint::black_box;

use retryproof::state_manager::Config;

use crate::rounds::{measure, ROUNDS};
use crate::subjects::{Random, Subject, Yardstick};

const SIZES: [usize; 4] = [1, 1_000, 100_000, 1_000_000];

pub fn print() {
    println!("\nAccept and duplicate beside a hashbrown look-up and write of 152 bytes");
    println!("median ns an operation, and in brackets the median ratio to the yardstick\n");
    println!("| producers | order | accept | duplicate | yardstick |");
    println!("|---:|---|---:|---:|---:|");
    for producers in SIZES {
        let operations = operations(producers);
        let random = Random::new().producers(ROUNDS * operations, producers);
        line(producers, "random", &random);
    }
    for producers in &SIZES[1..] {
        let operations = operations(*producers);
        let in_turn: Vec<u32> = (0..*producers as u32)
            .cycle()
            .take(ROUNDS * operations)
            .collect();
        line(*producers, "in turn", &in_turn);
    }
}

fn operations(producers: usize) -> usize {
    if producers > 1_000 {
        300_000
    } else {
        1_000_000
    }
}

fn line(producers: usize, order: &str, keys: &[u32]) {
    let subject = RefCell::new(Subject::new(Config::kafka(), producers, 5));
    let mut yardstick = Yardstick::new(producers);
    let operations = keys.len() / ROUNDS;
    let keys = |round: usize| &keys[round * operations..(round + 1) * operations];
    let [accept, duplicate, plain] = measure(
        operations,
        [
            &mut |round| accept(&mut subject.borrow_mut(), keys(round)),
            &mut |round| {
                black_box(retry(&subject.borrow(), keys(round)));
            },
            &mut |round| write(&mut yardstick, keys(round)),
        ],
    );
    println!(
        "| {producers} | {order} | {:.1} ({:.2}) | {:.1} ({:.2}) | {:.1} |",
        accept.0, accept.1, duplicate.0, duplicate.1, plain.0
    );
}

#[inline(never)]
fn accept(subject: &mut Subject, keys: &[u32]) {
    for key in keys {
        subject.append(*key);
    }
}

/// Retries spread evenly over the places of the window.
#[inline(never)]
fn retry(subject: &Subject, keys: &[u32]) -> i64 {
    let mut sum = 0;
    for (at, key) in keys.iter().enumerate() {
        let back = 1 + (at % 5) as i32;
        sum += subject.retry(*key, back).first_offset.get();
    }
    sum
}

#[inline(never)]
fn write(yardstick: &mut Yardstick, keys: &[u32]) {
    for key in keys {
        yardstick.write(*key, black_box([u64::from(*key); 18]));
    }
}
