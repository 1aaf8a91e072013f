//! Cuts a stream of bytes into chunks of whole lines. `source.rs` opens the sources, `tasks.rs`
//! cuts chunks into tasks, and `pipeline/read.rs` reads the lines.

use std::cell::Cell;
use std::io;
use std::io::ErrorKind;
use std::time::Duration;

use memchr::{memchr, memchr_iter, memrchr};

use super::records::{BoxCutter, Cut, MAX_LINE, Places, Spans};
use super::source::{ByteStream, MAX_SIGNATURE, SourceFault, refuse_unreadable};

/// Some whole records, or the beginning of an overlong line. Unless a cutter made the text, it is
/// whole lines. Only the last line of a source can lack its newline.
#[derive(Debug)]
pub struct Chunk {
    buffer: Vec<u8>,
    length: usize,
    /// True if the chunk is the beginning of a line longer than `MAX_LINE`.
    pub overlong: bool,
    pub places: Places,
}

impl Chunk {
    pub fn bytes(&self) -> &[u8] {
        &self.buffer[..self.length]
    }

    /// Returns `None` if each line is a record.
    pub fn spans(&self) -> Option<&Spans> {
        match &self.places {
            Places::Lines => None,
            Places::Spans(spans) => Some(spans),
        }
    }

    pub fn number_of_records(&self) -> usize {
        match self.spans() {
            None => memchr_iter(b'\n', self.bytes()).count(),
            Some(Spans { spans, .. }) => spans.len(),
        }
    }

    /// Returns `None` if the chunk has only text between records.
    pub fn first_record(&self) -> Option<&[u8]> {
        let bytes = self.bytes();
        match self.spans() {
            None => Some(&bytes[..memchr(b'\n', bytes).unwrap_or(bytes.len())]),
            Some(Spans { spans, .. }) => {
                let span = spans.first()?;
                let record = &bytes[span.begin as usize..span.end as usize];
                Some(record.strip_suffix(b"\n").unwrap_or(record))
            }
        }
    }
}

impl Drop for Chunk {
    fn drop(&mut self) {
        if self.buffer.len() != MAX_CHUNK {
            return;
        }
        // Fails while the thread ends, when nothing will use the buffer.
        let _ = SPARE.try_with(|spare| spare.set(std::mem::take(&mut self.buffer)));
    }
}

thread_local! {
    /// The buffer of the chunk that this thread dropped last, or an empty one. It is used again,
    /// because it is probably still in the caches of the core.
    // Tried: one pool of buffers for all threads. 2-3 % slower on easy input: there are twice as
    // many buffers, and they move between caches.
    static SPARE: Cell<Vec<u8>> = const { Cell::new(Vec::new()) };
}

/// Bytes of an overlong line that are kept.
pub const OVERLONG_PREFIX: usize = 1 << 10;
/// Bytes of the buffer for a chunk: more than the longest line, so that there is room for a read.
const MAX_CHUNK: usize = 256 << 10;
/// After a read of fewer bytes than this, `Chunks::fill` stops: the sender can be slow, and whole
/// lines that are already read should not wait for the next ones.
pub const FAST_READ: usize = 4 << 10;

/// The sizes of the reads affect the sizes of the chunks only. The lines, and which of them are
/// overlong, are always the same.
///
/// ```text
///     buffer    | lines and part of a line |  free  |
///               0                         end   MAX_CHUNK
/// ```
pub struct Chunks<'a> {
    stream: ByteStream<'a>,
    /// The first `end` bytes are read, but not yet returned. They begin with a line, or with the
    /// rest of an overlong line. Each chunk takes the buffer with it: `buffer` is then empty until
    /// the next call of `next`.
    buffer: Vec<u8>,
    /// Meaningless while `buffer` is empty.
    end: usize,
    /// While `buffer` is empty, the bytes that are read, but not yet returned.
    rest: Vec<u8>,
    /// True if the next bytes are the rest of an overlong line, which is dropped.
    within_overlong: bool,
    /// `None` if each line is a record.
    cutter: Option<BoxCutter>,
    /// The end of the stream, or the error of a failed read. `None` while the stream can be read.
    read_end: Option<io::Result<()>>,
}

