//! Lines of fields, separated by blanks, `,`, `;` or `:`. In the output, tabs separate the columns.

use std::borrow::Cow;

use crate::text::columns::Column;
use crate::text::f_puzzles_link;
use crate::text::notation::{is_self_describing, looks_like_cages};
use crate::text::record::{
    Field, FieldSet, RecordFields, ends_field, is_blank, is_separator, skip_blanks, trim,
};
use crate::text::rule_names;
use crate::text::symbols::Alphabet;
use crate::text::unread::{is_column, is_damaged_puzzle, is_other_answer, is_other_puzzle};
use crate::text::value::Value;
use engine::error::InvalidInput;

/// The field names of `--fields`, in the order of the fields.
///
/// ```
/// use sudoku_filter::program::FieldNames;
///
/// let names = FieldNames::parse("id,puzzle,note")?;
/// assert_eq!(names.index_of("puzzle"), Some(1));
/// assert!(FieldNames::parse("id,note").is_err());
/// # Ok::<(), sudoku_filter::InvalidInput>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FieldNames {
    names: Vec<String>,
    /// The indices of names that are those of rules, such as `antiknight`.
    rules: Vec<usize>,
}

impl FieldNames {
    /// Parses a comma-separated list of names.
    ///
    /// # Errors
    /// Returns an error if there is neither `puzzle` nor `cages`, or if a name is empty, repeated,
    /// not visible ASCII or contains `=`.
    pub fn parse(list: &str) -> Result<FieldNames, InvalidInput> {
        let names: Vec<String> = list.split(',').map(str::to_string).collect();
        for (index, name) in names.iter().enumerate() {
            // A name with `=`, such as `puzzle=quiz`, is more likely meant for `--header`.
            let is_allowed = |byte: u8| byte.is_ascii_graphic() && byte != b'=';
            if name.is_empty() || !name.bytes().all(is_allowed) {
                return Err("expected names separated by commas".into());
            }
            if names[..index].contains(name) {
                return Err(format!("'{name}' appears twice").into());
            }
        }
        // Cages alone state a killer without givens.
        if !names.iter().any(|name| name == "puzzle" || name == "cages") {
            return Err("one of the fields must be 'puzzle'".into());
        }
        let is_rule = |name: &str| {
            Field::named(name).is_none() && !is_column(name) && rule_names::can_be_field(name)
        };
        let rules = (0..names.len()).filter(|&index| is_rule(&names[index])).collect();
        Ok(FieldNames { names, rules })
    }

    /// Returns the index of the field with this name, or `None` if there is none.
    #[must_use]
    pub fn index_of(&self, name: &str) -> Option<usize> {
        self.names.iter().position(|known| known == name)
    }

    pub(crate) fn name(&self, index: usize) -> &str {
        &self.names[index]
    }

    pub(crate) fn columns(&self) -> Vec<Column> {
        let column = |name: &String| {
            let of_field = Field::named(name).and_then(|field| Column::named(field.name()));
            of_field.unwrap_or_else(|| Column::Carried(name.clone()))
        };
        self.names.iter().map(column).collect()
    }

