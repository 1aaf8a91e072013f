//! The puzzles of a value that is neither a record nor an array of records: an object of objects,
//! of strings or of arrays, an array of strings, or arrays within arrays. Each puzzle becomes a
//! record of its own, whose field `key` is the path that leads to it:
//!
//! ```text
//!     {"mon":{"values":"53..","by":"A"},"tue":{"values":"1..3"}}
//!         {"key":"mon","puzzle":"53..","by":"A"}
//!         {"key":"tue","puzzle":"1..3"}
//!     {"easy":["53..","1..3"]}
//!         {"key":"easy.0","puzzle":"53.."}
//!         {"key":"easy.1","puzzle":"1..3"}
//! ```
//!
//! An object with one puzzle, whose key has no usual name, is the record of this puzzle; its path
//! ends with a key. A value under the key of an answer, a layout or cages is no puzzle, and neither
//! is a grid without a blank cell. Where no record has them, they are named as unread.

use serde_json::value::RawValue;

use super::f_puzzles::{Board, is_board};
use super::grid::decode_with_side;
use super::scan::{is_between, length_of_value};
use super::{JsonObject, write_string};
use crate::text::header_names::HeaderNames;
use crate::text::notation::is_self_describing;
use crate::text::record::Field;
use crate::text::size::pencilmark_side;
use crate::text::symbols::Alphabet;
use engine::rules::{MAX_SIDE, Shape};

pub(super) struct Finder<'f> {
    names: &'f HeaderNames,
    alphabet: &'f Alphabet,
    /// True if the puzzle of an object can be in a prompt.
    has_prompts: bool,
    pub records: Vec<FoundRecord>,
    /// The paths of answers, rules and full grids that are in none of the records.
    pub unread: Vec<String>,
    puzzles: usize,
    /// The number of damaged grids beside which no key has a name of puzzles.
    damaged: usize,
    /// True if the path of a puzzle has the index of an element.
    has_index: bool,
}

pub(super) struct FoundRecord {
    /// The address of the value in the text that was searched.
    pub address: usize,
    pub text: Vec<u8>,
}

/// The kinds of strings and arrays, by their symbols.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Look {
    Puzzle,
    /// A grid without a blank cell.
    Full,
    /// Nearly a grid of side 6 or more.
    Damaged,
    /// The value of a key that names an answer, a layout or cages.
    OtherField,
    Other,
}

pub(super) const KEY: &str = "key";
/// The number of keys and indices of the longest path.
pub(super) const MAX_DEPTH: usize = 64;
/// Shorter words and lists are no damaged grids.
const MIN_DAMAGED: usize = 6;
/// Shorter words of digits and zeros are numbers or dates.
const MIN_CUT_OF_DIGITS: usize = 12;
/// Shorter words with dots are numbers too.
const MIN_CUT: usize = 5;

