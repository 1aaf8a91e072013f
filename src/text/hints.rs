//! Recognises lines that another option or a command would make readable: rows, borders and
//! headings of drawn puzzles, jigsaw layouts, killer cages, CSV headers, JSON, quotes, and puzzles
//! that are not in the first field.

use std::fmt;

use super::foreign;
use super::forms::csv;
use super::forms::drawing::{self, DrawingAlphabet, DrawnLine, RowKind};
use super::forms::lines::{Fields, Separators};
use super::notation::{self, DescribedPuzzle};
use super::one_line::read_cells;
use super::record::{FieldSet, Line, is_blank};
use super::rule_names;
use super::size::{JIGSAW_HINT, Sizes, pencilmark_side};
use super::symbols::Alphabet;
use super::unread::is_layout;
use engine::rules::{MAX_SIDE, Variant, Variants, a_puzzle};

// The hints that follow the reason in the message about an invalid line.
const DRAWN_HINT: &str = "(puzzles drawn over several lines: --input grid)";
const LAYOUT_AFTER_HINT: &str = "(a puzzle and its jigsaw layout: --variant jigsaw)";
const KILLER_LAYOUT_HINT: &str = "(a killer and its jigsaw layout: --variant killer,jigsaw)";
const CAGES_ALONE_HINT: &str = "(killer cages: --variant killer)";
const HEADER_HINT: &str = "(CSV with a header: --csv)";
/// Follows the number of the field with the puzzle.
const LATER_FIELD_HINT: &str = "is a puzzle: --csv --header puzzle=NAME if the first line names the fields, or else --fields with their names";
const QUOTES_HINT: &str = "(quotes: --csv for CSV with a header, or else tr -d '\"')";
const OBJECT_HINT: &str = "(JSON: --json)";
const ELEMENT_HINT: &str = "(XML or HTML: --input grid)";
const SQL_HINT: &str = "(SQL: --input grid)";
const LIST_HINT: &str = "(a list of a program: --input grid)";
const ARRAY_OF_CELLS_HINT: &str = "(an array of cells: --input grid)";
// The reasons why a line whose next fields are unread is invalid.
const CAGES_HINT: &str =
    "a field after the puzzle looks like killer cages; --variant killer reads it";
const LAYOUT_HINT: &str =
    "a field after the puzzle looks like a layout; --variant jigsaw or --variant regions reads it";
const NAMED_RULE_HINT: &str =
    "the text after the puzzle names a rule; --fields puzzle,variant reads names of variants";
const RULE_AFTER_ANSWER_HINT: &str = "the text after the answer names a rule; \
    --fields puzzle,answer,variant reads names of variants";
const LAYOUT_AND_CAGES_HINT: &str = "fields after the puzzle look like a layout and killer cages; --variant killer,jigsaw reads them";

/// The maximum number of fields after the first that are searched for a puzzle.
const MAX_FIELDS: usize = 20;
/// The least number of symbols in a row of a drawn puzzle. A shorter line is likely a typing error.
const MIN_ROW: usize = 4;
/// The greatest length of a bare row. A longer line is more likely an incomplete puzzle.
const MAX_BARE_ROW: usize = 15;

/// A line has a layout, cages or a puzzle that no option reads. Without them, what is read is
/// another puzzle. The reason needs no explanation.
#[derive(Debug)]
pub(crate) struct UnreadFields(pub &'static str);

impl fmt::Display for UnreadFields {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }
}

impl std::error::Error for UnreadFields {}

pub(crate) struct Explanation {
    pub reason: String,
    pub hint: Option<String>,
}

impl Explanation {
    pub fn of_reason(reason: String) -> Explanation {
        Explanation { reason, hint: None }
    }

    fn with_hint(reason: String, hint: impl Into<String>) -> Explanation {
        Explanation { reason, hint: Some(hint.into()) }
    }
}

