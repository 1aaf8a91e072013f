//! CSV after RFC 4180, one record a line: which column is what, the fields of a record, and how fields are written.
//! Fields are separated by commas, or by semicolons or tabs where the header line shows it.
//! Quotes are csv-core's concern; records that it would mend are refused before.

use std::borrow::Cow;

use csv_core::{ReadRecordResult, ReaderBuilder, Terminator, WriteResult, WriterBuilder};

use crate::puzzle::count;
use crate::record::{Parts, trim, without_end, without_mark};

/// The first record of the input: it names the fields of all others.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Header {
    /// As it came, without line end and byte order mark.
    pub line: Vec<u8>,
    /// What separates the fields of all records.
    pub separator: u8,
    names: Vec<Vec<u8>>,
    puzzle: usize,
    regions: Option<usize>,
    answer: Option<usize>,
    /// Why the column of answers is not certain, if it is not.
    unclear_answer: Option<String>,
}

/// What people call the columns that are read, most usual first.
const PUZZLE: &[&str] = &["puzzle", "quizzes", "quiz", "question", "sudoku"];
const REGIONS: &[&str] = &["regions"];
/// Beside a column called so, one of `SOLUTION` holds what the answer may be compared with: an answer was submitted, a
/// solution was found.
const ANSWER: &[&str] = &["answer"];
const SOLUTION: &[&str] = &["solution", "solutions"];

/// What may separate fields, in the order in which the header line is tried.
const SEPARATORS: [u8; 3] = [b',', b';', b'\t'];

impl Header {
    /// Reads the first line of a file.
    ///
    /// # Errors
    /// A sentence for the user: it is not CSV, or not exactly one column holds puzzles.
    pub fn read(line: &[u8]) -> Result<Header, String> {
        let line = without_mark(without_end(line));
        let mut fault = None;
        for separator in SEPARATORS {
            match Header::separated(line, separator) {
                Ok(Some(header)) => return Ok(header),
                Ok(None) => {}
                Err(reason) => _ = fault.get_or_insert(reason),
            }
        }
        Err(fault.unwrap_or_else(|| {
            let (others, last) = (
                PUZZLE[..PUZZLE.len() - 1].join(", "),
                PUZZLE[PUZZLE.len() - 1],
            );
            format!("the header has no column of puzzles; its name must be {others} or {last}")
        }))
    }

    /// Reads a header line with this separator; `None` if no column holds puzzles.
    fn separated(line: &[u8], separator: u8) -> Result<Option<Header>, String> {
        let names = fields(line, separator)?;
        let names: Vec<Vec<u8>> = names.iter().map(|name| trim(name).to_vec()).collect();
        let Some(puzzle) = only(&names, PUZZLE, "puzzles")? else {
            return Ok(None);
        };
        let regions = only(&names, REGIONS, "regions")?;
        let answers = if named(&names, ANSWER).next().is_some() {
            ANSWER
        } else {
            SOLUTION
        };
        let answer = named(&names, answers).next();
        Ok(Some(Header {
            line: line.to_vec(),
            separator,
            puzzle,
            regions,
            answer,
            unclear_answer: only(&names, answers, "answers").err(),
            names,
        }))
    }

    /// Checks that exactly one column holds answers.
    ///
    /// # Errors
    /// A sentence for the user: there is none, or more than one.
    pub fn check_answers(&self) -> Result<(), String> {
        match (&self.unclear_answer, self.answer) {
            (Some(reason), _) => Err(reason.clone()),
            (None, Some(_)) => Ok(()),
            (None, None) => Err(
                "the header has no column of answers; its name must be answer, solution or solutions"
                    .to_string(),
            ),
        }
    }

    /// How many fields a record has.
    pub fn width(&self) -> usize {
        self.names.len()
    }

    /// The name of an output column: another where the header has it already.
    pub fn name_beside(&self, name: &str) -> String {
        let mut name = name.to_string();
        while self.names.iter().any(|known| known == name.as_bytes()) {
            name += "_found";
        }
        name
    }

