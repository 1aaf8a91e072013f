//! Bytes in: cuts a stream into chunks of whole lines. Knows nothing of Sudoku.

use std::cell::Cell;
use std::fs::{self, File};
use std::io::{self, ErrorKind, Read};
use std::ops::Range;
use std::os::fd::AsFd;
use std::os::unix::ffi::OsStrExt;
use std::path::PathBuf;
use std::time::Duration;

use memchr::{memchr, memrchr};

use crate::error::Fault;
use crate::sys;

/// Where lines come from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Source {
    /// Standard input.
    Stdin,
    /// The file of this name.
    File(PathBuf),
}

impl Source {
    /// What messages call it.
    pub fn name(&self) -> &[u8] {
        match self {
            Source::Stdin => b"-",
            Source::File(path) => path.as_os_str().as_bytes(),
        }
    }

    /// Whether reading it never waits for somebody else.
    pub(crate) fn is_regular_file(&self) -> bool {
        let metadata = match self {
            Source::Stdin => sys::stdin().and_then(|stdin| stdin.metadata()),
            Source::File(path) => fs::metadata(path),
        };
        metadata.is_ok_and(|metadata| metadata.is_file())
    }

    /// Opens it, unbuffered.
    ///
    /// # Errors
    /// Whatever the system says; standard input that was closed at the start fails when it is read.
    pub fn open(&self) -> io::Result<File> {
        match self {
            Source::Stdin => sys::stdin(),
            Source::File(path) => File::open(path),
        }
    }
}

/// Whole lines: each ends in a newline, except perhaps the last of its source.
#[derive(Debug)]
pub struct Chunk {
    buffer: Vec<u8>,
    lines: Range<usize>,
    /// This is the beginning of a line longer than `LONGEST_LINE`; the rest of it is not kept.
    pub overlong: bool,
}

impl Chunk {
    pub fn bytes(&self) -> &[u8] {
        &self.buffer[self.lines.clone()]
    }
}

impl Drop for Chunk {
    fn drop(&mut self) {
        if self.buffer.len() == LARGEST_CHUNK {
            // At the very end of a thread there is none to keep it for.
            let _ = SPARE.try_with(|spare| spare.set(std::mem::take(&mut self.buffer)));
        }
    }
}

thread_local! {
    /// The buffer of the chunk that this thread was the last to drop: what it reads next goes where its nearest caches are.
    // Shared by all threads, buffers went from cache to cache, and there were two for one: 2 to 3 % slower on easy input.
    static SPARE: Cell<Vec<u8>> = const { Cell::new(Vec::new()) };
}

/// Bytes in a line, its end not counted, be it LF or CRLF. What is longer is a chunk of its own.
pub const LONGEST_LINE: usize = 64 << 10;
/// What is kept of a longer line.
const KEPT: usize = 1 << 10;
/// Bytes in a chunk, at most; has room for a longest line with its end and what is read after it.
// Not done: half as much (5 % slower on easy input, handing over), or twice (on a single core 2 to 4 % slower on every
// corpus: caches).
pub const LARGEST_CHUNK: usize = 256 << 10;
/// A read that brings less shows a stream that trickles: what has come is handed on at once.
const PAGE: usize = 4 << 10;

/// What chunks are cut from.
pub trait Stream: Read {
    /// Whether a read would return at once, perhaps after waiting for that (`None`: as long as it takes).
    fn wait(&self, limit: Option<Duration>) -> bool;
}

impl Stream for Box<dyn Stream + Send> {
    fn wait(&self, limit: Option<Duration>) -> bool {
        (**self).wait(limit)
    }
}

impl Stream for File {
    fn wait(&self, limit: Option<Duration>) -> bool {
        sys::wait_readable(self.as_fd(), limit)
    }
}

/// The chunks of one stream. How the stream came in reads shows in their size only: the lines, and which of them are
/// overlong, are always the same.
pub struct Chunks<S> {
    from: S,
    /// `buffer[start..end]` was read and not yet handed out. It begins with a line, or with the rest of an overlong one.
    /// Where the buffer itself was handed out it is empty, and `rest` holds the same.
    buffer: Vec<u8>,
    rest: Vec<u8>,
    start: usize,
    end: usize,
    within_overlong: bool,
    untouched: bool,
    state: State,
}

