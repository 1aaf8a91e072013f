//! Tests of the entries that are read from drawings, with and without faults.

use std::collections::BTreeSet;
use std::io;
use std::io::{Cursor, Read};
use std::time::Duration;

use super::line::MAX_ROW_SYMBOLS;
use super::run::MAX_RUN;
use super::{DrawingAlphabet, DrawingCutter, FieldSet};
use crate::full;
use crate::stream::chunks::Chunks;
use crate::stream::records::MAX_LINE;
use crate::stream::records::Spans;
use crate::stream::source::{ByteStream, Stream};
use crate::text::size::Sizes;
use crate::text::symbols::Alphabet;

/// A stream of these bytes in reads of this size.
struct Reads(Cursor<Vec<u8>>, usize);

impl Reads {
    fn of(text: &str, size: usize) -> Box<Reads> {
        Box::new(Reads(Cursor::new(text.into()), size))
    }
}

impl Read for Reads {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let size = self.1.min(buffer.len());
        self.0.read(&mut buffer[..size])
    }
}

impl Stream for Reads {
    fn wait(&self, _: Option<Duration>) -> bool {
        true
    }
}

/// A non-blocking stream: every other read would block.
struct Pauses(Box<Reads>, bool);

impl Read for Pauses {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.1 = !self.1;
        if self.1 {
            return Err(io::ErrorKind::WouldBlock.into());
        }
        self.0.read(buffer)
    }
}

impl Stream for Pauses {
    fn wait(&self, _: Option<Duration>) -> bool {
        true
    }
}

/// Returns the form of entries with 1 to 3 grids: puzzle, layout, answer.
pub(super) fn form(grids: usize) -> DrawingAlphabet {
    let fields = FieldSet { regions: grids > 1, answer: grids > 2, ..FieldSet::default() };
    DrawingAlphabet::new(Alphabet::default(), fields, Sizes::default())
}

/// An entry: the number of its first line, its rows, and its fault.
type Found = (i64, String, Option<String>);

fn found_in(drawn: ByteStream<'_>, form: DrawingAlphabet) -> Vec<Found> {
    let cutter = |()| Some(Box::new(DrawingCutter::new(form)) as _);
    let (mut chunks, ()) = Chunks::open(drawn, |_, _| Some(()), cutter).unwrap();
    let (mut found, mut first_line) = (Vec::new(), 1);
    while let Some(chunk) = chunks.next().unwrap() {
        let Spans { spans, lines, .. } = chunk.spans().unwrap();
        for span in spans {
            let rows = &chunk.bytes()[span.begin as usize..span.end as usize];
            let rows = String::from_utf8_lossy(rows).into_owned();
            let fault = span.fault.as_deref().map(String::from);
            found.push((first_line + span.line, rows, fault));
        }
        first_line += *lines as i64;
    }
    found
}

/// Returns the entries of a drawing: for each a line with the number of its first line and its
/// rows.
fn entries_of(drawn: ByteStream<'_>, form: DrawingAlphabet) -> String {
    let line = |(line, rows, _): &Found| format!("{line} {rows}").trim_end().to_string() + "\n";
    found_in(drawn, form).iter().map(line).collect()
}

/// As `valid_and_faults`, after a check that the sizes of the reads do not affect them.
pub(super) fn valid_and_faults_of_reads(drawn: &str) -> (Vec<String>, Vec<String>) {
    let found = |size: usize| found_in(Reads::of(drawn, size), form(1));
    let whole = found(1 << 14);
    for size in [1, 7] {
        assert_eq!(found(size), whole, "reads of {size}: {drawn}");
    }
    valid_and_faults(drawn)
}

/// Returns the valid entries of drawings without layouts, and the faults of the others.
pub(super) fn valid_and_faults(drawn: &str) -> (Vec<String>, Vec<String>) {
    let (mut valid, mut faults) = (Vec::new(), Vec::new());
    for (_, rows, fault) in found_in(Reads::of(drawn, 1 << 14), form(1)) {
        match fault {
            None => valid.push(rows),
            Some(fault) => faults.push(fault),
        }
    }
    (valid, faults)
}

/// Returns the entries of drawings with 1 to 3 grids per entry.
fn lines(drawn: &str, grids: usize) -> String {
    lines_of(drawn, &form(grids))
}

