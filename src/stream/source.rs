//! Opens the sources of lines (files and standard input), and recognises compressed data, databases
//! and UTF-16, which are refused. `chunks.rs` cuts the bytes of a source into chunks of lines.

use std::fs::{File, OpenOptions};
use std::io;
use std::io::Read;
use std::os::fd::AsFd;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::OpenOptionsExt;
use std::path::PathBuf;
use std::time::Duration;

use nix::fcntl::OFlag;

use engine::error::{BoxError, escaped, without_number};

/// A source of lines.
///
/// ```
/// use sudoku_filter::Source;
///
/// let sources = [Source::Stdin, Source::File("puzzles.txt".into())];
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Source {
    /// Standard input.
    Stdin,
    /// The file of this name.
    File(PathBuf),
    /// A text in memory.
    Text(String),
}

impl Source {
    /// Returns the name for messages.
    pub(crate) fn name(&self) -> &[u8] {
        match self {
            Source::Stdin => b"-",
            Source::File(path) => path.as_os_str().as_bytes(),
            Source::Text(_) => b"text",
        }
    }

    /// Opens the source without buffering. A file is opened as non-blocking: the run must not wait
    /// here until another process opens a named pipe for writing.
    pub(super) fn open(&self) -> io::Result<Opened<'_>> {
        Ok(match self {
            Source::Stdin => Opened::File(File::from(io::stdin().as_fd().try_clone_to_owned()?)),
            Source::File(path) => {
                let mut options = OpenOptions::new();
                let options = options.read(true).custom_flags(OFlag::O_NONBLOCK.bits());
                Opened::File(options.open(path)?)
            }
            Source::Text(text) => Opened::Text(text.as_bytes()),
        })
    }
}

pub(super) enum Opened<'a> {
    File(File),
    Text(&'a [u8]),
}

/// The reason why a source is not read, or not to its end. The run goes on with the other sources.
/// Also the reason why a layout file is refused by [`refuse_unreadable_layout`]. The run then ends.
#[derive(Debug)]
pub enum SourceFault {
    /// The source cannot be opened or read.
    Io(io::Error),
    /// The source begins like compressed data in `format`, which `program` can decompress.
    Packed { format: &'static str, program: &'static str },
    /// The source looks like UTF-16 text. `encoding` is the name of its encoding for iconv.
    Utf16 { encoding: &'static str },
    /// Another reason.
    Refused(BoxError),
}

impl SourceFault {
    /// The source `-` is standard input.
    pub(super) fn message(&self, name: &[u8]) -> String {
        self.message_with(name, " | sudoku-filter")
    }

    /// A command in the message writes the layout to a file for `--regions @FILE`.
    pub fn layout_message(&self, name: &[u8]) -> String {
        self.message_with(name, "")
    }

    /// `pipe` is the end of a command that pipes into the program; empty for a layout file.
    fn message_with(&self, name: &[u8], pipe: &str) -> String {
        // The last argument of the command, with a blank before it; empty for standard input.
        let file = match name {
            b"-" => String::new(),
            name => format!(" {}", quoted(name)),
        };
        match self {
            SourceFault::Io(error) => without_number(error),
            SourceFault::Packed { format, program } => {
                // With a pipe, the options make the program write to standard output.
                let options = match (*program, pipe) {
                    ("unzip", "") => "",
                    // unzip cannot read standard input. The user must replace FILE by a name.
                    ("unzip", _) if file.is_empty() => " -p FILE",
                    ("unzip", _) => " -p",
                    (_, "") => " -d",
                    (_, _) => " -dc",
                };
                format!("this is {format} data; unpack it first: {program}{options}{file}{pipe}")
            }
            SourceFault::Utf16 { encoding } => {
                let to = match pipe {
                    "" => format!(" > {}", quoted(&[name, b".utf8"].concat())),
                    pipe => pipe.to_string(),
                };
                format!(
                    "this is UTF-16 text; convert it first: iconv -f {encoding} -t UTF-8{file}{to}"
                )
            }
            SourceFault::Refused(reason) => reason.to_string(),
        }
    }
}

/// Quotes a file name for a shell, if necessary. A leading `-` gets `./` before it, so that the
/// name is not an option. The name is also made safe to print by [`escaped`], so a command with
/// control characters in the name does not work if it is copied.
fn quoted(name: &[u8]) -> String {
    let mut text = escaped(name, usize::MAX);
    if text.starts_with('-') {
        text.insert_str(0, "./");
    }
    if text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"._-/+,=@%:".contains(&byte)) {
        return text;
    }
    format!("'{}'", text.replace('\'', r"'\''"))
}

/// A stream of bytes on which the caller can wait.
pub trait Stream: Read {
    /// Waits until a read would return at once, at most for `limit`, or without limit if it is
    /// `None`. Returns false if a read could still wait after that time.
    fn wait(&self, limit: Option<Duration>) -> bool;
}

impl Stream for &[u8] {
    fn wait(&self, _: Option<Duration>) -> bool {
        true
    }
}

pub type ByteStream<'a> = Box<dyn Stream + Send + 'a>;

/// The number of bytes at the beginning of a source from which `refuse_unreadable` recognises every
/// format that it refuses.
pub(crate) const MAX_SIGNATURE: usize = 16;