/// Explains why a line is invalid, given the `reason`. There is a hint if the line looks as if
/// another option or a command would make it readable. If `reason` already proposes
/// `--variant jigsaw`, and `variants` do not include killers, there are only hints about other
/// formats and drawn puzzles.
///
/// For some lines, a more precise reason replaces `reason`:
/// * a line of another program: the name of its format
/// * a row of a drawn puzzle: the numbers of cells of the row and of the puzzle, unless the row can
///   also be a whole jigsaw
/// * cells with blanks between them: their number
pub(crate) fn explain(
    reason: String,
    record: &[u8],
    alphabet: &Alphabet,
    sizes: &Sizes,
    variants: &Variants,
) -> Explanation {
    if let Some(reason) = foreign::reason(record) {
        return Explanation::of_reason(reason);
    }
    if let Some(hint) = format_hint(record) {
        return Explanation::with_hint(reason, hint);
    }
    if let Some(hint) = symbols_hint(record, alphabet, sizes) {
        return Explanation::with_hint(reason, hint);
    }
    let drawing_alphabet = DrawingAlphabet::new(alphabet.clone(), FieldSet::default(), *sizes);
    match drawing::parse(&drawing_alphabet, record) {
        DrawnLine::Heading(_) => return Explanation::with_hint(reason, DRAWN_HINT),
        // A line of two symbols, such as `--`, is more likely a typing error.
        DrawnLine::Frame if record.len() >= 3 => {
            return Explanation::with_hint(reason, DRAWN_HINT);
        }
        DrawnLine::Row(row) if matches!(row.kind, RowKind::Row | RowKind::Word) => {
            if let Some(side) = side_of_row(&row.text, record, alphabet, sizes) {
                return explain_row(reason, record, side, alphabet, sizes);
            }
        }
        _ => {}
    }
    let proposes_jigsaw = reason.ends_with(JIGSAW_HINT);
    if proposes_jigsaw && !variants.contains(Variant::Killer) {
        return Explanation::of_reason(reason);
    }
    let hint = variant_hint(record, variants).map(str::to_string);
    let hint = hint.or_else(|| joined_puzzles_hint(record, alphabet, sizes));
    if hint.is_some() {
        return Explanation { reason, hint };
    }
    if let Some(cells) = number_of_separate_cells(record) {
        let wrong_number = sizes.side(cells).err().map(|error| error.to_string());
        return Explanation::of_reason(wrong_number.unwrap_or(reason));
    }
    let hint = later_puzzle(record, alphabet, sizes)
        .map(|field| format!("(field {field} {LATER_FIELD_HINT})"));
    Explanation { reason, hint }
}

/// If the line could also be a whole smaller puzzle with blanks between its cells, the hint names
/// the remedies for both. If it could be a whole jigsaw, `reason` stays.
fn explain_row(
    reason: String,
    record: &[u8],
    side: usize,
    alphabet: &Alphabet,
    sizes: &Sizes,
) -> Explanation {
    if let Some(size) = puzzle_with_blanks(record, alphabet, sizes) {
        return Explanation::with_hint(
            format!("{side} cells with blanks between them"),
            format!("(a whole {size}: tr -d ' '; a row of a drawn {side}x{side}: --input grid)"),
        );
    }
    // With `--variant jigsaw`, a row of 9 symbols can also be a whole 3x3 jigsaw.
    if sizes.any_side && sizes.side(side).is_ok() {
        return Explanation::with_hint(reason, DRAWN_HINT);
    }
    let (puzzle, cells) = (a_puzzle(side), side * side);
    Explanation::with_hint(format!("{side} cells; {puzzle} has {cells}"), DRAWN_HINT)
}

fn variant_hint(record: &[u8], variants: &Variants) -> Option<&'static str> {
    let is_killer = variants.contains(Variant::Killer);
    if !variants.have_regions() {
        let mut fields = Fields::of(record);
        let [first, second] = [(); 2].map(|()| fields.next().unwrap_or_default());
        let (half, labels) = first.split_at(first.len() / 2);
        let has_layout =
            |puzzle: &[u8], labels: &[u8]| puzzle.len() == labels.len() && is_layout(labels);
        if has_layout(half, labels) {
            return Some(LAYOUT_AFTER_HINT);
        }
        if has_layout(first, second) {
            return Some(if is_killer { KILLER_LAYOUT_HINT } else { LAYOUT_AFTER_HINT });
        }
    }
    (!is_killer && are_cages(record, record.len())).then_some(CAGES_ALONE_HINT)
}

