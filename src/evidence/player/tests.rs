//! Pages of the scenarios.

use std::collections::BTreeSet;

use retryproof_models::scenarios::{self, Scenario};

use super::*;

fn play(scenario: &'static Scenario) -> Play<'static> {
    let acts = scenario.acts.iter().map(|act| Act {
        title: act.title,
        run: act.run().expect("it runs"),
        already_told: act.before.len(),
    });
    Play {
        id: scenario.id,
        title: scenario.title,
        shows: scenario.shows,
        source: scenario.source,
        claims: scenario.claims,
        command: "retryproof scenario",
        acts: acts.collect(),
    }
}

/// What stands in an attribute, wherever it occurs.
fn attributes<'p>(page: &'p str, name: &str) -> Vec<&'p str> {
    let start = format!(" {name}=\"");
    page.split(&start)
        .skip(1)
        .filter_map(|rest| rest.split('"').next())
        .collect()
}

#[test]
fn every_scenario_has_a_page_with_an_address_for_every_step() {
    for scenario in scenarios::ALL {
        let page = page(&play(scenario)).expect("a page");
        let steps: usize = scenario.acts.iter().map(|act| act.steps.len()).sum();
        let ids = attributes(&page, "id");
        let unique: BTreeSet<&str> = ids.iter().copied().collect();
        assert_eq!(ids.len(), unique.len(), "{}: {ids:?}", scenario.id);
        for step in 1..=steps {
            assert!(
                unique.contains(format!("step={step}").as_str()),
                "{} {step}",
                scenario.id
            );
        }
        assert!(!unique.contains(format!("step={}", steps + 1).as_str()));
    }
}

#[test]
fn a_page_asks_for_nothing_from_elsewhere() {
    for scenario in scenarios::ALL {
        let page = page(&play(scenario)).expect("a page");
        for link in attributes(&page, "href") {
            assert!(
                link.starts_with('#') || link == "data:,",
                "{}: {link}",
                scenario.id
            );
        }
        assert!(attributes(&page, "src").is_empty());
        assert!(
            !page.contains("@import") && !page.contains("url("),
            "{}",
            scenario.id
        );
    }
}

#[test]
fn what_a_scenario_says_is_escaped() {
    let scenario = scenarios::find("in-flight-5").expect("a scenario");
    let hostile = Play {
        title: "<img src=x>",
        ..play(scenario)
    };
    let page = page(&hostile).expect("a page");
    assert!(!page.contains("<img") && page.contains("&lt;img"));
}

#[test]
fn the_line_that_embeds_a_page_is_escaped() {
    assert!(embedding("a\"b.html", "x < y")
        .starts_with("<iframe src=\"a&quot;b.html\" title=\"x &lt; y\""));
}
