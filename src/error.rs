//! The errors of a run, of a source and of a line, and the messages about them. `guarded` turns a
//! panic into an error.

use std::cell::{Cell, RefCell};
use std::fmt::Write as _;
use std::io::Write;
use std::panic::{AssertUnwindSafe, PanicHookInfo};
use std::{fmt, io, panic};

/// An error that ends the run.
///
/// ```
/// use std::io;
/// use sudoku_filter::Error;
///
/// let error = Error::from(io::Error::from(io::ErrorKind::BrokenPipe));
/// assert!(matches!(error, Error::ReaderGone));
/// ```
#[derive(Debug)]
#[non_exhaustive]
pub enum Error {
    /// The reader of the output has gone. The program then ends by SIGPIPE, without a message about
    /// this error.
    ReaderGone,
    /// The output cannot be written, or the program cannot prepare its standard streams.
    Write(io::Error),
    /// A panic: a fault of this program.
    Internal {
        /// The source location and the message of the panic: `FILE:LINE: MESSAGE`, or `FILE:LINE`
        /// without a message. Empty if no panic hook recorded them.
        place: String,
    },
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::ReaderGone => f.write_str("the reader of the output has gone"),
            Error::Write(error) => write!(f, "write error: {}", without_number(error)),
            Error::Internal { place } => write!(f, "internal error at {place}"),
        }
    }
}

impl std::error::Error for Error {}

impl From<io::Error> for Error {
    /// Converts an error of a write to standard output, or of the preparation of the standard
    /// streams.
    fn from(error: io::Error) -> Error {
        match error.kind() {
            io::ErrorKind::BrokenPipe => Error::ReaderGone,
            _ => Error::Write(error),
        }
    }
}

/// Formats an error without the number that std adds: `No space left on device`, not `... (os error
/// 28)`.
pub fn without_number(error: &io::Error) -> String {
    let mut text = error.to_string();
    text.truncate(text.find(" (os error").unwrap_or(text.len()));
    text
}

/// The reason why a text, an option or rules cannot be used, in the user's terms.
///
/// ```
/// use sudoku_filter::Variants;
///
/// let error = "diagonals".parse::<Variants>().unwrap_err();
/// assert!(error.to_string().starts_with("unknown variant 'diagonals'; the variants are"));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InvalidInput(String);

impl fmt::Display for InvalidInput {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for InvalidInput {}

impl From<String> for InvalidInput {
    fn from(reason: String) -> InvalidInput {
        InvalidInput(reason)
    }
}

impl From<&str> for InvalidInput {
    fn from(reason: &str) -> InvalidInput {
        InvalidInput(reason.to_string())
    }
}

/// The reason why a line, a source or a layout file cannot be used. It is only shown to the user:
/// no code looks into it.
pub(crate) type BoxError = Box<dyn std::error::Error + Send + Sync>;

/// The reason why a source is not read, or not to its end. The run goes on with the other sources.
/// Also the reason why a layout file cannot be used if it is compressed or UTF-16; this ends the
/// run.
#[derive(Debug)]
pub enum SourceFault {
    /// The source cannot be opened or read.
    Io(io::Error),
    /// The source begins like compressed data in `format`, which `program` can decompress.
    Packed {
        format: &'static str,
        program: &'static str,
    },
    /// The source looks like UTF-16 text. `encoding` is the name of its encoding for iconv.
    Utf16 { encoding: &'static str },
    /// Another reason.
    Refused(BoxError),
}

impl SourceFault {
    /// Returns the message for the source `name`; `-` is standard input. For compressed data and
    /// UTF-16 text, the message contains a command that unpacks or converts the source and
    /// pipes the result into the program.
    fn message(&self, name: &[u8]) -> String {
        self.message_with(name, " | sudoku-filter")
    }

    /// Returns the message for a layout file. A command in the message writes the unpacked or
    /// converted layout to a file, which `--regions @FILE` can then name.
    pub fn layout_message(&self, name: &[u8]) -> String {
        self.message_with(name, "")
    }