fn format_hint(record: &[u8]) -> Option<&'static str> {
    let (&first, after) = record.trim_ascii_start().split_first()?;
    let second = after.trim_ascii_start().first();
    match (first, second) {
        (b'{', None | Some(b'"')) if !record.trim_ascii_end().ends_with(b"}") => Some(OBJECT_HINT),
        (b'{', Some(b'"')) => Some(OBJECT_HINT),
        (b'}', None) => Some(OBJECT_HINT),
        // A `[` before a letter is a heading of a drawing, such as `[Puzzle]`.
        (b'[', None | Some(b'{')) => Some(OBJECT_HINT),
        (b'[', Some(b'[' | b'"' | b'-' | b'0'..=b'9')) => Some(ARRAY_OF_CELLS_HINT),
        (b'<', Some(b'a'..=b'z' | b'A'..=b'Z' | b'/' | b'!')) => Some(ELEMENT_HINT),
        (b'(', Some(b'\'' | b'"' | b'0'..=b'9')) if is_list(record) => Some(LIST_HINT),
        _ if is_sql(record) => Some(SQL_HINT),
        _ if csv::is_likely_header(record) => Some(HEADER_HINT),
        (b'"', Some(_)) => {
            let closing_quote = memchr::memchr(b'"', after)?;
            let is_key = after[closing_quote + 1..].trim_ascii_start().starts_with(b":");
            Some(if is_key { OBJECT_HINT } else { QUOTES_HINT })
        }
        _ => None,
    }
}

/// Returns true for a list of a program, of which one element is in quotes: `(1,'53..7....'),`.
fn is_list(record: &[u8]) -> bool {
    let end = record.trim_ascii_end();
    let end = end.strip_suffix(b",").or_else(|| end.strip_suffix(b";")).unwrap_or(end);
    end.ends_with(b")") && end.contains(&b',') && memchr::memchr2(b'\'', b'"', end).is_some()
}

fn is_sql(record: &[u8]) -> bool {
    let begins_with = |word: &[u8]| {
        let line = record.trim_ascii_start();
        line.get(..word.len()).is_some_and(|it| it.eq_ignore_ascii_case(word))
    };
    begins_with(b"INSERT INTO ") || begins_with(b"CREATE TABLE ")
}

/// The digits of a puzzle above 9x9 can be the letters from A, or begin at 0.
pub(crate) fn symbols_hint(record: &[u8], alphabet: &Alphabet, sizes: &Sizes) -> Option<String> {
    let mut fields = Fields::of(record);
    let cells = match has_equal_fields(record) {
        true => fields.collect::<Vec<_>>().concat(),
        false => fields.next()?.to_vec(),
    };
    let side = sizes.side(cells.len()).ok().filter(|&side| side > 9)?;
    let has_cells = |alphabet: &Alphabet| alphabet.has_cells(&cells, side);
    let capital = ["ABCDEFGHIJKLMNOPQRSTUVWXY", "0123456789ABCDEFGHIJKLMNO"].map(|it| &it[..side]);
    let symbols = capital.into_iter().flat_map(|it| [it.to_string(), it.to_lowercase()]);
    // A puzzle has most of its digits. Few other symbols are typing errors.
    let has_most = |it: &str| 2 * it.bytes().filter(|it| cells.contains(it)).count() > side;
    let is_fitting =
        |it: &String| has_most(it) && Alphabet::of_symbols(it).is_ok_and(|other| has_cells(&other));
    let fitting = symbols.into_iter().find(is_fitting)?;
    (!alphabet.is_custom()).then(|| format!("(other symbols: --symbols {fitting})"))
}

