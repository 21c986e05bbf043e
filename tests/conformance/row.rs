//! The rows, as they are written in `rows/*.json`.

use std::collections::BTreeSet;
use std::fmt;
use std::path::Path;
use std::sync::LazyLock;

use retryproof_models::claims::registry;
use serde::Deserialize;
use serde_json::{Map, Value};

use crate::oracle::Release;
use crate::{client, exceptions, log};

/// One behaviour.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Row {
    /// The name of its test, without the part that it is of.
    pub test: String,
    /// What Kafka does, in our words.
    pub behaviour: String,
    /// The tests of Kafka that pin it; none for one that is ours.
    #[serde(default)]
    pub kafka: Vec<String>,
    /// Tests of ours elsewhere that pin it, besides the steps or in place of them.
    #[serde(default)]
    pub ours: Vec<String>,
    /// Why the steps cannot run on what is ours.
    #[serde(default)]
    pub only_on_kafka: Option<String>,
    /// Why it is not run on the real Kafka.
    #[serde(default)]
    pub not_on_kafka: Option<String>,
    /// What the world begins with, where it is not the default.
    #[serde(default)]
    pub start: Map<String, Value>,
    /// What happens, and what must come of it.
    #[serde(default)]
    pub steps: Vec<Step>,
    /// Where it is written.
    #[serde(skip)]
    pub part: Part,
}

/// One step of a row.
#[derive(Clone, Debug, Deserialize)]
pub struct Step {
    /// The operation or command.
    #[serde(rename = "do")]
    pub operation: Map<String, Value>,
    /// What must come of it; what is not named is not looked at, but where [`log`] and
    /// [`client`] say so.
    #[serde(flatten)]
    pub expected: Map<String, Value>,
}

/// Where in the stack a behaviour is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Part {
    /// `ProducerStateManager`.
    #[default]
    ProducerState,
    /// `UnifiedLog` and how it is loaded.
    Log,
    /// Validation and arithmetic.
    Validation,
    /// Transactions, as far as the state manager has them.
    Transactions,
    /// The client.
    Client,
}

impl Part {
    /// All, in the order of the document.
    pub const ALL: [Part; 5] = [
        Part::ProducerState,
        Part::Log,
        Part::Validation,
        Part::Transactions,
        Part::Client,
    ];

    /// The module of the tests.
    pub fn name(self) -> &'static str {
        match self {
            Part::ProducerState => "producer_state",
            Part::Log => "log",
            Part::Validation => "validation",
            Part::Transactions => "transactions",
            Part::Client => "client",
        }
    }

    fn text(self) -> &'static str {
        match self {
            Part::ProducerState => include_str!("rows/producer_state.json"),
            Part::Log => include_str!("rows/log.json"),
            Part::Validation => include_str!("rows/validation.json"),
            Part::Transactions => include_str!("rows/transactions.json"),
            Part::Client => include_str!("rows/client.json"),
        }
    }
}

/// Why a row is not as it should be.
#[derive(Debug)]
pub struct Differs(pub String);

impl fmt::Display for Differs {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

static ROWS: LazyLock<Vec<Row>> = LazyLock::new(|| {
    let mut rows = Vec::new();
    for part in Part::ALL {
        let read: Result<Vec<Row>, _> = serde_json::from_str(part.text());
        let read = read.unwrap_or_else(|error| panic!("rows/{}.json: {error}", part.name()));
        rows.extend(read.into_iter().map(|row| Row { part, ..row }));
    }
    rows
});

/// All rows, in the order of the document.
pub fn all() -> &'static [Row] {
    &ROWS
}

impl Row {
    /// The name of its test.
    pub fn name(&self) -> String {
        format!("{}::{}", self.part.name(), self.test)
    }

    /// Runs its steps on what is ours.
    pub fn run_here(&self) -> Result<(), Differs> {
        match self.part {
            Part::Client => client::run_on_model(self),
            _ => log::run_here(self),
        }
    }

    /// Runs its steps on this release of Kafka.
    pub fn run_on_kafka(&self, release: &'static Release) -> Result<(), Differs> {
        match self.part {
            Part::Client => client::run_on_kafka(self, release),
            _ => log::run_on_kafka(self, release),
        }
    }

    /// Whether its steps run on what is ours.
    pub fn runs_here(&self) -> bool {
        !self.steps.is_empty() && self.only_on_kafka.is_none()
    }

    /// The tests of ours that pin it, here and elsewhere.
    pub fn tests(&self) -> Vec<String> {
        let here = self.runs_here();
        let here = here.then(|| format!("conformance::{}", self.name()));
        here.into_iter().chain(self.ours.iter().cloned()).collect()
    }

    fn wrong(&self) -> Vec<String> {
        let mut wrong = Vec::new();
        match (
            self.steps.is_empty(),
            &self.only_on_kafka,
            &self.not_on_kafka,
        ) {
            (true, None, Some(_)) if !self.ours.is_empty() => {}
            (true, ..) => {
                wrong.push("without steps it needs tests of ours and a reason".to_owned())
            }
            (false, Some(_), Some(_)) => wrong.push("its steps run nowhere".to_owned()),
            (false, ..) => {}
        }
        wrong.extend(missing(&self.ours));
        wrong
    }
}

/// Those of some tests that there are not.
fn missing(tests: &[String]) -> impl Iterator<Item = String> + use<'_> {
    let missing = tests.iter().filter(|test| !exists(test));
    missing.map(|test| format!("there is no test {test}"))
}

/// Whether there is a test of this name: a claim, a row, or `target::module::function` of
/// `tests/` or, as `lib::…`, of `src/`.
fn exists(test: &str) -> bool {
    let Some((target, path)) = test.split_once("::") else {
        return false;
    };
    match target {
        "claims" => registry().iter().any(|claim| claim.test_name() == path),
        "conformance" => all()
            .iter()
            .any(|row| row.runs_here() && row.name() == path),
        "lib" => is_function_of("src", path),
        _ => is_function_of("tests", test),
    }
}

fn is_function_of(folder: &str, path: &str) -> bool {
    let Some((file, function)) = path.rsplit_once("::") else {
        return false;
    };
    let file = format!("{folder}/{}.rs", file.replace("::", "/"));
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join(file);
    let text = std::fs::read_to_string(file).unwrap_or_default();
    text.contains(&format!("fn {function}("))
}

/// Each row has a name of its own and something to run, and what it and the exceptions name
/// is there.
pub fn check_all() -> Result<(), Differs> {
    let mut names = BTreeSet::new();
    let mut wrong = Vec::new();
    for row in all() {
        let name = row.name();
        wrong.extend(
            row.wrong()
                .into_iter()
                .map(|reason| format!("{name}: {reason}")),
        );
        if !names.insert(row.name()) {
            wrong.push(format!("{}: there are two of this name", row.name()));
        }
    }
    for left in exceptions::all() {
        wrong.extend(missing(&left.ours).map(|reason| format!("{}: {reason}", left.what)));
    }
    match wrong.is_empty() {
        true => Ok(()),
        false => Err(Differs(wrong.join("\n"))),
    }
}
