//! Puzzles whose field, or a constraint string beside it, describes their rules.

use std::borrow::Cow;

use super::fields::{OWN_REGIONS, can_be_layout, read_cages};
use super::line_rules::{DecodedPuzzle, LineRules, Statement};
use crate::pipeline::boards::Boards;
use crate::pipeline::settings::Settings;
use crate::text::columns::Column;
use crate::text::notation::{DescribedPuzzle, items_of_layout, looks_like_cages, with_givens};
use crate::text::record::{FieldSet, RecordFields, given, is_missing};
use crate::text::record_rules::RecordRules;
use crate::text::symbols::SymbolChoice;
use engine::error::{BoxError, InvalidInput};
use engine::puzzle::Givens;

/// A puzzle, and the rules of its constraint string that are still to be added to it.
pub(super) type WithString<'a> = (DecodedPuzzle<'a>, Option<Box<RecordRules>>);

/// Fields of rules that the record cannot have [beside](crate::pipeline::rulesets::Rulesets::fields_beside)
/// a puzzle that describes its rules are dropped, so that no column shows them.
pub(super) fn take_described<'a>(
    mut described: DescribedPuzzle,
    fields: &mut RecordFields<'a>,
    board: &mut Boards,
    settings: &Settings,
) -> Result<WithString<'a>, BoxError> {
    let options = &settings.options;
    if options.regions.is_some() {
        check_against_regions(&described, settings)?;
    }
    let (side, boxes) = (described.side, described.boxes);
    options.alphabet.check_side(side)?;
    let mut statement = Statement::Fields;
    if let Some(stated) = described.stated.take() {
        check_fields_beside(&described, fields, settings)?;
        statement = take_stated(stated, &mut described, settings)?;
    }
    let symbols = SymbolChoice::default();
    // `beside.rs` compares it with other fields.
    let mut text = Vec::with_capacity(described.digits.len());
    options.alphabet.write(&described.digits, symbols.case, &mut text);
    fields.puzzle = text.into();
    board.set(side, Givens::Digits(&described.digits));
    let beside = settings.rulesets.fields_beside(&described);
    let is_layout = |labels: &Cow<'_, [u8]>| {
        beside.regions && !is_missing(labels) && can_be_layout(labels, board.cells(), settings)
    };
    let regions = fields.regions.take().filter(is_layout);
    fields.cages = fields.cages.take().filter(|it| beside.cages && !is_missing(it));
    let regions = described.regions.clone().map(Cow::Owned).or(regions);
    let mut rules = LineRules {
        rules_key: settings.rulesets.key(side, boxes, described.diagonals),
        layout: regions.clone(),
        cages: described.cages.clone().unwrap_or_default(),
        stated: None,
    };
    if fields.cages.is_some() {
        read_cages(fields.cages.as_deref(), &mut rules, Some(&described), settings)?;
    }
    let of_string = (!described.rules.is_empty()).then(|| Box::new(described.rules));
    let symbols = SymbolChoice { case: described.numbering.case(symbols.case), ..symbols };
    Ok((DecodedPuzzle { statement, ..DecodedPuzzle::new(rules, regions, symbols) }, of_string))
}

/// Returns what the column of the puzzle shows of a constraint string. In a mode that writes new
/// puzzles, their givens are those of the string, so what its rules say about a cell becomes a
/// constraint of `described`; in others, a digit that they leave alone becomes a given.
fn take_stated(
    stated: Vec<u8>,
    described: &mut DescribedPuzzle,
    settings: &Settings,
) -> Result<Statement, InvalidInput> {
    let writes_others = settings.options.mode.writes_other_puzzles();
    let shown = match writes_others {
        true => Some(stated),
        false => {
            settings.columns.have(&Column::Puzzle).then(|| with_givens(&stated, &described.digits))
        }
    };
    if writes_others {
        described.rules.state_candidates(described.side)?;
    } else {
        described.add_implied_givens();
    }
    Ok(shown.map_or(Statement::Fields, |items| Statement::Constraints { items, are_beside: false }))
}

/// Returns an error if a layout or cages beside a constraint string are not its own: it would be
/// another puzzle without them.
fn check_fields_beside(
    described: &DescribedPuzzle,
    fields: &RecordFields<'_>,
    settings: &Settings,
) -> Result<(), BoxError> {
    let side = described.side;
    let stated = |field| given(field).map(<[u8]>::to_vec);
    if let Some(labels) = stated(&fields.regions)
        && settings.rulesets.fields_beside(described) == FieldSet::default()
        && can_be_layout(&labels, described.digits.len(), settings)
        && items_of_layout(side, None, Some(&labels)) != layout_of(described)
    {
        return Err("the record has two layouts, in its constraints and beside them".into());
    }
    let Some(field) = stated(&fields.cages) else { return Ok(()) };
    match DescribedPuzzle::read_cages(&field, side) {
        Ok(read) if sorted_cages(&read) == sorted_cages(described) => Ok(()),
        Err(_) if !settings.expected.cages && !looks_like_cages(&field) => Ok(()),
        _ => {
            Err("the cages beside its constraints are not read; .Cage~SUM~CELLS states them".into())
        }
    }
}

/// Returns the items for the regions of a constraint string, also for the usual boxes.
fn layout_of(described: &DescribedPuzzle) -> String {
    let side = described.side;
    let [rows, columns] = described.boxes.unwrap_or([1, side]);
    let box_of = |cell: usize| (cell / side / rows * side + cell % side / columns) as u8;
    let boxes: Vec<u8> = (0..side * side).map(box_of).collect();
    items_of_layout(side, None, Some(described.regions.as_deref().unwrap_or(&boxes)))
}

fn sorted_cages(described: &DescribedPuzzle) -> Vec<(&[u16], Option<u16>)> {
    let mut cages: Vec<_> = described.cages().iter().map(|it| (it.cells(), it.sum)).collect();
    cages.sort_unstable();
    cages
}

fn check_against_regions(described: &DescribedPuzzle, settings: &Settings) -> Result<(), BoxError> {
    if described.regions.is_some() {
        return Err(OWN_REGIONS.into());
    }
    if described.boxes.is_some() && settings.rulesets.regions_replace_boxes() {
        let reason = "the line has its own boxes, which --regions would replace; \
            --variant regions adds the regions to them";
        return Err(reason.into());
    }
    Ok(())
}