impl<'a> Chunks<'a> {
    /// Reads the beginning of a stream until `recognize` returns its form. It is called when
    /// another line or more than the longest line is read, and must return a form at the end.
    pub fn open<F: Copy>(
        stream: ByteStream<'a>,
        recognize: impl Fn(&[u8], bool) -> Option<F>,
        cutter: impl FnOnce(F) -> Option<BoxCutter>,
    ) -> Result<(Self, F), SourceFault> {
        let mut chunks = Chunks {
            stream,
            buffer: Vec::new(),
            end: 0,
            rest: Vec::new(),
            within_overlong: false,
            cutter: None,
            read_end: None,
        };
        chunks.acquire_buffer();
        let (mut is_text, mut lines) = (false, 0);
        loop {
            let pending = &chunks.buffer[..chunks.end];
            let ends = chunks.read_end.is_some();
            let newlines = memchr_iter(b'\n', pending).count();
            let is_due = ends || newlines > lines || pending.len() > MAX_LINE;
            if !is_text && (is_due || pending.len() >= MAX_SIGNATURE) {
                refuse_unreadable(pending)?;
                is_text = true;
            }
            lines = newlines;
            if let Some(form) = is_due.then(|| recognize(pending, ends)).flatten() {
                chunks.cutter = cutter(form);
                return Ok((chunks, form));
            }
            assert!(!ends, "the form of a source is known at its end");
            chunks.read_end = chunks.fill();
        }
    }

    /// Waits for input only if no chunk can be cut off the bytes not yet returned. Returns the
    /// whole lines before an error first. Do not call `next` again after the end or an error.
    pub fn next(&mut self) -> io::Result<Option<Chunk>> {
        if self.buffer.is_empty() {
            self.acquire_buffer();
        }
        loop {
            if let Some(chunk) = self.cut() {
                return Ok(Some(chunk));
            }
            match self.read_end.take() {
                None => self.read_end = self.fill(),
                Some(end) => return end.map(|()| None),
            }
        }
    }

    /// Cuts off whole lines, the beginning of an overlong line, or at the end of the stream a last
    /// line without a newline. Returns `None` if there is none of these yet.
    fn cut(&mut self) -> Option<Chunk> {
        if self.within_overlong {
            self.skip_line();
        }
        let ends = matches!(self.read_end, Some(Ok(())));
        let pending = &self.buffer[..self.end];
        let (cut, max_record) = match &mut self.cutter {
            None => (Cut::lines(length_of_whole_lines(pending, MAX_LINE)), MAX_LINE),
            Some(cutter) => (cutter.cut(pending, ends), cutter.max_record()),
        };
        // The last byte can be the CR of a CRLF whose LF has not been read yet.
        let line = pending.strip_suffix(b"\r").unwrap_or(pending);
        let (length, overlong) = if cut.length > 0 {
            (cut.length, false)
        } else if line.len() > max_record {
            (OVERLONG_PREFIX, true)
        } else if ends && !pending.is_empty() {
            (pending.len(), false)
        } else if matches!(&cut.places, Places::Spans(Spans { spans, .. }) if !spans.is_empty()) {
            // At its end, a source can have a record that does not come from the last bytes.
            (0, false)
        } else {
            return None;
        };
        self.within_overlong = overlong;
        let Some(text) = cut.text else {
            // The beginning of an overlong line is one line.
            let places = if overlong { Places::Lines } else { cut.places };
            return Some(self.take_chunk(length, overlong, places));
        };
        self.buffer.copy_within(length..self.end, 0);
        self.end -= length;
        Some(Chunk { length: text.len(), buffer: text, overlong, places: cut.places })
    }

    fn take_chunk(&mut self, length: usize, overlong: bool, places: Places) -> Chunk {
        self.rest.clear();
        self.rest.extend_from_slice(&self.buffer[length..self.end]);
        Chunk { buffer: std::mem::take(&mut self.buffer), length, overlong, places }
    }

