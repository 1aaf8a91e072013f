//! Reports the progress of a run on standard error: percentage, lines, speed, remaining time.

use std::io::{IsTerminal, Write};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use std::{io, thread};

use sudoku_filter::Source;
use sudoku_filter::program::Meter;

use super::arguments::When;
use super::failure::print_message;

/// A report on one line of a terminal or as one message per second, or none. All clones share it.
///
/// As a `Write`, it passes messages to standard error. A write first erases the progress line; the
/// next update shows it again.
#[derive(Clone)]
pub struct ProgressReport(Arc<Mutex<ProgressLine>>);

/// The state of the progress line, the line of a terminal that shows the progress. It stays
/// `Hidden` until the end if the progress is reported in messages.
#[derive(Default, PartialEq, Eq)]
enum ProgressLine {
    #[default]
    Hidden,
    Shown,
    Ended,
}

const ERASE_LINE: &str = "\r\x1b[K";
/// Makes the terminal cut off text that is too long for a line.
const NO_WRAP: &str = "\x1b[?7l";
/// Makes the terminal continue such text on the next line, as terminals do by default.
const WRAP: &str = "\x1b[?7h";

/// The time before the first update or message, and between two messages.
const MESSAGE_INTERVAL: Duration = Duration::from_secs(1);
const TERMINAL_INTERVAL: Duration = Duration::from_millis(200);

impl ProgressReport {
    /// Starts reports about a run over `sources`, unless `when` is `Never`. With `Auto`, starts
    /// them only if standard error is a terminal that can erase a line, and standard output is not
    /// a terminal. The run updates `meter`.
    pub fn start(when: When, sources: &[Source], meter: &Arc<Meter>) -> ProgressReport {
        let can_erase = io::stderr().is_terminal() && is_terminal_known();
        let is_wanted = match when {
            When::Always => true,
            When::Never => false,
            When::Auto => can_erase && !io::stdout().is_terminal(),
        };
        let progress = ProgressReport(Arc::default());
        if is_wanted {
            progress.spawn(can_erase, size_of(sources), Arc::clone(meter));
        }
        progress
    }

    /// `size` is the size of all sources in bytes, if it is known.
    fn spawn(&self, on_one_line: bool, size: Option<u64>, meter: Arc<Meter>) {
        let line = Arc::clone(&self.0);
        let begin = Instant::now();
        let report = move || {
            let mut interval = MESSAGE_INTERVAL;
            loop {
                thread::sleep(interval);
                let mut line = lock(&line);
                if *line == ProgressLine::Ended {
                    return;
                }
                let (bytes, lines) = (meter.bytes_read(), meter.written().total());
                let text = match meter.attempts() {
                    0 => text(bytes, lines, size, begin.elapsed()),
                    tried => text_of_puzzles(lines, tried, begin.elapsed()),
                };
                if on_one_line {
                    line.show(&text);
                    interval = TERMINAL_INTERVAL;
                } else {
                    print_message(&text);
                }
            }
        };
        // If no thread can be started, the run continues without reports.
        let _ = thread::Builder::new().name("progress".into()).spawn(report);
    }

    pub fn end(&self) {
        let mut line = lock(&self.0);
        line.hide();
        *line = ProgressLine::Ended;
    }
}

/// The program assumes that such a terminal can erase a line.
fn is_terminal_known() -> bool {
    std::env::var_os("TERM").is_some_and(|terminal| terminal != "dumb")
}

/// The state is valid even if another thread panicked while it held the lock.
fn lock(line: &Mutex<ProgressLine>) -> MutexGuard<'_, ProgressLine> {
    line.lock().unwrap_or_else(PoisonError::into_inner)
}

impl ProgressLine {
    fn show(&mut self, text: &str) {
        // If standard error fails, there is no other place to report it.
        let _ = io::stderr().write_all(format!("{ERASE_LINE}{NO_WRAP}{text}{WRAP}").as_bytes());
        *self = ProgressLine::Shown;
    }

    fn hide(&mut self) {
        if *self == ProgressLine::Shown {
            let _ = io::stderr().write_all(ERASE_LINE.as_bytes());
            *self = ProgressLine::Hidden;
        }
    }
}

impl Write for ProgressReport {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut line = lock(&self.0);
        line.hide();
        io::stderr().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        io::stderr().flush()
    }
}

/// Returns the total size in bytes, or `None` if it is not known.
fn size_of(sources: &[Source]) -> Option<u64> {
    let size = |source: &Source| match source {
        Source::Stdin => None,
        Source::Text(text) => Some(text.len() as u64),
        Source::File(path) => {
            let metadata = std::fs::metadata(path).ok()?;
            metadata.is_file().then_some(metadata.len())
        }
    };
    sources.iter().map(size).sum()
}

/// Formats a report: `42 %, 1234567 lines, 850000 per second, 12 s left`. Leaves out the percentage
/// and the remaining time if they are not known.
fn text(bytes: u64, lines: u64, size: Option<u64>, time: Duration) -> String {
    let seconds = time.as_secs_f64();
    let rate = lines as f64 / seconds;
    let noun = if lines == 1 { "line" } else { "lines" };
    let mut text = format!("{lines} {noun}, {rate:.0} per second");
    if let Some(size) = size.filter(|&size| size > 0) {
        let part = (bytes as f64 / size as f64).min(1.0);
        text = format!("{:.0} %, {text}", 100.0 * part);
        if part > 0.0 {
            text += &format!(", {:.0} s left", seconds * (1.0 - part) / part);
        }
    }
    text
}

/// Formats a report with `--make`: `12 found, 3456 tried, 340 per second`.
fn text_of_puzzles(found: u64, tried: u64, time: Duration) -> String {
    let rate = tried as f64 / time.as_secs_f64();
    format!("{found} found, {tried} tried, {rate:.0} per second")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percentage_and_remaining_time_need_a_known_size() {
        let time = Duration::from_secs(2);
        assert_eq!(text(250, 3, None, time), "3 lines, 2 per second");
        assert_eq!(text(0, 1, None, time), "1 line, 0 per second");
        assert_eq!(text_of_puzzles(3, 500, time), "3 found, 500 tried, 250 per second");
        assert_eq!(text(250, 3, Some(1000), time), "25 %, 3 lines, 2 per second, 6 s left");
    }
}
