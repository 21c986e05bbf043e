//! Which claims a command is about.

use clap::Args;
use retryproof_models::claims::{registry, Claim, Tier};

use super::{names, Refused};

/// Claims by name and tier.
#[derive(Args, Clone, Debug)]
pub struct ChosenClaims {
    /// Claims by id, by a part of ids, or by question, as A1 [all of the tier]
    #[arg(value_name = "CLAIM")]
    claims: Vec<String>,
    /// quick, deep or all [quick; all where claims are named]
    #[arg(long, value_name = "TIER")]
    tier: Option<String>,
}

impl ChosenClaims {
    /// The names that were given; none means all claims of the tiers.
    pub fn names(&self) -> &[String] {
        &self.claims
    }

    /// The tiers that are looked into.
    pub fn tiers(&self) -> Result<&'static [Tier], Refused> {
        let default = if self.claims.is_empty() {
            "quick"
        } else {
            "all"
        };
        names::tiers(self.tier.as_deref().unwrap_or(default))
    }

    /// The claims, in the order of the registry.
    pub fn claims(&self) -> Result<Vec<&'static Claim>, Refused> {
        let tiers = self.tiers()?;
        let mut wanted: Vec<&str> = Vec::new();
        for name in &self.claims {
            let found = names::claims(name)?;
            let in_tier = found.iter().filter(|claim| tiers.contains(&claim.tier));
            let before = wanted.len();
            wanted.extend(in_tier.map(|claim| claim.id.as_str()));
            if wanted.len() == before {
                return Err(Refused::NotInTier {
                    name: name.clone(),
                    tier: tiers[0].name(),
                });
            }
        }
        Ok(registry()
            .iter()
            .filter(|claim| tiers.contains(&claim.tier))
            .filter(|claim| self.claims.is_empty() || wanted.contains(&claim.id.as_str()))
            .collect())
    }
}
