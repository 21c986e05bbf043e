//! Measuring several things in turns, so that a change of the machine's mood hits them all.

use std::time::Instant;

/// Rounds of which the median is taken.
pub const ROUNDS: usize = 21;

/// Nanoseconds for each operation of each of the bodies, and the ratio to the last one's: the
/// medians of all rounds. A body is given the number of the round.
pub fn measure<const N: usize>(
    operations: usize,
    mut bodies: [&mut dyn FnMut(usize); N],
) -> [(f64, f64); N] {
    let mut nanos = [const { Vec::new() }; N];
    let mut ratios = [const { Vec::new() }; N];
    for round in 0..ROUNDS {
        let mut taken = [0.0; N];
        for (body, taken) in bodies.iter_mut().zip(&mut taken) {
            let start = Instant::now();
            body(round);
            *taken = start.elapsed().as_secs_f64() * 1e9 / operations as f64;
        }
        for (at, taken_by_one) in taken.iter().enumerate() {
            nanos[at].push(*taken_by_one);
            ratios[at].push(taken_by_one / taken[N - 1]);
        }
    }
    std::array::from_fn(|at| (median(&mut nanos[at]), median(&mut ratios[at])))
}

fn median(numbers: &mut [f64]) -> f64 {
    numbers.sort_by(f64::total_cmp);
    numbers[numbers.len() / 2]
}
