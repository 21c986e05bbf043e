//! Which log a segment is of, by its path.

use std::path::Path;

/// What the path of a segment or a snapshot says.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Origin {
    /// Topic and partition, as in `orders-0`: the name of its directory. `None` if the path
    /// does not say.
    pub partition: Option<String>,
    /// What stands before that.
    pub directory: String,
    /// The offset in its name: of a segment where it begins, of a snapshot up to where it
    /// goes. `None` if it has none.
    pub offset: Option<i64>,
}

impl Origin {
    /// Reads a path, of whichever system.
    pub fn of(path: &[u8]) -> Self {
        let path = String::from_utf8_lossy(path);
        let (directory, name) = split(&path);
        let offset = offset(name);
        let (above, partition) = split(directory);
        if is_partition(partition) {
            Origin {
                partition: Some(partition.to_owned()),
                directory: above.to_owned(),
                offset,
            }
        } else {
            Origin {
                partition: None,
                directory: directory.to_owned(),
                offset,
            }
        }
    }

    /// As [`Origin::of`], of a file on this machine.
    pub fn of_file(path: &Path) -> Self {
        Origin::of(path.as_os_str().as_encoded_bytes())
    }
}

/// Directory and name of a path.
fn split(path: &str) -> (&str, &str) {
    path.rsplit_once(['/', '\\']).unwrap_or(("", path))
}

/// The offset in a name that begins with 20 digits.
fn offset(name: &str) -> Option<i64> {
    let digits = name.get(..20)?;
    let is_number = digits.bytes().all(|byte| byte.is_ascii_digit());
    digits.parse().ok().filter(|_| is_number)
}

/// Whether a directory is named after a partition: a topic, a hyphen and a number. One that
/// is being removed or moved has more behind it, and is not the partition's log any more, or
/// not yet.
fn is_partition(name: &str) -> bool {
    name.rsplit_once('-')
        .is_some_and(|(topic, partition)| !topic.is_empty() && partition.parse::<u32>().is_ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_says_of_which_partition_it_is() {
        for (path, partition, directory, offset) in [
            (
                "/var/kafka/orders-0/00000000000000000042.log",
                Some("orders-0"),
                "/var/kafka",
                Some(42),
            ),
            (
                "C:\\kafka\\a-b-7\\00000000000000000000.snapshot",
                Some("a-b-7"),
                "C:\\kafka",
                Some(0),
            ),
            ("00000000000000000042.log", None, "", Some(42)),
            ("/data/dump.txt", None, "/data", None),
            ("broker-1/orders/x", None, "broker-1/orders", None),
        ] {
            let expected = Origin {
                partition: partition.map(str::to_owned),
                directory: directory.to_owned(),
                offset,
            };
            assert_eq!(Origin::of(path.as_bytes()), expected);
        }
    }
}
