//! Contrast of text, as WCAG 2.2 has it (success criterion 1.4.3): 4.5 : 1, and 3 : 1 for
//! large text.

use super::Browser;

/// The texts on the page that are too faint, each with its contrast.
pub fn too_faint(browser: &Browser) -> Vec<String> {
    let found = browser.run(include_str!("contrast.js"));
    let found = found.as_array().expect("a list").iter();
    found
        .map(|text| text.as_str().expect("a text").to_owned())
        .collect()
}
