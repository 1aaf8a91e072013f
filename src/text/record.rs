//! Lines of input and the meanings of their fields: recognises comments and blank lines, and
//! removes line ends and byte order marks. `forms/` splits records into fields.

use std::borrow::Cow;

use super::record_rules::RecordRules;
use super::size::Size;

/// Bytes of the longest record of CSV or JSON: answers of language models can be long.
pub(crate) const MAX_RECORD: usize = 1 << 20;

/// The two kinds of input lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Line<'a> {
    /// A comment (`# ...`) or a blank line, without its line end and byte order mark. The program
    /// copies it to the output, except with `--select` and `--reject`. CSV and JSON have no
    /// comments: there, the program treats a line that begins with `#` as a record.
    Copied(&'a [u8]),
    /// Any other line, without its line end and byte order mark.
    Record(&'a [u8]),
}

impl<'a> Line<'a> {
    /// Classifies a line, given with or without its line end.
    #[must_use]
    pub fn of(bytes: &'a [u8]) -> Line<'a> {
        let record = without_mark(without_end(bytes));
        match record.first() {
            // A comment with text after a CR is probably several lines, and some of them can be
            // puzzles. So it is not copied, but becomes a record. Such a record is invalid, except
            // in CSV, where fields can contain a CR.
            Some(b'#') if !has_inner_cr(record) => Line::Copied(record),
            _ if record.iter().copied().all(is_blank) => Line::Copied(record),
            _ => Line::Record(record),
        }
    }
}

/// Returns a line without its line end: LF, CRLF, or a single CR at the end.
pub(crate) fn without_end(line: &[u8]) -> &[u8] {
    // The last line of a source can end without LF, or with the CR of a CRLF only.
    let line = line.strip_suffix(b"\n").unwrap_or(line);
    line.strip_suffix(b"\r").unwrap_or(line)
}

/// The reason why rows with an [inner CR](has_inner_cr) are invalid.
pub(crate) const OTHER_LINE_ENDS: &str =
    "a CR within the line; if CR alone ends the lines, convert them first: tr '\\r' '\\n'";
/// The same for a line in which each CR ends a field.
const ENDS_OF_FIELDS: &str = "a CR at the end of a field, as paste writes for files with CRLF; \
    remove each CR first: tr -d '\\r'";

/// The reason why a line with an [inner CR](has_inner_cr) is invalid.
pub(crate) fn reason_for_inner_cr(line: &[u8]) -> &'static str {
    let line = without_end(line);
    let is_separator = |byte: &u8| matches!(byte, b'\t' | b' ' | b',' | b';');
    let ends_field = |at: usize| line.get(at + 1).is_none_or(is_separator);
    match memchr::memchr_iter(b'\r', line).all(ends_field) {
        true => ENDS_OF_FIELDS,
        false => OTHER_LINE_ENDS,
    }
}

/// True if a byte other than CR follows a CR, as in a file whose lines end in CR alone.
pub(crate) fn has_inner_cr(line: &[u8]) -> bool {
    let first = memchr::memchr(b'\r', line);
    first.is_some_and(|first| line[first..].iter().any(|&byte| byte != b'\r'))
}

/// Returns a line without the UTF-8 byte order mark at its beginning, if it has one.
pub(crate) fn without_mark(line: &[u8]) -> &[u8] {
    line.strip_prefix(b"\xef\xbb\xbf").unwrap_or(line)
}

/// A field that has a meaning for the program. All other fields are at most copied to the output.
/// Arrays with one element for each of these fields are in the order of the variants.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Field {
    Puzzle,
    Regions,
    Cages,
    Answer,
    /// Rules as a constraint string.
    Constraints,
    /// The names of variants.
    Variant,
}

impl Field {
    pub const NUMBER: usize = Field::ALL.len();
    pub const ALL: [Field; 6] = [
        Field::Puzzle,
        Field::Regions,
        Field::Cages,
        Field::Answer,
        Field::Constraints,
        Field::Variant,
    ];

    pub fn name(self) -> &'static str {
        ["puzzle", "regions", "cages", "answer", "constraints", "variant"][self as usize]
    }

    pub fn named(name: &str) -> Option<Field> {
        Field::ALL.into_iter().find(|field| field.name() == name)
    }
}

/// The fields of a record by meaning. A missing field is `None`, a missing puzzle is empty.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct RecordFields<'a> {
    pub puzzle: Cow<'a, [u8]>,
    pub regions: Option<Cow<'a, [u8]>>,
    pub cages: Option<Cow<'a, [u8]>>,
    pub answer: Option<Cow<'a, [u8]>>,
    pub constraints: Option<Cow<'a, [u8]>>,
    /// The names of the variants of the puzzle.
    pub variant: Option<Cow<'a, [u8]>>,
    /// The size of the puzzle, if the form of its grid states it, as a JSON array does.
    pub size: Option<Size>,
    /// Rules that other fields state; `None` if there are none.
    pub rules: Option<Box<RecordRules>>,
    /// If the puzzle is prose, the texts that are searched for it, in this order.
    pub prose: Option<Vec<String>>,
    /// The text after the fields that the options name or expect; empty except in lines.
    pub rest: &'a [u8],
}

