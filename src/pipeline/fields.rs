//! Splits a record into fields, and decodes cages and the forms that a puzzle field can have:
//!
//! * a notation that describes its rules,
//! * a grid with separators between its rows or cells,
//! * a puzzle directly followed by its layout, its cages or both,
//! * a grid with the `+` marks of HoDoKu.
//!
//! The symbols of puzzles are read in `batch.rs`, the labels of layouts in `rulesets.rs`.

use std::borrow::Cow;

use super::batch::LineRules;
use super::options::{CellNotation, Input, Options};
use super::rulesets::RulesKey;
use super::settings::Settings;
use crate::error::{BoxError, InvalidInput};
use crate::rules::MAX_SIDE;
use crate::text::forms::json::JsonObject;
use crate::text::forms::lines::{self, Separators};
use crate::text::grid_input;
use crate::text::notation::{
    DescribedPuzzle, cells_of_cages, is_self_describing, looks_like_cages,
};
use crate::text::one_line;
use crate::text::record::{FieldSet, OTHER_LINE_ENDS, RecordFields, has_inner_cr, is_missing};
use crate::text::size::pencilmark_side;
use crate::text::symbols::{Alphabet, Case, outside_ascii};

/// Splits a record into fields.
///
/// # Errors
/// Returns an error in these cases:
///
/// * The line is not a record of the input's format (CSV, JSON or drawn puzzles).
/// * A JSON object has no key for the puzzle, has a value that cannot be a field, or with
///   `--shuffle` has two answers.
/// * In input other than CSV and JSON, a byte other than CR follows a CR.
pub(super) fn split<'a>(
    record: &'a [u8],
    settings: &Settings,
) -> Result<RecordFields<'a>, BoxError> {
    let expected = settings.options.expected_fields();
    let separators = if expected.cages { Separators::Blanks } else { Separators::Usual };
    match (&settings.options.input, settings.header()) {
        (Input::Csv, Some(header)) => header.split(record),
        (Input::Json, _) => fields_of_object(record, &settings.options),
        _ if has_inner_cr(record) => Err(OTHER_LINE_ENDS.into()),
        (Input::Drawn, _) => Ok(grid_input::fields_of_entry(record, expected)?),
        (Input::Named(names), _) => Ok(names.split(record, separators)),
        _ => {
            let alphabet = &settings.options.alphabet;
            let included_in = |field: &[u8]| included(&alphabet.without_marks(field), settings);
            let fields = lines::split(expected, record, separators, included_in);
            Ok(grid_on_line(record, &fields, settings).unwrap_or(fields))
        }
    }
}

fn fields_of_object<'a>(record: &'a [u8], options: &Options) -> Result<RecordFields<'a>, BoxError> {
    let object = JsonObject::parse(record)?;
    if options.shuffles() {
        object.check_only_answer(&options.header)?;
    }
    Ok(object.fields(&options.header, &options.alphabet, options.expected_fields())?)
}

/// With [`Input::Lines`], returns the grid of a line that [`one_line::read_grid`] reads: the line
/// has nothing but a grid of side 6 or more, with separators between its rows or cells. Returns
/// `None` for any other line, and for other input. Also returns `None` if the first field is a
/// whole puzzle by its length, or is longer than a row (`MAX_SIDE` symbols).
fn grid_on_line<'a>(
    record: &[u8],
    fields: &RecordFields<'_>,
    settings: &Settings,
) -> Option<RecordFields<'a>> {
    let alphabet = &settings.options.alphabet;
    let length = alphabet.without_marks(&fields.puzzle).len();
    let can_be_grid = settings.options.input == Input::Lines
        && (1..=MAX_SIDE).contains(&length)
        && settings.rulesets.sizes.side(length).is_err();
    if !can_be_grid {
        return None;
    }
    let grid = one_line::read_grid(record, alphabet)?;
    Some(RecordFields { puzzle: grid.into(), ..RecordFields::default() })
}

