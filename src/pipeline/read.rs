//! Reads each line of a task into an entry, and adds puzzles to batches. `forms/` splits records
//! into fields, `answer.rs` checks answers.
//!
//! Whatever a source holds that looks like a puzzle, an answer or a rule is either read, or named
//! in a message with its place, and then the exit status is 1 (unless `--require` allows it). So a
//! record with a rule that is not used is invalid: without the rule, its puzzle is another one.

use std::borrow::Cow;
use std::fmt;

use super::answer::{self, CheckedAnswer};
use super::batch::{Batch, BatchChoice, Batches};
use super::boards::Boards;
use super::decode::{KnownFields, decode, with_lost_zeros};
use super::entry::{EntryKind, Rejected, TaskEntries};
use super::forms::named::NamedFields;
use super::forms::{Split, split};
use super::mode::AnswerUse;
use super::options::Input;
use super::plain::PlainLines;
use super::question::{PuzzlePlace, Question};
use super::settings::Settings;
use crate::stream::Task;
use crate::stream::chunks::OVERLONG_PREFIX;
use crate::stream::records::MAX_LINE;
use crate::stream::records::{Record, Records};
use crate::text::columns::Column;
use crate::text::forms::csv::HeaderWithin;
use crate::text::forms::lines;
use crate::text::hints::{self, Explanation};
use crate::text::notation::has_unread_constraints;
use crate::text::prose::find_grid;
use crate::text::record::{
    Line, RecordFields, has_inner_cr, is_missing, reason_for_inner_cr, without_end,
};
use crate::text::symbols::{Case, CellNotation};
use engine::error::{BoxError, MissingKey};
use engine::rules::Rules;
use engine::verdict::Status;

const TOO_MANY_ROWS: &str =
    "more than 64 KiB of rows without a blank line; one of them is missing or extra";
const REPEATED_HEADER_HINT: &str = "the header again; such lines are skipped";
const JOINED_LINES: &str =
    "another puzzle at the end of a later field: two lines are joined without a line end";
const HEADER_AFTER_RECORD: &str =
    "the header follows the record: files were joined without a line end between them";

/// If the only line of the task caused an internal error, `failure` is the reason; then the line is
/// not read, and its entry is rejected.
pub(super) fn read<'a>(
    settings: &'a Settings,
    task: &'a Task<'a>,
    failure: Option<String>,
) -> (TaskEntries<'a>, Vec<Batch>) {
    let mut reader = EntryReader::new(settings, task);
    match failure {
        None => reader.read_all(),
        Some(reason) => reader.reject_unread(Status::Unknown, reason),
    }
    let in_batches = reader.batches.all.iter().map(|batch| batch.number);
    debug_assert_eq!(
        reader.entries.number_to_solve(),
        in_batches.sum::<usize>(),
        "each puzzle of a batch has an entry"
    );
    if task.attempts.begin > 0 {
        // The task of the first attempts has added the messages about the record.
        (reader.entries.field_hint, reader.entries.remarks) = (None, Vec::new());
    }
    (reader.entries, reader.batches.all)
}

// Remarks.
const FULL_GRID: &str = "a full grid, perhaps a solution, is listed as a puzzle";
const SECOND_PUZZLE: &str = "a second puzzle on the line is not read; \
    tr ' \\t,' '\\n' puts each on a line of its own";

const SECOND_ANSWER: &str = "a second answer on the line is not checked; \
    a line is a puzzle and one answer";

const OTHER_FIELD: &str = "another field has a puzzle, which is not read; \
    --header puzzle=NAME reads the puzzles of that field";

const UNREAD_CONSTRAINTS: &str = "a constraint string is one field with its givens; \
    --fields puzzle,constraints reads it beside a puzzle";

const SOLUTION_FIRST: &str = "the first field is a full grid, and a puzzle follows; \
    --fields solution,puzzle reads the second field as the puzzle";

/// A line has a layout, cages or a puzzle that no option reads. Without them, what is read is
/// another puzzle.
#[derive(Debug)]
struct UnreadFields(&'static str);

impl fmt::Display for UnreadFields {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }
}

impl std::error::Error for UnreadFields {}

fn reason_for_overlong(input: Input, beginning: &[u8]) -> &'static str {
    match has_inner_cr(beginning) {
        true => reason_for_inner_cr(beginning),
        false => input.form().reason_for_overlong(),
    }
}

struct EntryReader<'a> {
    settings: &'a Settings,
    entries: TaskEntries<'a>,
    batches: Batches<'a>,
    /// The board of the puzzle that is being read.
    board: Boards,
    /// The number of records that were explained to be invalid.
    explained: usize,
}

