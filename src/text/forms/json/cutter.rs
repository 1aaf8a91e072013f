//! Where JSON records end. The objects of a source follow each other, each on a line of its own or
//! over several lines; or they are the elements of an array, which can be the value of a key:
//!
//! ```text
//!     {"puzzle":"..."}        [{"puzzle":"..."},        {"puzzles":[
//!     {                        {"puzzle":"..."}]         {"puzzle":"..."},
//!       "puzzle": "..."                                  {"puzzle":"..."}]}
//!     }
//! ```
//!
//! A faulty object ends with its first line, so the next line begins another record. One over
//! several lines ends before the line that begins the next one.
//!
//! If the first value has puzzles elsewhere (`nested.rs`), the records of each value are cut out of
//! it, which must have 1 MiB at most; of an array, those of each element.

use memchr::{memchr, memchr_iter};
use serde_json::value::RawValue;

use crate::stream::chunks::length_of_whole_lines;
use crate::stream::records::{Cut, Cutter, Numbering};
use crate::text::forms::cut_builder::CutBuilder;
use crate::text::header_names::HeaderNames;
use crate::text::record::{Field, MAX_RECORD, trim, without_end, without_mark};
use crate::text::rule_names::{is_of_run, rules_in_list};
use crate::text::symbols::Alphabet;
use engine::rules::{Variants, pluralize};

use super::nested::Finder;
use super::scan::{
    Members, ObjectEnd, TooShort, end_of_object, end_of_string, first_byte, is_between,
    length_of_value,
};
use super::{JsonObject, chat};

pub(crate) struct JsonCutter {
    keys: PuzzleKeys,
    alphabet: Alphabet,
    /// The variants of the run.
    variants: Variants,
    state: State,
    /// True if the elements of the array are searched for puzzles.
    are_nested: bool,
    /// The number of elements that are cut.
    elements: usize,
}

/// The keys that a puzzle can have.
struct PuzzleKeys {
    names: HeaderNames,
    /// True if the puzzles of an array have no usual key. Other ones count then.
    has_others: bool,
    /// True if the key of a prompt counts too.
    has_prompts: bool,
}

impl PuzzleKeys {
    /// `value` begins with the value of the key.
    fn has(&self, key: &[u8], value: &[u8]) -> bool {
        let can_be_grid = matches!(value.first(), Some(b'"' | b'['));
        let is_other = || can_be_grid && self.names.others_are_of(Field::Puzzle, key);
        let is_prompt = || can_be_grid && chat::PROMPTS.iter().any(|name| name.as_bytes() == key);
        self.names.are_of(Field::Puzzle, key)
            || (self.has_others && is_other())
            || (self.has_prompts && is_prompt())
    }
}

enum State {
    /// An object, or an array of objects. Nothing but blanks has been read.
    Beginning,
    /// Objects, each of which begins a line.
    Objects,
    /// Values that are searched for puzzles.
    Values,
    /// An element of an array, or its end.
    Elements(Array),
    /// The end of the object that held the array, or other text.
    AfterElements(Array),
    /// The rest is dropped: a fault is reported, or it holds nothing.
    Done,
}

#[derive(Clone, Copy)]
enum Array {
    Alone,
    InObject,
}

const NO_END: &str = "the array of puzzles has no end: the file is cut short";
const OTHER_TEXT: &str = "other text after the array of puzzles";
const OTHER_ANSWERS: &str =
    "answers, layouts or full grids outside of the array of puzzles are not read";
const OTHER_RULES: &str = "rules outside of the array of puzzles are not read";
const OTHER_PUZZLES: &str = "puzzles outside of the array that is read; \
    jq -c '.. | objects | select(has(\"KEY\"))' makes a record of each object with a key";

impl JsonCutter {
    pub fn new(names: HeaderNames, alphabet: Alphabet) -> JsonCutter {
        let keys = PuzzleKeys { names, has_others: false, has_prompts: false };
        let state = State::Beginning;
        let variants = Variants::default();
        JsonCutter { keys, alphabet, variants, state, are_nested: false, elements: 0 }
    }

    pub fn with_variants(mut self, variants: Variants) -> JsonCutter {
        self.variants = variants;
        self
    }