    /// Splits a record at each tab if it has one, or else at these separators. Returns the named
    /// fields, of which a short record has fewer, and the rest of the record.
    pub(crate) fn split<'a>(
        &self,
        record: &'a [u8],
        separators: Separators,
    ) -> (Vec<Cow<'a, [u8]>>, &'a [u8]) {
        let separators = match memchr::memchr(b'\t', record) {
            Some(_) => Separators::Tabs,
            None => separators,
        };
        let mut fields = Fields::with(separators, record);
        let named = fields.by_ref().take(self.names.len()).map(Cow::Borrowed).collect();
        (named, fields.unread.unwrap_or_default())
    }

    /// Returns the name of the last field if the field ends at a blank and `rest` follows, so that
    /// it is probably cut: a text of several words. Returns `None` if the record has a tab, because
    /// its fields keep their blanks, and for the fields of the puzzle.
    pub(crate) fn cut_field(&self, record: &[u8], rest: &[u8]) -> Option<&str> {
        let before = trim(record).strip_suffix(rest)?;
        let ends_at_blank =
            before.ends_with(b" ") && !trim(before).last().copied().is_some_and(is_separator);
        let can_be_cut = ends_at_blank && !rest.is_empty() && !record.contains(&b'\t');
        let name = self.names.last().filter(|name| can_be_cut && Field::named(name).is_none())?;
        Some(name)
    }

    /// Returns an error if a field that is called as a variant is neither true nor false.
    pub(crate) fn fields<'a>(
        &self,
        named: &[Cow<'a, [u8]>],
    ) -> Result<RecordFields<'a>, InvalidInput> {
        let mut fields = RecordFields::default();
        for (name, field) in self.names.iter().zip(named) {
            if let Some(known) = Field::named(name) {
                fields.set(known, field.clone());
            }
        }
        if !self.rules.is_empty() {
            let mut rules = fields.variant.take().unwrap_or_default().into_owned();
            for (&index, field) in self.rules.iter().filter_map(|it| Some((it, named.get(*it)?))) {
                rule_names::add_stated(self.names[index].as_bytes(), field, &mut rules)?;
            }
            fields.variant = Some(rules.into());
        }
        Ok(fields)
    }
}

/// Returns true if one of the fields after a puzzle of this side, 6 or more, ends with another puzzle:
/// a line end is missing, as in `PUZZLE,SOLUTIONPUZZLE,SOLUTION`. A field of three times as
/// many symbols has candidates.
pub(crate) fn holds_next_line(rest: &[u8], side: usize, alphabet: &Alphabet) -> bool {
    let cells = side * side;
    let is_joined = |field: &[u8]| {
        let puzzle = &field[field.len() - cells..];
        let has_digit = |digit_is_blank: bool| {
            puzzle
                .iter()
                .any(|&it| alphabet.digit_of(it).is_some_and(|it| (it == 0) == digit_is_blank))
        };
        // A remark such as `(easy)` can precede it. A link to the puzzle has other marks.
        let can_be_symbol = |&byte: &u8| {
            byte.is_ascii_alphanumeric()
                || b"()[]{}\"'!".contains(&byte)
                || alphabet.digit_of(byte).is_some()
        };
        alphabet.has_cells(puzzle, side)
            && has_digit(true)
            && has_digit(false)
            && field.iter().all(can_be_symbol)
    };
    side >= 6
        && rest.len() > cells
        && Fields::of(rest)
            .filter(|field| (cells + 1..3 * cells).contains(&field.len()))
            .any(is_joined)
}

/// Returns true if a field is a puzzle, or a part of one with the cells of a 4x4 or more.
pub(crate) fn has_puzzle(rest: &[u8], alphabet: &Alphabet) -> bool {
    let is_puzzle = |field: &[u8]| {
        let digits = || field.iter().filter_map(|&symbol| alphabet.digit_of(symbol));
        field.len() >= 16
            && 4 * digits().count() >= 3 * field.len()
            && digits().any(|digit| digit == 0)
            && digits().any(|digit| digit > 0)
    };
    rest.len() >= 16 && Fields::of(rest).any(is_puzzle)
}

/// Returns true if a field after those that are read is a puzzle of the same number of cells, also
/// a damaged one, and no copy of the first or of its givens with some cells filled in.
pub(crate) fn has_other_puzzle(fields: &RecordFields<'_>, alphabet: &Alphabet) -> bool {
    let puzzle = &*fields.puzzle;
    // Most lines have no other field.
    if fields.rest.len() < 16 || fields.rest.len() + 2 < puzzle.len() {
        return false;
    }
    Fields::of(fields.rest).any(|field| {
        is_other_puzzle(puzzle, field, alphabet) || is_damaged_puzzle(puzzle, field, alphabet)
    })
}

/// Returns true if a field after the answer is another answer.
pub(crate) fn has_other_answer(fields: &RecordFields<'_>, alphabet: &Alphabet) -> bool {
    let answer = fields.answer.as_deref().unwrap_or_default();
    fields.rest.len() >= answer.len()
        && Fields::of(fields.rest).any(|field| is_other_answer(answer, field, alphabet))
}

