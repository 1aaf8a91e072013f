//! Reads lines with named fields, as by `--fields`, and checks the output against a plain parser.

use sudoku_filter::program::FieldNames;
use sudoku_filter::{Column, Input, Mode, PipelineOptions, Source};

use super::described;
use super::filter::{filtered, scratch};
use super::judge::{Expected, Fields, Puzzle};
use super::plain::{self, Separators};

/// Names of the fields, and the output columns.
const LISTS: [(&str, &str); 9] = [
    ("puzzle", "solution,status,line,rest"),
    ("id,puzzle,note", "id,status,puzzle,note,rest"),
    ("id,regions,puzzle", "solution,status,regions,id,rest"),
    ("answer,id,puzzle", "line,answer,id,status,reason,input"),
    ("puzzle,answer,regions,id", "id,regions,answer,status,rest"),
    ("a,b,c,puzzle", "c,b,a,reason,status,input"),
    ("id,puzzle,cages", "solution,status,puzzle,regions,cages,id"),
    ("cages,answer", "answer,status,reason,puzzle,cages,rest"),
    ("puzzle,regions,cages,id", "id,status,cages,regions,rest"),
];

/// The variants of a run.
const VARIANTS: [&str; 5] = ["classic", "window", "jigsaw", "killer", "jigsaw,killer"];

/// The first byte selects the names, the mode and the variant.
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
    let variants = VARIANTS[first / 2 % VARIANTS.len()];
    let mut options = PipelineOptions::default();
    options.variants = variants.parse().unwrap();
    options.input = Some(Input::Lines);
    options.field_names = Some(FieldNames::parse(names).unwrap());
    if verifies {
        options.mode = Mode::Verify { unique: false };
    }
    let is_field = |name: &str| names.split(',').any(|known| known == name);
    options.columns = Column::list(columns, is_field).unwrap();
    let file = scratch("named");
    std::fs::write(&file, text).unwrap();
    let ran = filtered(&[Source::File(file.clone())], options, first / 10 % 3);
    let _ = std::fs::remove_file(file);
    assert_eq!(ran.failed, plain::is_packed(text));
    if ran.failed {
        return assert!(ran.rows.is_empty());
    }
    let output_lines: Vec<&[u8]> = ran.rows.split_inclusive(|&byte| byte == b'\n').collect();
    let lines: Vec<&[u8]> = text.split_inclusive(|&byte| byte == b'\n').collect();
    assert_eq!(output_lines.len(), lines.len());
    let names: Vec<&str> = names.split(',').collect();
    let columns: Vec<&str> = columns.split(',').collect();
    for (number, (line, output_line)) in (1..).zip(lines.into_iter().zip(output_lines)) {
        let (line, output_line) =
            (plain::without_end(line), output_line.strip_suffix(b"\n").unwrap());
        if plain::is_copied(line) {
            assert_eq!(plain::without_mark(line), output_line);
            continue;
        }
        // A field named `cages` has the blanks of a killer, whatever the variants are.
        let with_cages = if names.contains(&"cages") { "killer" } else { variants };
        let record = Record::read(&names, line, Separators::of(with_cages));
        let fields = Fields {
            puzzle: record.field("puzzle").unwrap_or_default(),
            labels: record.field("regions"),
            cages: record.field("cages"),
        };
        let Some(variants) = &with_named_rules(variants, &fields) else { continue };
        let expected = Expected {
            line,
            number,
            puzzle: Puzzle::read(variants, &fields).filter(|_| !plain::has_line_end(line)),
            answer: record.field("answer"),
            verifies,
        };
        // The last column may contain tabs.
        let fields: Vec<Vec<u8>> =
            output_line.splitn(columns.len(), |&byte| byte == b'\t').map(<[u8]>::to_vec).collect();
        let known = expected.judge(&columns, &fields);
        for ((column, field), known) in columns.iter().zip(&fields).zip(known) {
            let context =
                || format!("{column}: {} {}", line.escape_ascii(), output_line.escape_ascii());
            if known || expected.is_invalid() {
                assert!(known, "{}", context());
            } else if *column == "rest" {
                assert!(record.ends_with(field), "{}", context());
            } else {
                let copied = record.field(column).filter(|field| !field.is_empty());
                assert_eq!(*field, copied.unwrap_or(b"-".to_vec()), "{}", context());
            }
        }
    }
}

/// Returns the variants of a line: a layout and cages in fields of their names count without their
/// variants. Returns `None`, for a line that is not judged, if such a field is neither empty nor
/// plainly one of these, or if the puzzle describes its rules.
fn with_named_rules(variants: &str, fields: &Fields) -> Option<String> {
    let mut variants = variants.to_string();
    let is_given = |field: &&Vec<u8>| ![&b""[..], b"-"].contains(&&field[..]);
    let puzzle = plain::without_plus(&fields.puzzle);
    let side = puzzle.len().isqrt();
    for (name, field) in [("jigsaw", &fields.labels), ("killer", &fields.cages)] {
        let Some(field) = field.as_ref().filter(is_given) else { continue };
        if variants.contains(name) {
            continue;
        }
        let is_plain = match name {
            "jigsaw" => plain::is_layout(field, side, false),
            _ => described::read_cages(field, side).is_some_and(|read| read.cages.is_some()),
        };
        let is_usual = side * side == puzzle.len() && !described::is_described(&puzzle);
        (is_plain && is_usual).then_some(())?;
        variants += &format!(",{name}");
    }
    Some(variants)
}

/// The fields of a line with their names.
struct Record<'a> {
    names: &'a [&'a str],
    line: &'a [u8],
    fields: Vec<Vec<u8>>,
    has_tabs: bool,
    separators: Separators,
}

impl Record<'_> {
    fn read<'a>(names: &'a [&'a str], line: &'a [u8], separators: Separators) -> Record<'a> {
        let line = plain::without_mark(line);
        let has_tabs = line.contains(&b'\t');
        let tabs = line.split(|&byte| byte == b'\t').map(|field| plain::trimmed(field).to_vec());
        Record {
            names,
            line,
            fields: if has_tabs { tabs.collect() } else { plain::fields(line, separators) },
            has_tabs,
            separators,
        }
    }

    fn field(&self, name: &str) -> Option<Vec<u8>> {
        let index = self.names.iter().position(|known| *known == name)?;
        self.fields.get(index).cloned()
    }

    /// True if `rest` is the text after the named fields.
    fn ends_with(&self, rest: &[u8]) -> bool {
        let rest_fields = self.fields.get(self.names.len()..).unwrap_or_default();
        if rest_fields.concat().is_empty() && rest_fields.len() < 2 && !self.is_only_blanks(rest) {
            return rest == b"-";
        }
        if self.has_tabs {
            let whole = self.line.splitn(self.names.len() + 1, |&byte| byte == b'\t').last();
            return whole == Some(rest);
        }
        plain::trimmed(self.line).ends_with(rest)
            && plain::fields(rest, self.separators) == rest_fields
    }

    /// True if `rest` is only blanks of a line with tabs: blanks after a tab are kept.
    fn is_only_blanks(&self, rest: &[u8]) -> bool {
        self.has_tabs && !rest.is_empty() && rest.iter().all(|&byte| byte == b' ')
    }
}
