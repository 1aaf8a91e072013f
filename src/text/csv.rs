//! Reads and writes CSV by RFC 4180, with each record on one line. Finds the columns that the header names, splits records
//! into fields, and quotes fields.
//!
//! Fields are separated by commas, or by semicolons or tabs if only these make sense of the header.

use std::borrow::Cow;

use super::header_names::{
    ANSWER, CHOOSE_ANSWER, HeaderNames, PUZZLE, SOLUTION, USUAL, unused_name,
};
use super::notation::is_self_describing;
use super::record::{
    Field, Included, OTHER_LINE_ENDS, RecordFields, contains_line_end, trim, without_end,
    without_mark,
};
use crate::error::BoxError;
use crate::rules::pluralize;

/// The first record of the input, which names the fields of all records.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct CsvHeader {
    /// The line, without its line end and byte order mark.
    pub line: Vec<u8>,
    /// The separator between the fields of all records.
    pub separator: u8,
    names: Vec<Vec<u8>>,
    /// For each [`Field`], the index of its column in a record. If several columns could hold the answers, the first of them.
    columns: [Option<usize>; 4],
    /// The error message if two columns could hold the answers to check. A column named as a solution cannot if there is one
    /// named `answer`.
    ambiguous_answer: Option<String>,
    /// The error message if two columns are named as answers or solutions, so that it is unclear which one must change with the
    /// puzzle. If the user chose a name, only columns of this name count.
    several_answers: Option<String>,
}

/// The separators, in the order in which they are tried on the header.
const SEPARATORS: [u8; 3] = [b',', b';', b'\t'];

impl CsvHeader {
    /// Parses the first line of a file.
    ///
    /// # Errors
    /// Returns an error if the line is not CSV, or does not name exactly one column of puzzles.
    pub fn parse(line: &[u8], names: &HeaderNames) -> Result<CsvHeader, BoxError> {
        let line = without_mark(without_end(line));
        if contains_line_end(line) {
            return Err(OTHER_LINE_ENDS.into());
        }
        let mut fault = None;
        for separator in SEPARATORS {
            match CsvHeader::parse_with(separator, line, names) {
                Ok(Some(header)) => return Ok(header),
                Ok(None) => {}
                Err(reason) => _ = fault.get_or_insert(reason),
            }
        }
        Err(fault.unwrap_or_else(|| {
            if let Some(name) = names.of(Field::Puzzle) {
                return missing_column(name);
            }
            let (others, last) = (
                PUZZLE[..PUZZLE.len() - 1].join(", "),
                PUZZLE[PUZZLE.len() - 1],
            );
            format!("the header has no column of puzzles; its name must be {others} or {last}, or --header must name it")
                .into()
        }))
    }

    /// Parses a header line with this separator. Returns `None` if it names no column of puzzles, so that another separator can
    /// be tried.
    fn parse_with(
        separator: u8,
        line: &[u8],
        chosen: &HeaderNames,
    ) -> Result<Option<CsvHeader>, BoxError> {
        let names = split(line, separator)?;
        let names: Vec<Vec<u8>> = names.iter().map(|name| trim(name).to_vec()).collect();
        let only = |field: Field| {
            let (usual, contents) = USUAL[field as usize];
            only_column(&names, chosen_or(&chosen.of(field), usual), contents)
        };
        let mut columns = [None; 4];
        for (field, _) in Field::ALL {
            if field != Field::Answer {
                columns[field as usize] = only(field)?;
            }
            // The puzzle is the first field of `Field::ALL`. Faults of the other columns count only if it has one.
            if columns[Field::Puzzle as usize].is_none() {
                return Ok(None);
            }
        }
        let usual = match columns_named(&names, ANSWER).next() {
            Some(_) => ANSWER,
            None => SOLUTION,
        };
        let chosen_answer = chosen.of(Field::Answer);
        let answers = chosen_or(&chosen_answer, usual);
        columns[Field::Answer as usize] = columns_named(&names, answers).next();
        for name in chosen.all() {
            if columns_named(&names, &[name]).next().is_none() {
                return Err(missing_column(name));
            }
        }
        Ok(Some(CsvHeader {
            line: line.to_vec(),
            separator,
            columns,
            ambiguous_answer: only_column(&names, answers, "answers")
                .err()
                .map(|reason| reason.to_string()),
            several_answers: only(Field::Answer).err().map(|reason| reason.to_string()),
            names,
        }))
    }

