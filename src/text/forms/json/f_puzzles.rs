//! The rules of an object in the format of f-puzzles, which other programs write too.
//!
//! Whatever a record holds that looks like a puzzle, an answer or a rule is either read or named in
//! a message, and then the record is invalid: a puzzle without one of its rules is another puzzle.
//! So a key of f-puzzles counts in every object, also beside a puzzle that is a string:
//!
//! * Keys of [`Known`] rules, which are added to the rules of the run, and those of
//!   `f_constraints.rs`, such as thermometers.
//! * The same keys with other word breaks or as a plural (`anti_knight`, `thermos`).
//! * Keys of other rules (`text/rule_names/`) make the record invalid. So does every other list of
//!   objects with cells, except what is only drawn ([`DRAWN`]).
//!
//! Other data sets use some of these keys for something else (`"difference":3`, `"ratio":0.5`,
//! `"skyscraper":true`). So the value decides: only a list of objects with cells or lines states a
//! rule, in `negative` also a list of names of rules. The names in [`FLAGS`] mean nothing but a
//! rule: their value is true or false, and any other is an error.
//!
//! The grid is a list of rows of objects, one for each cell:
//!
//! ```text
//!   {"value":5,"given":true}        a given. If no cell has the key `given`, each value is one;
//!                                   if some have it, a value without it is an entry of the solver
//!   {"region":3}                    the region of the cell; by default the number of its box
//!   {"givenPencilMarks":[1,2]}      its candidates; those of the solver have other names
//! ```

use memchr::memmem;
use serde_json::Value as Json;
use serde_json::value::RawValue;

use super::scan::Members;
use super::{JsonObject, f_constraints, names_in};
use crate::text::header_names::HeaderNames;
use crate::text::notation::place_of_name;
use crate::text::record::Field;
use crate::text::record_rules::{DifferentCells, RecordRules, RuleItem, RulesSource};
use crate::text::rule_names::{
    MIN_FIELD_NAME, NamedRules, can_be_field, check_field_name, has_names_of_cells, is_name,
    is_stated_by_one, is_true, is_variant, name_of_rule, rule_of_field, rule_of_true_key,
    with_unread_cells,
};
use crate::text::symbols::{Alphabet, Case};
use crate::text::unread::is_column;
use engine::error::InvalidInput;
use engine::rules::{MAX_SIDE, Place, Variant, Variants, a_puzzle, pluralize};

/// Rules that are `true` or absent.
const FLAGS: [(&str, Known); 6] = [
    ("antiknight", Known::Variant(Variant::Antiknight)),
    ("antiking", Known::Variant(Variant::Antiking)),
    ("nonconsecutive", Known::Variant(Variant::Nonconsecutive)),
    ("disjointgroups", Known::Variant(Variant::Disjoint)),
    ("diagonal+", Known::Diagonal(DifferentCells::RisingDiagonal)),
    ("diagonal-", Known::Diagonal(DifferentCells::FallingDiagonal)),
];

/// Rules that are lists of objects with cells. Those of killer cages are a field of their own.
const LISTS: [(&str, Known); 3] =
    [("odd", Known::Odd), ("even", Known::Even), ("extraregion", Known::ExtraRegion)];

enum Known {
    Variant(Variant),
    Diagonal(DifferentCells),
    Odd,
    Even,
    ExtraRegion,
}

/// Lists of the names of rules that cells without a mark must not satisfy.
const NEGATIVE: &str = "negative";
/// Cages have other keys.
const CAGE: &str = "cage";
/// In f-puzzles, a list of constraints in the words of a solver.
const CONSTRAINTS: &str = "constraints";

/// Lists of objects with cells that are no rules: what is drawn, and the fog. `highlightConflicts`
/// is a setting of the solver.
const DRAWN: [&str; 8] = [
    "killercage",
    "circle",
    "foglight",
    "highlightconflicts",
    "line",
    "rectangle",
    "text",
    "triggereffect",
];

const GIVEN_PENCILMARKS: &str = "givenPencilMarks";

/// The keys of a cell. Those after `region` are the colours and the notes of the solver.
const CELL_KEYS: [&str; 10] = [
    "value",
    "given",
    GIVEN_PENCILMARKS,
    "region",
    "c",
    "cArray",
    "highlight",
    "centerPencilMarks",
    "cornerPencilMarks",
    "candidates",
];

