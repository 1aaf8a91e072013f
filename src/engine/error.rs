//! Errors that end a run, reasons why input is invalid, and text that is safe to print.

use std::fmt::Write;
use std::{fmt, io};

/// An error that ends the run.
///
/// ```
/// # use sudoku_filter_engine as sudoku_filter;
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
    /// The output cannot be written.
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
    /// Converts an error of a write to the output.
    fn from(error: io::Error) -> Error {
        match error.kind() {
            io::ErrorKind::BrokenPipe => Error::ReaderGone,
            _ => Error::Write(error),
        }
    }
}

/// Drops the number that std adds: `No space left on device`, not `... (os error 28)`.
pub fn without_number(error: &io::Error) -> String {
    let mut text = error.to_string();
    text.truncate(text.find(" (os error").unwrap_or(text.len()));
    text
}

/// The reason why a text, an option or rules cannot be used, in the user's terms.
///
/// ```
/// # use sudoku_filter_engine as sudoku_filter;
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

/// A JSON object has no key for the puzzle. A run reports only the first such object, because the
/// others mostly lack the same key.
#[derive(Debug)]
pub struct MissingKey(pub InvalidInput);

impl fmt::Display for MissingKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl std::error::Error for MissingKey {}

/// Why a line, a source or a layout file cannot be used. It is only shown to the user.
pub type BoxError = Box<dyn std::error::Error + Send + Sync>;

/// Returns the first `limit` bytes as text that is safe to print on a terminal, then `...` if there
/// are more. Control characters, characters that change the direction of text, and invalid UTF-8
/// become escapes such as `\x1b`, one for each byte.
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

/// Unicode's Bidi_Control, which could make a terminal show a message in a misleading order.
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
mod tests {
    use super::*;

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
}