/// The bytes that separate fields. Blanks are spaces and tabs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Separators {
    /// Blanks, or one `,`, `;` or `:` with any blanks around it.
    Usual,
    /// Blanks only, because cages can contain `,` and `:`.
    Blanks,
    /// Each single tab. Spaces around it are ignored.
    Tabs,
}

/// Splits a record `PUZZLE [REGIONS] [CAGES] [ANSWER] [REST]...`. The `expected` fields follow the
/// puzzle, except those that the puzzle field includes, which `included` returns; it can also
/// change the puzzle field. If cages are expected without a layout, they can still follow a `-` for
/// a missing layout.
pub(crate) fn split<'a>(
    expected: FieldSet,
    record: &'a [u8],
    separators: Separators,
    included: impl FnOnce(&mut Cow<'a, [u8]>) -> FieldSet,
) -> RecordFields<'a> {
    let mut fields = Fields::with(separators, record);
    let mut puzzle = Cow::from(fields.next().unwrap_or_default());
    let included = included(&mut puzzle);
    if expected.cages && !expected.regions && !included.cages {
        fields.skip_missing_regions();
    }
    let next_if = |fields: &mut Fields<'a>, is_expected: bool| {
        let field = is_expected.then(|| fields.next());
        field.flatten().map(Cow::from)
    };
    // These run in this order, and each takes the next field if its own is expected.
    RecordFields {
        puzzle,
        regions: next_if(&mut fields, expected.regions && !included.regions),
        cages: next_if(&mut fields, expected.cages && !included.cages),
        answer: if expected.answer && expected.are_prose {
            fields.unread.take().map(Cow::from)
        } else {
            next_if(&mut fields, expected.answer)
        },
        rest: fields.unread.unwrap_or_default(),
        ..RecordFields::default()
    }
}

pub(crate) fn write<'v>(values: impl Iterator<Item = Value<'v>>, output: &mut Vec<u8>) {
    for (index, value) in values.enumerate() {
        output.extend_from_slice(if index > 0 { b"\t" } else { b"" });
        value.write_text(output);
    }
    output.push(b'\n');
}

/// An iterator over the fields of a record, which `Separators` separate. With `Separators::Usual`,
/// an empty field lies between two of `,`, `;` and `:`; with `Separators::Tabs`, between two tabs.
/// With `Separators::Usual`, a field that describes its own rules ends only at a blank, because it
/// can contain `,` and `:`.
#[derive(Clone, Debug)]
pub struct Fields<'a> {
    /// The unread part of the record, `None` after the last field.
    unread: Option<&'a [u8]>,
    separators: Separators,
}