/// The cells of a grid of objects.
pub(super) struct Board {
    side: usize,
    digits: Vec<u8>,
    regions: Vec<Option<usize>>,
    states_regions: bool,
    candidates: Vec<(Place, u32)>,
}

/// True for a list of rows, the first of which begins with an object.
pub(super) fn is_board(value: &RawValue) -> bool {
    fn items(list: &str) -> Option<&str> {
        list.strip_prefix('[').map(str::trim_start)
    }
    items(value.get()).and_then(items).is_some_and(|cells| cells.starts_with('{'))
}

impl Board {
    pub fn read(value: &RawValue) -> Result<Board, InvalidInput> {
        let grid: Vec<Vec<Json>> = serde_json::from_str(value.get())
            .map_err(|_| "expected a grid with a list of cells for each row")?;
        let side = grid.len();
        if !(2..=MAX_SIDE).contains(&side) {
            let rows = pluralize(side, "row");
            return Err(format!("{rows}; the sides of a puzzle are 2 to {MAX_SIDE}").into());
        }
        if let Some(row) = grid.iter().position(|row| row.len() != side) {
            let (cells, row) = (pluralize(grid[row].len(), "cell"), row + 1);
            return Err(format!("row {row} has {cells}; {} has {side}", a_puzzle(side)).into());
        }
        let cells: Vec<&Json> = grid.iter().flatten().collect();
        check_keys(&cells)?;
        let states_givens = cells.iter().any(|cell| cell.get("given").is_some());
        let is_given = |cell: &Json| !states_givens || cell["given"].as_bool() == Some(true);
        let mut board = Board {
            side,
            digits: Vec::with_capacity(cells.len()),
            regions: Vec::with_capacity(cells.len()),
            states_regions: false,
            candidates: Vec::new(),
        };
        for (index, cell) in cells.into_iter().enumerate() {
            let place = Place::of(index, side);
            if !cell.is_object() && !cell.is_null() {
                return Err(format!("{place} is {cell}, and other cells are objects").into());
            }
            let digit = if is_given(cell) { digit_of(&cell["value"], place, side)? } else { 0 };
            if digit == 0 && cell["given"] == Json::Bool(true) {
                return Err(format!("{place} is given, and has no digit,").into());
            }
            board.digits.push(digit);
            board.regions.push(region_of(cell, place, side)?);
            board.states_regions |= cell.get("region").is_some();
            if let Some(set) = pencilmarks_of(cell, place, side)?.filter(|_| digit == 0) {
                board.candidates.push((place, set));
            }
        }
        Ok(board)
    }

    pub fn symbols(&self, alphabet: &Alphabet) -> Result<Vec<u8>, InvalidInput> {
        alphabet.check_side(self.side)?;
        let mut symbols = Vec::with_capacity(self.digits.len());
        alphabet.write(&self.digits, Case::default(), &mut symbols);
        Ok(symbols)
    }
}

/// A grid without the key `value` is blank, unless the digits have another key.
fn check_keys(cells: &[&Json]) -> Result<(), InvalidInput> {
    let mut keys = cells.iter().filter_map(|cell| cell.as_object()).flat_map(|cell| cell.keys());
    if keys.clone().any(|key| key == "value") {
        return Ok(());
    }
    match keys.find(|key| !CELL_KEYS.contains(&key.as_str())) {
        Some(key) => Err(format!("cells have the key '{key}', and no digits in 'value',").into()),
        None => Ok(()),
    }
}

/// Appends the symbols of a puzzle as a grid of objects.
pub(super) fn write_board(symbols: &[u8], alphabet: &Alphabet, output: &mut Vec<u8>) {
    let cell = |symbol: &u8| match alphabet.digit_of(*symbol) {
        Some(digit) if digit > 0 => serde_json::json!({"value": digit, "given": true}),
        _ => serde_json::json!({}),
    };
    let side = symbols.len().isqrt();
    let rows: Vec<Json> = symbols.chunks(side).map(|row| row.iter().map(cell).collect()).collect();
    output.extend_from_slice(Json::from(rows).to_string().as_bytes());
}

