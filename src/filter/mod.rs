//! Lines to answers and back into order: rayon's threads read (`walk`) and answer tasks of whole lines in turn, and the
//! calling thread writes (`writer`) what they give (`order`); where no source keeps it waiting it is one of those that
//! answer. What an answer is, it leaves to `Answer`.

mod order;
mod pace;
mod walk;
mod writer;

use std::io::Write;
use std::os::fd::AsFd;
use std::sync::atomic::AtomicU64;
use std::sync::{Arc, Mutex};
use std::thread;

use rayon::{ThreadPool, ThreadPoolBuilder};

pub use crate::error::Message;
use crate::error::{Error, guarded};
use crate::input::Source;
use crate::sys;
pub use crate::verdict::Tally;
use order::{Giver, Order, Place};
use pace::Pace;
use walk::{Step, Walk, Work};
use writer::Writer;

/// What is done with lines.
pub trait Answer: Send + Sync + 'static {
    /// Answers every line of the task, in order. Calls `emit` with finished rows at the end and, if it takes long,
    /// whenever a prefix is ready. When nobody wants more rows, `emit` does not return: it unwinds.
    ///
    /// It must not use rayon itself: a worker that waits may begin another task, and that one may wait for this.
    fn answer(&self, task: &Task<'_>, emit: &mut dyn FnMut(Rows));

    /// Called with the first line of each source, in order, before any task of that source begins: what the rest is read
    /// by (a CSV header) may stand there. The line comes without its newline, and not at all from an empty source. An
    /// error refuses the source, and is what is said of it.
    fn open(&self, source: usize, first_line: &[u8]) -> Result<(), String> {
        let _ = (source, first_line);
        Ok(())
    }

    /// Where puzzles are drawn over several lines, how many grids make a line. Each is then one line of a task: the number
    /// of the line it began on, and its rows, with a blank before each.
    fn grids_a_line(&self) -> Option<usize> {
        None
    }
}

/// Whole lines to answer.
pub struct Task<'a> {
    /// Each ends in a newline, except perhaps the last of its source.
    pub lines: &'a [u8],
    /// `lines` is the beginning of one line that is too long to be read.
    pub overlong: bool,
    /// Index of the source.
    pub source: usize,
    /// The number of the first line in its source, from 1.
    pub first_line: u64,
    /// The number of the first line in the whole input, from 1.
    pub first_line_overall: u64,
}

/// Answers to some lines: whole rows, and what else is to be said.
#[derive(Debug, Default)]
pub struct Rows {
    /// Each row ends in a newline.
    pub bytes: Vec<u8>,
    /// What is wrong with some of the lines.
    pub messages: Vec<Message>,
    /// What was said of them all.
    pub tally: Tally,
}

impl Rows {
    /// Adds the rows of the lines behind these.
    pub fn append(&mut self, next: Rows) {
        self.bytes.extend_from_slice(&next.bytes);
        self.messages.extend(next.messages);
        self.tally += next.tally;
    }
}

/// How the run goes.
#[derive(Clone, Debug)]
pub struct Flow {
    /// Threads that answer; fewer if so many cannot be started.
    pub threads: usize,
    /// Messages about lines, at most.
    pub errors: usize,
    /// No messages about lines.
    pub quiet: bool,
    /// Where to note how far the run has come.
    pub meter: Arc<Meter>,
}

/// How far a run has come, for others to look at.
#[derive(Debug, Default)]
pub struct Meter {
    /// Bytes read, of all sources.
    pub bytes_read: AtomicU64,
    /// Lines of which something was said, and written.
    pub lines_answered: AtomicU64,
}

/// How the run went.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Outcome {
    /// What was said of all lines.
    pub tally: Tally,
    /// Some source could not be read, or not to its end.
    pub failed: bool,
}