/// Removes the line ends of a field. If its cells are separated by spaces or commas, replaces each
/// line end by a space.
fn join_lines(field: &mut Cow<'_, [u8]>) {
    // Only a quoted field, which is owned, can have line ends.
    let Cow::Owned(field) = field else { return };
    let is_end = |byte: &u8| matches!(byte, b'\r' | b'\n');
    if memchr::memchr2(b'\r', b'\n', field).is_none() {
        return;
    }
    if field.iter().any(|byte| matches!(byte, b' ' | b',')) {
        field.iter_mut().filter(|byte| is_end(byte)).for_each(|byte| *byte = b' ');
    } else {
        field.retain(|byte| !is_end(byte));
    }
}

/// If a field contains a space or a comma and [`one_line::read_grid`] reads it, replaces it by the
/// symbols of its grid. This removes the separators between rows or cells, and turns cells that are
/// numbers of two digits into symbols.
fn join_cells(field: &mut Cow<'_, [u8]>, alphabet: &Alphabet) {
    // Most fields have neither, and need no other test.
    if memchr::memchr2(b' ', b',', field).is_some()
        && let Some(grid) = one_line::read_grid(field, alphabet)
    {
        *field = grid.into();
    }
}

/// Removes, from a puzzle or an answer, the `+` that HoDoKu writes before each digit that is not a
/// given. A field that describes its rules is left as it is.
fn drop_marks(field: &mut Cow<'_, [u8]>, alphabet: &Alphabet) {
    if let Cow::Owned(unmarked) = alphabet.without_marks(field)
        && !is_self_describing(field)
    {
        *field = unmarked.into();
    }
}

/// Decodes the fields that have a notation of their own. Afterwards the puzzle has one symbol per
/// cell, or N symbols per cell for pencilmarks, and includes neither a layout nor cages. Returns
/// the rules that the line states, and the notation of its cells.
///
/// # Errors
/// Returns an error in these cases:
///
/// * The puzzle, its layout or its cages are missing or cannot be decoded.
/// * The puzzle has the wrong number of symbols.
/// * `--regions` would replace regions or boxes that the puzzle field states.
/// * The alphabet has too few symbols for a puzzle whose field describes its rules.
pub(super) fn decode(
    fields: &mut RecordFields<'_>,
    settings: &Settings,
) -> Result<LineRules, BoxError> {
    let options = &settings.options;
    // In lines and JSON objects, `split` has joined the cells already.
    if !matches!(options.input, Input::Lines | Input::Json) {
        for grid in grids(fields, options) {
            join_lines(grid);
            join_cells(grid, &options.alphabet);
        }
    }
    if options.input == Input::Csv {
        split_puzzle_at_blanks(fields, settings);
    }
    grids(fields, options).for_each(|grid| drop_marks(grid, &options.alphabet));
    let expects_cages = options.expected_fields().cages;
    if expects_cages {
        complete_fields_of_killer(fields, settings);
    }
    if fields.puzzle.is_empty() {
        return Err("the puzzle is missing".into());
    }
    if let Some(described) = DescribedPuzzle::decode(&fields.puzzle) {
        return take_described(described?, fields, settings);
    }
    let parts = included(&fields.puzzle, settings);
    if parts != FieldSet::default() {
        split_puzzle_by_length(fields, parts);
    }
    let (side, notation) = side_and_notation(&fields.puzzle, settings)?;
    let has_layout = needs_layout(fields, options);
    if has_layout && fields.regions.as_deref().unwrap_or_default().is_empty() {
        return Err(missing("regions", settings));
    }
    let mut rules = LineRules {
        rules_key: RulesKey::of_side(side),
        notation,
        has_layout,
        cages: Vec::new(),
        are_described: false,
    };
    if expects_cages {
        read_cages(fields.cages.as_deref(), &mut rules, None, settings)?;
    }
    Ok(rules)
}

/// Returns the fields that hold a grid: the puzzle, and the answer unless it can be prose.
fn grids<'f, 'a>(
    fields: &'f mut RecordFields<'a>,
    options: &Options,
) -> impl Iterator<Item = &'f mut Cow<'a, [u8]>> {
    let answer = fields.answer.as_mut().filter(|_| !options.lenient);
    [&mut fields.puzzle].into_iter().chain(answer)
}