    /// Checks that exactly one column holds answers.
    ///
    /// # Errors
    /// Returns an error if no column or more than one holds answers.
    pub fn check_answers(&self) -> Result<(), BoxError> {
        match (&self.ambiguous_answer, self.columns[Field::Answer as usize]) {
            (Some(reason), _) => Err(reason.clone().into()),
            (None, Some(_)) => Ok(()),
            (None, None) => Err(
                "the header has no column of answers; its name must be answer, solution or solutions, or --header must name it"
                    .into(),
            ),
        }
    }

    /// Checks that at most one column is named as answers or solutions.
    ///
    /// # Errors
    /// Returns a message for the user if two columns could hold them.
    pub fn check_only_answer(&self) -> Result<(), BoxError> {
        match &self.several_answers {
            Some(reason) => Err(format!("{reason}; {CHOOSE_ANSWER}").into()),
            None => Ok(()),
        }
    }

    /// Returns the number of fields of each record.
    pub fn width(&self) -> usize {
        self.names.len()
    }

    /// Returns a name for an output column that differs from all names of the header: `status`, or if the header has
    /// that, `status_found`.
    pub fn unused_name(&self, name: &str) -> String {
        unused_name(name, |name| {
            self.names.iter().any(|it| it == name.as_bytes())
        })
    }

    /// Splits a record.
    ///
    /// # Errors
    /// Returns an error if the record is not CSV, or differs from the header in its number of fields.
    pub fn split<'a>(&self, record: &'a [u8]) -> Result<RecordFields<'a>, BoxError> {
        let mut fields = split(record, self.separator)?;
        if fields.len() != self.width() {
            let wanted = pluralize(self.width(), "field");
            let found = pluralize(fields.len(), "field");
            return Err(format!("{found}; the header has {wanted}").into());
        }
        let mut take = |index: usize| match std::mem::take(&mut fields[index]) {
            Cow::Borrowed(field) => Cow::Borrowed(trim(field)),
            Cow::Owned(field) => Cow::Owned(trim(&field).to_vec()),
        };
        let mut by_meaning = RecordFields::default();
        for (field, _) in Field::ALL {
            if let Some(column) = self.columns[field as usize] {
                by_meaning.set(field, take(column));
            }
        }
        Ok(by_meaning)
    }

    /// Appends a valid record in which `fields` replace the contents of the columns of puzzles, layouts, cages and answers. A
    /// column keeps its contents if `fields` has none for it. A layout or cages without a column of their own follow the puzzle
    /// in its column, as in [`CsvHeader::puzzle_with_others`].
    pub fn write_with(
        &self,
        record: &[u8],
        fields: &RecordFields<'_>,
        expected: Included,
        output: &mut Vec<u8>,
    ) {
        for (index, raw) in raw_fields(record, self.separator).enumerate() {
            if index > 0 {
                output.push(self.separator);
            }
            let mut known = Field::ALL.into_iter().map(|(field, _)| field);
            let known = known.find(|&field| self.columns[field as usize] == Some(index));
            let field = match known {
                Some(Field::Puzzle) => Some(self.puzzle_with_others(fields, expected)),
                Some(Field::Regions) => fields.regions.clone(),
                Some(Field::Cages) => fields.cages.clone(),
                Some(Field::Answer) => fields.answer.clone(),
                None => None,
            };
            match field {
                Some(field) => write_field(&field, self.separator, output),
                None => output.extend_from_slice(raw),
            }
        }
    }

    /// Returns the puzzle, followed by the layout and the cages if the header has no columns for them. `expected` states which of
    /// the two the options read, so that the same options can read the result again. The parts follow each other without a
    /// separator if they can be split again by their length, otherwise with blanks between them.
    pub fn puzzle_with_others<'f>(
        &self,
        fields: &'f RecordFields<'_>,
        expected: Included,
    ) -> Cow<'f, [u8]> {
        let puzzle = &*fields.puzzle;
        let regions = fields.regions.as_deref().unwrap_or_default();
        let cages = fields.cages.as_deref().unwrap_or_default();
        let is_missing = |field: Field| self.columns[field as usize].is_none();
        let adds_regions = is_missing(Field::Regions) && (expected.regions || !regions.is_empty());
        let adds_cages = is_missing(Field::Cages) && (expected.cages || !cages.is_empty());
        // Such a puzzle already includes its layout and its cages.
        let is_complete = is_self_describing(puzzle) || puzzle.contains(&b' ');
        if is_complete || !(adds_regions || adds_cages) {
            return Cow::Borrowed(puzzle);
        }
        let fits = |adds: bool, field: &[u8]| !adds || field.len() == puzzle.len();
        // The reader splits a field by its length into the puzzle, the layout if it is expected, and the cages if they are. So
        // the cages can follow directly only if the layout is there exactly when it is expected.
        let is_read_directly = if adds_cages {
            expected.cages && expected.regions == adds_regions
        } else {
            expected.regions
        };
        if is_read_directly && fits(adds_regions, regions) && fits(adds_cages, cages) {
            let regions = if adds_regions { regions } else { b"" };
            let cages = if adds_cages { cages } else { b"" };
            return Cow::Owned([puzzle, regions, cages].concat());
        }
        let mut parts = vec![puzzle, or_missing(regions)];
        parts.extend(adds_cages.then(|| or_missing(cages)));
        Cow::Owned(parts.join(&b' '))
    }
}

