//! Headless Chromium behind chromedriver.

use std::env;
use std::fs;
use std::io::Write;
use std::net::Ipv4Addr;
use std::path::PathBuf;
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};

use serde_json::{json, Value};
use thirtyfour::support::block_on;
use thirtyfour::{
    By, ChromeCapabilities, ChromiumLikeCapabilities, DesiredCapabilities, LoggingPrefsLogLevel,
    TypingData, WebDriver,
};

use super::places::{find, in_target};
use super::{wait, within_patience, Running, HANG};

/// Switches for a browser that is used once, sees no network but this machine's, and may
/// run in a container.
const SWITCHES: &[&str] = &[
    "--headless=new",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-dev-shm-usage",
    "--no-proxy-server",
    "--window-size=1500,1100",
];

/// The size of a window.
pub struct Screen {
    pub name: &'static str,
    pub width: u32,
    pub height: u32,
    pub is_phone: bool,
}

/// A desk, and a small phone.
pub const DESK: Screen = Screen {
    name: "desk",
    width: 1400,
    height: 900,
    is_phone: false,
};
pub const PHONE: Screen = Screen {
    name: "phone",
    width: 360,
    height: 740,
    is_phone: true,
};

/// A browser with one page. Calls return when the browser has done what they say; where it
/// cannot, the test fails.
pub struct Browser {
    /// There until the end.
    page: Option<WebDriver>,
    profile: PathBuf,
    _driver: Running,
}

impl Browser {
    /// Starts one; none without the programs for it: then the test says that it is skipped.
    pub fn start() -> Option<Browser> {
        let missing: Vec<_> = ["chromium", "chromedriver"]
            .into_iter()
            .filter(|program| find(program).is_none())
            .collect();
        if !missing.is_empty() {
            skip(&format!("the PATH has no {}", missing.join(" and no ")));
            return None;
        }
        let driver = Running::start(Command::new("chromedriver").arg("--port=0"));
        let port = wait("chromedriver's port", || {
            let lines = driver.lines();
            let told = lines
                .iter()
                .find(|line| line.contains("started successfully on port"))?;
            let digits = told.rsplit(' ').next()?.trim_end_matches('.');
            digits.parse::<u16>().ok()
        });
        let profile = profile();
        let address = format!("http://{}:{port}", Ipv4Addr::LOCALHOST);
        // Chromedriver is on this machine, so a proxy is never asked.
        let client = reqwest::Client::builder().no_proxy().timeout(HANG).build();
        let builder = WebDriver::builder(address, capabilities(&profile))
            .client(client.expect("a client for HTTP"));
        Some(Browser {
            page: Some(block_on(builder.connect()).expect("a session of the browser")),
            profile,
            _driver: driver,
        })
    }

    fn page(&self) -> &WebDriver {
        self.page.as_ref().expect("a browser that runs")
    }

    /// Opens a page.
    pub fn open(&self, url: &str) {
        block_on(self.page().goto(url)).unwrap_or_else(|error| panic!("{url}: {error}"));
    }

    /// What a script returns.
    pub fn run(&self, script: &str) -> Value {
        let returned = block_on(self.page().execute(script, Vec::new()));
        let returned = returned.unwrap_or_else(|error| panic!("{script}: {error}"));
        returned.json().clone()
    }

    /// Waits until a script returns true.
    pub fn wait_until(&self, script: &str) {
        within_patience(|| (self.run(script) == Value::Bool(true)).then_some(()))
            .unwrap_or_else(|| panic!("never {script} on the page {}", self.text()));
    }

    /// The window is so large from now on; on a phone it is one.
    pub fn set_screen(&self, screen: &Screen) {
        let metrics = json!({
            "width": screen.width,
            "height": screen.height,
            "deviceScaleFactor": 1,
            "mobile": screen.is_phone,
        });
        self.command("Emulation.setDeviceMetricsOverride", metrics);
    }

    /// What the reader prefers from now on, as "prefers-color-scheme" and "dark".
    pub fn prefer(&self, preferences: &[(&str, &str)]) {
        let features: Vec<Value> = preferences
            .iter()
            .map(|(name, value)| json!({ "name": name, "value": value }))
            .collect();
        self.command(
            "Emulation.setEmulatedMedia",
            json!({ "features": features }),
        );
    }