enum State {
    Open,
    Ended,
    Failed(Option<io::Error>),
}

impl<S: Stream> Chunks<S> {
    pub fn new(from: S) -> Self {
        Chunks {
            from,
            buffer: Vec::new(),
            rest: Vec::new(),
            start: 0,
            end: 0,
            within_overlong: false,
            untouched: true,
            state: State::Open,
        }
    }

    /// The next chunk: as much as can be had without waiting for more. `None` at the end. A read error comes after the
    /// complete lines before it.
    pub fn next(&mut self) -> Result<Option<Chunk>, Fault> {
        if self.buffer.is_empty() {
            self.replace_buffer();
        }
        loop {
            if let Some(chunk) = self.cut() {
                if std::mem::take(&mut self.untouched) {
                    refuse_packed(chunk.bytes())?;
                }
                return Ok(Some(chunk));
            }
            match &mut self.state {
                State::Open => self.fill(),
                State::Ended => return Ok(None),
                State::Failed(error) => {
                    return error.take().map_or(Ok(None), |error| Err(Fault::Io(error)));
                }
            }
        }
    }

    /// Takes a chunk off the front of the buffer, if it holds one.
    fn cut(&mut self) -> Option<Chunk> {
        if self.within_overlong {
            self.skip_line();
        }
        let pending = &self.buffer[self.start..self.end];
        let whole = whole_lines(pending);
        // A "\r" may be part of the end.
        let line = pending.strip_suffix(b"\r").unwrap_or(pending);
        let (length, overlong) = if whole > 0 {
            (whole, false)
        } else if line.len() > LONGEST_LINE {
            (KEPT, true)
        } else if matches!(self.state, State::Ended) && !pending.is_empty() {
            (pending.len(), false)
        } else {
            return None;
        };
        self.within_overlong = overlong;
        Some(self.hand_out(length, overlong))
    }

    /// A chunk of the next bytes: in the buffer they were read into if they fill most of it, else in one of their own.
    fn hand_out(&mut self, length: usize, overlong: bool) -> Chunk {
        let lines = self.start..self.start + length;
        self.start = lines.end;
        if length < LARGEST_CHUNK / 2 {
            return Chunk {
                buffer: self.buffer[lines].to_vec(),
                lines: 0..length,
                overlong,
            };
        }
        self.rest.clear();
        self.rest
            .extend_from_slice(&self.buffer[self.start..self.end]);
        Chunk {
            buffer: std::mem::take(&mut self.buffer),
            lines,
            overlong,
        }
    }

    /// Takes a buffer in place of one that was handed out.
    fn replace_buffer(&mut self) {
        self.buffer = SPARE.take();
        if self.buffer.is_empty() {
            self.buffer = vec![0; LARGEST_CHUNK];
        }
        self.buffer[..self.rest.len()].copy_from_slice(&self.rest);
        self.start = 0;
        self.end = self.rest.len();
    }

    fn skip_line(&mut self) {
        match memchr(b'\n', &self.buffer[self.start..self.end]) {
            Some(newline) => {
                self.start += newline + 1;
                self.within_overlong = false;
            }
            None => self.start = self.end,
        }
    }

    /// Reads until the buffer is full or no more is there.
    fn fill(&mut self) {
        self.buffer.copy_within(self.start..self.end, 0);
        self.end -= self.start;
        self.start = 0;
        loop {
            match self.from.read(&mut self.buffer[self.end..]) {
                Ok(0) => return self.state = State::Ended,
                Ok(count) => {
                    self.end += count;
                    if count < PAGE
                        || self.end == self.buffer.len()
                        || !self.from.wait(Some(Duration::ZERO))
                    {
                        return;
                    }
                }
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) if error.kind() == ErrorKind::WouldBlock => _ = self.from.wait(None),
                Err(error) => return self.state = State::Failed(Some(error)),
            }
        }
    }
}

/// Length of the whole lines `bytes` begins with, up to the first that is too long.
fn whole_lines(bytes: &[u8]) -> usize {
    let mut whole = 0;
    while let Some(newline) = far_newline(&bytes[whole..]) {
        whole += newline + 1;
    }
    whole
}

