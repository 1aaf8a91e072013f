//! JSON: a record is an object. Some of its values are the fields of a puzzle. `cutter.rs` finds
//! where objects end, `nested.rs` finds puzzles that lie deeper, `grid.rs` reads and writes grids
//! as strings or arrays, `f_puzzles.rs` reads the rules that other keys state.

mod chat;
pub mod cutter;
mod f_constraints;
mod f_puzzles;
mod grid;
mod nested;
mod scan;
mod values;

use std::borrow::Cow;

use serde_json::Value as Json;
use serde_json::value::RawValue;

use crate::text::header_names::{CHOOSE_ANSWER, HeaderNames, unused_name};
use crate::text::kept_fields::KeptFields;
use crate::text::notation::{is_constraint_string, is_self_describing, looks_like_cages};
use crate::text::record::{Field, FieldSet, RecordFields, trim};
use crate::text::rule_names::{NamedRules, can_name_rules, lists_rules};
use crate::text::size::{pencilmark_side, size_of_grid};
use crate::text::symbols::Alphabet;
use crate::text::unread::{is_column, is_layout, is_other_puzzle, keeps_givens};
use crate::text::value::Value;
use engine::error::{BoxError, InvalidInput, MissingKey};
use f_puzzles::{Board, KeyRules, is_board, write_board};
use grid::{GridForm, decode, decode_with_side};
use nested::Finder;
pub(crate) use nested::{begins_with_grids, path_of_record};
use values::Values;

/// Rules and other puzzles are looked for in values this deep within a record.
const MAX_DEPTH_WITHIN: usize = 3;

/// A longer value is no list of names.
const MAX_NAMES: usize = 300;

/// Keys for the puzzle that count after all others. They are no such names in CSV: a column of the
/// output is called so, or columns of that name have something else.
const LAST_NAMES: [&str; 8] =
    ["givens", "clues", "problem", "start", "value", "values", "input", "data"];

/// A JSON object. Its values are undecoded parts of its text. Of equal keys, the last counts.
#[derive(Clone)]
pub(crate) struct JsonObject<'a> {
    text: &'a [u8],
    values: Values<'a>,
}