/// Returns true if a line has the usual name of a column of puzzles, so that it is probably a header.
pub(crate) fn is_likely_header(line: &[u8]) -> bool {
    let mut names = line.split(|byte| SEPARATORS.contains(byte));
    names.any(|name| {
        let name = trim(name);
        let name = name.strip_prefix(b"\"").unwrap_or(name);
        let name = name.strip_suffix(b"\"").unwrap_or(name);
        let is_name = |known: &&str| name.eq_ignore_ascii_case(known.as_bytes());
        PUZZLE.iter().any(is_name)
    })
}

/// Returns `-` in place of an empty field.
pub fn or_missing(field: &[u8]) -> &[u8] {
    if field.is_empty() { b"-" } else { field }
}

/// Returns the fields of a valid record with their quotes.
fn raw_fields(record: &[u8], separator: u8) -> impl Iterator<Item = &[u8]> {
    let mut is_quoted = false;
    record.split(move |&byte| {
        // Two quotes within a field cancel out.
        is_quoted ^= byte == b'"';
        byte == separator && !is_quoted
    })
}

fn missing_column(name: &str) -> BoxError {
    format!("the header has no column '{name}'").into()
}

/// Returns the chosen name as a list of one, or else the usual names.
fn chosen_or<'a>(chosen: &'a Option<&'a str>, usual: &'a [&'a str]) -> &'a [&'a str] {
    match chosen {
        Some(_) => chosen.as_slice(),
        None => usual,
    }
}

/// Returns the indices of the columns with one of the `wanted` names, ignoring case.
fn columns_named(names: &[Vec<u8>], wanted: &[&str]) -> impl Iterator<Item = usize> {
    let is_wanted = |name: &[u8]| {
        wanted
            .iter()
            .any(|wanted| name.eq_ignore_ascii_case(wanted.as_bytes()))
    };
    (0..names.len()).filter(move |&index| is_wanted(&names[index]))
}

/// Returns the index of the only column with one of the `wanted` names, or `None` if there is none. If there are two, the
/// error message calls them columns of `contents`.
fn only_column(
    names: &[Vec<u8>],
    wanted: &[&str],
    contents: &str,
) -> Result<Option<usize>, BoxError> {
    let mut found = columns_named(names, wanted);
    let (first, second) = (found.next(), found.next());
    match (first, second) {
        (Some(first), Some(second)) => {
            let (first, second) = (names[first].escape_ascii(), names[second].escape_ascii());
            Err(format!("the header has two columns of {contents}: {first} and {second}").into())
        }
        _ => Ok(first),
    }
}

/// Returns the fields of a record, without their quotes.
fn split(record: &[u8], separator: u8) -> Result<Vec<Cow<'_, [u8]>>, BoxError> {
    if memchr::memchr(b'"', record).is_none() {
        let fields = record.split(|&byte| byte == separator);
        return Ok(fields.map(Cow::Borrowed).collect());
    }
    let mut fields = Vec::new();
    let mut unread = Some(record);
    while let Some(text) = unread {
        let (field, rest) = match text.strip_prefix(b"\"") {
            Some(quoted) => quoted_field(quoted, separator)?,
            None => unquoted_field(text, separator)?,
        };
        fields.push(field);
        unread = rest;
    }
    Ok(fields)
}