fn digit_of(value: &Json, place: Place, side: usize) -> Result<u8, InvalidInput> {
    let digit = match value {
        Json::Null => Some(0),
        Json::String(text) if text.is_empty() => Some(0),
        Json::String(text) => text.parse().ok(),
        Json::Number(number) if number.as_i64() == Some(-1) => Some(0),
        _ => value.as_u64(),
    };
    let digit = digit.filter(|&digit| digit <= side as u64);
    digit
        .map(|digit| digit as u8)
        .ok_or_else(|| format!("{value} at {place} is not a digit of {}", a_puzzle(side)).into())
}

/// Returns `None` for a cell that does not state its region.
fn region_of(cell: &Json, place: Place, side: usize) -> Result<Option<usize>, InvalidInput> {
    let Some(region) = cell.get("region") else {
        return Ok(None);
    };
    match region.as_u64() {
        Some(region) if region < side as u64 => Ok(Some(region as usize)),
        Some(_) => {
            Err(format!("region {region} at {place}; the regions are 0 to {}", side - 1).into())
        }
        // f-puzzles writes null for a cell without a region.
        None => Err(format!("{place} is in no region").into()),
    }
}

/// Returns `None` for a cell without such pencilmarks.
fn pencilmarks_of(cell: &Json, place: Place, side: usize) -> Result<Option<u32>, InvalidInput> {
    let marks = match &cell[GIVEN_PENCILMARKS] {
        Json::Null => return Ok(None),
        Json::Array(marks) if marks.is_empty() => return Ok(None),
        marks => marks.as_array(),
    };
    let marks = marks.ok_or_else(|| format!("the {GIVEN_PENCILMARKS} of {place} are no list"))?;
    let mut set = 0;
    for mark in marks {
        match digit_of(mark, place, side)? {
            0 => {
                return Err(
                    format!("{mark} at {place} is not a digit of {}", a_puzzle(side)).into()
                );
            }
            digit => set |= 1 << (digit - 1),
        }
    }
    Ok(Some(set))
}

/// The rules that keys state, and those that keys only name.
#[derive(Default)]
pub(super) struct KeyRules {
    pub stated: RecordRules,
    /// The name of a rule that needs cells, and whose key is true.
    pub named: Option<&'static str>,
}