impl<'a> Fields<'a> {
    /// Returns an iterator over the fields of `record`, split at blanks, `,`, `;` and `:`. Leading
    /// and trailing blanks are ignored.
    #[must_use]
    pub fn of(record: &'a [u8]) -> Fields<'a> {
        Fields::with(Separators::Usual, record)
    }

    pub(crate) fn with(separators: Separators, record: &'a [u8]) -> Fields<'a> {
        // With `Tabs`, a tab at the beginning ends an empty field, so it must stay.
        let record = if separators == Separators::Tabs { record } else { trim(record) };
        Fields { unread: (!record.is_empty()).then_some(record), separators }
    }

    /// Skips the next field if it is the `-` that the column `regions` shows for a missing layout:
    /// a `-` before a field that is `-` or has a symbol of cages. Any other `-` is missing cages.
    fn skip_missing_regions(&mut self) {
        let mut after = self.clone();
        if after.next() == Some(b"-") {
            let cages = after.clone().next();
            if cages.is_some_and(|field| field == b"-" || looks_like_cages(field)) {
                *self = after;
            }
        }
    }

    /// Returns `None` if the first field of `unread` is the last one.
    fn end_of_next(&self, unread: &[u8]) -> Option<usize> {
        match self.separators {
            Separators::Tabs => memchr::memchr(b'\t', unread),
            Separators::Usual if !is_self_describing(unread) && !f_puzzles_link::is_one(unread) => {
                first_separator(unread)
            }
            Separators::Usual | Separators::Blanks => {
                unread.iter().position(|&byte| is_blank(byte))
            }
        }
    }

    fn after_separator(&self, text: &'a [u8]) -> &'a [u8] {
        match self.separators {
            Separators::Tabs => &text[1..],
            Separators::Blanks => skip_blanks(text),
            Separators::Usual => match skip_blanks(text) {
                [first, after @ ..] if is_separator(*first) => skip_blanks(after),
                next => next,
            },
        }
    }
}

impl<'a> Iterator for Fields<'a> {
    type Item = &'a [u8];

    fn next(&mut self) -> Option<&'a [u8]> {
        let unread = self.unread?;
        let end = self.end_of_next(unread);
        self.unread = end.map(|end| self.after_separator(&unread[end..]));
        let field = &unread[..end.unwrap_or(unread.len())];
        // With `Tabs`, a field can have blanks around it.
        Some(trim(field))
    }
}

/// Skips blocks of 16 bytes without a separator: their test needs no branch for each byte.
fn first_separator(bytes: &[u8]) -> Option<usize> {
    let (blocks, _) = bytes.as_chunks::<16>();
    let ends = |block: &[u8; 16]| block.iter().fold(0, |any, &it| any | u8::from(ends_field(it)));
    let skipped = 16 * blocks.iter().take_while(|block| ends(block) == 0).count();
    let found = bytes[skipped..].iter().position(|&byte| ends_field(byte))?;
    Some(skipped + found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_separated_by_blanks_or_one_separator() {
        let cases: [(&str, &[&str]); 9] = [
            ("a", &["a"]),
            ("a b\tc", &["a", "b", "c"]),
            ("  a  \t b  ", &["a", "b"]),
            ("a,b;c:d", &["a", "b", "c", "d"]),
            ("a , b", &["a", "b"]),
            ("a,,b", &["a", "", "b"]),
            (",a", &["", "a"]),
            ("a,", &["a", ""]),
            ("", &[]),
        ];
        for (record, fields) in cases {
            let found: Vec<&[u8]> = Fields::of(record.as_bytes()).collect();
            let fields: Vec<&[u8]> = fields.iter().map(|field| field.as_bytes()).collect();
            assert_eq!(found, fields, "{record:?}");
        }
    }

    #[test]
    fn a_separator_is_found_at_every_index() {
        for length in 0..70 {
            for at in 0..length {
                for separator in *b" \t,;:" {
                    let mut bytes = vec![b'.'; length];
                    bytes[at] = separator;
                    assert_eq!(first_separator(&bytes), Some(at));
                }
            }
            assert_eq!(first_separator(&vec![b'.'; length]), None);
        }
    }

    /// A field `both` is a puzzle with its regions, and `all` also has its cages.
    fn included(field: &mut Cow<'_, [u8]>) -> FieldSet {
        let (is_both, is_all) = (**field == *b"both", **field == *b"all");
        FieldSet::of_rules(is_both || is_all, is_all)
    }

    /// Splits a record into puzzle, regions, answer and rest.
    fn split(expected: FieldSet, record: &str) -> [String; 4] {
        let separators = if expected.cages { Separators::Blanks } else { Separators::Usual };
        texts(super::split(expected, record.as_bytes(), separators, included))
    }

    fn texts(fields: RecordFields<'_>) -> [String; 4] {
        let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
        let field =
            |field: Option<Cow<'_, [u8]>>| field.map_or("none".into(), |field| text(&field));
        [text(&fields.puzzle), field(fields.regions), field(fields.answer), text(fields.rest)]
    }

    #[test]
    fn the_meaning_of_a_field_depends_on_the_options_only() {
        for (regions, answer, record, fields) in [
            (false, false, "p", ["p", "none", "none", ""]),
            (false, false, "p, a comment", ["p", "none", "none", "a comment"]),
            (true, false, "p r x", ["p", "r", "none", "x"]),
            (true, true, "p r a x\ty", ["p", "r", "a", "x\ty"]),
            (true, true, "both a x", ["both", "none", "a", "x"]),
            (true, true, "p", ["p", "none", "none", ""]),
        ] {
            let expected = FieldSet { regions, answer, ..FieldSet::default() };
            assert_eq!(split(expected, record), fields, "{record}");
        }
    }

    #[test]
    fn cages_follow_the_regions_or_a_dash_in_their_place() {
        for (regions, answer, record, cages, others) in [
            (false, false, "p c,:x y,z", "c,:x", ["p", "none", "none", "y,z"]),
            (true, true, "p r c a", "c", ["p", "r", "a", ""]),
            (true, false, "both c", "c", ["both", "none", "none", ""]),
            (true, true, "all a", "none", ["all", "none", "a", ""]),
            (false, true, "c,c", "none", ["c,c", "none", "none", ""]),
            (false, true, "p - 6< a", "6<", ["p", "none", "a", ""]),
            (false, true, "p - - a", "-", ["p", "none", "a", ""]),
            (false, true, "p - a", "-", ["p", "none", "a", ""]),
            (false, false, "p -", "-", ["p", "none", "none", ""]),
            (true, false, "p - 6<", "6<", ["p", "-", "none", ""]),
            (false, true, "all", "none", ["all", "none", "none", ""]),
        ] {
            let expected = FieldSet { regions, cages: true, answer, ..FieldSet::default() };
            assert_eq!(split(expected, record), others, "{record}");
            let bytes = record.as_bytes();
            let fields = super::split(expected, bytes, Separators::Blanks, included);
            let found = fields.cages.map_or("none".into(), |cages| cages.into_owned());
            assert_eq!(found, cages.as_bytes(), "{record}");
        }
    }

    #[test]
    fn a_field_that_describes_its_rules_ends_at_a_blank() {
        for (record, fields) in [
            ("3x3k:zzzc,a_b,3_4 answer,x", &["3x3k:zzzc,a_b,3_4", "answer", "x"][..]),
            ("7,2x2:a_1 , y", &["7", "2x2:a_1", "y"]),
        ] {
            let found: Vec<&[u8]> = Fields::of(record.as_bytes()).collect();
            let fields: Vec<&[u8]> = fields.iter().map(|field| field.as_bytes()).collect();
            assert_eq!(found, fields, "{record:?}");
        }
    }

    #[test]
    fn named_fields_are_separated_by_single_tabs_if_the_record_has_any() {
        let names = FieldNames::parse("id,puzzle,note,answer").unwrap();
        let split = |record: &'static str| {
            let (named, rest) = names.split(record.as_bytes(), Separators::Usual);
            (RecordFields { rest, ..names.fields(&named).unwrap() }, named)
        };
        for (record, fields) in [
            ("7 p x a and more", ["p", "none", "a", "and more"]),
            ("7\tp\t\ta\t\tmore", ["p", "none", "a", "\tmore"]),
            ("7\t p \tx y\ta", ["p", "none", "a", ""]),
            ("7", ["", "none", "none", ""]),
        ] {
            assert_eq!(texts(split(record).0), fields, "{record:?}");
        }
        for (record, fields) in
            [("7\tp\tx y\ta", &["7", "p", "x y", "a"][..]), ("7 p", &["7", "p"])]
        {
            let found = split(record);
            let fields: Vec<&[u8]> = fields.iter().map(|field| field.as_bytes()).collect();
            assert_eq!(found.1, fields, "{record:?}");
        }
    }

    #[test]
    fn faulty_lists_of_names_are_errors() {
        for (list, reason) in [
            ("id,answer", "one of the fields must be 'puzzle'"),
            ("puzzle,id,id", "'id' appears twice"),
            ("puzzle,,id", "expected names separated by commas"),
        ] {
            let error = FieldNames::parse(list).unwrap_err();
            assert_eq!(error.to_string(), reason, "{list}");
        }
    }
}
