//! Prints the state counts of every world in the registry, for `pinned.txt`.

use std::collections::BTreeMap;

use retryproof_models::checking::{Limits, Silent};
use retryproof_models::claims::{check_claims, registry};

fn main() {
    let claims: Vec<_> = registry().iter().collect();
    let mut worlds = BTreeMap::new();
    check_claims(&claims, &Limits::default(), &Silent, |told| {
        let counts = told.outcome.counts;
        worlds.insert(told.claim.conditions.flags(), counts);
        eprintln!(
            "{} {} {} {:.2}s",
            told.claim.id, told.verdict, counts.unique, told.outcome.seconds
        );
        if told.verdict != told.claim.expected {
            eprintln!("  expected {}", told.claim.expected);
        }
    });
    for (flags, counts) in worlds {
        println!("{} {} {flags}", counts.unique, counts.generated);
    }
}
