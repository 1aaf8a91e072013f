//! Rules that other fields of a record state: keys of an object, and the names of variants. A
//! puzzle with such rules becomes a constraint string where the output has no copy of the record.

use std::mem::take;

use super::described::take_described;
use super::line_rules::{DecodedPuzzle, LineRules, Statement};
use crate::pipeline::boards::Boards;
use crate::pipeline::settings::Settings;
use crate::text::columns::Column;
use crate::text::notation::{
    DescribedPuzzle, WordsOfRules, items_of_layout, rules_of_constraints, with_givens,
};
use crate::text::record::{RecordFields, is_missing};
use crate::text::record_rules::{RecordRules, RulesSource};
use crate::text::symbols::SymbolChoice;
use engine::error::{BoxError, InvalidInput};
use engine::puzzle::Givens;
use engine::rules::Place;

const FIELDS_ARE_KEPT: &str = "other fields state its rules, and the output can have some of them; \
    --output lines writes new puzzles with their rules";

/// True if the output has the puzzle as it is read, and no column for its layout or its cages.
pub(super) fn hides_fields(rules: &LineRules<'_>, settings: &Settings) -> bool {
    let (columns, mode) = (&settings.columns, settings.options.mode);
    let has_layout = rules.layout.is_some() && settings.rulesets.regions_replace_boxes();
    columns.have(&Column::Puzzle)
        && !mode.writes_other_puzzles()
        && (has_layout && !columns.have(&Column::Regions)
            || !rules.cages.is_empty() && !columns.have(&Column::Cages))
}

/// Reads the items of a constraint string that keys of an object become.
pub(super) fn read_items(
    stated: &mut RecordRules,
    rules: &LineRules<'_>,
    settings: &Settings,
) -> Result<(), InvalidInput> {
    let unread = take(&mut stated.unread);
    if unread.is_empty() {
        return Ok(());
    }
    let side_of_puzzle = rules.rules_key.side;
    let side = stated.side.unwrap_or(side_of_puzzle);
    let layout = if side == side_of_puzzle { layout_items(rules, settings) } else { String::new() };
    let read = rules_of_constraints(&format!(".Shape~{side}x{side}{layout}{unread}"))?;
    stated.add(read, side)
}

/// Returns the items of a constraint string for the regions of a puzzle. Regions beside boxes are
/// not among them.
fn layout_items(rules: &LineRules<'_>, settings: &Settings) -> String {
    let (side, rulesets) = (rules.rules_key.side, &settings.rulesets);
    let labels = rules.layout.as_deref().or(settings.options.regions.as_deref());
    let labels = labels.filter(|it| rulesets.regions_replace_boxes() && it.len() == side * side);
    items_of_layout(side, rulesets.boxes_of(&rules.rules_key), labels)
}

/// Adds the rules that keys of an object, and perhaps a constraint string, state for a record that
/// is not copied. If its output has the puzzle, it becomes a constraint string.
pub(super) fn decode_as_string<'a>(
    stated: RecordRules,
    mut puzzle: DecodedPuzzle<'a>,
    fields: &mut RecordFields<'a>,
    board: &mut Boards,
    settings: &Settings,
) -> Result<DecodedPuzzle<'a>, BoxError> {
    let writes_others = settings.options.mode.writes_other_puzzles();
    let are_beside = matches!(puzzle.statement, Statement::Constraints { are_beside: true, .. });
    if puzzle.statement.has_constraints() {
        puzzle.statement = Statement::Fields;
    }
    if !writes_others && !settings.columns.have(&Column::Puzzle) {
        add_rules(stated, &mut puzzle, board, settings)?;
        return Ok(puzzle);
    }
    let string = string_of_rules(&stated, &puzzle.rules, board, settings);
    let has_variants_only = stated.constraints.is_empty()
        && stated.candidates.is_empty()
        && stated.different.is_empty();
    match string {
        Ok(string) if writes_others => {
            let described = DescribedPuzzle::decode_constraints(&string)?;
            fields.regions = puzzle.regions.take();
            let (mut puzzle, of_string) = take_described(described, fields, board, settings)?;
            puzzle.statement.put_beside(are_beside);
            add_rules(of_string.map(|it| *it).unwrap_or_default(), &mut puzzle, board, settings)?;
            return Ok(puzzle);
        }
        Err(reason) if writes_others && !has_variants_only => return Err(reason),
        Ok(items) => puzzle.statement = Statement::Constraints { items, are_beside },
        Err(_) => {}
    }
    add_rules(stated, &mut puzzle, board, settings)?;
    Ok(puzzle)
}

/// Returns the puzzle with these rules as a constraint string.
fn string_of_rules(
    stated: &RecordRules,
    rules: &LineRules<'_>,
    board: &Boards,
    settings: &Settings,
) -> Result<Vec<u8>, BoxError> {
    if settings.copies_keys() && stated.source != RulesSource::Link {
        return Err(FIELDS_ARE_KEPT.into());
    }
    if settings.options.regions.is_some() {
        return Err(
            "a constraint string has regions of its own, which --regions would replace".into()
        );
    }
    let side = board.side;
    let mut others = stated.clone();
    let mut digits = vec![0; board.cells()];
    for (cell, set) in board.candidates().enumerate() {
        if set.is_power_of_two() {
            digits[cell] = set.trailing_zeros() as u8 + 1;
        } else if set != (1 << side) - 1 {
            others.candidates.push((Place::of(cell, side), set));
        }
    }
    let words = WordsOfRules {
        side,
        layout: &layout_items(rules, settings),
        diagonals: rules.rules_key.states_diagonals(),
        cages: &rules.cages,
        others: &others,
    };
    Ok(with_givens(&words.items()?, &digits))
}

/// Adds the variants, groups, candidates and constraints of the record to the rules of its puzzle.
pub(super) fn add_rules(
    stated: RecordRules,
    puzzle: &mut DecodedPuzzle<'_>,
    board: &mut Boards,
    settings: &Settings,
) -> Result<(), BoxError> {
    let rules = &mut puzzle.rules;
    rules.rules_key = settings.rulesets.key_with(rules.rules_key.clone(), &stated)?;
    if !stated.candidates.is_empty() {
        // The puzzle becomes one of pencilmarks.
        let mut sets: Vec<u32> = board.candidates().collect();
        stated.restrict(&mut sets, board.side)?;
        board.set(board.side, Givens::Candidates(&sets));
        puzzle.symbols.blank = SymbolChoice::default().blank;
    }
    if !stated.constraints.is_empty() {
        settings.check_stated()?;
        rules.stated = Some(Box::new(stated.constraints));
    }
    if settings.output.draws() {
        puzzle.items = stated.items;
    }
    Ok(())
}

/// Stores the layout that the cells of the grid state.
pub(super) fn store_layout(
    stated: &RecordRules,
    side: usize,
    fields: &mut RecordFields<'_>,
    settings: &Settings,
) -> Result<(), BoxError> {
    let boxes = settings.rulesets.sizes.shape(side).and_then(|shape| shape.boxes);
    let Some(layout) = stated.layout(side, boxes)? else {
        // The cells of such a grid are in boxes if it does not say otherwise.
        fields.regions.get_or_insert_with(|| b"-"[..].into());
        return Ok(());
    };
    match fields.regions.as_deref() {
        Some(regions) if !is_missing(regions) && *regions != layout => {
            Err("the record has two layouts, in the cells of its grid and in its regions".into())
        }
        _ => {
            fields.regions = Some(layout.into());
            Ok(())
        }
    }
}
