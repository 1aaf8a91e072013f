//! The header of CSV: which columns the fields of a puzzle are in, and what the fields of a record
//! are.
//!
//! The separator is the first of comma, semicolon and tab with which the header is valid: with it,
//! the header names exactly one column of puzzles, and [`CsvHeader::parse`] finds no other fault.

use std::borrow::Cow;

use super::fields::split_record;
use crate::text::header_names::{ANSWER, CHOOSE_ANSWER, HeaderNames, unused_name};
use crate::text::kept_fields::KeptFields;
use crate::text::record::{
    Field, RecordFields, has_inner_cr, reason_for_inner_cr, trim, without_end, without_mark,
};
use crate::text::rule_names::{add_stated, can_be_field};
use crate::text::unread::is_column;
use engine::error::{BoxError, InvalidInput};
use engine::rules::pluralize;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct CsvHeader {
    pub line: Vec<u8>,
    pub separator: u8,
    names: Vec<Vec<u8>>,
    /// For each [`Field`], the indices of its columns in a record. Only the answer can have
    /// several, of which the first counts, and the variants, of which all count.
    columns: [Vec<usize>; Field::NUMBER],
    /// The columns of no field that no run of the program has written.
    unread: Vec<usize>,
    /// Of these, those that are called as a rule, such as `antiknight`.
    rules: Vec<usize>,
}

/// The separators, in the order in which they are tried on the header.
pub(super) const SEPARATORS: [u8; 3] = [b',', b';', b'\t'];

impl CsvHeader {
    /// Returns an error if text follows a CR, or if the line is faulty with each separator. The
    /// error states the first fault that is not a missing column of puzzles, if there is one.
    pub fn parse(line: &[u8], names: &HeaderNames) -> Result<CsvHeader, BoxError> {
        let line = without_mark(without_end(line));
        if has_inner_cr(line) {
            return Err(reason_for_inner_cr(line).into());
        }
        let mut first_fault = None;
        for separator in SEPARATORS {
            match CsvHeader::parse_with(separator, line, names) {
                Ok(Some(header)) => return Ok(header),
                Ok(None) => {}
                Err(reason) => _ = first_fault.get_or_insert(reason),
            }
        }
        Err(first_fault.unwrap_or_else(|| {
            if line.starts_with(b"#") {
                return "a comment in place of the header (grep -v '^#' removes comments)".into();
            }
            if let Some(name) = names.of(Field::Puzzle) {
                return missing_column(name);
            }
            let names = names.names_of(Field::Puzzle).chain(names.other_names_of(Field::Puzzle));
            let names = names.collect::<Vec<_>>().join(", ");
            format!("the header has no column of puzzles; its name must be one of {names}, or --header must name it")
                .into()
        }))
    }

    /// Returns `None` if the line names no column of puzzles.
    fn parse_with(
        separator: u8,
        line: &[u8],
        chosen: &HeaderNames,
    ) -> Result<Option<CsvHeader>, BoxError> {
        let names = split_record(line, separator)?;
        let names: Vec<Vec<u8>> = names.iter().map(|name| trim(name).to_vec()).collect();
        let columns = columns_of_fields(&names, chosen);
        if columns[Field::Puzzle as usize].is_empty() {
            return Ok(None);
        }
        let unread = unread_columns(&names, &columns);
        let is_rule = |&index: &usize| can_be_field(&String::from_utf8_lossy(&names[index]));
        let rules = unread.iter().copied().filter(is_rule).collect();
        let header = CsvHeader { line: line.to_vec(), separator, names, columns, unread, rules };
        for field in [Field::Puzzle, Field::Regions, Field::Cages] {
            header.check_only(field, &header.columns[field as usize])?;
        }
        let mut chosen = chosen.all();
        match chosen.find(|name| columns_named(&header.names, [*name].into_iter()).is_empty()) {
            Some(name) => Err(missing_column(name)),
            None => Ok(Some(header)),
        }
    }

    /// `columns` are all columns that hold this field. The error names the first two.
    fn check_only(&self, field: Field, columns: &[usize]) -> Result<(), BoxError> {
        let [first, second, ..] = *columns else {
            return Ok(());
        };
        let contents = ["puzzles", "regions", "cages", "answers"][field as usize];
        let [first, second] = [first, second].map(|column| self.names[column].escape_ascii());
        Err(format!("the header has two columns of {contents}: {first} and {second}").into())
    }