/// Answers the lines of `sources`, one after the other, on `output`, and tells on `messages` what is wrong.
///
/// # Errors
/// The output cannot be written, or its reader has gone; or an answer panicked.
///
/// After an error it returns at once, while a worker may still be at a hard task and the reader in a read: both end with
/// the process, or when they next hand something on.
pub fn filter(
    sources: &[Source],
    answer: &Arc<impl Answer>,
    output: &mut (impl Write + AsFd),
    messages: &mut impl Write,
    flow: &Flow,
) -> Result<Outcome, Error> {
    let pace = Arc::new(Pace::new(flow.threads));
    let output_file = regular_file(output);
    let walk = Walk::new(sources, answer, &pace, &flow.meter, output_file);
    let (order, rows) = Order::new(LEAST_QUEUE.max(2 * flow.threads.min(MOST_WORKERS)));
    let crew = Arc::new(Crew {
        walk: Mutex::new(walk),
        order,
        answer: Arc::clone(answer),
        pace,
    });
    let writer = Writer::new(sources, output, messages, flow);
    // As a thread more that only writes takes 5 to 8 % more CPU time of easy input. But while it reads it cannot write.
    let writer_answers = sources.iter().all(Source::is_regular_file);
    let pool = start_pool(flow.threads.saturating_sub(usize::from(writer_answers)));
    if let Some(pool) = &pool {
        let crew = Arc::clone(&crew);
        pool.spawn_broadcast(move |_| crew.work());
    }
    if writer_answers || pool.is_none() {
        writer.answer_and_write(&*crew, &rows)
    } else {
        writer.write_in_order(&rows)
    }
}

/// Device and inode of what `output` is, if it is a regular file.
fn regular_file(output: &impl AsFd) -> Option<(u64, u64)> {
    sys::regular_file(output.as_fd())
}

/// Tasks that may wait for the writer, or for one before them.
const LEAST_QUEUE: usize = 32;

/// What the workers share.
struct Crew<A> {
    walk: Mutex<Walk<A>>,
    order: Arc<Order>,
    answer: Arc<A>,
    pace: Arc<Pace>,
}

impl<A: Answer> Crew<A> {
    /// What each worker does. A panic would abort the process, so none gets out.
    fn work(&self) {
        let all_done = guarded(|| {
            while let Some(place) = self.order.keep_place()
                && let Some((work, giver)) = self.next(place)
            {
                let result = self.answer(&work, &mut |rows| giver.give(rows));
                giver.end(result);
            }
        });
        if let Err(error) = all_done {
            self.order.break_off(error);
        }
    }

    /// The next task, read and cut by the worker that answers it: its lines are in the nearest caches.
    fn next(&self, place: Place) -> Option<(Work, Giver)> {
        // Where another has panicked there, it tells so itself.
        let mut walk = self.walk.lock().ok()?;
        loop {
            match walk.next() {
                Some(Step::Work(work)) => {
                    let giver = place.add(work.at.source);
                    return Some((work, giver));
                }
                Some(Step::Fault { source, fault }) => self.order.add_fault(source, fault),
                None => {
                    self.order.close();
                    return None;
                }
            }
        }
    }

    /// Answers the lines of a task; `emit` returns false when nobody wants more rows.
    fn answer(&self, work: &Work, emit: &mut dyn FnMut(Rows) -> bool) -> Result<(), Error> {
        work.run(&*self.answer, &self.pace, emit)
    }
}

/// More workers than lines in flight have use for; starting a hundred thousand would take minutes.
const MOST_WORKERS: usize = 256;

/// A pool of `threads` workers, or of as many as can be started, that leave signals to the calling thread.
fn start_pool(threads: usize) -> Option<ThreadPool> {
    let _held = sys::hold_signals();
    let mut threads = threads.min(MOST_WORKERS);
    while threads > 0 && !has_room_for(threads) {
        threads -= threads.div_ceil(4);
    }
    while threads > 0 {
        let mut started = Vec::new();
        let pool = ThreadPoolBuilder::new()
            .num_threads(threads)
            .spawn_handler(|worker| {
                let name = format!("worker {}", worker.index());
                started.push(thread::Builder::new().name(name).spawn(|| worker.run())?);
                Ok(())
            });
        if let Ok(pool) = pool.build() {
            return Some(pool);
        }
        // As many again could be started once these have ended, but their work needs memory too.
        threads = started.len() - started.len() / 4;
        started.into_iter().for_each(|worker| _ = worker.join());
    }
    None
}

