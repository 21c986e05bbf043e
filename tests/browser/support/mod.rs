//! What the tests share: a browser, programs that run beside it, patience.

mod browser;
mod chromedriver;
mod contrast;
mod patience;
mod places;
mod running;

pub use browser::{Browser, DESK, PHONE};
pub use contrast::too_faint;
pub use fantoccini::key::Key;
pub use patience::{wait, within_patience, HANG};
pub use places::in_target;
pub use running::Running;