/// Reads the rules of the objects that hold a puzzle. `board` is its grid, if that is one of
/// objects.
///
/// # Errors
/// Returns an error that names the rules that are not known.
pub(super) fn rules(
    objects: &[&JsonObject<'_>],
    board: Option<&Board>,
    names: &HeaderNames,
) -> Result<KeyRules, InvalidInput> {
    let mut named = None;
    let mut rules = RecordRules::default();
    let mut unknown = Vec::new();
    let mut constraints = String::new();
    let side = board.map_or_else(|| stated_size(objects).unwrap_or(9), |board| board.side);
    // The fields of the record itself are read elsewhere.
    for (key, value) in objects.iter().skip(1).flat_map(|object| object.values.iter()) {
        if names_variants(key) {
            let names = names_in(value).unwrap_or_default();
            let named = NamedRules::read(&names)?;
            unknown.extend(named.other.map(str::to_string));
            add_variants(&mut rules, &named.variants.unwrap_or_default());
        } else if is_other_field(key) && !matches!(value.get(), "\"\"" | "[]" | "{}" | "null") {
            return Err(format!("'{key}' in an object within the record is not read").into());
        }
    }
    for (key, value) in objects.iter().flat_map(|object| object.values.iter()) {
        let text = value.get();
        if is_stated(key, text)? && name_of_flag(key).is_none() {
            let variants = Variants::stated(rule_of_field(key))?;
            add_variants(&mut rules, &variants.unwrap_or_default());
            continue;
        }
        named = named.or_else(|| rule_named_true(key, text));
        // Most values are strings or numbers, and so no rules.
        let name = match name_of_flag(key) {
            Some(name) => name,
            None if text.starts_with(['[', '{', 't']) && !is_cages(key) => {
                name_of_rule(key).unwrap_or(key)
            }
            None if text.starts_with(['[', '{', 't']) => key,
            None if begins_with_cell(text) => name_of_rule(key).unwrap_or(key),
            None => continue,
        };
        match constraints_of(name, text, side)? {
            Some(items) => constraints += &items,
            None => {
                let are_rules = board.is_some() || has_unknown_cells(key, text, names);
                add_rule(&mut rules, &mut unknown, [name, key], text, are_rules)?;
            }
        }
    }
    if !unknown.is_empty() {
        let names = unknown.join(", ");
        return Err(match unknown.len() {
            1 => format!("states a rule that is not known: {names}"),
            _ => format!("states rules that are not known: {names}"),
        }
        .into());
    }
    join_diagonals(&mut rules);
    if !constraints.is_empty() {
        rules.side = Some(side);
        rules.unread = constraints;
    }
    if let Some(board) = board {
        objects.iter().try_for_each(|object| check_size(object, board.side))?;
        rules.side = Some(board.side);
        if board.states_regions {
            rules.has_places = true;
            rules.regions = Some(board.regions.clone());
        }
        if !board.candidates.is_empty() {
            rules.has_places = true;
            rules.candidates.extend(&board.candidates);
        }
    }
    if rules.has_rules() {
        rules.source = RulesSource::Keys;
    }
    Ok(KeyRules { stated: rules, named })
}

/// Returns true if the key is that of a variant, also among other words, and its value true.
///
/// # Errors
/// Returns an error for a misspelt variant that is true.
fn is_stated(key: &str, text: &str) -> Result<bool, InvalidInput> {
    // Most values are longer.
    if text.len() > "\"true\"".len() || !is_true(text.trim_matches('"')) || is_column(key) {
        return Ok(false);
    }
    let rule = rule_of_field(key);
    // `"killer":1` can be a number of killers.
    let can_be_count = || text == "1" && rule == key && !is_stated_by_one(rule);
    if text == "true" || (rule.len() >= MIN_FIELD_NAME && !can_be_count()) {
        check_field_name(rule)?;
        return Ok(is_variant(rule));
    }
    Ok(false)
}

/// Returns the rule that needs cells and whose key is true. A number can be a count.
fn rule_named_true(key: &str, text: &str) -> Option<&'static str> {
    // Most values are longer.
    let is_stated =
        text.len() <= "\"true\"".len() && text != "1" && is_true(text.trim_matches('"'));
    (is_stated && !is_column(key)).then(|| rule_of_true_key(key))?
}

/// True for a string such as `"R1C1 R1C2"`.
fn begins_with_cell(text: &str) -> bool {
    matches!(text.as_bytes(), [b'"', b'R' | b'r', b'0'..=b'9', ..])
}

/// Returns true for objects with cells, which are a rule, unless the program has written them.
fn has_unknown_cells(key: &str, text: &str, names: &HeaderNames) -> bool {
    let is_list = text.strip_prefix('[').is_some_and(|items| items.trim_start().starts_with('{'));
    is_list
        && memmem::find(text.as_bytes(), b"\"cells\"").is_some()
        && !names.are_of(Field::Cages, key.as_bytes())
        && !is_column(key)
}

/// Returns false for an object none of whose keys states a rule or has an object. Parses nothing.
pub(super) fn can_state_rules(object: &[u8]) -> bool {
    let mut members = Members::new(object);
    while let Ok(Some((key, value))) = members.next() {
        let is_rule = || str::from_utf8(key).is_ok_and(can_be_field);
        let can_be_rule = match object[value] {
            b'{' => true,
            b't' => name_of_flag(key).is_some() || is_rule(),
            b'"' if is_true(word_at(object, value)) => is_rule(),
            b'"' => names_variants(key) || is_other_field(key),
            b'[' => {
                names_variants(key)
                    || is_other_field(key)
                    || name_of_flag(key).is_some()
                    || is_rule()
            }
            _ => name_of_flag(key).is_some(),
        };
        if can_be_rule {
            return true;
        }
    }
    false
}

/// Returns the first word of a string that begins at this index.
fn word_at(text: &[u8], string: usize) -> &str {
    let word = text[string + 1..].split(|byte| !byte.is_ascii_alphanumeric()).next();
    word.and_then(|word| str::from_utf8(word).ok()).unwrap_or_default()
}

pub(super) fn names_variants(key: impl AsRef<[u8]>) -> bool {
    let key = key.as_ref();
    is_name(Field::Variant.name(), key) || is_name("rule", key)
}