    pub fn check_answers(&self) -> Result<(), BoxError> {
        let answers = &self.columns[Field::Answer as usize];
        if answers.is_empty() {
            return Err("the header has no column of answers; its name must be answer, solution, solutions or solved, or --header must name it".into());
        }
        self.check_only(Field::Answer, answers)
    }

    /// Checks that at most one column has a name of answers ([`HeaderNames::names_of`]). Two are an
    /// error even if one is `answer`: `--shuffle` must know which one to change with the puzzle.
    pub fn check_only_answer(&self, chosen: &HeaderNames) -> Result<(), BoxError> {
        let answers = columns_named(&self.names, chosen.names_of(Field::Answer));
        self.check_only(Field::Answer, &answers)
            .map_err(|reason| format!("{reason}; {CHOOSE_ANSWER}").into())
    }

    pub fn width(&self) -> usize {
        self.names.len()
    }

    /// Returns the number of fields that are copied.
    pub fn kept_width(&self, kept: &KeptFields) -> usize {
        self.names.iter().filter(|name| kept.has(name)).count()
    }

    pub fn unused_name(&self, name: &str, kept: &KeptFields) -> String {
        let is_used = |name: &str| kept.has(name.as_bytes()) && self.index_of(name).is_some();
        unused_name(name, is_used)
    }

    /// Returns the unquoted fields. Those that had no quotes have no blanks at both ends.
    pub fn split<'a>(&self, record: &'a [u8]) -> Result<Vec<Cow<'a, [u8]>>, BoxError> {
        let fields = split_record(record, self.separator)?;
        if fields.len() != self.width() {
            let wanted = pluralize(self.width(), "field");
            let found = pluralize(fields.len(), "field");
            return Err(format!("{found}; the header has {wanted}").into());
        }
        Ok(fields)
    }

    /// Returns an error if a column that is called as a variant is neither true nor false.
    pub fn fields<'a>(&self, record: &[Cow<'a, [u8]>]) -> Result<RecordFields<'a>, InvalidInput> {
        let mut fields = RecordFields::default();
        for field in Field::ALL {
            if let Some(column) = self.column(field) {
                let contents = match &record[column] {
                    Cow::Borrowed(text) => Cow::Borrowed(*text),
                    // Blanks within quotes are left.
                    Cow::Owned(text) => trim(text).to_vec().into(),
                };
                fields.set(field, contents);
            }
        }
        if !self.rules.is_empty() || self.columns[Field::Variant as usize].len() > 1 {
            self.add_rules(record, &mut fields)?;
        }
        Ok(fields)
    }

    /// The names of columns that state a rule, and those in other columns of variants, follow those
    /// in the first of them, each on a line.
    fn add_rules(
        &self,
        record: &[Cow<'_, [u8]>],
        fields: &mut RecordFields<'_>,
    ) -> Result<(), InvalidInput> {
        let mut named = fields.variant.take().unwrap_or_default().into_owned();
        for &column in &self.rules {
            add_stated(&self.names[column], trim(&record[column]), &mut named)?;
        }
        for &column in self.columns[Field::Variant as usize].iter().skip(1) {
            named.push(b'\n');
            named.extend_from_slice(trim(&record[column]));
        }
        fields.variant = Some(named.into());
        Ok(())
    }

    /// Returns the columns that neither are read nor have values of the program.
    pub fn unread(&self) -> impl Iterator<Item = usize> {
        self.unread.iter().copied()
    }

    pub fn name(&self, index: usize) -> &[u8] {
        &self.names[index]
    }

    pub fn index_of(&self, name: &str) -> Option<usize> {
        self.names.iter().position(|known| known == name.as_bytes())
    }

    pub fn field_of(&self, index: usize) -> Option<Field> {
        Field::ALL.into_iter().find(|&field| self.column(field) == Some(index))
    }

    pub fn column(&self, field: Field) -> Option<usize> {
        self.columns[field as usize].first().copied()
    }

    pub fn has_column(&self, field: Field) -> bool {
        self.column(field).is_some()
    }
}

fn missing_column(name: &str) -> BoxError {
    format!("the header has no column '{name}'").into()
}

fn columns_of_fields(names: &[Vec<u8>], chosen: &HeaderNames) -> [Vec<usize>; Field::NUMBER] {
    let mut columns = Field::ALL.map(|field| {
        let usual = columns_named(names, chosen.names_of(field));
        match usual.is_empty() {
            true => columns_named(names, chosen.other_names_of(field)),
            false => usual,
        }
    });
    // Each can have other rules.
    columns[Field::Variant as usize]
        .extend(columns_named(names, chosen.other_names_of(Field::Variant)));
    columns[Field::Variant as usize].dedup();
    let is_preferred = |&column: &usize| names[column].eq_ignore_ascii_case(ANSWER.as_bytes());
    let answers = &mut columns[Field::Answer as usize];
    if answers.iter().any(is_preferred) {
        answers.retain(is_preferred);
    }
    columns
}

