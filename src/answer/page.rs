//! The lines of a task, read: what each line is, and the batches of grids that are to be solved for them.

use std::borrow::Cow;
use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::sync::Arc;

use super::batch::{Batch, By, Kit};
use super::fields::ByHand;
use super::{Answerer, Input, Mode, Notation, PlainLines};
use crate::filter::Task;
use crate::grid_input::{self, EntryGrids};
use crate::hints;
use crate::record::{Line, RecordFields, ends_field, without_end, without_mark};
use crate::rules::{MAX_SIDE, Place, Rules, a_puzzle, pluralize};
use crate::solver::Random;
use crate::sumocue;
use crate::symbols::{Alphabet, Case};
use crate::verdict::Status;
use crate::verify::{is_right, verify};

/// The lines of one task.
pub(super) struct Page<'a> {
    pub answerer: &'a Answerer,
    pub task: &'a Task<'a>,
    pub rows: Vec<Row<'a>>,
    /// What there is to say of some of them.
    reasons: Vec<String>,
    pub batches: Vec<Batch>,
    /// By side; where lines bring layouts, grids with any layout.
    batch_of_side: [Option<usize>; MAX_SIDE + 1],
    batch_of_pencilmarks: Option<usize>,
    /// For each layout of the task what puzzles obey, or why there is nothing.
    layouts: HashMap<Cow<'a, [u8]>, Result<Arc<Kit>, String>>,
    /// What is worked out while rows are written.
    pub by_hand: RefCell<ByHand>,
    /// The index of the first row whose line seems to bring a layout that is not read, until the hint is handed on.
    pub hint: Cell<Option<usize>>,
}

/// One line on its way.
pub(super) struct Row<'a> {
    /// Its fields; of an invalid line all of it.
    pub line: &'a [u8],
    /// The puzzle as it came, or the answer that is checked.
    pub shown: Cow<'a, [u8]>,
    pub case: Case,
    pub state: State,
}

#[derive(Clone, Copy)]
pub(super) enum State {
    Copied,
    /// The first line of CSV.
    Header,
    Decided {
        status: Status,
        /// Its place among the reasons of the page.
        reason: Option<u32>,
    },
    /// An internal error kept the line from being answered.
    Failed {
        /// Its place among the reasons of the page.
        reason: u32,
    },
    /// A grid of a batch that is to be solved.
    Open {
        batch: u32,
        index: u32,
    },
}

/// Symbols of a pencilmark puzzle: nine for each of 81 cells.
const PENCILMARKS: usize = 729;