impl<'f> Finder<'f> {
    pub fn new(names: &'f HeaderNames, alphabet: &'f Alphabet) -> Finder<'f> {
        let (records, unread) = (Vec::new(), Vec::new());
        let (puzzles, damaged, has_prompts, has_index) = (0, 0, false, false);
        Finder { names, alphabet, has_prompts, records, unread, puzzles, damaged, has_index }
    }

    pub fn with_prompts(mut self, has_prompts: bool) -> Finder<'f> {
        self.has_prompts = has_prompts;
        self
    }

    /// Looks for puzzles in a text that is one JSON value; finds none in any other text. `path` is
    /// that of the value.
    pub fn search(&mut self, text: &[u8], path: &str) {
        if let Ok(value) = serde_json::from_slice::<&RawValue>(text) {
            self.visit(value, path);
        }
    }

    /// Returns true if a text has several puzzles, or one that no path of keys leads to. Otherwise
    /// `--header` can name the key.
    pub fn are_nested(&self) -> bool {
        self.puzzles > 0 && (self.puzzles + self.damaged > 1 || self.has_index)
    }

    /// Returns true if a text that is one JSON value has strings which can only be damaged puzzles.
    pub fn finds_damaged(&mut self, text: &[u8]) -> bool {
        if let Ok(value) = serde_json::from_slice::<&RawValue>(text) {
            self.add_cut_grids(value, "");
        }
        self.damaged > 0
    }

    pub fn number_of_puzzles(&self) -> usize {
        self.puzzles
    }

    fn visit(&mut self, value: &RawValue, path: &str) {
        // Each level is parsed again.
        if path.matches('.').count() > MAX_DEPTH {
            return;
        }
        match (value.get().as_bytes()[0], self.look_of(value)) {
            (b'{', _) => {
                if let Ok(object) = JsonObject::parse(value.get().as_bytes()) {
                    self.visit_object(&object, value, path);
                }
            }
            (b'[', Look::Other) => {
                let elements: Vec<&RawValue> =
                    serde_json::from_str(value.get()).unwrap_or_default();
                self.visit_elements(&elements, path);
            }
            (_, Look::Other | Look::OtherField) => {}
            (_, Look::Full) => self.unread.push(path.to_string()),
            (_, look) => {
                self.puzzles += usize::from(look == Look::Puzzle);
                let record = written(path, &[("puzzle", value)]);
                self.push(value, record);
            }
        }
    }

    /// If several elements are records, an element that can only be a damaged puzzle is one too: a
    /// text without letters, or `null`. If most are, every other element is one, because words are
    /// no titles then.
    fn visit_elements(&mut self, elements: &[&RawValue], path: &str) {
        let (first, mut found, mut without) = (self.records.len(), 0, Vec::new());
        for (index, &element) in elements.iter().enumerate() {
            let (puzzles, path) = (self.puzzles, joined(path, &index.to_string()));
            let (records, unread) = (self.records.len(), self.unread.len());
            self.visit(element, &path);
            self.has_index |= self.puzzles > puzzles;
            if self.records.len() > records {
                found += 1;
            } else if self.unread.len() == unread {
                without.push((element, path));
            }
        }
        let has_titles = 2 * found <= elements.len();
        let can_be_title = |element: &RawValue| {
            let text = element.get();
            text != "null" && (text.contains(char::is_alphabetic) || !text.starts_with('"'))
        };
        // A list of rows beside one that is a puzzle.
        let are_rows = |element: &RawValue| {
            let rows: Vec<Vec<&RawValue>> = serde_json::from_str(element.get()).unwrap_or_default();
            rows.iter().any(|row| row.len() > 1)
        };
        for (element, path) in without {
            let is_record = match are_rows(element) {
                true => found > 0,
                false => found > 1 && !(has_titles && can_be_title(element)),
            };
            match is_record {
                true => self.push(element, written(&path, &[("puzzle", element)])),
                false if found > 0 => self.add_cut_grids(element, &path),
                false => {}
            }
        }
        self.records[first..].sort_by_key(|record| record.address);
    }

    fn visit_object(&mut self, object: &JsonObject<'_>, value: &RawValue, path: &str) {
        let members = object.in_order();
        let chosen =
            self.names.of(Field::Puzzle).and_then(|_| object.member(Field::Puzzle, self.names));
        let prompt = || object.prompt().filter(|_| self.has_prompts).map(|(key, _)| key);
        let names_puzzle = object.keys(Field::Puzzle, self.names).next().or_else(prompt);
        if chosen.is_some() && names_puzzle.is_none() {
            self.puzzles += 1;
            return self.push(value, copied(object, &members, path));
        }
        if names_puzzle.or_else(|| object.keys(Field::Cages, self.names).next()).is_some() {
            let puzzle = names_puzzle.map(|key| object.values[key]);
            match puzzle.map(|puzzle| self.look_of(puzzle)) {
                Some(Look::Other) => self.damaged += usize::from(puzzle.is_some_and(is_cut_grid)),
                _ => self.puzzles += 1,
            }
            return self.push(value, copied(object, &members, path));
        }
        let (records, unread) = (self.records.len(), self.unread.len());
        let mut looks: Vec<Look> =
            members.iter().map(|(key, member)| self.look_at(key, member)).collect();
        self.except_constraints(&members, &mut looks);
        let mut are_grids = looks.iter().map(|look| matches!(look, Look::Puzzle | Look::Damaged));
        let puzzle = members.iter().zip(are_grids.clone()).rfind(|(_, is_grid)| *is_grid);
        let puzzle = puzzle.map(|((key, _), _)| *key);
        let is_only = are_grids.by_ref().filter(|is_grid| *is_grid).count() == 1;
        let other_key = object.other_keys(Field::Puzzle, self.names).next();
        if is_only || other_key.is_none() {
            self.damaged += looks.iter().filter(|look| **look == Look::Damaged).count();
        }
        let is_record = members
            .iter()
            .zip(&looks)
            .any(|((key, _), look)| other_key == Some(key) && *look == Look::Puzzle);
        let mut without = Vec::new();
        for (&(key, member), look) in members.iter().zip(looks) {
            let path = joined(path, key);
            match look {
                Look::OtherField if matches!(member.get(), "null" | "\"\"" | "[]") => {}
                Look::OtherField => self.unread.push(path),
                _ => {
                    let before = self.records.len();
                    self.visit(member, &path);
                    if self.records.len() == before {
                        without.push((member, path));
                    }
                }
            }
        }
        if self.records.len() > records && !is_record {
            without.iter().for_each(|(member, path)| self.add_cut_grids(member, path));
            self.records[records..].sort_by_key(|record| record.address);
        }
        let found = self.records.len() - records;
        if let (Some(puzzle), 1) = (puzzle, found) {
            // The object is the record of its only puzzle.
            let name = |key| if key == puzzle { "puzzle" } else { key };
            let renamed: Vec<_> =
                members.iter().map(|&(key, member)| (name(key), member)).collect();
            self.unread.truncate(unread);
            let last = path.rsplit('.').next().unwrap_or_default();
            let is_named = last.starts_with(|it: char| !it.is_ascii_digit());
            let path = if is_named { path.to_string() } else { joined(path, puzzle) };
            self.records[records].text = written(&path, &renamed);
        } else if let (Some(key), 0) = (other_key, found) {
            self.damaged += usize::from(is_cut_grid(object.values[key]));
            self.unread.truncate(unread);
            self.push(value, copied(object, &members, path));
        }
    }

    /// Beside other puzzles, a constraint string under its usual key has the rules of these.
    fn except_constraints(&self, members: &[(&str, &RawValue)], looks: &mut [Look]) {
        let is_string = |key: &str| self.names.are_of(Field::Constraints, key.as_bytes());
        let Some(at) = members.iter().position(|(key, _)| is_string(key)) else { return };
        let has_puzzles = |(index, (_, value)): (usize, &(&str, &RawValue))| match looks[index] {
            Look::Puzzle | Look::Damaged => index != at,
            Look::Other => self.holds_puzzles(value),
            Look::Full | Look::OtherField => false,
        };
        if looks[at] == Look::Puzzle && members.iter().enumerate().any(has_puzzles) {
            looks[at] = Look::OtherField;
        }
    }

    fn holds_puzzles(&self, value: &RawValue) -> bool {
        let mut inner = Finder::new(self.names, self.alphabet);
        inner.visit(value, "");
        inner.puzzles > 0
    }

    /// Beside other puzzles, each string within a value that can only be a grid which is cut short
    /// is a record.
    fn add_cut_grids(&mut self, value: &RawValue, path: &str) {
        if path.matches('.').count() > MAX_DEPTH {
            return;
        }
        match value.get().as_bytes()[0] {
            b'"' if is_cut_grid(value) => {
                self.damaged += 1;
                self.push(value, written(path, &[("puzzle", value)]));
            }
            b'[' => {
                let elements: Vec<&RawValue> =
                    serde_json::from_str(value.get()).unwrap_or_default();
                for (index, element) in elements.iter().enumerate() {
                    self.add_cut_grids(element, &joined(path, &index.to_string()));
                }
            }
            b'{' => {
                let Ok(object) = JsonObject::parse(value.get().as_bytes()) else { return };
                for (key, member) in object.in_order() {
                    if !self.has_other_meaning(key) {
                        self.add_cut_grids(member, &joined(path, key));
                    }
                }
            }
            _ => {}
        }
    }

    fn push(&mut self, value: &RawValue, text: Vec<u8>) {
        let address = value.get().as_ptr().addr();
        self.records.push(FoundRecord { address, text });
    }

    /// True for the key of an answer, a layout or cages.
    fn has_other_meaning(&self, key: &str) -> bool {
        [Field::Answer, Field::Regions, Field::Cages].into_iter().any(|field| {
            self.names.are_of(field, key.as_bytes())
                || self.names.others_are_of(field, key.as_bytes())
        })
    }

    fn look_at(&self, key: &str, value: &RawValue) -> Look {
        match self.has_other_meaning(key) {
            true => Look::OtherField,
            false => self.look_of(value),
        }
    }

    fn look_of(&self, value: &RawValue) -> Look {
        match value.get().as_bytes()[0] {
            b'"' => self.look_of_text(value),
            b'[' if is_board(value) => match Board::read(value) {
                Ok(_) => Look::Puzzle,
                Err(_) => Look::Other,
            },
            b'[' => self.look_of_array(value),
            _ => Look::Other,
        }
    }

    fn look_of_text(&self, value: &RawValue) -> Look {
        let Ok(Some((symbols, _))) = decode_with_side(value, Field::Puzzle, self.alphabet) else {
            return Look::Other;
        };
        if is_self_describing(&symbols) {
            return Look::Puzzle;
        }
        let side = symbols.len().isqrt();
        let side = if side * side == symbols.len() { Some(side) } else { None };
        let side = side.filter(|side| *side <= MAX_SIDE).or(pencilmark_side(symbols.len()));
        match side.map_or(Look::Other, |side| self.look_of_symbols(&symbols, side)) {
            Look::Other if is_nearly_grid(&symbols) => Look::Damaged,
            look => look,
        }
    }

    fn look_of_array(&self, value: &RawValue) -> Look {
        let decoded = decode_with_side(value, Field::Puzzle, self.alphabet);
        if let Ok(Some((symbols, Some(side)))) = &decoded
            && symbols.len() <= side.pow(3)
        {
            match self.look_of_symbols(symbols, *side) {
                Look::Other if *side < MIN_DAMAGED => return Look::Other,
                Look::Other if !has_only_short_strings(value) => return Look::Other,
                Look::Other => return Look::Damaged,
                look => return look,
            }
        }
        // Rows of numbers, of which one has a cell too many or too few, or one is missing.
        let rows: Vec<Vec<serde_json::Number>> =
            serde_json::from_str(value.get()).unwrap_or_default();
        let is_row = |row: &Vec<_>| {
            row.len() >= MIN_DAMAGED && row.len() <= MAX_SIDE && row.len().abs_diff(rows.len()) <= 1
        };
        match !rows.is_empty() && rows.iter().all(is_row) {
            true => Look::Damaged,
            false => Look::Other,
        }
    }

    fn look_of_symbols(&self, symbols: &[u8], side: usize) -> Look {
        let mut digits = Vec::new();
        if symbols.len() != side * side {
            let has_marks = symbols.len() == side.pow(3)
                && self.alphabet.read_pencilmarks(symbols, side, &mut Vec::new()).is_ok();
            return if has_marks { Look::Puzzle } else { Look::Other };
        }
        if side < 4 || self.alphabet.read(symbols, side, &mut digits).is_err() {
            return Look::Other;
        }
        match (digits.contains(&0), digits.iter().any(|digit| *digit > 0)) {
            (true, true) => Look::Puzzle,
            (false, _) if side >= MIN_DAMAGED => Look::Full,
            _ => Look::Other,
        }
    }
}

