//! Steps: with keys, with buttons, by address, by itself.

use super::{hash, is_true, opened, shown, ACTS, ONE_BROKER, STEPS};
use crate::support::{Browser, Key};

/// The step that is shown, named by the address and by the place that is told.
#[track_caller]
fn assert_at(browser: &Browser, step: u64) {
    assert_eq!(shown(browser), Some(step));
    let told = browser.run("return document.querySelector('.place').textContent");
    let told = told.as_str().unwrap_or_default().to_owned();
    assert!(told.starts_with(&format!("{step} of ")), "{told}");
    let row =
        format!("document.querySelector('.act.current .shade.now').dataset.step === '{step}'");
    assert!(is_true(browser, &row), "the chart shows another step");
}

#[test]
fn keys_step() {
    let Some((browser, _)) = opened("keys", ONE_BROKER, "") else {
        return;
    };
    assert_at(&browser, 1);
    browser.press(Key::Right);
    browser.press(Key::Right);
    assert_at(&browser, 3);
    assert_eq!(hash(&browser), "#step=3");
    browser.press(Key::Left);
    assert_at(&browser, 2);
    browser.press(Key::End);
    assert_at(&browser, STEPS);
    browser.press(Key::Right);
    assert_at(&browser, STEPS);
    browser.press(Key::Home);
    assert_at(&browser, 1);
    browser.press(Key::Left);
    assert_at(&browser, 1);
}

#[test]
fn buttons_step() {
    let Some((browser, _)) = opened("buttons", ONE_BROKER, "#step=5") else {
        return;
    };
    for (button, step) in [("next", 6), ("back", 5), ("last", STEPS), ("first", 1)] {
        browser.click(&format!("[data-go={button}]"));
        assert_at(&browser, step);
        assert_eq!(hash(&browser), format!("#step={step}"));
    }
    let barred = "document.querySelector('[data-go=back]').ariaDisabled === 'true'";
    assert!(
        is_true(&browser, barred),
        "there is no step before the first"
    );
}

#[test]
fn it_plays_until_paused_or_at_the_end() {
    let Some((browser, url)) = opened("plays", ONE_BROKER, "#step=2") else {
        return;
    };
    let at = "Number(document.querySelector('.step.current').dataset.step)";
    let pauses = "document.querySelector('[data-go=play]').ariaPressed === 'false'";
    browser.press(' ');
    browser.wait_until(&format!("return {at} >= 3"));
    browser.press(' ');
    assert!(is_true(&browser, pauses));
    assert!(is_true(&browser, &format!("{at} < {STEPS}")));
    browser.open(&format!("{url}#step=18"));
    browser.press(' ');
    browser.wait_until(&format!("return {at} === {STEPS}"));
    assert!(is_true(&browser, pauses));
}

#[test]
fn an_address_opens_at_its_step_and_back_leads_back() {
    let Some((browser, url)) = opened("address", ONE_BROKER, "#step=7") else {
        return;
    };
    assert_at(&browser, 7);
    browser.press(Key::Right);
    assert_at(&browser, 8);
    browser.back();
    assert_at(&browser, 7);
    // An address typed while the page is open.
    browser.open(&format!("{url}#step=12"));
    assert_at(&browser, 12);
    // One that names no step there is.
    browser.open(&format!("{url}#step=99"));
    assert_at(&browser, 1);
}

#[test]
fn acts_follow_each_other_and_have_links() {
    let Some((browser, _)) = opened("acts", ACTS, "#step=12") else {
        return;
    };
    let act = "return document.querySelector('.act.current').dataset.act";
    assert_eq!(browser.run(act), "1");
    browser.press(Key::Right);
    assert_at(&browser, 13);
    assert_eq!(browser.run(act), "2");
    browser.click("nav [data-act='3']");
    assert_eq!(browser.run(act), "3");
    let current = "document.querySelector('nav [aria-current]').dataset.act === '3'";
    assert!(is_true(&browser, current));
}

#[test]
fn the_chart_grows_with_the_steps_and_a_click_on_it_goes_back() {
    let Some((browser, _)) = opened("chart", ONE_BROKER, "#step=12") else {
        return;
    };
    let lost = "[...document.querySelectorAll('.lost-here')].filter(e => e.getClientRects().length).length";
    let to_come = "getComputedStyle(document.querySelector('.row[data-step=\"13\"]')).visibility";
    assert!(is_true(&browser, &format!("{to_come} === 'hidden'")));
    assert!(
        is_true(&browser, &format!("{lost} === 0")),
        "what is lost later is not lost yet"
    );
    browser.press(Key::Right);
    assert!(is_true(&browser, &format!("{to_come} === 'visible'")));
    assert!(
        is_true(&browser, &format!("{lost} === 6")),
        "six answers are lost"
    );
    browser.click(".row[data-step='12'] .note-text");
    assert_at(&browser, 12);
}
