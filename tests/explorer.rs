//! The explorer in a real browser: `retryproof explore` on the world of a small refuted
//! claim, opened in headless Chromium.
//!
//! Without `chromium` and `chromedriver` on the PATH the test says that it was skipped and
//! passes; with `RETRYPROOF_REQUIRE_BROWSER=1`, as in `.ci/run`, it fails then.

use std::env;
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::net::{Ipv4Addr, TcpListener};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use base64::prelude::{Engine, BASE64_STANDARD};
use serde_json::{json, Value};

/// The claim whose world is opened, and the steps of the shortest run that refutes it.
const CLAIM: &str = "plain-producer-writes-duplicates";
const STEPS: usize = 5;

/// So long a program may take until it does what it must: only a hang takes longer.
const HANG: Duration = Duration::from_secs(60);

#[test]
fn the_explorer_shows_a_run_step_by_step() {
    let missing: Vec<_> = ["chromium", "chromedriver"]
        .into_iter()
        .filter(|program| find(program).is_none())
        .collect();
    if !missing.is_empty() {
        skip(&format!("the PATH has no {}", missing.join(" and no ")));
        return;
    }
    let explorer = Explorer::start();
    let browser = Browser::start();
    browser.open(&explorer.url);

    // Before the start, the start is all there is to choose.
    browser.click("Init 0");

    // There the producer has one choice, and the state is told as text.
    browser.wait_until("choices().includes('producer: send')");
    browser.wait_until("state().includes('producer unknown')");

    // A click on a choice takes the step.
    browser.click("producer: send");
    browser.wait_until("path().includes('producer: send')");
    browser.wait_until("choices().some(text => text.includes('deliver'))");
    browser.wait_until("state().includes('on the wire')");

    // The link to the last step of the run that is told leads to the violation.
    let last = explorer.links().pop().expect("a link to the last step");
    browser.open(&last);
    // Two entries of the path come before the first step.
    browser.wait_until(&format!("path().length - 2 == {STEPS}"));
    browser.wait_until("state().includes('violated by this step: [\"no-duplicate\"]')");
    browser.wait_until("diagram().includes('connection breaks')");
    browser.wait_until("diagram().includes('violates no-duplicate')");
    browser.save_screenshot(&target_directory().join("explorer.png"));

    assert_eq!(
        browser.errors(),
        Vec::<String>::new(),
        "errors in the browser's console"
    );
}

/// Says so past the harness, which keeps the output of tests that pass to itself.
fn skip(reason: &str) {
    assert!(
        env::var_os("RETRYPROOF_REQUIRE_BROWSER").is_none(),
        "RETRYPROOF_REQUIRE_BROWSER is set, but {reason}"
    );
    let _ = writeln!(std::io::stdout(), "skipped, because {reason}");
}

fn find(program: &str) -> Option<PathBuf> {
    let path = env::var_os("PATH")?;
    env::split_paths(&path)
        .map(|directory| directory.join(program))
        .find(|file| file.is_file())
}

fn target_directory() -> PathBuf {
    let of_tests = Path::new(env!("CARGO_TARGET_TMPDIR"));
    of_tests.parent().unwrap_or(of_tests).to_owned()
}

/// Waits until there is something, and gives up where a program hangs.
fn wait<T>(what: &str, look: impl FnMut() -> Option<T>) -> T {
    within_patience(look).unwrap_or_else(|| panic!("no sign of {what}"))
}

fn within_patience<T>(mut look: impl FnMut() -> Option<T>) -> Option<T> {
    let start = Instant::now();
    while start.elapsed() < HANG {
        if let Some(found) = look() {
            return Some(found);
        }
        thread::sleep(Duration::from_millis(50));
    }
    None
}

/// A program whose lines are read as they come. It ends with the test.
struct Running {
    child: Child,
    lines: Arc<Mutex<Vec<String>>>,
}

impl Running {
    fn start(command: &mut Command) -> Running {
        let command = command.stdin(Stdio::null()).stdout(Stdio::piped());
        let mut child = command
            .spawn()
            .unwrap_or_else(|error| panic!("{command:?}: {error}"));
        let lines = Arc::new(Mutex::new(Vec::new()));
        let written = Arc::clone(&lines);
        let output = BufReader::new(child.stdout.take().expect("a pipe"));
        thread::spawn(move || {
            for line in output.lines().map_while(Result::ok) {
                written.lock().expect("no reader panics").push(line);
            }
        });
        Running { child, lines }
    }

