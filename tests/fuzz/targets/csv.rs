//! CSV input and output. Reads every line slowly by RFC 4180, and judges its output line.

use std::path::PathBuf;

use sudoku_filter::{Column, Input, Mode, PipelineOptions, Source, Status};

use super::filter::{ERRORS, filtered, scratch};
use super::judge::{Expected, Fields, Puzzle};
use super::plain;

/// The names of the columns that are read, from the contract.
const PUZZLE: [&str; 5] = ["puzzle", "quizzes", "quiz", "question", "sudoku"];
/// Read if no column has a name of `PUZZLE`.
const OTHER_PUZZLE: [&str; 4] = ["board", "grid", "unsolved", "initial"];
/// Each row is read if no column has a name of the rows above it.
const ANSWER: [&[&str]; 3] = [&["answer"], &["solution", "solutions"], &["solved"]];

/// The variants of a run, without and with cages.
const VARIANTS: [[&str; 4]; 2] = [
    ["classic", "diagonal", "jigsaw", "jigsaw,diagonal"],
    ["killer", "killer,diagonal", "jigsaw,killer", "killer,window"],
];

/// The first byte selects mode, variant, columns and threads. A byte 1 begins another file. Quoted
/// fields with line ends are not judged: `cli/csv.rs` and `cli/forms.rs` have cases of them.
pub fn run(data: &[u8]) {
    let Some((&first, text)) = data.split_first() else {
        return;
    };
    let can_have_line_end = |line: &[u8]| {
        let line = plain::without_end(line);
        let separators = [b',', b';', b'\t'];
        let is_whole = separators.iter().any(|&separator| plain::csv(line, separator).is_some());
        line.contains(&b'"') && (!is_whole || line.contains(&b'\r'))
    };
    if plain::has_overlong(text)
        || text.split_inclusive(|&byte| byte == b'\n').any(can_have_line_end)
    {
        return;
    }
    let chosen = Chosen::by(first);
    let texts: Vec<&[u8]> = text.split(|&byte| byte == 1).take(3).collect();
    let path = |index| PathBuf::from(format!("{}-{index}", scratch("csv").display()));
    let files: Vec<PathBuf> = (0..texts.len()).map(path).collect();
    for (file, text) in files.iter().zip(&texts) {
        std::fs::write(file, text).unwrap();
    }
    let sources: Vec<Source> = files.iter().cloned().map(Source::File).collect();
    let ran = filtered(&sources, chosen.options(), usize::from(first >> 6 & 1) * 2);
    for file in &files {
        let _ = std::fs::remove_file(file);
    }
    let mut judge =
        Judge { chosen, header: None, rows: &ran.rows, failed: false, invalid: Vec::new() };
    for (file, text) in files.iter().zip(texts) {
        judge.file(&file.display().to_string(), text);
    }
    assert_eq!(judge.rows.escape_ascii().to_string(), "");
    assert_eq!(ran.failed, judge.failed);
    assert_eq!(ran.count(Status::Invalid), judge.invalid.len() as u64);
    let messages = String::from_utf8(ran.messages).unwrap();
    let about_lines =
        messages.lines().filter(|line| judge.invalid.iter().any(|place| line.starts_with(place)));
    let expected = judge.invalid.iter().take(ERRORS);
    assert!(
        about_lines.zip(expected.clone()).all(|(line, place)| line.starts_with(place)),
        "{messages}"
    );
    assert!(messages.lines().count() >= expected.count(), "{messages}");
}

/// The options of a run.
#[derive(Clone, Copy)]
struct Chosen {
    verifies: bool,
    variants: &'static str,
    columns: &'static [&'static str],
}

impl Chosen {
    fn by(byte: u8) -> Chosen {
        let verifies = byte & 1 == 1;
        let lists: [&[&str]; 4] = [
            if verifies { &["answer", "status", "reason"] } else { &["solution", "status"] },
            &["line", "puzzle", "status", "answer", "reason"],
            &["status", "regions", "cages", "input"],
            &["status"],
        ];
        Chosen {
            verifies,
            variants: VARIANTS[usize::from(byte >> 5 & 1)][usize::from(byte >> 1 & 3)],
            columns: lists[usize::from(byte >> 3 & 3)],
        }
    }

    fn options(self) -> PipelineOptions {
        let mut options = PipelineOptions::default();
        options.variants = self.variants.parse().unwrap();
        options.input = Some(Input::Csv);
        if self.verifies {
            options.mode = Mode::Verify { unique: false };
        }
        options.columns = Column::list(&self.columns.join(","), |_| false).unwrap();
        options
    }
}

/// The header of the first file that was accepted.
struct Header {
    line: Vec<u8>,
    separator: u8,
    names: Vec<Vec<u8>>,
}

impl Header {
    /// Returns `None` if the file is refused.
    fn read(line: &[u8], verifies: bool) -> Option<Header> {
        let header = [b',', b';', b'\t']
            .into_iter()
            .find_map(|separator| Header::separated(line, separator))?;
        let answers = header.places(header.answers());
        (!verifies || answers.len() == 1).then_some(header)
    }

    fn separated(line: &[u8], separator: u8) -> Option<Header> {
        let names = plain::csv(line, separator)?;
        let header = Header {
            line: line.to_vec(),
            separator,
            names: names.iter().map(|name| plain::trimmed(name).to_vec()).collect(),
        };
        let is_repeated = |name: &&str| header.places(&[*name]).len() > 1;
        let is_read = header.places(header.puzzles()).len() == 1
            && !["regions", "cages"].iter().any(is_repeated);
        is_read.then_some(header)
    }

