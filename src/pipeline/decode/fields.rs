//! The rules in the fields beside a puzzle: its layout, its cages, and its size.

use std::borrow::Cow;
use std::mem::{replace, take};

use super::line_rules::{DecodedPuzzle, LineRules};
use crate::pipeline::boards::Boards;
use crate::pipeline::rulesets::RulesKey;
use crate::pipeline::settings::Settings;
use crate::text::foreign;
use crate::text::notation::{DescribedPuzzle, cells_of_cages, looks_like_cages};
use crate::text::record::{FieldSet, RecordFields};
use crate::text::size::{CellNotation, Size, Sizes};
use crate::text::symbols::outside_ascii;
use engine::error::{BoxError, InvalidInput};

pub(super) const OWN_REGIONS: &str =
    "the line has its own regions, but --regions sets one layout for all lines";

/// The field of the puzzle holds the cages of a killer without givens.
pub(super) fn store_cages_alone(
    fields: &mut RecordFields<'_>,
    settings: &Settings,
) -> Result<(), BoxError> {
    let blank = settings.options.alphabet.blank_of(b"");
    let cells = vec![blank; cells_of_cages(&fields.puzzle)?];
    fields.cages = Some(replace(&mut fields.puzzle, cells.into()));
    Ok(())
}

/// The parts are the puzzle, then the fields in `parts`.
pub(super) fn store_parts(parts: FieldSet, fields: &mut RecordFields<'_>) {
    let field = take(&mut fields.puzzle);
    let number = 1 + usize::from(parts.regions) + usize::from(parts.cages);
    let cells = field.len() / number;
    let part = |index: usize| match &field {
        Cow::Borrowed(field) => Cow::Borrowed(&field[index * cells..][..cells]),
        Cow::Owned(field) => Cow::Owned(field[index * cells..][..cells].to_vec()),
    };
    fields.puzzle = part(0);
    if parts.regions {
        fields.regions = Some(part(1));
    }
    if parts.cages {
        fields.cages = Some(part(number - 1)); // The cages come last.
    }
}

/// Returns a puzzle whose field states no rules. `side` is set if another field states it.
pub(super) fn puzzle_of_fields<'a>(
    side: Option<usize>,
    fields: &mut RecordFields<'a>,
    board: &mut Boards,
    settings: &Settings,
) -> Result<DecodedPuzzle<'a>, BoxError> {
    let expected = settings.expected;
    let (layout, regions) = layout_of_field(fields.regions.take(), fields.puzzle.len(), settings)?;
    let fields = &*fields;
    let with_lost_zeros = |reason| with_lost_zeros(reason, &fields.puzzle, settings);
    let size = match side {
        Some(side) => (side, CellNotation::Digits),
        None => size_of_puzzle(&fields.puzzle, fields.size, layout.is_some(), settings)
            .map_err(with_lost_zeros)?,
    };
    let mut rules =
        LineRules { rules_key: RulesKey::of_side(size.0), layout, cages: Vec::new(), stated: None };
    if expected.cages || fields.cages.is_some() {
        read_cages(fields.cages.as_deref(), &mut rules, None, settings)?;
    }
    let symbols = board.read(&fields.puzzle, size, &settings.options.alphabet);
    let mut puzzle = DecodedPuzzle::new(rules, regions, symbols.map_err(with_lost_zeros)?);
    // A copied record keeps its fields.
    let is_copied = settings.copies_all_fields();
    let states_layout = puzzle.rules.layout.is_some() && !expected.regions;
    let states_cages = !puzzle.rules.cages.is_empty() && !expected.cages;
    puzzle.statement.require_fields((states_layout || states_cages) && !is_copied);
    Ok(puzzle)
}

/// A layout of the rules, and the one that output lines show.
type LayoutOfField<'a> = (Option<Cow<'a, [u8]>>, Option<Cow<'a, [u8]>>);

/// A `-` in place of the layout says that the puzzle has boxes only. Returns an error for a layout
/// that differs from that of `--regions`, which would replace it. `cells` are those of the puzzle.
fn layout_of_field<'a>(
    field: Option<Cow<'a, [u8]>>,
    cells: usize,
    settings: &Settings,
) -> Result<LayoutOfField<'a>, BoxError> {
    let field = field.unwrap_or_default();
    match (&*field, &settings.options.regions) {
        (b"-", _) => Ok((None, None)),
        (b"", _) if settings.expected.regions => Err(missing("regions", settings)),
        (b"", _) => Ok((None, None)),
        (labels, Some(of_run)) if labels == of_run => Ok((None, Some(field))),
        (_, Some(_)) => Err(OWN_REGIONS.into()),
        (labels, None) if !can_be_layout(labels, cells, settings) => Ok((None, None)),
        (_, None) => Ok((Some(field.clone()), Some(field))),
    }
}