/// Returns the side of a puzzle and the notation of its cells, by the number of its symbols. 64
/// symbols are an 8x8 puzzle or the pencilmarks of a 4x4; `--input pencilmarks` decides.
///
/// # Errors
/// Returns an error if no puzzle has this number of symbols.
fn side_and_notation(
    puzzle: &[u8],
    settings: &Settings,
) -> Result<(usize, CellNotation), InvalidInput> {
    let of_digits = settings.rulesets.sizes.side(puzzle.len());
    let of_pencilmarks = side_of_pencilmarks(puzzle.len(), settings);
    match (of_digits, of_pencilmarks) {
        (Ok(side), None) => Ok((side, CellNotation::Digits)),
        (Ok(side), Some(_)) if !settings.options.pencilmarks => Ok((side, CellNotation::Digits)),
        (_, Some(side)) => Ok((side, CellNotation::Pencilmarks)),
        // A symbol such as `·` has several bytes, so it can cause the wrong length.
        (Err(reason), None) => Err(outside_ascii(puzzle).unwrap_or(reason)),
    }
}

/// Returns the side of a pencilmark puzzle with this number of symbols, or `None` if the options
/// allow no such puzzle.
fn side_of_pencilmarks(symbols: usize, settings: &Settings) -> Option<usize> {
    let side = pencilmark_side(symbols)?;
    settings.rulesets.sizes.side(side * side).ok()
}

/// Returns whether a puzzle needs the layout of its line. A `-` in place of the layout says that
/// the puzzle has boxes only.
fn needs_layout(fields: &RecordFields<'_>, options: &Options) -> bool {
    options.expected_fields().regions && fields.regions.as_deref() != Some(b"-")
}

/// Completes the fields of a killer line that has only one of puzzle and cages. If the field that
/// it has looks like cages and does not include a puzzle, that field becomes the cages, and the
/// puzzle becomes one blank for each cell. Otherwise the field becomes the puzzle.
fn complete_fields_of_killer(fields: &mut RecordFields<'_>, settings: &Settings) {
    let cages = fields.cages.as_deref().unwrap_or_default();
    if !fields.puzzle.is_empty() && !cages.is_empty() {
        return;
    }
    if fields.puzzle.is_empty() {
        fields.puzzle = fields.cages.take().unwrap_or_default();
    }
    let field = &fields.puzzle;
    let are_cages = looks_like_cages(field)
        && !is_self_describing(field)
        && included(field, settings) == FieldSet::default();
    if are_cages {
        let blank = settings.options.alphabet.blank_of(b"");
        let puzzle = vec![blank; cells_of_cages(field)];
        fields.cages = Some(std::mem::replace(&mut fields.puzzle, puzzle.into()));
    }
}

/// Returns which fields of rules a record can have besides a puzzle that describes its rules: a
/// layout, cages, both or neither. The options must expect them. A layout also requires that the
/// puzzle states neither regions nor boxes that the layout would replace; cages require that it
/// states no cages.
fn fields_beside(described: &DescribedPuzzle, settings: &Settings) -> FieldSet {
    let expected = settings.options.expected_fields();
    let is_divided = described.regions.is_some()
        || (described.boxes.is_some() && settings.rulesets.regions_replace_boxes());
    FieldSet::of_rules(expected.regions && !is_divided, expected.cages && described.cages.is_none())
}

