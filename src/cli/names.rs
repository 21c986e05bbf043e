//! Names on the command line: claims, scenarios, properties, rules, clients, networks. A name that is
//! not known is answered with the nearest ones that are.

use std::fmt;

use retryproof_models::claims::{registry, Claim, Tier};
use retryproof_models::network::NetworkKind;
use retryproof_models::policies::{self, Policy};
use retryproof_models::rules::{self, Rule};
use retryproof_models::scenarios::{self, Scenario};
use retryproof_models::specification::Profile;
use retryproof_properties::PropertyId;

use super::Refused;

/// How alike a name must be to be offered, 0 to 1.
const ALIKE: f64 = 0.55;
/// How alike a name is that holds what was given.
const HOLDS: f64 = 0.85;
/// How many names are offered.
const OFFERED: usize = 3;
/// A list of names that is not longer than this is shown whole where none is alike.
const SHORT_LIST: usize = 12;

/// Names that come near to one that is not known; empty if none does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Nearest {
    names: Vec<String>,
    alike: bool,
}

impl Nearest {
    /// The nearest of these names, best first; all of a short list where none is near.
    pub fn to(name: &str, known: impl IntoIterator<Item = impl AsRef<str>>) -> Self {
        let known: Vec<String> = known
            .into_iter()
            .map(|known| known.as_ref().to_owned())
            .collect();
        let mut alike: Vec<(f64, &String)> = known
            .iter()
            .map(|known| (alikeness(name, known), known))
            .filter(|(score, _)| *score >= ALIKE)
            .collect();
        alike.sort_by(|one, other| other.0.total_cmp(&one.0));
        let alike: Vec<String> = alike
            .into_iter()
            .take(OFFERED)
            .map(|(_, name)| name.clone())
            .collect();
        match alike.is_empty() {
            false => Nearest {
                names: alike,
                alike: true,
            },
            true if known.len() <= SHORT_LIST => Nearest {
                names: known,
                alike: false,
            },
            true => Nearest {
                names: Vec::new(),
                alike: false,
            },
        }
    }
}

/// How alike a known name, or its beginning, is to what was given.
fn alikeness(given: &str, known: &str) -> f64 {
    let beginning: String = known.chars().take(given.chars().count() + 1).collect();
    let holds = !given.is_empty() && known.contains(given);
    [
        strsim::normalized_damerau_levenshtein(given, known),
        strsim::normalized_damerau_levenshtein(given, &beginning),
        if holds { HOLDS } else { 0.0 },
    ]
    .into_iter()
    .fold(0.0, f64::max)
}

impl fmt::Display for Nearest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.names.is_empty() {
            return f.write_str("; retryproof list shows all");
        }
        let lead = if self.alike { "nearest" } else { "there is" };
        write!(f, "; {lead}: {}", self.names.join(", "))
    }
}

fn unknown<T>(
    kind: &'static str,
    name: &str,
    known: impl IntoIterator<Item = impl AsRef<str>>,
) -> Result<T, Refused> {
    Err(Refused::UnknownName {
        kind,
        name: name.to_owned(),
        nearest: Nearest::to(name, known),
    })
}

/// The property of this id.
pub fn property(id: &str) -> Result<PropertyId, Refused> {
    id.parse().or_else(|_| {
        let known = PropertyId::ALL.iter().map(|property| property.id());
        unknown("property", id, known)
    })
}

/// The properties of these ids, each once, in the order of the registry; all if there is
/// no id.
pub fn properties(ids: &[String]) -> Result<Vec<PropertyId>, Refused> {
    let asked = ids
        .iter()
        .map(|id| property(id))
        .collect::<Result<Vec<_>, _>>()?;
    Ok(PropertyId::ALL
        .iter()
        .copied()
        .filter(|property| asked.is_empty() || asked.contains(property))
        .collect())
}

