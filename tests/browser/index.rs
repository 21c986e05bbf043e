//! The index of the explorer: every scenario and claim is there, and links open at their
//! steps.

use std::collections::BTreeSet;

use retryproof_models::claims::registry;
use retryproof_models::scenarios::{self, Scenario};

use crate::exploring::{without_icons, Explorer, Page};
use crate::support::Browser;

const NO_ERROR: Vec<String> = Vec::new();

fn steps_told(scenario: &Scenario) -> usize {
    scenario.acts.iter().map(|act| act.steps.len()).sum()
}

#[test]
fn the_index_lists_every_scenario_and_claim() {
    let Some(browser) = Browser::start() else {
        return;
    };
    let explorer = Explorer::start(&[], 0);
    browser.open(&explorer.url);
    browser.save_screenshot("explorer-index");
    let listed = |selector: &str| -> BTreeSet<String> {
        let script = format!(
            "return [...document.querySelectorAll('{selector}')].map(e => e.textContent.trim())"
        );
        let texts = browser.run(&script);
        let texts = texts.as_array().expect("texts").iter();
        texts
            .map(|text| text.as_str().expect("a text").to_owned())
            .collect()
    };
    let scenarios: BTreeSet<String> = scenarios::ALL.iter().map(|s| s.id.to_owned()).collect();
    assert_eq!(listed("article > .id"), scenarios);
    let shown: BTreeSet<String> = scenarios::ALL.iter().map(|s| s.shows.to_owned()).collect();
    assert_eq!(listed("article > .shows"), shown);
    let claims: BTreeSet<String> = registry().iter().map(|claim| claim.id.clone()).collect();
    assert_eq!(listed("td.claim a"), claims);
    let links = "document.querySelectorAll('article ol a').length";
    let steps: usize = scenarios::ALL.iter().map(|s| steps_told(s)).sum();
    assert_eq!(browser.run(&format!("return {links}")), steps);
    assert_eq!(browser.errors(), NO_ERROR);
}

#[test]
fn a_link_of_the_index_opens_the_explorer_at_its_step() {
    let Some(browser) = Browser::start() else {
        return;
    };
    let explorer = Explorer::start(&[], 0);
    let page = Page(&browser);
    browser.open(&explorer.url);
    browser.run("document.querySelector('#clean-failover .links a:nth-of-type(2)').click()");
    let failover = scenarios::find("clean-failover").expect("a scenario");
    page.wait_for_steps(steps_told(failover));
    page.wait_until("state().includes('log of b1')");
    page.wait_until("diagram().includes('broker 1')");
    browser.save_screenshot("explorer-cluster");

    // The world of a claim opens at its start.
    browser.open(&explorer.url);
    browser.run("document.querySelector(`td.claim a[href='/claim/acks-1']`).click()");
    page.wait_for_steps(0);
    page.wait_until("choices().some(choice => choice.startsWith('producer → produce r1'))");
    assert_eq!(without_icons(browser.errors()), NO_ERROR);
}

/// Opens links to steps of a scenario, given by position among those told.
fn open_steps(browser: &Browser, id: &str, which: impl IntoIterator<Item = usize>) {
    let scenario = scenarios::find(id).expect("a scenario");
    let explorer = Explorer::start(&[id], steps_told(scenario));
    let links = explorer.links();
    let told = scenario.acts.iter().zip(1..).flat_map(|(act, number)| {
        let first = act.before.len() + 1;
        (first..first + act.steps.len()).map(move |step| (number, step))
    });
    let told: Vec<(usize, usize)> = told.collect();
    for index in which {
        let (act, step) = told[index];
        let link = &links[index];
        assert!(link.ends_with(&format!("/go/{id}/{act}/{step}")), "{link}");
        browser.open(link);
        Page(browser).wait_for_steps(step);
    }
}

#[test]
fn every_step_of_a_scenario_has_a_link_that_opens_there() {
    let Some(browser) = Browser::start() else {
        return;
    };
    let page = Page(&browser);
    let walkthrough = scenarios::find("dedup-against-plain").expect("a scenario");
    open_steps(&browser, walkthrough.id, 0..steps_told(walkthrough));
    page.wait_until("state().includes('stopped')");
    open_steps(&browser, "in-flight-6", [0, 14, 17]);
    page.wait_until("/no-duplicate +violated by this step/.test(state())");
    page.wait_until("/retry-recognised +violated before/.test(state())");
    browser.save_screenshot("explorer-scenario");
    open_steps(&browser, "two-partitions", [13]);
    page.wait_until("state().includes('partition 1')");
    assert_eq!(without_icons(browser.errors()), NO_ERROR);
}