/// The last newline before which no line can be too long. Any stretch as long as a longest line and its newline holds one,
/// or begins a line that is too long, but for one whose end is CRLF.
fn far_newline(bytes: &[u8]) -> Option<usize> {
    let newline = memrchr(b'\n', &bytes[..bytes.len().min(LONGEST_LINE + 1)]);
    newline.or_else(|| {
        let is_end = bytes.get(LONGEST_LINE..)?.starts_with(b"\r\n");
        is_end.then_some(LONGEST_LINE + 1)
    })
}

/// Bytes by which every packed format is known.
pub(crate) const LONGEST_MAGIC: usize = 10;

/// `begin` is the first line of a source at least, and none of these hold a newline: they are there in full or not at all.
pub(crate) fn refuse_packed(begin: &[u8]) -> Result<(), Fault> {
    // The archives are an ordinary one, one without files, and the first part of one that is split.
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
            return Err(Fault::Packed { format, program });
        }
    }
    match begin {
        // A first block, or none; `BZh` alone could be a label.
        [
            b'B',
            b'Z',
            b'h',
            b'1'..=b'9',
            b'1',
            b'A',
            b'Y',
            b'&',
            b'S',
            b'Y',
            ..,
        ]
        | [
            b'B',
            b'Z',
            b'h',
            b'1'..=b'9',
            0x17,
            b'r',
            b'E',
            b'8',
            b'P',
            0x90,
            ..,
        ] => Err(Fault::Packed {
            format: "bzip2",
            program: "bzip2",
        }),
        _ => Ok(()),
    }
}

