//! Plays every run that refutes a claim about Apache Kafka on the real one.
//!
//! ```console
//! $ (cd oracle && mvn -q package && mvn -q -P newest package)
//! $ cargo run --release --example replays            # plays, and tells
//! $ cargo run --release --example replays -- record  # and writes tests/data/replays.jsonl anew
//! ```

use std::error::Error;
use std::path::Path;
use std::process::ExitCode;

use retryproof::replay::{about_kafka, play, why_not, Recordings, RELEASES};
use retryproof::shadow::Process;
use retryproof_models::checking::{Limits, Silent, Verdict};
use retryproof_models::claims::check_claims;

/// Where what was answered is kept.
const KEPT: &str = "tests/data/replays.jsonl";

fn main() -> Result<ExitCode, Box<dyn Error>> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let records = words == ["record"];
    if !records && !words.is_empty() {
        return Err("either nothing or the word record".into());
    }
    let claims = about_kafka(Verdict::Refuted);
    let outcomes = check_claims(&claims, &Limits::default(), &Silent, |_| {});
    let mut recordings = Recordings::default();
    let (mut same, mut differ) = (0, 0);
    for release in RELEASES {
        let jar = format!("oracle/target/{release}/oracle.jar");
        if !Path::new(&jar).exists() {
            if records {
                return Err(format!("{jar} is not built: see oracle/README.md").into());
            }
            println!("{release}: skipped, because {jar} is not built");
            continue;
        }
        let command = format!("java -jar {jar} client");
        let mut oracle = Process::of_command_line(&command).ok_or("no command")?;
        for outcome in &outcomes {
            let id = &outcome.claim.id;
            if let Some(reason) = why_not(&outcome.claim.conditions) {
                println!("{release}: {id}: not played, because {reason}");
                continue;
            }
            for played in play(outcome, &mut oracle) {
                let property = &played.refuted.property;
                match &played.result {
                    Ok(()) => {
                        same += 1;
                        let steps = played.steps;
                        println!("{release}: {id}: {property}: {steps} steps, the same");
                    }
                    Err(differs) => {
                        differ += 1;
                        println!("{release}: {id}: {property}: {differs}");
                    }
                }
                recordings.add(played, release);
            }
        }
    }
    println!("{same} runs are the same, {differ} differ");
    if differ > 0 {
        return Ok(ExitCode::FAILURE);
    }
    if records {
        std::fs::write(KEPT, recordings.write()?)?;
    }
    Ok(ExitCode::SUCCESS)
}