impl<'a> JsonObject<'a> {
    pub fn parse(record: &'a [u8]) -> Result<JsonObject<'a>, InvalidInput> {
        // An object over several lines can end with a comma, as those of an array do.
        let text = trim(record);
        let text = if text.ends_with(b"},") { &text[..text.len() - 1] } else { text };
        if text.starts_with(b"[") {
            return Err("a JSON array instead of an object (jq -c '{puzzle: .}' makes objects of arrays of cells, jq -c '.[] | {puzzle: .}' of arrays of puzzles)".into());
        }
        let values = Values::parse(text).map_err(|error| {
            let error = error.to_string().replace(" at line 1 column ", " at column ");
            format!("not a JSON object: {error}")
        })?;
        // `trim` keeps a CR, which JSON allows around values.
        Ok(JsonObject { text: text.trim_ascii(), values })
    }

    /// Decodes the fields of the puzzle. If cages are expected and the object has none, the key of
    /// the puzzle can hold the cages, which are then returned as the puzzle.
    pub fn fields(
        &self,
        names: &HeaderNames,
        alphabet: &Alphabet,
        expected: FieldSet,
    ) -> Result<RecordFields<'a>, BoxError> {
        let mut members = Field::ALL.map(|field| self.member(field, names));
        if expected.are_prose {
            let puzzle = &mut members[Field::Puzzle as usize];
            *puzzle = puzzle.or_else(|| self.prompt());
        }
        let [puzzle, _, cages, answer, ..] = members;
        let is_given = |(_, value): (_, &RawValue)| !matches!(value.get(), "null" | r#""""#);
        let has_cages = cages.is_some_and(is_given);
        let (key, puzzle) = puzzle.ok_or_else(|| {
            MissingKey(match expected.cages && has_cages {
                true => missing_puzzle_of_cages(names),
                false => self.missing_puzzle(names, alphabet),
            })
        })?;
        let prose_answer = expected.answer && expected.are_prose;
        let mut reply = None;
        if prose_answer && answer.is_none() {
            let missing = || missing_key(Field::Answer, None, names);
            reply = Some(chat::reply(puzzle).ok_or_else(missing)?);
        }
        self.check_only_cages(names)?;
        let board = is_board(puzzle).then(|| Board::read(puzzle)).transpose();
        let board = board.map_err(|reason| format!("{reason} in '{key}'"))?;
        let can_be_cages = expected.cages && !has_cages && board.is_none();
        let cages_as_puzzle = can_be_cages.then(|| cages_alone(puzzle, alphabet)).flatten();
        let KeyRules { stated, named } = self.rules(key, board.as_ref(), names)?;
        let rules = (!stated.is_empty()).then(|| Box::new(stated));
        let answer = reply.map(|reply| reply.into_bytes().into());
        let prose = if expected.are_prose { chat::texts(puzzle) } else { None };
        let mut fields = RecordFields { rules, answer, prose, ..RecordFields::default() };
        for (field, member) in Field::ALL.into_iter().zip(members) {
            let Some((key, value)) = member else { continue };
            // In f-puzzles, a list.
            if field == Field::Constraints && !value.get().starts_with('"') {
                let is_empty = matches!(value.get(), "null" | "[]" | "{}");
                if board.is_none() && !is_empty && value.get().starts_with(['[', '{']) {
                    let example = ".Thermo~R1C1~R1C2";
                    return Err(format!(
                        "expected a constraint string such as {example} in '{key}'"
                    )
                    .into());
                }
                continue;
            }
            let decoded = match field {
                Field::Puzzle if cages_as_puzzle.is_some() => Ok(cages_as_puzzle.clone()),
                Field::Puzzle if fields.prose.is_some() => Ok(None),
                Field::Answer if prose_answer => {
                    check_is_one_answer(key, value, &fields.puzzle, alphabet)
                        .map(|()| text_of(value).into_text().map(Cow::Owned))
                }
                Field::Puzzle => match &board {
                    Some(board) => board.symbols(alphabet).map(|symbols| Some(symbols.into())),
                    None => decode_with_side(value, field, alphabet).map(|grid| {
                        let (symbols, side) = grid?;
                        fields.size = side.and_then(|side| size_of_grid(side, symbols.len()));
                        Some(symbols)
                    }),
                },
                Field::Variant => Ok(self.variants(names).map(|names| names.into_bytes().into())),
                _ => decode(value, field, alphabet),
            };
            let value = match decoded {
                Ok(value) => value,
                // A list of regions or cages states rules, whatever the run expects.
                Err(reason) if expected.has(field) || states_rules(field, value) => {
                    return Err(format!("{reason} in '{key}'").into());
                }
                // The run does not read this value.
                Err(_) => continue,
            };
            // The program itself writes null for missing regions or cages. These become `-`. But
            // null cages are left out if the key of the puzzle holds the cages.
            let can_be_null =
                field == Field::Regions || (field == Field::Cages && cages_as_puzzle.is_none());
            let missing = || can_be_null.then(|| b"-"[..].into());
            if let Some(value) = value.or_else(missing) {
                fields.set(field, value);
            }
        }
        if let Some(rule) = named {
            let mut rules = fields.variant.take().unwrap_or_default().into_owned();
            rules.extend([b"\n", rule.as_bytes()].concat());
            fields.variant = Some(rules.into());
        }
        Ok(fields)
    }

    /// Returns the key of a value that is not read and is a puzzle of the same size as this one, or
    /// has such puzzles. A value that a column of the program can have written is none.
    pub fn other_puzzle(
        &self,
        puzzle: &[u8],
        names: &HeaderNames,
        alphabet: &Alphabet,
    ) -> Option<&str> {
        // Most values are shorter.
        let mut members = self.values.iter().filter(|(_, value)| value.get().len() > puzzle.len());
        let is_wanted = |_: &RawValue, text: &[u8]| is_other_puzzle(puzzle, text, alphabet);
        let wanted = WantedGrid { length: puzzle.len(), alphabet, is_wanted: &is_wanted };
        let is_other = |&(key, value): &(&str, &RawValue)| {
            has_grid(value, &wanted, MAX_DEPTH_WITHIN)
                && self.field_of(key, names).is_none()
                && !is_column(key)
        };
        Some(members.find(is_other)?.0)
    }

    /// Returns the key of a value that is not read and is a solution of the puzzle with these
    /// givens, or has one within.
    pub fn other_solution(
        &self,
        givens: &[u8],
        names: &HeaderNames,
        alphabet: &Alphabet,
    ) -> Option<&str> {
        // A path of `--header` leads into the value of a key.
        let is_read = |value: &RawValue| {
            let mut read = Field::ALL.into_iter().filter_map(|field| self.member(field, names));
            read.any(|(_, read)| std::ptr::eq(read, value))
        };
        let is_wanted =
            |value: &RawValue, text: &[u8]| keeps_givens(givens, text, alphabet) && !is_read(value);
        let wanted = WantedGrid { length: givens.len(), alphabet, is_wanted: &is_wanted };
        // Most values are shorter.
        let mut members = self.values.iter().filter(|(_, value)| value.get().len() > givens.len());
        Some(members.find(|(_, value)| has_grid(value, &wanted, MAX_DEPTH_WITHIN))?.0)
    }

    /// Returns the key of a string that is a layout of this many cells and is not read.
    pub fn unread_layout(&self, cells: usize, names: &HeaderNames) -> Option<&str> {
        let mut strings = self.values.iter().filter(|(_, value)| value.get().len() == cells + 2);
        let is_unread = |&(key, value): &(&str, &RawValue)| {
            unquoted(value).is_some_and(is_layout)
                && self.field_of(key, names).is_none()
                && !is_column(key)
        };
        Some(strings.find(is_unread)?.0)
    }

    /// Returns the paths of lists of rules that are not read, and these names, separated by commas.
    /// Objects within have such lists too, unless they are of another puzzle.
    pub fn lists_of_rules(&self, names: &HeaderNames) -> Vec<(String, String)> {
        let mut lists = Vec::new();
        self.add_lists_of_rules(names, "", MAX_DEPTH_WITHIN, &mut lists);
        // The keys and indices on the way to a puzzle.
        if let Some(steps) = path_of_record(self.text).map(|path| path.replace('.', ","))
            && steps.contains(',')
            && lists_rules(steps.as_bytes())
        {
            lists.push((nested::KEY.to_string(), steps));
        }
        lists
    }

    fn add_lists_of_rules(
        &self,
        names: &HeaderNames,
        path: &str,
        depth: usize,
        lists: &mut Vec<(String, String)>,
    ) {
        for (key, value) in self.values.iter() {
            if value.get().starts_with('{') {
                if depth < 2 || !can_name_rules(value.get().as_bytes()) {
                    continue;
                }
                let inner = JsonObject::parse(value.get().as_bytes());
                let is_other_puzzle =
                    |object: &JsonObject<'_>| object.member(Field::Puzzle, names).is_some();
                if let Ok(object) = inner
                    && !is_other_puzzle(&object)
                {
                    let path = format!("{path}{key}.");
                    object.add_lists_of_rules(names, &path, depth - 1, lists);
                }
            } else if can_be_names(value)
                && let Some(text) = names_in(value)
                && lists_rules(text.as_bytes())
                && (!path.is_empty() || self.field_of(key, names).is_none())
            {
                lists.push((format!("{path}{key}"), text));
            }
        }
    }

    /// Returns a key that holds a prompt, if no key has a name of a puzzle.
    fn prompt(&self) -> Option<(&str, &'a RawValue)> {
        let member = |name: &'static str| Some((name, self.values.get(name)?));
        let mut members = chat::PROMPTS.iter().filter_map(|name| member(name));
        members.find(|(_, value)| chat::texts(value).is_some())
    }

    /// Returns the names under all keys of variants, each key on a line.
    fn variants(&self, names: &HeaderNames) -> Option<String> {
        let others = names.other_names_of(Field::Variant).flat_map(|name| self.keys_named(name));
        let keys = self.keys(Field::Variant, names).chain(others);
        let path = names.of(Field::Variant).filter(|path| !self.values.contains_key(path));
        let values = keys.map(|key| self.values[key]).chain(path.and_then(|it| self.value_at(it)));
        let texts = values.filter_map(names_in);
        texts.reduce(|all, text| all + "\n" + &text)
    }

    /// Returns the rules that the keys of the object state, those of the object within that holds
    /// the puzzle, if `key` is a path, and those of objects within that hold no puzzle, such as
    /// `"options":{"antiknight":true}`.
    fn rules(
        &self,
        key: &str,
        board: Option<&Board>,
        names: &HeaderNames,
    ) -> Result<KeyRules, InvalidInput> {
        let mut inner: Vec<JsonObject<'_>> = self.holder(key).into_iter().collect();
        self.add_objects_of_options(names, MAX_DEPTH_WITHIN, &mut inner);
        let objects: Vec<&JsonObject<'_>> = [self].into_iter().chain(&inner).collect();
        f_puzzles::rules(&objects, board, names)
    }

    fn add_objects_of_options(
        &self,
        names: &HeaderNames,
        depth: usize,
        objects: &mut Vec<JsonObject<'a>>,
    ) {
        let values = self.values.iter().map(|(_, value)| value.get().as_bytes());
        for text in values.filter(|text| text[0] == b'{' && f_puzzles::can_state_rules(text)) {
            let Ok(object) = JsonObject::parse(text) else { continue };
            let is_holder = objects.iter().any(|known| std::ptr::eq(known.text, object.text));
            if object.member(Field::Puzzle, names).is_none() && !is_holder {
                if depth > 1 {
                    object.add_objects_of_options(names, depth - 1, objects);
                }
                objects.push(object);
            }
        }
    }

    /// Returns true if a key of the object states a rule, also one that is not known.
    fn states_rules(&self, names: &HeaderNames) -> bool {
        // Other objects within can be those of puzzles.
        let of_rules = self.values.iter().filter(|(key, _)| f_puzzles::names_variants(key));
        let inner: Vec<JsonObject<'_>> = of_rules
            .filter_map(|(_, value)| JsonObject::parse(value.get().as_bytes()).ok())
            .collect();
        let objects: Vec<&JsonObject<'_>> = [self].into_iter().chain(&inner).collect();
        let has_none = f_puzzles::rules(&objects, None, names)
            .is_ok_and(|KeyRules { stated, named }| stated.is_empty() && named.is_none());
        let has_text = |field, is_rule: fn(&str) -> bool| {
            let member = self.member(field, names);
            member.and_then(|(_, value)| names_in(value)).is_some_and(|text| is_rule(&text))
        };
        fn names_rules(text: &str) -> bool {
            !NamedRules::read(text).is_ok_and(|named| named.is_empty())
        }
        !has_none
            || has_text(Field::Variant, names_rules)
            || has_text(Field::Constraints, |text| text.starts_with('.') || names_rules(text))
    }

    /// Returns true if the object states rules, or has a field or a puzzle that can have them.
    fn can_have_rules(&self, names: &HeaderNames) -> bool {
        let puzzle = self.member(Field::Puzzle, names).and_then(|(_, value)| unquoted(value));
        self.states_rules(names)
            || self.has_field(Field::Regions, names)
            || self.has_field(Field::Cages, names)
            || puzzle.is_none_or(is_self_describing)
    }

    /// Returns the innermost object within this one on the way of a path.
    fn holder(&self, path: &str) -> Option<JsonObject<'a>> {
        if self.values.contains_key(path) {
            return None;
        }
        let steps = path.match_indices('.').map(|(end, _)| &path[..end]);
        let values = steps.filter_map(|path| self.value_at(path));
        let objects = values.map(|value| JsonObject::parse(value.get().as_bytes()));
        objects.rev().find_map(Result::ok)
    }

