//! Reads the lines of a task into entries, checks answers, and groups puzzles into batches. `solve.rs` solves the batches.

use std::borrow::Cow;
use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::sync::Arc;

use super::batch::{Batch, BatchRules, Ruleset};
use super::columns::Grader;
use super::{Input, Mode, Notation, Pipeline, PlainLines};
use crate::rules::{MAX_SIDE, Place, Rules, a_puzzle, pluralize};
use crate::solver::Random;
use crate::stream::Task;
use crate::text::grid_input::EntryGrids;
use crate::text::record::{Line, RecordFields, ends_field, without_end, without_mark};
use crate::text::symbols::{Alphabet, Case};
use crate::text::{grid_input, hints, sumocue};
use crate::verdict::Status;
use crate::verify::{is_right, verify};

/// The lines of one task, parsed.
pub(super) struct ParsedTask<'a> {
    pub pipeline: &'a Pipeline,
    pub task: &'a Task<'a>,
    pub entries: Vec<Entry<'a>>,
    /// Messages about entries that are invalid, incorrect or failed.
    reasons: Vec<String>,
    pub batches: Vec<Batch>,
    /// The index of the batch for puzzles of each side. If each line has a layout, the puzzles of a batch differ in their rules.
    batch_of_side: [Option<usize>; MAX_SIDE + 1],
    /// The index of the batch for pencilmark puzzles.
    batch_of_pencilmarks: Option<usize>,
    /// The rules of each layout in the task, or an error message if the layout is invalid.
    layouts: HashMap<Cow<'a, [u8]>, Result<Arc<Ruleset>, String>>,
    /// Grades puzzles while output lines are written.
    pub grader: RefCell<Grader>,
    /// The index of the first entry with an unread field that looks like a layout. `None` once the hint about it is written.
    pub hint: Cell<Option<usize>>,
}

/// One line of the task.
pub(super) struct Entry<'a> {
    /// The record, without its line end and byte order mark. If the line is invalid, it includes the mark.
    pub line: &'a [u8],
    /// The puzzle as it was read; with `--verify` the answer; for other lines the line itself.
    pub shown: Cow<'a, [u8]>,
    pub case: Case,
    pub state: EntryState,
}

#[derive(Clone, Copy)]
pub(super) enum EntryState {
    /// A comment or a blank line, which is copied to the output.
    Copied,
    /// The header of CSV.
    Header,
    /// The status is known without solving: the line is invalid, or its answer has been checked.
    Decided {
        status: Status,
        /// An index into the reasons of the task.
        reason: Option<u32>,
    },
    /// The line caused an internal error.
    Failed {
        /// An index into the reasons of the task.
        reason: u32,
    },
    /// A puzzle to solve: the index of its batch, and its index in the batch.
    Open { batch: u32, index: u32 },
}

/// The number of symbols of a pencilmark puzzle: nine for each of 81 cells.
const PENCILMARKS: usize = 729;

impl<'a> ParsedTask<'a> {
    fn new(pipeline: &'a Pipeline, task: &'a Task<'a>) -> ParsedTask<'a> {
        ParsedTask {
            pipeline,
            task,
            entries: Vec::with_capacity(task.lines.len() / 82 + 1),
            reasons: Vec::new(),
            batches: Vec::new(),
            batch_of_side: [None; MAX_SIDE + 1],
            batch_of_pencilmarks: None,
            layouts: HashMap::new(),
            grader: RefCell::default(),
            hint: Cell::default(),
        }
    }

    /// Returns a task of one line that is not read, because it caused an internal error.
    pub fn of_failed_line(
        pipeline: &'a Pipeline,
        task: &'a Task<'a>,
        reason: String,
    ) -> ParsedTask<'a> {
        let mut parsed = ParsedTask::new(pipeline, task);
        let reason = parsed.add_reason(reason);
        parsed.copy(without_end(task.lines), EntryState::Failed { reason });
        parsed
    }

