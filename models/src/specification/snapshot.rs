//! A snapshot file, as a value in memory.

use std::collections::BTreeMap;

use super::entry::Entry;
use super::settings::Profile;

/// The snapshot files of a partition, by the offset up to which each covers the log
/// (exclusive): in Kafka the name of the file.
pub(super) type SnapshotFiles = BTreeMap<i64, SnapshotFile>;

/// One snapshot file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum SnapshotFile {
    /// It can be read and holds these producers.
    Intact(BTreeMap<i64, Entry>),
    /// Its checksum does not match.
    Corrupt,
}

impl SnapshotFile {
    /// Writes a file. Kafka's format has room for one batch of a producer: the newest.
    pub(super) fn of(producers: &BTreeMap<i64, Entry>, profile: Profile) -> Self {
        let mut written = producers.clone();
        if profile == Profile::Kafka {
            for entry in written.values_mut() {
                let older = entry.window.len().saturating_sub(1);
                entry.window.drain(..older);
            }
        }
        SnapshotFile::Intact(written)
    }
}

/// Deletes the files that belong to no segment, except the newest of them if it lies above
/// all segment bases (Kafka: `ProducerStateManager.removeStraySnapshots`).
pub(super) fn remove_strays(files: &mut SnapshotFiles, segment_bases: &[i64]) {
    let newest_stray = files
        .keys()
        .copied()
        .filter(|offset| !segment_bases.contains(offset))
        .max();
    let newest_base = segment_bases.iter().copied().max();
    files.retain(|offset, _| {
        segment_bases.contains(offset)
            || (Some(*offset) == newest_stray && Some(*offset) > newest_base)
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kept(offsets: &[i64], segment_bases: &[i64]) -> Vec<i64> {
        let mut files: SnapshotFiles = offsets
            .iter()
            .map(|offset| (*offset, SnapshotFile::Corrupt))
            .collect();
        remove_strays(&mut files, segment_bases);
        files.into_keys().collect()
    }

    #[test]
    fn of_the_strays_only_the_newest_above_all_segments_stays() {
        assert_eq!(kept(&[3, 5, 7, 9, 12, 14], &[0, 5, 9]), [5, 9, 14]);
        assert_eq!(kept(&[3, 5, 7], &[0, 5, 9]), [5]);
    }
}
