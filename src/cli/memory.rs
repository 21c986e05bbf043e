//! How much memory this process has in use, and at its peak, where the system tells (Linux, in
//! `/proc/self`). It is the resident set of the whole process: what a search needs, and what was
//! there before it.

use std::fs;

/// Where Linux tells it.
const STATUS: &str = "/proc/self/status";
/// Where Linux is told to forget the peak.
const CLEAR: &str = "/proc/self/clear_refs";
/// What makes it forget (`man 5 proc_pid_clear_refs`).
const FORGET_PEAK: &str = "5";

/// Bytes in use now.
pub fn in_use() -> Option<u64> {
    field(&fs::read_to_string(STATUS).ok()?, "VmRSS:")
}

/// The most bytes that were in use since the start, or since the peak was forgotten.
pub fn peak() -> Option<u64> {
    field(&fs::read_to_string(STATUS).ok()?, "VmHWM:")
}

/// The peak of one part of what a process does.
pub struct Peak {
    is_of_this_part: bool,
}

impl Peak {
    /// A part begins: from now on the peak is its own, where the system lets a process forget
    /// the one before.
    pub fn begin() -> Self {
        Peak {
            is_of_this_part: fs::write(CLEAR, FORGET_PEAK).is_ok(),
        }
    }

    /// The most bytes that were in use since then; `None` where the peak may be older.
    pub fn bytes(&self) -> Option<u64> {
        peak().filter(|_| self.is_of_this_part)
    }
}

/// A field of the status, which counts units of 1024 bytes.
fn field(status: &str, name: &str) -> Option<u64> {
    let line = status.lines().find_map(|line| line.strip_prefix(name))?;
    let kibibytes: u64 = line.trim().strip_suffix("kB")?.trim_end().parse().ok()?;
    kibibytes.checked_mul(1024)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_field_is_in_bytes() {
        let status = "Name:\tretryproof\nVmHWM:\t   12345 kB\nVmRSS:\t    2048 kB\nThreads:\t1\n";
        assert_eq!(field(status, "VmRSS:"), Some(2048 * 1024));
        assert_eq!(field(status, "VmHWM:"), Some(12345 * 1024));
    }

    #[test]
    fn what_is_missing_or_no_size_is_not_known() {
        for status in [
            "",
            "VmRSS:",
            "VmRSS:\tmuch",
            "VmRSS:\t12 MB",
            "VmHWM:\t1 kB",
        ] {
            assert_eq!(field(status, "VmRSS:"), None, "{status:?}");
        }
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn linux_tells_of_this_process() {
        let (in_use, peak) = (in_use().expect("a size"), peak().expect("a size"));
        assert!(in_use > 100_000 && peak > 100_000, "{in_use}, {peak}");
    }
}