/// `cat` joins puzzles into one line if files lack a last newline.
fn joined_puzzles_hint(record: &[u8], alphabet: &Alphabet, sizes: &Sizes) -> Option<String> {
    let field = Fields::of(record).next()?;
    let field = &*alphabet.without_marks(field);
    let consists_of_rows = |side| alphabet.has_cells(field, side);
    let (number, side) = sizes.several_puzzles(field.len())?;
    // 512 symbols can also be the pencilmarks of an 8x8, whose digits are those of a 16x16 too.
    let can_be_pencilmarks = pencilmark_side(field.len()).is_some_and(consists_of_rows);
    if can_be_pencilmarks || is_nearly_a_puzzle(field.len(), sizes) || !consists_of_rows(side) {
        return None;
    }
    Some(format!(
        "({number} {side}x{side} puzzles? cat joins lines of files that lack a last newline; \
         name the files as arguments)"
    ))
}

/// Searches the fields after the first one for a puzzle with a blank cell. Returns the number of
/// the field, from 1. Returns `None` if the first field has about the length of a puzzle: it is
/// then probably the puzzle, with an error.
fn later_puzzle(record: &[u8], alphabet: &Alphabet, sizes: &Sizes) -> Option<usize> {
    let is_puzzle = |field: &[u8]| {
        let field = &*alphabet.without_marks(field);
        let side = field.len().isqrt();
        sizes.shape(side).is_some()
            && side * side == field.len()
            && alphabet.has_cells(field, side)
            // A field without a blank cell is more likely an answer.
            && field.iter().any(|&symbol| alphabet.digit_of(symbol) == Some(0))
    };
    let mut fields = Fields::of(record);
    let first = fields.next()?;
    // The index of the puzzle among the later fields. The first of them is field number 2.
    let later = fields.take(MAX_FIELDS).position(is_puzzle)?;
    (!is_nearly_a_puzzle(first.len(), sizes)).then_some(later + 2)
}

/// Returns the number of symbols, without borders and blanks, of a line that looks like a row of a
/// drawn puzzle. `text` is the row as it is drawn. A `-` counts as part of a border, even if it is
/// a blank cell.
fn side_of_row(text: &str, record: &[u8], alphabet: &Alphabet, sizes: &Sizes) -> Option<usize> {
    let fields: Vec<&[u8]> = Fields::of(record).collect();
    let are_cells = fields.len() > 9 && fields.iter().all(|field| field.len() <= 2);
    let numbers = are_cells.then(|| read_cells(&fields, fields.len(), alphabet)).flatten();
    let has_numbers = numbers.is_some();
    let symbols = || text.bytes().filter(|byte| !b" \t|+-".contains(byte)).collect();
    let row: Vec<u8> = numbers.unwrap_or_else(symbols);
    let side = row.len();
    let has_only_symbols = side == record.len();
    let looks_drawn = if has_numbers {
        true
    } else if has_only_symbols {
        side <= MAX_BARE_ROW && !is_nearly_a_puzzle(side, sizes)
    } else {
        has_borders(record) || has_equal_fields(record)
    };
    let is_side = side >= MIN_ROW && sizes.allows(side);
    (is_side && alphabet.has_cells(&row, side) && looks_drawn).then_some(side)
}

/// Returns the size, such as `4x4`, of the puzzle that a line with blanks would be without them.
fn puzzle_with_blanks(record: &[u8], alphabet: &Alphabet, sizes: &Sizes) -> Option<String> {
    let symbols: Vec<u8> = record.iter().copied().filter(|&it| !is_blank(it)).collect();
    let side = sizes.side(symbols.len()).ok()?;
    let is_puzzle = alphabet.has_cells(&symbols, side);
    (is_puzzle && symbols.len() < record.len()).then(|| format!("{side}x{side}"))
}

fn number_of_separate_cells(record: &[u8]) -> Option<usize> {
    let number = Fields::of(record).count();
    let are_cells = number > MAX_SIDE && Fields::of(record).all(|field| field.len() == 1);
    are_cells.then_some(number)
}

/// A text of about the length of a puzzle is probably one, perhaps with a typing error.
fn is_nearly_a_puzzle(cells: usize, sizes: &Sizes) -> bool {
    let mut puzzles = (2..=MAX_SIDE).filter(|&side| sizes.shape(side).is_some());
    puzzles.any(|side| cells.abs_diff(side * side) <= 2)
}