    /// Takes an object with a prompt for a record if the puzzle can be in one.
    pub fn with_prompts(mut self, has_prompts: bool) -> JsonCutter {
        self.keys.has_prompts = has_prompts;
        self
    }
}

impl Cutter for JsonCutter {
    fn cut(&mut self, bytes: &[u8], ends: bool) -> Cut {
        if let State::Beginning = self.state {
            let array = self.array_of_objects(bytes, ends);
            let array = array.and_then(|found| self.look_within(found, bytes, ends));
            match array {
                Ok(Some(begin)) => {
                    let text = without_mark(bytes).trim_ascii_start();
                    self.state = State::Elements(match text.starts_with(b"{") {
                        true => Array::InObject,
                        false => Array::Alone,
                    });
                    let mut cut = CutBuilder::default();
                    let begin = begin - indentation(&bytes[..begin]);
                    let before = [without_mark(&bytes[..begin]), b"]}"].concat();
                    let fault = self.fault_of_outside(&before);
                    let names_rule = || self.names_rule(&before, &bytes[begin..]);
                    match fault.or_else(|| names_rule().then_some(OTHER_RULES)) {
                        Some(fault) => cut.add_faulty(bytes, begin, fault),
                        None => cut.skip(bytes, begin),
                    }
                    return cut.finish(Numbering::Records);
                }
                Err(TooShort) => return Cut::nothing_yet(),
                Ok(None) if self.are_nested => self.state = State::Values,
                Ok(None) => self.state = State::Objects,
            }
        }
        match self.state {
            State::Values => self.cut_values(bytes, ends),
            State::Elements(array) => self.cut_elements(array, bytes, ends),
            State::AfterElements(array) => self.cut_rest(array, bytes, ends),
            State::Done => {
                let mut cut = CutBuilder::default();
                cut.skip(bytes, bytes.len());
                cut.finish(Numbering::Records)
            }
            State::Beginning | State::Objects => cut_objects(bytes, ends),
        }
    }

    fn max_record(&self) -> usize {
        MAX_RECORD
    }
}

impl JsonCutter {
    /// Looks for an array of puzzles with usual keys, then for one with other keys. `Ok(None)` also
    /// means that there is none within the longest record.
    fn array_of_objects(&mut self, bytes: &[u8], ends: bool) -> Result<Option<usize>, TooShort> {
        let is_read = ends || bytes.len() > MAX_RECORD;
        for has_others in [false, true] {
            self.keys.has_others = has_others;
            match array_of_objects(bytes, &self.keys) {
                Ok(None) => {}
                Err(TooShort) if is_read => {}
                found => return found,
            }
        }
        Ok(None)
    }

    /// Looks into the first value: into the first element of an array of objects, or into the whole
    /// value if there is no such array. The elements of another array are searched one by one,
    /// unless the array is a grid.
    fn look_within(
        &mut self,
        array: Option<usize>,
        bytes: &[u8],
        ends: bool,
    ) -> Result<Option<usize>, TooShort> {
        let text = without_mark(bytes).trim_ascii_start();
        if array.is_some() && text.starts_with(b"{") {
            match end_of_object(text) {
                ObjectEnd::At(length) if self.has_puzzles_outside(&text[..length]) => {
                    self.are_nested = true;
                    return Ok(None);
                }
                ObjectEnd::Missing if !ends && bytes.len() <= MAX_RECORD => return Err(TooShort),
                _ => {}
            }
        }
        let begin = array.unwrap_or(bytes.len() - text.len());
        let value = match bytes.get(begin) {
            Some(b'{' | b'[') => &bytes[begin..],
            _ => return Ok(array),
        };
        let length = match end_of_object(value) {
            ObjectEnd::At(length) if length <= MAX_RECORD => Some(length),
            ObjectEnd::Missing if !ends && value.len() <= MAX_RECORD => return Err(TooShort),
            _ => None,
        };
        if let Some(length) = length {
            let mut finder = self.finder();
            finder.search(&value[..length], "");
            let is_grid = array.is_none() && value[0] == b'[' && finder.records.len() == 1;
            self.are_nested = finder.are_nested() || is_grid;
        } else if array.is_none() && value[0] == b'[' {
            // A list of grids that is longer than a record.
            let (first, _) = first_byte(&value[1..])?;
            let first = &value[1 + first..];
            let mut finder = self.finder();
            finder.search(&first[..length_of_value(first)?], "");
            self.are_nested = finder.number_of_puzzles() > 0;
            return Ok(self.are_nested.then_some(bytes.len() - first.len()));
        }
        Ok(array)
    }