    /// The parts of a record.
    ///
    /// # Errors
    /// A sentence for the user: it is not CSV, or has another number of fields than the header.
    pub fn parts<'a>(&self, record: &'a [u8]) -> Result<Parts<'a>, String> {
        let mut fields = fields(record, self.separator)?;
        if fields.len() != self.width() {
            let wanted = count(self.width(), "field");
            let found = count(fields.len(), "field");
            return Err(format!("{found}; the header has {wanted}"));
        }
        let mut take = |index: usize| match std::mem::take(&mut fields[index]) {
            Cow::Borrowed(field) => Cow::Borrowed(trim(field)),
            Cow::Owned(field) => Cow::Owned(trim(&field).to_vec()),
        };
        Ok(Parts {
            puzzle: take(self.puzzle),
            regions: self.regions.map(&mut take),
            answer: self.answer.map(&mut take),
            rest: &[],
        })
    }
}

/// The indices of the columns with one of these meanings, in the order of the header.
fn named(names: &[Vec<u8>], meanings: &[&str]) -> impl Iterator<Item = usize> {
    let has_meaning = |name: &[u8]| {
        meanings
            .iter()
            .any(|meaning| name.eq_ignore_ascii_case(meaning.as_bytes()))
    };
    (0..names.len()).filter(move |&index| has_meaning(&names[index]))
}

/// The index of the only column with one of these meanings, if there is one.
fn only(names: &[Vec<u8>], meanings: &[&str], what: &str) -> Result<Option<usize>, String> {
    let mut found = named(names, meanings);
    let (first, second) = (found.next(), found.next());
    match (first, second) {
        (Some(first), Some(second)) => {
            let (first, second) = (names[first].escape_ascii(), names[second].escape_ascii());
            Err(format!(
                "the header has two columns of {what}: {first} and {second}"
            ))
        }
        _ => Ok(first),
    }
}

/// The fields of one record.
fn fields(record: &[u8], separator: u8) -> Result<Vec<Cow<'_, [u8]>>, String> {
    if memchr::memchr(b'"', record).is_none() {
        let fields = record.split(|&byte| byte == separator);
        return Ok(fields.map(Cow::Borrowed).collect());
    }
    match quotes_fault(record, separator) {
        Some(fault) => Err(format!("invalid CSV: {fault}")),
        None => Ok(unquoted(record, separator)),
    }
}

/// What is wrong with the quotes of a record: a quoted field begins and ends in one, and they are doubled within.
fn quotes_fault(record: &[u8], separator: u8) -> Option<&'static str> {
    let mut left = record;
    loop {
        let Some(quoted) = left.strip_prefix(b"\"") else {
            let end = memchr::memchr2(separator, b'"', left)?;
            match left[end] {
                b'"' => return Some("a quote inside a field that does not begin with one"),
                _ => left = &left[end + 1..],
            }
            continue;
        };
        let Some(end) = memchr::memchr(b'"', quoted) else {
            return Some("a quoted field has no closing quote on the same line");
        };
        match quoted.get(end + 1) {
            None => return None,
            Some(&byte) if byte == separator => left = &quoted[end + 2..],
            // A doubled quote: what follows goes on like a field that has just begun.
            Some(b'"') => left = &quoted[end + 1..],
            Some(_) => return Some("text after a closing quote"),
        }
    }
}

/// The fields of a record whose quotes are in order.
fn unquoted(record: &[u8], separator: u8) -> Vec<Cow<'static, [u8]>> {
    let mut text = vec![0; record.len()];
    let mut ends = vec![0; memchr::memchr_iter(separator, record).count() + 1];
    // A bare "\r" is a byte like any other.
    let mut reader = ReaderBuilder::new()
        .terminator(Terminator::Any(b'\n'))
        .delimiter(separator)
        .build();
    // Behind an empty line the reader takes no byte order mark away: that of the line is gone already.
    let _ = reader.read_record(b"\n", &mut text, &mut ends);
    let (result, read, written, mut number) = reader.read_record(record, &mut text, &mut ends);
    if result == ReadRecordResult::InputEmpty {
        // An empty input says that there is no more.
        let (_, _, _, more) =
            reader.read_record(&record[read..], &mut text[written..], &mut ends[number..]);
        number += more;
    }
    let starts = std::iter::once(0).chain(ends.iter().copied());
    let fields = starts.zip(&ends[..number]);
    fields
        .map(|(start, &end)| Cow::Owned(text[start..end].to_vec()))
        .collect()
}

