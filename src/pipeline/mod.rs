//! Turns the lines of a task into output lines. `stream/` reads the input and writes the output.
//!
//! ```text
//!     lines -read-> entries, batches -solve-> findings -write-> output lines
//!              (group)
//! ```
//!
//! When a source is opened, `lines_of` turns drawn puzzles (`--input grid`) and CSV records of
//! several lines into lines, one per puzzle, and `open_source` checks each CSV header and stores
//! the first of the run. Then a line passes through these functions, from bytes to bytes:
//!
//! 1. `Pipeline::process` receives a task of lines. [`isolate::process`] calls `process_together`
//!    with all of them. If this call panics, the lines whose output is not completely emitted are
//!    processed again, one per call. A line that panics again, or that has a part of its output
//!    already emitted, is rejected unread: one more call passes the reason of the failure.
//! 2. **Read.** [`read::read`] makes an [`Entry`](entry::Entry) of each line. If the options allow
//!    it, `read_fast_line` reads lines of the usual length and symbols: a 9x9 puzzle or, with
//!    `--verify`, a 9x9 puzzle and its correct answer. The entry then borrows its grid and owns no
//!    memory. The header of a CSV file becomes an entry unread, and an overlong line is rejected.
//!    Any other line goes through `read_line`:
//!    * A comment or a blank line becomes an entry that is copied. CSV and JSON have no comments;
//!      `lines_of` drops the comments and blank lines of drawn puzzles.
//!    * [`decode::split`] splits a record into fields, and [`decode::decode`] decodes the fields
//!      that have a notation of their own.
//!    * `read_fields` reads the puzzle. `check_answer_field` checks the answer with `--verify`, and
//!      only reads it with `--shuffle`.
//!    * An error makes the entry rejected, with a reason.
//!    * `TaskEntries::keep` stores the other fields, if output lines can show them. The later
//!      stages work on the entry and these fields; only CSV and JSON output splits the line again,
//!      to change or extend it.
//! 3. **Group.** While lines are read, [`Batches::choose`](batch::Batches::choose), or on the fast
//!    path `Batches::of_side`, finds the [`Batch`](batch::Batch) for the rules of each puzzle.
//!    [`rulesets`] chooses the rules. The digits of the puzzle are read straight into the batch, so
//!    that they are not copied. `Batch::complete` keeps them. `Batch::remove` takes them out again
//!    if an error is found later, or if only the answer had to be checked. `read_fast_answer` needs
//!    only the rules of the batch, and adds no digits to it.
//! 4. **Solve.** [`solve::solve`] solves each batch and records the results in its
//!    [`BatchFindings`](findings::BatchFindings). The [`Emitter`] of the task owns
//!    the findings of all batches. [`minimize::minimize`] searches more, for `--minimize` and the
//!    column `minimal`; [`candidates::find_candidates`] for the column `candidates`.
//! 5. **Write.** [`Emitter::emit`](emit::Emitter::emit) writes entries in input order as far as
//!    their findings are known: about every 10 ms while other puzzles are being solved, and at the
//!    end. For each entry it calls `Emitter::write_next`; with `--all`, for each puzzle,
//!    `Emitter::write_line` for each stored solution, and `Emitter::end_entry` once no more can
//!    follow. Unless `--select` or `--reject` leaves the line out, these functions write
//!    * a grid and its status, without going through the columns (`write_grid_and_status`), if
//!      these are the columns and the entry has a solution or a correct answer;
//!    * a comment, a blank line or a CSV header directly;
//!    * otherwise an [`EntryView`](columns::EntryView) of the entry and its findings, in the form
//!      of the output ([`write::write_line`]). `EntryView::value` returns the value of one column.
//! 6. With `--all`, [`enumerate::enumerate`] writes the remaining entries. It searches a puzzle
//!    again, alone, if its first search stopped at `MAX_STORED` solutions and more are wanted. With
//!    `--shuffle`, nothing is solved. After step 3, [`shuffle::shuffle`] calls the emitter to write
//!    random equivalents of each puzzle, and all other entries.
//! 7. `emit`, the callback of `process`, passes the output lines to `stream/`. It returns `Break`
//!    if the run has ended with an error; for example, because the reader of the output has gone.
//!    Then every function between this call and `process`, the solver included, returns `Break`
//!    too.
//!
//! [`settings`] holds the decisions that are made once for all lines, from the [`options`] and the
//! CSV header.

mod batch;
mod candidates;
mod columns;
mod decode;
mod emit;
mod entry;
mod enumerate;
mod equivalent;
mod findings;
mod isolate;
mod minimize;
mod options;
mod person;
mod plain;
mod puzzle_view;
mod read;
mod rulesets;
mod settings;
mod shown;
mod shuffle;
mod solve;
mod symmetric_groups;
mod trials;
mod write;

use std::io::Write;
use std::ops::ControlFlow;
use std::os::fd::AsFd;