/// True for the layout, the cages and the constraint string of a puzzle.
fn is_other_field(key: impl AsRef<[u8]>) -> bool {
    let key = key.as_ref();
    let fields = [Field::Regions, Field::Cages, Field::Constraints];
    fields.iter().any(|field| key.eq_ignore_ascii_case(field.name().as_bytes()))
}

fn add_variants(rules: &mut RecordRules, variants: &Variants) {
    let all = std::mem::take(&mut rules.variants);
    rules.variants = variants.iter().fold(all, Variants::with);
}

/// Returns true for the name of the field of killer cages in f-puzzles.
fn is_cages(key: &str) -> bool {
    key.eq_ignore_ascii_case("killercage")
}

fn name_of_flag(key: impl AsRef<[u8]>) -> Option<&'static str> {
    FLAGS.iter().map(|(name, _)| *name).find(|name| is_name(name, &key))
}

/// Returns the size that an object states.
fn stated_size(objects: &[&JsonObject<'_>]) -> Option<usize> {
    let sizes = objects.iter().filter_map(|object| object.values.get("size"));
    sizes.filter_map(|size| size.get().parse().ok()).next()
}

/// Returns the items of a constraint string, `None` if the key is of no such rule or the value
/// states none.
fn constraints_of(key: &str, text: &str, side: usize) -> Result<Option<String>, InvalidInput> {
    let (kind, is_negative) = (f_constraints::kind_of(key), key.eq_ignore_ascii_case(NEGATIVE));
    if kind.is_none() && !is_negative {
        return Ok(None);
    }
    let Ok(value) = serde_json::from_str::<Json>(text) else {
        return Ok(None);
    };
    if is_negative {
        let words = value.as_array().into_iter().flatten().map(Json::as_str);
        return Ok(words
            .collect::<Option<Vec<&str>>>()
            .as_deref()
            .and_then(f_constraints::negative));
    }
    let Some(kind) = kind.filter(|_| items_with_cells(&value).next().is_some()) else {
        return Ok(None);
    };
    let list: Vec<&Json> = items_with_cells(&value).collect();
    let items = list.iter().map(|item| kind.items(key, item, &list, side));
    items.collect::<Result<String, InvalidInput>>().map(Some)
}

fn is_flag(key: &str) -> bool {
    FLAGS.iter().any(|(name, _)| name.eq_ignore_ascii_case(key))
}

fn add_rule(
    rules: &mut RecordRules,
    unknown: &mut Vec<String>,
    [name, key]: [&str; 2],
    text: &str,
    is_in_f_puzzles: bool,
) -> Result<(), InvalidInput> {
    let is_key = |known: &str| known.eq_ignore_ascii_case(name);
    let known = FLAGS.iter().chain(&LISTS).find(|(name, _)| is_key(name));
    let is_rule = !is_cages(name) && (name_of_rule(name).is_some() || is_key(CAGE));
    let is_unknown = is_rule || (is_in_f_puzzles && !DRAWN.into_iter().any(is_key));
    let has_words = is_key(NEGATIVE) || (is_in_f_puzzles && is_key(CONSTRAINTS));
    // A layout has a field of its own.
    let has_cells = || {
        name.len() >= MIN_FIELD_NAME
            && !is_other_field(name)
            && Variant::stated(name).is_some()
            && has_names_of_cells(text)
    };
    if known.is_none() && !is_unknown && !has_words && has_cells() {
        return Err(with_unread_cells(key));
    }
    if known.is_none() && !is_unknown && !has_words {
        return Ok(());
    }
    let Ok(value) = serde_json::from_str::<Json>(text) else {
        return Ok(());
    };
    match known {
        Some((name, known)) if is_flag(name) => add_flag(rules, name, known, &value)?,
        Some((name, known)) if items_with_cells(&value).next().is_some() => {
            for item in items_with_cells(&value) {
                add_cells(rules, known, cells_of(name, item)?);
            }
        }
        // A rule in a form that is not read.
        Some(_) if has_names_of_cells(text) || is_nested(&value) => unknown.push(key.to_string()),
        None if is_rule && (has_names_of_cells(text) || is_nested(&value)) => {
            unknown.push(key.to_string());
        }
        None if is_in_f_puzzles && is_unknown && value == Json::Bool(true) => {
            unknown.push(key.to_string());
        }
        None if has_words && is_list_of_words(&value) => unknown.push(key.to_string()),
        None if items_with_cells(&value).next().is_some() => unknown.push(key.to_string()),
        _ => {}
    }
    Ok(())
}

/// Returns true for a list of lists or objects, or an object with lists, which numbers and words of
/// other data are not.
fn is_nested(value: &Json) -> bool {
    let is_list = |value: &Json| value.as_array().is_some_and(|items| !items.is_empty());
    match value {
        Json::Array(items) => items.iter().any(|item| item.is_array() || item.is_object()),
        Json::Object(members) => members.values().any(is_list),
        _ => false,
    }
}

fn add_flag(
    rules: &mut RecordRules,
    name: &str,
    known: &Known,
    value: &Json,
) -> Result<(), InvalidInput> {
    if !is_set(name, value)? {
        return Ok(());
    }
    match known {
        Known::Variant(variant) => {
            rules.variants = std::mem::take(&mut rules.variants).with(*variant);
            rules.items.push(RuleItem::of_grid(variant.name()));
        }
        Known::Diagonal(diagonal) => rules.different.push(diagonal.clone()),
        Known::Odd | Known::Even | Known::ExtraRegion => unreachable!("these are lists"),
    }
    Ok(())
}

/// A program can write 1 or "true" for `true`.
fn is_set(name: &str, value: &Json) -> Result<bool, InvalidInput> {
    match value {
        Json::Bool(value) => Ok(*value),
        Json::Null => Ok(false),
        Json::Number(number) if number.as_u64() == Some(0) => Ok(false),
        Json::Number(number) if number.as_u64() == Some(1) => Ok(true),
        Json::Array(list) if list.is_empty() => Ok(false),
        Json::Object(members) if members.is_empty() => Ok(false),
        Json::String(text) if text.is_empty() || text.eq_ignore_ascii_case("false") => Ok(false),
        Json::String(text) if text.eq_ignore_ascii_case("true") => Ok(true),
        _ => Err(format!("'{name}' names a rule, and its value is neither true nor false").into()),
    }
}

fn add_cells(rules: &mut RecordRules, known: &Known, cells: Vec<Place>) {
    // Bit 0 is that of the digit 1.
    const ODD: u32 = 0x5555_5555;
    let digits = match known {
        Known::Odd => ODD,
        Known::Even => !ODD,
        _ => return rules.different.push(DifferentCells::Region(cells)),
    };
    rules.has_places = true;
    rules.candidates.extend(cells.into_iter().map(|cell| (cell, digits)));
}

/// Returns the objects of a list that have cells or lines of cells.
fn items_with_cells(value: &Json) -> impl Iterator<Item = &Json> {
    let items = value.as_array().into_iter().flatten();
    items.filter(|item| ["cell", "cells", "lines"].iter().any(|key| item.get(key).is_some()))
}

fn is_list_of_words(value: &Json) -> bool {
    value.as_array().is_some_and(|items| !items.is_empty() && items.iter().all(Json::is_string))
}

fn cells_of(name: &str, item: &Json) -> Result<Vec<Place>, InvalidInput> {
    let cells = item.get("cells").and_then(Json::as_array).into_iter().flatten();
    let cells = cells.chain(item.get("cell"));
    let place = |cell: &Json| {
        let place = place_of_name(cell, MAX_SIDE);
        place.ok_or_else(|| format!("{cell} in '{name}' is not a cell").into())
    };
    cells.map(place).collect()
}

/// Both diagonals are a variant of their own.
fn join_diagonals(rules: &mut RecordRules) {
    let is_diagonal = |set: &DifferentCells| !matches!(set, DifferentCells::Region(_));
    if rules.different.iter().filter(|set| is_diagonal(set)).count() == 2 {
        rules.different.retain(|set| !is_diagonal(set));
        rules.variants = std::mem::take::<Variants>(&mut rules.variants).with(Variant::Diagonal);
    }
}

fn check_size(object: &JsonObject<'_>, side: usize) -> Result<(), InvalidInput> {
    let size = object.values.get("size").and_then(|size| size.get().parse::<usize>().ok());
    match size.filter(|&size| size != side) {
        Some(size) => Err(format!("the size is {size}, and the grid has {side} rows").into()),
        None => Ok(()),
    }
}
