//! Decodes the fields of a puzzle: its rules, which follow from the kind of its field
//! (`described.rs`) and the fields beside it (`fields.rs`), and the rules that other fields of the
//! record state or name (`stated.rs`). They become the rules of `line_rules.rs`. `forms/` has split
//! the record.

mod described;
mod fields;
mod line_rules;
mod stated;

use std::mem::take;

use crate::pipeline::boards::Boards;
use crate::pipeline::forms::kind::PuzzleKind;
use crate::pipeline::settings::Settings;
use crate::text::notation::{DescribedPuzzle, looks_like_cages};
use crate::text::record::{RecordFields, is_missing};
use crate::text::record_rules::{RecordRules, RulesSource};
use crate::text::rule_names::{NamedRules, unstated};
use crate::text::size::CellNotation;
use crate::text::symbols::Numbering;
use described::{WithString, take_described};
use engine::error::{BoxError, InvalidInput};
use engine::puzzle::Givens;
use engine::rules::{Variant, Variants};
use fields::{puzzle_of_fields, store_cages_alone, store_parts};
use stated::{add_rules, decode_as_string, hides_fields, read_items, store_layout};

pub(super) use fields::can_be_layout;
pub(super) use line_rules::{DecodedPuzzle, LineRules, Statement};

const FIELDS_ARE_COPIED: &str = "other fields state its rules, and a copy has them as they were; \
    --output lines writes the moved rules";

/// Stores the fields that the field of the puzzle includes. Returns the puzzle and its board, which
/// is in `memory`. Returns an error also if `--regions` would replace regions or boxes that the
/// record states.
///
/// A rule that a record states is part of its puzzle, whether the run expects such rules or not. So
/// a layout and cages in fields of their names are used without `--variant jigsaw` or
/// `--variant killer` too, and what cannot be used makes the record invalid.
pub(super) fn decode<'a, 'm>(
    kind: PuzzleKind,
    fields: &mut RecordFields<'a>,
    memory: &'m mut Boards,
    settings: &Settings,
) -> Result<(DecodedPuzzle<'a>, &'m Boards), BoxError> {
    let puzzle = decode_with_names(kind, fields, memory, settings)?;
    Ok((puzzle, memory))
}

fn decode_with_names<'a>(
    kind: PuzzleKind,
    fields: &mut RecordFields<'a>,
    board: &mut Boards,
    settings: &Settings,
) -> Result<DecodedPuzzle<'a>, BoxError> {
    if fields.variant.is_none() && fields.rules.is_none() {
        return decode_with_rules(kind, None, fields, board, settings);
    }
    let named = named_variants(fields, settings)?;
    let mut stated = fields.rules.take();
    let of_keys = stated.as_mut().map(|rules| take(&mut rules.variants)).unwrap_or_default();
    let named = named.iter().flat_map(Variants::iter).fold(of_keys, Variants::with);
    if named == Variants::default() {
        return decode_with_rules(kind, stated, fields, board, settings);
    }
    let added = without_fields(&named);
    if added != Variants::default() {
        stated.get_or_insert_default().variants = added;
    }
    let puzzle = decode_with_rules(kind, stated, fields, board, settings)?;
    check_fields_of_variants(&named, &puzzle.rules, settings)?;
    Ok(puzzle)
}

/// Reads the field of variants. It can also name rules that other fields or the options state.
fn named_variants(
    fields: &mut RecordFields<'_>,
    settings: &Settings,
) -> Result<Option<Variants>, InvalidInput> {
    let Some(text) = fields.variant.take().filter(|text| !is_missing(text)) else {
        return Ok(None);
    };
    let has_rules = fields.rules.is_some()
        || fields.constraints.is_some()
        || fields.regions.is_some()
        || fields.cages.is_some()
        || settings.options.variants != Variants::default();
    let text = String::from_utf8_lossy(&text);
    let NamedRules { variants, other } = NamedRules::read(&text)?;
    match other.filter(|_| !has_rules) {
        Some(rule) => Err(unstated(rule)),
        None => Ok(variants),
    }
}

/// Returns the variants that need no layout and no cages, and that are rules.
fn without_fields(named: &Variants) -> Variants {
    let others = [Variant::Classic, Variant::Jigsaw, Variant::Regions, Variant::Killer];
    let added = named.iter().filter(|variant| !others.contains(variant));
    added.fold(Variants::default(), Variants::with)
}

/// Returns an error if a record names a variant and lacks its layout or its cages.
fn check_fields_of_variants(
    named: &Variants,
    rules: &LineRules<'_>,
    settings: &Settings,
) -> Result<(), InvalidInput> {
    let of_run = &settings.options.variants;
    let lacks = |variant| named.contains(variant) && !of_run.contains(variant);
    let (name, field) = match () {
        () if lacks(Variant::Killer) && rules.cages.is_empty() => ("killer", "cages"),
        () if lacks(Variant::Jigsaw) && rules.layout.is_none() => ("jigsaw", "layout"),
        () if lacks(Variant::Regions) => {
            return Err("states the rule regions, which needs --variant regions".into());
        }
        () => return Ok(()),
    };
    Err(format!("states the rule {name}, and has no {field}").into())
}

