//! Whatever happens, ids only ever grow.

use std::fs;

use quickcheck::{Arbitrary, Gen, QuickCheck};

use super::{BlockFile, ProducerIds};

/// What happens to a broker.
#[derive(Clone, Debug)]
enum Step {
    /// So many producers ask for an id.
    Ask(usize),
    /// It ends and starts again.
    Restart,
    /// It ends while it writes the file, and starts again.
    CrashWhileWriting,
    /// A producer asks while the file cannot be written.
    AskInVain,
}

impl Arbitrary for Step {
    fn arbitrary(g: &mut Gen) -> Self {
        match u8::arbitrary(g) % 6 {
            0 => Step::Restart,
            1 => Step::CrashWhileWriting,
            2 => Step::AskInVain,
            // Often a whole block and more.
            _ => Step::Ask(usize::from(u16::arbitrary(g) % 1500)),
        }
    }
}

/// The ids that a broker gives out on its way.
fn ids_of(steps: &[Step]) -> Vec<i64> {
    let place = tempfile::tempdir().unwrap();
    let home = place.path().join("home");
    let away = place.path().join("away");
    fs::create_dir(&home).unwrap();
    let path = home.join("ids");
    let mut broker = ProducerIds::new(BlockFile::create(&path, 0).unwrap());
    let mut given = Vec::new();
    for step in steps {
        match step {
            Step::Ask(count) => {
                given.extend((0..*count).map(|_| broker.next_id().unwrap()));
            }
            Step::Restart => broker = ProducerIds::new(BlockFile::open(&path).unwrap()),
            Step::CrashWhileWriting => {
                fs::write(home.join("ids.tmp"), "half").unwrap();
                broker = ProducerIds::new(BlockFile::open(&path).unwrap());
            }
            Step::AskInVain => {
                fs::rename(&home, &away).unwrap();
                // There may be an id left in the block at hand.
                given.extend(broker.next_id());
                fs::rename(&away, &home).unwrap();
            }
        }
    }
    given
}

#[test]
fn ids_grow_over_any_restarts_and_failures() {
    fn law(steps: Vec<Step>) -> bool {
        ids_of(&steps).is_sorted_by(|earlier, later| earlier < later)
    }
    // Few and short, as each block waits for the disk.
    QuickCheck::new()
        .tests(30)
        .rng(Gen::new(30))
        .quickcheck(law as fn(Vec<Step>) -> bool);
}
