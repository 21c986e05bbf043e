//! The command line, as a user sees it.
