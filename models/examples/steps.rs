//! Prints the shortest runs against a claim by the names of their steps, as a scenario gives
//! them: `cargo run --release -p retryproof-models --example steps -- in-flight-6`.

use retryproof_models::checking::{check, Limits, Silent};
use retryproof_models::claims::registry;
use retryproof_models::scenarios::names::names_of;

fn main() {
    for id in std::env::args().skip(1) {
        let Some(claim) = registry().iter().find(|claim| claim.id == id) else {
            eprintln!("no claim is called {id}");
            continue;
        };
        println!("{id}: {}", claim.conditions.flags());
        let limits = Limits::default();
        let outcome = check(&claim.conditions, &claim.properties, &limits, &Silent);
        for found in &outcome.properties {
            let Some(run) = &found.counterexample else {
                continue;
            };
            println!("{} in {} steps", found.property, run.len());
            for name in names_of(run) {
                println!("\"{name}\",");
            }
        }
    }
}