/// Replaces a puzzle field that describes its rules by the symbols of the puzzle, and the layout
/// field by the layout that the puzzle states, if it states one. Fields of rules that the record
/// cannot have [besides](fields_beside) such a puzzle are dropped, so that no column shows them.
/// Returns the rules.
///
/// # Errors
/// Returns an error if `--regions` would replace regions or boxes that the field states, if the
/// alphabet has too few symbols, or if the cages cannot be decoded.
fn take_described(
    described: DescribedPuzzle,
    fields: &mut RecordFields<'_>,
    settings: &Settings,
) -> Result<LineRules, BoxError> {
    let options = &settings.options;
    if options.regions.is_some() {
        check_against_regions(&described, settings)?;
    }
    let (side, boxes) = (described.side, described.boxes);
    options.alphabet.check_side(side)?;
    let mut puzzle = Vec::with_capacity(described.digits.len());
    options.alphabet.write(&described.digits, Case::default(), &mut puzzle);
    fields.puzzle = puzzle.into();
    let beside = fields_beside(&described, settings);
    fields.regions = fields.regions.take().filter(|it| beside.regions && !is_missing(it));
    fields.cages = fields.cages.take().filter(|it| beside.cages && !is_missing(it));
    if let Some(regions) = &described.regions {
        fields.regions = Some(regions.clone().into());
    }
    let mut rules = LineRules {
        rules_key: settings.rulesets.key(side, boxes, described.diagonals),
        notation: CellNotation::Digits,
        has_layout: fields.regions.is_some(),
        cages: described.cages.clone().unwrap_or_default(),
        are_described: true,
    };
    if fields.cages.is_some() {
        read_cages(fields.cages.as_deref(), &mut rules, Some(&described), settings)?;
    }
    Ok(rules)
}

/// Returns an error if the layout of `--regions` would replace regions or boxes that the puzzle
/// field of a line states.
fn check_against_regions(described: &DescribedPuzzle, settings: &Settings) -> Result<(), BoxError> {
    if described.regions.is_some() {
        let reason = "the line has its own regions, but --regions sets one layout for all lines";
        return Err(reason.into());
    }
    if described.boxes.is_some() && settings.rulesets.regions_replace_boxes() {
        let reason = "the line has its own boxes, which --regions would replace; \
            --variant regions adds the regions to them";
        return Err(reason.into());
    }
    Ok(())
}

/// Reads the cages field of a killer, and stores the cages in `rules`. A field of cage numbers also
/// states diagonals and boxes, which are stored too. Its boxes are ignored if regions replace them,
/// or if the puzzle states boxes. `described` is the puzzle field if it describes its rules.
/// Returns an error if the field is missing or cannot be decoded.
fn read_cages(
    field: Option<&[u8]>,
    rules: &mut LineRules,
    described: Option<&DescribedPuzzle>,
    settings: &Settings,
) -> Result<(), BoxError> {
    let side = rules.rules_key.side;
    let field = match field {
        // The column `cages` shows `-` for a puzzle without cages.
        Some(b"-") => return Ok(()),
        Some(b"") if settings.options.input.has_named_columns() => return Ok(()),
        None | Some(b"") => return Err(missing("cages", settings)),
        Some(field) => field,
    };
    let read = DescribedPuzzle::read_cages(field, side).map_err(|error| {
        if looks_like_cages(field) {
            error.into()
        } else {
            // The field is probably a note or an answer.
            missing("cages", settings)
        }
    })?;
    let has_regions = rules.has_layout || settings.options.regions.is_some();
    let has_boxes = !(has_regions && settings.rulesets.regions_replace_boxes());
    let boxes_of_puzzle = described.and_then(|described| described.boxes);
    let boxes = boxes_of_puzzle.or(read.boxes.filter(|_| has_boxes));
    let diagonals = read.diagonals || described.is_some_and(|described| described.diagonals);
    rules.rules_key = settings.rulesets.key(side, boxes, diagonals);
    rules.cages = read.cages.unwrap_or_default();
    Ok(())
}

/// Returns the error about a record without its layout (`regions`) or without its `cages`.
fn missing(field: &str, settings: &Settings) -> BoxError {
    let expected = settings.options.expected_fields();
    let name = |is_expected, name| if is_expected { name } else { "" };
    let regions = name(expected.regions, " REGIONS");
    let cages = name(expected.cages, " CAGES");
    match settings.options.input.has_named_columns() {
        true => format!(
            "the {field} are missing; if they have another name than {field}: --header {field}=NAME"
        ),
        false => format!("the {field} are missing; expected PUZZLE{regions}{cages}"),
    }
    .into()
}

