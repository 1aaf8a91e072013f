//! Reads each line of a task into an entry, checks answers, and adds puzzles to batches.
//! `fields.rs` splits lines into fields.

use std::borrow::Cow;
use std::sync::Arc;

use super::batch::{Batch, BatchChoice, Batches, LineRules};
use super::entry::{Entry, EntryState, ExtraFields, TaskEntries};
use super::fields;
use super::options::{Input, Mode};
use super::settings::Settings;
use crate::error::BoxError;
use crate::puzzle::Givens;
use crate::rules::{Place, Rules, pluralize};
use crate::solver::Random;
use crate::stream::Task;
use crate::text::columns::Column;
use crate::text::forms::csv_records::CONTINUATION;
use crate::text::forms::lines::ends_field;
use crate::text::prose::find_grid;
use crate::text::record::{
    Line, OTHER_LINE_ENDS, RecordFields, has_inner_cr, is_missing, without_end,
};
use crate::text::symbols::{Alphabet, Case, outside_ascii};
use crate::text::{grid_input, hints};
use crate::verdict::Status;
use crate::verify::{count_conflicts, is_right, verify};

/// Reads the lines of a task. Returns their entries, and the batches of the puzzles to solve or to
/// shuffle. If the only line of the task caused an internal error, `failure` is the reason; then
/// the line is not read, and its entry is rejected.
pub(super) fn read<'a>(
    settings: &'a Settings,
    task: &'a Task<'a>,
    failure: Option<String>,
) -> (TaskEntries<'a>, Batches<'a>) {
    let mut reader = EntryReader::new(settings, task);
    match failure {
        None => reader.read_all(),
        Some(reason) => {
            let line = reader.take_line_number(without_end(task.lines));
            reader.reject(line, Status::Unknown, reason);
        }
    }
    let in_batches = reader.batches.all.iter().map(|batch| batch.number);
    debug_assert_eq!(
        reader.entries.number_to_solve(),
        in_batches.sum::<usize>(),
        "each puzzle of a batch has an entry"
    );
    (reader.entries, reader.batches)
}

/// Reads the lines of one task.
struct EntryReader<'a> {
    settings: &'a Settings,
    entries: TaskEntries<'a>,
    batches: Batches<'a>,
}