    /// Implements `message` and `layout_message`. `pipe` is the end of a command that pipes into
    /// the program, or empty.
    fn message_with(&self, name: &[u8], pipe: &str) -> String {
        let file = match name {
            b"-" => String::new(),
            name => format!(" {}", quoted(name)),
        };
        match self {
            SourceFault::Io(error) => without_number(error),
            SourceFault::Packed { format, program } => {
                let options = match (*program, pipe) {
                    ("unzip", "") => "",
                    // unzip cannot read standard input, so the user must put in the name of a file.
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
/// name is not an option. Characters that `escaped` escapes stay escaped, so a command with such a
/// name does not work if it is copied.
fn quoted(name: &[u8]) -> String {
    let mut text = escaped(name, usize::MAX);
    if text.starts_with('-') {
        text.insert_str(0, "./");
    }
    if text
        .bytes()
        .all(|byte| byte.is_ascii_alphanumeric() || b"._-/+,=@%:".contains(&byte))
    {
        return text;
    }
    format!("'{}'", text.replace('\'', r"'\''"))
}

/// Runs `work` and returns its result, or [`Error::Internal`] if it panics. The error names the
/// place of the panic only if the program's panic hook calls [`record_panic`].
pub fn guarded<T>(work: impl FnOnce() -> T) -> Result<T, Error> {
    let outer = GUARDED.replace(true);
    let result = panic::catch_unwind(AssertUnwindSafe(work));
    GUARDED.set(outer);
    result.map_err(|_| Error::Internal {
        place: PLACE.take(),
    })
}

thread_local! {
    /// True while this thread is inside [`guarded`].
    static GUARDED: Cell<bool> = const { Cell::new(false) };
    /// The source location and the message of the last panic that [`record_panic`] recorded on this thread. Empty after
    /// [`guarded`] has taken it.
    static PLACE: RefCell<String> = const { RefCell::new(String::new()) };
}

/// Records the place and the message of a panic inside [`guarded`], and returns true. For other
/// panics, records nothing and returns false. A panic hook calls this function, and prints nothing
/// if it returns true.
pub fn record_panic(info: &PanicHookInfo<'_>) -> bool {
    let Some(at) = info.location().filter(|_| GUARDED.get()) else {
        return false;
    };
    let payload = info.payload();
    let text = payload.downcast_ref::<String>().map(String::as_str);
    let text = text.or_else(|| payload.downcast_ref::<&str>().copied());
    let message = text.map_or(String::new(), |text| format!(": {text}"));
    PLACE.set(format!("{}:{}{message}", at.file(), at.line()));
    true
}

/// A message about one line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Message {
    /// The number of the line in its source, from 1.
    pub line: u64,
    /// The kind of the message.
    pub kind: MessageKind,
    /// The reason, in the user's terms.
    pub reason: String,
}

/// The kinds of messages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum MessageKind {
    /// The line is invalid. The number of such messages is limited, and `--quiet` silences them.
    InvalidLine,
    /// The line was processed, but another option is perhaps meant. Only the first hint of a run is
    /// printed, and with `--quiet` none.
    Hint,
    /// The puzzle is written in another form than it was read, so reading the output needs other
    /// options. Only the first such message of a run is printed, and with `--quiet` none.
    OtherForm,
    /// The line has status `unknown` because the program panicked. Such messages are always
    /// printed, and the run counts as failed.
    InternalError,
}

/// Prints messages. Always prints those about sources and internal errors. Unless `quiet` is set,
/// also prints the first messages about invalid lines and the number of the others, the first hint,
/// and the first message about another form.
pub struct Reporter<'a> {
    to: &'a mut (dyn Write + Send),
    quiet: bool,
    /// Entry `kind as usize` is true once a message of this kind was printed. Only hints and
    /// messages about other forms use it, because a run prints only the first of each.
    is_reported: [bool; 4],
    /// The number of messages about invalid lines that are still within the limit.
    left: usize,
    /// The number of messages about invalid lines beyond the limit.
    omitted: u64,
}

impl<'a> Reporter<'a> {
    /// Returns a reporter that prints at most `limit` messages about invalid lines. If `quiet`, it
    /// prints only messages about sources and internal errors.
    pub fn new(to: &'a mut (dyn Write + Send), limit: usize, quiet: bool) -> Self {
        Reporter {
            to,
            quiet,
            is_reported: [false; 4],
            left: limit,
            omitted: 0,
        }
    }

    /// Prints a message about a line of the source `name`, unless the message is beyond a limit or
    /// silenced. Counts messages about invalid lines that are beyond the limit.
    pub fn line(&mut self, name: &[u8], message: &Message) {
        let is_wanted = match message.kind {
            MessageKind::InternalError => true,
            kind @ (MessageKind::Hint | MessageKind::OtherForm) => {
                !self.quiet && !std::mem::replace(&mut self.is_reported[kind as usize], true)
            }
            MessageKind::InvalidLine if self.left == 0 => {
                self.omitted += 1;
                false
            }
            MessageKind::InvalidLine => {
                self.left -= 1;
                !self.quiet
            }
        };
        if !is_wanted {
            return;
        }
        let longest = match message.kind {
            MessageKind::InternalError => MAX_INTERNAL_ERROR,
            _ => MAX_REASON,
        };
        let reason = escaped(message.reason.as_bytes(), longest);
        let name = escaped(name, usize::MAX);
        self.print(&format!("{name}:{}: {reason}", message.line));
    }

    /// Counts messages about invalid lines that were dropped before they reached this reporter.
    pub fn omit(&mut self, messages: u64) {
        self.omitted += messages;
    }

    /// Reports why the source `name` is not read, or not to its end.
    pub fn fault(&mut self, name: &[u8], fault: &SourceFault) {
        self.print(&format!(
            "{}: {}",
            escaped(name, usize::MAX),
            fault.message(name)
        ));
    }

    /// Prints the number of messages about invalid lines beyond the limit, if there are any and
    /// `quiet` is not set.
    pub fn finish(&mut self) {
        if self.omitted > 0 && !self.quiet {
            let lines = if self.omitted == 1 { "line" } else { "lines" };
            self.print(&format!("{} more invalid {lines}", self.omitted));
        }
    }

    /// Prints a message in one call of `write_all`, so that messages of several processes rarely
    /// mix.
    fn print(&mut self, text: &str) {
        // If standard error fails, there is no other place to report it.
        let _ = self
            .to
            .write_all(format!("sudoku-filter: {text}\n").as_bytes());
    }
}

/// The maximum number of bytes of `Message::reason` that are printed, except for internal errors,
/// counted before `escaped` escapes characters. The reason can quote the input.
const MAX_REASON: usize = 200;
/// The maximum number of bytes of `Message::reason` that are printed for an internal error, counted
/// before `escaped` escapes characters. The reason quotes the whole line.
const MAX_INTERNAL_ERROR: usize = 1000;

/// Returns text that is safe to print on a terminal: the first `limit` bytes, then `...` if there
/// are more. Control characters, characters that change the direction of text, and invalid UTF-8
/// become escapes such as `\x1b`.
pub fn escaped(bytes: &[u8], limit: usize) -> String {
    let kept = &bytes[..limit.min(bytes.len())];
    let mut text = String::with_capacity(kept.len());
    for part in kept.utf8_chunks() {
        for symbol in part.valid().chars() {
            if symbol.is_control() || changes_direction(symbol) {
                push_escaped(&mut text, symbol.encode_utf8(&mut [0; 4]).as_bytes());
            } else {
                text.push(symbol);
            }
        }
        push_escaped(&mut text, part.invalid());
    }
    if kept.len() < bytes.len() {
        text.push_str("...");
    }
    text
}

/// Returns true for characters that make text run in another direction (Unicode's Bidi_Control).
/// Without escapes, an input line could make a terminal show the message in a misleading order.
fn changes_direction(symbol: char) -> bool {
    matches!(
        symbol,
        '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}'
    )
}

fn push_escaped(text: &mut String, bytes: &[u8]) {
    for byte in bytes {
        let _ = write!(text, "\\x{byte:02x}");
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use std::sync::Once;

    /// Installs a panic hook that records panics inside [`guarded`], as the program does.
    pub fn install_panic_hook() {
        static HOOK: Once = Once::new();
        HOOK.call_once(|| {
            let default_hook = panic::take_hook();
            panic::set_hook(Box::new(move |info| {
                if !record_panic(info) {
                    default_hook(info);
                }
            }));
        });
    }

    #[test]
    fn escapes_what_a_terminal_would_obey() {
        let table: [(&[u8], &str); 9] = [
            (b"plain", "plain"),
            ("a\u{202e}b".as_bytes(), r"a\xe2\x80\xaeb"),
            ("\u{2066}\u{200f}".as_bytes(), r"\xe2\x81\xa6\xe2\x80\x8f"),
            ("\u{2010}\u{2065}".as_bytes(), "\u{2010}\u{2065}"),
            (b"\x1b[2J", r"\x1b[2J"),
            (b"a\tb\0", r"a\x09b\x00"),
            (b"\xff\xc3", r"\xff\xc3"),
            ("é\u{9b}".as_bytes(), r"é\xc2\x9b"),
            (b"0123456789abc", "0123456789..."),
        ];
        for (bytes, text) in table {
            assert_eq!(escaped(bytes, 10), text, "{bytes:?}");
        }
    }

    #[test]
    fn write_errors_have_no_number() {
        let error = Error::from(io::Error::from_raw_os_error(28));
        assert_eq!(error.to_string(), "write error: No space left on device");
    }

    #[test]
    fn a_panic_becomes_an_error_with_its_place() {
        install_panic_hook();
        let line = line!() + 1;
        let error = guarded(|| panic!("on purpose")).unwrap_err();
        assert_eq!(
            error.to_string(),
            format!("internal error at src/error.rs:{line}: on purpose")
        );
        assert_eq!(guarded(|| 1).unwrap(), 1);
    }

    /// Returns the messages about this many invalid lines and one unreadable source.
    fn messages(limit: usize, quiet: bool, lines: u64) -> String {
        let mut out = Vec::new();
        let mut reporter = Reporter::new(&mut out, limit, quiet);
        for line in 1..=lines {
            reporter.line(
                b"a.txt",
                &Message {
                    line,
                    kind: MessageKind::InvalidLine,
                    reason: "bad\n".into(),
                },
            );
        }
        reporter.fault(b"b\n", &SourceFault::Io(io::Error::from_raw_os_error(2)));
        reporter.finish();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn messages_beyond_the_limit_are_counted() {
        let fault = "sudoku-filter: b\\x0a: No such file or directory\n";
        let first = "sudoku-filter: a.txt:1: bad\\x0a\n";
        assert_eq!(messages(1, false, 1), format!("{first}{fault}"));
        assert_eq!(
            messages(1, false, 2),
            format!("{first}{fault}sudoku-filter: 1 more invalid line\n")
        );
        assert_eq!(
            messages(1, false, 124),
            format!("{first}{fault}sudoku-filter: 123 more invalid lines\n")
        );
        assert_eq!(
            messages(0, false, 2),
            format!("{fault}sudoku-filter: 2 more invalid lines\n")
        );
        assert_eq!(
            messages(1, true, 124),
            fault,
            "quiet suppresses messages about lines, not about sources"
        );
    }

    #[test]
    fn the_message_about_compressed_data_names_a_command_that_reads_it() {
        let packed = SourceFault::Packed {
            format: "gzip",
            program: "gzip",
        };
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
        let archive = SourceFault::Packed {
            format: "zip",
            program: "unzip",
        };
        let unpack = |command| format!("this is zip data; unpack it first: {command}");
        assert_eq!(
            archive.message(b"a b.zip"),
            unpack("unzip -p 'a b.zip' | sudoku-filter")
        );
        assert_eq!(
            archive.message(b"-"),
            unpack("unzip -p FILE | sudoku-filter")
        );
        assert_eq!(archive.layout_message(b"a.zip"), unpack("unzip a.zip"));
    }
}
