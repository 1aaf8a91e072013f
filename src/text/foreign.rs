//! Names the formats of other programs that are recognised but not read: links, SumoCue of other
//! versions, save files. `hints.rs` has the formats that an option of this program reads.

use super::f_puzzles_link::{self, SUDOKU_PAD};
use super::notation::is_self_describing;
use super::record::trim;
use super::symbols::Alphabet;
use engine::error::{BoxError, InvalidInput};

/// The remedy for a format in which the digits cannot be seen, such as compressed data.
const AS_LINE: &str = "write the digits of its grid as a line, with . for a blank cell";
const AS_SUDOKU: &str = "of its puzzles, only sudoku/... is read";

const PENPA: &[&str] = &["swaroopg92.github.io/penpa-edit/", "opt-pan.github.io/penpa-edit/"];

type Format = (&'static str, &'static str, &'static [&'static str]);

/// Formats that the program does not read: what a line is, the remedy, and the beginnings of such
/// lines, without `https://` and `www.`. The first entry that fits counts.
// Compressed data begins with N4, because LZ-string compresses the beginning `{"` of JSON to it.
const FORMATS: [Format; 12] = [
    ("XML", AS_LINE, &["<?xml", "<?XML"]),
    ("HTML", AS_LINE, &["<!DOCTYPE html", "<!doctype html", "<!DOCTYPE HTML", "<html", "<HTML"]),
    ("SVG", AS_LINE, &["<svg"]),
    ("a link of f-puzzles", AS_LINE, &["f-puzzles.com/"]),
    ("a link of SudokuPad", AS_LINE, SUDOKU_PAD),
    ("compressed data of SudokuPad", AS_LINE, &["sclN4"]),
    ("a link of penpa", AS_LINE, PENPA),
    ("a part of a link of penpa", AS_LINE, &["m=edit&p="]),
    ("a link of puzz.link", AS_SUDOKU, &["puzz.link/"]),
    ("a link of pzv.jp", AS_SUDOKU, &["pzv.jp/"]),
    ("a link of pzprxs", AS_SUDOKU, &["pzprxs.vercel.app/"]),
    ("another version of SumoCue", "only SumoCueV1 is read", &["SumoCueV"]),
];

/// Returns `None` for other lines, and for lines that describe a puzzle with its rules or carry one.
pub(super) fn reason(record: &[u8]) -> Option<String> {
    let line = trim(record);
    if is_self_describing(line) || f_puzzles_link::is_one(line) {
        return None;
    }
    match format_of(line) {
        Some((format, remedy, _)) => Some(format!("this is {format}; {remedy}")),
        None => is_link(line).then(|| format!("this is a link; {AS_LINE}")),
    }
}

/// Returns the reason why a number such as `4.30021E+78` is no puzzle. The `+` can be missing.
pub(crate) fn rounded(field: &[u8]) -> Option<InvalidInput> {
    let text = std::str::from_utf8(field).ok()?;
    let (number, exponent) = text.split_once('E')?;
    let is_rounded = number.len() < 20
        && number.starts_with(|it: char| it.is_ascii_digit())
        && number.parse::<f64>().is_ok()
        && exponent.parse::<u8>().is_ok();
    let reason = "a number that a spreadsheet made of a puzzle; import the column as text";
    is_rounded.then(|| reason.into())
}

/// Returns `reason`, why a puzzle cannot be read, with a remedy if it is a number of fewer digits
/// than a puzzle has cells: a number does not begin with 0.
pub(crate) fn with_lost_zeros(reason: InvalidInput, puzzle: &[u8]) -> InvalidInput {
    let is_number = puzzle.iter().all(u8::is_ascii_digit) && puzzle.contains(&b'0');
    let most = puzzle.iter().copied().max().unwrap_or_default();
    let is_of_side = |side: &usize| {
        let cells = side * side;
        let lost = cells.saturating_sub(puzzle.len());
        (1..=cells / 3).contains(&lost) && usize::from(most.saturating_sub(b'0')) <= *side
    };
    match [4, 6, 9].iter().find(|side| is_of_side(side)) {
        Some(side) if is_number && !puzzle.starts_with(b"0") => format!(
            "{reason}; a {side}x{side} puzzle that lost the zeros at its beginning? \
             import the column as text"
        )
        .into(),
        _ => reason,
    }
}

pub(crate) fn is_link(line: &[u8]) -> bool {
    let line = trim(line);
    line.starts_with(b"https://") || line.starts_with(b"http://")
}

/// Returns the puzzle that a link holds as one part of its path or query, such as `?bd=53..7....`:
/// 16, 36, 81 or 256 symbols of cells, at least one of them a digit. Returns `None` if there are
/// several, and for `FORMATS`.
pub(crate) fn puzzle_of_link<'a>(line: &'a [u8], alphabet: &Alphabet) -> Option<&'a [u8]> {
    let line = trim(line);
    if !is_link(line) || format_of(line).is_some() {
        return None;
    }
    let is_end = |byte: &u8| matches!(byte, b' ' | b'\t' | b'/' | b'?' | b'&' | b'=' | b'#' | b';');
    let is_puzzle = |part: &&[u8]| {
        let side = part.len().isqrt();
        let is_given = |&symbol: &u8| alphabet.digit_of(symbol).is_some_and(|digit| digit > 0);
        matches!(part.len(), 16 | 36 | 81 | 256)
            && part.iter().any(is_given)
            && alphabet.read(part, side, &mut Vec::new()).is_ok()
    };
    let mut puzzles = line.split(is_end).filter(is_puzzle);
    let puzzle = puzzles.next()?;
    puzzles.next().is_none().then_some(puzzle)
}

fn format_of(line: &[u8]) -> Option<Format> {
    let text = line.strip_prefix(b"https://").or_else(|| line.strip_prefix(b"http://"));
    let text = text.unwrap_or(line);
    let text = text.strip_prefix(b"www.").unwrap_or(text);
    let fits = |beginning: &&str| text.starts_with(beginning.as_bytes());
    FORMATS.into_iter().find(|(.., beginnings)| beginnings.iter().any(fits))
}

/// Refuses a save file of Simon Tatham's collection: its lines are no puzzles.
pub(crate) fn refuse_save_file(first_line: &[u8]) -> Result<(), BoxError> {
    if !first_line.starts_with(b"SAVEFILE:") {
        return Ok(());
    }
    // CPARAMS ends in a symmetry and a difficulty, which a game ID lacks: `sub` removes them.
    let command = r#"awk -F: '/^CPARAMS/ {sub(/[^0-9xjk].*/, "", $3); id = $3} /^DESC/ {print id ":" $3}' FILE"#;
    Err(format!(
        "this is a save file of Simon Tatham's collection; for Solo, this writes its game ID: {command}"
    )
    .into())
}