    /// Returns the columns with one of these names.
    fn places(&self, meanings: &[&str]) -> Vec<usize> {
        let means = |index: &usize| {
            let name = self.names[*index].to_ascii_lowercase();
            meanings.iter().any(|meaning| name == meaning.as_bytes())
        };
        (0..self.names.len()).filter(means).collect()
    }

    fn puzzles(&self) -> &'static [&'static str] {
        if self.places(&PUZZLE).is_empty() { &OTHER_PUZZLE } else { &PUZZLE }
    }

    fn answers(&self) -> &'static [&'static str] {
        ANSWER.into_iter().find(|names| !self.places(names).is_empty()).unwrap_or(&[])
    }

    fn field(&self, fields: &[Vec<u8>], meanings: &[&str]) -> Option<Vec<u8>> {
        let place = *self.places(meanings).first()?;
        Some(plain::trimmed(&fields[place]).to_vec())
    }
}

struct Judge<'a> {
    chosen: Chosen,
    header: Option<Header>,
    /// Output lines that are not judged yet.
    rows: &'a [u8],
    failed: bool,
    /// The prefix of messages about lines.
    invalid: Vec<String>,
}

impl Judge<'_> {
    fn file(&mut self, name: &str, text: &[u8]) {
        let mut lines = text.split_inclusive(|&byte| byte == b'\n');
        let Some(first) = lines.next() else {
            return;
        };
        if plain::is_packed(text) {
            self.failed = true;
            return;
        }
        let first = plain::without_mark(plain::without_end(first));
        let header = Header::read(first, self.chosen.verifies);
        let Some(header) = header.filter(|_| !plain::has_line_end(first)) else {
            self.failed = true;
            return;
        };
        match &self.header {
            Some(known) if known.line != header.line => {
                self.failed = true;
                return;
            }
            Some(_) => {}
            None => self.take_header(header),
        }
        for (number, line) in (2..).zip(lines) {
            self.line(name, number, plain::without_end(line));
        }
    }

    fn take_row(&mut self) -> Vec<u8> {
        let end = self.rows.iter().position(|&byte| byte == b'\n').expect("a row is wanted");
        let (row, rest) = self.rows.split_at(end);
        self.rows = &rest[1..];
        row.to_vec()
    }

    /// Judges the header: the input header, then the columns of the program, under names that the
    /// input does not have.
    fn take_header(&mut self, header: Header) {
        let mut expected = header.line.clone();
        for column in self.chosen.columns {
            let mut name = column.to_string();
            while header.names.iter().any(|known| known == name.as_bytes()) {
                name += "_found";
            }
            expected.push(header.separator);
            expected.extend(name.bytes());
        }
        assert_eq!(self.take_row(), expected);
        self.header = Some(header);
    }

    fn line(&mut self, name: &str, number: u64, line: &[u8]) {
        let row = self.take_row();
        if plain::without_mark(line).iter().all(|&byte| plain::is_blank(byte)) {
            return assert_eq!(row, plain::without_mark(line));
        }
        let header = self.header.as_ref().expect("it was read");
        let record = plain::without_mark(line);
        let fields = plain::csv(record, header.separator)
            .filter(|fields| fields.len() == header.names.len());
        let what = || format!("{} {}", line.escape_ascii(), row.escape_ascii());
        let found = plain::csv(&row, header.separator).unwrap_or_else(|| panic!("{}", what()));
        let (carried, ours) = found.split_at(header.names.len());
        let Some(fields) = fields else {
            // The line is one field, and nothing else is known about it.
            let mut expected = vec![b"-".to_vec(); header.names.len()];
            expected[0] = line.to_vec();
            assert_eq!(carried, expected, "{}", what());
            for (column, field) in self.chosen.columns.iter().zip(ours) {
                match *column {
                    "status" => assert_eq!(field, b"invalid", "{}", what()),
                    "line" => assert_eq!(field, number.to_string().as_bytes(), "{}", what()),
                    "input" => assert_eq!(field, line, "{}", what()),
                    "reason" => assert!(field.len() > 1, "{}", what()),
                    _ => assert_eq!(field, b"-", "{}", what()),
                }
            }
            return self.invalid.push(format!("sudoku-filter: {name}:{number}: "));
        };
        assert!(row.starts_with(&[record, &[header.separator]].concat()), "{}", what());
        let mut puzzle_fields = Fields {
            puzzle: header.field(&fields, header.puzzles()).unwrap_or_default(),
            labels: header.field(&fields, &["regions"]),
            cages: header.field(&fields, &["cages"]),
        };
        // An empty field says that a puzzle has no cages, as `-` does in lines.
        if !puzzle_fields.puzzle.is_empty() && puzzle_fields.cages.as_deref() == Some(b"") {
            puzzle_fields.cages = Some(b"-".to_vec());
        }
        let expected = Expected {
            line,
            number,
            puzzle: Puzzle::read(self.chosen.variants, &puzzle_fields),
            answer: header.field(&fields, header.answers()),
            verifies: self.chosen.verifies,
        };
        let known = expected.judge(self.chosen.columns, ours);
        assert!(!known.contains(&false));
        if expected.is_invalid() {
            self.invalid.push(format!("sudoku-filter: {name}:{number}: "));
        }
    }
}
