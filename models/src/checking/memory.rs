//! Whether memory is nearly used up: then a search ends with verdict *unknown* instead of
//! the process with none.

use std::fs;

/// Of the memory of the machine so much must stay available: one part in this many.
const KEPT_FREE: u64 = 12;

/// Whether less than the part that must stay free is available (Linux, `/proc/meminfo`).
/// Where the system does not tell, it never is.
pub(super) fn is_scarce() -> bool {
    fs::read_to_string("/proc/meminfo").is_ok_and(|told| is_low(&told))
}

fn is_low(told: &str) -> bool {
    let kibibytes = |name: &str| -> Option<u64> {
        let line = told.lines().find_map(|line| line.strip_prefix(name))?;
        line.trim().strip_suffix("kB")?.trim_end().parse().ok()
    };
    match (kibibytes("MemTotal:"), kibibytes("MemAvailable:")) {
        (Some(total), Some(available)) => available < total / KEPT_FREE,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::is_low;

    #[test]
    fn a_twelfth_must_stay_available() {
        let told = |available| format!("MemTotal:  12000 kB\nMemAvailable:  {available} kB\n");
        assert!(!is_low(&told(1000)));
        assert!(is_low(&told(999)));
        assert!(!is_low("Nothing of the kind"));
    }
}