/// As `decode_with_names`, without the names of variants. `stated` are the rules of fields other than the
/// puzzle, the layout, the cages and a constraint string.
fn decode_with_rules<'a>(
    kind: PuzzleKind,
    stated: Option<Box<RecordRules>>,
    fields: &mut RecordFields<'a>,
    board: &mut Boards,
    settings: &Settings,
) -> Result<DecodedPuzzle<'a>, BoxError> {
    let Some(mut stated) = stated else {
        let (mut puzzle, of_string) = decode_puzzle(kind, None, fields, board, settings)?;
        if let Some(of_string) = of_string {
            add_rules(*of_string, &mut puzzle, board, settings)?;
        }
        return Ok(puzzle);
    };
    if let Some(side) = stated.side {
        store_layout(&stated, side, fields, settings)?;
    }
    let (mut puzzle, of_string) = decode_puzzle(kind, stated.side, fields, board, settings)?;
    // A copied record keeps its keys, but a puzzle that is added to it needs its layout.
    let is_hidden = !settings.copies_all_fields();
    puzzle.statement.require_fields(puzzle.rules.layout.is_some() || is_hidden);
    read_items(&mut stated, &puzzle.rules, settings)?;
    let has_keys = stated.has_rules();
    let has_string = of_string.is_some() || puzzle.statement.has_constraints();
    let side = board.side;
    stated.add(of_string.map(|it| *it).unwrap_or_default(), side)?;
    let is_copied = settings.copies_all_fields() && stated.source != RulesSource::Link;
    if is_copied {
        let has_constraints = has_keys && (has_string || !stated.constraints.is_empty());
        let mode = settings.options.mode;
        if mode.writes_equivalents() && (has_constraints || stated.has_places) {
            return Err(FIELDS_ARE_COPIED.into());
        }
        if has_string && mode.changes_puzzles() {
            stated.state_candidates(side)?;
        }
    } else if has_keys && (has_string || stated.needs_string())
        || stated.side.is_some() && hides_fields(&puzzle.rules, settings)
    {
        return decode_as_string(*stated, puzzle, fields, board, settings);
    }
    add_rules(*stated, &mut puzzle, board, settings)?;
    Ok(puzzle)
}

/// `side` is set if another field states it.
fn decode_puzzle<'a>(
    kind: PuzzleKind,
    side: Option<usize>,
    fields: &mut RecordFields<'a>,
    board: &mut Boards,
    settings: &Settings,
) -> Result<WithString<'a>, BoxError> {
    if let Some(constraints) = fields.constraints.take().filter(|it| !is_missing(it)) {
        return decode_with_constraints(kind, &constraints, fields, board, settings);
    }
    match kind {
        PuzzleKind::Missing => return Err("the puzzle is missing".into()),
        PuzzleKind::Described(described) => {
            return take_described(*described?, fields, board, settings);
        }
        PuzzleKind::Parts(parts) => store_parts(parts, fields),
        PuzzleKind::Cages => store_cages_alone(fields, settings)?,
        PuzzleKind::Symbols => {
            let has_cages = fields.cages.as_deref().is_some_and(|cages| !cages.is_empty());
            if settings.expected.cages && !has_cages && looks_like_cages(&fields.puzzle) {
                store_cages_alone(fields, settings)?;
            }
        }
    }
    Ok((puzzle_of_fields(side, fields, board, settings)?, None))
}

/// The puzzle has the givens of both fields. A mode that takes givens away takes those of the field
/// of the puzzle only, if the output shows the constraints: they stay as they are.
fn decode_with_constraints<'a>(
    kind: PuzzleKind,
    constraints: &[u8],
    fields: &mut RecordFields<'a>,
    board: &mut Boards,
    settings: &Settings,
) -> Result<WithString<'a>, BoxError> {
    let is_shown = settings.shows_constraints();
    let mut described = DescribedPuzzle::decode_constraints(constraints)?;
    if described.numbering == Numbering::FromZero {
        return Err(
            "constraints with digits from 0 are read in the field of the puzzle only".into()
        );
    }
    let of_constraints = described.digits.clone();
    match kind {
        PuzzleKind::Missing => {
            let blank = vec![0; of_constraints.len()];
            board.set(described.side, Givens::Digits(&blank));
        }
        PuzzleKind::Symbols => {
            let size = (described.side, CellNotation::Digits);
            board.read(&fields.puzzle, size, &settings.options.alphabet)?;
            described.add_givens(&board.digits)?;
        }
        PuzzleKind::Parts(_) | PuzzleKind::Described(_) | PuzzleKind::Cages => {
            return Err("the puzzle beside constraints is one symbol per cell".into());
        }
    }
    if is_shown && settings.options.mode.takes_givens_away() {
        described.fix_givens(&of_constraints, &board.digits);
    }
    let (mut puzzle, of_string) = take_described(described, fields, board, settings)?;
    puzzle.statement.put_beside(is_shown);
    Ok((puzzle, of_string))
}