/// Returns the entries, after a check that the sizes of the reads do not affect them.
fn lines_of(drawn: &str, form: &DrawingAlphabet) -> String {
    let all = [1, 7, 1000].map(|size| entries_of(Reads::of(drawn, size), form.clone()));
    assert!(all.windows(2).all(|pair| pair[0] == pair[1]), "{all:?}");
    all[0].clone()
}

#[test]
fn borders_blanks_and_comments_are_dropped() {
    for drawn in [
        "1...\n..3.\n.3..\n...4\n",
        "\u{feff}1...\r\n..3.\r\n.3..\r\n...4",
        "'1...'\n: ..3. :\n:.3|..:\n...4\n",
        "1 . . .\n. . 3 .\n\t. 3 . .\n. . . 4\n",
        "1.|..\n..|3.\n--+--\n.3|..\n..|.4\n",
    ] {
        assert_eq!(lines(drawn, 1), "1 1... ..3. .3.. ...4\n", "{drawn:?}");
    }
    for framed in [
        "*-----*\n|1.|..|\n|..|3.|\n|--+--|\n|.3|..|\n|..|.4|\n*-----*\n",
        ".-----.\n|1.|..|\n|..|3.|\n:--+--:\n|.3|..|\n|..|.4|\n'-----'\n",
        "+==+==+\n|1.|..|\n|..|3.|\n+==+==+\n|.3|..|\n|..|.4|\n+==+==+\n",
    ] {
        let again = format!("{framed}{framed}");
        let expected = "2 1... ..3. .3.. ...4\n9 1... ..3. .3.. ...4\n";
        assert_eq!(lines(&again, 1), expected, "{framed}");
    }
    let sdk = "#A an author\n[Puzzle]\n1...\n..3.\n.3..\n...4\n";
    assert_eq!(lines(sdk, 1), "3 1... ..3. .3.. ...4\n");
}

#[test]
fn a_run_is_whole_grids_or_one_entry_with_a_fault() {
    for (drawn, expected) in [
        // Nothing is between the puzzles.
        ("12\n21\n21\n12\n", "1 12 21\n3 21 12\n"),
        ("12\n21\n21\n", "1 12 21 21\n"),
        ("1...\n..3.\n\n12\n21\n123\n", "1 1... ..3.\n4 12 21 123\n"),
        ("1...\n..3\n.3..\n...4\n12\n21\n", "1 1... ..3 .3.. ...4 12 21\n"),
        ("1...\n..3.\n\n.3..\n...4\n", "1 1... ..3. .3.. ...4\n"),
        // A line of another width above a grid, but not two, and below it only from 4x4 on.
        ("12\n1...\n..3.\n.3..\n...4\n", "2 1... ..3. .3.. ...4\n"),
        ("1...\n..3.\n.3..\n...4\n12\n", "1 1... ..3. .3.. ...4\n"),
        ("1...\n..3.\n.3..\n...4\n12\n1\n", "1 1... ..3. .3.. ...4 12 1\n"),
        ("1\n12\n21\n2\n21\n12\n", "2 12 21\n5 21 12\n"),
        ("1\n1\n12\n21\n12\n21\n", "1 1 1 12 21 12 21\n"),
        ("1..\n..3.\n.3..\n...4\n", "1 1.. ..3. .3.. ...4\n"),
    ] {
        assert_eq!(lines(drawn, 1), expected, "{drawn:?}");
    }
}

#[test]
fn a_status_is_no_row_unless_it_can_be_one_of_a_layout() {
    let status = "+--+\n|12|\n|21|\n+--+\nunique\n\n+--+\n|.1|\n|..|\n+--+\nnone\n";
    assert_eq!(lines(status, 1), "2 12 21\n8 .1 ..\n");
    let layout = "1...\n..2.\n.3..\n...4\n----\nnone\nfnoe\nfnoe\nffee\n";
    assert_eq!(lines(layout, 2), "1 1... ..2. .3.. ...4 none fnoe fnoe ffee\n");
}

#[test]
fn a_source_of_titles_and_borders_is_an_entry_without_rows() {
    for (drawn, expected) in [
        ("# no more\n\nPage 17\n", "3\n"),
        ("[Puzzle]\n", "1\n"),
        ("\n+--+\n|  |\n+--+\n", "2\n"),
        ("# c\n\n", "1\n"),
        ("\n\n", ""),
        ("Page 17\n12\n21\n", "2 12 21\n"),
    ] {
        assert_eq!(lines(drawn, 1), expected, "{drawn:?}");
    }
}