impl<'a> RecordFields<'a> {
    pub fn set(&mut self, field: Field, contents: Cow<'a, [u8]>) {
        match field {
            Field::Puzzle => self.puzzle = contents,
            Field::Regions => self.regions = Some(contents),
            Field::Cages => self.cages = Some(contents),
            Field::Answer => self.answer = Some(contents),
            Field::Constraints => self.constraints = Some(contents),
            Field::Variant => self.variant = Some(contents),
        }
    }
}

impl RecordFields<'_> {
    /// Copies all fields; `rest` must be empty.
    pub fn into_owned(self) -> RecordFields<'static> {
        debug_assert!(self.rest.is_empty());
        let owned = |field: Option<Cow<'_, [u8]>>| field.map(|it| Cow::Owned(it.into_owned()));
        RecordFields {
            puzzle: Cow::Owned(self.puzzle.into_owned()),
            regions: owned(self.regions),
            cages: owned(self.cages),
            answer: owned(self.answer),
            constraints: owned(self.constraints),
            variant: owned(self.variant),
            size: self.size,
            rules: self.rules,
            prose: self.prose,
            rest: b"",
        }
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FieldSet {
    pub regions: bool,
    pub cages: bool,
    pub answer: bool,
    /// True if puzzles and answers can be prose. In lines, the answer is then the rest of the line.
    pub are_prose: bool,
}

impl FieldSet {
    pub(crate) fn of_rules(regions: bool, cages: bool) -> FieldSet {
        FieldSet { regions, cages, ..FieldSet::default() }
    }

    pub(crate) fn has(self, field: Field) -> bool {
        match field {
            Field::Puzzle => true,
            Field::Regions => self.regions,
            Field::Cages => self.cages,
            Field::Answer => self.answer,
            // They count wherever they are named.
            Field::Constraints | Field::Variant => true,
        }
    }

    /// Counts the grids of a drawn puzzle. Cages are not drawn as a grid.
    pub(crate) fn number_of_grids(self) -> usize {
        1 + usize::from(self.regions) + usize::from(self.answer)
    }
}

pub(crate) fn is_blank(byte: u8) -> bool {
    (byte == b' ') | (byte == b'\t')
}

/// Returns true for the bytes that end a field of a line: blanks and separators.
/// `|` instead of `||` keeps loops over bytes free of branches.
pub(crate) fn ends_field(byte: u8) -> bool {
    is_blank(byte) | is_separator(byte)
}

pub(super) fn is_separator(byte: u8) -> bool {
    (byte == b',') | (byte == b';') | (byte == b':')
}

pub(super) fn skip_blanks(bytes: &[u8]) -> &[u8] {
    let start = bytes.iter().position(|&byte| !is_blank(byte));
    &bytes[start.unwrap_or(bytes.len())..]
}

/// The program writes `-` for an empty column.
pub(crate) fn is_missing(field: &[u8]) -> bool {
    matches!(field, [] | [b'-'])
}

/// Returns a field that is there and not [missing](is_missing).
pub(crate) fn given<'f>(field: &'f Option<Cow<'_, [u8]>>) -> Option<&'f [u8]> {
    field.as_deref().filter(|field| !is_missing(field))
}

pub(crate) fn trim(bytes: &[u8]) -> &[u8] {
    let bytes = skip_blanks(bytes);
    let end = bytes.iter().rposition(|&byte| !is_blank(byte));
    &bytes[..end.map_or(0, |last| last + 1)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_and_blank_lines_are_copied_without_their_ends_and_marks() {
        let cases: [(&str, Line<'_>); 12] = [
            ("# a comment\r\n", Line::Copied(b"# a comment")),
            ("\u{feff}#", Line::Copied(b"#")),
            ("\u{feff} \n", Line::Copied(b" ")),
            ("# a\r\r\n", Line::Copied(b"# a\r")),
            ("# a\r12.4", Line::Record(b"# a\r12.4")),
            ("\n", Line::Copied(b"")),
            (" \t\r\n", Line::Copied(b" \t")),
            ("", Line::Copied(b"")),
            ("12.4\n", Line::Record(b"12.4")),
            ("\u{feff}12.4\r\n", Line::Record(b"12.4")),
            ("12.4", Line::Record(b"12.4")),
            (" #\n", Line::Record(b" #")),
        ];
        for (bytes, line) in cases {
            assert_eq!(Line::of(bytes.as_bytes()), line, "{bytes:?}");
        }
    }
}
