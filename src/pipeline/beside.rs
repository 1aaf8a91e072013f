//! Looks at the parts of a record that are not read, once its puzzle is known: they can hold the next
//! record, rules, other puzzles, answers and solutions, which the size and the digits of the puzzle
//! identify. `forms/unread.rs` looks for rules and layouts before.

use std::borrow::Cow;

use super::boards::Boards;
use super::forms::named::{NamedFields, Names};
use super::options::{Input, Options};
use super::settings::Settings;
use crate::text::forms::lines;
use crate::text::hints::{self, UnreadFields};
use crate::text::record::{Field, RecordFields};
use crate::text::unread::{is_other_puzzle, keeps_givens};
use engine::error::{BoxError, InvalidInput};
use engine::puzzle::Givens;

// Reasons.
const JOINED_LINES: &str =
    "another puzzle at the end of a later field: two lines are joined without a line end";

const SOLUTION_FIRST: &str = "the first field is a full grid, and a puzzle follows; \
    --fields solution,puzzle reads the second field as the puzzle";

// Remarks.
const SECOND_ANSWER: &str = "a second answer on the line is not checked; \
    a line is a puzzle and one answer";

const SECOND_PUZZLE: &str = "a second puzzle on the line is not read; \
    tr ' \\t,' '\\n' puts each on a line of its own";

const FULL_GRID: &str = "a full grid, perhaps a solution, is listed as a puzzle";

type Remark = Cow<'static, str>;

/// Returns an error if the parts that are not read would change the puzzle, or a remark about them.
/// `board` is that of the puzzle.
pub(super) fn check_beside(
    named: &NamedFields<'_>,
    fields: &RecordFields<'_>,
    board: &Boards,
    settings: &Settings,
) -> Result<Option<Remark>, BoxError> {
    match settings.input {
        Input::Lines => check_rest(fields, board, settings),
        Input::Csv | Input::Json => {
            check_solutions_change(named, board, settings)?;
            Ok(remark_on_other_puzzle(named, &fields.puzzle, settings).map(Cow::Owned))
        }
        Input::Drawn => {
            let can_be_solution = board.is_full() && !settings.options.mode.checks_answers();
            Ok(can_be_solution.then_some(FULL_GRID.into()))
        }
    }
}

/// Looks at the text after the fields of a line.
fn check_rest(
    fields: &RecordFields<'_>,
    board: &Boards,
    settings: &Settings,
) -> Result<Option<Remark>, BoxError> {
    let (rest, options, cells) = (fields.rest, &settings.options, board.cells());
    let checks_answers = options.mode.checks_answers();
    let is_text = options.lenient && checks_answers;
    if !is_text && lines::holds_next_line(rest, board.side, &options.alphabet) {
        return Err(JOINED_LINES.into());
    }
    if !settings.has_unnamed_fields {
        return Ok(None);
    }
    if checks_answers {
        if !is_text && let Some(rule) = hints::unread_rule_after_answer(rest, &options.variants) {
            return Err(UnreadFields(rule).into());
        }
        let has_two = lines::has_other_answer(fields, &options.alphabet);
        return Ok(has_two.then_some(SECOND_ANSWER.into()));
    }
    if let Some(rules) = hints::unread_rules(rest, cells, &options.variants) {
        return Err(UnreadFields(rules).into());
    }
    if board.is_full() && lines::has_puzzle(rest, &options.alphabet) {
        return Err(UnreadFields(SOLUTION_FIRST).into());
    }
    let has_two = lines::has_other_puzzle(fields, &options.alphabet);
    Ok(has_two.then_some(SECOND_PUZZLE.into()))
}

/// Returns a remark if a field that is not read has another puzzle.
fn remark_on_other_puzzle(
    named: &NamedFields<'_>,
    puzzle: &[u8],
    settings: &Settings,
) -> Option<String> {
    let Options { alphabet, header: names, .. } = &*settings.options;
    let is_other = |field: &[u8]| is_other_puzzle(puzzle, field, alphabet);
    let name = match named {
        NamedFields::None => return None,
        NamedFields::InOrder { names, fields } => names.find_unread(fields, is_other)?,
        NamedFields::Object(object) => object.other_puzzle(puzzle, names, alphabet)?.to_string(),
    };
    Some(format!(
        "'{name}' has a puzzle, which is not read; \
         --header puzzle=NAME reads the puzzles of that field"
    ))
}

/// Returns an error if the copy of a record would have a solution of the puzzle that does not
/// change with it.
fn check_solutions_change(
    named: &NamedFields<'_>,
    board: &Boards,
    settings: &Settings,
) -> Result<(), InvalidInput> {
    let Options { mode, header: names, alphabet, kept, .. } = &*settings.options;
    if !mode.writes_equivalents() || !settings.output.copies_records() {
        return Ok(());
    }
    let givens: Cow<'_, [u8]> = match board.givens() {
        Givens::Digits(digits) => digits.into(),
        Givens::Candidates(sets) => vec![0; sets.len()].into(),
    };
    let (name, has_answer) = match named {
        NamedFields::None | NamedFields::InOrder { names: Names::Option(_), .. } => return Ok(()),
        NamedFields::InOrder { names: Names::Header(header), fields } => {
            let is_unchanged = |&index: &usize| {
                header.field_of(index).is_none() && keeps_givens(&givens, &fields[index], alphabet)
            };
            let found = (0..fields.len()).find(is_unchanged);
            let name = found.map(|index| Names::Header(header).name(index));
            (name, header.has_column(Field::Answer))
        }
        NamedFields::Object(object) => {
            let found = object.other_solution(&givens, names, alphabet).map(str::to_string);
            (found, object.has_field(Field::Answer, names))
        }
    };
    let Some(name) = name.filter(|name| kept.has(name.as_bytes())) else { return Ok(()) };
    let remedy = match has_answer {
        true => "--keep chooses the fields that are copied".to_string(),
        false => format!("--header answer={name} changes it"),
    };
    Err(format!("'{name}' has a solution, which does not change with the puzzle; {remedy}").into())
}