/// The first field of some text, and the text after the separator. `None` if the field is the last one.
type FirstField<'a> = (Cow<'a, [u8]>, Option<&'a [u8]>);

/// Splits off a field without quotes.
fn unquoted_field(text: &[u8], separator: u8) -> Result<FirstField<'_>, BoxError> {
    match memchr::memchr2(separator, b'"', text) {
        None => Ok((text.into(), None)),
        Some(end) if text[end] == separator => Ok((text[..end].into(), Some(&text[end + 1..]))),
        Some(_) => Err("invalid CSV: a quote inside a field that does not begin with one".into()),
    }
}

/// Splits off a field whose opening quote is already removed. Two quotes within it stand for one.
fn quoted_field(text: &[u8], separator: u8) -> Result<FirstField<'_>, BoxError> {
    let mut field = Vec::new();
    let mut unread = text;
    loop {
        let Some(end) = memchr::memchr(b'"', unread) else {
            let error = "invalid CSV: a quoted field has no closing quote on the same line";
            return Err(error.into());
        };
        field.extend_from_slice(&unread[..end]);
        unread = &unread[end + 1..];
        match unread.split_first() {
            None => return Ok((field.into(), None)),
            Some((b'"', rest)) => {
                field.push(b'"');
                unread = rest;
            }
            Some((&byte, rest)) if byte == separator => return Ok((field.into(), Some(rest))),
            Some(_) => return Err("invalid CSV: text after a closing quote".into()),
        }
    }
}

