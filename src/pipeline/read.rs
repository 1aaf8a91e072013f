//! Reads each line of a task into an entry, and adds puzzles to batches. `forms/` splits records
//! into fields, `answer.rs` checks answers.
//!
//! Whatever a source holds that looks like a puzzle, an answer or a rule is either read, or named
//! in a message with its place, and then the exit status is 1 (unless `--require` allows it). So a
//! record with a rule that is not used is invalid: without the rule, its puzzle is another one.

use std::borrow::Cow;

use super::answer::{self, CheckedAnswer};
use super::batch::{Batch, BatchChoice, Batches};
use super::beside::check_beside;
use super::boards::Boards;
use super::decode::{DecodedPuzzle, decode};
use super::entry::{EntryKind, Rejected, TaskEntries};
use super::forms::kind::KnownFields;
use super::forms::named::NamedFields;
use super::forms::{Form, RecordKind, Split};
use super::mode::AnswerUse;
use super::options::{Input, Options};
use super::plain::PlainLines;
use super::question::{PuzzlePlace, Question};
use super::settings::Settings;
use crate::stream::Task;
use crate::stream::records::{Record, Records};
use crate::text::columns::Column;
use crate::text::hints::{self, Explanation};
use crate::text::prose::find_grid;
use crate::text::record::{
    RecordFields, has_inner_cr, is_missing, reason_for_inner_cr, without_end,
};
use crate::text::symbols::Case;
use engine::error::{BoxError, MissingKey};
use engine::puzzle::Givens;
use engine::rules::Rules;
use engine::verdict::Status;

const REPEATED_HEADER_HINT: &str = "the header again; such lines are skipped";

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

struct EntryReader<'a> {
    settings: &'a Settings,
    form: &'static dyn Form,
    entries: TaskEntries<'a>,
    batches: Batches<'a>,
    /// For the board of the puzzle that is being read.
    memory: Boards,
    /// The number of records that were explained to be invalid.
    explained: usize,
}

