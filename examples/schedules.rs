//! Plays random schedules from the conditions of every claim about Apache Kafka on the real
//! one.
//!
//! ```console
//! $ cargo run --release --example schedules -- 1000
//! ```

use std::error::Error;

use retryproof::replay::{about_kafka, schedule, why_not};
use retryproof::shadow::Process;
use retryproof_models::checking::Verdict;

fn main() -> Result<(), Box<dyn Error>> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let count: u64 = words.first().map_or(Ok(100), |word| word.parse())?;
    let only = &words[1.min(words.len())..];
    let mut worlds = Vec::new();
    for claim in about_kafka(Verdict::Holds)
        .into_iter()
        .chain(about_kafka(Verdict::Refuted))
    {
        if !only.is_empty() && !only.iter().any(|word| claim.id.contains(word)) {
            continue;
        }
        if std::env::var_os("NO_TIMEOUTS").is_some()
            && claim
                .conditions
                .has(retryproof_models::conditions::Fault::DeliveryTimeout)
        {
            continue;
        }
        if why_not(&claim.conditions).is_none()
            && !worlds.iter().any(|(_, known)| *known == claim.conditions)
        {
            worlds.push((claim.id.clone(), claim.conditions));
        }
    }
    let mut oracle = Process::of_command_line("java -jar oracle/target/4.3.1/oracle.jar client")
        .ok_or("no command")?;
    let start = std::time::Instant::now();
    let (mut steps, mut differ) = (0, 0);
    for (id, conditions) in &worlds {
        let mut of_world = 0;
        for seed in 0..count {
            match schedule(conditions, seed, 60, &mut oracle) {
                Ok(schedule) => of_world += schedule.steps,
                Err(differs) => {
                    differ += 1;
                    println!("{id} seed {seed}: {differs}");
                    break;
                }
            }
        }
        steps += of_world;
    }
    println!(
        "{} worlds, {steps} steps, {differ} differ, {:.1} s",
        worlds.len(),
        start.elapsed().as_secs_f64()
    );
    Ok(())
}
