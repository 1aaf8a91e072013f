//! Puzzles drawn over several lines. Reads the text slowly, and checks that every puzzle has its
//! output line, whatever the size of the reads.

use sudoku_filter::{Column, Input, Mode, PipelineOptions, Source, Status};

use super::chunks::{behind_names, expanded, pieces, through_stdin};
use super::filter::{Ran, filtered, scratch};
use super::judge::{Expected, Fields, Puzzle};
use super::plain;

/// The first byte selects the cuts, the second the mode, variant and columns. As in `chunks`, a
/// byte 1 followed by another byte represents a long run.
pub fn run(data: &[u8]) {
    let [cut, chosen, text @ ..] = data else {
        return;
    };
    let verifies = chosen & 1 == 1;
    let variants = ["classic", "diagonal", "jigsaw"][usize::from(chosen >> 1) % 3];
    let columns = ["line,input,solution,status", "line,input,answer,puzzle,regions,status"]
        [usize::from(verifies)];
    let mut options = PipelineOptions::default();
    options.variants = variants.parse().unwrap();
    options.input = Some(Input::Drawn);
    if verifies {
        options.mode = Mode::Verify { unique: false };
    }
    options.columns = Column::list(columns, |_| false).unwrap();
    let text = expanded(text);
    let whole = from_file(&text, options.clone());
    let in_pieces = through_stdin(pieces(&text, *cut, 16 << 10), || {
        filtered(&[Source::Stdin], options.clone(), usize::from(cut % 4))
    });
    assert_eq!(in_pieces.rows.escape_ascii().to_string(), whole.rows.escape_ascii().to_string());
    assert_eq!(in_pieces.failed, whole.failed);
    assert_eq!(whole.failed, plain::is_packed(&text));
    if whole.failed {
        return;
    }
    assert_eq!(behind_names(in_pieces.messages), behind_names(whole.messages));

    let jigsaw = variants == "jigsaw";
    let grids_of_entry = 1 + usize::from(jigsaw) + usize::from(verifies);
    let rows: Vec<&[u8]> = whole.rows.split_inclusive(|&byte| byte == b'\n').collect();
    let entry_of = |row: &&[u8]| {
        let mut fields = row.split(|&byte| byte == b'\t');
        let number = std::str::from_utf8(fields.next().unwrap()).unwrap();
        let drawn = match fields.next().unwrap() {
            // There is no row in the source.
            b"-" => Vec::new(),
            drawn => drawn.split(|&byte| byte == b' ').map(<[u8]>::to_vec).collect(),
        };
        let is_valid = !row.trim_ascii_end().ends_with(b"\tinvalid");
        plain::Drawing { number: number.parse().unwrap(), rows: drawn, is_valid }
    };
    let drawings: Vec<plain::Drawing> = rows.iter().map(entry_of).collect();
    let sure = plain::judge_drawings(&text, &drawings, grids_of_entry);
    let columns: Vec<&str> = columns.split(',').collect();
    let (mut lines, mut answered) = (Vec::new(), Vec::new());
    for (plain::Drawing { number, rows: drawn, is_valid }, row) in drawings.into_iter().zip(rows) {
        let line = if drawn.is_empty() { b"-".to_vec() } else { drawn.join(&b' ') };
        let side = plain::side_of_drawing(&drawn).max(1);
        // Rows that look whole can be part of a run or section with a fault.
        let whole_grids = (is_valid || sure.contains(&number))
            && side <= 25
            && drawn.iter().all(|row| row.len() == side || row.len() == side * side)
            && drawn.len().is_multiple_of(side)
            && drawn.len() <= grids_of_entry * side;
        let mut grids = drawn.chunks(side).filter(|_| whole_grids).map(<[_]>::concat);
        let puzzle = grids.next();
        let labels = if jigsaw { grids.next() } else { None };
        let fields = |puzzle| Fields { puzzle, labels, cages: None };
        let read = puzzle.and_then(|puzzle| Puzzle::read(variants, &fields(puzzle)));
        let expected =
            Expected { line: &line, number, puzzle: read, answer: grids.next(), verifies };
        let row = row.strip_suffix(b"\n").unwrap();
        let fields: Vec<Vec<u8>> = row.split(|&byte| byte == b'\t').map(<[u8]>::to_vec).collect();
        let known = expected.judge(&columns, &fields);
        assert!(!known.contains(&false));
        // The column `puzzle` of a puzzle that describes its rules does not hold them.
        let puzzle = expected.puzzle.as_ref();
        if let Some(puzzle) = puzzle.filter(|puzzle| !verifies && !puzzle.is_described) {
            lines
                .push([&puzzle.text[..], puzzle.labels.as_deref().unwrap_or_default()].join(&b' '));
            answered.push([&fields[2][..], &fields[3]].join(&b'\t'));
        }
    }
    let text: Vec<u8> = lines.iter().flat_map(|line| [line, &b"\n"[..]].concat()).collect();
    let mut options = PipelineOptions::default();
    options.variants = variants.parse().unwrap();
    options.input = Some(Input::Lines);
    let plain = from_file(&text, options);
    assert_eq!(plain.count(Status::Invalid), 0);
    let plain: Vec<&[u8]> = plain.rows.split(|&byte| byte == b'\n').collect();
    assert_eq!(plain[..answered.len()], answered);
}

fn from_file(text: &[u8], options: PipelineOptions) -> Ran {
    let file = scratch("drawn");
    std::fs::write(&file, text).unwrap();
    let ran = filtered(&[Source::File(file.clone())], options, 0);
    let _ = std::fs::remove_file(file);
    ran
}