    fn acquire_buffer(&mut self) {
        self.buffer = SPARE.take();
        let length = MAX_CHUNK.max(self.rest.len() + 1);
        if self.buffer.len() < length {
            self.buffer.resize(length, 0);
        }
        self.buffer[..self.rest.len()].copy_from_slice(&self.rest);
        self.end = self.rest.len();
    }

    /// Drops the rest of an overlong line, as far as it has been read.
    fn skip_line(&mut self) {
        let newline = memchr(b'\n', &self.buffer[..self.end]);
        let dropped = newline.map_or(self.end, |newline| newline + 1);
        self.within_overlong = newline.is_none();
        self.buffer.copy_within(dropped..self.end, 0);
        self.end -= dropped;
    }

    /// Reads until the buffer is full, a read returns fewer than `FAST_READ` bytes, or no more
    /// bytes are available. Waits for the first bytes.
    ///
    /// The buffer gets room if it has none: a read into no room would look like the end of the
    /// stream. It stays bounded: `cut` returns a chunk if it holds more than the longest record.
    fn fill(&mut self) -> Option<io::Result<()>> {
        if self.end == self.buffer.len() {
            self.buffer.resize(self.end + MAX_CHUNK, 0);
        }
        loop {
            match self.stream.read(&mut self.buffer[self.end..]) {
                Ok(0) => return Some(Ok(())),
                Ok(count) => {
                    self.end += count;
                    if count < FAST_READ
                        || self.end == self.buffer.len()
                        || !self.stream.wait(Some(Duration::ZERO))
                    {
                        return None;
                    }
                }
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) if error.kind() == ErrorKind::WouldBlock => _ = self.stream.wait(None),
                Err(error) => return Some(Err(error)),
            }
        }
    }
}

/// The first overlong or incomplete line ends the whole lines. A line of more than `max` bytes is
/// overlong.
pub fn length_of_whole_lines(bytes: &[u8], max: usize) -> usize {
    let mut length = 0;
    while let Some(newline) = last_near_newline(&bytes[length..], max) {
        length += newline + 1;
    }
    length
}