/// Returns true if a line begins with a list of grids: strings, or arrays of rows. A list of rows
/// is one grid. The line can be cut off at its end.
pub(crate) fn begins_with_grids(line: &[u8], names: &HeaderNames, alphabet: &Alphabet) -> bool {
    let Some(mut left) = line.strip_prefix(b"[") else { return false };
    let mut whole = Finder::new(names, alphabet);
    whole.search(line, "");
    if !whole.records.is_empty() && !whole.has_index {
        return false;
    }
    let mut elements = Finder::new(names, alphabet);
    loop {
        let begin = left.iter().take_while(|byte| is_between(byte)).count();
        left = &left[begin..];
        let Ok(length) = length_of_value(left) else { return false };
        if length == 0 {
            return false;
        }
        elements.search(&left[..length], "0");
        if elements.puzzles > 1 || (elements.puzzles == 1 && left[0] == b'[') {
            return true;
        }
        left = &left[length..];
    }
}

/// False for a list of puzzles, whose strings are longer than rows.
fn has_only_short_strings(value: &RawValue) -> bool {
    let strings: Result<Vec<String>, _> = serde_json::from_str(value.get());
    strings.map_or(true, |strings| strings.iter().all(|text| text.len() <= 3 * MAX_SIDE))
}

/// Returns true for nearly as many symbols as a grid with boxes has cells, most of them digits and
/// dots, and for digits and dots that are longer than a row.
fn is_nearly_grid(symbols: &[u8]) -> bool {
    let sides = MIN_DAMAGED..=MAX_SIDE;
    let is_near = |side: usize| symbols.len().abs_diff(side * side) <= 2;
    let cells = symbols.iter().filter(|symbol| symbol.is_ascii_digit() || **symbol == b'.').count();
    let has_length = if cells == symbols.len() {
        symbols.len() > MIN_DAMAGED * (MIN_DAMAGED - 1)
    } else {
        sides.filter(|&side| Shape::boxes_of(side).is_some()).any(is_near)
    };
    has_length && 4 * cells >= 3 * symbols.len() && symbols.iter().any(u8::is_ascii_digit)
}

