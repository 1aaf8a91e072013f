//! How far the run has come, told on standard error while it goes on.

use std::io::{self, IsTerminal, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::thread;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use sudoku_filter::{Meter, Source, hold_signals};

use crate::args::When;

/// A line that tells how far the run has come; it goes when this is dropped.
pub struct Progress {
    bar: ProgressBar,
    ended: Arc<AtomicBool>,
}

/// A run that is shorter needs no line.
const PATIENCE: Duration = Duration::from_secs(1);
/// How often it is told on a terminal; elsewhere once in `PATIENCE`.
const EVERY: Duration = Duration::from_millis(200);

impl Progress {
    /// Tells of a run over `sources` as `when` says.
    pub fn of(when: When, sources: &[Source], meter: &Arc<Meter>) -> Progress {
        let on_terminal = io::stderr().is_terminal();
        let told = match when {
            When::Always => true,
            When::Never => false,
            When::Auto => on_terminal && !io::stdout().is_terminal(),
        };
        let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::hidden());
        let ended = Arc::new(AtomicBool::new(!told));
        let progress = Progress { bar, ended };
        if told {
            progress.start(on_terminal, size_of(sources), Arc::clone(meter));
        }
        progress
    }

    fn start(&self, on_terminal: bool, size: Option<u64>, meter: Arc<Meter>) {
        let style = ProgressStyle::with_template("{msg}").expect("this is a template");
        self.bar.set_style(style);
        let (bar, ended) = (self.bar.clone(), Arc::clone(&self.ended));
        let begin = Instant::now();
        let tell = move || {
            thread::sleep(PATIENCE);
            if on_terminal {
                bar.set_draw_target(ProgressDrawTarget::stderr());
            }
            while !ended.load(Relaxed) {
                let text = text(&meter, size, begin.elapsed());
                if on_terminal {
                    bar.set_message(text);
                    bar.tick();
                    thread::sleep(EVERY);
                } else {
                    // There is nowhere left to say that this failed.
                    let _ = writeln!(io::stderr(), "sudoku-filter: {text}");
                    thread::sleep(PATIENCE);
                }
            }
        };
        // Signals are for the threads that know what must be written whole.
        let _held = hold_signals();
        // Without a thread the run goes on untold.
        let _ = thread::Builder::new().name("progress".into()).spawn(tell);
    }

    /// Standard error, for messages: the line makes way for them.
    pub fn messages(&self) -> Messages {
        Messages(self.bar.clone())
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.ended.store(true, Relaxed);
        self.bar.finish_and_clear();
    }
}

/// Writes to standard error above the line.
pub struct Messages(ProgressBar);

impl Write for Messages {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.suspend(|| io::stderr().write(bytes))
    }

    fn flush(&mut self) -> io::Result<()> {
        io::stderr().flush()
    }
}

/// Bytes of all sources together, where all are regular files.
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

/// `42 %, 1234567 lines, 850000 a second, 12 s left`
fn text(meter: &Meter, size: Option<u64>, time: Duration) -> String {
    let (bytes, lines) = (
        meter.bytes_read.load(Relaxed),
        meter.lines_answered.load(Relaxed),
    );
    let seconds = time.as_secs_f64();
    let rate = lines as f64 / seconds;
    let noun = if lines == 1 { "line" } else { "lines" };
    let mut text = format!("{lines} {noun}, {rate:.0} a second");
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
    fn a_percentage_and_an_estimate_are_told_where_the_size_is_known() {
        let meter = Meter::default();
        meter.bytes_read.store(250, Relaxed);
        meter.lines_answered.store(3, Relaxed);
        let time = Duration::from_secs(2);
        assert_eq!(text(&meter, None, time), "3 lines, 2 a second");
        let one = Meter::default();
        one.lines_answered.store(1, Relaxed);
        assert_eq!(text(&one, None, time), "1 line, 0 a second");
        assert_eq!(
            text(&meter, Some(1000), time),
            "25 %, 3 lines, 2 a second, 6 s left"
        );
    }
}