/// Refuses a layout's file that begins like these.
///
/// # Errors
/// The sentence for the user.
pub fn refuse_packed_layout(name: &[u8], text: &[u8]) -> Result<(), String> {
    refuse_packed(text).map_err(|fault| fault.about_layout(name))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::without_end;
    use std::collections::VecDeque;

    /// A stream that comes in the reads it is made of.
    struct Reads(VecDeque<io::Result<Vec<u8>>>);

    impl Reads {
        fn of(bytes: &[u8], size: usize) -> Self {
            Reads(bytes.chunks(size).map(|read| Ok(read.to_vec())).collect())
        }
    }

    impl Read for Reads {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            let Some(next) = self.0.pop_front() else {
                return Ok(0);
            };
            let mut bytes = next?;
            let count = bytes.len().min(buffer.len());
            buffer[..count].copy_from_slice(&bytes[..count]);
            if bytes.len() > count {
                self.0.push_front(Ok(bytes.split_off(count)));
            }
            Ok(count)
        }
    }

    impl Stream for Reads {
        fn wait(&self, _: Option<Duration>) -> bool {
            true
        }
    }

    fn chunks_of(reads: Reads) -> (Vec<Chunk>, Option<Fault>) {
        let mut chunks = Chunks::new(reads);
        let mut all = Vec::new();
        loop {
            match chunks.next() {
                Ok(Some(chunk)) => all.push(chunk),
                Ok(None) => return (all, None),
                Err(fault) => return (all, Some(fault)),
            }
        }
    }

    /// Lines with a mark whether overlong, whatever the chunks.
    fn lines_of(bytes: &[u8], size: usize) -> Vec<(Vec<u8>, bool)> {
        let (chunks, fault) = chunks_of(Reads::of(bytes, size));
        assert!(fault.is_none());
        let line = |chunk: &Chunk| {
            let overlong = chunk.overlong;
            chunk
                .bytes()
                .split_inclusive(|&byte| byte == b'\n')
                .map(move |line| (line.to_vec(), overlong))
                .collect::<Vec<_>>()
        };
        chunks.iter().flat_map(line).collect()
    }

    #[test]
    fn lines_do_not_depend_on_the_reads() {
        let mut text = b"one\n\ntwo\r\n\0three\n".to_vec();
        for length in [
            LONGEST_LINE - 1,
            LONGEST_LINE,
            LONGEST_LINE + 1,
            LARGEST_CHUNK,
            3 * LARGEST_CHUNK,
        ] {
            text.extend(vec![b'x'; length]);
            text.extend(b"\nshort\n");
            text.extend(vec![b'x'; length]);
            text.extend(b"\r\n");
        }
        text.extend(b"last");
        let expected: Vec<_> = text
            .split_inclusive(|&byte| byte == b'\n')
            .map(|line| match without_end(line).len() > LONGEST_LINE {
                true => (line[..KEPT].to_vec(), true),
                false => (line.to_vec(), false),
            })
            .collect();
        for size in [
            1021,
            4095,
            4096,
            65535,
            65536,
            65537,
            LARGEST_CHUNK,
            usize::MAX,
        ] {
            assert!(lines_of(&text, size) == expected, "reads of {size} bytes");
        }
        for size in 1..9 {
            assert!(
                lines_of(&text[..17], size) == expected[..4],
                "reads of {size} bytes"
            );
        }
    }

    #[test]
    fn an_overlong_last_line_may_lack_its_newline() {
        let text = vec![b'x'; LONGEST_LINE + 1];
        assert_eq!(lines_of(&text, 1000), [(text[..KEPT].to_vec(), true)]);
        assert_eq!(lines_of(&text[1..], 1000), [(text[1..].to_vec(), false)]);
        let text = [&text[1..], b"\r"].concat();
        assert_eq!(lines_of(&text, 1000), [(text.clone(), false)]);
        let text = [&text[..], b"\r"].concat();
        assert_eq!(lines_of(&text, 1000), [(text[..KEPT].to_vec(), true)]);
    }

    #[test]
    fn nothing_gives_nothing() {
        assert!(lines_of(b"", 1).is_empty());
    }

    #[test]
    fn what_trickles_in_is_handed_on_at_once() {
        let (chunks, _) = chunks_of(Reads::of(b"a\nb\nc", 2));
        let bytes: Vec<_> = chunks.iter().map(Chunk::bytes).collect();
        assert_eq!(bytes, [&b"a\n"[..], b"b\n", b"c"]);
    }

    #[test]
    fn what_floods_in_makes_large_chunks() {
        let (chunks, _) = chunks_of(Reads::of(&b"line\n".repeat(100_000), PAGE));
        assert!(chunks.len() <= 3, "{} chunks", chunks.len());
    }

    #[test]
    fn complete_lines_before_an_error_are_kept() {
        for size in [4, 8192] {
            let mut reads = Reads::of(&[&b"ab\n".repeat(5000), &b"cut"[..]].concat(), size);
            reads
                .0
                .push_back(Err(io::Error::from(ErrorKind::Interrupted)));
            reads.0.push_back(Err(io::Error::from_raw_os_error(5)));
            let (chunks, fault) = chunks_of(reads);
            assert_eq!(
                chunks
                    .iter()
                    .map(|chunk| chunk.bytes().len())
                    .sum::<usize>(),
                15_000
            );
            assert!(matches!(fault, Some(Fault::Io(error)) if error.raw_os_error() == Some(5)));
        }
    }

    #[test]
    fn packed_data_is_refused() {
        let table: [(&[u8], Option<&str>); 9] = [
            (b"\x1f\x8b\x08\0\n", Some("gzip")),
            (b"\x1f\x8b", Some("gzip")),
            (b"\x28\xb5\x2f\xfd\n\n", Some("zstd")),
            (b"\xfd7zXZ\0\0\n", Some("xz")),
            (b"BZh91AY&SY..\n", Some("bzip2")),
            (b"BZh9\x17rE8P\x90\n", Some("bzip2")),
            (b"BZh9\n", None),
            (b"\x1f\n\x8b", None),
            (b"1\n\x1f\x8b\n", None),
        ];
        for (bytes, expected) in table {
            for size in [1, 100] {
                let (chunks, fault) = chunks_of(Reads::of(bytes, size));
                let format = fault.map(|fault| match fault {
                    Fault::Packed { format, .. } => format,
                    other => panic!("{other:?}"),
                });
                assert_eq!(format, expected, "{bytes:?}");
                assert_eq!(chunks.is_empty(), expected.is_some(), "{bytes:?}");
            }
        }
    }
}