/// Returns true for a string of digits and blank cells that is no number, date, version or range
/// such as `10..20`: it has several dots in a row, or many zeros.
fn is_cut_grid(value: &RawValue) -> bool {
    let Some(text) = value.get().strip_prefix('"').and_then(|it| it.strip_suffix('"')) else {
        return false;
    };
    let count = |is_one: fn(&u8) -> bool| text.bytes().filter(is_one).count();
    let (digits, zeros) = (count(u8::is_ascii_digit), count(|it| *it == b'0'));
    let blanks = count(|it| b".*_".contains(it));
    let has_blanks = || ["..", "**", "__"].iter().any(|pair| text.contains(pair));
    let number = |text: &str| text.parse::<u32>().ok();
    let is_range = || {
        let ends = text.split_once("..").map(|(first, last)| (number(first), number(last)));
        matches!(ends, Some((Some(first), Some(last))) if first <= last)
    };
    4 * (digits + blanks) >= 3 * text.len()
        && digits > 0
        && match blanks {
            0 => digits >= MIN_CUT_OF_DIGITS && zeros < digits && 2 * zeros >= digits,
            _ => text.len() >= MIN_CUT && has_blanks() && !is_range(),
        }
}

fn joined(path: &str, step: &str) -> String {
    if path.is_empty() { step.to_string() } else { format!("{path}.{step}") }
}