    /// Of two keys with cages, one would not be read.
    fn check_only_cages(&self, names: &HeaderNames) -> Result<(), InvalidInput> {
        let is_given = |key: &&str| !matches!(self.values[*key].get(), "null" | "\"\"" | "[]");
        let mut keys = self.keys(Field::Cages, names).filter(is_given);
        match (keys.next(), keys.next()) {
            (Some(first), Some(second)) if names.of(Field::Cages).is_none() => {
                Err(format!("the object has cages twice: {first} and {second}").into())
            }
            _ => Ok(()),
        }
    }

    /// Checks that at most one key can hold the answer, or that one has exactly the name that the
    /// user chose. With `--shuffle`, the value of this key changes with the puzzle.
    pub fn check_only_answer(&self, names: &HeaderNames) -> Result<(), InvalidInput> {
        let is_key = |name| self.values.contains_key(name);
        let is_chosen = names.of(Field::Answer).is_some_and(is_key);
        let mut keys = self.keys(Field::Answer, names);
        match (keys.next(), keys.next()) {
            (Some(first), Some(second)) if !is_chosen => {
                Err(format!("the object has two answers: {first} and {second}; {CHOOSE_ANSWER}")
                    .into())
            }
            _ => Ok(()),
        }
    }

    /// Returns the members in the order of the text.
    fn in_order(&self) -> Vec<(&str, &'a RawValue)> {
        let mut members: Vec<_> = self.values.iter().collect();
        members.sort_by_key(|(_, value)| value.get().as_ptr());
        members
    }

