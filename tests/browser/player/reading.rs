//! Reading the page: on any screen, in the dark, with the keyboard, with a screen reader,
//! without scripts, from a file.

use std::fs;

use super::{is_true, opened, page, shown, ACTS, CLUSTER, ONE_BROKER};
use crate::support::{in_target, too_faint, Browser, Key, DESK, PHONE};
use serde_json::Value;

const COLOURS: [&str; 2] = ["light", "dark"];

#[test]
fn nothing_is_wrong_and_nothing_is_asked_of_others() {
    let Some((browser, url)) = opened("alone", ACTS, "#step=3") else {
        return;
    };
    browser.press(Key::End);
    assert_eq!(browser.errors(), Vec::<String>::new());
    let mut requests = browser.requests();
    requests.retain(|request| !request.starts_with("data:") && !request.starts_with("chrome"));
    let own = format!("{url}#step=3");
    assert!(
        !requests.is_empty()
            && requests
                .iter()
                .all(|request| *request == url || *request == own),
        "{requests:?}"
    );
}

#[test]
fn a_phone_shows_it_without_scrolling_sideways() {
    let Some(browser) = Browser::start() else {
        return;
    };
    browser.set_screen(&PHONE);
    for scenario in [ONE_BROKER, ACTS, CLUSTER] {
        let (url, _) = page("phone", scenario);
        browser.open(&url);
        browser.press(Key::End);
        let width = browser.run("return document.documentElement.scrollWidth");
        assert_eq!(width, PHONE.width, "{scenario}");
        let letters = browser.run(
            "const text = document.querySelector('.act.current .row text.says');
             return text.getBoundingClientRect().height",
        );
        assert!(
            letters.as_f64().is_some_and(|height| height > 11.0),
            "{scenario}: {letters}"
        );
    }
}

#[test]
fn text_is_not_faint_in_light_nor_dark() {
    let Some(browser) = Browser::start() else {
        return;
    };
    for scenario in [ONE_BROKER, ACTS] {
        let (url, _) = page("contrast", scenario);
        for colours in COLOURS {
            browser.prefer(&[("prefers-color-scheme", colours)]);
            for step in [1, 13, 16, 18] {
                browser.open(&format!("{url}#step={step}"));
                assert_eq!(
                    too_faint(&browser),
                    Vec::<String>::new(),
                    "{scenario}, {colours}, {step}"
                );
            }
        }
    }
}

#[test]
fn faint_text_would_be_found() {
    let Some((browser, _)) = opened("faint", ONE_BROKER, "") else {
        return;
    };
    browser.run("document.querySelector('.told').style.color = '#8a8a8a'");
    browser.run("document.querySelector('.says').style.fill = '#8a8a8a'");
    let faint = too_faint(&browser);
    assert_eq!(faint.len(), 2, "{faint:?}");
}

#[test]
fn every_control_is_reached_with_the_tab_key_and_shows_it() {
    let Some((browser, _)) = opened("tab", ACTS, "#step=5") else {
        return;
    };
    let all = browser.run(
        "const all = [...document.querySelectorAll('a, button, summary, [tabindex]')];
         const seen = all.filter(e => e.getClientRects().length);
         seen.forEach((element, index) => element.dataset.test = index);
         return seen.length",
    );
    let count = all.as_u64().expect("a number");
    assert!(count >= 10, "{count}");
    let mut reached = Vec::new();
    for _ in 0..count {
        browser.press(Key::Tab);
        let focused = browser.run(
            "const style = getComputedStyle(document.activeElement);
             const shows = style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) >= 2;
             return shows ? document.activeElement.dataset.test : 'invisible'",
        );
        reached.push(focused.as_str().unwrap_or("nothing").to_owned());
    }
    let wanted: Vec<String> = (0..count).map(|index| index.to_string()).collect();
    assert_eq!(reached, wanted);
}

#[test]
fn a_screen_reader_hears_each_step_and_names_each_button() {
    let Some((browser, _)) = opened("heard", ONE_BROKER, "#step=17") else {
        return;
    };
    browser.press(Key::Right);
    let heard = browser.run("return document.querySelector('[role=status]').textContent");
    let heard = heard.as_str().unwrap_or_default().to_owned();
    assert!(
        heard.starts_with("Step 18 of 19. Broker appends r0 at offset 6"),
        "{heard}"
    );
    assert!(heard.contains("no-duplicate"), "{heard}");
    let named = "[...document.querySelectorAll('button')].every(b => b.textContent.trim())";
    assert!(is_true(&browser, named));
    let live = "document.querySelector('[role=status]').ariaLive === 'polite'";
    assert!(is_true(&browser, live));
}

#[test]
fn nothing_moves_for_who_does_not_want_it() {
    let Some((browser, url)) = opened("motion", ONE_BROKER, "#step=2") else {
        return;
    };
    let moving =
        "getComputedStyle(document.querySelector('.current .changed')).animationName !== 'none'";
    browser.prefer(&[("prefers-reduced-motion", "no-preference")]);
    assert!(is_true(&browser, moving));
    browser.prefer(&[("prefers-reduced-motion", "reduce")]);
    browser.open(&format!("{url}#step=3"));
    assert!(!is_true(&browser, moving));
}

#[test]
fn without_scripts_it_is_a_list_of_all_steps() {
    let Some(browser) = Browser::start() else {
        return;
    };
    let (url, _) = page("list", ONE_BROKER);
    browser.switch_scripts_off();
    browser.open(&format!("{url}#step=18"));
    let seen = browser.run(
        "return [...document.querySelectorAll('.step')].filter(e => e.getClientRects().length).length",
    );
    assert_eq!(seen, super::STEPS);
    assert!(is_true(
        &browser,
        "document.querySelector('.controls').hidden"
    ));
    assert!(is_true(&browser, "getComputedStyle(document.querySelector('.row[data-step=\"19\"]')).visibility === 'visible'"));
    // The address leads to the step all the same.
    let top = browser.run("return document.getElementById('step=18').getBoundingClientRect().top");
    assert!(
        top.as_f64().is_some_and(|top| (0.0..300.0).contains(&top)),
        "{top}"
    );
}

#[test]
fn the_line_that_embeds_it_does() {
    let Some(browser) = Browser::start() else {
        return;
    };
    let (_, embedding) = page("embedded", ONE_BROKER);
    let around = in_target("pages").join("embedding.html");
    let text = format!("<!doctype html><title>Around</title>{embedding}");
    fs::write(&around, text).expect("a file");
    browser.open(&format!("file://{}", around.display()));
    browser.enter_frame();
    assert_eq!(shown(&browser), Some(1));
    browser.click("[data-go=next]");
    assert_eq!(shown(&browser), Some(2));
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
            for (scenario, step) in [(ONE_BROKER, 18), (ACTS, 20), (CLUSTER, 8)] {
                let (url, _) = page("pictures", scenario);
                browser.open(&format!("{url}#step={step}"));
                assert_ne!(browser.run("return document.title"), Value::Null);
                browser.save_screenshot(&format!("player-{scenario}-{}-{colours}", screen.name));
            }
        }
    }
}
