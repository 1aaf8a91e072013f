//! Decodes the fields of a puzzle: finds the kind of the puzzle field by looking at it once; its
//! rules follow from the kind and the fields beside it.

use std::borrow::Cow;
use std::mem::{replace, take};

use super::batch::LineRules;
use super::boards::Boards;
use super::rulesets::RulesKey;
use super::settings::Settings;
use crate::text::columns::Column;
use crate::text::foreign;
use crate::text::notation::{
    DescribedPuzzle, WordsOfRules, cells_of_cages, is_cage_list, items_of_layout, looks_like_cages,
    rules_of_constraints, with_givens,
};
use crate::text::record::{FieldSet, RecordFields, is_missing};
use crate::text::record_rules::{RecordRules, RulesSource, pencilmarks};
use crate::text::rule_names::NamedRules;
use crate::text::size::{Sizes, pencilmark_side};
use crate::text::symbols::{Case, CellNotation, Numbering, outside_ascii};
use engine::error::{BoxError, InvalidInput};
use engine::rules::{Place, Variant, Variants};

const OWN_REGIONS: &str =
    "the line has its own regions, but --regions sets one layout for all lines";

const FIELDS_ARE_KEPT: &str = "other fields state its rules, and the output can have some of them; \
    --output lines writes new puzzles with their rules";

const FIELDS_ARE_COPIED: &str = "other fields state its rules, and a copy has them as they were; \
    --output lines writes the moved rules";

/// What a puzzle field holds.
pub(super) enum PuzzleKind {
    Missing,
    /// A puzzle with its rules in a notation of its own, or what is wrong with it.
    Described(Result<Box<DescribedPuzzle>, InvalidInput>),
    /// Equally long parts with a symbol for each cell: the puzzle, its layout if `regions` is set,
    /// and its cages (arrows) if `cages` is set.
    Parts(FieldSet),
    /// The symbols of the puzzle alone. In a killer without a field of cages, possibly the cages.
    Symbols,
}

/// The fields of a record, and what its puzzle field holds.
pub(super) struct KnownFields<'a> {
    pub kind: PuzzleKind,
    pub fields: RecordFields<'a>,
}

impl<'a> KnownFields<'a> {
    pub fn new(mut fields: RecordFields<'a>, settings: &Settings) -> KnownFields<'a> {
        let kind = PuzzleKind::of(&mut fields.puzzle, settings);
        KnownFields { kind, fields }
    }

    /// Returns the fields with these symbols as the puzzle.
    pub fn with_symbols(
        symbols: impl Into<Cow<'a, [u8]>>,
        fields: RecordFields<'a>,
    ) -> KnownFields<'a> {
        let fields = RecordFields { puzzle: symbols.into(), ..fields };
        KnownFields { kind: PuzzleKind::Symbols, fields }
    }
}

impl PuzzleKind {
    /// Also removes the marks of HoDoKu from the field.
    ///
    /// A list of cages is such a list alone, whatever its length. If the options expect both a
    /// layout and cages, a field of two parts has a layout.
    ///
    /// Two or three times a square number is not a square number, so the length of several parts is
    /// never that of a puzzle alone.
    pub fn of(field: &mut Cow<'_, [u8]>, settings: &Settings) -> PuzzleKind {
        if field.is_empty() {
            return PuzzleKind::Missing;
        }
        if let Some(described) = DescribedPuzzle::decode(field) {
            return PuzzleKind::Described(described.map(Box::new));
        }
        if is_cage_list(field) {
            return PuzzleKind::Symbols;
        }
        let options = &settings.options;
        if let Cow::Owned(unmarked) = options.alphabet.without_marks(field) {
            *field = unmarked.into();
        }
        if options.pencilmarks && side_of_pencilmarks(field.len(), settings).is_some() {
            return PuzzleKind::Symbols;
        }
        let FieldSet { regions, cages, .. } = settings.expected;
        // True if the field can be this many grids of one size, one after the other.
        let is_made_of = |parts: usize| {
            let cells = field.len() / parts;
            field.len() == parts * cells && settings.rulesets.sizes.find(cells).is_some()
        };
        if regions && cages && is_made_of(3) {
            return PuzzleKind::Parts(FieldSet::of_rules(true, true));
        }
        if (regions || cages) && is_made_of(2) {
            return PuzzleKind::Parts(FieldSet::of_rules(regions, !regions));
        }
        PuzzleKind::Symbols
    }

