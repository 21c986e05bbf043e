//! How fast and how small the state manager is: for each figure a yardstick, measured in
//! the same run, and the ratio of the two.
//!
//! `cargo bench --no-default-features --bench state_manager` prints everything; a word after
//! `--` picks one of `lookups`, `memory`, `snapshots`, `expiry`, or of the criterion
//! benchmarks.

mod criterion_groups;
mod expiry;
mod lookups;
mod memory;
mod rounds;
mod snapshots;
mod subjects;

fn main() {
    let wanted: Option<String> = std::env::args().skip(1).find(|word| !word.starts_with('-'));
    let tables: [(&str, fn()); 4] = [
        ("lookups", lookups::print),
        ("memory", memory::print),
        ("snapshots", snapshots::print),
        ("expiry", expiry::print),
    ];
    for (name, print) in tables {
        if wanted.as_deref().is_none_or(|wanted| wanted == name) {
            print();
        }
    }
    if !tables
        .iter()
        .any(|(name, _)| Some(*name) == wanted.as_deref())
    {
        criterion_groups::run();
    }
}
