//! The defect museum: every entry of known-faults is accounted for, every exhibit is caught
//! by exactly the properties that it names and mended by its repair, and no published rule
//! or policy stands about unused.

use std::collections::{BTreeMap, BTreeSet};

use retryproof_models::checking::{self, Coverage, Limits, Silent, Verdict};
use retryproof_models::claims::registry;
use retryproof_models::conditions::{Budget, Conditions, ProducerKnown};
use retryproof_models::defects::{self, Defect, Exhibit};
use retryproof_models::network::NetworkKind;
use retryproof_models::policies::published as policy;
use retryproof_models::rules::published as rule;
use retryproof_models::rules::Rule;
use retryproof_properties::PropertyId;

/// The entries of known-faults.
const ENTRIES: &[&str] = &[
    "B01", "B02", "B03", "B05", "B06", "B07", "B08", "B09", "B10", "B11", "B12", "B13", "B14",
    "B15", "B16", "B18", "B19", "B22", "B23", "B24", "B25", "B26", "B27", "B28", "C01", "C02",
    "C03", "C04", "C05", "C06", "C07", "C08", "C09", "C10", "C11", "C12", "C14", "C15", "C16",
    "C17", "C18", "F02", "F03", "I01", "K01", "N01", "N02", "N03", "N04", "R01", "R02", "R03",
    "R04", "R07", "R08", "R09", "R10",
];

/// Every exhibit, with the world of the fault and that of the repair.
fn exhibits() -> impl Iterator<
    Item = (
        &'static Defect,
        &'static Conditions,
        &'static [PropertyId],
        &'static Conditions,
    ),
> {
    defects::all().filter_map(|defect| match &defect.exhibit {
        Exhibit::Caught {
            faulty,
            caught_by,
            repaired,
        } => Some((defect, faulty, *caught_by, repaired)),
        _ => None,
    })
}

#[test]
fn every_entry_of_known_faults_is_in_the_museum_once() {
    let mut entries: Vec<_> = defects::all().filter_map(|defect| defect.entry).collect();
    entries.sort_unstable();
    assert_eq!(entries, ENTRIES);
    for defect in defects::all() {
        if let Some(entry) = defect.entry {
            assert!(defect.source.contains(entry), "{}", defect.id);
        }
    }
}

#[test]
fn ids_are_unique_kebab_case_and_found() {
    let mut ids = BTreeSet::new();
    for defect in defects::all() {
        assert!(ids.insert(defect.id), "{} twice", defect.id);
        let is_kebab_case = defect.id.chars().all(|letter| {
            letter.is_ascii_lowercase() || letter.is_ascii_digit() || "-.".contains(letter)
        });
        assert!(is_kebab_case, "{}", defect.id);
        assert_eq!(
            defects::find(defect.id).map(|found| found.id),
            Some(defect.id)
        );
    }
}

#[test]
fn what_is_not_caught_says_why() {
    for defect in defects::all() {
        let (Exhibit::NotProtocol { reason }
        | Exhibit::NoProperty { reason }
        | Exhibit::Later { reason }) = &defect.exhibit
        else {
            continue;
        };
        assert!(!reason.is_empty(), "{}", defect.id);
    }
}

#[test]
fn every_exhibit_is_two_claims() {
    for (defect, faulty, caught_by, repaired) in exhibits() {
        let claim = |id: &str| registry().iter().find(|claim| claim.id == id);
        for (id, world, expected) in [
            (defect.id.to_owned(), faulty, Verdict::Refuted),
            (defect.repaired_id(), repaired, Verdict::Holds),
        ] {
            let claim = claim(&id).unwrap_or_else(|| panic!("no claim {id}"));
            assert_eq!(claim.conditions, *world, "{id}");
            assert_eq!(claim.properties, caught_by, "{id}");
            assert_eq!(claim.expected, expected, "{id}");
        }
    }
}

#[test]
fn an_exhibit_and_its_repair_differ_in_one_condition() {
    for (defect, faulty, _, repaired) in exhibits() {
        assert_eq!(faulty.validate(), Ok(()), "{}", defect.id);
        assert_eq!(repaired.validate(), Ok(()), "{}", defect.id);
        let differences: Vec<_> = faulty
            .all()
            .into_iter()
            .zip(repaired.all())
            .filter(|(faulty, repaired)| faulty != repaired)
            .collect();
        assert_eq!(differences.len(), 1, "{}: {differences:?}", defect.id);
    }
}