#[test]
fn a_heading_ends_the_puzzle_before_it() {
    let drawn = "[Puzzle]\n1...\n..3.\n[Puzzle]\n12\n21\n";
    assert_eq!(lines(drawn, 1), "2 1... ..3.\n5 12 21\n");
}

#[test]
fn a_dash_is_a_blank_cell_unless_its_line_is_a_border() {
    for (drawn, output) in [
        ("- - 4 3\n- - - -\n1 - - -\n- - - 2\n", "1 --43 ---- 1--- ---2\n"),
        ("--43\n1---\n3--1\n---2\n", "1 --43 1--- 3--1 ---2\n"),
        (
            "+---+---+\n|- -|4 3|\n|- -|- -|\n|---+---|\n|1 -|- -|\n|- -|- 2|\n+---+---+\n",
            "2 --43 ---- 1--- ---2\n",
        ),
        ("+ - + - +\n|1 -|- 2|\n+ - + - +\n", "2 1--2\n"),
        ("┌─┬─┐\n│-│1│\n├ ─ ┼ ─ ┤\n│1│-│\n└─┴─┘\n", "2 -1 1-\n"),
        ("1.\n-\n.1\n", "1 1. .1\n"),
    ] {
        assert_eq!(lines(drawn, 1), output, "{drawn}");
    }
}

#[test]
fn a_line_that_contains_line_ends_of_another_kind_is_not_ignored() {
    assert_eq!(lines("# one\r12\r21\r", 1), "1 #one\r12\r21\n");
    assert_eq!(lines("[Puzzle]\r12\r21", 1), "1 [Puzzle]\r12\r21\n");
}

/// Returns one file of twelve different puzzles for each style: the style, the fields of an entry
/// besides the puzzle, and the lines.
fn styles() -> Vec<(&'static str, FieldSet, Vec<String>)> {
    let none = FieldSet::default();
    let [answer, layout, both] = [(false, true), (true, false), (true, true)]
        .map(|(regions, answer)| FieldSet { regions, answer, ..none });
    let letters = *b"ABCDEFGHI";
    let digits = *b"123456789";
    let frame = "+-------+-------+-------+";
    vec![
        ("entries", none, file(|p| [&puzzle(p)[..], &blank()].concat())),
        ("titles", none, file(|p| [&title(p)[..], &puzzle(p)].concat())),
        ("titles and blank lines", none, file(|p| [&title(p)[..], &puzzle(p), &blank()].concat())),
        ("headings", none, file(|p| [&["[Puzzle]".to_string()], &puzzle(p)[..]].concat())),
        (
            "headings and states",
            none,
            file(|p| {
                let heads = ["[Puzzle]", "[State]"].map(|head| [head.to_string()]);
                [&heads[0][..], &puzzle(p), &heads[1], &solved(p)].concat()
            }),
        ),
        (
            "answers in states",
            answer,
            file(|p| {
                let heads = ["[Puzzle]", "[State]"].map(|head| [head.to_string()]);
                [&heads[0][..], &puzzle(p), &heads[1], &solved(p), &blank()].concat()
            }),
        ),
        ("frames", none, file(|p| framed(&puzzle(p), frame))),
        (
            "Unicode frames",
            none,
            file(|p| {
                let lines = framed(&puzzle(p), "╠═══════╬═══════╬═══════╣");
                lines.iter().map(|line| line.replace('|', "║")).collect()
            }),
        ),
        (
            "drawn by the program",
            none,
            file(|p| {
                let status = ["unique".to_string(), String::new()];
                [&framed(&puzzle(p), frame)[..], &status].concat()
            }),
        ),
        ("answers", answer, file(|p| [&puzzle(p)[..], &solved(p), &blank()].concat())),
        (
            "answers after a blank line",
            answer,
            file(|p| [&puzzle(p)[..], &blank(), &solved(p), &blank()].concat()),
        ),
        ("titles and answers", answer, file(|p| [&title(p)[..], &puzzle(p), &solved(p)].concat())),
        (
            "layouts of letters",
            layout,
            file(|p| [&puzzle(p)[..], &labels(letters), &blank()].concat()),
        ),
        (
            "layouts of letters after a blank line",
            layout,
            file(|p| [&puzzle(p)[..], &blank(), &labels(letters), &blank()].concat()),
        ),
        (
            "layouts of digits",
            layout,
            file(|p| [&puzzle(p)[..], &labels(digits), &blank()].concat()),
        ),
        (
            "layouts of digits after a blank line",
            layout,
            file(|p| [&puzzle(p)[..], &blank(), &labels(digits), &blank()].concat()),
        ),
        (
            "titles and layouts",
            layout,
            file(|p| [&title(p)[..], &puzzle(p), &labels(letters)].concat()),
        ),
        (
            "layouts and answers",
            both,
            file(|p| [&puzzle(p)[..], &labels(letters), &solved(p), &blank()].concat()),
        ),
        (
            "layouts and answers after blank lines",
            both,
            file(|p| {
                let grids = [&puzzle(p), &labels(letters), &solved(p)];
                grids.iter().flat_map(|rows| [rows, &blank()[..]].concat()).collect()
            }),
        ),
    ]
}