impl<'a> EntryReader<'a> {
    fn new(settings: &'a Settings, task: &'a Task<'a>) -> EntryReader<'a> {
        EntryReader {
            settings,
            entries: TaskEntries::new(task),
            batches: Batches::new(task.bytes.len()),
            board: Boards::new(0, CellNotation::Digits),
            explained: 0,
        }
    }

    fn read_all(&mut self) {
        let task = self.entries.task;
        let input = self.settings.input;
        if task.overlong {
            let reason = reason_for_overlong(input, task.bytes);
            return self.reject_unread(Status::Invalid, reason.to_string());
        }
        let mut records = task.records();
        loop {
            if let Some(plain) = self.settings.plain_lines {
                // Compiled once per CPU level, so that reading grids uses the vectors of the level.
                self.settings.options.level.dispatch(
                    #[inline(always)]
                    || while self.read_plain(plain, &mut records) {},
                );
            }
            let Some(record) = records.next() else { return };
            match input {
                _ if input.form().is_header(&record) => {
                    self.entries.push(record.bytes, record.line, EntryKind::Header);
                }
                Input::Drawn => self.read_drawn(record),
                _ => self.read_line(record),
            }
        }
    }

    fn reject_unread(&mut self, status: Status, reason: String) {
        let record = self.entries.task.records().next().expect("the task has a record");
        let is_drawn = self.settings.input == Input::Drawn;
        let is_text = is_drawn || self.entries.task.overlong;
        let line = if is_text { record.bytes } else { without_end(record.bytes) };
        self.reject(line, record.line, status, reason);
    }

    fn read_drawn(&mut self, record: Record<'a>) {
        let (rows, number) = (record.bytes, record.line);
        let fault = match record.fault {
            _ if rows.len() > MAX_LINE => Some((&rows[..OVERLONG_PREFIX], TOO_MANY_ROWS)),
            fault => fault.map(|fault| (rows, fault)),
        };
        if let Some((shown, reason)) = fault {
            return self.reject(shown, number, Status::Invalid, reason.to_string());
        }
        self.add(rows, rows, record);
        let index = self.entries.entries.len() - 1;
        self.entries.remarks.extend(record.remark.map(|remark| (index, remark)));
        self.record_full_grid();
    }

    /// Records that the puzzle that was added last is perhaps a solution: it has no blank cell.
    fn record_full_grid(&mut self) {
        let entry = self.entries.entries.last().expect("a record was added");
        let is_puzzle = matches!(entry.kind, EntryKind::Record(_, Some(_)));
        if is_puzzle && self.board.is_full() && !self.settings.options.mode.checks_answers() {
            self.entries.remarks.push((self.entries.entries.len() - 1, FULL_GRID));
        }
    }

    /// Returns false, and takes nothing, if the next record is not a plain line.
    #[inline(always)]
    fn read_plain(&mut self, plain: PlainLines, records: &mut Records<'a>) -> bool {
        let Settings { options, rulesets, .. } = self.settings;
        let Some((line, number, place)) =
            plain.read(&options.alphabet, rulesets, records, &mut self.batches)
        else {
            return false;
        };
        self.entries.push(line, number, EntryKind::Plain(place));
        true
    }

    fn read_line(&mut self, record: Record<'a>) {
        if let Some(fault) = record.fault {
            let line = without_end(record.bytes);
            return self.reject(line, record.line, Status::Invalid, fault.to_string());
        }
        if self.is_repeated_header(&record) {
            self.record_repeated_header();
            return self.entries.push(record.bytes, record.line, EntryKind::RepeatedHeader);
        }
        // CSV and JSON have no comments, so only blank lines are copied.
        let is_record = |line: &[u8]| self.settings.input.names_fields() && line.contains(&b'#');
        match Line::of(record.bytes) {
            Line::Copied(shown) if !is_record(shown) => {
                self.record_comment(shown);
                self.entries.push(shown, record.line, EntryKind::Copied);
            }
            Line::Copied(line) | Line::Record(line) => {
                self.add(line, without_end(record.bytes), record);
            }
        }
    }

    fn is_repeated_header(&self, record: &Record<'_>) -> bool {
        let Settings { csv_header, options, .. } = self.settings;
        csv_header.get().and_then(|it| it.header_within(record.bytes, &options.header))
            == Some(HeaderWithin::Again)
    }

    fn ends_with_header(&self, record: &[u8]) -> bool {
        let header = self.settings.csv_header.get();
        header.is_some_and(|header| header.is_end_of(record))
    }

    /// The entry of an invalid record shows `line`: the record with its byte order mark, if any.
    fn add(&mut self, text: &'a [u8], line: &'a [u8], record: Record<'a>) {
        let (named, question) = self.read_record(text, record.number);
        match question {
            Ok(question) => {
                self.record_cut_field(text, question.fields.rest);
                self.record_second_puzzle(&named, &question.fields);
                self.entries.push_record(text, record.line, named, Ok(question));
            }
            Err(reason) => {
                // The columns of an invalid line are `-`.
                let is_line = self.settings.input == Input::Lines;
                let named = if is_line { NamedFields::None } else { named };
                let rejected = self.rejected(reason, text);
                self.entries.push_record(line, record.line, named, Err(rejected));
            }
        }
    }

    /// Returns the named fields of a record, and its question or the reason why it is invalid.
    fn read_record(
        &mut self,
        text: &'a [u8],
        number: u64,
    ) -> (NamedFields<'a>, Result<Question<'a>, BoxError>) {
        let checks_answers = self.settings.options.mode.checks_answers();
        if self.settings.has_unnamed_fields && has_unread_constraints(text, checks_answers) {
            return (NamedFields::None, Err(UnreadFields(UNREAD_CONSTRAINTS).into()));
        }
        match split(text, self.settings) {
            Ok(Split { named, fields }) => {
                (named, fields.and_then(|known| self.ask(known, number)))
            }
            Err(reason) => (NamedFields::None, Err(reason)),
        }
    }

    /// Explains the reason why a record is invalid, as long as reasons are shown.
    fn rejected(&mut self, reason: BoxError, text: &[u8]) -> Rejected {
        let Settings { options, rulesets, .. } = self.settings;
        let (alphabet, sizes) = (&options.alphabet, &rulesets.sizes);
        let reason = match self.ends_with_header(text) {
            true => HEADER_AFTER_RECORD.into(),
            false => reason,
        };
        let lacks_key = reason.is::<MissingKey>();
        let is_explained = reason.is::<UnreadFields>() || !self.is_reason_shown();
        self.explained += 1;
        let (mut reason, mut hint) = (reason.to_string(), None);
        // Most hints are for lines only: the user has chosen any other form by an option.
        if self.settings.has_unnamed_fields && !is_explained {
            Explanation { reason, hint } =
                hints::explain(reason, text, alphabet, sizes, &options.variants);
        } else if self.settings.input == Input::Drawn && !is_explained {
            hint = hints::symbols_hint(text, alphabet, sizes);
        }
        Rejected { status: Status::Invalid, reason, hint, lacks_key }
    }

    /// An explanation takes longer than all else about an invalid line.
    fn is_reason_shown(&self) -> bool {
        self.explained < self.entries.task.max_messages
            || self.settings.columns.have(&Column::Reason)
    }

    fn reject(&mut self, line: &'a [u8], number: u64, status: Status, reason: String) {
        let rejected = Rejected { status, reason, hint: None, lacks_key: false };
        self.entries.push_record(line, number, NamedFields::None, Err(rejected));
    }

    /// Adds the puzzle to a batch if it must be solved or shuffled.
    fn ask(&mut self, mut known: KnownFields<'a>, number: u64) -> Result<Question<'a>, BoxError> {
        let settings = self.settings;
        let options = &settings.options;
        // Changed where it is, because it is large.
        let fields = &mut known.fields;
        let rules = decode(known.kind, fields, settings)?;
        let is_described = rules.are_described && fields.constraints.is_none();
        self.board.restart(rules.rules_key.side, rules.notation);
        let BatchChoice { batch, own_rules } = self.batches.choose(rules, &settings.rulesets)?;
        let read = self.board.read(&fields.puzzle, &options.alphabet);
        let case = read.map_err(|reason| with_lost_zeros(reason, &fields.puzzle, settings))?;
        let case = fields.numbering.case(case);
        self.check_rest(fields.rest)?;
        if options.lenient && options.mode.checks_answers() {
            self.take_grid_from_prose(fields, case);
        }
        self.check_board(fields.rest)?;
        let rules = &self.batches.all[batch].ruleset_of(own_rules.as_ref()).rules;
        let answer = fields.answer.as_deref().unwrap_or_default();
        let (checked, answer_case) = self.read_answer(answer, rules, case)?;
        let is_to_solve = settings.puzzles_to_solve.contain(checked.as_ref());
        let seed = settings.seed.of_line(number);
        let add =
            || self.batches.all[batch].add(self.board.givens(), own_rules.as_ref(), seed) as u32;
        let place = PuzzlePlace { batch: batch as u32, index: is_to_solve.then(add) };
        let fields = known.fields;
        Ok(Question { fields, is_described, case, answer_case, place, own_rules, checked })
    }

    /// Reads the answer as the mode uses it. `case` is that of the puzzle. Returns the case of the
    /// answer.
    fn read_answer(
        &self,
        answer: &[u8],
        rules: &Rules,
        case: Case,
    ) -> Result<(Option<CheckedAnswer>, Case), BoxError> {
        let (options, givens) = (&self.settings.options, self.board.givens());
        match options.mode.row().answer {
            AnswerUse::Checked => {
                let (mut checked, case) = answer::check(options, rules, givens, case, answer)?;
                let columns = &self.settings.columns;
                if columns.have_any_of(&[Column::Conflicts, Column::Conflicting]) {
                    checked.find_conflicts(rules, givens);
                }
                Ok((Some(checked), case))
            }
            AnswerUse::Transformed if !is_missing(answer) => {
                Ok((None, answer::read_answer(answer, rules, &options.alphabet, case)?.1))
            }
            AnswerUse::Transformed | AnswerUse::Copied => Ok((None, Case::default())),
        }
    }

    /// Returns an error if the text after the fields ends with the puzzle of another line.
    fn check_rest(&self, rest: &[u8]) -> Result<(), BoxError> {
        let options = &self.settings.options;
        let is_text = options.lenient && options.mode.checks_answers();
        match !is_text && lines::holds_next_line(rest, self.board.cells(), &options.alphabet) {
            true => Err(JOINED_LINES.into()),
            false => Ok(()),
        }
    }

    /// Returns an error for a board that does not suit the mode, or beside which rules or a puzzle
    /// are not read.
    fn check_board(&self, rest: &[u8]) -> Result<(), BoxError> {
        let (options, board) = (&self.settings.options, &self.board);
        options.mode.check(board.side, board.notation)?;
        if self.settings.has_unnamed_fields && !options.mode.checks_answers() {
            let unread = hints::unread_rules(rest, board.cells(), &options.variants);
            unread.map_or(Ok(()), |rules| Err(UnreadFields(rules)))?;
            if board.is_full() && lines::has_puzzle(rest, &options.alphabet) {
                return Err(UnreadFields(SOLUTION_FIRST).into());
            }
        }
        options.mode.check_givens(board.givens())?;
        options.check_pattern(board.givens(), board.cells())?;
        Ok(())
    }

    /// With `--lenient`, an answer without a grid becomes empty.
    fn take_grid_from_prose(&self, fields: &mut RecordFields<'a>, case: Case) {
        let answer = fields.answer.as_deref().unwrap_or_default();
        let alphabet = self.settings.options.alphabet.of_case(case);
        // Symbols of another alphabet than that of the answer would be no puzzle.
        let puzzle = if case == Case::FromZero { b"" } else { &*fields.puzzle };
        let grid = find_grid(answer, puzzle, self.board.side, alphabet);
        fields.answer = grid.map(Cow::Owned);
    }

    /// Records that the record has another puzzle or answer of the same size.
    fn record_second_puzzle(&mut self, named: &NamedFields<'_>, fields: &RecordFields<'_>) {
        let options = &self.settings.options;
        let remark = if self.settings.has_unnamed_fields && options.mode.checks_answers() {
            lines::has_other_answer(fields, &options.alphabet).then_some(SECOND_ANSWER)
        } else if self.settings.has_unnamed_fields {
            lines::has_other_puzzle(fields, &options.alphabet).then_some(SECOND_PUZZLE)
        } else {
            named.has_other_puzzle(&fields.puzzle, self.settings).then_some(OTHER_FIELD)
        };
        let index = self.entries.entries.len();
        self.entries.remarks.extend(remark.map(|remark| (index, remark)));
    }

    /// Records a hint about the first comment of the task that was probably meant to be a puzzle.
    fn record_comment(&mut self, line: &[u8]) {
        if self.entries.field_hint.is_none() {
            let (alphabet, sizes) =
                (&self.settings.options.alphabet, &self.settings.rulesets.sizes);
            let hint = hints::hint_for_comment(line, alphabet, sizes);
            self.entries.field_hint = hint.map(|hint| (self.entries.entries.len(), hint));
        }
    }

    fn record_repeated_header(&mut self) {
        let hint = (self.entries.entries.len(), REPEATED_HEADER_HINT);
        self.entries.field_hint.get_or_insert(hint);
    }

    /// Records a hint about the first line of the task whose last named field is probably cut at a
    /// blank, if a column shows this field and none shows the rest of the line.
    fn record_cut_field(&mut self, record: &[u8], rest: &[u8]) {
        let options = &self.settings.options;
        let Some(names) = &options.field_names else { return };
        if self.entries.field_hint.is_some() || self.settings.columns.have(&Column::Rest) {
            return;
        }
        let Some(name) = names.cut_field(record, rest) else { return };
        if self.settings.columns.have(&Column::Carried(name.to_string())) {
            let hint = "the last field of --fields ends at its first blank; \
                tabs between the fields of a line keep the blanks within them";
            self.entries.field_hint = Some((self.entries.entries.len(), hint));
        }
    }
}
