//! Inputs: files, directories and stdin, packed or not, opened as often as they are needed.

use std::fs::{self, File};
use std::io::{self, Cursor, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::rc::Rc;

use flate2::read::MultiGzDecoder;

use super::form::{is_binary, Form, BYTE_ORDER_MARK, GZIP, LOOKED_AT};
use super::origin::Origin;
use super::reader::Reason;
use super::FileId;

/// Is told of every so many bytes that were read, as they stand on the disk.
pub type Progress = Rc<dyn Fn(u64)>;

/// Bytes that can be read in any order.
pub trait ReadSeek: Read + Seek {}

impl<T: Read + Seek> ReadSeek for T {}

/// Bytes unpacked, from their beginning.
pub type Bytes = Box<dyn Read>;

/// An input and what it is.
pub struct Input {
    /// Its number.
    pub file: FileId,
    /// Its form.
    pub form: Form,
    /// What it says, or its path, of where it is from: of a dump its first `Dumping` line.
    pub origin: Origin,
    /// Whether it is a dump that begins with a producer snapshot.
    pub begins_with_snapshot: bool,
    /// The directory that it lies in; files in different ones are of different replicas.
    pub directory: String,
    /// Its path, as bytes; a stream has none.
    pub path: Vec<u8>,
    source: Source,
}

enum Source {
    File(PathBuf),
    /// Can be read once only, as stdin.
    Once(Option<Bytes>),
}

/// Why an input cannot be judged at all.
pub type Refused = Reason;

impl Input {
    /// Looks at a file.
    ///
    /// # Errors
    /// If it cannot be read, or is nothing that can be judged.
    pub fn file(file: FileId, path: &Path) -> Result<Self, Refused> {
        let unwatched = Rc::new(|_| {}) as Progress;
        if !fs::metadata(path).map_err(Reason::Io)?.is_file() {
            // A pipe gives its bytes once.
            let pipe = File::open(path).map_err(Reason::Io)?;
            return Input::stream(file, pipe, &unwatched);
        }
        let mut bytes = open(path, &unwatched).map_err(Reason::Io)?;
        let front = front(&mut bytes).map_err(Reason::Io)?;
        let form = match form(&front) {
            Err(_) if is_named_like_segment(path) && (front.is_empty() || is_binary(&front)) => {
                Form::Segment
            }
            // The first bytes of a damaged segment can be those of a snapshot.
            Ok(Form::Snapshot) if is_named_like_segment(path) => Form::Segment,
            told => told?,
        };
        let directory = path.parent().unwrap_or(Path::new(""));
        // A name alone says nothing of the directory that it lies in.
        let path_from_root = std::path::absolute(path).map_err(Reason::Io)?;
        let own = Origin::of_file(&path_from_root);
        Ok(Input {
            file,
            form,
            origin: origin(form, &front, own),
            begins_with_snapshot: begins_with_snapshot(form, &front),
            directory: directory.display().to_string(),
            path: path_from_root.into_os_string().into_encoded_bytes(),
            source: Source::File(path.to_owned()),
        })
    }

    /// Looks at stdin.
    ///
    /// # Errors
    /// As [`Input::file`].
    pub fn stdin(file: FileId, progress: &Progress) -> Result<Self, Refused> {
        Input::stream(file, io::stdin().lock(), progress)
    }

    /// Looks at bytes that can be read once only.
    ///
    /// # Errors
    /// As [`Input::file`].
    pub fn stream(
        file: FileId,
        bytes: impl Read + 'static,
        progress: &Progress,
    ) -> Result<Self, Refused> {
        let counted = Counted {
            bytes,
            progress: progress.clone(),
        };
        let mut bytes = unpacked(counted).map_err(Reason::Io)?;
        let front = front(&mut bytes).map_err(Reason::Io)?;
        let form = form(&front)?;
        Ok(Input {
            file,
            form,
            origin: origin(form, &front, Origin::default()),
            begins_with_snapshot: begins_with_snapshot(form, &front),
            directory: String::new(),
            path: Vec::new(),
            source: Source::Once(Some(Box::new(Cursor::new(front).chain(bytes)))),
        })
    }

    /// Its bytes, unpacked, without a byte order mark.
    ///
    /// # Errors
    /// If it cannot be opened, or is a stream that was read before.
    pub fn open(&mut self, progress: &Progress) -> io::Result<Bytes> {
        let mut bytes = match &mut self.source {
            Source::File(path) => open(path, progress)?,
            Source::Once(bytes) => bytes
                .take()
                .ok_or_else(|| io::Error::other("a stream can be read once only"))?,
        };
        let mut mark = [0; BYTE_ORDER_MARK.len()];
        let count = fill(&mut bytes, &mut mark)?;
        if mark == BYTE_ORDER_MARK {
            return Ok(bytes);
        }
        let start = mark[..count].to_vec();
        Ok(Box::new(Cursor::new(start).chain(bytes)))
    }

    /// Its bytes, unpacked, to be read in any order. What is packed, or comes from stdin, is
    /// unpacked into a file without a name first.
    ///
    /// # Errors
    /// As [`Input::open`], and if there is no room for that file.
    pub fn open_to_seek(&mut self, progress: &Progress) -> io::Result<Box<dyn ReadSeek>> {
        if let Source::File(path) = &self.source {
            let mut start = [0; GZIP.len()];
            let mut file = File::open(path)?;
            fill(&mut file, &mut start)?;
            if start != GZIP {
                file.rewind()?;
                return Ok(Box::new(Counted {
                    bytes: file,
                    progress: progress.clone(),
                }));
            }
        }
        let mut unpacked = tempfile::tempfile()?;
        io::copy(&mut self.open(progress)?, &mut unpacked)?;
        unpacked.rewind()?;
        Ok(Box::new(unpacked))
    }

    /// Its size on the disk; 0 if that is not known.
    pub fn size(&self) -> u64 {
        match &self.source {
            Source::File(path) => fs::metadata(path).map_or(0, |data| data.len()),
            Source::Once(_) => 0,
        }
    }
}

fn form(front: &[u8]) -> Result<Form, Refused> {
    Form::of(front).map_err(|seems| {
        Reason::Form(format!(
            "{seems}; give what kafka-dump-log.sh prints, a segment, a producer snapshot or a \
             broker's log"
        ))
    })
}

/// Where an input is from. A dump says so itself.
fn origin(form: Form, front: &[u8], own: Origin) -> Origin {
    let lines = || front.split(|byte| *byte == b'\n');
    if form != Form::Dump {
        return own;
    }
    let dumping = lines().find_map(|line| line.strip_prefix(b"Dumping "));
    let Some(path) = dumping else { return own };
    let path = path.strip_suffix(b"\r").unwrap_or(path);
    let said = Origin::of(path);
    Origin {
        partition: said.partition.or(own.partition),
        offset: said.offset.or(own.offset),
        directory: said.directory,
    }
}

/// Whether the first line that is one of a dump is of a snapshot.
fn begins_with_snapshot(form: Form, front: &[u8]) -> bool {
    let mut lines = front.split(|byte| *byte == b'\n');
    let telling = lines.find(|line| {
        line.starts_with(b"Dumping ")
            || line.starts_with(b"producerId: ")
            || line.starts_with(b"baseOffset: ")
            || line.starts_with(b"offset: ")
    });
    let telling = telling.map(|line| line.strip_suffix(b"\r").unwrap_or(line));
    form == Form::Dump
        && telling
            .is_some_and(|line| line.starts_with(b"producerId: ") || line.ends_with(b".snapshot"))
}

/// The first bytes, as many as are looked at.
fn front(bytes: &mut Bytes) -> io::Result<Vec<u8>> {
    let mut front = Vec::new();
    bytes.take(LOOKED_AT as u64).read_to_end(&mut front)?;
    Ok(front)
}

fn open(path: &Path, progress: &Progress) -> io::Result<Bytes> {
    unpacked(Counted {
        bytes: File::open(path)?,
        progress: progress.clone(),
    })
}

/// Unpacks what is packed with gzip.
fn unpacked(mut bytes: impl Read + 'static) -> io::Result<Bytes> {
    let mut start = [0; GZIP.len()];
    let count = fill(&mut bytes, &mut start)?;
    let bytes = Cursor::new(start[..count].to_vec()).chain(bytes);
    if start == GZIP {
        Ok(Box::new(MultiGzDecoder::new(io::BufReader::with_capacity(
            LOOKED_AT, bytes,
        ))))
    } else {
        Ok(Box::new(bytes))
    }
}

/// Reads until the buffer is full or nothing is left; how much was read.
fn fill(bytes: &mut impl Read, buffer: &mut [u8]) -> io::Result<usize> {
    let mut count = 0;
    while count < buffer.len() {
        match bytes.read(&mut buffer[count..]) {
            Ok(0) => break,
            Ok(more) => count += more,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(count)
}

/// Whether a file has the name that a broker gives a segment: one is known by it that is empty, damaged
/// where it begins, or preallocated and without a batch yet.
fn is_named_like_segment(path: &Path) -> bool {
    path.extension().is_some_and(|it| it == "log") && Origin::of_file(path).offset.is_some()
}

/// Tells how much is read.
struct Counted<R> {
    bytes: R,
    progress: Progress,
}

impl<R: Read> Read for Counted<R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let count = self.bytes.read(into)?;
        (self.progress)(count as u64);
        Ok(count)
    }
}

impl<R: Seek> Seek for Counted<R> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.bytes.seek(to)
    }
}