impl<'a> EntryReader<'a> {
    fn new(settings: &'a Settings, task: &'a Task<'a>) -> EntryReader<'a> {
        EntryReader {
            settings,
            entries: TaskEntries::new(task, settings.options.input == Input::Drawn),
            batches: Batches::new(task.lines.len()),
        }
    }

    /// Reads all lines: those of the fast path by `read_fast_line`, each other line by `read_line`.
    /// Stores a CSV header unread, and rejects an overlong line.
    fn read_all(&mut self) {
        if self.entries.task.overlong {
            let line = self.take_line_number(self.entries.task.lines);
            let reason = if has_inner_cr(line) {
                OTHER_LINE_ENDS
            } else if self.settings.options.input == Input::Drawn {
                "more than 64 KiB of rows without a blank line; one of them is missing or extra"
            } else {
                "the line is longer than 64 KiB"
            };
            return self.reject(line, Status::Invalid, reason.to_string());
        }
        let mut left = self.entries.task.lines;
        if self.settings.options.input == Input::Csv && self.entries.task.first_line == 1 {
            let header = take_line(&mut left);
            self.entries.push_line(header, EntryState::Header);
        }
        loop {
            if self.settings.has_fast_lines {
                // Compiled once per CPU level, so that reading grids uses the vectors of the level.
                let level = self.settings.options.level;
                level.dispatch(
                    #[inline(always)]
                    || while self.read_fast_line(&mut left) {},
                );
            }
            if left.is_empty() {
                return;
            }
            self.read_line(take_line(&mut left));
        }
    }

    /// Reads the next line if the fast path can read it, takes it off `left` and returns true.
    /// Otherwise leaves it in `left` and returns false.
    #[inline(always)]
    fn read_fast_line(&mut self, left: &mut &'a [u8]) -> bool {
        if self.settings.options.verifies() {
            self.read_fast_answer(left).is_some()
        } else {
            self.read_fast_puzzle(left)
        }
    }

    /// Reads a 9x9 puzzle straight into its batch. Returns false, and adds neither a puzzle nor an
    /// entry, unless the options allow 9x9 puzzles, and the line is 81 symbols that
    /// `Alphabet::read_plain` reads, then a newline.
    #[inline(always)]
    fn read_fast_puzzle(&mut self, left: &mut &'a [u8]) -> bool {
        let Some(([shown @ .., b'\n'], after)) = left.split_first_chunk::<82>() else {
            return false;
        };
        let Ok(batch) = self.batches.of_side(9, &self.settings.rulesets) else {
            return false;
        };
        let alphabet = &self.settings.options.alphabet;
        let is_read = alphabet.read_plain(shown, &mut self.batches.all[batch].grids);
        if is_read {
            *left = after;
            let state = self.complete(BatchChoice::shared(batch));
            self.entries.entries.push(Entry {
                line: shown,
                shown: Cow::Borrowed(shown),
                case: Case::default(),
                state,
                kept: None,
            });
        }
        is_read
    }

    /// Reads a 9x9 puzzle and a correct answer, and takes their line off `left`. The line must be
    /// 81 symbols that `Alphabet::plain_digits` reads, a separator, 81 more such symbols and a
    /// newline. For another line, for a wrong answer, and if the options allow no 9x9 puzzles,
    /// returns `None` and adds no entry. `read_line` then reads the line, and finds the reason why
    /// the answer is wrong.
    #[inline(always)]
    fn read_fast_answer(&mut self, left: &mut &'a [u8]) -> Option<()> {
        let (line, after) = left.split_first_chunk::<164>()?;
        let line = line.strip_suffix(b"\n")?;
        let (puzzle, after_puzzle) = line.split_first_chunk::<81>()?;
        let (separator, answer) = after_puzzle.split_first()?;
        let answer: &[u8; 81] = answer.try_into().ok()?;
        let alphabet = &self.settings.options.alphabet;
        let givens = alphabet.plain_digits(puzzle)?;
        let digits = alphabet.plain_digits(answer)?;
        let batch = self.batches.of_side(9, &self.settings.rulesets).ok()?;
        let ruleset = self.batches.all[batch].rules.ruleset(0);
        if !is_right(&ruleset.rules, &givens, &digits) || !ends_field(*separator) {
            return None;
        }
        *left = after;
        let kept = self.settings.keeps_fields.then(|| {
            self.entries.keep(ExtraFields {
                fields: RecordFields { puzzle: Cow::Borrowed(puzzle), ..RecordFields::default() },
                ruleset: Some(Arc::clone(ruleset)),
                number_of_givens: Givens::Digits(&givens).count(),
                ..ExtraFields::default()
            })
        });
        self.entries.entries.push(Entry {
            line,
            shown: Cow::Borrowed(answer),
            case: Case::default(),
            state: EntryState::Checked { reason: None },
            kept,
        });
        Some(())
    }

    /// Reads any line, given with its end.
    fn read_line(&mut self, line: &'a [u8]) {
        if self.settings.options.input == Input::Drawn {
            // Only the newline is removed: `EntryAssembler` has removed the line ends of the rows.
            // A CR that is left in them makes the entry invalid.
            let rows = self.take_line_number(line.strip_suffix(b"\n").unwrap_or(line));
            return self.add(rows, rows);
        }
        match Line::of(line) {
            Line::Record(CONTINUATION) if self.settings.options.input == Input::Csv => {
                self.entries.push_line(line, EntryState::Continuation);
            }
            Line::Copied(shown) if !self.is_record_with_hash(shown) => {
                self.entries.push_line(shown, EntryState::Copied);
            }
            // `add` also gets the line with its byte order mark, to show it if the record is
            // rejected.
            Line::Copied(record) | Line::Record(record) => self.add(record, without_end(line)),
        }
    }

    /// Returns true if `line`, a [`Line::Copied`], begins with `#`, but the input is CSV or JSON.
    /// These formats have no comments, so the line is a record.
    fn is_record_with_hash(&self, line: &[u8]) -> bool {
        // A `Line::Copied` that does not begin with `#` is blank, so it contains no `#`.
        self.settings.options.input.has_named_columns() && line.contains(&b'#')
    }

    /// For drawn puzzles, stores the line number that comes before the rows, and returns the rows.
    /// Returns a line of other input unchanged.
    fn take_line_number(&mut self, line: &'a [u8]) -> &'a [u8] {
        match &mut self.entries.numbers {
            None => line,
            Some(numbers) => {
                let (number, rows) = grid_input::split_number(line);
                numbers.push(number);
                rows
            }
        }
    }

    /// Adds the entry of a record. The entry of an invalid record is rejected and shows `line`: the
    /// record with its byte order mark, if there is one.
    fn add(&mut self, record: &'a [u8], line: &'a [u8]) {
        let settings = self.settings;
        let read = fields::split(record, settings).and_then(|mut fields| {
            let rules = fields::decode(&mut fields, settings)?;
            self.read_fields(record, &mut fields, rules)
        });
        if let Err(reason) = read {
            let options = &settings.options;
            // A hint names an option or a command that would probably make the line readable. It
            // is for the default input only: the user has chosen any other input by an option.
            let reason = match options.input {
                Input::Lines => {
                    let sizes = &settings.rulesets.sizes;
                    let (alphabet, variants) = (&options.alphabet, &options.variants);
                    hints::with_hint(reason.to_string(), record, alphabet, sizes, variants)
                }
                _ => reason.to_string(),
            };
            self.reject(line, Status::Invalid, reason);
        }
    }

    /// Adds the entry of a rejected line, with its status and the reason.
    fn reject(&mut self, line: &'a [u8], status: Status, reason: String) {
        let reason = self.entries.add_reason(reason);
        let state = EntryState::Rejected { status, reason };
        self.entries.push_line(line, state);
    }

    /// Adds the entry of a record with these fields and rules. Reads the puzzle straight into its
    /// batch, and removes the puzzle again if it need not be solved or shuffled.
    ///
    /// # Errors
    /// Returns an error, and adds neither the entry nor the puzzle, if the puzzle, its rules or its
    /// answer is invalid, or if the mode cannot be applied to the puzzle.
    fn read_fields(
        &mut self,
        record: &'a [u8],
        fields: &mut RecordFields<'a>,
        rules: LineRules,
    ) -> Result<(), BoxError> {
        let is_described = rules.are_described;
        let (choice, case) = self.append(fields, rules)?;
        let cells = self.batches.all[choice.batch].cells;
        if self.settings.options.lenient {
            self.take_grid_from_prose(fields, cells.isqrt());
        }
        let checked = self.check_answer_field(&choice, case, fields.answer.as_deref());
        let (is_to_solve, known) = checked.inspect_err(|_| {
            self.batches.all[choice.batch].remove();
        })?;
        let fault = known.fault;
        // No hint about a described puzzle with named fields: `fields::decode` has stored the
        // layout that the puzzle states in `fields.regions`, and the hint would call it unused.
        if !is_described || self.settings.options.input == Input::Lines {
            self.record_hint(fields, cells);
        }
        let shown = match self.settings.options.mode {
            Mode::Verify { .. } => fields.answer.take().unwrap_or_default(),
            _ => std::mem::take(&mut fields.puzzle),
        };
        let kept = self.settings.keeps_fields.then(|| {
            let mut kept = ExtraFields {
                fields: std::mem::take(fields),
                is_described,
                // The answer, its case, its fault and its conflicts, as far as the mode sets them.
                ..known
            };
            if !is_to_solve {
                kept.ruleset = Some(Arc::clone(choice.ruleset(&self.batches)));
                kept.number_of_givens = self.batches.all[choice.batch].appended().count();
            }
            self.entries.keep(kept)
        });
        let state = if is_to_solve {
            self.complete(choice)
        } else {
            self.batches.all[choice.batch].remove();
            EntryState::Checked { reason: fault }
        };
        self.entries.entries.push(Entry { line: record, shown, case, state, kept });
        Ok(())
    }

    /// With `--lenient`, replaces the answer by the grid of this side that its prose contains, or
    /// by nothing if there is none.
    fn take_grid_from_prose(&self, fields: &mut RecordFields<'a>, side: usize) {
        let answer = fields.answer.as_deref().unwrap_or_default();
        let alphabet = &self.settings.options.alphabet;
        let grid = find_grid(answer, side, alphabet, alphabet.blank_of(&fields.puzzle));
        fields.answer = grid.map(Cow::Owned);
    }

    /// Appends the puzzle of a record to the batch for its rules. Returns the choice of the batch,
    /// and the case of the puzzle. Returns an error if the rules or the puzzle are invalid.
    fn append(
        &mut self,
        fields: &RecordFields<'a>,
        rules: LineRules,
    ) -> Result<(BatchChoice, Case), BoxError> {
        let options = &self.settings.options;
        let regions = || fields.regions.clone().unwrap_or_default();
        let layout = rules.has_layout.then(regions);
        let rulesets = &self.settings.rulesets;
        let choice = self.batches.choose(rules, layout, rulesets)?;
        let batch = &mut self.batches.all[choice.batch];
        let case = batch.append(&fields.puzzle, &options.alphabet)?;
        Ok((choice, case))
    }

    /// With `--verify`, reads and checks the answer to the puzzle that is appended to its batch.
    /// With `--shuffle`, only reads the answer, if there is one. With `--lenient`, a missing answer
    /// is incorrect, not an error. `case` is the case of the puzzle, which a reason uses for
    /// digits.
    ///
    /// Returns true if the puzzle must still be solved or shuffled. Also returns what is known
    /// about the answer: `--shuffle` sets only `answer_case`; `--verify` also sets `answer`,
    /// `fault` and `conflicts`.
    ///
    /// # Errors
    /// Returns an error if the mode cannot be applied to the puzzle, if an answer to check is
    /// missing, or if an answer to check or to shuffle is not a grid of the puzzle's side.
    fn check_answer_field(
        &mut self,
        choice: &BatchChoice,
        case: Case,
        answer: Option<&[u8]>,
    ) -> Result<(bool, ExtraFields<'a>), BoxError> {
        let options = &self.settings.options;
        let batch = &self.batches.all[choice.batch];
        options.mode.check(batch.cells.isqrt(), batch.notation())?;
        let rules = &choice.ruleset(&self.batches).rules;
        let answer = answer.unwrap_or_default();
        let mut known = ExtraFields::default();
        let Mode::Verify { unique } = options.mode else {
            if options.shuffles() && !is_missing(answer) {
                (_, known.answer_case) = read_answer(answer, rules, &options.alphabet)?;
            }
            return Ok((true, known));
        };
        let fault = if options.lenient && answer.is_empty() {
            known.answer = vec![0; batch.cells];
            Some("no grid in the answer".to_string())
        } else {
            (known.answer, known.answer_case) = read_answer(answer, rules, &options.alphabet)?;
            check_answer(batch, rules, &known.answer, case, &options.alphabet)
        };
        let is_to_solve = (unique && fault.is_none()) || options.solves_checked();
        if fault.is_some() && options.shows(&Column::Conflicts) {
            known.conflicts = count_conflicts(rules, batch.appended(), &known.answer);
        }
        known.fault = fault.map(|reason| self.entries.add_reason(reason));
        Ok((is_to_solve, known))
    }

    /// Records a hint about the first line of the task with an unused field that is probably a
    /// layout or cages. The name of the field shows that or, in [`Input::Lines`], its form. With
    /// `--verify`, lines without names get no hint. A run prints at most one such hint.
    fn record_hint(&mut self, fields: &RecordFields<'_>, cells: usize) {
        if self.entries.field_hint.is_some() {
            return;
        }
        let options = &self.settings.options;
        let hint = match options.input {
            Input::Lines if options.verifies() => None,
            Input::Lines => hints::hint_for_unread_field(fields.rest, cells, &options.variants),
            _ => hints::hint_for_unread_names(fields, &options.variants),
        };
        self.entries.field_hint = hint.map(|hint| (self.entries.entries.len(), hint));
    }

    /// Keeps the puzzle that was appended to its batch, and stores its rules and its seed. Returns
    /// the state of its entry. The seed depends on the number of the entry in the whole input, so
    /// the output does not depend on how the input is cut into tasks.
    #[inline(always)]
    fn complete(&mut self, choice: BatchChoice) -> EntryState {
        let line = self.entries.task.first_line_overall + self.entries.entries.len() as u64;
        let seed = self.settings.options.seed;
        let seed = seed.map(|seed| Random::seed_of_line(seed, line));
        let batch = choice.batch;
        EntryState::ToSolve {
            batch: batch as u32,
            index: self.batches.all[batch].complete(choice, seed) as u32,
        }
    }
}

/// Removes the first line from `left` and returns it, with its end.
fn take_line<'a>(left: &mut &'a [u8]) -> &'a [u8] {
    let end = memchr::memchr(b'\n', left).map_or(left.len(), |end| end + 1);
    let (line, after) = left.split_at(end);
    *left = after;
    line
}