/// Whether memory can be had for so many workers. Where hardly any is left a thread that starts ends the process: it has
/// nowhere to put what it begins with, and std does not ask its parent.
fn has_room_for(threads: usize) -> bool {
    sys::has_room_for(threads * ROOM_FOR_A_WORKER)
}

/// Its stack, and about as much for what it works with.
const ROOM_FOR_A_WORKER: usize = 4 << 20;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::verdict::Status;
    use std::fs::{self, File};
    use std::io::{self, ErrorKind, PipeReader, PipeWriter, Read, pipe};
    use std::os::fd::{AsRawFd, BorrowedFd, OwnedFd};
    use std::path::PathBuf;
    use std::sync::mpsc::{self, Receiver};
    use std::time::{Duration, Instant};

    /// A row says where its line was: `SOURCE:LINE:OVERALL LINE`. Lines that begin with `bad` have a message, and `gate`
    /// waits until the test opens the gate.
    #[derive(Default)]
    struct Echo {
        gate: Option<Mutex<Receiver<()>>>,
    }

    impl Answer for Echo {
        fn answer(&self, task: &Task<'_>, emit: &mut dyn FnMut(Rows)) {
            let lines = task.lines.split_inclusive(|&byte| byte == b'\n');
            for ((line, number), overall) in
                lines.zip(task.first_line..).zip(task.first_line_overall..)
            {
                let text =
                    String::from_utf8_lossy(line.strip_suffix(b"\n").unwrap_or(line)).into_owned();
                let mut rows = Rows {
                    bytes: format!("{}:{number}:{overall} {text}\n", task.source).into(),
                    ..Rows::default()
                };
                rows.tally.add(Status::Unique);
                match &*text {
                    "gate" => self.gate.as_ref().unwrap().lock().unwrap().recv().unwrap(),
                    "panic" => panic!("on purpose"),
                    "huge" => (0..30).for_each(|_| {
                        emit(Rows {
                            bytes: vec![b'\n'; 100_000],
                            ..Rows::default()
                        })
                    }),
                    "busy" => thread::sleep(Duration::from_millis(number % 3)),
                    "slow" => thread::sleep(Duration::from_millis(20)),
                    "patient" => loop {
                        thread::sleep(Duration::from_millis(1));
                        emit(Rows::default());
                    },
                    "for ever" => loop {
                        emit(Rows {
                            bytes: vec![b'\n'; 100_000],
                            ..Rows::default()
                        });
                    },
                    _ if text.starts_with("bad") => rows.messages.push(Message {
                        line: number,
                        reason: "bad".into(),
                    }),
                    _ => {}
                }
                emit(rows);
            }
        }

        fn open(&self, _: usize, first_line: &[u8]) -> Result<(), String> {
            if first_line == b"refuse" {
                Err("refused".into())
            } else {
                Ok(())
            }
        }
    }

    /// A file that goes with the test.
    struct Scratch(PathBuf);

    impl Scratch {
        fn new(name: &str, bytes: &[u8]) -> Self {
            let path =
                std::env::temp_dir().join(format!("sudoku-filter-{}-{name}", std::process::id()));
            fs::write(&path, bytes).unwrap();
            Scratch(path)
        }

        fn source(&self) -> Source {
            Source::File(self.0.clone())
        }
    }

    impl Drop for Scratch {
        fn drop(&mut self) {
            let _ = fs::remove_file(&self.0);
        }
    }

    fn source_of(fd: &impl AsRawFd) -> Source {
        Source::File(format!("/dev/fd/{}", fd.as_raw_fd()).into())
    }

    fn flow(threads: usize) -> Flow {
        Flow {
            threads,
            errors: 10,
            quiet: false,
            meter: Arc::default(),
        }
    }

    /// Rows, messages and outcome of a run.
    fn run(sources: &[Source], threads: usize) -> (String, String, Result<Outcome, Error>) {
        let (mut reader, mut writer) = pipe().unwrap();
        let rows = thread::spawn(move || {
            let mut rows = String::new();
            reader.read_to_string(&mut rows).unwrap();
            rows
        });
        let mut messages = Vec::new();
        let result = filter(
            sources,
            &Arc::new(Echo::default()),
            &mut writer,
            &mut messages,
            &flow(threads),
        );
        drop(writer);
        (
            rows.join().unwrap(),
            String::from_utf8(messages).unwrap(),
            result,
        )
    }

    #[test]
    fn who_answers_and_writes_makes_room_for_what_it_answers() {
        let (slow, huge) = (Scratch::new("slow", b"slow"), Scratch::new("much", b"huge"));
        // Every other time or so, who writes has the huge one, and another thread the slow one before it.
        let sources: Vec<_> = (0..10)
            .flat_map(|_| [slow.source(), huge.source()])
            .collect();
        let (rows, _, result) = run(&sources, 2);
        let rows: Vec<&str> = rows.lines().filter(|row| !row.is_empty()).collect();
        let expected: Vec<String> = (0..20)
            .map(|source| {
                let text = ["slow", "huge"][source % 2];
                format!("{source}:1:{} {text}", source + 1)
            })
            .collect();
        assert_eq!(rows, expected);
        assert_eq!(result.unwrap().tally.total(), 20);
    }

    #[test]
    fn answers_keep_the_order_of_the_input_and_its_numbers() {
        let mut texts = [String::new(), String::new(), "last".into()];
        for number in 0..60_000 {
            let text = if number % 1000 == 0 {
                "busy\n"
            } else {
                "quick\n"
            };
            texts[number % 2] += text;
        }
        texts[0] += "without newline";
        let files: Vec<_> = (0..3)
            .map(|i| Scratch::new(&format!("order-{i}"), texts[i].as_bytes()))
            .collect();
        let sources: Vec<_> = files.iter().map(Scratch::source).collect();
        let mut expected = String::new();
        let mut overall = 0;
        for (source, text) in texts.iter().enumerate() {
            for (line, number) in text.lines().zip(1..) {
                overall += 1;
                expected += &format!("{source}:{number}:{overall} {line}\n");
            }
        }
        for threads in [0, 1, 2, 7] {
            let (rows, messages, result) = run(&sources, threads);
            assert!(rows == expected, "{threads} threads");
            assert_eq!(
                (messages, result.unwrap().tally.of(Status::Unique)),
                (String::new(), overall),
                "{threads} threads"
            );
        }
    }

    #[test]
    fn a_source_that_fails_leaves_the_others() {
        let file = Scratch::new("others", b"a\nbad");
        let packed = Scratch::new("packed", b"\x1f\x8b\x08\n\n");
        let refused = Scratch::new("refused", b"refuse\nb\n");
        let missing = Source::File("/nowhere/night.txt".into());
        let sources = [
            missing,
            file.source(),
            packed.source(),
            refused.source(),
            file.source(),
        ];
        for threads in [0, 2] {
            let (rows, messages, result) = run(&sources, threads);
            assert_eq!(rows, "1:1:1 a\n1:2:2 bad\n4:1:3 a\n4:2:4 bad\n");
            let expected = [
                "sudoku-filter: /nowhere/night.txt: No such file or directory (os error 2)".into(),
                format!("sudoku-filter: {}:2: bad", file.0.display()),
                format!(
                    "sudoku-filter: {0}: this is gzip data; unpack it first: gzip -dc {0} | sudoku-filter",
                    packed.0.display()
                ),
                format!("sudoku-filter: {}: refused", refused.0.display()),
                format!("sudoku-filter: {}:2: bad", file.0.display()),
            ];
            assert_eq!(messages.lines().collect::<Vec<_>>(), expected);
            assert!(result.unwrap().failed);
        }
    }

    #[test]
    fn rows_before_a_panic_are_written() {
        let file = Scratch::new("panic", b"a\nb\npanic\nc\n");
        for threads in [0, 1, 2] {
            let (rows, _, result) = run(&[file.source(), file.source()], threads);
            assert!("0:1:1 a\n0:2:2 b\n" == rows, "{threads} threads: {rows}");
            match result {
                Err(Error::Internal { place }) => {
                    assert!(place.starts_with("src/filter/mod.rs:"), "{place}")
                }
                other => panic!("{other:?}"),
            }
        }
    }

    #[test]
    fn an_answer_is_written_before_the_next_one_is_ready() {
        let (open_gate, gate) = mpsc::channel();
        let echo = Arc::new(Echo {
            gate: Some(Mutex::new(gate)),
        });
        let file = Scratch::new("gate", b"first\ngate\n");
        let (mut reader, mut writer) = pipe().unwrap();
        let sources = [file.source()];
        let run =
            thread::spawn(move || filter(&sources, &echo, &mut writer, &mut io::sink(), &flow(2)));
        let mut row = [0; 12];
        reader.read_exact(&mut row).unwrap();
        assert_eq!(&row, b"0:1:1 first\n");
        open_gate.send(()).unwrap();
        run.join().unwrap().unwrap();
    }

    #[test]
    fn a_line_is_answered_when_it_arrives() {
        let (input, mut feed) = pipe().unwrap();
        let (mut reader, mut writer) = pipe().unwrap();
        let sources = [source_of(&input)];
        let run = thread::spawn(move || {
            filter(
                &sources,
                &Arc::new(Echo::default()),
                &mut writer,
                &mut io::sink(),
                &flow(2),
            )
        });
        for number in 1..=3 {
            feed.write_all(b"x\n").unwrap();
            let mut row = [0; 8];
            reader.read_exact(&mut row).unwrap();
            assert_eq!(&row, format!("0:{number}:{number} x\n").as_bytes());
        }
        drop(feed);
        assert_eq!(run.join().unwrap().unwrap().tally.of(Status::Unique), 3);
    }

    /// Runs `filter` on `source`, closes the other end of its output after a while, and gives the time it then took.
    fn lose_reader(source: Source, echo: &Arc<Echo>, threads: usize) -> Duration {
        let (reader, mut writer): (PipeReader, PipeWriter) = pipe().unwrap();
        let echo = Arc::clone(echo);
        let run = thread::spawn(move || {
            filter(
                &[source],
                &echo,
                &mut writer,
                &mut io::sink(),
                &flow(threads),
            )
        });
        thread::sleep(Duration::from_millis(50));
        drop(reader);
        let begin = Instant::now();
        assert!(matches!(run.join().unwrap(), Err(Error::ReaderGone)));
        begin.elapsed()
    }

    #[test]
    fn a_reader_that_goes_is_noticed_while_a_task_or_the_input_takes_long() {
        let (_open_gate, gate) = mpsc::channel();
        let echo = Arc::new(Echo {
            gate: Some(Mutex::new(gate)),
        });
        let patient = Scratch::new("patient", b"patient\n");
        let (idle, _feed) = pipe().unwrap();
        let (hard, mut feed) = pipe().unwrap();
        feed.write_all(b"gate\n").unwrap();
        for (source, threads) in [
            (source_of(&idle), 1),
            (source_of(&idle), 2),
            (source_of(&hard), 1),
            // Who answers and writes looks for it whenever it hands rows on, be it none.
            (patient.source(), 1),
            (patient.source(), 2),
        ] {
            let took = lose_reader(source, &echo, threads);
            assert!(took < Duration::from_millis(200), "{took:?}");
        }
    }

    #[test]
    fn a_task_without_end_ends_when_nobody_wants_its_rows() {
        let file = Scratch::new("for-ever", b"for ever\n");
        let echo = Arc::new(Echo::default());
        lose_reader(file.source(), &echo, 2);
        let begin = Instant::now();
        while Arc::strong_count(&echo) > 1 {
            assert!(
                begin.elapsed() < Duration::from_secs(9),
                "the worker goes on"
            );
            thread::sleep(Duration::from_millis(1));
        }
    }

    #[test]
    fn tasks_that_make_much_of_their_lines_wait_for_room() {
        let file = Scratch::new("huge", &b"huge\n".repeat(40));
        let (rows, _, result) = run(&[file.source()], 4);
        assert_eq!(
            rows.bytes().filter(|&byte| byte == b'\n').count(),
            40 * (30 * 100_000 + 1)
        );
        assert_eq!(result.unwrap().tally.of(Status::Unique), 40);
    }

    #[test]
    fn an_output_that_cannot_be_written_to_is_an_error() {
        let file = Scratch::new("unwritable", b"a\n");
        let empty = Scratch::new("empty", b"");
        for threads in [0, 2] {
            let into_nothing = |source| {
                let mut output = File::open("/dev/null").unwrap();
                filter(
                    &[source],
                    &Arc::new(Echo::default()),
                    &mut output,
                    &mut io::sink(),
                    &flow(threads),
                )
            };
            assert_eq!(
                into_nothing(file.source()).unwrap_err().to_string(),
                "write error: Bad file descriptor"
            );
            assert_eq!(
                into_nothing(empty.source()).unwrap(),
                Outcome::default(),
                "nothing to write, nothing wrong"
            );
        }
    }

    #[test]
    fn the_output_is_not_read_again() {
        let file = Scratch::new("loop", b"a\n");
        let mut output = fs::OpenOptions::new().append(true).open(&file.0).unwrap();
        let outcome = filter(
            &[file.source()],
            &Arc::new(Echo::default()),
            &mut output,
            &mut io::sink(),
            &flow(2),
        )
        .unwrap();
        assert!(outcome.failed);
        assert_eq!(fs::read(&file.0).unwrap(), b"a\n");
    }

    /// Whether this thread holds SIGHUP, SIGINT and SIGTERM back; nothing where there is no /proc.
    fn holds_signals() -> Option<bool> {
        let status = fs::read_to_string("/proc/thread-self/status").ok()?;
        let blocked = status
            .lines()
            .find_map(|line| line.strip_prefix("SigBlk:"))?;
        let blocked = u64::from_str_radix(blocked.trim(), 16).ok()?;
        Some(
            [1, 2, 15]
                .iter()
                .all(|signal| blocked >> (signal - 1) & 1 == 1),
        )
    }

    #[test]
    fn a_signal_cuts_no_write_to_a_file_and_is_not_held_by_a_pipe() {
        // Found by planting faults: kills at random moments hardly ever meet a write.
        struct Watched(OwnedFd, Vec<Option<bool>>);
        impl Write for Watched {
            fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
                self.1.push(holds_signals());
                Ok(bytes.len())
            }
            fn flush(&mut self) -> io::Result<()> {
                Ok(())
            }
        }
        impl AsFd for Watched {
            fn as_fd(&self) -> BorrowedFd<'_> {
                self.0.as_fd()
            }
        }
        if holds_signals().is_none() {
            return println!("skipped: no /proc here");
        }
        let file = Scratch::new("watched", b"a\nb\n");
        let to_file =
            OwnedFd::from(File::create(Scratch::new("watched-out", b"").0.clone()).unwrap());
        let (_reader, to_pipe) = pipe().unwrap();
        for (fd, held) in [(to_file, true), (to_pipe.into(), false)] {
            for threads in [0, 2] {
                let mut output = Watched(fd.try_clone().unwrap(), Vec::new());
                let echo = Arc::new(Echo::default());
                filter(
                    &[file.source()],
                    &echo,
                    &mut output,
                    &mut io::sink(),
                    &flow(threads),
                )
                .unwrap();
                assert!(
                    !output.1.is_empty() && output.1.iter().all(|it| *it == Some(held)),
                    "{held} {:?}",
                    output.1
                );
            }
        }
    }

    #[test]
    fn a_non_blocking_output_is_waited_for() {
        struct Grudging(OwnedFd, u32);
        impl Write for Grudging {
            fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
                self.1 += 1;
                if self.1 % 2 == 1 {
                    Err(ErrorKind::WouldBlock.into())
                } else {
                    Ok(bytes.len().min(3))
                }
            }
            fn flush(&mut self) -> io::Result<()> {
                Ok(())
            }
        }
        impl AsFd for Grudging {
            fn as_fd(&self) -> BorrowedFd<'_> {
                self.0.as_fd()
            }
        }
        let file = Scratch::new("grudging", b"a\nb\n");
        let (_reader, writer) = pipe().unwrap();
        let mut output = Grudging(writer.into(), 0);
        filter(
            &[file.source()],
            &Arc::new(Echo::default()),
            &mut output,
            &mut io::sink(),
            &flow(1),
        )
        .unwrap();
        assert!(output.1 >= 12, "{} writes", output.1);
    }
}
