//! The bounds are enough: verdicts and shapes of decisions stop growing well before the largest
//! size that is tried. Where they do not, it says so here, and `docs/why-small-is-enough.md`
//! says why.

use std::collections::BTreeSet;

use retryproof_models::checking::{survey, Limits, Silent, Verdict};
use retryproof_models::claims::{registry, Claim, Tier};
use retryproof_models::conditions::{Budget, Conditions};
use retryproof_models::cutoffs::{all_growths, Dimension, Growth, BASES};
use retryproof_properties::PropertyId;

/// What still changes at the largest size that is tried.
const NOT_SETTLED: &[(&str, Dimension, &str)] = &[
    // With a third broker a batch can stand on the next leader and not be acknowledged. With
    // two it takes another lost connection.
    ("leader moves", Dimension::Brokers, "verdicts"),
    ("leader moves", Dimension::Brokers, "shapes"),
    ("leader moves", Dimension::Brokers, "pairs"),
    ("leader moves", Dimension::Faults, "pairs"),
    // In bounded runs every connection and timeout more makes new decisions of old numbers.
    ("a delivery timeout", Dimension::DeadConnections, "pairs"),
    ("a delivery timeout", Dimension::Faults, "pairs"),
];

fn not_settled(growth: &Growth) -> Vec<(&'static str, Dimension, &'static str)> {
    let looks = [
        ("verdicts", growth.verdicts_from()),
        ("shapes", growth.shapes_from()),
        ("pairs", growth.pairs_from()),
    ];
    let open = looks.iter().filter(|(_, from)| !growth.is_inside(*from));
    open.map(|(look, _)| (growth.base.name, growth.dimension, *look))
        .collect()
}

/// What the larger of two neighbours lacks of the smaller.
fn lost(growth: &Growth) -> Option<String> {
    growth.sizes.windows(2).find_map(|pair| {
        let (smaller, larger) = (&pair[0], &pair[1]);
        let is_lost = |property: &&PropertyId| {
            let verdict = |verdicts: &[Verdict]| verdicts[property.index()];
            verdict(&smaller.verdicts) == Verdict::Refuted
                && verdict(&larger.verdicts) != Verdict::Refuted
        };
        let properties: Vec<_> = PropertyId::ALL.iter().filter(is_lost).collect();
        let shapes = smaller.gathered.shapes.difference(&larger.gathered.shapes);
        let shapes: Vec<_> = shapes.collect();
        let is_more = properties.is_empty() && shapes.is_empty();
        (!is_more).then(|| format!("{}: {properties:?} {shapes:?}", larger.conditions))
    })
}

/// One run over all base worlds, for it takes a while.
#[test]
fn every_base_world_stops_growing_inside_its_bounds() {
    let growths = all_growths(&Limits::default());
    let mut open = Vec::new();
    for growth in &growths {
        for size in &growth.sizes {
            size.conditions.validate().unwrap();
            assert!(size.gathered.exhausted, "{}", size.conditions);
        }
        if growth.dimension.only_adds_runs() {
            let lost = lost(growth);
            assert_eq!(
                lost,
                None,
                "{}: {}",
                growth.base.name,
                growth.dimension.name()
            );
        }
        open.extend(not_settled(growth));
    }
    let expected: BTreeSet<_> = NOT_SETTLED.iter().map(described).collect();
    let found: BTreeSet<_> = open.iter().map(described).collect();
    assert_eq!(found, expected);
}

fn described((base, dimension, look): &(&str, Dimension, &str)) -> String {
    format!("{base}: {look} over {}", dimension.name())
}

#[test]
fn base_worlds_grow_from_themselves() {
    for base in BASES {
        base.conditions.validate().unwrap();
        for (dimension, _) in base.grows {
            let sizes = dimension.sizes(base);
            assert!(sizes.len() > 1, "{}", base.name);
            let changed = |conditions: &Conditions| *conditions != base.conditions;
            assert!(
                sizes.iter().any(|size| changed(&size.conditions)),
                "{}",
                base.name
            );
        }
    }
}

/// Claims whose bound is part of what they say: with one or two more batches these break.
const ONLY_SO_LONG: &[(&str, &[PropertyId])] = &[
    // A bump can harm the other batches of its own partition: there are none with one batch.
    ("bump-for-one-partition", &[PropertyId::NoDuplicate]),
    ("librdkafka-4953-repaired", &[PropertyId::NoDuplicate]),
];

/// Quick claims whose world with one more batch has more states than [`LARGEST`]. (Deep ones are
/// larger than that themselves.)
const NOT_TRIED: &[&str] = &["acks-all-real"];

/// The most states of a world that is walked through here.
const LARGEST: usize = 200_000;

/// Which properties of a claim break if so many more batches are sent; `None` if that world is
/// too large to be walked through.
fn broken_with_more(claim: &Claim, more: u8) -> Option<Vec<PropertyId>> {
    let Budget::AtMost(batches) = claim.conditions.batches else {
        return Some(Vec::new());
    };
    let conditions = Conditions {
        batches: Budget::AtMost(batches + more),
        ..claim.conditions
    };
    let limits = Limits {
        max_states: LARGEST,
        ..Limits::default()
    };
    let survey = survey(&conditions, &limits, &Silent);
    let is_broken = |property: &PropertyId| match property {
        PropertyId::EveryBatchDecided => survey.is_stuck,
        _ => survey.violated.contains(*property),
    };
    let properties = claim.properties.iter().copied();
    let broken: Vec<_> = properties.filter(is_broken).collect();
    (survey.cut.is_none() || !broken.is_empty()).then_some(broken)
}

/// What is refuted stays refuted. What holds in a bounded world must hold in a larger one.
#[test]
fn what_holds_in_a_bounded_world_holds_with_more_batches() {
    let bounded = registry().iter().filter(|claim| {
        claim.expected == Verdict::Holds
            && claim.tier == Tier::Quick
            && claim.conditions.batches != Budget::Any
    });
    let (mut broken, mut too_large) = (Vec::new(), Vec::new());
    for claim in bounded {
        let id = claim.id.as_str();
        let Some(one_more) = broken_with_more(claim, 1) else {
            too_large.push(id);
            continue;
        };
        let two_more = broken_with_more(claim, 2).unwrap_or_default();
        let properties: BTreeSet<_> = one_more.into_iter().chain(two_more).collect();
        if !properties.is_empty() {
            broken.push((id, properties));
        }
    }
    assert_eq!(too_large, NOT_TRIED);
    let expected: Vec<_> = ONLY_SO_LONG
        .iter()
        .map(|(id, properties)| (*id, properties.iter().copied().collect()))
        .collect();
    assert_eq!(broken, expected);
}
