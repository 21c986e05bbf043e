//! What a directory keeps, finds and removes.

mod events;

use std::fs;

use tempfile::TempDir;

use super::super::kafka::{self, Entry};
use super::*;

/// A new directory with snapshots of both formats at these offsets, all of them empty files.
fn with(kafka: &[i64], window: &[i64]) -> (TempDir, SnapshotDirectory) {
    let place = tempfile::tempdir().unwrap();
    let directory = SnapshotDirectory::open(place.path()).unwrap();
    for offset in kafka {
        directory.write(*offset, Format::Kafka, b"").unwrap();
    }
    for offset in window {
        directory.write(*offset, Format::WholeWindow, b"").unwrap();
    }
    (place, directory)
}

/// The offsets of the snapshots of each format.
fn offsets(directory: &SnapshotDirectory) -> (Vec<i64>, Vec<i64>) {
    let snapshots = directory.list().unwrap();
    let of = |format| {
        let of_format = snapshots.iter().filter(|found| found.format == format);
        of_format.map(|found| found.offset).collect()
    };
    (of(Format::Kafka), of(Format::WholeWindow))
}

/// All names in a directory.
fn names(place: &TempDir) -> Vec<String> {
    let entries = fs::read_dir(place.path()).unwrap();
    let mut names: Vec<_> = entries
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

/// A snapshot of one producer.
fn snapshot_of(producer_id: i64) -> Vec<u8> {
    let entry = Entry {
        producer_id,
        epoch: 0,
        last_sequence: 0,
        last_offset: 0,
        offset_delta: 0,
        timestamp: 0,
        coordinator_epoch: -1,
        transaction_first_offset: -1,
    };
    kafka::encode([entry].into_iter()).unwrap()
}

/// The producer ids of a snapshot.
fn ids(_: &Path, bytes: &[u8]) -> Result<Vec<i64>, SnapshotError> {
    let parsed = kafka::parse(bytes)?;
    Ok(parsed.entries().map(|entry| entry.producer_id).collect())
}

#[test]
fn what_is_no_directory_is_not_opened() {
    let place = tempfile::tempdir().unwrap();
    let file = place.path().join("file");
    fs::write(&file, "").unwrap();
    for path in [file, place.path().join("missing")] {
        let error = SnapshotDirectory::open(&path).unwrap_err();
        assert_eq!(error.path, path);
        assert!(error.to_string().contains("read the directory"), "{error}");
    }
}

#[test]
fn snapshots_are_named_by_offset_and_format() {
    let (place, directory) = with(&[42], &[7]);
    assert_eq!(
        names(&place),
        [
            "00000000000000000007.window",
            "00000000000000000042.snapshot"
        ]
    );
    let path = directory.write(0, Format::Kafka, b"bytes").unwrap();
    assert_eq!(path, place.path().join("00000000000000000000.snapshot"));
    assert_eq!(fs::read(path).unwrap(), b"bytes");
    assert_eq!(directory.path(), place.path());
}

#[test]
fn snapshots_are_listed_from_the_oldest_on() {
    let (place, directory) = with(&[300, 5, 40], &[40, 6]);
    let listed = directory.list().unwrap();
    let expected = [
        (5, Format::Kafka, "00000000000000000005.snapshot"),
        (6, Format::WholeWindow, "00000000000000000006.window"),
        (40, Format::Kafka, "00000000000000000040.snapshot"),
        (40, Format::WholeWindow, "00000000000000000040.window"),
        (300, Format::Kafka, "00000000000000000300.snapshot"),
    ]
    .map(|(offset, format, name)| SnapshotFile {
        offset,
        format,
        path: place.path().join(name),
    });
    assert_eq!(listed, expected);
}

#[test]
fn a_path_tells_what_snapshot_it_is_of() {
    let path = Path::new("some/where/00000000000000000040.window");
    let expected = SnapshotFile {
        offset: 40,
        format: Format::WholeWindow,
        path: path.to_owned(),
    };
    assert_eq!(SnapshotFile::of_path(path), Some(expected));
    for other in [
        "some/00000000000000000040.window.tmp",
        "40.window",
        "-",
        "/",
    ] {
        assert_eq!(SnapshotFile::of_path(Path::new(other)), None, "{other}");
    }
}

#[test]
fn a_snapshot_is_written_over() {
    let (_place, directory) = with(&[42], &[]);
    let path = directory.write(42, Format::Kafka, b"new").unwrap();
    assert_eq!(fs::read(path).unwrap(), b"new");
    assert_eq!(offsets(&directory), (vec![42], vec![]));
}

#[test]
fn a_negative_offset_is_refused() {
    let (place, directory) = with(&[], &[]);
    let error = directory.write(-1, Format::Kafka, b"").unwrap_err();
    assert!(error.to_string().contains("0 or more"), "{error}");
    assert!(names(&place).is_empty());
}

#[test]
fn a_directory_that_went_away_is_an_error() {
    let (place, directory) = with(&[], &[]);
    drop(place);
    assert!(directory.list().is_err());
    assert!(directory.write(1, Format::Kafka, b"").is_err());
    assert!(directory.newest_at_or_below(1, Format::Kafka).is_err());
    assert!(directory.remove_above(0).is_err());
    assert!(directory.retain(&[]).is_err());
    let loaded = directory.load_newest_valid((0, 1), Format::Kafka, ids);
    assert!(loaded.is_err());
}

#[test]
fn an_interrupted_write_leaves_the_old_state() {
    let (place, directory) = with(&[], &[]);
    directory.write(42, Format::Kafka, &snapshot_of(7)).unwrap();
    let half = &snapshot_of(8)[..20];
    for name in [
        "00000000000000000042.snapshot.tmp",
        "00000000000000000043.snapshot.tmp",
    ] {
        fs::write(place.path().join(name), half).unwrap();
    }
    assert_eq!(offsets(&directory), (vec![42], vec![]));
    let loaded = directory.load_newest_valid((0, 50), Format::Kafka, ids);
    assert_eq!(loaded.unwrap().newest, Some((42, vec![7])));

    let directory = SnapshotDirectory::open(place.path()).unwrap();
    assert_eq!(names(&place), ["00000000000000000042.snapshot"]);
    let loaded = directory.load_newest_valid((0, 50), Format::Kafka, ids);
    assert_eq!(loaded.unwrap().newest, Some((42, vec![7])));
}

#[test]
fn an_interrupted_removal_is_completed() {
    let (place, _) = with(&[], &[]);
    let left = place.path().join("00000000000000000042.window.deleted");
    fs::write(&left, "").unwrap();
    let directory = SnapshotDirectory::open(place.path()).unwrap();
    assert!(!left.exists());
    assert_eq!(offsets(&directory), (vec![], vec![]));
}

#[test]
fn files_of_others_are_left_alone() {
    let others = [
        "00000000000000000001.snapshot.bak",
        "00000000000000000042.log",
        "00000000000000000042.log.deleted",
        "leader-epoch-checkpoint.tmp",
    ];
    let (place, _) = with(&[], &[]);
    for name in others {
        fs::write(place.path().join(name), "").unwrap();
    }
    let directories = [
        "00000000000000000009.snapshot",
        "00000000000000000009.window.tmp",
    ];
    for name in directories {
        fs::create_dir(place.path().join(name)).unwrap();
    }
    let directory = SnapshotDirectory::open(place.path()).unwrap();
    assert!(directory.list().unwrap().is_empty());
    directory.remove_above(-1).unwrap();
    let mut expected: Vec<_> = others.into_iter().chain(directories).collect();
    expected.sort_unstable();
    assert_eq!(names(&place), expected);
}

#[test]
fn the_newest_at_or_below_an_offset() {
    let (_place, directory) = with(&[10, 20], &[15]);
    let newest = |offset, format| {
        let found = directory.newest_at_or_below(offset, format).unwrap();
        found.map(|found| (found.offset, found.format))
    };
    assert_eq!(newest(9, Format::Kafka), None);
    assert_eq!(newest(10, Format::Kafka), Some((10, Format::Kafka)));
    assert_eq!(newest(19, Format::Kafka), Some((10, Format::Kafka)));
    assert_eq!(newest(20, Format::Kafka), Some((20, Format::Kafka)));
    assert_eq!(newest(14, Format::WholeWindow), None);
    let found = newest(i64::MAX, Format::WholeWindow);
    assert_eq!(found, Some((15, Format::WholeWindow)));
}

#[test]
fn the_newest_within_the_log_is_loaded() {
    let (_place, directory) = with(&[], &[]);
    for offset in [10, 20, 30] {
        let bytes = snapshot_of(offset);
        directory.write(offset, Format::Kafka, &bytes).unwrap();
    }
    let load = |range| {
        let loaded = directory.load_newest_valid(range, Format::Kafka, ids);
        let loaded = loaded.unwrap();
        assert!(loaded.skipped.is_empty());
        loaded.newest.map(|(offset, ids)| {
            assert_eq!(ids, [offset]);
            offset
        })
    };
    assert_eq!(load((0, 30)), Some(30));
    assert_eq!(load((0, 29)), Some(20));
    assert_eq!(load((20, 29)), None);
    assert_eq!(load((19, 29)), Some(20));
    assert_eq!(load((30, 40)), None);
    assert_eq!(load((0, 9)), None);
    assert_eq!(offsets(&directory).0, [10, 20, 30]);
}

#[test]
fn a_damaged_snapshot_is_removed_and_the_next_older_one_loaded() {
    let (place, directory) = with(&[], &[40]);
    directory.write(10, Format::Kafka, &snapshot_of(1)).unwrap();
    directory.write(20, Format::Kafka, &snapshot_of(2)).unwrap();
    let mut damaged = snapshot_of(3);
    damaged[20] ^= 1;
    directory.write(30, Format::Kafka, &damaged).unwrap();
    directory.write(40, Format::Kafka, b"").unwrap();
    let loaded = directory.load_newest_valid((0, 40), Format::Kafka, ids);
    let loaded = loaded.unwrap();
    assert_eq!(loaded.newest, Some((20, vec![2])));
    match &loaded.skipped[..] {
        [(first, SnapshotError::TooShort { .. }), (second, SnapshotError::ChecksumMismatch { .. })] =>
        {
            assert_eq!(first, &place.path().join("00000000000000000040.snapshot"));
            assert_eq!(second, &place.path().join("00000000000000000030.snapshot"));
        }
        other => panic!("{other:?}"),
    }
    assert_eq!(offsets(&directory), (vec![10, 20], vec![40]));
    assert_eq!(
        names(&place).len(),
        3,
        "nothing is left of the damaged ones"
    );
}

#[test]
fn damaged_snapshots_alone_load_nothing() {
    let (_place, directory) = with(&[5, 10, 20], &[]);
    let loaded = directory.load_newest_valid((5, 20), Format::Kafka, ids);
    let loaded = loaded.unwrap();
    assert_eq!(loaded.newest, None);
    assert_eq!(loaded.skipped.len(), 2);
    assert_eq!(offsets(&directory).0, [5], "outside the range");
}

#[test]
fn a_file_error_of_the_reader_removes_nothing() {
    let (_place, directory) = with(&[10], &[]);
    let loaded = directory.load_newest_valid((0, 20), Format::Kafka, |path, _| {
        let source = io::Error::other("out of reach");
        Err::<(), _>(FileError::when("read", path)(source).into())
    });
    let error = loaded.unwrap_err();
    assert!(error.to_string().contains("out of reach"), "{error}");
    assert_eq!(offsets(&directory).0, [10]);
}

#[test]
fn the_reader_is_told_the_path() {
    let (place, directory) = with(&[], &[10]);
    let loaded = directory.load_newest_valid((0, 20), Format::WholeWindow, |path, bytes| {
        assert!(bytes.is_empty());
        Ok(path.to_owned())
    });
    let path = place.path().join("00000000000000000010.window");
    assert_eq!(loaded.unwrap().newest, Some((10, path)));
}

#[test]
fn what_the_log_does_not_bear_out_is_removed() {
    let all = [0, 9, 10, 11, 19, 20, 21];
    let (place, directory) = with(&all, &all);
    directory.remove_outside(10, 20).unwrap();
    let kept = vec![11, 19, 20];
    assert_eq!(offsets(&directory), (kept.clone(), kept));
    assert_eq!(names(&place).len(), 6, "nothing is left of the others");
}

#[test]
fn snapshots_above_and_below_an_offset_are_removed() {
    let all = [9, 10, 11];
    let (_place, directory) = with(&all, &all);
    directory.remove_above(10).unwrap();
    assert_eq!(offsets(&directory), (vec![9, 10], vec![9, 10]));
    directory.remove_below(10).unwrap();
    assert_eq!(offsets(&directory), (vec![10], vec![10]));
}

#[test]
fn strays_are_removed_but_for_the_newest_above_all_segments() {
    for (snapshots, bases, kept) in [
        // The case of a clean end: the last one is at the end of the log.
        (&[0, 5, 10, 12][..], &[0, 10][..], &[0, 10, 12][..]),
        (&[11, 12, 13], &[0, 10], &[13]),
        // The newest stray is not above all segments.
        (&[5, 7, 10], &[10, 0], &[10]),
        (&[5, 7], &[10], &[]),
        // Above means above.
        (&[10], &[10], &[10]),
        (&[9], &[10], &[]),
        (&[11], &[10], &[11]),
        // No segment.
        (&[5, 7], &[], &[7]),
        (&[], &[3], &[]),
    ] {
        let (_place, directory) = with(snapshots, snapshots);
        directory.retain(bases).unwrap();
        let expected = (kept.to_vec(), kept.to_vec());
        assert_eq!(offsets(&directory), expected, "{snapshots:?} {bases:?}");
    }
}

#[test]
fn each_format_keeps_its_own_newest_stray() {
    let (_place, directory) = with(&[11, 12], &[13, 14]);
    directory.retain(&[10]).unwrap();
    assert_eq!(offsets(&directory), (vec![12], vec![14]));
}
