//! Headless Chromium behind chromedriver.

use std::env;
use std::fs;
use std::future::Future;
use std::io::Write;
use std::net::Ipv4Addr;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};

use fantoccini::actions::{InputSource, KeyAction, KeyActions};
use fantoccini::wd::Capabilities;
use fantoccini::{Client, ClientBuilder, Locator};
use hyper_util::client::legacy::connect::HttpConnector;
use serde_json::{json, Value};
use tokio::runtime::{Builder, Runtime};

use super::chromedriver::{DevTools, Log};
use super::places::{find, in_target};
use super::{wait, within_patience, Running};

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
    page: Option<Client>,
    runtime: Runtime,
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
        let runtime = Builder::new_current_thread().enable_all().build();
        let runtime = runtime.expect("a runtime");
        // A plain connector asks no proxy.
        let mut builder = ClientBuilder::new(HttpConnector::new());
        builder.capabilities(capabilities(&profile));
        let page = runtime.block_on(builder.connect(&address));
        Some(Browser {
            page: Some(page.expect("a session of the browser")),
            runtime,
            profile,
            _driver: driver,
        })
    }

    fn page(&self) -> &Client {
        self.page.as_ref().expect("a browser that runs")
    }

    /// Waits for what the browser does; the test fails where it cannot.
    #[track_caller]
    fn done<T, E: std::fmt::Display>(
        &self,
        what: &str,
        doing: impl Future<Output = Result<T, E>>,
    ) -> T {
        let done = self.runtime.block_on(doing);
        done.unwrap_or_else(|error| panic!("{what}: {error}"))
    }

    /// Opens a page.
    pub fn open(&self, url: &str) {
        self.done(url, self.page().goto(url));
    }

    /// What a script returns.
    pub fn run(&self, script: &str) -> Value {
        self.done(script, self.page().execute(script, Vec::new()))
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
        let command = DevTools::new(name, parameters);
        self.done(name, self.page().issue_cmd(command));
    }

    /// Presses a key.
    pub fn press(&self, key: impl Into<char>) {
        let value = key.into();
        let keys = KeyActions::new("keyboard".to_owned())
            .then(KeyAction::Down { value })
            .then(KeyAction::Up { value });
        self.done("a key", self.page().perform_actions(keys));
    }

    /// Goes into the first frame of the page.
    pub fn enter_frame(&self) {
        self.done("a frame", self.page().enter_frame(0));
    }

    /// Clicks where a selector finds something.
    pub fn click(&self, selector: &str) {
        let found = self.done(selector, self.page().find(Locator::Css(selector)));
        self.done(selector, found.click());
    }

    /// Goes back, as with the browser's button.
    pub fn back(&self) {
        self.done("back", self.page().back());
    }

    /// Every address that the browser asked for since this was asked last.
    pub fn requests(&self) -> Vec<String> {
        let entries = self.log(Log::Performance);
        let messages = entries
            .iter()
            .filter_map(|entry| serde_json::from_str::<Value>(entry["message"].as_str()?).ok());
        messages
            .filter(|entry| entry["message"]["method"] == "Network.requestWillBeSent")
            .filter_map(|entry| {
                let url = entry["message"]["params"]["request"]["url"].as_str()?;
                Some(url.to_owned())
            })
            .collect()
    }

    /// What a log has gained since it was asked last.
    fn log(&self, log: Log) -> Vec<Value> {
        let entries = self.done("the log", self.page().issue_cmd(log));
        entries.as_array().cloned().unwrap_or_default()
    }

    /// The text that a person sees.
    pub fn text(&self) -> String {
        let body = self.done("a page", self.page().find(Locator::Css("body")));
        self.done("its text", body.text())
    }

    /// What the console calls an error.
    pub fn errors(&self) -> Vec<String> {
        let entries = self.log(Log::Browser);
        let severe = entries.iter().filter(|entry| entry["level"] == "SEVERE");
        severe.map(|entry| entry["message"].to_string()).collect()
    }

    /// Leaves a picture of what a person sees.
    pub fn save_screenshot(&self, name: &str) {
        let picture = self.done("a picture", self.page().screenshot());
        let file = in_target("screenshots").join(format!("{name}.png"));
        fs::write(&file, picture).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        // Chromium outlives its driver, but not its session.
        if let Some(page) = self.page.take() {
            let _ = self.runtime.block_on(page.close());
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

fn capabilities(profile: &Path) -> Capabilities {
    let profile = format!("--user-data-dir={}", profile.display());
    let switches: Vec<&str> = SWITCHES.iter().copied().chain([profile.as_str()]).collect();
    let mut capabilities = Capabilities::new();
    let options = json!({ "binary": find("chromium"), "args": switches });
    capabilities.insert("goog:chromeOptions".to_owned(), options);
    let logs = json!({ "browser": "ALL", "performance": "ALL" });
    capabilities.insert("goog:loggingPrefs".to_owned(), logs);
    capabilities
}