/// Returns the index of the last newline among the first `max` + 1 bytes. The lines up to it lie
/// within these bytes, so none of them has more than `max` bytes before its newline.
///
/// `None` if the first line is overlong or incomplete. If it has `max` bytes before a CRLF, returns
/// the index of its LF.
fn last_near_newline(bytes: &[u8], max: usize) -> Option<usize> {
    let newline = memrchr(b'\n', &bytes[..bytes.len().min(max + 1)]);
    newline.or_else(|| {
        let is_crlf = bytes.get(max..)?.starts_with(b"\r\n");
        is_crlf.then_some(max + 1)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stream::source::Stream;
    use crate::text::record::without_end;
    use std::collections::VecDeque;
    use std::io::Read;

    /// A stream with given results of its reads.
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

    /// The form of the source is recognised at once.
    fn open<'a>(reads: Reads) -> Result<(Chunks<'a>, ()), SourceFault> {
        Chunks::open(Box::new(reads), |_, _| Some(()), |()| None)
    }

    /// Returns all chunks and the error after them.
    fn chunks_of(reads: Reads) -> (Vec<Chunk>, Option<io::Error>) {
        let (mut chunks, ()) = open(reads).unwrap();
        let mut all = Vec::new();
        loop {
            match chunks.next() {
                Ok(Some(chunk)) => all.push(chunk),
                Ok(None) => return (all, None),
                Err(error) => return (all, Some(error)),
            }
        }
    }

    /// Returns the lines of all chunks, each with true if it is overlong. `size` is the number of
    /// bytes in a read.
    fn lines_of(bytes: &[u8], size: usize) -> Vec<(Vec<u8>, bool)> {
        let (chunks, error) = chunks_of(Reads::of(bytes, size));
        assert!(error.is_none());
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
        for length in [MAX_LINE - 1, MAX_LINE, MAX_LINE + 1, MAX_CHUNK, 3 * MAX_CHUNK] {
            text.extend(vec![b'x'; length]);
            text.extend(b"\nshort\n");
            text.extend(vec![b'x'; length]);
            text.extend(b"\r\n");
        }
        text.extend(b"last");
        let expected: Vec<_> = text
            .split_inclusive(|&byte| byte == b'\n')
            .map(|line| {
                if without_end(line).len() > MAX_LINE {
                    (line[..OVERLONG_PREFIX].to_vec(), true)
                } else {
                    (line.to_vec(), false)
                }
            })
            .collect();
        for size in [1021, 4095, 4096, 65535, 65536, 65537, MAX_CHUNK, usize::MAX] {
            assert!(lines_of(&text, size) == expected, "reads of {size} bytes");
        }
        for size in 1..9 {
            assert!(lines_of(&text[..17], size) == expected[..4], "reads of {size} bytes");
        }
    }

    #[test]
    fn an_overlong_last_line_may_lack_its_newline() {
        let text = vec![b'x'; MAX_LINE + 1];
        let prefix = [(text[..OVERLONG_PREFIX].to_vec(), true)];
        assert_eq!(lines_of(&text, 1000), prefix);
        assert_eq!(lines_of(&text[1..], 1000), [(text[1..].to_vec(), false)]);
        let text = [&text[1..], b"\r"].concat();
        assert_eq!(lines_of(&text, 1000), [(text.clone(), false)]);
        let text = [&text[..], b"\r"].concat();
        assert_eq!(lines_of(&text, 1000), prefix);
    }

    #[test]
    fn an_empty_stream_has_no_chunks() {
        assert!(lines_of(b"", 1).is_empty());
    }

    #[test]
    fn each_small_read_is_a_chunk() {
        let (chunks, _) = chunks_of(Reads::of(b"a\nb\nc", 2));
        let bytes: Vec<_> = chunks.iter().map(Chunk::bytes).collect();
        assert_eq!(bytes, [&b"a\n"[..], b"b\n", b"c"]);
    }

    #[test]
    fn large_reads_are_joined_into_large_chunks() {
        let (chunks, _) = chunks_of(Reads::of(&b"line\n".repeat(100_000), FAST_READ));
        assert!(chunks.len() <= 3, "{} chunks", chunks.len());
    }

    #[test]
    fn complete_lines_before_an_error_are_kept() {
        for size in [4, 8192] {
            let mut reads = Reads::of(&[&b"ab\n".repeat(5000), &b"cut"[..]].concat(), size);
            reads.0.push_back(Err(io::Error::from(ErrorKind::Interrupted)));
            reads.0.push_back(Err(io::Error::from_raw_os_error(5)));
            let (chunks, error) = chunks_of(reads);
            assert_eq!(chunks.iter().map(|chunk| chunk.bytes().len()).sum::<usize>(), 15_000);
            assert_eq!(error.unwrap().raw_os_error(), Some(5));
        }
    }

    #[test]
    fn lines_before_an_error_are_kept_if_they_show_no_form() {
        let mut reads = Reads::of(b"ab\ncut", 2);
        reads.0.push_back(Err(io::Error::from_raw_os_error(5)));
        let recognize = |_: &[u8], ends: bool| ends.then_some(());
        let (mut chunks, ()) = Chunks::open(Box::new(reads), recognize, |()| None).unwrap();
        assert_eq!(chunks.next().unwrap().unwrap().bytes(), b"ab\n");
        assert_eq!(chunks.next().unwrap_err().raw_os_error(), Some(5));
    }

    #[test]
    fn the_beginning_shows_whether_data_is_compressed() {
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
                let format = match open(Reads::of(bytes, size)) {
                    Ok(_) => None,
                    Err(SourceFault::Packed { format, .. }) => Some(format),
                    Err(other) => panic!("{other:?}"),
                };
                assert_eq!(format, expected, "{bytes:?}");
            }
        }
    }
}