/// A property that the fault breaks and the repair does not mend is no matter of the fault.
#[test]
fn every_exhibit_is_caught_by_exactly_its_properties_and_mended_by_its_repair() {
    let limits = Limits::default();
    for (defect, faulty, caught_by, repaired) in exhibits() {
        let found = checking::check(faulty, PropertyId::ALL, &limits, &Silent);
        let mended = checking::check(repaired, PropertyId::ALL, &limits, &Silent);
        assert!(found.exhausted() && mended.exhausted(), "{}", defect.id);
        let kills: BTreeSet<_> = found
            .properties
            .iter()
            .filter(|outcome| outcome.counterexample.is_some())
            .map(|outcome| outcome.property)
            .filter(|property| {
                let after = mended.of(*property).map(|outcome| outcome.verdict);
                after == Some(Verdict::Holds)
            })
            .collect();
        let caught_by: BTreeSet<_> = caught_by.iter().copied().collect();
        assert_eq!(kills, caught_by, "{}", defect.id);
    }
}

#[test]
fn every_published_policy_and_rule_is_in_an_exhibit() {
    let used = |is_used: &dyn Fn(&Conditions) -> bool| {
        exhibits().any(|(_, faulty, _, repaired)| is_used(faulty) || is_used(repaired))
    };
    for rule in rule::ALL {
        assert!(used(&|world| world.rule == *rule), "{}", rule.name);
    }
    for policy in policy::ALL {
        assert!(used(&|world| world.client == *policy), "{}", policy.name);
    }
}

/// Branches that no world takes, and why.
const NEVER_TAKEN: &[(&str, &str, &str)] = &[(
    "helix",
    "more than five beyond the next sequence",
    "no producer sends that far beyond what is written",
)];

/// The worlds of the museum, and others in which batches overtake each other and epochs are
/// raised.
fn coverage_of(rule: &'static Rule) -> Coverage {
    let overtaking = Conditions {
        rule,
        network: NetworkKind::Unordered,
        producer_state: ProducerKnown::Known,
        in_flight: 3,
        window: 1,
        connections: 2,
        batches: Budget::AtMost(4),
        disconnects: Budget::AtMost(2),
        ..Conditions::KAFKA
    };
    let of_new = Conditions {
        producer_state: ProducerKnown::New,
        ..overtaking
    };
    let raising = Conditions {
        network: NetworkKind::Session,
        fatal_refusals: Budget::ONE,
        ..overtaking
    };
    let museum = exhibits().flat_map(|(_, faulty, _, repaired)| [*faulty, *repaired]);
    let mut all = Coverage::default();
    for world in museum
        .filter(|world| world.rule == rule)
        .chain([overtaking, of_new, raising])
    {
        let limits = Limits {
            max_states: 200_000,
            ..Limits::default()
        };
        all.add(&checking::survey(&world, &limits, &Silent).coverage);
    }
    all
}

#[test]
fn every_branch_of_every_published_rule_is_taken_or_says_why_not() {
    for rule in rule::ALL {
        let taken: BTreeMap<_, _> = coverage_of(rule).branches;
        let unlisted: Vec<_> = taken
            .keys()
            .filter(|branch| !rule.branches.contains(branch) && !of_the_broker(branch))
            .collect();
        assert!(unlisted.is_empty(), "{}: {unlisted:?}", rule.name);
        for branch in rule.branches {
            let is_excused = NEVER_TAKEN
                .iter()
                .any(|(name, excused, _)| *name == rule.name && excused == branch);
            let is_taken = taken.contains_key(branch);
            assert_ne!(is_taken, is_excused, "{}: {branch}", rule.name);
        }
    }
}

/// Branches that are taken before the rule is asked.
fn of_the_broker(branch: &str) -> bool {
    use retryproof_models::broker::{
        DOES_NOT_VALIDATE, FAILS_HALF_WAY, NO_SEQUENCE, REFUSED_BEFORE, TOO_LARGE,
    };
    [
        DOES_NOT_VALIDATE,
        FAILS_HALF_WAY,
        NO_SEQUENCE,
        REFUSED_BEFORE,
        TOO_LARGE,
    ]
    .contains(&branch)
}