/// Appends a field to an output line, in quotes if it contains a separator, a quote or a line end.
pub(crate) fn write_field(field: &[u8], separator: u8, output: &mut Vec<u8>) {
    let special = |byte: &u8| *byte == separator || matches!(byte, b'"' | b'\r' | b'\n');
    if !field.iter().any(special) {
        return output.extend_from_slice(field);
    }
    output.push(b'"');
    for &byte in field {
        output.extend_from_slice(if byte == b'"' {
            b"\"\""
        } else {
            std::slice::from_ref(&byte)
        });
    }
    output.push(b'"');
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fields(record: &str) -> Result<Vec<String>, BoxError> {
        fields_separated_by(b',', record)
    }

    fn fields_separated_by(separator: u8, record: &str) -> Result<Vec<String>, BoxError> {
        let fields = split(record.as_bytes(), separator)?;
        let text = |field: Cow<'_, [u8]>| String::from_utf8(field.into_owned()).unwrap();
        Ok(fields.into_iter().map(text).collect())
    }

    #[test]
    fn fields_round_trip() {
        for expected in [
            vec!["a", "b"],
            vec!["", ""],
            vec!["a,b", "c\"d", "\"\"", ","],
            vec!["\"", ""],
            vec!["", "\"", "x"],
            vec!["a\"\"b\"", "\",\""],
            vec!["a;b", "c\td", ";", "\t\""],
        ] {
            for separator in [b',', b';', b'\t'] {
                let mut record = Vec::new();
                for (index, field) in expected.iter().enumerate() {
                    if index > 0 {
                        record.push(separator);
                    }
                    write_field(field.as_bytes(), separator, &mut record);
                }
                let record = String::from_utf8(record).unwrap();
                assert_eq!(
                    fields_separated_by(separator, &record).unwrap(),
                    expected,
                    "{record}"
                );
            }
        }
    }

    #[test]
    fn a_carriage_return_and_a_byte_order_mark_are_part_of_a_field() {
        for (record, expected) in [
            ("\"a\",b\rc", ["a", "b\rc"]),
            ("\r,\"\"", ["\r", ""]),
            ("\ra,\"b\"", ["\ra", "b"]),
            ("\u{feff}a,\"b\"", ["\u{feff}a", "b"]),
        ] {
            assert_eq!(fields(record).unwrap(), expected, "{record:?}");
        }
    }

    #[test]
    fn raw_fields_are_those_of_split_with_their_quotes() {
        for record in [
            "a,b",
            ",",
            "",
            "\"a,\"\"b\",c",
            "\"\",\"\"\"\"",
            "\",\",\",\"",
            "a;b,\tc",
        ] {
            for separator in [b',', b';', b'\t'] {
                let raw = raw_fields(record.as_bytes(), separator);
                let raw: Vec<Vec<u8>> = raw.map(<[u8]>::to_vec).collect();
                assert_eq!(raw.join(&separator), record.as_bytes(), "{record}");
                let Ok(fields) = split(record.as_bytes(), separator) else {
                    continue;
                };
                let unquoted = raw
                    .iter()
                    .map(|field| split(field, separator).unwrap().concat());
                assert_eq!(fields, unquoted.collect::<Vec<_>>(), "{record}");
            }
        }
    }

    #[test]
    fn wrong_quotes_are_errors() {
        for (record, fault) in [
            (
                "a,\"b",
                "a quoted field has no closing quote on the same line",
            ),
            (
                "a,\"b\"\"",
                "a quoted field has no closing quote on the same line",
            ),
            (
                "a\"b",
                "a quote inside a field that does not begin with one",
            ),
            ("\"a\"b,c", "text after a closing quote"),
        ] {
            let error = fields(record).unwrap_err().to_string();
            assert_eq!(error, format!("invalid CSV: {fault}"), "{record}");
        }
    }

    #[test]
    fn chosen_names_replace_the_usual_ones() {
        let parse = |list: &str, line: &[u8]| {
            let header = CsvHeader::parse(line, &HeaderNames::parse(list).unwrap());
            header.map_err(|error| error.to_string())
        };
        let line = b"puzzle,board,solution,Key,map";
        let header = parse("puzzle=BOARD,answer=key,regions=map", line).unwrap();
        assert_eq!(header.columns, [Some(1), Some(4), None, Some(3)]);
        let header = parse("answer=key", line).unwrap();
        assert_eq!(header.columns, [Some(0), None, None, Some(3)]);
        for name in ["puzzle", "answer", "regions"] {
            let missing = parse(&format!("{name}=none"), line).unwrap_err();
            assert_eq!(missing, "the header has no column 'none'", "{name}");
        }
        let twice = parse("puzzle=a", b"a,A").unwrap_err();
        assert_eq!(twice, "the header has two columns of puzzles: a and A");
    }

    #[test]
    fn a_list_of_names_has_an_entry_for_each_column() {
        for (list, reason) in [
            (
                "",
                "'' is not puzzle=NAME, answer=NAME, regions=NAME or cages=NAME",
            ),
            (
                "puzzle",
                "'puzzle' is not puzzle=NAME, answer=NAME, regions=NAME or cages=NAME",
            ),
            (
                "puzzle=",
                "'puzzle=' is not puzzle=NAME, answer=NAME, regions=NAME or cages=NAME",
            ),
            (
                "grid=a",
                "'grid=a' is not puzzle=NAME, answer=NAME, regions=NAME or cages=NAME",
            ),
            ("puzzle=a,puzzle=b", "puzzle has two names"),
        ] {
            let error = HeaderNames::parse(list).unwrap_err();
            assert_eq!(error.to_string(), reason, "{list}");
        }
    }

    #[test]
    fn the_header_names_the_columns() {
        let parse = |line: &[u8]| CsvHeader::parse(line, &HeaderNames::default());
        let header = parse(b"\xef\xbb\xbfID,Quizzes,\"solutions\"\r\n").unwrap();
        let error = header.split(b"7, \"1.\" ,34").unwrap_err().to_string();
        assert!(error.contains("quote inside"), "{error}");
        let fields = header.split(b"7,\"1.\", 34").unwrap();
        assert_eq!(&*fields.puzzle, b"1.");
        assert_eq!(fields.answer.as_deref(), Some(&b"34"[..]));
        assert_eq!(fields.regions, None);
        assert_eq!(
            header.split(b"7,1").unwrap_err().to_string(),
            "2 fields; the header has 3 fields"
        );
        assert_eq!(header.unused_name("solutions"), "solutions_found");
        assert_eq!(header.unused_name("status"), "status");
        let error = parse(b"id,grid").unwrap_err().to_string();
        assert!(error.starts_with("the header has no column of puzzles"));
    }
}
