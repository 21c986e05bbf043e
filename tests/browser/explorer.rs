//! The explorer: `retryproof explore` on the world of a small refuted claim.

use crate::exploring::{without_icons, Explorer, Page};
use crate::support::Browser;

/// The claim whose world is opened, and the steps of the shortest run that refutes it.
const CLAIM: &str = "plain-producer-writes-duplicates";
const STEPS: usize = 5;

#[test]
fn the_explorer_shows_a_run_step_by_step() {
    let Some(browser) = Browser::start() else {
        return;
    };
    let explorer = Explorer::start(&[CLAIM], STEPS);
    let page = Page(&browser);
    browser.open(&explorer.url);

    // Before the start, the start is all there is to choose.
    page.choose("Init 0");

    // There the producer has one choice, and the state is told as text.
    page.wait_until("choices().includes('producer → produce r0')");
    page.wait_until("state().includes('undecided: nothing')");

    // A click on a choice takes the step.
    page.choose("producer → produce r0");
    page.wait_until("path().includes('producer → produce r0')");
    page.wait_until("choices().includes('broker takes r0')");
    page.wait_until("state().includes('producer → broker: produce r0')");

    // The link to the last step of the run that is told leads to the violation.
    let last = explorer.links().pop().expect("a link to the last step");
    browser.open(&last);
    page.wait_for_steps(STEPS);
    page.wait_until("/no-duplicate +violated by this step/.test(state())");
    page.wait_until("diagram().includes('connection breaks')");
    page.wait_until("diagram().includes('no-duplicate')");
    browser.save_screenshot("explorer");

    assert_eq!(without_icons(browser.errors()), Vec::<String>::new());
}
