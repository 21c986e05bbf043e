//! The report: `retryproof report`, its page in HTML.

use std::fs;
use std::process::Command;
use std::sync::LazyLock;

use serde_json::Value;
use thirtyfour::Key;

use crate::support::{in_target, too_faint, Browser, DESK, PHONE};

/// A refuted claim whose run is long, and one that holds.
const REFUTED: &str = "in-flight-6-writes-duplicates";
const HOLDS: &str = "frontier-1-1-holds";
const CLAIMS: &[&str] = &["in-flight-6", "frontier-1", "frontier-2", "B7", "B11"];
const COLOURS: [&str; 2] = ["light", "dark"];

/// The address of the page, which is written once.
static PAGE: LazyLock<String> = LazyLock::new(|| {
    let directory = in_target("pages").join("report");
    let _ = fs::remove_dir_all(&directory);
    let mut command = Command::new(env!("CARGO_BIN_EXE_retryproof"));
    let command = command.arg("report").args(CLAIMS).arg("--out");
    let command = command.arg(&directory).args(["--tier", "quick"]);
    let output = command.output().expect("the command runs");
    assert!(output.status.success(), "{output:?}");
    format!("file://{}/index.html", directory.display())
});

/// The page, opened at a place.
fn opened(hash: &str) -> Option<Browser> {
    let browser = Browser::start()?;
    browser.open(&format!("{}{hash}", *PAGE));
    Some(browser)
}

/// How far the element that the address names is below the upper edge; nothing if it, or what it
/// tells, cannot be seen.
fn top(browser: &Browser) -> Option<f64> {
    let top = browser.run(
        "const target = document.getElementById(location.hash.slice(1));
         const told = target.querySelector('dl, ol') ?? target;
         return told.checkVisibility() ? target.getBoundingClientRect().top : null",
    );
    top.as_f64()
}

#[track_caller]
fn assert_shown(browser: &Browser) {
    browser.wait_until("return document.readyState === 'complete'");
    let top = top(browser);
    assert!(
        top.is_some_and(|top| (-1.0..200.0).contains(&top)),
        "{top:?}"
    );
}

#[test]
fn an_address_leads_to_the_claim_and_unfolds_it() {
    let Some(browser) = opened(&format!("#claim-{REFUTED}")) else {
        return;
    };
    assert_shown(&browser);
    let run = format!("#run-{REFUTED}-no-duplicate");
    browser.open(&format!("{}{run}", *PAGE));
    assert_shown(&browser);
    for hash in ["#frontier", "#conditions", "#mutants", "#limits"] {
        browser.open(&format!("{}{hash}", *PAGE));
        assert_shown(&browser);
    }
}

#[test]
fn a_link_inside_the_page_leads_to_the_claim_too() {
    let Some(browser) = opened("#frontier") else {
        return;
    };
    browser.click(&format!(".heat a[href='#claim-{HOLDS}']"));
    assert_eq!(
        browser.run("return location.hash"),
        format!("#claim-{HOLDS}")
    );
    assert!(top(&browser).is_some());
    browser.back();
    assert_eq!(browser.run("return location.hash"), "#frontier");
}

#[test]
fn nothing_is_wrong_and_nothing_is_asked_of_others() {
    let Some(browser) = opened("#cite") else {
        return;
    };
    assert_eq!(browser.errors(), Vec::<String>::new());
    let mut requests = browser.requests();
    requests.retain(|request| !request.starts_with("data:") && !request.starts_with("chrome"));
    assert!(!requests.is_empty());
    for request in requests {
        assert!(request.starts_with(PAGE.as_str()), "{request}");
    }
}

#[test]
fn a_phone_shows_it_without_scrolling_sideways() {
    let Some(browser) = Browser::start() else {
        return;
    };
    browser.set_screen(&PHONE);
    browser.open(&PAGE);
    browser.run("document.querySelectorAll('details').forEach(fold => fold.open = true)");
    let width = browser.run("return document.documentElement.scrollWidth");
    assert_eq!(width, PHONE.width);
}

#[test]
fn text_is_not_faint_in_light_nor_dark() {
    let Some(browser) = opened("") else {
        return;
    };
    browser.run("document.querySelectorAll('details').forEach(fold => fold.open = true)");
    for colours in COLOURS {
        browser.prefer(&[("prefers-color-scheme", colours)]);
        assert_eq!(too_faint(&browser), Vec::<String>::new(), "{colours}");
    }
}

#[test]
fn the_keyboard_unfolds_a_claim_and_shows_where_it_is() {
    let Some(browser) = opened("") else {
        return;
    };
    browser.press(Key::Tab);
    let skips = browser.run("return document.activeElement.className");
    assert_eq!(skips, "skip");
    let summary = format!("document.querySelector('#claim-{REFUTED} > summary')");
    browser.run(&format!("{summary}.focus({{focusVisible: true}})"));
    let outline = format!("return parseFloat(getComputedStyle({summary}).outlineWidth) >= 2");
    assert_eq!(browser.run(&outline), Value::Bool(true));
    browser.press(Key::Enter);
    let is_open = format!("return document.getElementById('claim-{REFUTED}').open");
    assert_eq!(browser.run(&is_open), Value::Bool(true));
}

#[test]
fn one_button_unfolds_all_refuted_claims_and_folds_them_again() {
    let Some(browser) = opened("#refuted") else {
        return;
    };
    let open = "return document.querySelectorAll('#refuted > details.claim[open]').length";
    let all = browser.run("return document.querySelectorAll('#refuted > details.claim').length");
    assert_eq!(browser.run(open), 0);
    browser.click("[data-unfold=refuted]");
    assert_eq!(browser.run(open), all);
    browser.click("[data-unfold=refuted]");
    assert_eq!(browser.run(open), 0);
}

#[test]
fn without_scripts_an_address_leads_to_the_claim_all_the_same() {
    let Some(browser) = Browser::start() else {
        return;
    };
    browser.switch_scripts_off();
    browser.open(&format!("{}#claim-{REFUTED}", *PAGE));
    let top = browser
        .run("return document.getElementById(location.hash.slice(1)).getBoundingClientRect().top");
    assert!(
        top.as_f64().is_some_and(|top| (-1.0..900.0).contains(&top)),
        "{top}"
    );
}

#[test]
fn pictures_for_who_looks_at_them() {
    let Some(browser) = Browser::start() else {
        return;
    };
    for screen in [&DESK, &PHONE] {
        browser.set_screen(screen);
        for colours in COLOURS {
            browser.prefer(&[("prefers-color-scheme", colours)]);
            let claim = format!("claim-{REFUTED}");
            for place in ["title", "verdicts", "frontier", "conditions", &claim] {
                browser.open(&format!("{}#{place}", *PAGE));
                browser.save_screenshot(&format!("report-{place}-{}-{colours}", screen.name));
            }
        }
    }
}