/// Other characters of borders prove nothing: a `-` can be a blank cell, and HoDoKu writes `+`
/// before a digit that is not a given.
fn has_borders(record: &[u8]) -> bool {
    record.contains(&b'|') || !record.is_ascii()
}

/// At least three fields, because two could be a puzzle and an answer.
fn has_equal_fields(record: &[u8]) -> bool {
    let mut lengths = Fields::of(record).map(<[u8]>::len);
    let first = lengths.next();
    lengths.clone().count() >= 2 && lengths.all(|length| Some(length) == first)
}

/// Returns a hint about a comment such as `#1 53..7....`, which was probably meant to be read.
pub(crate) fn hint_for_comment(
    line: &[u8],
    alphabet: &Alphabet,
    sizes: &Sizes,
) -> Option<&'static str> {
    let is_numbered = line.starts_with(b"#") && line.get(1).is_some_and(u8::is_ascii_digit);
    let puzzle = is_numbered.then(|| later_puzzle(line, alphabet, sizes)).flatten();
    puzzle.map(|_| "a comment holds a puzzle, and lines that begin with # are not read")
}

/// Returns a hint about a comment such as `# antiknight`. `after` is the text after the comment,
/// whose next puzzle can state its rules.
pub(crate) fn hint_for_rule_in_comment(
    comment: &[u8],
    after: &[u8],
    variants: &Variants,
) -> Option<&'static str> {
    let names_rule = comment.starts_with(b"#") && rule_names::is_name_of_unread(comment, variants);
    let next = || {
        let records = after.split(|&byte| byte == b'\n').filter_map(|line| match Line::of(line) {
            Line::Record(record) => Some(record),
            Line::Copied(_) => None,
        });
        records.take(1).any(notation::is_self_describing)
    };
    (names_rule && !next())
        .then_some("a comment names a rule, which is not read; --variant adds a variant")
}

/// Returns the reason why a line is invalid if another variant would read the first field of
/// `rest`, its unread part. Fields `-` at its beginning, which mean missing fields, are skipped.
pub(crate) fn unread_rules(rest: &[u8], cells: usize, variants: &Variants) -> Option<&'static str> {
    let is_missing = |field: &&[u8]| *field == b"-";
    let first = Fields::of(rest).find(|field| !is_missing(field)).unwrap_or_default();
    // Cages can contain `,` and `:`, so they end at a blank.
    let mut fields = Fields::with(Separators::Blanks, rest).skip_while(is_missing);
    let mut next_are_unread_cages = || {
        let field = fields.next().unwrap_or_default();
        !variants.contains(Variant::Killer) && are_cages(field, cells)
    };
    let are_cages_first = next_are_unread_cages();
    if !variants.have_regions() && first.len() == cells && is_layout(first) {
        return Some(if next_are_unread_cages() { LAYOUT_AND_CAGES_HINT } else { LAYOUT_HINT });
    }
    match are_cages_first {
        true => Some(CAGES_HINT),
        false => names_rule(rest, first, variants).then_some(NAMED_RULE_HINT),
    }
}

/// Returns the reason why a line is invalid if the text after its answer names a rule.
pub(crate) fn unread_rule_after_answer(rest: &[u8], variants: &Variants) -> Option<&'static str> {
    let first = Fields::of(rest).next().unwrap_or_default();
    names_rule(rest, first, variants).then_some(RULE_AFTER_ANSWER_HINT)
}

/// `first` is the first field of `rest`. Later words are a text, unless they are fields.
fn names_rule(rest: &[u8], first: &[u8], variants: &Variants) -> bool {
    let can_be_rule = || std::str::from_utf8(first).is_ok_and(rule_names::can_be_field);
    *variants == Variants::default() && can_be_rule()
        || rule_names::is_unread_rule(first, variants)
        || rule_names::has_unread_rule(rest, variants)
}