/// Returns the path that a record begins with, if it was cut out of a larger value.
pub(crate) fn path_of_record(record: &[u8]) -> Option<String> {
    let after_key = record.strip_prefix(b"{\"")?.strip_prefix(KEY.as_bytes())?;
    let path = after_key.strip_prefix(b"\":\"")?;
    let path = &path[..memchr::memchr(b'"', path)?];
    Some(String::from_utf8_lossy(path).into_owned())
}

/// Returns the object with its path, which gets another name if the object has that key.
fn copied(object: &JsonObject<'_>, members: &[(&str, &RawValue)], path: &str) -> Vec<u8> {
    if path.is_empty() {
        return object.text.to_vec();
    }
    written(path, members)
}

/// Returns an object of the path, unless it is empty, and of these members.
fn written(path: &str, members: &[(&str, &RawValue)]) -> Vec<u8> {
    let mut text = b"{".to_vec();
    let write_key = |key: &str, text: &mut Vec<u8>| {
        text.extend_from_slice(if text.len() > 1 { b"," } else { b"" });
        write_string(key.as_bytes(), text);
        text.push(b':');
    };
    if !path.is_empty() {
        let is_used = |name: &str| members.iter().any(|(key, _)| *key == name);
        write_key(&super::unused_name(KEY, is_used), &mut text);
        write_string(path.as_bytes(), &mut text);
    }
    for (key, value) in members {
        write_key(key, &mut text);
        text.extend_from_slice(value.get().as_bytes());
    }
    text.push(b'}');
    text
}
