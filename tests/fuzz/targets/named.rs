//! Lines whose fields are named, as by `--fields`: every line is read slowly, and what comes out of it is judged.

use sudoku_filter::{Column, FieldNames, Input, Mode, PipelineOptions, Source};

use super::filter::{filtered, scratch};
use super::judge::{Expected, Puzzle};
use super::plain;

/// The names of the fields, and the columns asked for.
const LISTS: [(&str, &str); 6] = [
    ("puzzle", "solution,status,line,rest"),
    ("id,puzzle,note", "id,status,puzzle,note,rest"),
    ("id,regions,puzzle", "solution,status,regions,id,rest"),
    ("answer,id,puzzle", "line,answer,id,status,reason,input"),
    ("puzzle,answer,regions,id", "id,regions,answer,status,rest"),
    ("a,b,c,puzzle", "c,b,a,reason,status,input"),
];

/// The first byte chooses names, mode and variant.
pub fn run(data: &[u8]) {
    let Some((&first, text)) = data.split_first() else {
        return;
    };
    if plain::has_overlong(text) {
        return;
    }
    let (names, columns) = LISTS[usize::from(first) % LISTS.len()];
    let first = usize::from(first) / LISTS.len();
    let names_answer = names.contains("answer");
    let verifies = names_answer && first.is_multiple_of(2);
    let variants = ["classic", "window", "jigsaw"][first / 2 % 3];
    let options = PipelineOptions {
        variants: variants.parse().unwrap(),
        input: Input::Named(FieldNames::parse(names, Column::is_named).unwrap()),
        mode: if verifies {
            Mode::Verify { unique: false }
        } else {
            Mode::Solve
        },
        columns: Column::list(columns, |name| names.split(',').any(|known| known == name)).unwrap(),
        ..PipelineOptions::default()
    };
    let file = scratch("named");
    std::fs::write(&file, text).unwrap();
    let ran = filtered(&[Source::File(file.clone())], options, first / 6 % 3);
    let _ = std::fs::remove_file(file);
    assert_eq!(ran.failed, plain::is_packed(text));
    if ran.failed {
        return assert!(ran.rows.is_empty());
    }
    let rows: Vec<&[u8]> = ran.rows.split_inclusive(|&byte| byte == b'\n').collect();
    let lines: Vec<&[u8]> = text.split_inclusive(|&byte| byte == b'\n').collect();
    assert_eq!(rows.len(), lines.len());
    let names: Vec<&str> = names.split(',').collect();
    let columns: Vec<&str> = columns.split(',').collect();
    for (number, (line, row)) in (1..).zip(lines.into_iter().zip(rows)) {
        let (line, row) = (plain::without_end(line), row.strip_suffix(b"\n").unwrap());
        if plain::is_copied(line) {
            assert_eq!(line, row);
            continue;
        }
        let record = Record::read(&names, line);
        let puzzle = record.field("puzzle").unwrap_or_default();
        let expected = Expected {
            line,
            number,
            puzzle: Puzzle::read(variants, &puzzle, record.field("regions").as_deref()),
            answer: record.field("answer"),
            verifies,
        };
        // What is named last holds whatever tabs came.
        let fields: Vec<Vec<u8>> = row
            .splitn(columns.len(), |&byte| byte == b'\t')
            .map(<[u8]>::to_vec)
            .collect();
        let known = expected.judge(&columns, &fields);
        for ((column, field), known) in columns.iter().zip(&fields).zip(known) {
            let what = || format!("{column}: {} {}", line.escape_ascii(), row.escape_ascii());
            if known || expected.is_invalid() {
                assert!(known, "{}", what());
            } else if *column == "rest" {
                assert!(record.ends_with(field), "{}", what());
            } else {
                let carried = record.field(column).filter(|field| !field.is_empty());
                assert_eq!(*field, carried.unwrap_or(b"-".to_vec()), "{}", what());
            }
        }
    }
}

/// The fields of a line by their names.
struct Record<'a> {
    names: &'a [&'a str],
    line: &'a [u8],
    fields: Vec<Vec<u8>>,
    has_tabs: bool,
}

impl Record<'_> {
    fn read<'a>(names: &'a [&'a str], line: &'a [u8]) -> Record<'a> {
        let line = plain::without_mark(line);
        let has_tabs = line.contains(&b'\t');
        let tabs = line
            .split(|&byte| byte == b'\t')
            .map(|field| plain::trimmed(field).to_vec());
        Record {
            names,
            line,
            fields: if has_tabs {
                tabs.collect()
            } else {
                plain::fields(line)
            },
            has_tabs,
        }
    }

    fn field(&self, name: &str) -> Option<Vec<u8>> {
        let index = self.names.iter().position(|known| *known == name)?;
        self.fields.get(index).cloned()
    }

    /// Whether this is what follows the fields that are named.
    fn ends_with(&self, rest: &[u8]) -> bool {
        let behind = self.fields.get(self.names.len()..).unwrap_or_default();
        if behind.concat().is_empty() && behind.len() < 2 && !self.blanks_behind(rest) {
            return rest == b"-";
        }
        if self.has_tabs {
            let whole = self
                .line
                .splitn(self.names.len() + 1, |&byte| byte == b'\t')
                .last();
            return whole == Some(rest);
        }
        plain::trimmed(self.line).ends_with(rest) && plain::fields(rest) == behind
    }

    /// Behind a tab blanks count as they came.
    fn blanks_behind(&self, rest: &[u8]) -> bool {
        self.has_tabs && !rest.is_empty() && rest.iter().all(|&byte| byte == b' ')
    }
}
