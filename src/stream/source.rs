//! Opens the sources of lines, files and standard input, and refuses compressed data. `chunks.rs` cuts their bytes into
//! lines.

use std::fs::File;
use std::io::Read;
use std::os::fd::AsFd;
use std::os::unix::ffi::OsStrExt;
use std::path::PathBuf;
use std::time::Duration;
use std::{fs, io};

use super::sys;
use crate::error::{BoxError, SourceFault};

/// A source of lines.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Source {
    /// Standard input.
    Stdin,
    /// The file of this name.
    File(PathBuf),
}

impl Source {
    /// Returns the name for messages.
    pub fn name(&self) -> &[u8] {
        match self {
            Source::Stdin => b"-",
            Source::File(path) => path.as_os_str().as_bytes(),
        }
    }

    /// Returns true for a regular file. Reading one never waits for another process.
    pub(crate) fn is_regular_file(&self) -> bool {
        let metadata = match self {
            Source::Stdin => stdin().and_then(|stdin| stdin.metadata()),
            Source::File(path) => fs::metadata(path),
        };
        metadata.is_ok_and(|metadata| metadata.is_file())
    }

    /// Opens the source without buffering.
    ///
    /// # Errors
    /// Returns the error of the system.
    pub fn open(&self) -> io::Result<File> {
        match self {
            Source::Stdin => stdin(),
            Source::File(path) => File::open(path),
        }
    }
}

/// Returns standard input, unbuffered.
fn stdin() -> io::Result<File> {
    Ok(File::from(io::stdin().as_fd().try_clone_to_owned()?))
}

/// A stream of bytes on which the caller can wait.
pub trait Stream: Read {
    /// Waits until a read would return at once, at most for `limit`, or without limit if it is `None`. Returns false if the
    /// limit is reached first.
    fn wait(&self, limit: Option<Duration>) -> bool;
}

/// A stream that can be read on another thread.
pub type ByteStream = Box<dyn Stream + Send>;

impl Stream for ByteStream {
    fn wait(&self, limit: Option<Duration>) -> bool {
        (**self).wait(limit)
    }
}

impl Stream for File {
    fn wait(&self, limit: Option<Duration>) -> bool {
        sys::wait_readable(self.as_fd(), limit)
    }
}

/// Number of bytes that suffice to recognise every compressed format.
pub(crate) const LONGEST_MAGIC: usize = 10;

/// Returns an error if a source that begins with `begin` is compressed. `begin` must include the first line of the source
/// or at least `LONGEST_MAGIC` bytes. No magic number contains a newline, so it is in `begin` in full or not at all.
pub(crate) fn refuse_packed(begin: &[u8]) -> Result<(), SourceFault> {
    // The three zip entries: an ordinary archive, an archive without files, the first part of a split archive.
    let table: [(&[u8], _, _); 8] = [
        (b"\x1f\x8b", "gzip", "gzip"),
        (b"\x1f\x9d", "compress", "gzip"),
        (b"\x28\xb5\x2f\xfd", "zstd", "zstd"),
        (b"\xfd7zXZ\0", "xz", "xz"),
        (b"\x04\x22\x4d\x18", "lz4", "lz4"),
        (b"PK\x03\x04", "zip", "unzip"),
        (b"PK\x05\x06", "zip", "unzip"),
        (b"PK\x07\x08", "zip", "unzip"),
    ];
    for (magic, format, program) in table {
        if begin.starts_with(magic) {
            return Err(SourceFault::Packed { format, program });
        }
    }
    match is_bzip2(begin) {
        true => Err(SourceFault::Packed {
            format: "bzip2",
            program: "bzip2",
        }),
        false => Ok(()),
    }
}

/// Returns whether a source begins like bzip2. Its magic number `BZh` alone could be the labels of a jigsaw layout. After the block
/// size follows the magic number of the first block, or that of the end of the stream if there is no block.
fn is_bzip2(begin: &[u8]) -> bool {
    let Some([b'1'..=b'9', block @ ..]) = begin.strip_prefix(b"BZh") else {
        return false;
    };
    block.starts_with(b"1AY&SY") || block.starts_with(b"\x17rE8P\x90")
}

/// Refuses the file of a jigsaw layout if it is compressed.
///
/// # Errors
/// Returns an error that names the command that unpacks the file.
pub fn refuse_packed_layout(name: &[u8], text: &[u8]) -> Result<(), BoxError> {
    refuse_packed(text).map_err(|fault| fault.about_layout(name).into())
}