/// The rule, published faulty rule or mutated rule of this name.
pub fn rule(name: &str) -> Result<&'static Rule, Refused> {
    rules::find(name).map_or_else(
        || {
            let known = [rules::ALL, rules::published::ALL, rules::mutants::ALL];
            let known = known.into_iter().flatten();
            unknown("rule", name, known.map(|rule| rule.name))
        },
        Ok,
    )
}

/// The client policy, published faulty policy or mutated policy of this name.
pub fn client(name: &str) -> Result<&'static Policy, Refused> {
    policies::find(name).map_or_else(
        || {
            let known = [
                policies::ALL,
                policies::published::ALL,
                policies::mutants::ALL,
            ];
            let known = known.into_iter().flatten();
            unknown("client", name, known.map(|policy| policy.name))
        },
        Ok,
    )
}

/// The kind of network of this name.
pub fn network(name: &str) -> Result<NetworkKind, Refused> {
    one_of("network", name, NetworkKind::ALL, NetworkKind::name)
}

/// Out of a few values the one of this name.
pub fn one_of<T: Copy>(
    kind: &'static str,
    name: &str,
    all: &[T],
    name_of: fn(T) -> &'static str,
) -> Result<T, Refused> {
    match all.iter().find(|known| name_of(**known) == name) {
        Some(known) => Ok(*known),
        None => unknown(kind, name, all.iter().map(|known| name_of(*known))),
    }
}

/// The tiers that a word selects.
pub fn tiers(word: &str) -> Result<&'static [Tier], Refused> {
    match word {
        "quick" => Ok(&[Tier::Quick]),
        "deep" => Ok(&[Tier::Deep]),
        "all" => Ok(&[Tier::Quick, Tier::Deep]),
        _ => unknown("tier", word, ["quick", "deep", "all"]),
    }
}

/// The profile of this name.
pub fn profile(name: &str) -> Result<Profile, Refused> {
    match name {
        "kafka" => Ok(Profile::Kafka),
        "hardened" => Ok(Profile::Hardened),
        _ => unknown("profile", name, ["kafka", "hardened"]),
    }
}

/// The claim of this id, or all that answer this question, or all of whose id it is a part.
pub fn claims(name: &str) -> Result<Vec<&'static Claim>, Refused> {
    if let Some(claim) = registry().iter().find(|claim| claim.id == name) {
        return Ok(vec![claim]);
    }
    let found: Vec<_> = registry()
        .iter()
        .filter(|claim| claim.question == name || (!name.is_empty() && claim.id.contains(name)))
        .collect();
    if found.is_empty() {
        return unknown("claim", name, registry().iter().map(|claim| &claim.id));
    }
    Ok(found)
}

/// The one claim of this id, or of whose id it is a part.
pub fn claim(name: &str) -> Result<&'static Claim, Refused> {
    let found = claims(name)?;
    match found[..] {
        [claim] => Ok(claim),
        _ => ambiguous("claim", name, found.iter().map(|claim| claim.id.as_str())),
    }
}

/// The one scenario of this id, or of whose id it is a part.
pub fn scenario(name: &str) -> Result<&'static Scenario, Refused> {
    if let Some(scenario) = scenarios::find(name) {
        return Ok(scenario);
    }
    let is_part = |scenario: &&&Scenario| !name.is_empty() && scenario.id.contains(name);
    let found: Vec<&'static Scenario> = scenarios::ALL.iter().filter(is_part).copied().collect();
    match found[..] {
        [scenario] => Ok(scenario),
        [] => unknown(
            "scenario",
            name,
            scenarios::ALL.iter().map(|known| known.id),
        ),
        _ => ambiguous("scenario", name, found.iter().map(|scenario| scenario.id)),
    }
}

