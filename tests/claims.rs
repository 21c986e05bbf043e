//! The claims as tests: one for each, named after it.
//!
//! `cargo test --test claims` runs them all, `cargo test -- in_flight_6` those about six in
//! flight. A world that several claims are about is searched once.

use std::collections::HashMap;
use std::sync::{LazyLock, OnceLock};

use libtest_mimic::{Arguments, Failed, Trial};
use retryproof_models::checking::{Limits, Silent};
use retryproof_models::claims::{check_claims, registry, Claim, ClaimOutcome, Tier};

/// The claims about one world, and what became of them once it was searched.
struct World {
    claims: Vec<&'static Claim>,
    outcomes: OnceLock<Vec<ClaimOutcome>>,
}

/// The worlds of the registry, by the flags of their conditions.
static WORLDS: LazyLock<HashMap<String, World>> = LazyLock::new(|| {
    let mut worlds: HashMap<String, World> = HashMap::new();
    for claim in registry() {
        let world = worlds.entry(claim.conditions.flags());
        let world = world.or_insert_with(|| World {
            claims: Vec::new(),
            outcomes: OnceLock::new(),
        });
        world.claims.push(claim);
    }
    worlds
});

impl World {
    fn of(claim: &Claim) -> &'static World {
        &WORLDS[&claim.conditions.flags()]
    }

    /// How many claims about the world come before this one.
    fn position(&self, claim: &Claim) -> usize {
        let mut claims = self.claims.iter();
        claims.position(|other| other.id == claim.id).unwrap_or(0)
    }

    fn outcomes(&self) -> &[ClaimOutcome] {
        self.outcomes.get_or_init(|| {
            // The threads of the harness are what runs in parallel.
            let limits = Limits {
                threads: 1,
                ..Limits::default()
            };
            check_claims(&self.claims, &limits, &Silent, |_| {})
        })
    }
}

fn check(claim: &'static Claim) -> Result<(), Failed> {
    let world = World::of(claim);
    let told = &world.outcomes()[world.position(claim)];
    if told.as_expected() {
        Ok(())
    } else {
        Err(explain(told).into())
    }
}

fn explain(told: &ClaimOutcome) -> String {
    let claim = told.claim;
    let counts = told.outcome.counts;
    let mut lines = vec![
        format!("{} ({}): {}.", claim.id, claim.question, claim.statement),
        format!("world      {}", claim.conditions),
        format!("ask        retryproof ask {}", claim.conditions.flags()),
        format!("expected   {}", claim.expected),
        format!("found      {}", told.verdict),
    ];
    for property in &claim.properties {
        if let Some(found) = told.outcome.of(*property) {
            let run = found.counterexample.as_ref();
            let run = run.map(|run| format!(", shortest run {} steps", run.len()));
            let run = run.unwrap_or_default();
            lines.push(format!("           {property} {}{run}", found.verdict));
        }
    }
    lines.push(format!(
        "states     {} unique, {} generated, depth {}",
        counts.unique, counts.generated, counts.depth
    ));
    lines.push(match told.pin {
        Some(pin) => format!(
            "pinned     {} unique, {} generated",
            pin.unique, pin.generated
        ),
        None => "pinned     nothing".to_owned(),
    });
    if told.count_changed() {
        lines.push(
            "           The world is not the one that was reviewed: if the model changed on \
             purpose, pin it anew (see models/src/claims/pinned.rs)."
                .to_owned(),
        );
    }
    if let Some(cut) = told.outcome.cut {
        lines.push(format!("cut        {cut}"));
    }
    lines.join("\n")
}

fn main() {
    let arguments = Arguments::from_args();
    let mut claims: Vec<&'static Claim> = registry().iter().collect();
    // The largest worlds first, and never two claims about one world side by side: the
    // second would only wait for the first.
    claims.sort_by_key(|claim| (World::of(claim).position(claim), claim.tier == Tier::Quick));
    let trials = claims
        .into_iter()
        .map(|claim| Trial::test(claim.test_name(), move || check(claim)).with_kind(claim.question))
        .collect();
    libtest_mimic::run(&arguments, trials).exit();
}