impl<'a> Page<'a> {
    fn new(answerer: &'a Answerer, task: &'a Task<'a>) -> Page<'a> {
        Page {
            answerer,
            task,
            rows: Vec::with_capacity(task.lines.len() / 82 + 1),
            reasons: Vec::new(),
            batches: Vec::new(),
            batch_of_side: [None; MAX_SIDE + 1],
            batch_of_pencilmarks: None,
            layouts: HashMap::new(),
            by_hand: RefCell::default(),
            hint: Cell::default(),
        }
    }

    /// The page of one line that is not read, because answering it failed for this reason.
    pub fn of_failed_line(answerer: &'a Answerer, task: &'a Task<'a>, reason: String) -> Page<'a> {
        let mut page = Page::new(answerer, task);
        let reason = page.add_reason(reason);
        page.copy(without_end(task.lines), State::Failed { reason });
        page
    }

    pub fn read(answerer: &'a Answerer, task: &'a Task<'a>) -> Page<'a> {
        let mut page = Page::new(answerer, task);
        if task.overlong {
            page.refuse(task.lines, "the line is longer than 64 KiB".to_string());
            return page;
        }
        let mut left = task.lines;
        if answerer.options.input == Input::Csv && task.first_line == 1 {
            let header = page.take_line(&mut left);
            page.copy(header, State::Header);
        }
        loop {
            if answerer.plain_lines != PlainLines::No {
                let level = answerer.options.level;
                level.widen(
                    #[inline(always)]
                    || while page.read_plain(&mut left) {},
                );
            }
            if left.is_empty() {
                return page;
            }
            let line = page.take_line(&mut left);
            page.read_line(line);
        }
    }

    pub fn reason(&self, index: u32) -> &str {
        &self.reasons[index as usize]
    }

    /// Takes the first of the lines that are left, with its end.
    fn take_line(&self, left: &mut &'a [u8]) -> &'a [u8] {
        let end = memchr::memchr(b'\n', left).map_or(left.len(), |end| end + 1);
        let (line, behind) = left.split_at(end);
        *left = behind;
        line
    }

    /// Reads the next line if it is a 9x9 puzzle and nothing else, or with its answer, as nearly all lines are: none of
    /// its bytes is asked whether it separates fields or ends the line.
    #[inline(always)]
    fn read_plain(&mut self, left: &mut &'a [u8]) -> bool {
        match self.answerer.plain_lines {
            PlainLines::No => false,
            PlainLines::Puzzles => self.read_plain_puzzle(left),
            PlainLines::PuzzlesAndAnswers => self.read_plain_answer(left),
        }
    }

    #[inline(always)]
    fn read_plain_puzzle(&mut self, left: &mut &'a [u8]) -> bool {
        let Some(([shown @ .., b'\n'], behind)) = left.split_first_chunk::<82>() else {
            return false;
        };
        let Ok(batch) = self.batch_of_side(9) else {
            return false;
        };
        let symbols: &[u8; 81] = shown;
        let alphabet = &self.answerer.options.alphabet;
        let plain = alphabet.read_plain(symbols, &mut self.batches[batch].grids);
        if plain {
            *left = behind;
            let state = self.open(batch, None);
            self.rows.push(Row {
                line: shown,
                shown: Cow::Borrowed(shown),
                case: Case::default(),
                state,
            });
        }
        plain
    }

    /// A puzzle and a right answer; any other is read again for what is wrong with it.
    #[inline(always)]
    fn read_plain_answer(&mut self, left: &mut &'a [u8]) -> bool {
        let Some(([line @ .., b'\n'], behind)) = left.split_first_chunk::<164>() else {
            return false;
        };
        let Some((puzzle, [mark, answer @ ..])) = line.split_first_chunk::<81>() else {
            return false;
        };
        let Some((answer, [])) = answer.split_first_chunk::<81>() else {
            return false;
        };
        let alphabet = &self.answerer.options.alphabet;
        let Ok(kit) = self.answerer.kit(9) else {
            return false;
        };
        let digits = (alphabet.plain(puzzle), alphabet.plain(answer));
        let right = match digits {
            (Some(puzzle), Some(digits)) => is_right(&kit.rules, &puzzle, &digits),
            _ => false,
        };
        let right = right && ends_field(*mark);
        if right {
            *left = behind;
            let state = self.decided(Status::Correct, None);
            self.rows.push(Row {
                line,
                shown: Cow::Borrowed(answer),
                case: Case::default(),
                state,
            });
        }
        right
    }

    /// Reads one line, with its end.
    fn read_line(&mut self, line: &'a [u8]) {
        if self.answerer.options.input == Input::Drawn {
            // Its rows came without their line ends; a "\r" that is left is a symbol.
            let line = line.strip_suffix(b"\n").unwrap_or(line);
            return self.add(line, line);
        }
        match Line::of(line) {
            Line::Copied(shown) if !self.is_csv_comment(shown) => self.copy(shown, State::Copied),
            Line::Copied(record) => self.add(without_mark(record), without_end(line)),
            Line::Record(record) => self.add(record, without_end(line)),
        }
    }

    /// Nothing is a comment in CSV.
    fn is_csv_comment(&self, line: &[u8]) -> bool {
        self.answerer.options.input == Input::Csv && line.contains(&b'#')
    }

    /// Adds the row of a record, which is `line` but for a byte order mark.
    fn add(&mut self, record: &'a [u8], line: &'a [u8]) {
        match self.read_record(record) {
            Ok(row) => self.rows.push(row),
            Err(reason) => {
                let options = &self.answerer.options;
                let reason = match options.input {
                    Input::Lines => {
                        hints::with_option(reason, record, &options.alphabet, &self.answerer.sizes)
                    }
                    _ => reason,
                };
                self.refuse(line, reason);
            }
        }
    }

    /// Notes the first line that seems to bring a layout where none is read: the hint is given once a run.
    fn note_layout(&self, rest: &[u8], cells: usize) {
        let options = &self.answerer.options;
        let is_first = options.input == Input::Lines && self.hint.get().is_none();
        if is_first && !options.variants.have_regions() && hints::brings_layout(rest, cells) {
            self.hint.set(Some(self.rows.len()));
        }
    }

    fn copy(&mut self, line: &'a [u8], state: State) {
        self.rows.push(Row {
            line,
            shown: Cow::Borrowed(line),
            case: Case::default(),
            state,
        });
    }

    /// Adds the row of a line that is no puzzle.
    fn refuse(&mut self, line: &'a [u8], reason: String) {
        let state = self.decided(Status::Invalid, Some(reason));
        self.copy(line, state);
    }

    fn decided(&mut self, status: Status, reason: Option<String>) -> State {
        let reason = reason.map(|reason| self.add_reason(reason));
        State::Decided { status, reason }
    }

    fn add_reason(&mut self, reason: String) -> u32 {
        self.reasons.push(reason);
        self.reasons.len() as u32 - 1
    }

    /// The fields of a record.
    pub fn parts(&self, record: &'a [u8]) -> Result<RecordFields<'a>, String> {
        let answerer = self.answerer;
        let mut parts = match (&answerer.options.input, answerer.header()) {
            (Input::Csv, Some((_, header))) => header.split(record)?,
            (Input::Drawn, _) => parts_of_drawing(record, answerer.entry_grids())?,
            _ => answerer.layout.split(record, |field| {
                answerer.is_glued(field) || sumocue::is_sumocue(field)
            }),
        };
        if parts.puzzle.is_empty() {
            return Err("the puzzle is missing".to_string());
        }
        if sumocue::is_sumocue(&parts.puzzle) {
            let decoded = sumocue::decode(&parts.puzzle, &answerer.options.alphabet)?;
            if decoded.regions.is_some() && !answerer.options.lines_bring_layouts() {
                let reason = match answerer.options.regions {
                    None => "the line brings regions; --variant jigsaw or regions reads them",
                    Some(_) => {
                        "the line brings regions of its own; --regions gives one layout for all"
                    }
                };
                return Err(reason.to_string());
            }
            parts.puzzle = decoded.puzzle.into();
            parts.regions = decoded.regions.map(Cow::from).or(parts.regions);
        } else if answerer.is_glued(&parts.puzzle) {
            let (puzzle, labels) = split(parts.puzzle);
            parts.puzzle = puzzle;
            parts.regions = Some(labels);
        } else if let Some(puzzle) = answerer.without_plus(&parts.puzzle) {
            parts.puzzle = puzzle.into();
        }
        Ok(parts)
    }

    fn read_record(&mut self, record: &'a [u8]) -> Result<Row<'a>, String> {
        let RecordFields {
            puzzle,
            regions,
            answer,
            rest,
        } = self.parts(record)?;
        let (side, batch, own) = self.batch_for(&puzzle, regions)?;
        let start = self.batches[batch].grids.len();
        let case = self.read_grid(&puzzle, side, batch)?;
        let notation = match self.batches[batch].candidates {
            Some(_) => Notation::Pencilmarks,
            None => Notation::Digits,
        };
        if let Err(reason) = self.answerer.options.mode.check(side, notation) {
            self.forget(batch, start);
            return Err(reason);
        }
        let Mode::Verify { unique } = self.answerer.options.mode else {
            self.note_layout(rest, side * side);
            let state = self.open(batch, own);
            return Ok(Row {
                line: record,
                shown: puzzle,
                case,
                state,
            });
        };
        let answer = answer.unwrap_or_default();
        let kit = own
            .clone()
            .unwrap_or_else(|| self.batches[batch].by.kit(0).clone());
        let checked = self.check_answer(&kit.rules, batch, start, case, &answer);
        let state = match checked {
            Ok(None) if unique => self.open(batch, own),
            _ => {
                self.forget(batch, start);
                match checked? {
                    None => self.decided(Status::Correct, None),
                    Some(reason) => self.decided(Status::Incorrect, Some(reason)),
                }
            }
        };
        Ok(Row {
            line: record,
            shown: answer,
            case,
            state,
        })
    }

    /// The side of a puzzle, the batch its grid belongs to, and what it obeys where the line brings a layout.
    #[allow(clippy::type_complexity)]
    fn batch_for(
        &mut self,
        puzzle: &[u8],
        regions: Option<Cow<'a, [u8]>>,
    ) -> Result<(usize, usize, Option<Arc<Kit>>), String> {
        let answerer = self.answerer;
        let pencilmarks = puzzle.len() == PENCILMARKS;
        let side = match pencilmarks {
            true => 9,
            false => answerer.sizes.side(puzzle.len())?,
        };
        let own = match answerer.options.lines_bring_layouts() {
            true => Some(self.kit_of_layout(side, regions.unwrap_or_default())?),
            false => None,
        };
        let known = match pencilmarks {
            true => self.batch_of_pencilmarks,
            false => self.batch_of_side[side],
        };
        let batch = match (known, &own) {
            (Some(batch), _) => batch,
            (None, Some(_)) => self.new_batch(side, By::Own(Vec::new()), pencilmarks),
            (None, None) => self.new_batch(side, By::One(answerer.kit(side)?), pencilmarks),
        };
        Ok((side, batch, own))
    }

    fn kit_of_layout(&mut self, side: usize, labels: Cow<'a, [u8]>) -> Result<Arc<Kit>, String> {
        if labels.is_empty() {
            return Err("the regions are missing: PUZZLE REGIONS wanted".to_string());
        }
        let answerer = self.answerer;
        let new_kit = |labels: &[u8]| {
            let shape = answerer.regions(side, labels)?;
            answerer.new_kit(side, shape)
        };
        // A layout for another side than the puzzle's is one fault more, and good for other lines.
        if labels.len() != side * side {
            return new_kit(&labels);
        }
        if let Some(kit) = self.layouts.get(&labels) {
            return kit.clone();
        }
        let kit = new_kit(&labels);
        self.layouts.insert(labels, kit.clone());
        kit
    }

    fn batch_of_side(&mut self, side: usize) -> Result<usize, String> {
        match self.batch_of_side[side] {
            Some(batch) => Ok(batch),
            None => Ok(self.new_batch(side, By::One(self.answerer.kit(side)?), false)),
        }
    }

    fn new_batch(&mut self, side: usize, by: By, pencilmarks: bool) -> usize {
        let index = self.batches.len();
        let mut batch = Batch::new(by, side * side, pencilmarks);
        if self.batches.is_empty() {
            // Mostly all lines are puzzles of one side, and each symbol is a cell.
            batch.grids.reserve(self.task.lines.len());
        }
        self.batches.push(batch);
        match pencilmarks {
            true => self.batch_of_pencilmarks = Some(index),
            false => self.batch_of_side[side] = Some(index),
        }
        index
    }

    /// What the puzzle of a row obeys.
    pub fn kit_of(&self, row: &Row<'a>) -> Option<Arc<Kit>> {
        if let State::Open { batch, index } = row.state {
            return Some(self.batches[batch as usize].by.kit(index as usize).clone());
        }
        let parts = self.parts(row.line).ok()?;
        let side = self.answerer.sizes.side(parts.puzzle.len()).ok()?;
        match self.answerer.options.lines_bring_layouts() {
            true => self.layouts.get(&parts.regions?)?.clone().ok(),
            false => self.answerer.kit(side).ok(),
        }
    }

    /// Reads a puzzle into its batch; nothing stays there if it fails.
    fn read_grid(&mut self, puzzle: &[u8], side: usize, batch: usize) -> Result<Case, String> {
        let alphabet = &self.answerer.options.alphabet;
        let Batch {
            grids, candidates, ..
        } = &mut self.batches[batch];
        match candidates {
            None => alphabet.read(puzzle, side, grids),
            Some(candidates) => {
                alphabet.read_pencilmarks(puzzle, candidates)?;
                grids.resize(grids.len() + side * side, 0);
                Ok(Case::default())
            }
        }
    }

    /// Takes back the last grid that was read.
    fn forget(&mut self, batch: usize, start: usize) {
        let batch = &mut self.batches[batch];
        batch.grids.truncate(start);
        if let Some(candidates) = &mut batch.candidates {
            candidates.truncate(start);
        }
    }

    /// Leaves the last grid of a batch to be solved for the row that is being read.
    #[inline(always)]
    fn open(&mut self, batch: usize, own: Option<Arc<Kit>>) -> State {
        let line = self.task.first_line_overall + self.rows.len() as u64;
        let seed = self.answerer.options.seed;
        let to = &mut self.batches[batch];
        if let By::Own(kits) = &mut to.by {
            kits.extend(own);
        }
        to.seeds
            .extend(seed.map(|seed| Random::seed_of_line(seed, line)));
        to.number += 1;
        State::Open {
            batch: batch as u32,
            index: to.number as u32 - 1,
        }
    }

    /// Checks an answer to the batch's grid at `start`: what is wrong with it, or nothing.
    fn check_answer(
        &self,
        rules: &Rules,
        batch: usize,
        start: usize,
        case: Case,
        answer: &[u8],
    ) -> Result<Option<String>, String> {
        let alphabet = &self.answerer.options.alphabet;
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

/// The first cell of an answer without blanks that holds what its pencilmarks do not allow.
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
        "{} is {digit}, no candidate there",
        Place::of(cell, 9)
    ))
}

/// The halves of a field that is a puzzle and its layout.
fn split(field: Cow<'_, [u8]>) -> (Cow<'_, [u8]>, Cow<'_, [u8]>) {
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

/// The parts of a line that was made of a drawing: so many rows for each of its grids.
fn parts_of_drawing(line: &[u8], with: EntryGrids) -> Result<RecordFields<'_>, String> {
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
    if side == 0 || !rows.len().is_multiple_of(side) || rows.len() > side * with.count() {
        let number = pluralize(rows.len(), "row");
        let followers = match (with.layout, with.answer) {
            (false, false) => "",
            (true, false) => " and its layout",
            (false, true) => " and its answer",
            (true, true) => ", its layout and its answer",
        };
        let has = if with.count() == 1 { "has" } else { "have" };
        return Err(format!(
            "{number} of {}; {}{followers} {has} {}",
            pluralize(side, "symbol"),
            a_puzzle(side),
            side * with.count(),
        ));
    }
    let mut grids = rows.chunks(side).map(|rows| rows.concat());
    Ok(RecordFields {
        puzzle: grids.next().unwrap_or_default().into(),
        regions: with.layout.then(|| grids.next().map(Cow::from)).flatten(),
        answer: grids.next().map(Cow::from),
        rest: &[],
    })
}
