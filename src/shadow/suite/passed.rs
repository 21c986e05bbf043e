//! What a test of the suite says when nothing is different.

use std::fmt;

/// What was walked without a difference.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Passed {
    /// What was walked, in the plural.
    pub what: &'static str,
    /// How many of these.
    pub checked: usize,
    /// How many were not walked, or not to their end, since the subject does not support all
    /// that is in them.
    pub left_out: usize,
}

impl Passed {
    pub(super) fn of(what: &'static str) -> Self {
        Passed {
            what,
            checked: 0,
            left_out: 0,
        }
    }
}

impl fmt::Display for Passed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Passed {
            what,
            checked,
            left_out,
        } = self;
        if *checked == 0 {
            return write!(
                f,
                "{what}: skipped, because the subject supports none of them"
            );
        }
        write!(f, "{what}: {checked} without a difference")?;
        if *left_out > 0 {
            write!(
                f,
                "; {left_out} not walked to the end, because the subject does not support all \
                 of their operations"
            )?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_said_what_was_not_walked() {
        let mut passed = Passed::of("drawn lists");
        assert!(passed.to_string().contains("skipped, because"));
        passed.checked = 3;
        assert_eq!(passed.to_string(), "drawn lists: 3 without a difference");
        passed.left_out = 2;
        assert!(passed.to_string().contains("; 2 not walked to the end"));
    }
}