use crate::error::{BoxError, Error, InvalidInput};
use crate::stream::records::BoxCutter;
use crate::stream::source::Source;
use crate::stream::{self, Emit, FirstRecord, Flow, LineProcessor, Outcome, Task};
use crate::text::foreign::refuse_save_file;
use crate::text::forms::csv_records::CsvCutter;
use crate::text::forms::json_records::JsonCutter;
use crate::text::grid_input::{EntryAssembler, EntryForm};
use emit::{Emitter, OutputPosition};
pub use options::{Input, Mode, Options, Output};
use settings::Settings;
pub use symmetric_groups::PatternSymmetry;

/// Turns lines into output lines, with the same options for all lines.
///
/// ```
/// use sudoku_filter::{Pipeline, PipelineOptions};
///
/// let mut options = PipelineOptions::default();
/// options.variants = "jigsaw".parse()?;
/// options.regions = Some(b"AABB".to_vec());
/// assert!(Pipeline::new(options).is_ok());
/// # Ok::<(), sudoku_filter::InvalidInput>(())
/// ```
#[derive(Debug)]
pub struct Pipeline {
    settings: Settings,
}

/// Processes the lines of `sources`, one source after the other. Writes output lines to `output`
/// and messages to `messages`.
///
/// # Errors
/// Returns an error if the output cannot be written, its reader has gone, or a panic could not be
/// limited to one line.
///
/// A reader that has gone is noticed when output lines are next written. After an error, this waits
/// until all workers notice it: when they next emit output lines, or within 100 ms if they wait for
/// input.
///
/// ```
/// use std::io::{pipe, read_to_string};
/// use sudoku_filter::{Flow, Pipeline, PipelineOptions, Source, Status, filter};
///
/// let pipeline = Pipeline::new(PipelineOptions::default())?;
/// let (reader, mut writer) = pipe()?;
/// let sources = [Source::File("data/classic.txt".into())];
/// let outcome = filter(&sources, &pipeline, &mut writer, &mut std::io::stderr(), &Flow::new(2))?;
/// drop(writer);
/// let output = read_to_string(reader)?;
/// assert_eq!(output.matches("\tunique\n").count() as u64, outcome.tally.count(Status::Unique));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn filter(
    sources: &[Source],
    pipeline: &Pipeline,
    output: &mut (impl Write + AsFd + Send),
    messages: &mut (impl Write + Send),
    flow: &Flow,
) -> Result<Outcome, Error> {
    stream::process_lines(sources, pipeline, output, messages, flow)
}

impl Pipeline {
    /// Returns a pipeline with these options.
    ///
    /// # Errors
    /// Returns an error if [`Options::regions`] or [`Options::extras`] is invalid. Also returns one
    /// if the input is [`Input::Drawn`] and the symbol of a digit is also a character of drawings,
    /// or if two columns of CSV or JSON output have the same name.
    pub fn new(options: Options) -> Result<Pipeline, InvalidInput> {
        Ok(Pipeline { settings: Settings::new(options)? })
    }

    /// Processes the lines of a task. Solves the puzzles of each batch together; with `--shuffle`,
    /// solves none. If `failure` holds a reason, the task has one line: it is not read, but
    /// rejected with this reason. Keeps `emitted` up to date, so that it shows after a panic how
    /// much of the output is emitted.
    fn process_together(
        &self,
        task: &Task<'_>,
        failure: Option<String>,
        emitted: &mut OutputPosition,
        emit: Emit<'_>,
    ) -> ControlFlow<()> {
        let (entries, batches) = read::read(&self.settings, task, failure);
        let mut emitter = Emitter::new(&self.settings, &entries, &batches, emitted, emit);
        if let Mode::Shuffle(count) = self.settings.options.mode {
            return shuffle::shuffle(count, &mut emitter);
        }
        solve::solve(&mut emitter)?;
        minimize::minimize(&mut emitter)?;
        candidates::find_candidates(&mut emitter)?;
        emitter.emit()?;
        enumerate::enumerate(&mut emitter)?;
        debug_assert!(emitter.next_entry().is_none());
        ControlFlow::Continue(())
    }
}

impl LineProcessor for Pipeline {
    fn header(&self) -> Vec<u8> {
        write::header(&self.settings)
    }

    fn process(&self, task: &Task<'_>, emit: Emit<'_>) -> ControlFlow<()> {
        isolate::process(task, emit, |task, failure, emitted, emit| {
            self.process_together(task, failure, emitted, emit)
        })
    }

    fn open_source(&self, source: usize, first: FirstRecord<'_>) -> Result<(), BoxError> {
        match self.settings.options.input {
            Input::Drawn => Ok(()),
            Input::Csv => {
                refuse_save_file(first.text)?;
                self.settings.add_header(source, first)
            }
            _ => refuse_save_file(first.text),
        }
    }

    fn cutter(&self) -> Option<BoxCutter> {
        let options = &self.settings.options;
        match options.input {
            Input::Csv => Some(Box::new(CsvCutter)),
            Input::Json => Some(Box::new(JsonCutter::new(options.header.clone()))),
            Input::Drawn => Some(Box::new(EntryAssembler::new(EntryForm {
                fields: options.expected_fields(),
                alphabet: options.alphabet.clone(),
            }))),
            _ => None,
        }
    }
}
