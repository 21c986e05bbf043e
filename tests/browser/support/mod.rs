//! What the tests share: a browser, programs that run beside it, patience.

mod browser;
mod patience;
mod places;
mod running;

pub use browser::Browser;
pub use patience::{wait, within_patience, HANG};
pub use running::Running;