    /// A line has no fields for what the field of the puzzle includes.
    pub fn includes(&self, settings: &Settings) -> FieldSet {
        match self {
            PuzzleKind::Missing | PuzzleKind::Symbols => FieldSet::default(),
            PuzzleKind::Parts(parts) => *parts,
            PuzzleKind::Described(Err(_)) => FieldSet::of_rules(true, true),
            PuzzleKind::Described(Ok(described)) => {
                let (beside, expected) = (fields_beside(described, settings), settings.expected);
                let includes_regions = !beside.regions || !expected.regions;
                FieldSet::of_rules(includes_regions, !beside.cages || !expected.cages)
            }
        }
    }
}

/// Stores the fields that the field of the puzzle includes. Then the puzzle has one symbol per
/// cell, or N symbols per cell for pencilmarks. Returns an error also if `--regions` would replace
/// regions or boxes that the record states.
///
/// A rule that a record states is part of its puzzle, whether the run expects such rules or not. So
/// a layout and cages in fields of their names are used without `--variant jigsaw` or
/// `--variant killer` too, and what cannot be used makes the record invalid.
pub(super) fn decode<'a>(
    kind: PuzzleKind,
    fields: &mut RecordFields<'a>,
    settings: &Settings,
) -> Result<LineRules<'a>, BoxError> {
    if fields.variant.is_none() && fields.rules.is_none() {
        return decode_with_rules(kind, None, fields, settings);
    }
    let named = named_variants(fields, settings)?;
    let mut stated = fields.rules.take();
    let of_keys = stated.as_mut().map(|rules| take(&mut rules.variants)).unwrap_or_default();
    let named = named.iter().flat_map(Variants::iter).fold(of_keys, Variants::with);
    if named == Variants::default() {
        return decode_with_rules(kind, stated, fields, settings);
    }
    let added = without_fields(&named);
    if added != Variants::default() {
        stated.get_or_insert_default().variants = added;
    }
    let rules = decode_with_rules(kind, stated, fields, settings)?;
    check_fields_of_variants(&named, &rules, settings)?;
    Ok(rules)
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
        Some(rule) => Err(format!("names the rule {rule}, and no field states it").into()),
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

/// As [`decode`], without the names of variants. `stated` are the rules of fields other than the
/// puzzle, the layout, the cages and a constraint string.
fn decode_with_rules<'a>(
    kind: PuzzleKind,
    stated: Option<Box<RecordRules>>,
    fields: &mut RecordFields<'a>,
    settings: &Settings,
) -> Result<LineRules<'a>, BoxError> {
    let Some(mut stated) = stated else {
        let (mut rules, of_string) = decode_puzzle(kind, None, fields, settings)?;
        if let Some(of_string) = of_string {
            add_rules(*of_string, &mut rules, fields, settings)?;
        }
        return Ok(rules);
    };
    if let Some(side) = stated.side {
        store_layout(&stated, side, fields, settings)?;
    }
    let (mut rules, of_string) = decode_puzzle(kind, stated.side, fields, settings)?;
    // A copied record keeps its keys, but a puzzle that is added to it needs its layout.
    rules.are_described |=
        rules.layout.is_some() || !settings.output.copies_all_fields(&settings.options);
    read_items(&mut stated, &rules, settings)?;
    let has_keys = stated.has_rules();
    let has_string = of_string.is_some() || fields.constraints.is_some();
    let side = rules.rules_key.side;
    stated.add(of_string.map(|it| *it).unwrap_or_default(), side)?;
    let is_copied =
        settings.output.copies_all_fields(&settings.options) && stated.source != RulesSource::Link;
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
        || stated.side.is_some() && hides_fields(&rules, settings)
    {
        return decode_as_string(*stated, rules, fields, settings);
    }
    add_rules(*stated, &mut rules, fields, settings)?;
    Ok(rules)
}