/// What there is to explore under a name.
pub enum Explorable {
    /// A scenario.
    Scenario(&'static Scenario),
    /// A claim.
    Claim(&'static Claim),
}

/// The one scenario or claim of this id, or of whose id it is a part. Of a scenario and a
/// claim of one id it is the scenario.
pub fn explorable(name: &str) -> Result<Explorable, Refused> {
    if let Some(scenario) = scenarios::find(name) {
        return Ok(Explorable::Scenario(scenario));
    }
    if let Some(claim) = registry().iter().find(|claim| claim.id == name) {
        return Ok(Explorable::Claim(claim));
    }
    let is_part = |id: &str| !name.is_empty() && id.contains(name);
    let parts = scenarios::ALL.iter().filter(|known| is_part(known.id));
    let parts = parts.map(|scenario| (scenario.id, Explorable::Scenario(scenario)));
    let claims = registry().iter().filter(|known| is_part(&known.id));
    let claims = claims.map(|claim| (claim.id.as_str(), Explorable::Claim(claim)));
    let mut found: Vec<(&str, Explorable)> = parts.chain(claims).collect();
    match (found.pop(), found.is_empty()) {
        (Some((_, only)), true) => Ok(only),
        (Some((last, _)), false) => {
            let ids: Vec<&str> = found.iter().map(|(id, _)| *id).chain([last]).collect();
            ambiguous("name", name, ids.into_iter())
        }
        (None, _) => {
            let known = scenarios::ALL.iter().map(|scenario| scenario.id);
            let claims = registry().iter().map(|claim| claim.id.as_str());
            unknown("scenario or claim", name, known.chain(claims))
        }
    }
}

fn ambiguous<'n, T>(
    kind: &'static str,
    name: &str,
    found: impl ExactSizeIterator<Item = &'n str>,
) -> Result<T, Refused> {
    let count = found.len();
    let first: Vec<&str> = found.take(OFFERED).collect();
    Err(Refused::Ambiguous {
        kind,
        name: name.to_owned(),
        count,
        nearest: first.join(", "),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refusal<T>(result: Result<T, Refused>) -> String {
        match result {
            Ok(_) => "not refused".to_owned(),
            Err(refused) => refused.to_string(),
        }
    }

    #[test]
    fn the_nearest_names_come_best_first() {
        let text = refusal(rule("kafka-5"));
        assert!(
            text.starts_with("no rule is called \"kafka-5\"; nearest: kafka-4"),
            "{text}"
        );
    }

    #[test]
    fn a_slip_in_the_beginning_of_a_long_name_is_found() {
        let text = refusal(claims("in-flght-6"));
        assert!(text.contains("nearest: in-flight-6"), "{text}");
        let text = refusal(property("duplicate"));
        assert!(text.contains("no-duplicate"), "{text}");
    }

    #[test]
    fn a_short_list_is_shown_whole_where_nothing_is_near() {
        assert_eq!(
            refusal(network("zzz")),
            "no network is called \"zzz\"; there is: session, ordered, unordered, duplicating"
        );
    }

    #[test]
    fn a_long_list_is_referred_to_where_nothing_is_near() {
        assert_eq!(
            refusal(claims("zzz")),
            "no claim is called \"zzz\"; retryproof list shows all"
        );
    }

    #[test]
    fn a_whole_id_selects_one_claim_and_a_part_selects_many() {
        assert_eq!(claims("in-flight-5").map(|found| found.len()).ok(), Some(1));
        assert!(claims("in-flight-6").is_ok_and(|found| found.len() > 1));
        assert!(refusal(claim("in-flight-6")).contains("say which"));
    }

    #[test]
    fn an_empty_part_is_no_part() {
        assert!(claims("").is_err());
    }

    #[test]
    fn properties_come_once_and_in_the_order_of_the_registry() {
        let ids = ["log-is-fold", "no-duplicate", "log-is-fold"].map(str::to_owned);
        let found = properties(&ids).ok();
        let expected = vec![PropertyId::NoDuplicate, PropertyId::LogIsFold];
        assert_eq!(found, Some(expected));
        assert_eq!(properties(&[]).ok().as_deref(), Some(PropertyId::ALL));
    }
}