impl<'a> EntryReader<'a> {
    fn new(settings: &'a Settings, task: &'a Task<'a>) -> EntryReader<'a> {
        EntryReader {
            settings,
            form: settings.input.form(),
            entries: TaskEntries::new(task),
            batches: Batches::new(task.bytes.len(), settings.puzzles_to_solve),
            memory: Boards::default(),
            explained: 0,
        }
    }

    fn read_all(&mut self) {
        let task = self.entries.task;
        if task.overlong {
            let reason = match has_inner_cr(task.bytes) {
                true => reason_for_inner_cr(task.bytes),
                false => self.form.reason_for_overlong(),
            };
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
            self.read_record(record);
        }
    }

    fn reject_unread(&mut self, status: Status, reason: String) {
        let task = self.entries.task;
        let record = task.records().next().expect("the task has a record");
        let text = if task.overlong { record.bytes } else { without_end(record.bytes) };
        self.reject(text, record.line, status, reason);
    }

    fn read_record(&mut self, record: Record<'a>) {
        match self.form.kind_of(&record, self.settings) {
            RecordKind::Header => self.entries.push(record.bytes, record.line, EntryKind::Header),
            RecordKind::RepeatedHeader => {
                self.record_repeated_header();
                self.entries.push(record.bytes, record.line, EntryKind::RepeatedHeader);
            }
            RecordKind::Copied(text) => {
                self.record_comment(text);
                self.entries.push(text, record.line, EntryKind::Copied);
            }
            RecordKind::Invalid(text, reason) => {
                self.reject(text, record.line, Status::Invalid, reason.to_string());
            }
            RecordKind::Fields(text) => self.read_fields(text, record),
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

    fn read_fields(&mut self, text: &'a [u8], record: Record<'a>) {
        self.record_remark(record.remark.map(Cow::Borrowed));
        let trimmed = Record { bytes: text, ..record };
        let (named, question) = match self.form.split(&trimmed, self.settings) {
            Ok(Split { named, fields }) => {
                let question = fields.and_then(|known| self.ask(known, &named, record.number));
                (named, question)
            }
            Err(reason) => (NamedFields::None, Err(reason)),
        };
        match question {
            Ok(question) => {
                self.record_cut_field(text, question.rest);
                self.entries.push_record(text, record.line, named, Ok(question));
            }
            Err(reason) => {
                // The columns of an invalid line are `-`.
                let is_line = self.settings.input == Input::Lines;
                let named = if is_line { NamedFields::None } else { named };
                let rejected = self.rejected(reason, text);
                // It is shown with its byte order mark, if any.
                let shown = without_end(record.bytes);
                self.entries.push_record(shown, record.line, named, Err(rejected));
            }
        }
    }

    /// Explains the reason why a record is invalid, as long as reasons are shown.
    fn rejected(&mut self, reason: BoxError, text: &[u8]) -> Rejected {
        let lacks_key = reason.is::<MissingKey>();
        let is_shown = self.explained < self.entries.task.max_messages
            || self.settings.columns.have(&Column::Reason);
        self.explained += 1;
        let Explanation { reason, hint } = match is_shown {
            true => self.form.explain(reason, text, self.settings),
            false => Explanation::of_reason(reason.to_string()),
        };
        Rejected { status: Status::Invalid, reason, hint, lacks_key }
    }

    fn reject(&mut self, line: &'a [u8], number: u64, status: Status, reason: String) {
        let rejected = Rejected { status, reason, hint: None, lacks_key: false };
        self.entries.push_record(line, number, NamedFields::None, Err(rejected));
    }

    /// Adds the puzzle to a batch if it must be solved or shuffled.
    fn ask(
        &mut self,
        mut known: KnownFields<'a>,
        named: &NamedFields<'_>,
        number: u64,
    ) -> Result<Question<'a>, BoxError> {
        let settings = self.settings;
        let options = &settings.options;
        // Changed where it is, because it is large.
        let fields = &mut known.fields;
        let (puzzle, board) = decode(known.kind, fields, &mut self.memory, settings)?;
        let DecodedPuzzle { rules, regions, statement, items, symbols } = puzzle;
        let remark = check_beside(named, fields, board, settings)?;
        if options.lenient && options.mode.checks_answers() {
            take_grid_from_prose(fields, board.side, symbols.case, options);
        }
        check_board(board, options)?;
        let chosen = self.batches.choose(rules, board.notation, &settings.rulesets)?;
        let rules = self.batches.rules_of(&chosen);
        let answer = fields.answer.as_deref().unwrap_or_default();
        let of_puzzle = (board.givens(), symbols.case);
        let (checked, answer_case) = read_answer(answer, rules, of_puzzle, settings)?;
        let BatchChoice { batch, own_rules } = chosen;
        let puzzles = &mut self.batches.all[batch];
        let board = match settings.puzzles_to_solve.contain(checked.as_ref()) {
            true => puzzles.add(board.givens(), own_rules, settings.seed.of_line(number)),
            false => puzzles.add_checked(board.givens(), own_rules),
        };
        self.record_remark(remark);
        let RecordFields { answer, rest, .. } = known.fields;
        let place = PuzzlePlace { batch: batch as u32, board };
        Ok(Question {
            regions,
            answer,
            rest,
            statement,
            items,
            symbols,
            answer_case,
            place,
            checked,
        })
    }

    /// Records a remark about the record that is being read.
    fn record_remark(&mut self, remark: Option<Cow<'a, str>>) {
        let index = self.entries.entries.len();
        self.entries.remarks.extend(remark.map(|remark| (index, remark)));
    }

    /// Records a hint about the first comment of the task that was probably meant to be a puzzle.
    fn record_comment(&mut self, line: &[u8]) {
        if self.entries.field_hint.is_none() {
            let (alphabet, sizes) =
                (&self.settings.options.alphabet, &self.settings.rulesets.sizes);
            let hint = hints::hint_for_comment(line, alphabet, sizes);
            let hint = hint.or_else(|| self.hint_for_rule(line));
            self.entries.field_hint = hint.map(|hint| (self.entries.entries.len(), hint));
        }
    }

    /// A field of variants states the rules of each line.
    fn hint_for_rule(&self, comment: &[u8]) -> Option<&'static str> {
        let Settings { options, input, .. } = self.settings;
        let names = options.field_names.as_ref();
        if *input != Input::Lines || names.is_some_and(|it| it.index_of("variant").is_some()) {
            return None;
        }
        let task = self.entries.task.bytes;
        let end = comment.as_ptr_range().end.addr() - task.as_ptr().addr();
        hints::hint_for_rule_in_comment(comment, &task[end..], &options.variants)
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

/// Reads the answer as the mode uses it. Returns its case.
fn read_answer(
    answer: &[u8],
    rules: &Rules,
    (givens, case): (Givens<'_>, Case),
    settings: &Settings,
) -> Result<(Option<CheckedAnswer>, Case), BoxError> {
    let options = &settings.options;
    match options.mode.row().answer {
        AnswerUse::Checked => {
            let (mut checked, case) = answer::check(options, rules, givens, case, answer)?;
            if settings.columns.have_any_of(&[Column::Conflicts, Column::Conflicting]) {
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

/// Returns an error for a board that does not suit the mode.
fn check_board(board: &Boards, options: &Options) -> Result<(), BoxError> {
    options.mode.check(board.side, board.notation)?;
    options.mode.check_givens(board.givens())?;
    options.check_pattern(board.givens(), board.cells())?;
    Ok(())
}

/// With `--lenient`, an answer without a grid becomes empty.
fn take_grid_from_prose(fields: &mut RecordFields<'_>, side: usize, case: Case, options: &Options) {
    let answer = fields.answer.as_deref().unwrap_or_default();
    // Symbols of another alphabet than that of the answer would be no puzzle.
    let puzzle = if case == Case::FromZero { b"" } else { &*fields.puzzle };
    let grid = find_grid(answer, puzzle, side, options.alphabet.of_case(case));
    fields.answer = grid.map(Cow::Owned);
}