    /// Returns true if an object has puzzles outside of its first array of puzzles.
    fn has_puzzles_outside(&self, object: &[u8]) -> bool {
        let Ok(Some(first)) = array_of_puzzles(object, &self.keys) else { return false };
        let open =
            memchr::memrchr(b'[', &object[..first]).expect("an array begins before its element");
        let ObjectEnd::At(length) = end_of_object(&object[open..]) else { return false };
        let outside = [&object[..open], b"[]", &object[open + length..]].concat();
        object.len() <= MAX_RECORD && self.fault_of_outside(&outside) == Some(OTHER_PUZZLES)
    }

    /// Returns true if the array is the value of a key that names a rule which the run lacks, and
    /// the first element has none. `object` ends with the array.
    fn names_rule(&self, object: &[u8], elements: &[u8]) -> bool {
        let (mut members, mut last) = (Members::new(object), None);
        while let Ok(Some((key, _))) = members.next() {
            last = str::from_utf8(key).ok();
        }
        let is_unread = |key| rules_in_list(key).any(|rule| !is_of_run(rule, &self.variants));
        let element = elements.trim_ascii_start();
        let first = || match end_of_object(element) {
            ObjectEnd::At(length) => JsonObject::parse(&element[..length]).ok(),
            _ => None,
        };
        last.is_some_and(is_unread)
            && !self.are_nested
            && first().is_some_and(|first| !first.can_have_rules(&self.keys.names))
    }

