//! Messages about lines and sources, and how many of them are printed.

use std::io::Write;

use super::source::SourceFault;
use engine::error::escaped;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Message {
    pub line: u64,
    pub kind: MessageKind,
    /// In the user's terms.
    pub reason: String,
}

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
    /// The line is invalid because it has no value under the name that the user or the program
    /// chose. As [`MessageKind::InvalidLine`], but only the first such message of a run is printed:
    /// most often, all lines lack the same name.
    MissingKey,
    /// A remark about a record, printed once, at the end of the run: that about the first record,
    /// with the number of all. With `--quiet`, it is not printed.
    Remark,
}

/// Prints messages, as far as their [`MessageKind`] and `quiet` allow.
pub struct Reporter<'a> {
    to: &'a mut (dyn Write + Send),
    quiet: bool,
    /// Element `kind as usize` is true once a message of this kind was printed, for the kinds of
    /// which a run prints only the first.
    is_reported: [bool; 6],
    left: usize,
    omitted: u64,
    /// The first remark with its place, and the number of all.
    remark: Option<String>,
    remarks: u64,
}

impl<'a> Reporter<'a> {
    pub fn new(to: &'a mut (dyn Write + Send), limit: usize, quiet: bool) -> Self {
        Reporter {
            to,
            quiet,
            is_reported: [false; 6],
            left: limit,
            omitted: 0,
            remark: None,
            remarks: 0,
        }
    }

    pub fn line(&mut self, name: &[u8], message: &Message) {
        let is_wanted = match message.kind {
            MessageKind::InternalError => true,
            MessageKind::Remark => {
                self.remarks += 1;
                let name = escaped(name, usize::MAX);
                let text = || format!("{name}:{}: {}", message.line, message.reason);
                self.remark.get_or_insert_with(text);
                false
            }
            kind @ (MessageKind::Hint | MessageKind::OtherForm) => {
                !self.quiet && !std::mem::replace(&mut self.is_reported[kind as usize], true)
            }
            kind @ (MessageKind::InvalidLine | MessageKind::MissingKey) => {
                let is_repeated = kind == MessageKind::MissingKey
                    && std::mem::replace(&mut self.is_reported[kind as usize], true);
                if self.left == 0 || is_repeated {
                    self.omitted += 1;
                    false
                } else {
                    self.left -= 1;
                    !self.quiet
                }
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

    /// `limit_messages` has dropped these messages about invalid lines, and these remarks.
    pub fn add_omitted(&mut self, messages: u64, remarks: u64) {
        self.omitted += messages;
        self.remarks += remarks;
    }

    pub fn fault(&mut self, name: &[u8], fault: &SourceFault) {
        self.print(&format!("{}: {}", escaped(name, usize::MAX), fault.message(name)));
    }

    pub fn note(&mut self, name: &[u8], note: &str) {
        self.print(&format!("{}: {note}", escaped(name, usize::MAX)));
    }

    pub fn finish(&mut self) {
        if self.omitted > 0 && !self.quiet {
            let lines = if self.omitted == 1 { "line" } else { "lines" };
            self.print(&format!("{} more invalid {lines}", self.omitted));
        }
        if let Some(remark) = self.remark.take().filter(|_| !self.quiet) {
            let more = match self.remarks - 1 {
                0 => String::new(),
                more => format!(" (and {more} more)"),
            };
            self.print(&format!("{remark}{more}"));
        }
    }

    /// Prints a message in one call of `write_all`, so that messages of several processes rarely
    /// mix.
    fn print(&mut self, text: &str) {
        // If standard error fails, there is no other place to report it.
        let _ = self.to.write_all(format!("sudoku-filter: {text}\n").as_bytes());
    }
}

/// The maximum number of bytes of `Message::reason` that are printed, counted before characters are
/// escaped. The reason can quote the input.
const MAX_REASON: usize = 200;
/// The same maximum for internal errors. Their reason quotes the whole line.
const MAX_INTERNAL_ERROR: usize = 1000;

#[cfg(test)]
mod tests {
    use std::io;

    use super::*;

    /// Returns the messages about this many invalid lines and one unreadable source.
    fn messages(limit: usize, quiet: bool, lines: u64) -> String {
        let mut out = Vec::new();
        let mut reporter = Reporter::new(&mut out, limit, quiet);
        for line in 1..=lines {
            reporter.line(
                b"a.txt",
                &Message { line, kind: MessageKind::InvalidLine, reason: "bad\n".into() },
            );
        }
        reporter.fault(b"b\n", &SourceFault::Io(io::Error::from_raw_os_error(2)));
        reporter.finish();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn the_first_missing_key_is_printed_and_the_others_are_counted() {
        let mut out = Vec::new();
        let mut reporter = Reporter::new(&mut out, 10, false);
        let kinds = [MessageKind::MissingKey, MessageKind::InvalidLine, MessageKind::MissingKey];
        for (line, kind) in (1..).zip(kinds) {
            reporter.line(b"a", &Message { line, kind, reason: "bad".into() });
        }
        reporter.finish();
        let expected = "sudoku-filter: a:1: bad\nsudoku-filter: a:2: bad\n\
            sudoku-filter: 1 more invalid line\n";
        assert_eq!(String::from_utf8(out).unwrap(), expected);
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
        assert_eq!(messages(0, false, 2), format!("{fault}sudoku-filter: 2 more invalid lines\n"));
        assert_eq!(
            messages(1, true, 124),
            fault,
            "quiet suppresses messages about lines, not about sources"
        );
    }
}