/// True if the output has the puzzle as it is read, and no column for its layout or its cages.
fn hides_fields(rules: &LineRules<'_>, settings: &Settings) -> bool {
    let (columns, mode) = (&settings.columns, settings.options.mode);
    let has_layout = rules.layout.is_some() && settings.rulesets.regions_replace_boxes();
    columns.have(&Column::Puzzle)
        && !mode.writes_other_puzzles()
        && (has_layout && !columns.have(&Column::Regions)
            || !rules.cages.is_empty() && !columns.have(&Column::Cages))
}

/// Reads the items of a constraint string that keys of an object become.
fn read_items(
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

/// Adds the rules that keys of an object, and perhaps a constraint string, state for a record that is
/// not copied. If its output has the puzzle, it becomes a constraint string.
fn decode_as_string<'a>(
    stated: RecordRules,
    mut rules: LineRules<'a>,
    fields: &mut RecordFields<'a>,
    settings: &Settings,
) -> Result<LineRules<'a>, BoxError> {
    let writes_others = settings.options.mode.writes_other_puzzles();
    fields.constraints = None;
    if !writes_others && !settings.columns.have(&Column::Puzzle) {
        add_rules(stated, &mut rules, fields, settings)?;
        return Ok(rules);
    }
    let string = string_of_rules(&stated, &rules, fields, settings);
    let has_variants_only = stated.constraints.is_empty()
        && stated.candidates.is_empty()
        && stated.different.is_empty();
    match string {
        Ok(string) if writes_others => {
            let described = DescribedPuzzle::decode_constraints(&string)?;
            let (mut rules, of_string) = take_described(described, fields, settings)?;
            add_rules(of_string.map(|it| *it).unwrap_or_default(), &mut rules, fields, settings)?;
            return Ok(rules);
        }
        Err(reason) if writes_others && !has_variants_only => return Err(reason),
        string => fields.constraints = string.ok().map(Cow::Owned),
    }
    add_rules(stated, &mut rules, fields, settings)?;
    Ok(rules)
}