    /// The preferred key comes first. Ignores case.
    fn keys<'n>(&'n self, field: Field, names: &'n HeaderNames) -> impl Iterator<Item = &'n str> {
        names.names_of(field).flat_map(|name| self.keys_named(name))
    }

    /// Returns the keys of other names whose value can be a grid. Of several, one whose value has
    /// cells comes first: `board` can be a title.
    fn other_keys<'n>(
        &'n self,
        field: Field,
        names: &'n HeaderNames,
    ) -> impl Iterator<Item = &'n str> {
        let has_last = field == Field::Puzzle && names.of(field).is_none();
        let last = if has_last { &LAST_NAMES[..] } else { &[] };
        let last = last.iter().copied().filter(|name| !names.has(name));
        let known = names.other_names_of(field).chain(last);
        let keys = known.flat_map(|name| self.keys_named(name));
        let can_be_grid = |key: &&str| {
            let value = self.values[*key];
            value.get().starts_with(['"', '['])
                && (!matches!(*key, "input" | "data") || can_have_cells(value))
        };
        let mut keys: Vec<&str> = keys.filter(can_be_grid).collect();
        if keys.len() > 1 {
            keys.sort_by_key(|key| !can_have_cells(self.values[*key]));
        }
        keys.into_iter()
    }

    /// Returns the key that is read as this field, and its value. A name with dots that is no key
    /// is the way to a value within the values of other keys.
    fn member<'n>(
        &'n self,
        field: Field,
        names: &'n HeaderNames,
    ) -> Option<(&'n str, &'a RawValue)> {
        let key = self.keys(field, names).next();
        match key.or_else(|| self.other_keys(field, names).next()) {
            Some(key) => Some((key, self.values[key])),
            None => {
                let path = names.of(field)?;
                Some((path, self.value_at(path)?))
            }
        }
    }

    /// Returns the value that a path such as `metadata.puzzle` or `choices.0.text` leads to. A key
    /// can have dots. The elements of an array count from 0.
    fn value_at(&self, path: &str) -> Option<&'a RawValue> {
        if let Some(value) = self.values.get(path) {
            return Some(value);
        }
        path.match_indices('.')
            .find_map(|(end, _)| value_within(self.values.get(&path[..end])?, &path[end + 1..]))
    }

    /// The advice to name a key would leave out all puzzles but one.
    fn missing_puzzle(&self, names: &HeaderNames, alphabet: &Alphabet) -> InvalidInput {
        let mut finder = Finder::new(names, alphabet);
        finder.search(self.text, "");
        let path = self.path_of_puzzle(names, alphabet);
        let reason = missing_key(Field::Puzzle, path, names);
        if finder.number_of_puzzles() < 2 || names.of(Field::Puzzle).is_some() {
            return reason;
        }
        let (number, reason) = (finder.number_of_puzzles(), reason.to_string());
        let reason = reason.split(';').next().unwrap_or_default();
        format!("{reason}, but {number} puzzles; if the first object has several, all are read")
            .into()
    }

    /// Returns the path of a puzzle in this object, or else that in the elements of its first array
    /// of objects, which are records once the user names it.
    pub fn path_of_puzzle(&self, names: &HeaderNames, alphabet: &Alphabet) -> Option<String> {
        self.path_of_cells(names, alphabet, nested::MAX_DEPTH).or_else(|| {
            let first = |value: &'a RawValue| {
                let elements: Vec<&RawValue> = serde_json::from_str(value.get()).ok()?;
                JsonObject::parse(elements.first()?.get().as_bytes()).ok()
            };
            let path = self.values.iter().find_map(|(_, value)| first(value))?.path_of_cells(
                names,
                alphabet,
                nested::MAX_DEPTH,
            );
            path.filter(|path| !path.contains('.'))
        })
    }

    /// Returns the path of a value that has the cells of a puzzle of side 4 or more, one of them
    /// blank, and that the user calls by no other name. Objects within objects are searched down to
    /// this depth.
    fn path_of_cells(
        &self,
        names: &HeaderNames,
        alphabet: &Alphabet,
        depth: usize,
    ) -> Option<String> {
        self.values.iter().find_map(|(key, value)| {
            if value.get().starts_with('{') {
                let inner = JsonObject::parse(value.get().as_bytes()).ok()?;
                let path = inner.path_of_cells(names, alphabet, depth.checked_sub(1)?)?;
                return Some(format!("{key}.{path}"));
            }
            // An array with one string is probably a list of puzzles.
            if value.get().starts_with('[') && value.get().matches('"').count() == 2 {
                return None;
            }
            let cells = match is_board(value) {
                true => Board::read(value).ok()?.symbols(alphabet).ok()?.into(),
                false => decode(value, Field::Puzzle, alphabet).ok()??,
            };
            let (side, mut digits) = (cells.len().isqrt(), Vec::new());
            let is_puzzle = !names.has(key)
                && side >= 4
                && side * side == cells.len()
                && alphabet.read(&cells, side, &mut digits).is_ok()
                && digits.contains(&0);
            is_puzzle.then(|| key.to_string())
        })
    }

    /// Returns the key with this name, then the keys that differ from it only in case.
    fn keys_named<'n>(&'n self, name: &'n str) -> impl Iterator<Item = &'n str> {
        // A comparison of the lengths excludes most keys, faster than a search in the map.
        let named = self.values.keys().filter(move |key| key.eq_ignore_ascii_case(name));
        named.clone().filter(move |key| *key == name).chain(named.filter(move |key| *key != name))
    }

    pub fn grid_form(&self, names: &HeaderNames, alphabet: &Alphabet) -> GridForm {
        // A shortcut: in an object without an array, the puzzle is a string, the default form.
        if memchr::memchr(b'[', self.text).is_none() {
            return GridForm::default();
        }
        let puzzle = self.member(Field::Puzzle, names);
        puzzle.map_or(GridForm::default(), |(_, grid)| GridForm::of(grid, alphabet))
    }

    pub fn field_of(&self, key: &str, names: &HeaderNames) -> Option<Field> {
        let is_read_from = |(name, _): (&str, _)| name == key;
        Field::ALL.into_iter().find(|&field| self.member(field, names).is_some_and(is_read_from))
    }

    /// True if the key of the field, or the first key on its path, is kept.
    pub fn keeps(&self, field: Field, kept: &KeptFields, names: &HeaderNames) -> bool {
        self.member(field, names).is_some_and(|(path, _)| {
            let first = path.split('.').next().unwrap_or_default();
            kept.has(path.as_bytes()) || kept.has(first.as_bytes())
        })
    }

    pub fn all_keys(&self) -> impl Iterator<Item = &str> {
        self.values.keys()
    }

    pub fn without(&self, key: &str) -> JsonObject<'a> {
        JsonObject { text: self.text, values: self.values.without(key) }
    }

    pub fn has_field(&self, field: Field, names: &HeaderNames) -> bool {
        self.member(field, names).is_some()
    }

    /// Returns the key of a constraint string that is not read, and is no copy of a value that is.
    pub fn unread_constraints(&self, names: &HeaderNames) -> Option<&str> {
        // The field of variants has names.
        let is_read =
            |key: &str| self.field_of(key, names).is_some_and(|field| field != Field::Variant);
        let is_copy =
            |text: &str| self.values.iter().any(|(key, value)| value.get() == text && is_read(key));
        let unread = self.values.iter().find(|(key, value)| {
            value.get().starts_with("\".")
                && serde_json::from_str::<Cow<'_, str>>(value.get())
                    .is_ok_and(|text| is_constraint_string(trim(text.as_bytes())))
                && !is_read(key)
                && !is_copy(value.get())
        })?;
        Some(unread.0)
    }

    /// True if the object has a member with this key; a path leads to none.
    pub fn has_member(&self, key: &str) -> bool {
        self.values.contains_key(key)
    }

    /// The key can be a path.
    pub fn has_key(&self, key: &str) -> bool {
        self.value_at(key).is_some()
    }

    /// The key can be a path.
    pub fn value(&self, key: &str) -> Value<'a> {
        self.value_at(key).map_or(Value::Missing, text_of)
    }

    /// Appends the kept members of the object without its closing `}`, on one line. Each field in
    /// `changed` replaces the value that the object has for it, in the form of this value. If there
    /// is none, `writer` adds the field.
    pub fn write_unclosed(
        &self,
        changed: &[(Field, Value<'_>)],
        names: &HeaderNames,
        kept: &KeptFields,
        writer: &ValueWriter<'_>,
        output: &mut Vec<u8>,
    ) {
        let mut replaced = Vec::new();
        let mut added = Vec::new();
        for (field, value) in changed {
            match self.member(*field, names) {
                Some((_, old)) => replaced.push((old, value)),
                None => added.push((field.name(), value)),
            }
        }
        // In the order of the text, so that each value is in `unread` when its turn comes.
        replaced.sort_by_key(|(old, _)| old.get().as_ptr());
        match kept {
            KeptFields::All => {
                let text = self.text.strip_suffix(b"}").expect("the text is an object");
                writer.copy_with(text.trim_ascii_end(), &replaced, output);
            }
            KeptFields::Named(_) => {
                output.push(b'{');
                for (key, value) in self.in_order() {
                    if kept.has(key.as_bytes()) {
                        writer.write_key(key, output);
                        writer.copy_with(value.get().as_bytes(), &replaced, output);
                    }
                }
            }
        }
        for (name, value) in added {
            writer.write_member(&self.unused_key(name, kept), value, output);
        }
    }

    pub fn unused_key(&self, name: &str, kept: &KeptFields) -> String {
        unused_name(name, |name| kept.has(name.as_bytes()) && self.values.contains_key(name))
    }
}

/// The path leads into an object or an array.
fn value_within<'a>(value: &'a RawValue, path: &str) -> Option<&'a RawValue> {
    if value.get().starts_with('{') {
        return JsonObject::parse(value.get().as_bytes()).ok()?.value_at(path);
    }
    let elements: Vec<&RawValue> = serde_json::from_str(value.get()).ok()?;
    let (index, rest) = path.split_once('.').map_or((path, None), |(it, rest)| (it, Some(rest)));
    let element = *elements.get(index.parse::<usize>().ok()?)?;
    rest.map_or(Some(element), |rest| value_within(element, rest))
}

