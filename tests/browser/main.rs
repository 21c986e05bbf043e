//! Pages in a real browser: headless Chromium, driven through chromedriver.
//!
//! Without `chromium` and `chromedriver` on the PATH each test says that it was skipped and
//! passes; with `RETRYPROOF_REQUIRE_BROWSER=1`, as in `.ci/run`, it fails then. Screenshots
//! are left in `screenshots/` of the target directory.

mod explorer;
mod exploring;
mod index;
mod player;
mod report;
mod support;