    fn finder(&self) -> Finder<'_> {
        Finder::new(&self.keys.names, &self.alphabet).with_prompts(self.keys.has_prompts)
    }

    /// Returns what is wrong with text outside of the array: it has puzzles or answers.
    fn fault_of_outside(&self, text: &[u8]) -> Option<&'static str> {
        let mut finder = self.finder();
        if text.len() <= MAX_RECORD {
            finder.search(text, "");
        }
        match () {
            () if has_key_of_puzzle(text, &self.keys) => Some(OTHER_PUZZLES),
            () if finder.number_of_puzzles() > 0 => Some(OTHER_PUZZLES),
            () if !finder.unread.is_empty() => Some(OTHER_ANSWERS),
            () if text.len() <= MAX_RECORD && finder.finds_damaged(text) => Some(OTHER_PUZZLES),
            () if states_rules(text, &self.keys.names) => Some(OTHER_RULES),
            () => None,
        }
    }

    /// Cuts the records out of each value. Other lines are records too, which are invalid.
    fn cut_values(&self, bytes: &[u8], ends: bool) -> Cut {
        let mut cut = CutBuilder::with_text();
        loop {
            let left = &bytes[cut.length..];
            let blanks = left.iter().take_while(|byte| is_between(byte)).count();
            cut.skip(bytes, cut.length + blanks);
            let left = &left[blanks..];
            let length = match left.first() {
                None => break,
                Some(b'{' | b'[') => end_of_object(left),
                Some(_) => ObjectEnd::Faulty,
            };
            match length_of_record(length, left, ends) {
                Some(length) => self.add_nested(bytes, length, "", &mut cut),
                None => break,
            }
        }
        cut.finish(Numbering::Records)
    }

    /// Adds the records of the value of this length, or the value itself if it has no puzzles.
    fn add_nested(&self, bytes: &[u8], length: usize, path: &str, cut: &mut CutBuilder) {
        let value = &bytes[cut.length..][..length];
        let mut finder = self.finder();
        finder.search(value, path);
        if finder.records.is_empty() {
            return cut.add(bytes, length);
        }
        let end = cut.length + length;
        // The record of an object has its rules.
        let names = &self.keys.names;
        let have_rules = || finder.records.iter().all(|record| states_rules(&record.text, names));
        if states_rules(value, names) && !have_rules() {
            cut.add_text(b"", Some(OTHER_RULES.into()));
        }
        for record in &finder.records {
            // The address is that of a part of `bytes`.
            cut.skip(bytes, record.address - bytes.as_ptr().addr());
            cut.add_text(&record.text, None);
        }
        if let Some(first) = finder.unread.first() {
            let places = pluralize(finder.unread.len(), "place");
            let fault = format!(
                "an answer, a layout or a full grid in {places} is not read, first '{first}'"
            );
            cut.add_text(b"", Some(fault.into()));
        }
        cut.skip(bytes, end);
    }

    /// Finds the elements of an array. Text that is no object is a record too, which is invalid.
    fn cut_elements(&mut self, array: Array, bytes: &[u8], ends: bool) -> Cut {
        let mut cut = match self.are_nested {
            true => CutBuilder::with_text(),
            false => CutBuilder::default(),
        };
        loop {
            let left = &bytes[cut.length..];
            let blanks = left.iter().take_while(|byte| is_between(byte)).count();
            let left = &left[blanks..];
            let begin = cut.length + blanks;
            let length = match left.first() {
                // The blanks before an element are its indentation.
                None if !ends && blanks <= MAX_RECORD => break,
                None => {
                    cut.skip(bytes, begin);
                    if ends {
                        cut.add_faulty(bytes, 0, NO_END);
                        self.state = State::Done;
                    }
                    break;
                }
                Some(b']') => {
                    cut.skip(bytes, begin + 1);
                    self.state = State::AfterElements(array);
                    break;
                }
                Some(b'{') => end_of_object(left),
                Some(_) => end_of_element(left),
            };
            let length = match length {
                ObjectEnd::Faulty if left[0] == b'{' => {
                    length_of_faulty_object(left, Some(indentation(&bytes[..begin])), ends)
                }
                length => length_of_record(length, left, ends),
            };
            let Some(length) = length else { break };
            cut.skip(bytes, begin);
            if self.are_nested {
                self.add_nested(bytes, length, &self.elements.to_string(), &mut cut);
                self.elements += 1;
            } else {
                cut.add(bytes, length);
            }
        }
        cut.finish(Numbering::Records)
    }

    /// The rest of a source after its array can end the object that holds it. Any other text is a
    /// record, which is invalid, because puzzles can be in it.
    fn cut_rest(&mut self, array: Array, bytes: &[u8], ends: bool) -> Cut {
        if !ends && bytes.len() <= MAX_RECORD {
            return Cut::nothing_yet();
        }
        let mut cut = CutBuilder::default();
        let text = bytes.trim_ascii();
        let is_whole = match array {
            Array::Alone => text.is_empty(),
            Array::InObject => {
                serde_json::from_slice::<&RawValue>(&[b"{\"\":0", text].concat()).is_ok()
            }
        };
        let outside = match array {
            Array::Alone => self.fault_of_outside(text),
            Array::InObject => self.fault_of_outside(&[b"{\"\":0", text].concat()),
        };
        let fault = match text {
            _ if outside.is_some() => outside,
            _ if is_whole => None,
            b"" => Some(NO_END),
            _ => Some(OTHER_TEXT),
        };
        if let Some(fault) = fault {
            cut.skip(bytes, bytes.len() - bytes.trim_ascii_start().len());
            cut.add_faulty(bytes, text.len(), fault);
        }
        cut.skip(bytes, bytes.len());
        self.state = State::Done;
        cut.finish(Numbering::Records)
    }
}

/// Text that is no object ends with its line. `None` if more must be read.
fn length_of_record(end: ObjectEnd, text: &[u8], ends: bool) -> Option<usize> {
    let is_read = ends || text.len() > MAX_RECORD;
    match end {
        ObjectEnd::At(length) if length <= MAX_RECORD => Some(length),
        ObjectEnd::Missing if !is_read => None,
        _ => memchr(b'\n', text).or(ends.then_some(text.len())),
    }
}