/// `path` is that of a value that can be the field.
fn missing_key(field: Field, path: Option<String>, names: &HeaderNames) -> InvalidInput {
    if let Some(name) = names.of(field) {
        return format!("the object has no key '{name}'").into();
    }
    let key = path.as_deref().unwrap_or("KEY");
    let all: Vec<&str> = names.names_of(field).chain(names.other_names_of(field)).collect();
    // A puzzle can be deeper than a path leads.
    let deeper = match field {
        Field::Puzzle if path.is_none() => ", or jq -c '.. | objects | select(has(\"KEY\"))'",
        _ => "",
    };
    let (all, field) = (all.join(", "), field.name());
    format!(
        "the object has none of the keys {all}; name its key with --header {field}={key}{deeper}"
    )
    .into()
}

/// Of several answers, only one would be checked. An array of rows or of the lines of a text is
/// one: no element has as many symbols as the puzzle has cells.
fn check_is_one_answer(
    key: &str,
    answer: &RawValue,
    puzzle: &[u8],
    alphabet: &Alphabet,
) -> Result<(), InvalidInput> {
    if !answer.get().starts_with('[') {
        return Ok(());
    }
    let cells = least_cells(puzzle);
    let elements: Vec<&RawValue> = serde_json::from_str(answer.get()).unwrap_or_default();
    let is_symbol = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'.';
    let symbols = |value: &&RawValue| value.get().bytes().filter(is_symbol).count();
    let is_grid = || {
        let grid = decode(answer, Field::Answer, alphabet).ok().flatten();
        grid.is_some_and(|symbols| symbols.len() <= cells)
    };
    if elements.len() < 2 || !elements.iter().any(|value| symbols(value) >= cells) || is_grid() {
        return Ok(());
    }
    let number = elements.len();
    let path: String = key.split('.').map(step_of_jq).collect();
    Err(format!("an array of {number} answers (jq -c '{path} = {path}[]' makes a record of each)")
        .into())
}

