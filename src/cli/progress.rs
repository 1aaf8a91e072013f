//! Reports the progress of a run on standard error: percentage, lines, speed, remaining time.

use std::io::{IsTerminal, Write};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::Relaxed;
use std::time::{Duration, Instant};
use std::{io, thread};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use sudoku_filter::{Meter, Source, hold_signals};

use super::args::When;
use super::failure::print_message;

/// A progress report, on one line of a terminal or as a message per second. Ends when dropped.
pub struct ProgressReport {
    bar: ProgressBar,
    /// True once the reporting thread must stop.
    ended: Arc<AtomicBool>,
}

/// The time until the first report, and between reports if standard error is not a terminal.
const MESSAGE_INTERVAL: Duration = Duration::from_secs(1);
/// The time between updates on a terminal.
const TERMINAL_INTERVAL: Duration = Duration::from_millis(200);

impl ProgressReport {
    /// Starts reports about a run over `sources`, if `when` says so. `meter` is updated by the run.
    pub fn start(when: When, sources: &[Source], meter: &Arc<Meter>) -> ProgressReport {
        let on_terminal = io::stderr().is_terminal();
        let is_wanted = match when {
            When::Always => true,
            When::Never => false,
            When::Auto => on_terminal && !io::stdout().is_terminal(),
        };
        let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::hidden());
        let ended = Arc::new(AtomicBool::new(!is_wanted));
        let progress = ProgressReport { bar, ended };
        if is_wanted {
            progress.spawn(on_terminal, size_of(sources), Arc::clone(meter));
        }
        progress
    }

    /// Starts the reporting thread.
    fn spawn(&self, on_terminal: bool, size: Option<u64>, meter: Arc<Meter>) {
        let style = ProgressStyle::with_template("{msg}").expect("the template is valid");
        self.bar.set_style(style);
        let (bar, ended) = (self.bar.clone(), Arc::clone(&self.ended));
        let begin = Instant::now();
        let report = move || {
            thread::sleep(MESSAGE_INTERVAL);
            if on_terminal {
                bar.set_draw_target(ProgressDrawTarget::stderr());
            }
            while !ended.load(Relaxed) {
                let text = text(&meter, size, begin.elapsed());
                if on_terminal {
                    bar.set_message(text);
                    bar.tick();
                    thread::sleep(TERMINAL_INTERVAL);
                } else {
                    print_message(&text);
                    thread::sleep(MESSAGE_INTERVAL);
                }
            }
        };
        // The new thread must not handle signals: only the writer knows when whole lines are written.
        let _held = hold_signals();
        // If no thread can be started, the run continues without reports.
        let _ = thread::Builder::new().name("progress".into()).spawn(report);
    }

    /// Returns standard error, for messages. The progress line is hidden while a message is printed.
    pub fn messages(&self) -> Messages {
        Messages(self.bar.clone())
    }
}

impl Drop for ProgressReport {
    fn drop(&mut self) {
        self.ended.store(true, Relaxed);
        self.bar.finish_and_clear();
    }
}

/// Standard error, above the progress line.
pub struct Messages(ProgressBar);

impl Write for Messages {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.suspend(|| io::stderr().write(bytes))
    }

    fn flush(&mut self) -> io::Result<()> {
        io::stderr().flush()
    }
}

/// Returns the total size in bytes, if all sources are regular files.
fn size_of(sources: &[Source]) -> Option<u64> {
    let size = |source: &Source| match source {
        Source::Stdin => None,
        Source::File(path) => {
            let metadata = std::fs::metadata(path).ok()?;
            metadata.is_file().then_some(metadata.len())
        }
    };
    sources.iter().map(size).sum()
}

/// Formats a report: `42 %, 1234567 lines, 850000 per second, 12 s left`, or only the middle part if the size is unknown.
fn text(meter: &Meter, size: Option<u64>, time: Duration) -> String {
    let (bytes, lines) = (
        meter.bytes_read.load(Relaxed),
        meter.lines_answered.load(Relaxed),
    );
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percentage_and_remaining_time_need_a_known_size() {
        let meter = Meter::default();
        meter.bytes_read.store(250, Relaxed);
        meter.lines_answered.store(3, Relaxed);
        let time = Duration::from_secs(2);
        assert_eq!(text(&meter, None, time), "3 lines, 2 per second");
        let one = Meter::default();
        one.lines_answered.store(1, Relaxed);
        assert_eq!(text(&one, None, time), "1 line, 0 per second");
        assert_eq!(
            text(&meter, Some(1000), time),
            "25 %, 3 lines, 2 per second, 6 s left"
        );
    }
}