/// A faulty object over several lines ends before the next line that begins an object. If the
/// object is an element of an array, with this indentation, the line must have the same, or end the
/// array. Returns `None` if more must be read.
fn length_of_faulty_object(text: &[u8], of_element: Option<usize>, ends: bool) -> Option<usize> {
    let ends_object = |line: &[u8]| {
        let blanks = line.iter().take_while(|byte| is_indentation(byte)).count();
        match line.get(blanks) {
            Some(b'{') => of_element.is_none_or(|indentation| blanks == indentation),
            Some(b']') => of_element.is_some_and(|indentation| blanks < indentation),
            _ => false,
        }
    };
    let is_read = ends || text.len() > MAX_RECORD;
    let mut lines = memchr_iter(b'\n', text);
    match lines.find(|&end| ends_object(&text[end + 1..])) {
        Some(length) if length <= MAX_RECORD => Some(length),
        None if !is_read => None,
        None if ends && text.len() <= MAX_RECORD => Some(text.trim_ascii_end().len()),
        _ => memchr(b'\n', text).or(ends.then_some(text.len())),
    }
}

/// Returns the number of blanks at the end of a text, after its last line end.
fn indentation(text: &[u8]) -> usize {
    text.iter().rev().take_while(|byte| is_indentation(byte)).count()
}

fn is_indentation(byte: &u8) -> bool {
    matches!(byte, b' ' | b'\t')
}

/// Finds the end of an element of any kind.
fn end_of_element(text: &[u8]) -> ObjectEnd {
    match length_of_value(text) {
        _ if matches!(text[0], b'[') => end_of_object(text),
        // A `}` that nothing has opened.
        Ok(0) => ObjectEnd::Faulty,
        Ok(length) => ObjectEnd::At(length),
        Err(TooShort) if memchr(b'\n', text).is_some() => ObjectEnd::Faulty,
        Err(TooShort) => ObjectEnd::Missing,
    }
}

/// Finds objects that begin a line. While each ends with its line, the lines are the records.
fn cut_objects(bytes: &[u8], ends: bool) -> Cut {
    let whole_lines = &bytes[..length_of_whole_lines(bytes, MAX_RECORD)];
    let mut begin = 0;
    let are_lines = memchr_iter(b'\n', whole_lines).all(|end| {
        let line = &whole_lines[begin..end];
        begin = end + 1;
        !is_open(line)
    });
    if are_lines && !whole_lines.is_empty() {
        return Cut::lines(whole_lines.len());
    }
    let mut cut = CutBuilder::default();
    while cut.length < bytes.len() {
        let left = &bytes[cut.length..];
        let line_length = length_of_line(left, ends);
        let line = &left[..line_length.unwrap_or(left.len())];
        let is_read = ends || left.len() > MAX_RECORD;
        let blanks = left.len() - without_mark(left).trim_ascii_start().len();
        let length = match is_open(line).then(|| end_of_object(&left[blanks..])) {
            Some(ObjectEnd::Missing) if !is_read => break,
            Some(ObjectEnd::Faulty) if without_mark(line).trim_ascii() == b"{" => {
                length_of_faulty_object(&left[blanks..], None, ends).map(|length| {
                    let after = blanks + length;
                    after + usize::from(left.get(after) == Some(&b'\n'))
                })
            }
            // A comma can follow, as in an array without its brackets.
            Some(ObjectEnd::At(length)) => {
                let after = blanks + length;
                length_of_line(&left[after..], ends).map(|length| after + length)
            }
            _ => line_length,
        };
        match length {
            Some(length) if without_end(&left[..length]).len() <= MAX_RECORD => {
                cut.add(bytes, length);
            }
            _ => break,
        }
    }
    cut.finish(Numbering::Lines)
}

/// With its line end, which the last line of a source can lack.
fn length_of_line(bytes: &[u8], ends: bool) -> Option<usize> {
    memchr(b'\n', bytes).map(|end| end + 1).or(ends.then_some(bytes.len()))
}

/// Returns true if a line begins with an object that does not end with it.
fn is_open(line: &[u8]) -> bool {
    let text = without_mark(trim(without_end(line)));
    text.starts_with(b"{") && !matches!(text, [.., b'}'] | [.., b'}', b','])
}

