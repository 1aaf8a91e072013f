//! Turns the records of a source into output lines. `stream/` cuts records and writes output.
//!
//! ```text
//!   bytes -cutter-> records -read-> entries -solve-> findings -emit-> output lines
//!                              |                               |
//!             forms    the fields of a record                  write    in the form of the output
//!             decode   its board and its rules                 columns  from question and findings
//!             beside   what is not read                        emit     in input order
//!             batch    puzzles that are solved together
//! ```
//!
//! An [`Entry`](entry::Entry) is a comment, a header, a rejected record, a plain line (`plain.rs`)
//! or a [`Question`](question::Question): a puzzle with its rules, and with `--verify` its answer.
//! The modes that search again come between solve and emit: `minimize`, `candidates`, `enumerate`
//! (`--all`). `shuffle` takes the place of solve. After a panic, `isolate` gives the records of the
//! task to [`Pipeline::process_together`] one by one.

mod answer;
mod batch;
mod beside;
mod boards;
mod decode;
mod detect;
mod entry;
mod enumerate;
mod equivalent;
mod findings;
mod first_header;
mod forms;
mod isolate;
mod make;
mod mode;
mod options;
mod output_form;
mod plain;
mod puzzle_view;
mod question;
mod read;
mod rulesets;
mod settings;
mod solve;
mod source_settings;
mod used_columns;
mod write;

use std::io::Write;
use std::ops::ControlFlow;
use std::os::fd::AsFd;
use std::sync::Arc;

use crate::stream::records::BoxCutter;
use crate::stream::repetition::Repetition;
use crate::stream::source::Source;
use crate::stream::{
    self, Emit, FirstRecord, Flow, LineProcessor, Outcome, OutputEnd, OutputLines, Task,
};
use crate::text::forms::page::Solutions;
use engine::error::{BoxError, Error, InvalidInput};
pub use make::symmetric_groups::PatternSymmetry;
use make::vicinity::{self, Change};
use make::{new_puzzles, shuffle};
pub use mode::{Mode, ModeRow};
pub use options::{Input, Options, Output};
use output_form::OutputForm;
use settings::Settings;
use source_settings::SourceSettings;
use write::emit::{Emitter, OutputPosition};
use write::tally::ValueCounter;

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
    sources: SourceSettings,
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
        Ok(Pipeline { sources: SourceSettings::new(options)? })
    }

    /// If `failure` holds a reason, the task has one line: it is not read, but rejected with this
    /// reason. Keeps `emitted` up to date: after a panic, it shows how much of the output is
    /// emitted.
    fn process_together(
        &self,
        form: Input,
        task: &Task<'_>,
        failure: Option<String>,
        emitted: &mut OutputPosition,
        emit: Emit<'_>,
    ) -> ControlFlow<()> {
        let settings = self.sources.of_form(form);
        let (entries, batches) = read::read(settings, task, failure);
        let mut emitter = Emitter::new(settings, &entries, &batches, emitted, emit);
        match settings.options.mode {
            Mode::Solve | Mode::Verify { .. } | Mode::Reveal(_) | Mode::Minimize => {
                make::search(&mut emitter)?;
                emitter.emit()?;
                debug_assert!(emitter.next_entry().is_none());
                ControlFlow::Continue(())
            }
            Mode::All(max_solutions) => {
                make::search(&mut emitter)?;
                emitter.emit()?;
                enumerate::enumerate(max_solutions, &mut emitter)
            }
            Mode::Add(number) => {
                make::search(&mut emitter)?;
                vicinity::write_vicinities(Change::Add(number), &mut emitter)
            }
            Mode::Remove(number) => {
                vicinity::write_vicinities(Change::Remove(number), &mut emitter)
            }
            Mode::Shuffle(count) => shuffle::shuffle(count, &mut emitter),
            Mode::Make(_) => new_puzzles::make_puzzles(&mut emitter),
        }
    }
}

impl LineProcessor for Pipeline {
    type Form = Input;

    fn recognize(&self, beginning: &[u8], ends: bool) -> Option<Input> {
        self.sources.named().or_else(|| detect::detect(&self.sources, beginning, ends))
    }

    fn cutter(&self, form: Input) -> Option<BoxCutter> {
        form.form().cutter(self.sources.of_form(form))
    }

    fn open_source(
        &self,
        form: Input,
        source: usize,
        first: FirstRecord<'_>,
    ) -> Result<Option<String>, BoxError> {
        // A source that is refused does not decide on the form of the output.
        form.form().open(self.sources.of_form(form), source, first)?;
        self.sources.open(form)
    }

    fn header(&self) -> Vec<u8> {
        write::output_line::header(self.sources.first())
    }

    fn output_end(&self) -> Option<Box<dyn OutputEnd>> {
        let Settings { output, options, .. } = self.sources.first();
        match *output {
            OutputForm::Tally(form) => Some(Box::new(ValueCounter::new(Arc::clone(options), form))),
            OutputForm::Page { .. } => Some(Box::new(Solutions::new(&options.page))),
            _ => None,
        }
    }

    fn repetition(&self) -> Option<Repetition> {
        self.sources.options().repetition()
    }

    fn give_up(&self, form: Input, task: &Task<'_>, found: u64) -> OutputLines {
        let settings = self.sources.of_form(form);
        let (entries, batches) = read::read(settings, task, None);
        let (mut output, mut written) = (OutputLines::default(), OutputPosition::default());
        let mut emit = |lines| {
            output.append(lines);
            ControlFlow::Continue(())
        };
        let mut emitter = Emitter::new(settings, &entries, &batches, &mut written, &mut emit);
        let flow = new_puzzles::give_up(&mut emitter, found);
        debug_assert!(flow.is_continue());
        output
    }

    fn process(&self, form: Input, task: &Task<'_>, emit: Emit<'_>) -> ControlFlow<()> {
        isolate::process(task, emit, |task, failure, emitted, emit| {
            self.process_together(form, task, failure, emitted, emit)
        })
    }
}