/// Returns the puzzle with these rules as a constraint string.
fn string_of_rules(
    stated: &RecordRules,
    rules: &LineRules<'_>,
    fields: &RecordFields<'_>,
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
    let side = rules.rules_key.side;
    let mut others = stated.clone();
    let mut digits = vec![0; side * side];
    for (cell, set) in candidates_of_puzzle(rules, fields, settings)?.into_iter().enumerate() {
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
fn add_rules(
    stated: RecordRules,
    rules: &mut LineRules<'_>,
    fields: &mut RecordFields<'_>,
    settings: &Settings,
) -> Result<(), BoxError> {
    rules.rules_key = settings.rulesets.key_with(rules.rules_key.clone(), &stated)?;
    if !stated.candidates.is_empty() {
        restrict_candidates(&stated, rules, fields, settings)?;
    }
    if !stated.constraints.is_empty() {
        settings.check_stated()?;
        rules.stated = Some(Box::new(stated.constraints));
    }
    if settings.output.draws() {
        fields.items = stated.items;
    }
    Ok(())
}

/// Stores the layout that the cells of the grid state.
fn store_layout(
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

/// The puzzle becomes one of pencilmarks.
fn restrict_candidates(
    stated: &RecordRules,
    rules: &mut LineRules<'_>,
    fields: &mut RecordFields<'_>,
    settings: &Settings,
) -> Result<(), BoxError> {
    let mut sets = candidates_of_puzzle(rules, fields, settings)?;
    stated.restrict(&mut sets, rules.rules_key.side)?;
    fields.puzzle = pencilmarks(&sets, &settings.options.alphabet).into();
    rules.notation = CellNotation::Pencilmarks;
    Ok(())
}

/// Returns the digits that each cell can hold by the field of the puzzle.
fn candidates_of_puzzle(
    rules: &LineRules<'_>,
    fields: &RecordFields<'_>,
    settings: &Settings,
) -> Result<Vec<u32>, InvalidInput> {
    let side = rules.rules_key.side;
    let mut board = Boards::new(side, rules.notation);
    board.read(&fields.puzzle, &settings.options.alphabet)?;
    let (givens, every_digit) = (board.givens(), (1 << side) - 1);
    Ok((0..board.cells()).map(|cell| givens.candidates(cell, every_digit)).collect())
}

/// The rules of a puzzle, and those of its constraint string that are still to be added to them.
type DecodedPuzzle<'a> = (LineRules<'a>, Option<Box<RecordRules>>);

/// `side` is set if another field states it.
fn decode_puzzle<'a>(
    mut kind: PuzzleKind,
    side: Option<usize>,
    fields: &mut RecordFields<'a>,
    settings: &Settings,
) -> Result<DecodedPuzzle<'a>, BoxError> {
    if let Some(constraints) = fields.constraints.take().filter(|it| !is_missing(it)) {
        return decode_with_constraints(kind, &constraints, fields, settings);
    }
    let is_in_cages = matches!(kind, PuzzleKind::Missing)
        && !is_missing(fields.cages.as_deref().unwrap_or_default());
    if is_in_cages {
        fields.puzzle = fields.cages.take().unwrap_or_default();
        kind = PuzzleKind::of(&mut fields.puzzle, settings);
    }
    match kind {
        PuzzleKind::Missing => return Err("the puzzle is missing".into()),
        PuzzleKind::Described(described) => return take_described(*described?, fields, settings),
        PuzzleKind::Parts(parts) => store_parts(parts, fields),
        PuzzleKind::Symbols => {
            let cages_are_missing = fields.cages.as_deref().unwrap_or_default().is_empty();
            let are_cages = match settings.expected.cages {
                true => cages_are_missing && looks_like_cages(&fields.puzzle),
                false => is_in_cages,
            };
            if are_cages {
                store_cages_alone(fields, settings)?;
            }
        }
    }
    Ok((rules_of_fields(side, fields, settings)?, None))
}

/// The puzzle has the givens of both fields. A mode that takes givens away takes those of the field
/// of the puzzle only, if the output shows the constraints: they stay as they are.
fn decode_with_constraints<'a>(
    kind: PuzzleKind,
    constraints: &[u8],
    fields: &mut RecordFields<'a>,
    settings: &Settings,
) -> Result<DecodedPuzzle<'a>, BoxError> {
    let is_shown = settings.shows_constraints();
    let mut described = DescribedPuzzle::decode_constraints(constraints)?;
    if described.numbering == Numbering::FromZero {
        return Err(
            "constraints with digits from 0 are read in the field of the puzzle only".into()
        );
    }
    let mut givens = vec![0; described.digits.len()];
    match kind {
        PuzzleKind::Missing => {}
        PuzzleKind::Symbols => {
            givens.clear();
            settings.options.alphabet.read(&fields.puzzle, described.side, &mut givens)?;
        }
        PuzzleKind::Parts(_) | PuzzleKind::Described(_) => {
            return Err("the puzzle beside constraints is one symbol per cell".into());
        }
    }
    let of_constraints = described.digits.clone();
    described.add_givens(&givens)?;
    if is_shown && settings.options.mode.takes_givens_away() {
        described.fix_givens(&of_constraints, &givens);
    }
    let decoded = take_described(described, fields, settings)?;
    fields.constraints_are_beside = is_shown;
    Ok(decoded)
}

/// The field of the puzzle holds the cages of a killer without givens.
fn store_cages_alone(fields: &mut RecordFields<'_>, settings: &Settings) -> Result<(), BoxError> {
    let blank = settings.options.alphabet.blank_of(b"");
    let cells = vec![blank; cells_of_cages(&fields.puzzle)?];
    fields.cages = Some(replace(&mut fields.puzzle, cells.into()));
    Ok(())
}