/// Returns where the first element of the array of objects begins. `Ok(None)` if the source has
/// objects without an array, or text that is not JSON.
fn array_of_objects(bytes: &[u8], keys: &PuzzleKeys) -> Result<Option<usize>, TooShort> {
    let text = without_mark(bytes).trim_ascii_start();
    let begin = match text {
        [] => return Err(TooShort),
        [b'[', elements @ ..] => match first_byte(elements)? {
            (begin, b'{' | b']') => Some(1 + begin),
            _ => None,
        },
        [b'{', ..] => array_of_puzzles(text, keys)?,
        _ => None,
    };
    Ok(begin.map(|begin| bytes.len() - text.len() + begin))
}

/// Looks for an array of puzzles among the values of an object that is no puzzle itself: the first
/// element of the array has a key of puzzles. Returns where this element begins.
fn array_of_puzzles(object: &[u8], keys: &PuzzleKeys) -> Result<Option<usize>, TooShort> {
    let mut members = Members::new(object);
    while let Some((key, value)) = members.next()? {
        if keys.has(key, &object[value..]) || keys.names.are_of(Field::Cages, key) {
            return Ok(None);
        }
        if object[value] == b'[' {
            let (begin, first) = first_byte(&object[value + 1..])?;
            let begin = value + 1 + begin;
            if first == b'{' && has_puzzle(&object[begin..], keys)? {
                return Ok(Some(begin));
            }
        }
    }
    Ok(None)
}