/// Returns whether a puzzle field includes a layout, cages or both. The first rule that fits
/// decides:
///
/// * A field that describes its rules counts as including the layout if the record cannot have a
///   layout [besides](fields_beside) it, and likewise the cages.
/// * With `--input pencilmarks`, a field with a length of pencilmarks includes neither.
/// * A field with the length of three puzzles of one side includes both, if the options expect
///   both.
/// * A field with the length of two puzzles of one side includes the layout if the options expect
///   it, otherwise the cages if the options expect them.
/// * Any other field includes neither.
///
/// The parts have one symbol per cell, so cages are arrows here. Two or three times a square number
/// is not a square number, so the length of several parts is never that of a puzzle alone.
fn included(field: &[u8], settings: &Settings) -> FieldSet {
    let options = &settings.options;
    if is_self_describing(field) {
        let beside = match DescribedPuzzle::decode(field) {
            Some(Ok(described)) => fields_beside(&described, settings),
            _ => FieldSet::default(),
        };
        return FieldSet::of_rules(!beside.regions, !beside.cages);
    }
    if options.pencilmarks && side_of_pencilmarks(field.len(), settings).is_some() {
        return FieldSet::default();
    }
    let FieldSet { regions, cages, .. } = options.expected_fields();
    // True if the field can be this many grids of one size, one after the other.
    let is_made_of = |parts: usize| {
        let cells = field.len() / parts;
        field.len() == parts * cells
            && cells.isqrt().pow(2) == cells
            && settings.rulesets.sizes.side(cells).is_ok()
    };
    if regions && cages && is_made_of(3) {
        return FieldSet::of_rules(true, true);
    }
    if (regions || cages) && is_made_of(2) {
        // If the options expect both, the second part is the layout.
        return FieldSet::of_rules(regions, !regions);
    }
    FieldSet::default()
}

/// Splits a puzzle field of a CSV record at its blanks into `PUZZLE [REGIONS] [CAGES]`, with the
/// parts that the options expect. The parts that are found replace the fields of the columns
/// `regions` and `cages`. Any text after them is dropped. Leaves a field as it is if it contains no
/// space or describes its rules, or if the options expect neither regions nor cages.
fn split_puzzle_at_blanks(fields: &mut RecordFields<'_>, settings: &Settings) {
    let FieldSet { regions, cages, .. } = settings.options.expected_fields();
    let puzzle = fields.puzzle.trim_ascii();
    let can_have_parts =
        (regions || cages) && puzzle.contains(&b' ') && !is_self_describing(puzzle);
    if !can_have_parts {
        return;
    }
    let puzzle = puzzle.to_vec();
    let expected = FieldSet::of_rules(regions, cages);
    let read = lines::split(expected, &puzzle, Separators::Blanks, |_| FieldSet::default());
    let owned = |field: Option<Cow<'_, [u8]>>| field.map(|field| Cow::Owned(field.into_owned()));
    fields.puzzle = read.puzzle.into_owned().into();
    fields.regions = owned(read.regions).or(fields.regions.take());
    fields.cages = owned(read.cages).or(fields.cages.take());
}

/// Splits a puzzle field into equally long parts: the puzzle, then the `included` fields. The parts
/// replace the fields of the line.
fn split_puzzle_by_length(fields: &mut RecordFields<'_>, included: FieldSet) {
    let parts = 1 + usize::from(included.regions) + usize::from(included.cages);
    let cells = fields.puzzle.len() / parts;
    let field = std::mem::take(&mut fields.puzzle);
    let part = |number: usize| match &field {
        Cow::Borrowed(field) => Cow::Borrowed(&field[number * cells..][..cells]),
        Cow::Owned(field) => Cow::Owned(field[number * cells..][..cells].to_vec()),
    };
    fields.puzzle = part(0);
    if included.regions {
        fields.regions = Some(part(1));
    }
    if included.cages {
        fields.cages = Some(part(parts - 1)); // The cages come last.
    }
}