/// Returns the columns of no field, except those of the program, such as `regions`.
fn unread_columns(names: &[Vec<u8>], columns: &[Vec<usize>; Field::NUMBER]) -> Vec<usize> {
    let is_field = |column| columns.iter().flatten().any(|&field| field == column);
    let is_unread = |&it: &usize| !is_column(&String::from_utf8_lossy(&names[it])) && !is_field(it);
    (0..names.len()).filter(is_unread).collect()
}

/// Ignores case.
fn columns_named<'n>(names: &[Vec<u8>], wanted: impl Iterator<Item = &'n str>) -> Vec<usize> {
    let wanted: Vec<&str> = wanted.collect();
    let is_wanted = |&column: &usize| {
        wanted.iter().any(|name| names[column].eq_ignore_ascii_case(name.as_bytes()))
    };
    (0..names.len()).filter(is_wanted).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn columns(header: &CsvHeader) -> [Option<usize>; Field::NUMBER] {
        Field::ALL.map(|field| header.column(field))
    }

    #[test]
    fn chosen_names_replace_the_usual_ones() {
        let parse = |list: &str, line: &[u8]| {
            let header = CsvHeader::parse(line, &HeaderNames::parse(list).unwrap());
            header.map_err(|error| error.to_string())
        };
        let line = b"puzzle,board,solution,Key,map";
        let header = parse("puzzle=BOARD,answer=key,regions=map", line).unwrap();
        assert_eq!(columns(&header), [Some(1), Some(4), None, Some(3), None, None]);
        let header = parse("answer=key", line).unwrap();
        assert_eq!(columns(&header), [Some(0), None, None, Some(3), None, None]);
        let header = parse("answer=puzzle,puzzle=board", line).unwrap();
        assert_eq!(columns(&header), [Some(1), None, None, Some(0), None, None]);
        let header = parse("puzzle=solution", line).unwrap();
        assert_eq!(columns(&header), [Some(2), None, None, None, None, None]);
        for name in ["puzzle", "answer", "regions"] {
            let missing = parse(&format!("{name}=none"), line).unwrap_err();
            assert_eq!(missing, "the header has no column 'none'", "{name}");
        }
        let twice = parse("puzzle=a", b"a,A").unwrap_err();
        assert_eq!(twice, "the header has two columns of puzzles: a and A");
    }

    #[test]
    fn the_header_names_the_columns() {
        let parse = |line: &[u8]| CsvHeader::parse(line, &HeaderNames::default());
        let header = parse(b"\xef\xbb\xbfID,Quizzes,\"solutions\"\r\n").unwrap();
        let error = header.split(b"7, \"1.\" ,34").unwrap_err().to_string();
        assert!(error.contains("quote inside"), "{error}");
        let fields = header.split(b"7,\"1.\", 34").unwrap();
        let fields = header.fields(&fields).unwrap();
        assert_eq!(&*fields.puzzle, b"1.");
        assert_eq!(fields.answer.as_deref(), Some(&b"34"[..]));
        assert_eq!(fields.regions, None);
        assert_eq!(
            header.split(b"7,1").unwrap_err().to_string(),
            "2 fields; the header has 3 fields"
        );
        assert_eq!(header.unused_name("solutions", &KeptFields::All), "solutions_found");
        assert_eq!(header.unused_name("status", &KeptFields::All), "status");
        let error = parse(b"id,start").unwrap_err().to_string();
        assert!(error.starts_with("the header has no column of puzzles"));
        // Other names count if there is no usual one.
        let header = parse(b"Unsolved;Solved;status").unwrap();
        assert_eq!(header.columns[Field::Puzzle as usize], [0]);
        assert_eq!(header.columns[Field::Answer as usize], [1]);
        let header = parse(b"solved,grid,quiz,solution").unwrap();
        assert_eq!(header.columns[Field::Puzzle as usize], [2]);
        assert_eq!(header.columns[Field::Answer as usize], [3]);
        let error = parse(b"grid,board").unwrap_err().to_string();
        assert_eq!(error, "the header has two columns of puzzles: grid and board");
    }
}