fn has_puzzle(object: &[u8], keys: &PuzzleKeys) -> Result<bool, TooShort> {
    let mut members = Members::new(object);
    while let Some((key, value)) = members.next()? {
        if keys.has(key, &object[value..]) {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Returns true if a text is an object whose keys state rules.
fn states_rules(text: &[u8], names: &HeaderNames) -> bool {
    let Ok(object) = JsonObject::parse(text) else { return false };
    text.len() <= MAX_RECORD && object.states_rules(names)
}

/// Returns true if a text has a key of puzzles, at any depth.
fn has_key_of_puzzle(text: &[u8], keys: &PuzzleKeys) -> bool {
    let mut left = text;
    while let Some(quote) = memchr(b'"', left) {
        let string = &left[quote + 1..];
        let Some(length) = end_of_string(string) else { return false };
        left = &string[length..];
        let value = left.trim_ascii_start().strip_prefix(b":").map(<[u8]>::trim_ascii_start);
        if value.is_some_and(|value| keys.has(&string[..length - 1], value)) {
            return true;
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stream::records::{Places, Spans};

    /// Returns the records of a text that comes in pieces of this size, with their lines.
    fn records(text: &str, size: usize) -> Vec<(i64, String)> {
        let mut cutter = JsonCutter::new(HeaderNames::default(), Alphabet::default());
        let (mut records, mut pending, mut line) = (Vec::new(), Vec::new(), 1);
        let pieces: Vec<&[u8]> = text.as_bytes().chunks(size).collect();
        for (index, piece) in pieces.iter().enumerate() {
            pending.extend_from_slice(piece);
            let ends = index + 1 == pieces.len();
            loop {
                let cut = cutter.cut(&pending, ends);
                if cut.length == 0 {
                    break;
                }
                let text: Vec<u8> = pending.drain(..cut.length).collect();
                let found = |bytes: &[u8]| String::from_utf8_lossy(bytes).trim_end().to_string();
                match cut.places {
                    Places::Lines => {
                        for record in text.split_inclusive(|&byte| byte == b'\n') {
                            records.push((line, found(record)));
                            line += 1;
                        }
                    }
                    Places::Spans(Spans { spans, lines, .. }) => {
                        let text = cut.text.unwrap_or(text);
                        for span in spans {
                            let record = &text[span.begin as usize..span.end as usize];
                            records.push((line + span.line, found(record)));
                        }
                        line += lines as i64;
                    }
                }
            }
        }
        if !pending.is_empty() {
            records.push((line, String::from_utf8(pending).unwrap()));
        }
        records
    }

    #[test]
    fn a_mark_less_or_more_leaves_as_many_records_as_lines_and_marks() {
        let texts = [
            "[{\"puzzle\":\"1.....3..2.....4\"},\n{\"puzzle\":[[1,0],[0,2]]}]\n",
            "[\n {\n  \"puzzle\": \"1.\"\n },\n {\n  \"a\": {}\n }\n]",
            "{\"all\":[{\"puzzle\":\"p\"},{\"puzzle\":\"q\"}],\"x\":0}\n{\"puzzle\":\"r\"}\n",
            "[[[1,0],[0,2]],[\"1..2\"]]",
            "{\"easy\":[\"1.....3..2.....4\"],\"hard\":{\"a\":\"1.....3..2.....4\"}}",
        ];
        let is_mark = |byte: &u8| b"{}[],:\"\n".contains(byte);
        for text in texts {
            for at in 0..text.len() {
                let (before, after) = text.split_at(at);
                let mut damaged = vec![before.to_string() + &after[1..]];
                damaged.extend("{}[],:\"\n".chars().map(|mark| format!("{before}{mark}{after}")));
                for text in damaged {
                    let marks = text.bytes().filter(is_mark).count();
                    for size in [3, text.len()] {
                        let found = records(&text, size).len();
                        assert!(found <= marks + 1, "{found} records in {text:?}");
                    }
                }
            }
        }
    }

    #[test]
    fn objects_end_where_their_braces_do_whatever_the_sizes_of_the_reads() {
        let table: [(&str, &[(i64, &str)]); 15] = [
            ("{\"a\":1}\n{\"a\":2}\n", &[(1, "{\"a\":1}"), (2, "{\"a\":2}")]),
            ("{\n\"a\":[1,\n2]}\n{\"b\":2}", &[(1, "{\n\"a\":[1,\n2]}"), (4, "{\"b\":2}")]),
            (
                "\n{\n\"a\":\"}\\\"{\"\n},\n{}\n",
                &[(1, ""), (2, "{\n\"a\":\"}\\\"{\"\n},"), (5, "{}")],
            ),
            ("[{\"a\":1},\n {\"a\":{\"b\":2}}\n]\n", &[(1, "{\"a\":1}"), (2, "{\"a\":{\"b\":2}}")]),
            ("[{\"a\":1},7\n,{\"a\":2}]", &[(1, "{\"a\":1}"), (1, "7"), (2, "{\"a\":2}")]),
            ("[{\"a\":1},null,{\"a\":2}]", &[(1, "{\"a\":1}"), (1, "null"), (1, "{\"a\":2}")]),
            ("[]\n", &[]),
            ("[[1,2]]\n", &[(1, "[[1,2]]")]),
            (
                "{\"n\":2,\"all\":[ {\"id\":1,\"puzzle\":\"p\"}, {\"puzzle\":\"q\"} ],\"x\":0}\n",
                &[(1, "{\"id\":1,\"puzzle\":\"p\"}"), (1, "{\"puzzle\":\"q\"}")],
            ),
            (
                "{\"puzzle\":\"p\",\"all\":[{\"puzzle\":\"q\"}]}\n",
                &[(1, "{\"puzzle\":\"p\",\"all\":[{\"puzzle\":\"q\"}]}")],
            ),
            // A faulty object takes no other with it.
            ("{\"a\":\"1\n{\"a\":2}\n", &[(1, "{\"a\":\"1"), (2, "{\"a\":2}")]),
            ("{\"a\":1,\n{\"a\":2}\n", &[(1, "{\"a\":1,"), (2, "{\"a\":2}")]),
            (
                "[\n {\n  \"a:[\n   {}\n  ]\n },\n {\"b\":1}\n]\n",
                &[(2, "{\n  \"a:[\n   {}\n  ]\n },"), (7, "{\"b\":1}")],
            ),
            (
                "{\n \"a\":\"1,\n \"b\":[\n  2]\n}\n{\n \"c\":1\n}\n{\n\"d\n",
                &[(1, "{\n \"a\":\"1,\n \"b\":[\n  2]\n}"), (6, "{\n \"c\":1\n}"), (9, "{\n\"d")],
            ),
            ("[{\"a\":1}]\n[{\"b\":1}]\n", &[(1, "{\"a\":1}"), (2, "[{\"b\":1}]")]),
        ];
        for (text, expected) in table {
            for size in 1..=text.len() {
                let found = records(text, size);
                let found: Vec<(i64, &str)> =
                    found.iter().map(|(line, it)| (*line, &**it)).collect();
                assert_eq!(found, expected, "{text} in pieces of {size}");
            }
        }
    }
}