/// A field named `regions` is a layout, perhaps a faulty one, unless the run expects none and it
/// has fewer symbols than a row of a puzzle with this number of cells: then it is a note.
pub(in crate::pipeline) fn can_be_layout(labels: &[u8], cells: usize, settings: &Settings) -> bool {
    settings.expected.regions || (labels.len() + 1).pow(2) > cells
}

/// Only CSV and JSON have numbers.
fn with_lost_zeros(reason: InvalidInput, puzzle: &[u8], settings: &Settings) -> InvalidInput {
    match settings.input.names_fields() {
        true => foreign::with_lost_zeros(reason, puzzle),
        false => reason,
    }
}

/// `stated` is the size that the form of the grid states. Without it, 64 symbols are an 8x8 puzzle,
/// or with `--input pencilmarks` the pencilmarks of a 4x4.
fn size_of_puzzle(
    puzzle: &[u8],
    stated: Option<Size>,
    has_layout: bool,
    settings: &Settings,
) -> Result<Size, InvalidInput> {
    let sizes = settings.rulesets.sizes;
    let sizes = Sizes { any_side: sizes.any_side || has_layout, ..sizes };
    if let Some(size) = stated.filter(|&size| sizes.allow(size)) {
        return Ok(size);
    }
    let of_pencilmarks = settings.rulesets.sizes.side_of_pencilmarks(puzzle.len());
    match (sizes.side(puzzle.len()), of_pencilmarks) {
        (Ok(side), None) => Ok((side, CellNotation::Digits)),
        (Ok(side), Some(_)) if !settings.options.pencilmarks => Ok((side, CellNotation::Digits)),
        (_, Some(side)) => Ok((side, CellNotation::Pencilmarks)),
        // A symbol such as `·` has several bytes, so it can cause the wrong length.
        (Err(reason), None) => {
            Err(outside_ascii(puzzle).or_else(|| foreign::rounded(puzzle)).unwrap_or(reason))
        }
    }
}

/// Stores the cages in `rules`, and the diagonals and boxes that cage numbers also state. The boxes
/// are ignored if regions replace them, or if the puzzle field (`described`) states boxes.
pub(super) fn read_cages(
    field: Option<&[u8]>,
    rules: &mut LineRules<'_>,
    described: Option<&DescribedPuzzle>,
    settings: &Settings,
) -> Result<(), BoxError> {
    let side = rules.rules_key.side;
    let field = match field {
        // The column `cages` shows `-` for a puzzle without cages.
        Some(b"-") => return Ok(()),
        Some(b"") if settings.input.names_fields() || !settings.expected.cages => return Ok(()),
        None | Some(b"") => return Err(missing("cages", settings)),
        Some(field) => field,
    };
    let read = match DescribedPuzzle::read_cages(field, side) {
        Ok(read) => read,
        Err(error) if looks_like_cages(field) => return Err(error.into()),
        // The field is probably a note or an answer.
        Err(_) if settings.expected.cages => return Err(missing("cages", settings)),
        Err(_) => return Ok(()),
    };
    let has_regions = rules.layout.is_some() || settings.options.regions.is_some();
    let has_boxes = !(has_regions && settings.rulesets.regions_replace_boxes());
    let boxes_of_puzzle = described.and_then(|described| described.boxes);
    let boxes = boxes_of_puzzle.or(read.boxes.filter(|_| has_boxes));
    let diagonals = read.diagonals || described.is_some_and(|described| described.diagonals);
    rules.rules_key = settings.rulesets.key(side, boxes, diagonals);
    rules.cages = read.cages.unwrap_or_default();
    Ok(())
}

/// `field` is `regions` or `cages`.
pub(super) fn missing(field: &str, settings: &Settings) -> BoxError {
    let expected = settings.expected;
    let name = |is_expected, name| if is_expected { name } else { "" };
    let regions = name(expected.regions, " REGIONS");
    let cages = name(expected.cages, " CAGES");
    match settings.input.names_fields() {
        true => format!(
            "the {field} are missing; if they have another name than {field}: --header {field}=NAME"
        ),
        false => format!("the {field} are missing; expected PUZZLE{regions}{cages}"),
    }
    .into()
}
