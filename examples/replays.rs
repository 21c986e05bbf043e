//! Plays every run that refutes a claim about Apache Kafka on the real one.
//!
//! ```console
//! $ (cd oracle && mvn -q package && mvn -q -P newest package)
//! $ cargo run --release --example replays            # plays, and tells
//! $ cargo run --release --example replays -- record  # and writes tests/data/replays.jsonl anew
//! ```

use std::error::Error;
use std::path::Path;

use retryproof::replay::{
    about_kafka, counterexample, runs_against, why_not, Recorder, Recordings, Refuted,
};
use retryproof::shadow::Process;
use retryproof_models::checking::{Limits, Silent, Verdict};
use retryproof_models::claims::check_claims;

const RELEASES: [&str; 2] = ["4.3.1", "4.4.0"];

fn main() -> Result<(), Box<dyn Error>> {
    let only: Vec<String> = std::env::args()
        .skip(1)
        .filter(|word| word != "record")
        .collect();
    let mut claims = about_kafka(Verdict::Refuted);
    claims.retain(|claim| only.is_empty() || only.iter().any(|word| claim.id.contains(word)));
    let outcomes = check_claims(&claims, &Limits::default(), &Silent, |_| {});
    let mut recordings = Recordings::default();
    let mut differ = 0;
    for release in RELEASES {
        let jar = format!("oracle/target/{release}/oracle.jar");
        if !Path::new(&jar).exists() {
            println!("skipped {release}, because {jar} is not built");
            continue;
        }
        let command = format!("java -jar {jar} client");
        let mut oracle = Process::of_command_line(&command).ok_or("no command")?;
        for outcome in &outcomes {
            let id = &outcome.claim.id;
            if let Some(reason) = why_not(&outcome.claim.conditions) {
                println!("{release} {id}: not played, because {reason}");
                continue;
            }
            for (property, run) in runs_against(outcome) {
                let mut recorder = Recorder::new(&mut oracle);
                match counterexample(run, property, &mut recorder) {
                    Ok(()) => println!("{release} {id} {property}: {} steps, the same", run.len()),
                    Err(differs) => {
                        differ += 1;
                        println!("{release} {id} {property}: {differs}");
                    }
                }
                let refuted = Refuted {
                    claim: id.clone(),
                    property: property.to_string(),
                };
                let exchange = recorder.exchange;
                recordings.add(refuted, release, exchange);
            }
        }
    }
    println!("{differ} differ");
    if std::env::args().any(|word| word == "record") {
        std::fs::write("tests/data/replays.jsonl", recordings.write()?)?;
    }
    Ok(())
}