/// Returns the least number of cells of a puzzle whose field is this text: rules can follow its
/// cells, or each cell has pencilmarks.
fn least_cells(puzzle: &[u8]) -> usize {
    // The puzzle is still to be found in a prompt.
    if puzzle.is_empty() || is_self_describing(puzzle) {
        return 16;
    }
    if let Some(side) = pencilmark_side(puzzle.len()) {
        return side * side;
    }
    let is_square = |cells: &usize| cells.isqrt().pow(2) == *cells;
    [1, 2, 3].map(|parts| puzzle.len() / parts).into_iter().find(is_square).unwrap_or(16)
}

/// False for a text that has letters, but no digit and no `.`, such as a title.
fn can_have_cells(value: &RawValue) -> bool {
    let is_cell = |byte: u8| byte.is_ascii_digit() || byte == b'.';
    value.get().bytes().any(is_cell) || !value.get().contains(|it: char| it.is_alphabetic())
}

/// Returns a key or an index as a step of a path of jq.
fn step_of_jq(key: &str) -> String {
    if key.parse::<usize>().is_ok() {
        return format!("[{key}]");
    }
    let is_name = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    let is_plain = key.bytes().all(is_name) && !key.starts_with(|it: char| it.is_ascii_digit());
    if is_plain { format!(".{key}") } else { format!(".{}", Json::from(key)) }
}

