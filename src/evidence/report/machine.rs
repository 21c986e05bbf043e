//! The machine that a report is made on, in a few words. Its name is nobody's business.

use std::env::consts::{ARCH, OS};
use std::fs;

/// Where Linux describes processors.
const PROCESSORS: &str = "/proc/cpuinfo";

/// System, processor and threads, as in "linux x86_64, Some Processor, 2 threads".
pub(super) fn describe(threads: usize) -> String {
    let processor = fs::read_to_string(PROCESSORS)
        .ok()
        .and_then(|text| processor(&text).map(|name| format!(", {name}")))
        .unwrap_or_default();
    let plural = if threads == 1 { "" } else { "s" };
    format!("{OS} {ARCH}{processor}, {threads} thread{plural}")
}

/// The name of the first processor; what is no plain text is left out.
fn processor(description: &str) -> Option<String> {
    let line = description
        .lines()
        .find(|line| line.starts_with("model name"))?;
    let name = line.split_once(':')?.1.trim();
    let plain: String = name.chars().filter(|sign| !sign.is_control()).collect();
    (!plain.is_empty()).then_some(plain)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_processor_has_the_name_that_linux_gives_it() {
        let text = "processor\t: 0\nmodel name\t: Some Processor 9\nmodel name\t: Other\n";
        assert_eq!(processor(text).as_deref(), Some("Some Processor 9"));
        assert_eq!(processor("processor\t: 0\n"), None);
        assert_eq!(processor("model name\t:\n"), None);
    }

    #[test]
    fn threads_are_counted() {
        assert!(describe(1).ends_with(", 1 thread"));
        assert!(describe(2).ends_with(", 2 threads"));
    }
}