/// The parts are the puzzle, then the fields in `parts`.
fn store_parts(parts: FieldSet, fields: &mut RecordFields<'_>) {
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

/// Returns the rules of a puzzle whose field states none.
fn rules_of_fields<'a>(
    side: Option<usize>,
    fields: &RecordFields<'a>,
    settings: &Settings,
) -> Result<LineRules<'a>, BoxError> {
    let expected = settings.expected;
    let layout = layout_of_fields(fields, settings)?;
    let (side, notation) = match side {
        Some(side) => (side, CellNotation::Digits),
        None => side_and_notation(&fields.puzzle, fields.side, layout.is_some(), settings)
            .map_err(|reason| with_lost_zeros(reason, &fields.puzzle, settings))?,
    };
    // A copied record keeps its fields.
    let is_copied = settings.output.copies_all_fields(&settings.options);
    let states_layout = layout.is_some() && !expected.regions && !is_copied;
    let mut rules = LineRules {
        rules_key: RulesKey::of_side(side),
        notation,
        layout,
        cages: Vec::new(),
        stated: None,
        are_described: states_layout,
    };
    if expected.cages || fields.cages.is_some() {
        read_cages(fields.cages.as_deref(), &mut rules, None, settings)?;
        rules.are_described |= !rules.cages.is_empty() && !expected.cages && !is_copied;
    }
    Ok(rules)
}

/// A `-` in place of the layout says that the puzzle has boxes only. Returns an error for a layout
/// that differs from that of `--regions`, which would replace it.
fn layout_of_fields<'a>(
    fields: &RecordFields<'a>,
    settings: &Settings,
) -> Result<Option<Cow<'a, [u8]>>, BoxError> {
    let is_expected = settings.expected.regions;
    match (fields.regions.as_deref(), &settings.options.regions) {
        (Some(b"-"), _) => Ok(None),
        (None | Some(b""), _) if is_expected => Err(missing("regions", settings)),
        (None | Some(b""), _) => Ok(None),
        (Some(labels), Some(of_run)) if labels == of_run => Ok(None),
        (Some(_), Some(_)) => Err(OWN_REGIONS.into()),
        (Some(labels), _) if !can_be_layout(labels, fields.puzzle.len().isqrt(), settings) => {
            Ok(None)
        }
        (Some(_), None) => Ok(fields.regions.clone()),
    }
}

/// A field named `regions` is a layout, perhaps a faulty one, unless the run expects none and it has
/// fewer symbols than a row: then it is a note.
fn can_be_layout(labels: &[u8], side: usize, settings: &Settings) -> bool {
    settings.expected.regions || labels.len() >= side
}

/// Only CSV and JSON have numbers.
pub(super) fn with_lost_zeros(
    reason: InvalidInput,
    puzzle: &[u8],
    settings: &Settings,
) -> InvalidInput {
    match settings.input.names_fields() {
        true => foreign::with_lost_zeros(reason, puzzle),
        false => reason,
    }
}

/// 64 symbols are an 8x8 puzzle or the pencilmarks of a 4x4; the side that their form states or
/// `--input pencilmarks` decides.
fn side_and_notation(
    puzzle: &[u8],
    stated: Option<usize>,
    has_layout: bool,
    settings: &Settings,
) -> Result<(usize, CellNotation), InvalidInput> {
    let sizes = settings.rulesets.sizes;
    let sizes = Sizes { any_side: sizes.any_side || has_layout, ..sizes };
    let of_digits = sizes.side(puzzle.len());
    let of_pencilmarks = side_of_pencilmarks(puzzle.len(), settings);
    match (of_digits, of_pencilmarks) {
        (Ok(side), None) => Ok((side, CellNotation::Digits)),
        (Ok(side), Some(marked)) if !settings.options.pencilmarks && stated != Some(marked) => {
            Ok((side, CellNotation::Digits))
        }
        (_, Some(side)) => Ok((side, CellNotation::Pencilmarks)),
        // A symbol such as `·` has several bytes, so it can cause the wrong length.
        (Err(reason), None) => {
            Err(outside_ascii(puzzle).or_else(|| foreign::rounded(puzzle)).unwrap_or(reason))
        }
    }
}

fn side_of_pencilmarks(symbols: usize, settings: &Settings) -> Option<usize> {
    pencilmark_side(symbols).filter(|&side| settings.rulesets.sizes.allows(side))
}