fn states_rules(field: Field, value: &RawValue) -> bool {
    matches!(field, Field::Regions | Field::Cages) && value.get().starts_with('[')
}

fn missing_puzzle_of_cages(names: &HeaderNames) -> InvalidInput {
    let key = names.of(Field::Puzzle).unwrap_or("puzzle");
    format!("the object has cages, but no key '{key}'; without givens, write \"{key}\": null")
        .into()
}

/// Returns the cages of a killer without givens, which the key of the puzzle holds in place of a
/// grid. The value must not have whitespace, brackets or double quotes.
fn cages_alone<'a>(value: &'a RawValue, alphabet: &Alphabet) -> Option<Cow<'a, [u8]>> {
    let cages = decode(value, Field::Cages, alphabet).ok().flatten()?;
    let is_symbol = |byte: &u8| byte.is_ascii_graphic() && !matches!(byte, b'[' | b']' | b'"');
    (looks_like_cages(&cages) && cages.iter().all(is_symbol)).then_some(cages)
}

pub(crate) struct ValueWriter<'a> {
    pub form: &'a GridForm,
    pub alphabet: &'a Alphabet,
}

impl ValueWriter<'_> {
    pub fn write_member(&self, key: &str, value: &Value<'_>, output: &mut Vec<u8>) {
        self.write_key(key, output);
        self.write(value, output);
    }

    /// No comma precedes the first key of an object: then the output ends with `{`.
    fn write_key(&self, key: &str, output: &mut Vec<u8>) {
        if output.last() != Some(&b'{') {
            output.push(b',');
        }
        write_string(key.as_bytes(), output);
        output.push(b':');
    }

    /// Appends a part of an object, on one line. A value within it that is in `replaced`, in the
    /// order of the text, is replaced in its form.
    fn copy_with(&self, text: &[u8], replaced: &[(&RawValue, &Value<'_>)], output: &mut Vec<u8>) {
        let place = text.as_ptr_range();
        let within = replaced.iter().filter(|(old, _)| place.contains(&old.get().as_ptr()));
        let mut unread = text;
        for &(old, value) in within {
            // The value is a part of `unread`, so the distance of their addresses is its index.
            let start = old.get().as_ptr().addr() - unread.as_ptr().addr();
            push_on_one_line(&unread[..start], output);
            let form = &GridForm::of(old, self.alphabet);
            match value {
                Value::Grid(_) | Value::Digits(..) if is_board(old) => {
                    write_board(&value.to_text().unwrap_or_default(), self.alphabet, output);
                }
                // Cages that were a string stay one.
                Value::List { text, .. } if !old.get().starts_with('[') => {
                    write_string(text, output)
                }
                _ => ValueWriter { form, ..*self }.write(value, output),
            }
            unread = &unread[start + old.get().len()..];
        }
        push_on_one_line(unread, output);
    }

    fn write(&self, value: &Value<'_>, output: &mut Vec<u8>) {
        match value {
            Value::Missing => output.extend_from_slice(b"null"),
            Value::Integer(_) | Value::Decimal(_) => value.write_text(output),
            Value::Text(text) => write_string(text, output),
            Value::Grid(symbols) => self.form.write(symbols, self.alphabet, output),
            Value::Digits(..) if self.form.is_text() && value.has_usual_symbols() => {
                output.push(b'"');
                value.write_text(output);
                output.push(b'"');
            }
            Value::Digits(digits, symbols) => {
                let mut text = Vec::with_capacity(digits.len());
                symbols.write(digits, &mut text);
                self.form.write(&text, self.alphabet, output);
            }
            Value::Candidates(..) => {
                write_string(&value.to_text().unwrap_or_default(), output);
            }
            Value::List { items, .. } => {
                output.push(b'[');
                for (index, item) in items.iter().enumerate() {
                    output.extend_from_slice(if index > 0 { b"," } else { b"" });
                    self.write(item, output);
                }
                output.push(b']');
            }
            Value::Object { members, .. } => {
                output.push(b'{');
                for (key, value) in members {
                    self.write_member(key, value, output);
                }
                output.push(b'}');
            }
            Value::Json { json, .. } => push_on_one_line(json.as_bytes(), output),
        }
    }
}

fn text_of(value: &RawValue) -> Value<'_> {
    let json = value.get();
    let text = match serde_json::from_str(json) {
        Ok(Json::String(text)) => text.into_bytes().into(),
        Ok(Json::Null) => b"-"[..].into(),
        _ => json.as_bytes().into(),
    };
    Value::Json { text, json }
}