pub(crate) fn refuse_unreadable(begin: &[u8]) -> Result<(), SourceFault> {
    // Magic number (`?` is any byte), format, and the program that decompresses it.
    let packed: [(&[u8], _, _); 10] = [
        // `BZh` alone could be labels of a jigsaw layout. In bzip2 data, the block size follows,
        // then the magic number of the first block, or of the end if there are no blocks.
        (b"BZh?1AY&SY", "bzip2", "bzip2"),
        (b"BZh?\x17rE8P\x90", "bzip2", "bzip2"),
        (b"\x1f\x8b", "gzip", "gzip"),
        (b"\x1f\x9d", "compress", "gzip"),
        (b"\x28\xb5\x2f\xfd", "zstd", "zstd"),
        (b"\xfd7zXZ\0", "xz", "xz"),
        (b"\x04\x22\x4d\x18", "lz4", "lz4"),
        // An ordinary archive, an archive without files, the first part of a split archive.
        (b"PK\x03\x04", "zip", "unzip"),
        (b"PK\x05\x06", "zip", "unzip"),
        (b"PK\x07\x08", "zip", "unzip"),
    ];
    if begin.starts_with(b"PK") && is_spreadsheet(begin) {
        let reason = "this is a spreadsheet; save it as CSV first, then use --csv";
        return Err(SourceFault::Refused(reason.into()));
    }
    for (magic, format, program) in packed {
        let is_same = |(&byte, &expected): (&u8, &u8)| expected == b'?' || byte == expected;
        if begin.len() >= magic.len() && begin.iter().zip(magic).all(is_same) {
            return Err(SourceFault::Packed { format, program });
        }
    }
    let databases: [(&[u8], _); 2] = [
        (
            b"SQLite format 3\0",
            "this is SQLite data; convert a table to CSV first: \
             sqlite3 -header -csv FILE 'select * from TABLE' | sudoku-filter --csv",
        ),
        (
            // `PAR1` alone could be labels of a layout. In Parquet data, the byte 0x15 follows:
            // every structure that can be the first one begins with it.
            b"PAR1\x15",
            "this is Parquet data; convert it to CSV first, with duckdb or pandas for example",
        ),
    ];
    for (magic, reason) in databases {
        if begin.starts_with(magic) {
            return Err(SourceFault::Refused(reason.into()));
        }
    }
    // `bplist00` alone could be labels of a layout. In a property list, an array or a dictionary
    // follows, whose first byte is not ASCII.
    if begin.starts_with(b"bplist00") && begin.get(8).is_some_and(|byte| !byte.is_ascii()) {
        let reason = "this is a binary property list; convert it to JSON first, with plutil or \
            plistutil for example";
        return Err(SourceFault::Refused(reason.into()));
    }
    match utf16_encoding(begin) {
        Some(encoding) => Err(SourceFault::Utf16 { encoding }),
        None => Ok(()),
    }
}

/// The names of the files in a zip archive, or the type at its beginning, show a spreadsheet.
fn is_spreadsheet(begin: &[u8]) -> bool {
    let begin = &begin[..begin.len().min(4096)];
    let has = |text: &[u8]| memchr::memmem::find(begin, text).is_some();
    // A text document has the same list of types.
    has(b"xl/")
        || has(b"opendocument.spreadsheet")
        || (has(b"[Content_Types].xml") && !has(b"word/") && !has(b"ppt/"))
}

/// Returns the name by which iconv knows the encoding of a source, if the source looks like UTF-16:
/// it begins with a byte order mark, or its first line has at least 4 bytes and begins with
/// alternate NUL and other bytes, like ASCII characters in UTF-16.
fn utf16_encoding(begin: &[u8]) -> Option<&'static str> {
    if begin.starts_with(b"\xff\xfe") || begin.starts_with(b"\xfe\xff") {
        return Some("UTF-16");
    }
    let line = begin.split(|&byte| byte == b'\n').next()?;
    // Only the first `MAX_SIGNATURE` bytes of the line count, so that the result does not depend on
    // the size of the first read.
    let (pairs, _) = line[..line.len().min(MAX_SIGNATURE)].as_chunks::<2>();
    if pairs.len() < 2 {
        return None;
    }
    let little_endian = pairs.iter().all(|pair| pair[0] != 0 && pair[1] == 0);
    let big_endian = pairs.iter().all(|pair| pair[0] == 0 && pair[1] != 0);
    match (little_endian, big_endian) {
        (true, _) => Some("UTF-16LE"),
        (_, true) => Some("UTF-16BE"),
        _ => None,
    }
}

/// Refuses the file of a jigsaw layout if it is compressed, a database or UTF-16. `text` is the
/// whole file.
///
/// # Errors
/// Returns the message for the user. It says how to unpack or convert the file.
pub fn refuse_unreadable_layout(name: &[u8], text: &[u8]) -> Result<(), BoxError> {
    refuse_unreadable(text).map_err(|fault| fault.layout_message(name).into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_message_about_compressed_data_names_a_command_that_reads_it() {
        let packed = SourceFault::Packed { format: "gzip", program: "gzip" };
        let unpack =
            |file| format!("this is gzip data; unpack it first: gzip -dc{file} | sudoku-filter");
        assert_eq!(packed.message(b"a.gz"), unpack(" a.gz"));
        assert_eq!(packed.message(b"-"), unpack(""));
        assert_eq!(packed.message(b"it's.gz"), unpack(r" 'it'\''s.gz'"));
        assert_eq!(packed.message(b"-x.gz"), unpack(" ./-x.gz"));
        assert_eq!(packed.message(b"-x y.gz"), unpack(" './-x y.gz'"));
        assert_eq!(
            packed.layout_message(b"a b.gz"),
            "this is gzip data; unpack it first: gzip -d 'a b.gz'"
        );
        let archive = SourceFault::Packed { format: "zip", program: "unzip" };
        let unpack = |command| format!("this is zip data; unpack it first: {command}");
        assert_eq!(archive.message(b"a b.zip"), unpack("unzip -p 'a b.zip' | sudoku-filter"));
        assert_eq!(archive.message(b"-"), unpack("unzip -p FILE | sudoku-filter"));
        assert_eq!(archive.layout_message(b"a.zip"), unpack("unzip a.zip"));
    }
}