    fn lines(&self) -> Vec<String> {
        self.lines.lock().expect("no writer panics").clone()
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// `retryproof explore`.
struct Explorer {
    program: Running,
    url: String,
}

impl Explorer {
    fn start() -> Explorer {
        let port = free_port().to_string();
        let mut command = Command::new(env!("CARGO_BIN_EXE_retryproof"));
        let program = Running::start(command.args(["explore", CLAIM, "--port", &port]));
        let url = format!("http://{}:{port}/", Ipv4Addr::LOCALHOST);
        let explorer = Explorer { program, url };
        wait("a link to every step", || {
            (explorer.links().len() == STEPS).then_some(())
        });
        let tells_url = |line: &String| line.contains(&explorer.url) && !line.contains("#/");
        assert!(
            explorer.program.lines().iter().any(tells_url),
            "the URL is not told"
        );
        wait("the server", || ureq_agent().get(&explorer.url).call().ok());
        explorer
    }

    fn links(&self) -> Vec<String> {
        let lines = self.program.lines();
        let words = lines.iter().flat_map(|line| line.split_whitespace());
        let links = words.filter(|word| word.starts_with(&self.url) && word.contains("#/steps"));
        links.map(str::to_owned).collect()
    }
}

fn free_port() -> u16 {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a free port");
    listener.local_addr().expect("an address").port()
}

/// Speaks HTTP to this machine only, so a proxy is never asked.
fn ureq_agent() -> ureq::Agent {
    ureq::Agent::config_builder()
        .proxy(None)
        .timeout_global(Some(HANG))
        .http_status_as_error(false)
        .build()
        .into()
}

/// Headless Chromium behind chromedriver, spoken to in the WebDriver protocol.
struct Browser {
    agent: ureq::Agent,
    session: String,
    profile: PathBuf,
    _driver: Running,
}

/// What the scripts see of the page: the texts of the path, of the choices, of the state
/// and of the diagram.
const PAGE: &str = "
    const texts = selector => [...document.querySelectorAll(selector)].map(e => e.textContent.trim());
    const path = () => texts('ol.path-list a');
    const choices = () => texts('nav > ul:last-of-type a');
    const link = text => [...document.querySelectorAll('nav > ul:last-of-type a')]
        .find(e => e.textContent.trim() === text);
    const state = () => texts('section > div:last-of-type').join('');
    const diagram = () => texts('svg').join('');
";

impl Browser {
    fn start() -> Browser {
        let driver = Running::start(Command::new("chromedriver").arg("--port=0"));
        let port = wait("chromedriver's port", || {
            let lines = driver.lines();
            let told = lines
                .iter()
                .find(|line| line.contains("started successfully on port"))?;
            let digits = told.rsplit(' ').next()?.trim_end_matches('.');
            digits.parse::<u16>().ok()
        });
        let profile = target_directory().join(format!("explorer-profile-{}", std::process::id()));
        let agent = ureq_agent();
        let sessions = format!("http://{}:{port}/session", Ipv4Addr::LOCALHOST);
        let created = post(&agent, &sessions, &capabilities(&profile));
        let id = created["sessionId"]
            .as_str()
            .expect("a session of the browser");
        Browser {
            session: format!("{sessions}/{id}"),
            agent,
            profile,
            _driver: driver,
        }
    }

    fn post(&self, command: &str, body: &Value) -> Value {
        post(&self.agent, &format!("{}/{command}", self.session), body)
    }

    fn open(&self, url: &str) {
        self.post("url", &json!({ "url": url }));
    }

    fn run(&self, script: &str) -> Value {
        let script = format!("{PAGE}{script}");
        self.post("execute/sync", &json!({ "script": script, "args": [] }))
    }

    fn wait_until(&self, condition: &str) {
        let script = format!("return {condition}");
        within_patience(|| (self.run(&script) == Value::Bool(true)).then_some(()))
            .unwrap_or_else(|| panic!("never {condition} on the page {}", self.text()));
    }

    /// Takes a choice as soon as it is there: the page draws its choices again and again.
    fn click(&self, choice: &str) {
        self.wait_until(&format!("(link('{choice}')?.click(), !!link('{choice}'))"));
    }

    fn text(&self) -> String {
        self.run("return document.body.innerText").to_string()
    }

    /// What the console calls an error. Stateright has no icon, for which every browser
    /// asks.
    fn errors(&self) -> Vec<String> {
        let log = self.post("se/log", &json!({ "type": "browser" }));
        let entries = log.as_array().cloned().unwrap_or_default();
        entries
            .iter()
            .filter(|entry| entry["level"] == "SEVERE")
            .map(|entry| entry["message"].to_string())
            .filter(|message| !message.contains("favicon.ico"))
            .collect()
    }

    fn save_screenshot(&self, file: &Path) {
        let url = format!("{}/screenshot", self.session);
        let answer = self
            .agent
            .get(&url)
            .call()
            .expect("an answer of chromedriver");
        let encoded = value(answer);
        let encoded = encoded.as_str().expect("a picture");
        let picture = BASE64_STANDARD
            .decode(encoded)
            .expect("a picture in base64");
        fs::write(file, picture).expect("a file that can be written");
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        // Chromium outlives its driver, but not its session.
        let _ = self.agent.delete(&self.session).call();
        let _ = fs::remove_dir_all(&self.profile);
    }
}

fn capabilities(profile: &Path) -> Value {
    let profile = format!("--user-data-dir={}", profile.display());
    json!({ "capabilities": { "alwaysMatch": {
        "browserName": "chrome",
        "goog:chromeOptions": {
            "binary": find("chromium"),
            "args": [
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
                profile,
            ],
        },
        "goog:loggingPrefs": { "browser": "ALL" },
    } } })
}

fn post(agent: &ureq::Agent, url: &str, body: &Value) -> Value {
    let answer = agent.post(url).send_json(body);
    value(answer.unwrap_or_else(|error| panic!("{url}: {error}")))
}

/// The value of a WebDriver answer; an error of the browser fails the test.
fn value(mut answer: ureq::http::Response<ureq::Body>) -> Value {
    let text = answer
        .body_mut()
        .with_config()
        .limit(64 << 20)
        .read_to_string();
    let text = text.expect("the answer of chromedriver");
    let mut whole: Value = serde_json::from_str(&text).expect("JSON from chromedriver");
    let value = whole["value"].take();
    assert!(value["error"].is_null(), "{value}");
    value
}
