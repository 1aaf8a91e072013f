//! Names the formats of other programs that are recognised but not read: links, SumoCue of other
//! versions, save files. `hints.rs` has the formats that an option of this program reads.

use super::notation::is_self_describing;
use super::record::trim;
use crate::error::BoxError;

/// The remedy for a format that hides its cells, compressed for example.
const AS_LINE: &str = "write the digits of its grid as a line, with . for a blank cell";
const AS_SUDOKU: &str = "of its puzzles, only sudoku/... is read";

/// Formats that the program does not read: the beginning of a line, without `https://` and `www.`, what it is, and the remedy.
/// The first entry that fits counts.
// Compressed data begins with N4: LZ-string makes this of `{"`.
const FORMATS: [(&str, &str, &str); 16] = [
    ("f-puzzles.com/", "a link of f-puzzles", AS_LINE),
    ("N4I", "compressed data of f-puzzles", AS_LINE),
    ("sudokupad.", "a link of SudokuPad", AS_LINE),
    ("beta.sudokupad.", "a link of SudokuPad", AS_LINE),
    (
        "app.crackingthecryptic.com/",
        "a link of SudokuPad",
        AS_LINE,
    ),
    (
        "cracking-the-cryptic.web.app/",
        "a link of SudokuPad",
        AS_LINE,
    ),
    ("fpuzzlesN4", "compressed data of SudokuPad", AS_LINE),
    ("fpuzN4", "compressed data of SudokuPad", AS_LINE),
    ("sclN4", "compressed data of SudokuPad", AS_LINE),
    (
        "swaroopg92.github.io/penpa-edit/",
        "a link of penpa",
        AS_LINE,
    ),
    ("opt-pan.github.io/penpa-edit/", "a link of penpa", AS_LINE),
    ("m=edit&p=", "a part of a link of penpa", AS_LINE),
    ("puzz.link/", "a link of puzz.link", AS_SUDOKU),
    ("pzv.jp/", "a link of pzv.jp", AS_SUDOKU),
    ("pzprxs.vercel.app/", "a link of pzprxs", AS_SUDOKU),
    (
        "SumoCueV",
        "another version of SumoCue",
        "only SumoCueV1 is read",
    ),
];

/// Returns the reason why a line is invalid if it is in a format of another program, which the
/// program does not read.
pub(super) fn reason(record: &[u8]) -> Option<String> {
    let line = trim(record);
    if is_self_describing(line) {
        return None;
    }
    let without = |line, beginning: &str| <[u8]>::strip_prefix(line, beginning.as_bytes());
    let address = without(line, "https://").or_else(|| without(line, "http://"));
    let begin = address.unwrap_or(line);
    let begin = without(begin, "www.").unwrap_or(begin);
    let known = FORMATS
        .iter()
        .find(|(beginning, ..)| begin.starts_with(beginning.as_bytes()));
    match known {
        Some((_, what, remedy)) => Some(format!("this is {what}; {remedy}")),
        None => address.map(|_| format!("this is a link; {AS_LINE}")),
    }
}

/// Refuses a source that begins with this line if it is a save file of Simon Tatham's collection,
/// whose lines are no puzzles.
///
/// # Errors
/// Returns an error with the command that writes the game ID of the file.
pub(crate) fn refuse_save_file(first_line: &[u8]) -> Result<(), BoxError> {
    if !first_line.starts_with(b"SAVEFILE:") {
        return Ok(());
    }
    // The parameters end in a symmetry and a difficulty, which a game ID lacks.
    let command = r#"awk -F: '/^CPARAMS/ {sub(/[^0-9xjk].*/, "", $3); id = $3} /^DESC/ {print id ":" $3}' FILE"#;
    Err(format!(
        "this is a save file of Simon Tatham's collection; for Solo, this writes its game ID: {command}"
    )
    .into())
}
