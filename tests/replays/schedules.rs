//! Random schedules from the conditions of the claims, step by step on the model and on the
//! real client and log.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use retryproof::replay::{about_kafka, playable_worlds, schedule, World};
use retryproof_models::checking::Verdict;
use retryproof_models::claims::registry;

use crate::{client, jvm};

/// Most steps of a schedule.
const STEPS: usize = 60;
/// Schedules of each world, unless `RETRYPROOF_SCHEDULES` says otherwise.
const SCHEDULES: u64 = 20;

fn schedules() -> u64 {
    let set = std::env::var("RETRYPROOF_SCHEDULES").ok();
    set.map_or(SCHEDULES, |set| {
        set.parse().expect("RETRYPROOF_SCHEDULES is a number")
    })
}

/// Plays the schedules of these worlds, and says of each whether it may be so. Two programs
/// take turns with the worlds.
fn play(
    kafka: &jvm::Kafka,
    worlds: &[World],
    count: u64,
    may_be: impl Fn(&World, u64, &retryproof::replay::Schedule) + Sync,
) {
    let start = Instant::now();
    let (next, steps) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let plays = || {
        let mut oracle = client(kafka);
        while let Some(world) = worlds.get(next.fetch_add(1, Ordering::Relaxed)) {
            for seed in 0..count {
                let played = schedule(&world.0, seed, STEPS, &mut oracle);
                let id = &world.1[0].id;
                let played = played.unwrap_or_else(|differs| {
                    panic!("{}: {id}, seed {seed}: {differs}", kafka.release)
                });
                steps.fetch_add(played.steps, Ordering::Relaxed);
                may_be(world, seed, &played);
            }
        }
    };
    std::thread::scope(|scope| {
        let other = scope.spawn(plays);
        plays();
        other
            .join()
            .unwrap_or_else(|panic| std::panic::resume_unwind(panic));
    });
    let (worlds, seconds) = (worlds.len(), start.elapsed().as_secs_f64());
    let steps = steps.load(Ordering::Relaxed);
    println!(
        "{}: {worlds} worlds, {count} schedules each, {steps} steps, {seconds:.1} s",
        kafka.release
    );
    assert!(
        steps as u64 > worlds as u64 * count,
        "schedules of no length"
    );
}

#[test]
fn claims_that_hold_are_not_violated_by_random_schedules_of_the_real_client() {
    let worlds = playable_worlds(about_kafka(Verdict::Holds));
    assert!(worlds.len() > 50, "{}", worlds.len());
    if let Some(kafka) = jvm::kafka("4.3.1") {
        play(&kafka, &worlds, schedules(), |(_, claims), seed, played| {
            for claim in claims {
                let broken = played.breaks(&claim.properties);
                assert_eq!(broken, None, "{}, seed {seed}", claim.id);
            }
        });
    }
}

/// Schedules in which the model once did something else than Kafka.
const ONCE_DIFFERENT: [(&str, u64); 4] = [
    ("restarted-replica-leads", 150),
    ("expiry-on-one-replica", 13),
    ("delivery-timeout-means-unknown", 2),
    ("java-4-leftovers", 1),
];

#[test]
fn schedules_that_were_once_different_are_the_same() {
    for kafka in jvm::every_kafka() {
        let mut oracle = client(&kafka);
        for (id, seed) in ONCE_DIFFERENT {
            let claim = registry().iter().find(|claim| claim.id == id);
            let conditions = claim.unwrap_or_else(|| panic!("no claim {id}")).conditions;
            let played = schedule(&conditions, seed, STEPS, &mut oracle);
            played.unwrap_or_else(|differs| panic!("{id}, seed {seed}: {differs}"));
        }
    }
}

#[test]
fn where_claims_are_refuted_random_schedules_are_the_same_too() {
    let worlds = playable_worlds(about_kafka(Verdict::Refuted));
    assert!(worlds.len() > 50, "{}", worlds.len());
    for kafka in jvm::every_kafka() {
        play(&kafka, &worlds, schedules().min(SCHEDULES), |_, _, _| {});
    }
}