/// The layout must not replace regions or boxes that the puzzle states.
fn fields_beside(described: &DescribedPuzzle, settings: &Settings) -> FieldSet {
    let is_divided = described.regions.is_some()
        || (described.boxes.is_some() && settings.rulesets.regions_replace_boxes());
    FieldSet::of_rules(!is_divided, described.cages.is_none())
}

/// Fields of rules that the record cannot have [besides](fields_beside) a puzzle that describes its
/// rules are dropped, so that no column shows them.
fn take_described<'a>(
    mut described: DescribedPuzzle,
    fields: &mut RecordFields<'a>,
    settings: &Settings,
) -> Result<DecodedPuzzle<'a>, BoxError> {
    let options = &settings.options;
    if options.regions.is_some() {
        check_against_regions(&described, settings)?;
    }
    let (side, boxes) = (described.side, described.boxes);
    options.alphabet.check_side(side)?;
    if let Some(stated) = described.stated.take() {
        check_fields_beside(&described, fields, settings)?;
        take_stated(stated, &mut described, fields, settings)?;
    }
    let mut puzzle = Vec::with_capacity(described.digits.len());
    options.alphabet.write(&described.digits, Case::default(), &mut puzzle);
    fields.puzzle = puzzle.into();
    fields.numbering = described.numbering;
    let beside = fields_beside(&described, settings);
    let is_layout = |labels: &Cow<'_, [u8]>| {
        beside.regions && !is_missing(labels) && can_be_layout(labels, side, settings)
    };
    fields.regions = fields.regions.take().filter(is_layout);
    fields.cages = fields.cages.take().filter(|it| beside.cages && !is_missing(it));
    if let Some(regions) = &described.regions {
        fields.regions = Some(regions.clone().into());
    }
    let mut rules = LineRules {
        rules_key: settings.rulesets.key(side, boxes, described.diagonals),
        notation: CellNotation::Digits,
        layout: fields.regions.clone(),
        cages: described.cages.clone().unwrap_or_default(),
        stated: None,
        are_described: true,
    };
    if fields.cages.is_some() {
        read_cages(fields.cages.as_deref(), &mut rules, Some(&described), settings)?;
    }
    let of_string = (!described.rules.is_empty()).then(|| Box::new(described.rules));
    Ok((rules, of_string))
}

/// Stores what the column of the puzzle shows of a constraint string. In a mode that writes new
/// puzzles, their givens are those of the string, so what its rules say about a cell is a constraint.
fn take_stated(
    stated: Vec<u8>,
    described: &mut DescribedPuzzle,
    fields: &mut RecordFields<'_>,
    settings: &Settings,
) -> Result<(), BoxError> {
    let writes_others = settings.options.mode.writes_other_puzzles();
    let shown = match writes_others {
        true => Some(stated),
        false => {
            settings.columns.have(&Column::Puzzle).then(|| with_givens(&stated, &described.digits))
        }
    };
    fields.constraints = shown.map(Cow::Owned);
    if writes_others {
        described.rules.state_candidates(described.side)?;
    } else {
        described.add_implied_givens();
    }
    Ok(())
}

/// Returns an error if a layout or cages beside a constraint string are not its own: it would be
/// another puzzle without them.
fn check_fields_beside(
    described: &DescribedPuzzle,
    fields: &RecordFields<'_>,
    settings: &Settings,
) -> Result<(), BoxError> {
    let side = described.side;
    let stated = |field: &Option<Cow<'_, [u8]>>| {
        field.as_deref().filter(|field| !is_missing(field)).map(<[u8]>::to_vec)
    };
    if let Some(labels) = stated(&fields.regions)
        && fields_beside(described, settings) == FieldSet::default()
        && can_be_layout(&labels, side, settings)
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

/// Stores the cages in `rules`, and the diagonals and boxes that cage numbers also state. The boxes
/// are ignored if regions replace them, or if the puzzle field (`described`) states boxes.
fn read_cages(
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
fn missing(field: &str, settings: &Settings) -> BoxError {
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