    /// Pages opened from now on run no scripts of their own.
    pub fn switch_scripts_off(&self) {
        self.command(
            "Emulation.setScriptExecutionDisabled",
            json!({ "value": true }),
        );
    }

    /// A command of the DevTools protocol.
    fn command(&self, name: &str, parameters: Value) {
        let answer = block_on(self.page().cdp().send_raw(name, parameters));
        answer.unwrap_or_else(|error| panic!("{name}: {error}"));
    }

    /// Presses a key.
    pub fn press(&self, key: impl Into<TypingData>) {
        let pressed = block_on(self.page().action_chain().send_keys(key).perform());
        pressed.expect("a key is pressed");
    }

    /// Goes into the first frame of the page.
    pub fn enter_frame(&self) {
        block_on(self.page().enter_frame(0)).expect("a frame");
    }

    /// Clicks where a selector finds something.
    pub fn click(&self, selector: &str) {
        let found = block_on(self.page().find(By::Css(selector)));
        let clicked = block_on(
            found
                .unwrap_or_else(|error| panic!("{selector}: {error}"))
                .click(),
        );
        clicked.unwrap_or_else(|error| panic!("{selector}: {error}"));
    }

    /// Goes back, as with the browser's button.
    pub fn back(&self) {
        block_on(self.page().back()).expect("a page before");
    }

    /// Every address that the browser asked for since this was asked last.
    pub fn requests(&self) -> Vec<String> {
        let log = block_on(self.page().get_log("performance")).expect("the log of requests");
        log.into_iter()
            .filter_map(|entry| serde_json::from_str::<Value>(&entry.message).ok())
            .filter(|entry| entry["message"]["method"] == "Network.requestWillBeSent")
            .filter_map(|entry| {
                Some(
                    entry["message"]["params"]["request"]["url"]
                        .as_str()?
                        .to_owned(),
                )
            })
            .collect()
    }

    /// The text that a person sees.
    pub fn text(&self) -> String {
        let body = block_on(self.page().find(By::Tag("body")));
        block_on(body.expect("a page").text()).expect("its text")
    }

    /// What the console calls an error.
    pub fn errors(&self) -> Vec<String> {
        let log = block_on(self.page().browser_log()).expect("the log of the console");
        log.into_iter()
            .filter(|entry| entry.level == "SEVERE")
            .map(|entry| entry.message)
            .collect()
    }

    /// Leaves a picture of what a person sees.
    pub fn save_screenshot(&self, name: &str) {
        let file = in_target("screenshots").join(format!("{name}.png"));
        block_on(self.page().screenshot(&file)).expect("a picture");
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        // Chromium outlives its driver, but not its session.
        if let Some(page) = self.page.take() {
            let _ = block_on(page.quit());
        }
        let _ = fs::remove_dir_all(&self.profile);
    }
}

/// Says so past the harness, which keeps the output of tests that pass to itself.
fn skip(reason: &str) {
    assert!(
        env::var_os("RETRYPROOF_REQUIRE_BROWSER").is_none(),
        "RETRYPROOF_REQUIRE_BROWSER is set, but {reason}"
    );
    let _ = writeln!(std::io::stdout(), "skipped, because {reason}");
}

/// A directory of its own for what a browser keeps.
fn profile() -> PathBuf {
    static COUNT: AtomicUsize = AtomicUsize::new(0);
    let count = COUNT.fetch_add(1, Ordering::Relaxed);
    in_target("browser-profiles").join(format!("{}-{count}", std::process::id()))
}

fn capabilities(profile: &std::path::Path) -> ChromeCapabilities {
    let set = || {
        let mut capabilities = DesiredCapabilities::chrome();
        if let Some(chromium) = find("chromium") {
            capabilities.set_binary(&chromium.display().to_string())?;
        }
        for switch in SWITCHES {
            capabilities.add_arg(switch)?;
        }
        capabilities.add_arg(&format!("--user-data-dir={}", profile.display()))?;
        capabilities.set_browser_log_level(LoggingPrefsLogLevel::All)?;
        capabilities.set_logging_prefs("performance", LoggingPrefsLogLevel::All)?;
        Ok::<_, thirtyfour::error::WebDriverError>(capabilities)
    };
    set().expect("capabilities")
}