/// Returns the lines of twelve entries.
fn file(entry: impl Fn(usize) -> Vec<String>) -> Vec<String> {
    (0..12).flat_map(entry).collect()
}

fn blank() -> Vec<String> {
    vec![String::new()]
}

fn title(number: usize) -> Vec<String> {
    vec![format!("Grid {:02}", number + 1)]
}

/// Returns the rows of a solution.
fn solved(number: usize) -> Vec<String> {
    let digit = |row: usize, column: usize| (row * 3 + row / 3 + column + number) % 9 + 1;
    let row = |row: usize| (0..9).map(|column| digit(row, column).to_string()).collect();
    (0..9).map(row).collect()
}

/// Returns the rows of a puzzle. Its first row differs from that of every other number.
fn puzzle(number: usize) -> Vec<String> {
    let mut rows = solved(number);
    for (index, row) in rows.iter_mut().enumerate() {
        let offset = (number * 7 + index * 5) % 11;
        let shown = |(column, digit): (usize, char)| match (column * 3 + offset) % 4 {
            0 => digit,
            _ => '.',
        };
        *row = row.chars().enumerate().map(shown).collect();
    }
    rows[0] = format!("{:09}", number + 1).replace('0', ".");
    rows
}

/// Returns the rows of a layout of boxes with these labels.
fn labels(of: [u8; 9]) -> Vec<String> {
    let label = |row: usize, column: usize| char::from(of[row / 3 * 3 + column / 3]);
    (0..9).map(|row| (0..9).map(|column| label(row, column)).collect()).collect()
}

/// Draws rows with borders around their boxes.
fn framed(rows: &[String], frame: &str) -> Vec<String> {
    let row = |row: &String| {
        let cells: Vec<String> = row.chars().map(|cell| cell.to_string()).collect();
        let bands: Vec<String> = cells.chunks(3).map(|band| band.join(" ")).collect();
        format!("| {} |", bands.join(" | "))
    };
    let bands = rows.chunks(3).flat_map(|band| {
        let rows = band.iter().map(row);
        rows.chain([frame.to_string()]).collect::<Vec<_>>()
    });
    [frame.to_string()].into_iter().chain(bands).collect()
}

/// Returns the entries of a file without the numbers of their lines.
fn entries(lines: &[String], fields: FieldSet) -> Vec<String> {
    let form = DrawingAlphabet::new(Alphabet::default(), fields, Sizes::default());
    let drawn = lines.join("\n") + "\n";
    let text = entries_of(Reads::of(&drawn, 1 << 14), form.clone());
    // Reads of other sizes take long, so they are tested for a sample.
    if lines.len().is_multiple_of(12) {
        assert_eq!(text, lines_of(&drawn, &form));
    }
    let rows = |line: &str| line.split_once(' ').unwrap().1.to_string();
    text.lines().map(rows).collect()
}

