//! Plays random schedules from the conditions of every claim about Apache Kafka on the real
//! one, step by step beside the model.
//!
//! ```console
//! $ (cd oracle && mvn -q package)
//! $ cargo run --release --example schedules -- 1000          # of each world
//! $ cargo run --release --example schedules -- 1000 restart  # of claims with this in their id
//! ```

use std::error::Error;
use std::process::ExitCode;
use std::time::Instant;

use retryproof::replay::{about_kafka, playable_worlds, schedule};
use retryproof::shadow::Process;
use retryproof_models::checking::Verdict;

/// Most steps of a schedule.
const STEPS: usize = 60;

fn main() -> Result<ExitCode, Box<dyn Error>> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let (count, only) = words.split_first().ok_or("how many schedules?")?;
    let count: u64 = count.parse()?;
    let mut claims = about_kafka(Verdict::Holds);
    claims.extend(about_kafka(Verdict::Refuted));
    claims.retain(|claim| only.is_empty() || only.iter().any(|word| claim.id.contains(word)));
    let worlds = playable_worlds(claims);
    let command = "java -jar oracle/target/4.3.1/oracle.jar client";
    let mut oracle = Process::of_command_line(command).ok_or("no command")?;
    let start = Instant::now();
    let (mut schedules, mut steps, mut differ, mut broken) = (0, 0, 0, 0);
    for (conditions, claims) in &worlds {
        for seed in 0..count {
            match schedule(conditions, seed, STEPS, &mut oracle) {
                Ok(schedule) => {
                    schedules += 1;
                    steps += schedule.steps;
                    let hold = claims
                        .iter()
                        .filter(|claim| claim.expected == Verdict::Holds);
                    for claim in hold {
                        if let Some(property) = schedule.breaks(&claim.properties) {
                            broken += 1;
                            println!("{}, seed {seed}: violates {property}", claim.id);
                        }
                    }
                }
                Err(differs) => {
                    differ += 1;
                    println!("{}, seed {seed}: {differs}", claims[0].id);
                    break;
                }
            }
        }
    }
    let seconds = start.elapsed().as_secs_f64();
    println!(
        "{} worlds, {schedules} schedules, {steps} steps, {differ} differ, {broken} violate, {seconds:.1} s",
        worlds.len()
    );
    Ok(match differ + broken {
        0 => ExitCode::SUCCESS,
        _ => ExitCode::FAILURE,
    })
}