    pub fn read(pipeline: &'a Pipeline, task: &'a Task<'a>) -> ParsedTask<'a> {
        let mut parsed = ParsedTask::new(pipeline, task);
        if task.overlong {
            parsed.refuse(task.lines, "the line is longer than 64 KiB".to_string());
            return parsed;
        }
        let mut left = task.lines;
        if pipeline.options.input == Input::Csv && task.first_line == 1 {
            let header = parsed.take_line(&mut left);
            parsed.copy(header, EntryState::Header);
        }
        loop {
            if pipeline.plain_lines != PlainLines::No {
                let level = pipeline.options.level;
                level.dispatch(
                    #[inline(always)]
                    || while parsed.read_plain(&mut left) {},
                );
            }
            if left.is_empty() {
                return parsed;
            }
            let line = parsed.take_line(&mut left);
            parsed.read_line(line);
        }
    }

    pub fn reason(&self, index: u32) -> &str {
        &self.reasons[index as usize]
    }

    /// Removes the first line from `left` and returns it, with its end.
    fn take_line(&self, left: &mut &'a [u8]) -> &'a [u8] {
        let end = memchr::memchr(b'\n', left).map_or(left.len(), |end| end + 1);
        let (line, after) = left.split_at(end);
        *left = after;
        line
    }

    /// Reads the next line if it is one of the [`PlainLines`], as nearly all lines are. Otherwise returns false and does not
    /// remove the line.
    #[inline(always)]
    fn read_plain(&mut self, left: &mut &'a [u8]) -> bool {
        match self.pipeline.plain_lines {
            PlainLines::No => false,
            PlainLines::Puzzles => self.read_plain_puzzle(left),
            PlainLines::PuzzlesAndAnswers => self.read_plain_answer(left),
        }
    }

    #[inline(always)]
    fn read_plain_puzzle(&mut self, left: &mut &'a [u8]) -> bool {
        let Some(([shown @ .., b'\n'], after)) = left.split_first_chunk::<82>() else {
            return false;
        };
        let Ok(batch) = self.batch_of_side(9) else {
            return false;
        };
        let symbols: &[u8; 81] = shown;
        let alphabet = &self.pipeline.options.alphabet;
        let plain = alphabet.read_plain(symbols, &mut self.batches[batch].grids);
        if plain {
            *left = after;
            let state = self.open(batch, None);
            self.entries.push(Entry {
                line: shown,
                shown: Cow::Borrowed(shown),
                case: Case::default(),
                state,
            });
        }
        plain
    }

    /// Reads a puzzle and a correct answer. A line with a wrong answer is left for `read_line`, which finds the reason.
    #[inline(always)]
    fn read_plain_answer(&mut self, left: &mut &'a [u8]) -> bool {
        let Some(([line @ .., b'\n'], after)) = left.split_first_chunk::<164>() else {
            return false;
        };
        let Some((puzzle, [mark, answer @ ..])) = line.split_first_chunk::<81>() else {
            return false;
        };
        let Some((answer, [])) = answer.split_first_chunk::<81>() else {
            return false;
        };
        let alphabet = &self.pipeline.options.alphabet;
        let Ok(ruleset) = self.pipeline.ruleset(9) else {
            return false;
        };
        let digits = (alphabet.plain(puzzle), alphabet.plain(answer));
        let right = match digits {
            (Some(puzzle), Some(digits)) => is_right(&ruleset.rules, &puzzle, &digits),
            _ => false,
        };
        let right = right && ends_field(*mark);
        if right {
            *left = after;
            let state = self.decided(Status::Correct, None);
            self.entries.push(Entry {
                line,
                shown: Cow::Borrowed(answer),
                case: Case::default(),
                state,
            });
        }
        right
    }

    /// Reads any line, given with its end.
    fn read_line(&mut self, line: &'a [u8]) {
        if self.pipeline.options.input == Input::Drawn {
            // The rows of a drawing have no line ends. A "\r" in them is a symbol.
            let line = line.strip_suffix(b"\n").unwrap_or(line);
            return self.add(line, line);
        }
        match Line::of(line) {
            Line::Copied(shown) if !self.is_csv_record(shown) => {
                self.copy(shown, EntryState::Copied)
            }
            Line::Copied(record) => self.add(without_mark(record), without_end(line)),
            Line::Record(record) => self.add(record, without_end(line)),
        }
    }

    /// Returns true for CSV records with a `#`. Other formats have comments, CSV has none.
    fn is_csv_record(&self, line: &[u8]) -> bool {
        self.pipeline.options.input == Input::Csv && line.contains(&b'#')
    }

    /// Adds the entry of a record. `record` is `line` without its byte order mark.
    fn add(&mut self, record: &'a [u8], line: &'a [u8]) {
        match self.read_record(record) {
            Ok(entry) => self.entries.push(entry),
            Err(reason) => {
                let options = &self.pipeline.options;
                let reason = match options.input {
                    Input::Lines => {
                        hints::with_option(reason, record, &options.alphabet, &self.pipeline.sizes)
                    }
                    _ => reason,
                };
                self.refuse(line, reason);
            }
        }
    }

    /// Records the first line with an unread field that looks like a layout. A run prints one hint about layouts.
    fn record_hint(&self, rest: &[u8], cells: usize) {
        let options = &self.pipeline.options;
        let is_first = options.input == Input::Lines && self.hint.get().is_none();
        if is_first && !options.variants.have_regions() && hints::has_layout(rest, cells) {
            self.hint.set(Some(self.entries.len()));
        }
    }

    /// Adds an entry that is not a record.
    fn copy(&mut self, line: &'a [u8], state: EntryState) {
        self.entries.push(Entry {
            line,
            shown: Cow::Borrowed(line),
            case: Case::default(),
            state,
        });
    }

    /// Adds the entry of an invalid line.
    fn refuse(&mut self, line: &'a [u8], reason: String) {
        let state = self.decided(Status::Invalid, Some(reason));
        self.copy(line, state);
    }

    fn decided(&mut self, status: Status, reason: Option<String>) -> EntryState {
        let reason = reason.map(|reason| self.add_reason(reason));
        EntryState::Decided { status, reason }
    }

    fn add_reason(&mut self, reason: String) -> u32 {
        self.reasons.push(reason);
        self.reasons.len() as u32 - 1
    }

    /// Returns the fields of a record.
    pub fn fields(&self, record: &'a [u8]) -> Result<RecordFields<'a>, String> {
        let pipeline = self.pipeline;
        let mut fields = match (&pipeline.options.input, pipeline.header()) {
            (Input::Csv, Some((_, header))) => header.split(record)?,
            (Input::Drawn, _) => fields_of_drawing(record, pipeline.entry_grids())?,
            _ => pipeline.layout.split(record, |field| {
                pipeline.includes_layout(field) || sumocue::is_sumocue(field)
            }),
        };
        if fields.puzzle.is_empty() {
            return Err("the puzzle is missing".to_string());
        }
        if sumocue::is_sumocue(&fields.puzzle) {
            let decoded = sumocue::decode(&fields.puzzle, &pipeline.options.alphabet)?;
            if decoded.regions.is_some() && !pipeline.options.lines_have_layouts() {
                let reason = match pipeline.options.regions {
                    None => {
                        "the line has regions; --variant jigsaw or --variant regions would read them"
                    }
                    Some(_) => {
                        "the line has its own regions, but --regions sets one layout for all lines"
                    }
                };
                return Err(reason.to_string());
            }
            fields.puzzle = decoded.puzzle.into();
            fields.regions = decoded.regions.map(Cow::from).or(fields.regions);
        } else if pipeline.includes_layout(&fields.puzzle) {
            let (puzzle, labels) = split_layout(fields.puzzle);
            fields.puzzle = puzzle;
            fields.regions = Some(labels);
        } else if let Some(puzzle) = pipeline.without_plus(&fields.puzzle) {
            fields.puzzle = puzzle.into();
        }
        Ok(fields)
    }

    fn read_record(&mut self, record: &'a [u8]) -> Result<Entry<'a>, String> {
        let RecordFields {
            puzzle,
            regions,
            answer,
            rest,
        } = self.fields(record)?;
        let (side, batch, own) = self.batch_for(&puzzle, regions)?;
        let start = self.batches[batch].grids.len();
        let case = self.read_grid(&puzzle, side, batch)?;
        let notation = match self.batches[batch].candidates {
            Some(_) => Notation::Pencilmarks,
            None => Notation::Digits,
        };
        if let Err(reason) = self.pipeline.options.mode.check(side, notation) {
            self.remove_last(batch, start);
            return Err(reason);
        }
        let Mode::Verify { unique } = self.pipeline.options.mode else {
            self.record_hint(rest, side * side);
            let state = self.open(batch, own);
            return Ok(Entry {
                line: record,
                shown: puzzle,
                case,
                state,
            });
        };
        let answer = answer.unwrap_or_default();
        let ruleset = own
            .clone()
            .unwrap_or_else(|| self.batches[batch].rules.ruleset(0).clone());
        let checked = self.check_answer(&ruleset.rules, batch, start, case, &answer);
        let state = match checked {
            Ok(None) if unique => self.open(batch, own),
            _ => {
                self.remove_last(batch, start);
                match checked? {
                    None => self.decided(Status::Correct, None),
                    Some(reason) => self.decided(Status::Incorrect, Some(reason)),
                }
            }
        };
        Ok(Entry {
            line: record,
            shown: answer,
            case,
            state,
        })
    }

    /// Returns the side of a puzzle, the index of its batch, and its own rules if each line has a layout.
    #[allow(clippy::type_complexity)]
    fn batch_for(
        &mut self,
        puzzle: &[u8],
        regions: Option<Cow<'a, [u8]>>,
    ) -> Result<(usize, usize, Option<Arc<Ruleset>>), String> {
        let pipeline = self.pipeline;
        let pencilmarks = puzzle.len() == PENCILMARKS;
        let side = match pencilmarks {
            true => 9,
            false => pipeline.sizes.side(puzzle.len())?,
        };
        let own = match pipeline.options.lines_have_layouts() {
            true => Some(self.ruleset_of_layout(side, regions.unwrap_or_default())?),
            false => None,
        };
        let known = match pencilmarks {
            true => self.batch_of_pencilmarks,
            false => self.batch_of_side[side],
        };
        let batch = match (known, &own) {
            (Some(batch), _) => batch,
            (None, Some(_)) => self.new_batch(side, BatchRules::PerPuzzle(Vec::new()), pencilmarks),
            (None, None) => self.new_batch(
                side,
                BatchRules::Shared(pipeline.ruleset(side)?),
                pencilmarks,
            ),
        };
        Ok((side, batch, own))
    }

    fn ruleset_of_layout(
        &mut self,
        side: usize,
        labels: Cow<'a, [u8]>,
    ) -> Result<Arc<Ruleset>, String> {
        if labels.is_empty() {
            return Err("the regions are missing; expected PUZZLE REGIONS".to_string());
        }
        let pipeline = self.pipeline;
        let new_ruleset = |labels: &[u8]| {
            let shape = pipeline.regions(side, labels)?;
            pipeline.new_ruleset(side, shape)
        };
        // A layout that does not fit this puzzle can fit another one, so this error is not stored.
        if labels.len() != side * side {
            return new_ruleset(&labels);
        }
        if let Some(ruleset) = self.layouts.get(&labels) {
            return ruleset.clone();
        }
        let ruleset = new_ruleset(&labels);
        self.layouts.insert(labels, ruleset.clone());
        ruleset
    }

    fn batch_of_side(&mut self, side: usize) -> Result<usize, String> {
        match self.batch_of_side[side] {
            Some(batch) => Ok(batch),
            None => Ok(self.new_batch(
                side,
                BatchRules::Shared(self.pipeline.ruleset(side)?),
                false,
            )),
        }
    }

    fn new_batch(&mut self, side: usize, rules: BatchRules, pencilmarks: bool) -> usize {
        let index = self.batches.len();
        let mut batch = Batch::new(rules, side * side, pencilmarks);
        if self.batches.is_empty() {
            // Usually all lines are puzzles of one side, with one symbol per cell.
            batch.grids.reserve(self.task.lines.len());
        }
        self.batches.push(batch);
        match pencilmarks {
            true => self.batch_of_pencilmarks = Some(index),
            false => self.batch_of_side[side] = Some(index),
        }
        index
    }

    /// Returns the rules of an entry's puzzle, or `None` if the entry has none.
    pub fn ruleset_of(&self, entry: &Entry<'a>) -> Option<Arc<Ruleset>> {
        if let EntryState::Open { batch, index } = entry.state {
            return Some(
                self.batches[batch as usize]
                    .rules
                    .ruleset(index as usize)
                    .clone(),
            );
        }
        let fields = self.fields(entry.line).ok()?;
        let side = self.pipeline.sizes.side(fields.puzzle.len()).ok()?;
        match self.pipeline.options.lines_have_layouts() {
            true => self.layouts.get(&fields.regions?)?.clone().ok(),
            false => self.pipeline.ruleset(side).ok(),
        }
    }

    /// Appends the cells of a puzzle to its batch. Appends nothing if the puzzle is invalid.
    fn read_grid(&mut self, puzzle: &[u8], side: usize, batch: usize) -> Result<Case, String> {
        let alphabet = &self.pipeline.options.alphabet;
        let Batch {
            grids, candidates, ..
        } = &mut self.batches[batch];
        match candidates {
            None => Ok(alphabet.read(puzzle, side, grids)?),
            Some(candidates) => {
                alphabet.read_pencilmarks(puzzle, candidates)?;
                grids.resize(grids.len() + side * side, 0);
                Ok(Case::default())
            }
        }
    }

    /// Removes the last puzzle of a batch, which begins at `start`.
    fn remove_last(&mut self, batch: usize, start: usize) {
        let batch = &mut self.batches[batch];
        batch.grids.truncate(start);
        if let Some(candidates) = &mut batch.candidates {
            candidates.truncate(start);
        }
    }

    /// Completes the last puzzle of a batch with its rules and its seed. Returns the state of its entry.
    #[inline(always)]
    fn open(&mut self, batch: usize, own: Option<Arc<Ruleset>>) -> EntryState {
        let line = self.task.first_line_overall + self.entries.len() as u64;
        let seed = self.pipeline.options.seed;
        let to = &mut self.batches[batch];
        if let BatchRules::PerPuzzle(rulesets) = &mut to.rules {
            rulesets.extend(own);
        }
        to.seeds
            .extend(seed.map(|seed| Random::seed_of_line(seed, line)));
        to.number += 1;
        EntryState::Open {
            batch: batch as u32,
            index: to.number as u32 - 1,
        }
    }

    /// Checks an answer to the puzzle that begins at `start` in the batch. Returns the reason why it is incorrect, or `None`.
    ///
    /// # Errors
    /// Returns a message for the user if the field is not an answer.
    fn check_answer(
        &self,
        rules: &Rules,
        batch: usize,
        start: usize,
        case: Case,
        answer: &[u8],
    ) -> Result<Option<String>, String> {
        let alphabet = &self.pipeline.options.alphabet;
        let batch = &self.batches[batch];
        if answer.is_empty() {
            return Err("the answer is missing".to_string());
        }
        if answer.len() != rules.cells() {
            let cells = pluralize(answer.len(), "cell");
            let wanted = rules.cells();
            return Err(format!("{cells} in the answer, {wanted} in the puzzle"));
        }
        let mut digits = Vec::with_capacity(rules.cells());
        alphabet
            .read(answer, rules.side(), &mut digits)
            .map_err(|reason| format!("answer: {reason}"))?;
        let candidates = batch.candidates.as_ref();
        if let Some(candidates) = candidates.map(|all| &all[start..])
            && let Some(reason) = against_candidates(alphabet, candidates, &digits)
        {
            return Ok(Some(reason));
        }
        let fault = verify(rules, &batch.grids[start..], &digits).err();
        Ok(fault.map(|fault| fault.reason(|digit| alphabet.symbol(digit, case))))
    }
}

/// Returns the reason if a cell of an answer holds a digit that is not a candidate of the cell. An answer with blank cells is
/// left to [`verify`].
fn against_candidates(alphabet: &Alphabet, candidates: &[u32], answer: &[u8]) -> Option<String> {
    if answer.contains(&0) {
        return None;
    }
    let pairs = candidates.iter().zip(answer);
    let cell = pairs
        .into_iter()
        .position(|(set, digit)| set >> (digit - 1) & 1 == 0)?;
    let digit = alphabet.symbol(answer[cell], Case::default());
    Some(format!(
        "{} is {digit}, which is not among its pencilmarks",
        Place::of(cell, 9)
    ))
}

/// Splits a field that includes a layout into the puzzle and the layout.
fn split_layout(field: Cow<'_, [u8]>) -> (Cow<'_, [u8]>, Cow<'_, [u8]>) {
    match field {
        Cow::Borrowed(field) => {
            let (puzzle, labels) = field.split_at(field.len() / 2);
            (puzzle.into(), labels.into())
        }
        Cow::Owned(field) => {
            let (puzzle, labels) = field.split_at(field.len() / 2);
            (puzzle.to_vec().into(), labels.to_vec().into())
        }
    }
}

/// Returns the fields of a line that was assembled from a drawing. A grid has N rows of N symbols.
fn fields_of_drawing(line: &[u8], expected: EntryGrids) -> Result<RecordFields<'_>, String> {
    let rows: Vec<&[u8]> = grid_input::rows_of(line).collect();
    let side = grid_input::most_common_width(rows.iter().map(|row| row.len()), 0);
    if side > MAX_SIDE {
        return Err(format!(
            "a row of {side} symbols; the widest puzzle is 25x25"
        ));
    }
    if let Some(odd) = rows.iter().position(|row| row.len() != side) {
        let usual = rows.iter().position(|row| row.len() == side);
        return Err(format!(
            "row {} has {}; row {} has {side}",
            odd + 1,
            pluralize(rows[odd].len(), "symbol"),
            usual.unwrap_or_default() + 1,
        ));
    }
    if side == 0 || !rows.len().is_multiple_of(side) || rows.len() > side * expected.count() {
        let number = pluralize(rows.len(), "row");
        let followers = match (expected.layout, expected.answer) {
            (false, false) => "",
            (true, false) => " and its layout",
            (false, true) => " and its answer",
            (true, true) => ", its layout and its answer",
        };
        let has = if expected.count() == 1 { "has" } else { "have" };
        return Err(format!(
            "{number} of {}; {}{followers} {has} {}",
            pluralize(side, "symbol"),
            a_puzzle(side),
            side * expected.count(),
        ));
    }
    let mut grids = rows.chunks(side).map(|rows| rows.concat());
    Ok(RecordFields {
        puzzle: grids.next().unwrap_or_default().into(),
        regions: expected
            .layout
            .then(|| grids.next().map(Cow::from))
            .flatten(),
        answer: grids.next().map(Cow::from),
        rest: &[],
    })
}