/// A fault: its name, and a function that plants it at a line.
type Fault = (&'static str, fn(&mut Vec<String>, usize));

const FAULTS: [Fault; 9] = [
    ("a line is lost", |lines, at| drop(lines.remove(at))),
    ("a symbol is lost", |lines, at| {
        lines[at].pop();
    }),
    ("a digit is lost", |lines, at| {
        if let Some(digit) = lines[at].rfind(|symbol: char| symbol.is_ascii_digit()) {
            lines[at].remove(digit);
        }
    }),
    ("a symbol is added", |lines, at| {
        if !lines[at].is_empty() {
            lines[at].push('.');
        }
    }),
    ("a title as wide as a row", |lines, at| {
        lines.insert(at, "Puzzle 100".to_string());
    }),
    ("a title", |lines, at| lines.insert(at, "No. 7".to_string())),
    ("a row is added", |lines, at| lines.insert(at, "12.....89".to_string())),
    ("a blank line is added", |lines, at| lines.insert(at, String::new())),
    ("a short row is added", |lines, at| lines.insert(at, "12".to_string())),
];

#[test]
fn a_row_of_symbols_outside_ascii_is_no_title_but_a_title_can_have_such_letters() {
    let rows = "1···\n··3.\n";
    assert_eq!(lines(rows, 1), "1 1··· ··3.\n");
    for title in ["Rätsel 1", "Задача 2", "★ Nr. 3 ★"] {
        let drawn = format!("{title}\n1...\n..3.\n.3..\n...4\n");
        assert_eq!(lines(&drawn, 1), "2 1... ..3. .3.. ...4\n", "{title}");
    }
}

#[test]
fn borders_may_be_box_drawing_characters() {
    let drawn = "╔══╦══╗\n║1.║..║\n┃..┃3.┃\n╠══╬══╣\n│.3┆..╎\n│..│.4│\n└──┴──┘\nunique\n";
    assert_eq!(lines(drawn, 1), "2 1... ..3. .3.. ...4\n");
}

#[test]
fn grids_of_an_entry_follow_each_other() {
    for (drawn, grids, expected) in [
        ("1.\n..\n\nAB\nAB\n\n12\n", 2, "1 1. .. AB AB\n7 12\n"),
        (
            "1.\n..\nAB\nAB\n12\n21\n2.\n..\n\nAB\nAB\n\n21\n12\n",
            3,
            "1 1. .. AB AB 12 21\n7 2. .. AB AB 21 12\n",
        ),
        // Grids of another side follow a puzzle without a layout.
        ("1.\n..\n\n1..\n.2.\n..3\n\nAAA\nBBB\nCCC\n", 2, "1 1. ..\n4 1.. .2. ..3 AAA BBB CCC\n"),
        // A blank line within a grid.
        (
            "1...\n..2.\n\n.3..\n...4\n\nAABB\nAABB\nCCDD\nCCDD\n",
            2,
            "1 1... ..2. .3.. ...4 AABB AABB CCDD CCDD\n",
        ),
    ] {
        assert_eq!(lines(drawn, grids), expected, "{drawn:?}");
    }
}

#[test]
fn a_row_or_a_run_that_is_too_long_is_cut() {
    let wide = "1".repeat(26);
    let drawn = format!("{wide}\n{wide}\n\n12\n21\n");
    assert_eq!(lines(&drawn, 1), format!("1 {wide} {wide}\n4 12 21\n"));
    let endless = "1".repeat(3 * MAX_LINE);
    let row = "1".repeat(MAX_ROW_SYMBOLS);
    let drawn = format!("{endless}\n\n12\n21\n");
    assert_eq!(lines(&drawn, 1), format!("1 {row}\n3 12 21\n"));
    let run = "1...\n".repeat(2 * MAX_RUN);
    let expected = format!("1{}\n", " 1...".repeat(MAX_RUN));
    assert_eq!(lines(&run, 1), expected);
}

#[test]
fn the_sizes_of_reads_do_not_affect_overlong_lines() {
    let beyond_limit = format!("12\n{}3\n21\n", " ".repeat(MAX_LINE + 1));
    assert_eq!(lines(&beyond_limit, 1), "1 12\n3 21\n");
    let within_limit = format!("12\n{}3\n21\n", " ".repeat(MAX_LINE));
    assert_eq!(lines(&within_limit, 1), "1 12 3 21\n");
}

#[test]
fn a_fault_in_one_entry_does_not_change_the_others() {
    let mut failures = Vec::new();
    for (style, fields, lines) in styles() {
        let intact = entries(&lines, fields);
        assert_eq!(intact.len(), 12, "{style}: {intact:?}");
        for (fault, plant) in FAULTS {
            let height = lines.len() / 12;
            let at_three = (0..lines.len()).filter(|at| [0, 1, 11].contains(&(at / height)));
            for at in at_three.step_by(full::step(4)) {
                // A title between the grids of an entry ends it. A row between two frames joins the
                // puzzles.
                let is_between = fields.number_of_grids() > 1
                    && !style.contains("titles")
                    && (lines[at].is_empty()
                        || lines[at.saturating_sub(1)].is_empty()
                        || (at % height).is_multiple_of(9));
                let is_below_frame = style.contains("rames") && at % height == 0;
                if (fault.contains("title") && is_between)
                    || (fault == "a row is added" && is_below_frame)
                {
                    continue;
                }
                let mut faulty = lines.clone();
                plant(&mut faulty, at);
                let found = entries(&faulty, fields);
                let lost = intact.iter().filter(|entry| !found.contains(entry)).count();
                let new = found.iter().filter(|entry| !intact.contains(entry)).count();
                if lost > 1 || new > 2 {
                    failures.push(format!("{style}: {fault} at {at}: {lost} lost, {new} new"));
                }
            }
        }
    }
    let number = failures.len();
    assert!(failures.is_empty(), "{number} failures:\n{}", failures.join("\n"));
}

/// Returns files of three 4x4 puzzles, separated in all ways. The digit of each row is the number
/// of its puzzle.
fn separated() -> Vec<Vec<String>> {
    let rows = |number: usize| {
        let row = |column: usize| format!("{}{}{}", &"..."[..column], number, &"..."[column..]);
        (0..4).map(row).collect::<Vec<_>>()
    };
    let framed = |number: usize, [top, middle, bottom]: [&str; 3]| {
        let rows = rows(number);
        let mut lines = vec![top.to_string(), middle.to_string(), bottom.to_string()];
        lines.splice(2..2, rows[2..].iter().cloned());
        lines.splice(1..1, rows[..2].iter().cloned());
        lines
    };
    let file = |puzzle: &dyn Fn(usize) -> Vec<String>| (1..=3).flat_map(puzzle).collect();
    vec![
        file(&|number| [rows(number), blank()].concat()),
        file(&|number| [title(number), rows(number)].concat()),
        file(&|number| [vec!["[Puzzle]".to_string()], rows(number)].concat()),
        file(&|number| framed(number, ["+----+", "+----+", "+----+"])),
        file(&|number| framed(number, [".--.--.", ":--+--:", "'--'--'"])),
    ]
}

/// Plants a fault at each line of a file in turn.
fn each_fault(lines: &[String]) -> impl Iterator<Item = Vec<String>> {
    let double = |lines: &mut Vec<String>, at: usize| lines.insert(at, lines[at].clone());
    let double: Fault = ("a line is doubled", double);
    (0..lines.len()).flat_map(move |at| {
        FAULTS.into_iter().chain([double]).map(move |(_, plant)| {
            let mut faulty = lines.to_vec();
            plant(&mut faulty, at);
            faulty
        })
    })
}

#[test]
fn no_puzzle_has_rows_of_two_puzzles_whatever_two_lines_are_changed() {
    let digits = |text: &str| -> BTreeSet<char> {
        text.chars().filter(|it| ('1'..='3').contains(it)).collect()
    };
    for lines in separated() {
        let rows = entries(&lines, FieldSet::default());
        assert_eq!(rows.len(), 3, "{lines:?}");
        let twice = each_fault(&lines).flat_map(|once| each_fault(&once).collect::<Vec<_>>());
        for faulty in twice.step_by(full::step(7)) {
            let drawn = faulty.join("\n");
            for rows in valid_and_faults(&drawn).0 {
                let is_4x4 = rows.split(' ').count() == 4;
                assert!(!is_4x4 || digits(&rows).len() == 1, "{drawn}\n-> {rows}");
            }
        }
    }
}

#[test]
fn a_title_ends_the_puzzle_before_it_and_is_dropped() {
    for (drawn, expected) in [
        ("Grid 01\n12\n21\nGrid 02\n12\nGrid 03\n21\n12\n", "2 12 21\n5 12\n7 21 12\n"),
        ("GRID 1\n12\n21\nGRID 2\n12\n21\n", "2 12 21\n5 12 21\n"),
        ("Задача 1\n12\n21\n", "2 12 21\n"),
        // Four rows in other symbols are no titles.
        ("12\n21\n\nkeeper\nkeeper\nkeeper\nkeeper\n", "1 12 21\n4 keeper keeper keeper keeper\n"),
        ("QR..\n..Qr\n.R..\n...S\n", "1 QR.. ..Qr .R.. ...S\n"),
        // Two wrong symbols are not a word.
        ("1...\n.zz.\n.3..\n...4\n", "1 1... .zz. .3.. ...4\n"),
        ("1z\n21\n", "1 1z 21\n"),
    ] {
        assert_eq!(lines(drawn, 1), expected, "{drawn:?}");
    }
    // The symbols of a 16x16 puzzle and the labels of a layout are no titles.
    let sixteen = "ABCDEFGabcdefg12\n".repeat(16);
    assert_eq!(lines(&sixteen, 1).lines().count(), 1);
    let layout = "1...\n..2.\n.3..\n...4\nKeep\nLose\nkeep\nlose\n";
    assert_eq!(lines(layout, 2), "1 1... ..2. .3.. ...4 Keep Lose keep lose\n");
}

#[test]
fn rows_below_headings_of_notes_are_dropped_if_they_follow_a_puzzle() {
    let sdk = "[Puzzle]\n1.\n..\n[State]\n12\n..\n[PencilMarks]\n12,1\n1,2\n[Puzzle]\n12\n21\n";
    assert_eq!(lines(sdk, 1), "2 1. ..\n11 12 21\n");
    let fields = FieldSet { answer: true, ..FieldSet::default() };
    let answer = DrawingAlphabet::new(Alphabet::default(), fields, Sizes::default());
    assert_eq!(lines_of(sdk, &answer), "2 1. .. 12 ..\n11 12 21\n");
    for (drawn, expected) in [
        ("[State]\n12\n21\n\n1.\n..\n", "2 12 21\n5 1. ..\n"),
        ("[PencilMarks]\n12\n21\n\n1.\n..\n", "2 12 21\n5 1. ..\n"),
        ("1.\n..\n[Puzzle]\n[State]\n12\n21\n", "1 1. ..\n5 12 21\n"),
        // Fewer and more rows than those of the puzzle.
        ("1.\n..\n[State]\n\n12\n\n21\n12\n", "1 1. ..\n7 21 12\n"),
        ("1.\n..\n[State]\n12\n21\n21\n12\n", "1 1. ..\n6 21 12\n"),
    ] {
        assert_eq!(lines(drawn, 1), expected, "{drawn:?}");
    }
}

#[test]
fn reads_that_would_block_lose_nothing() {
    let rows = "1234\n3412\n2143\n4321\n\n".repeat(3);
    let overlong = "x".repeat(MAX_LINE + 100);
    let drawn = [rows.as_str(), &overlong, "\n\n", &rows].concat();
    for size in [1, 7, 4096] {
        let reads = Pauses(Reads::of(&drawn, size), false);
        assert_eq!(entries_of(Box::new(reads), form(1)), lines(&drawn, 1));
    }
}

/// A row of cells between separators, blank cells as nothing.
fn between(separator: &str, row: &str) -> String {
    row.chars().map(|it| it.to_string().replace('.', "")).collect::<Vec<_>>().join(separator)
}

const ROWS: [&str; 9] = [
    "53..7....",
    "6..195...",
    ".98....6.",
    "8...6...3",
    ".........",
    "7...2...6",
    ".6....28.",
    "...419..5",
    "....8....",
];

#[test]
fn empty_cells_between_tabs_and_semicolons_are_those_between_commas() {
    let numbered = |blank: usize, column: usize| {
        let cell = |row: usize, at: usize| match (row, at) {
            _ if row == blank || at == column => '.',
            _ if (row + 2 * at).is_multiple_of(4) => char::from(b'1' + (at % 9) as u8),
            _ => '.',
        };
        (0..9).map(|row| (0..9).map(|at| cell(row, at)).collect()).collect::<Vec<String>>()
    };
    for separator in [",", ";", "\t"] {
        // A row and a column of blank cells in each place.
        for (blank, column) in (0..9).flat_map(|row| (0..9).map(move |column| (row, column))) {
            let rows = numbered(blank, column);
            let drawn: Vec<String> = rows.iter().map(|row| between(separator, row)).collect();
            let expected = (vec![rows.join(" ")], vec![]);
            assert_eq!(valid_and_faults(&drawn.join("\n")), expected, "{drawn:?}");
            if column > 0 {
                let ended = drawn.join(&format!("{separator}\n")) + separator;
                assert_eq!(valid_and_faults(&ended), expected, "{ended:?}");
            }
        }
        let lost: Vec<String> = ROWS[..8].iter().map(|row| between(separator, row)).collect();
        assert_eq!(valid_and_faults(&lost.join("\n")).0, Vec::<String>::new(), "{lost:?}");
    }
    // Tabs that are not between cells.
    for drawn in ["\t\t\t\t\t\t12\n\t\t\t\t\t\t21\n", "12\n21\n\t\t\t\n", "\t\t\t\t\n12\n21\n"] {
        assert_eq!(valid_and_faults(drawn), (vec!["12 21".into()], vec![]), "{drawn:?}");
    }
}

#[test]
fn rows_of_separators_alone_are_between_puzzles() {
    for separator in [",", ";", "\t"] {
        let grid = ROWS.map(|row| between(separator, row)).join("\n") + "\n";
        let blank = separator.repeat(8) + "\n";
        let bands = grid
            .lines()
            .collect::<Vec<_>>()
            .chunks(3)
            .map(|it| it.join("\n") + "\n")
            .collect::<Vec<_>>();
        for (drawn, count) in [
            (vec![grid.clone(); 3].join(&blank), 3),
            (vec![grid.clone(); 10].join(&blank), 10),
            (vec![grid.clone(); 2].join(&blank.repeat(2)), 2),
            (format!("{grid}{blank}"), 1),
            (format!("{blank}{grid}{blank}{grid}{blank}"), 2),
            (bands.join(&blank), 1),
            (grid.repeat(3), 3),
        ] {
            let expected = (vec![ROWS.join(" "); count], vec![]);
            assert_eq!(valid_and_faults(&drawn), expected, "{drawn:?}");
        }
        let half = ["1..4", "..2.", "....", "...."].map(|row| between(separator, row) + "\n");
        let expected = (vec!["1..4 ..2. .... ....".into(); 2], vec![]);
        assert_eq!(valid_and_faults(&half.concat().repeat(2)), expected, "{half:?}");
        // Either the first row or the last one can be the separator.
        let inner = ROWS[..8].iter().map(|row| between(separator, row) + "\n").collect::<String>();
        let both = format!("{blank}{inner}{blank}");
        assert_eq!(valid_and_faults(&both).0, Vec::<String>::new(), "{both:?}");
    }
}

#[test]
fn names_with_numbers_are_titles() {
    let grid = ROWS.join("\n");
    for note in [
        "ED=7.2/1.2/1.2",
        "SE 7.2/1.2/1.2",
        "Rating: 7.2/1.2/1.2",
        "SER = 8.3",
        "t=12.5s",
        "id=123456789",
        "ED=7.2/1.2/1.2 t=12.5s id=5",
    ] {
        let text = format!("{note}\n{grid}\n{note}\n{grid}\n\nPuzzle 3\n\n{note}\n{grid}\n");
        assert_eq!(valid_and_faults(&text), (vec![ROWS.join(" "); 3], vec![]), "{text}");
    }
    let named: String = (1..).zip(ROWS).map(|(at, row)| format!("r{at}={row}\n")).collect();
    for text in [named.clone(), named.replace('.', "0")] {
        let (valid, faults) = valid_and_faults(&text);
        assert_eq!((valid.join("").replace('0', "."), faults), (ROWS.join(" "), vec![]), "{text}");
    }
}

#[test]
fn an_empty_column_that_can_be_on_either_side_is_a_fault() {
    let leading = |row: &str| format!(",{}\n", between(",", row));
    let full: String = ROWS.map(leading).concat();
    assert_eq!(valid_and_faults(&full), (vec![ROWS.join(" ")], vec![]));
    let either: String = ROWS.map(|row| leading(&format!("{}.", &row[..8]))).concat();
    let reason = "the first and the last field of all rows are empty; one is no cell";
    assert_eq!(valid_and_faults(&either), (vec![], vec![reason.into()]));
}
