//! CSV after RFC 4180, one record a line: which column is what, the fields of a record, and how fields are written.
//! Quotes are csv-core's concern; records that it would mend are refused before.

use std::borrow::Cow;

use csv_core::{ReadRecordResult, ReaderBuilder, Terminator, WriteResult, Writer};

use crate::puzzle::count;
use crate::record::{Parts, trim, without_end, without_mark};

/// The first record of the input: it names the fields of all others.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Header {
    /// As it came, without line end and byte order mark.
    pub line: Vec<u8>,
    names: Vec<Vec<u8>>,
    puzzle: usize,
    regions: Option<usize>,
    answer: Option<usize>,
}

/// What people call the columns that are read, most usual first.
const PUZZLE: &[&str] = &["puzzle", "quizzes", "quiz", "question", "sudoku"];
const REGIONS: &[&str] = &["regions"];
const ANSWER: &[&str] = &["solution", "solutions", "answer"];

impl Header {
    /// Reads the first line of a file.
    ///
    /// # Errors
    /// A sentence for the user: it is not CSV, or no column holds puzzles.
    pub fn read(line: &[u8]) -> Result<Header, String> {
        let line = without_mark(without_end(line));
        let names = fields(line)?.into_iter().map(|name| trim(&name).to_vec());
        let names: Vec<Vec<u8>> = names.collect();
        let named = |meanings: &[&str]| {
            let named = |meaning: &&str| {
                let found = |name: &Vec<u8>| name.eq_ignore_ascii_case(meaning.as_bytes());
                names.iter().position(found)
            };
            meanings.iter().find_map(named)
        };
        let (puzzle, regions, answer) = (named(PUZZLE), named(REGIONS), named(ANSWER));
        let puzzle = puzzle.ok_or_else(|| {
            let others = PUZZLE.join(", ");
            format!("the header names no column of puzzles: one of {others}")
        })?;
        Ok(Header {
            line: line.to_vec(),
            names,
            puzzle,
            regions,
            answer,
        })
    }

    /// Whether a column holds answers.
    pub fn has_answers(&self) -> bool {
        self.answer.is_some()
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
        let mut fields = fields(record)?;
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

/// The fields of one record.
fn fields(record: &[u8]) -> Result<Vec<Cow<'_, [u8]>>, String> {
    if memchr::memchr(b'"', record).is_none() {
        let fields = record.split(|&byte| byte == b',');
        return Ok(fields.map(Cow::Borrowed).collect());
    }
    match quotes_fault(record) {
        Some(fault) => Err(format!("this is not CSV: {fault}")),
        None => Ok(unquoted(record)),
    }
}

/// What is wrong with the quotes of a record: a quoted field begins and ends in one, and they are doubled within.
fn quotes_fault(record: &[u8]) -> Option<&'static str> {
    let mut left = record;
    loop {
        let Some(quoted) = left.strip_prefix(b"\"") else {
            let end = memchr::memchr2(b',', b'"', left)?;
            match left[end] {
                b'"' => return Some("a quote within a field that does not begin with one"),
                _ => left = &left[end + 1..],
            }
            continue;
        };
        let Some(end) = memchr::memchr(b'"', quoted) else {
            return Some("a quoted field does not end on its line");
        };
        match quoted.get(end + 1) {
            None => return None,
            Some(b',') => left = &quoted[end + 2..],
            // A doubled quote: what follows goes on like a field that has just begun.
            Some(b'"') => left = &quoted[end + 1..],
            Some(_) => return Some("text behind a closing quote"),
        }
    }
}

/// The fields of a record whose quotes are in order.
fn unquoted(record: &[u8]) -> Vec<Cow<'static, [u8]>> {
    let mut text = vec![0; record.len()];
    let mut ends = vec![0; memchr::memchr_iter(b',', record).count() + 1];
    // A bare "\r" is a byte like any other.
    let mut reader = ReaderBuilder::new()
        .terminator(Terminator::Any(b'\n'))
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
pub(crate) fn write_field(field: &[u8], row: &mut Vec<u8>) {
    let special = |byte: &u8| matches!(byte, b',' | b'"' | b'\r' | b'\n');
    if !field.iter().any(special) {
        return row.extend_from_slice(field);
    }
    // At most every byte is a quote to be doubled, between two more.
    let mut quoted = vec![0; 2 * field.len() + 2];
    let mut writer = Writer::new();
    let (result, _, body) = writer.field(field, &mut quoted);
    debug_assert_eq!(result, WriteResult::InputEmpty);
    let (_, end) = writer.finish(&mut quoted[body..]);
    row.extend_from_slice(&quoted[..body + end]);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(record: &str) -> Result<Vec<String>, String> {
        let fields = fields(record.as_bytes())?;
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
        ] {
            let mut record = Vec::new();
            for (index, field) in fields.iter().enumerate() {
                record.extend_from_slice(if index > 0 { b"," } else { b"" });
                write_field(field.as_bytes(), &mut record);
            }
            let record = String::from_utf8(record).unwrap();
            assert_eq!(texts(&record).unwrap(), fields, "{record}");
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
            ("a,\"b", "a quoted field does not end on its line"),
            ("a,\"b\"\"", "a quoted field does not end on its line"),
            (
                "a\"b",
                "a quote within a field that does not begin with one",
            ),
            ("\"a\"b,c", "text behind a closing quote"),
        ] {
            let error = texts(record).unwrap_err();
            assert_eq!(error, format!("this is not CSV: {fault}"), "{record}");
        }
    }

    #[test]
    fn a_header_tells_which_column_is_what() {
        let header = Header::read(b"\xef\xbb\xbfID,Quizzes,\"solutions\"\r\n").unwrap();
        let parts = header.parts(b"7, \"1.\" ,34").unwrap_err();
        assert!(parts.contains("quote within"), "{parts}");
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
        assert!(error.starts_with("the header names no column of puzzles"));
    }
}
