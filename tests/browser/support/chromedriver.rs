//! What chromedriver understands beyond the WebDriver standard: its logs, and commands of the
//! DevTools protocol.

use fantoccini::wd::WebDriverCompatibleCommand;
use http::Method;
use serde_json::{json, Value};
use url::{ParseError, Url};

/// A log of the browser. Asking for it empties it.
#[derive(Clone, Copy, Debug)]
pub enum Log {
    /// What the console says.
    Browser,
    /// What DevTools is told, requests among it.
    Performance,
}

impl WebDriverCompatibleCommand for Log {
    fn endpoint(&self, base: &Url, session: Option<&str>) -> Result<Url, ParseError> {
        within(base, session, "se/log")
    }

    fn method_and_body(&self, _: &Url) -> (Method, Option<String>) {
        let name = match self {
            Log::Browser => "browser",
            Log::Performance => "performance",
        };
        (Method::POST, Some(json!({ "type": name }).to_string()))
    }
}

/// A command of the DevTools protocol.
#[derive(Clone, Debug)]
pub struct DevTools(Value);

impl DevTools {
    /// A command with its parameters.
    pub fn new(name: &str, parameters: Value) -> Self {
        DevTools(json!({ "cmd": name, "params": parameters }))
    }
}

impl WebDriverCompatibleCommand for DevTools {
    fn endpoint(&self, base: &Url, session: Option<&str>) -> Result<Url, ParseError> {
        within(base, session, "goog/cdp/execute")
    }

    fn method_and_body(&self, _: &Url) -> (Method, Option<String>) {
        (Method::POST, Some(self.0.to_string()))
    }
}

fn within(base: &Url, session: Option<&str>, command: &str) -> Result<Url, ParseError> {
    base.join(&format!(
        "session/{}/{command}",
        session.unwrap_or_default()
    ))
}