/// Appends a field to a row, quoted if it must be.
pub(crate) fn write_field(field: &[u8], separator: u8, row: &mut Vec<u8>) {
    let special = |byte: &u8| *byte == separator || matches!(byte, b'"' | b'\r' | b'\n');
    if !field.iter().any(special) {
        return row.extend_from_slice(field);
    }
    // At most every byte is a quote to be doubled, between two more.
    let mut quoted = vec![0; 2 * field.len() + 2];
    let mut writer = WriterBuilder::new().delimiter(separator).build();
    let (result, _, body) = writer.field(field, &mut quoted);
    debug_assert_eq!(result, WriteResult::InputEmpty);
    let (_, end) = writer.finish(&mut quoted[body..]);
    row.extend_from_slice(&quoted[..body + end]);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(record: &str) -> Result<Vec<String>, String> {
        texts_between(b',', record)
    }

    fn texts_between(separator: u8, record: &str) -> Result<Vec<String>, String> {
        let fields = fields(record.as_bytes(), separator)?;
        let text = |field: Cow<'_, [u8]>| String::from_utf8(field.into_owned()).unwrap();
        Ok(fields.into_iter().map(text).collect())
    }

    #[test]
    fn fields_are_read_as_they_are_written() {
        for fields in [
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
                for (index, field) in fields.iter().enumerate() {
                    if index > 0 {
                        record.push(separator);
                    }
                    write_field(field.as_bytes(), separator, &mut record);
                }
                let record = String::from_utf8(record).unwrap();
                assert_eq!(
                    texts_between(separator, &record).unwrap(),
                    fields,
                    "{record}"
                );
            }
        }
    }

    /// A fault until 2026-11-22: where a record had quotes, its end was taken to be there.
    #[test]
    fn a_carriage_return_within_a_record_is_a_byte_like_any_other() {
        for (record, fields) in [
            ("\"a\",b\rc", ["a", "b\rc"]),
            ("\r,\"\"", ["\r", ""]),
            ("\ra,\"b\"", ["\ra", "b"]),
            ("\u{feff}a,\"b\"", ["\u{feff}a", "b"]),
        ] {
            assert_eq!(texts(record).unwrap(), fields, "{record:?}");
        }
    }

    #[test]
    fn what_is_not_csv_is_told() {
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
            let error = texts(record).unwrap_err();
            assert_eq!(error, format!("invalid CSV: {fault}"), "{record}");
        }
    }

    #[test]
    fn a_header_tells_which_column_is_what() {
        let header = Header::read(b"\xef\xbb\xbfID,Quizzes,\"solutions\"\r\n").unwrap();
        let parts = header.parts(b"7, \"1.\" ,34").unwrap_err();
        assert!(parts.contains("quote inside"), "{parts}");
        let parts = header.parts(b"7,\"1.\", 34").unwrap();
        assert_eq!(&*parts.puzzle, b"1.");
        assert_eq!(parts.answer.as_deref(), Some(&b"34"[..]));
        assert_eq!(parts.regions, None);
        assert_eq!(
            header.parts(b"7,1").unwrap_err(),
            "2 fields; the header has 3 fields"
        );
        assert_eq!(header.name_beside("solutions"), "solutions_found");
        assert_eq!(header.name_beside("status"), "status");
        let error = Header::read(b"id,grid").unwrap_err();
        assert!(error.starts_with("the header has no column of puzzles"));
    }
}
