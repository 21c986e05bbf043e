//! How fast worlds are searched: generated states per second on three fixed worlds, the
//! time to the verdict on the headline claim, and what the actor form costs.

use std::fmt::Debug;
use std::hash::Hash;
use std::hint::black_box;

use criterion::{criterion_group, criterion_main, Criterion, Throughput};
use retryproof_models::checking::{self, Limits, Silent};
use retryproof_models::conditions::Conditions;
use retryproof_models::world::{ActorWorld, FlatWorld};
use retryproof_properties::PropertyId;
use stateright::{Checker, Model};

/// The three worlds, from small to large.
fn worlds() -> [(&'static str, Conditions); 3] {
    let headline = Conditions::KAFKA;
    [
        (
            "3 in flight, window 3, two dead connections",
            Conditions {
                in_flight: 3,
                window: 3,
                ..headline
            },
        ),
        ("5 in flight, window 5, two dead connections", headline),
        (
            "5 in flight, window 5, three dead connections",
            Conditions {
                connections: 4,
                ..headline
            },
        ),
    ]
}

fn explore<M>(world: M, threads: usize) -> usize
where
    M: Model + Send + Sync + 'static,
    M::State: Clone + Debug + Hash + PartialEq + Send + Sync,
    M::Action: Clone + Debug + PartialEq + Send + Sync,
{
    let checker = world.checker().threads(threads).spawn_bfs().join();
    checker.state_count()
}

fn states_per_second(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("generated states");
    group.sample_size(10);
    for (name, conditions) in worlds() {
        let generated = explore(FlatWorld::new(conditions), 1);
        group.throughput(Throughput::Elements(generated as u64));
        for threads in [1, 2] {
            group.bench_function(format!("{name}/threads: {threads}"), |bench| {
                bench.iter(|| explore(black_box(FlatWorld::new(conditions)), threads));
            });
        }
    }
    group.finish();
}

/// Everything that `check` does for one claim: Stateright's exhaustive run, the survey,
/// and the comparison of the two.
fn time_to_verdict(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("verdict");
    group.sample_size(10);
    for (name, conditions) in &worlds()[1..] {
        group.bench_function(*name, |bench| {
            bench.iter(|| {
                let limits = Limits::default();
                checking::check(black_box(conditions), PropertyId::ALL, &limits, &Silent)
            });
        });
    }
    group.finish();
}

/// The same world as three Stateright actors.
fn actor_form(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("actor form");
    group.sample_size(10);
    let (name, conditions) = worlds()[0];
    let generated = explore(FlatWorld::new(conditions), 1);
    group.throughput(Throughput::Elements(generated as u64));
    group.bench_function(format!("{name}/flat"), |bench| {
        bench.iter(|| explore(black_box(FlatWorld::new(conditions)), 1));
    });
    let actors = ActorWorld::new(conditions).expect("the session network has an actor form");
    group.bench_function(format!("{name}/actors"), |bench| {
        bench.iter(|| explore(black_box(actors.clone()), 1));
    });
    group.finish();
}

criterion_group!(benches, states_per_second, time_to_verdict, actor_form);
criterion_main!(benches);
