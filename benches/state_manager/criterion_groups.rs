//! The same operations under criterion, which remembers the figures of the run before.

use std::hint::black_box;

use criterion::{BatchSize, BenchmarkId, Criterion};
use retryproof::state_manager::{Config, Timestamp};

use crate::subjects::{Random, Subject, Yardstick};

pub fn run() {
    let mut criterion = Criterion::default().configure_from_args();
    lookups(&mut criterion);
    expiry(&mut criterion);
    criterion.final_summary();
}

fn lookups(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("look-ups");
    for producers in [1, 1_000, 100_000, 1_000_000] {
        let keys = Random::new().producers(1 << 20, producers);
        let mut keys = keys.iter().copied().cycle();
        let mut next = || keys.next().unwrap_or_default();
        let mut subject = Subject::new(Config::kafka(), producers, 5);
        group.bench_function(BenchmarkId::new("accept", producers), |bench| {
            bench.iter(|| subject.append(next()));
        });
        group.bench_function(BenchmarkId::new("duplicate", producers), |bench| {
            bench.iter(|| subject.retry(next(), 3));
        });
        let mut yardstick = Yardstick::new(producers);
        group.bench_function(BenchmarkId::new("yardstick", producers), |bench| {
            bench.iter(|| yardstick.write(next(), black_box([7; 18])));
        });
    }
    group.finish();
}

fn expiry(criterion: &mut Criterion) {
    criterion.bench_function("expiry/100 000 producers at once", |bench| {
        bench.iter_batched_ref(
            || Subject::new(Config::kafka(), 100_000, 1),
            |subject| {
                subject
                    .manager
                    .remove_expired(Timestamp::from_millis(i64::MAX))
            },
            BatchSize::PerIteration,
        );
    });
}
