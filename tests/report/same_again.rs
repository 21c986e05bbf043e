//! Two runs of one commit give the same bytes, but for lines marked as times.

use crate::{fresh, names, read, report, CLAIMS, REPORT};

/// Whether a line is marked as a time.
fn is_time(name: &str, line: &str) -> bool {
    match name.rsplit('.').next() {
        Some("json") => line.trim_start().starts_with("\"time_"),
        Some("html") => line.contains(" data-time>"),
        Some("md") => line.ends_with(" <!-- time -->"),
        _ => false,
    }
}

/// A file without its times, and how many there were.
fn without_times(name: &str, text: &str) -> (Vec<String>, usize) {
    let (times, others): (Vec<&str>, Vec<&str>) =
        text.lines().partition(|line| is_time(name, line));
    (others.into_iter().map(str::to_owned).collect(), times.len())
}

#[test]
fn another_run_writes_the_same_but_for_times() {
    let again = fresh("again");
    let output = report(&again, CLAIMS, &["--tier", "quick", "--threads", "1"]);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    assert_eq!(names(&REPORT), names(&again));
    for name in names(&again) {
        let (first, second) = (read(&REPORT, &name), read(&again, &name));
        let (first, second) = (without_times(&name, &first), without_times(&name, &second));
        let mut lines = first.0.iter().zip(&second.0);
        let difference = lines.find(|(one, other)| one != other);
        assert!(first == second, "{name} differs: {difference:#?}");
    }
}

#[test]
fn times_are_marked_in_every_form_and_little_else_is() {
    for (name, fewest) in [("index.html", 4), ("README.md", 3), ("report.json", 6)] {
        let text = read(&REPORT, name);
        let (others, times) = without_times(name, &text);
        assert!(times >= fewest, "{name}: {times} times");
        assert!(times * 10 < others.len(), "{name}: {times} times");
        let today = text
            .lines()
            .find(|line| line.contains("T") && line.contains("Z") && is_time(name, line));
        assert!(today.is_some(), "{name} does not say when it was made");
    }
}