/// Returns the digits of an answer, 0 for a blank cell, and the case of its letters.
///
/// # Errors
/// Returns an error if the field is not a grid of the puzzle's side.
fn read_answer(
    answer: &[u8],
    rules: &Rules,
    alphabet: &Alphabet,
) -> Result<(Vec<u8>, Case), BoxError> {
    if answer.is_empty() {
        return Err("the answer is missing".into());
    }
    if answer.len() != rules.cells() {
        if let Some(reason) = outside_ascii(answer) {
            return Err(format!("answer: {reason}").into());
        }
        let cells = pluralize(answer.len(), "cell");
        let wanted = rules.cells();
        return Err(format!("{cells} in the answer, {wanted} in the puzzle").into());
    }
    let mut digits = Vec::with_capacity(rules.cells());
    let case = alphabet
        .read(answer, rules.side(), &mut digits)
        .map_err(|reason| format!("answer: {reason}"))?;
    Ok((digits, case))
}

/// Checks an answer to the puzzle that is appended to the batch. Returns the reason why it is
/// incorrect, or `None` if it is correct.
fn check_answer(
    batch: &Batch,
    rules: &Rules,
    answer: &[u8],
    case: Case,
    alphabet: &Alphabet,
) -> Option<String> {
    if let Givens::Candidates(candidates) = batch.appended()
        && let Some(reason) = excluded_digit_reason(alphabet, candidates, answer)
    {
        return Some(reason);
    }
    // The grid of a pencilmark puzzle is blank, so `verify` finds no fault with its givens.
    let puzzle = &batch.grids[batch.number * batch.cells..];
    let fault = verify(rules, puzzle, answer).err()?;
    Some(fault.reason(|digit| alphabet.symbol(digit, case)))
}

/// Returns the reason why an answer is incorrect if one of its cells holds a digit that is not a
/// candidate of the cell; otherwise `None`. Also returns `None` for an answer with blank cells:
/// [`verify`] reports these.
fn excluded_digit_reason(alphabet: &Alphabet, candidates: &[u32], answer: &[u8]) -> Option<String> {
    if answer.contains(&0) {
        return None;
    }
    let mut pairs = candidates.iter().zip(answer);
    let cell = pairs.position(|(set, digit)| set >> (digit - 1) & 1 == 0)?;
    let digit = alphabet.symbol(answer[cell], Case::default());
    Some(format!(
        "{} is {digit}, which is not among its pencilmarks",
        Place::of(cell, answer.len().isqrt())
    ))
}