/// False for cells, numbers and long texts, without parsing them.
fn can_be_names(value: &RawValue) -> bool {
    let text = value.get();
    let text = text.strip_prefix('[').map_or(text, str::trim_start);
    text.len() <= MAX_NAMES
        && text.strip_prefix('"').is_some_and(|it| it.starts_with(|it: char| it.is_alphabetic()))
        && can_name_rules(text.as_bytes())
}

/// Returns the text of a string, with its escapes.
fn unquoted(value: &RawValue) -> Option<&[u8]> {
    value.get().as_bytes().strip_prefix(b"\"")?.strip_suffix(b"\"")
}

/// A grid to look for, by its value and its symbols.
struct WantedGrid<'w> {
    length: usize,
    alphabet: &'w Alphabet,
    is_wanted: &'w dyn Fn(&RawValue, &[u8]) -> bool,
}

/// Returns true if a value is a wanted grid or has one within, down to this depth.
fn has_grid(value: &RawValue, wanted: &WantedGrid<'_>, depth: usize) -> bool {
    let text = value.get();
    let is_long = |value: &&RawValue| value.get().len() > wanted.length;
    let has = |value: &RawValue| has_grid(value, wanted, depth - 1);
    if let Some(string) = unquoted(value) {
        return (wanted.is_wanted)(value, string);
    }
    if !text.starts_with(['[', '{']) || depth == 0 {
        return false;
    }
    if let Ok(Some((symbols, _))) = decode_with_side(value, Field::Puzzle, wanted.alphabet)
        && symbols.len() == wanted.length
    {
        return (wanted.is_wanted)(value, &symbols);
    }
    match serde_json::from_str::<Vec<&RawValue>>(text) {
        Ok(elements) => elements.into_iter().filter(is_long).any(has),
        Err(_) => JsonObject::parse(text.as_bytes()).is_ok_and(|object| {
            object.values.iter().map(|(_, value)| value).filter(is_long).any(has)
        }),
    }
}

/// Returns a string, or the strings of an array, separated by commas. `None` for other values.
fn names_in(value: &RawValue) -> Option<String> {
    let mut names = Vec::new();
    add_names(&serde_json::from_str(value.get()).ok()?, &mut names);
    (!names.is_empty()).then(|| names.join(","))
}

/// The names are strings, in lists or as the name or type of an object.
fn add_names(value: &Json, names: &mut Vec<String>) {
    match value {
        Json::String(name) => names.push(name.clone()),
        Json::Array(items) => items.iter().for_each(|item| add_names(item, names)),
        Json::Object(members) => {
            let name = members.get("name").or_else(|| members.get("type"));
            names.extend(name.and_then(Json::as_str).map(str::to_string));
        }
        _ => {}
    }
}

/// Strings have no line ends.
fn push_on_one_line(json: &[u8], output: &mut Vec<u8>) {
    if memchr::memchr2(b'\n', b'\r', json).is_none() {
        return output.extend_from_slice(json);
    }
    for (index, line) in json.split(|byte| matches!(byte, b'\n' | b'\r')).enumerate() {
        output.extend_from_slice(if index > 0 { line.trim_ascii_start() } else { line });
    }
}

pub(super) fn write_string(text: &[u8], output: &mut Vec<u8>) {
    // Most strings need no escapes. `&` instead of `&&` keeps the loop free of branches.
    let is_plain = |byte: u8| matches!(byte, b' '..=b'~') & (byte != b'"') & (byte != b'\\');
    if text.iter().fold(true, |all, &byte| all & is_plain(byte)) {
        output.push(b'"');
        output.extend_from_slice(text);
        return output.push(b'"');
    }
    let text = String::from_utf8_lossy(text);
    serde_json::to_writer(output, &text).expect("a string is written to memory");
}