/// Returns false for arrows that have only sums and `.`: `DescribedPuzzle::read_cages` could read
/// them as cages, but they are more likely a puzzle or an answer.
fn are_cages(field: &[u8], cells: usize) -> bool {
    if !notation::is_arrows(field) && !notation::is_self_describing(field) {
        return false;
    }
    let read = DescribedPuzzle::read_cages(field, cells.isqrt());
    read.is_ok_and(|read| !read.cages().is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_a_drawing_are_recognised() {
        for (line, is_part) in [
            ("[Puzzle]", true),
            ("[", false),
            ("+---+---+", true),
            ("*-----------*", true),
            ("------+-------+------", true),
            (".---.---.", true),
            ("===", true),
            ("┌───┬───┐", true),
            ("--", false),
            ("53..7....", true),
            ("5 3 . . 7 . . . .", true),
            ("53. .7. ...", true),
            ("|53.|.7.|...|", true),
            ("53.|.7.|...", true),
            ("│53.│.7.│...│", true),
            ("1.|..", true),
            ("1...", true),
            // Too short, too long, or not the side of a puzzle.
            ("x", false),
            ("123", false),
            ("1..3....5.23.7..49", false),
            ("1.3.5", false),
            ("...............", false),
            (".........................", false),
            ("1..3....5.23.7..4", false),
            ("_..............-", false),
            // A mark of a digit that is not a given; two kinds of blanks.
            ("1+.....3..2.....4", false),
            ("x+..............", false),
            ("1...-...........", false),
            // Symbols that are no digits of a puzzle of that side.
            ("yyyy", false),
            ("1235....", true),
            ("1239....", false),
            ("0 3 8 0 0 10 7 0 0 6 4 0", true),
            ("0 3 8 0 0 13 7 0 0 6 4 0", false),
            // Fields.
            ("1234 12", false),
            ("12 3456789", false),
        ] {
            let alphabet = Alphabet::default();
            let (sizes, variants) = (Sizes::default(), Variants::default());
            let explanation = explain("-".into(), line.as_bytes(), &alphabet, &sizes, &variants);
            let hint = explanation.hint.unwrap_or_default();
            let is_drawn = hint == DRAWN_HINT || hint.ends_with(": --input grid)");
            assert_eq!(is_drawn, is_part, "{line:?}: {hint}");
        }
    }

    #[test]
    fn other_symbols_of_large_puzzles_are_named() {
        let (letters, digits) = ("ABCDEFGHIJKLMNOP", "0123456789ABCDEF");
        for (rows, symbols) in [
            (vec![letters.replace('C', "."); 16].concat(), Some(letters)),
            (vec![letters.replace('C', "0"); 16].join(" "), Some(letters)),
            (vec![digits.replace('7', "."); 16].concat() + "\tsolution", Some(digits)),
            (vec!["0123456789".replace('7', "."); 10].concat(), Some("0123456789")),
            (vec![digits.to_lowercase().replace('7', "."); 16].concat(), Some("0123456789abcdef")),
            (["12345678"; 8].concat(), None),
            (["ABCDEFGHIJKLMNOZ"; 16].concat(), None),
        ] {
            let (sizes, variants) = (Sizes::default(), Variants::default());
            let explained =
                |alphabet| explain("-".into(), rows.as_bytes(), &alphabet, &sizes, &variants).hint;
            let hint = symbols.map(|it| format!("(other symbols: --symbols {it})"));
            assert_eq!(explained(Alphabet::default()), hint, "{rows}");
            assert_eq!(explained(Alphabet::of_symbols("ABCDEFGHIJKLMNOQ").unwrap()), None);
        }
    }

    #[test]
    fn layouts_and_answers_are_distinguished() {
        for (labels, expected) in [
            ("AAABCCABDCCBDDDB", true),
            ("0001220132213331", true),
            // Rows as regions.
            ("AAAABBBBCCCCDDDD", true),
            // A solution, one with two digits exchanged, and dots.
            ("1342243142133124", false),
            ("1342243142133142", false),
            ("................", false),
            // Too many cells of one region; a region in pieces.
            ("AAAACCABDCCBDDDB", false),
            ("AABBABABCCDDCCDD", false),
            ("AAABCCABDCCBDDD", false),
        ] {
            assert_eq!(is_layout(labels.as_bytes()), expected, "{labels}");
        }
    }
}
