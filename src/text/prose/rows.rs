//! Reads a line as rows of cells, in every way that the line allows. No size is known here: whoever
//! calls this decides which of the rows can be of a grid.
//!
//! ```text
//!     Row 2: 534 6.8 912 is done.     a segment: `534 6.8 912`, since words and `:` end it
//!            Symbols                  5 3 4 6 . 8 9 1 2
//!     | 7 | 5 | 3 | . | 10 |
//!            Atoms                    7 5 3 . 10
//!            Atoms, after a label     5 3 . 10
//! ```

/// A way to divide a line into cells.
///
/// An *atom* is a run of letters, digits and symbols of blank cells. A *segment* is a run of atoms
/// with nothing but separators (spaces, bars, commas, quotes, brackets) between them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Reading {
    /// Each atom of a segment is a cell: `5 10 . 7`.
    Atoms,
    /// Each symbol of a segment is a cell: `53. 7.2`.
    Symbols,
    /// Each symbol of one atom is a cell, and other atoms are beside it: `5... 5342`.
    Atom,
}

/// Cells of a line that can be a row, or several rows, of a grid.
#[derive(Clone, Debug)]
pub struct Row<'t> {
    pub reading: Reading,
    /// True if the row is only a part of its segment: the first atom is a label.
    pub is_after_label: bool,
    pub cells: Vec<&'t str>,
    /// The number before the row, as in `Row 3: ...`.
    pub number: Option<usize>,
    /// The last word before the row, behind any row before it.
    pub word: &'t str,
    /// Counts the segments of the line.
    pub segment: usize,
    /// True if an arrow precedes the row: it replaces the row before the arrow.
    pub is_after_arrow: bool,
    /// True if a `.` or `?` behind the row is taken for the end of a sentence.
    pub ends_sentence: bool,
}

/// A run of atoms, and the text between it and the segment before it.
struct Segment<'t> {
    /// Where the text before it begins in the line.
    begin: usize,
    before: &'t str,
    atoms: Vec<&'t str>,
}

impl Segment<'_> {
    fn is_short(&self) -> bool {
        self.atoms.iter().map(|atom| atom.len()).sum::<usize>() <= MAX_LABEL
    }
}

/// The side of the smallest grid.
const MIN_CELLS: usize = 4;
/// Segments of so few symbols, such as the number in `Row 12: ...`, are text.
const MAX_LABEL: usize = 2;

/// Returns all rows of the line. `is_symbol` tells which characters can be cells.
pub fn rows<'t>(line: &'t str, is_symbol: &dyn Fn(char) -> bool) -> Vec<Row<'t>> {
    let mut rows = Vec::new();
    for (index, segment) in segments(line, is_symbol).into_iter().enumerate() {
        let base = Row {
            reading: Reading::Atoms,
            is_after_label: false,
            cells: Vec::new(),
            number: last_number(segment.before),
            word: words(segment.before).last().unwrap_or_default(),
            segment: index,
            is_after_arrow: has_arrow(segment.before),
            ends_sentence: false,
        };
        read_segment(&segment.atoms, &base, is_symbol, &mut rows);
    }
    rows
}

fn read_segment<'t>(
    atoms: &[&'t str],
    base: &Row<'t>,
    is_symbol: &dyn Fn(char) -> bool,
    rows: &mut Vec<Row<'t>>,
) {
    let number = atoms[0].trim_end_matches('.').parse().ok();
    for (is_after_label, atoms) in [(false, atoms), (true, &atoms[1..])] {
        let number = if is_after_label { number } else { base.number };
        let row = Row { is_after_label, number, ..base.clone() };
        let has_symbols = atoms.iter().all(|atom| atom.chars().all(is_symbol));
        let cells: Option<Vec<_>> = atoms.iter().map(|atom| cell(atom)).collect();
        if has_symbols && !atoms.is_empty() {
            let cells = atoms.iter().flat_map(|atom| symbols(atom)).collect::<Vec<_>>();
            // A `.` or `?` behind the row can be the end of a sentence.
            if let [others @ .., "." | "?"] = &cells[..] {
                let cells = others.to_vec();
                let reading = Reading::Symbols;
                rows.push(Row { reading, cells, ends_sentence: true, ..row.clone() });
            }
            rows.push(Row { reading: Reading::Symbols, cells, ..row.clone() });
        }
        if let Some(cells) = cells.filter(|cells| !cells.is_empty()) {
            rows.push(Row { reading: Reading::Atoms, cells, ..row });
        }
    }
    let are_rows = |atom: &&&str| atom.len() >= MIN_CELLS && atom.chars().all(is_symbol);
    for atom in atoms.iter().filter(are_rows).filter(|_| atoms.len() > 1) {
        rows.push(Row { reading: Reading::Atom, cells: symbols(atom).collect(), ..base.clone() });
    }
}

fn segments<'t>(line: &'t str, is_symbol: &dyn Fn(char) -> bool) -> Vec<Segment<'t>> {
    let is_of_atom = |it: char| it.is_alphanumeric() || "._?-*".contains(it) || is_symbol(it);
    let mut segments: Vec<Segment> = Vec::new();
    let mut is_open = false;
    // The end of the last segment.
    let mut end = 0;
    let mut rest = line;
    while let Some(symbol) = rest.chars().next() {
        let start = line.len() - rest.len();
        let length = if is_of_atom(symbol) {
            rest.find(|it| !is_of_atom(it)).unwrap_or(rest.len())
        } else {
            symbol.len_utf8()
        };
        let text = &rest[..length];
        rest = &rest[length..];
        if !is_of_atom(symbol) {
            is_open &= is_separator(symbol);
            continue;
        }
        // Hyphens are separators in `5-3-4` and `534-672`, and borders in `---`.
        let has_hyphens_between = text
            .split('-')
            .all(|part| !part.is_empty() && part.len() == text.find('-').unwrap_or(text.len()));
        let atoms: Vec<&str> = match text {
            _ if is_symbol('-') => vec![text],
            _ if text.len() > 1 && text.chars().all(|it| it == '-') => continue,
            _ if has_hyphens_between => text.split('-').collect(),
            _ => vec![text],
        };
        let can_be_cells = |atom: &&str| cell(atom).is_some() || atom.chars().all(is_symbol);
        if !atoms.iter().all(can_be_cells) {
            is_open = false;
            continue;
        }
        if is_open && let Some(last) = segments.last_mut() {
            last.atoms.extend(atoms);
        } else {
            let begin = match segments.pop_if(|last| last.is_short()) {
                Some(short) => short.begin,
                None => end,
            };
            segments.push(Segment { begin, before: &line[begin..start], atoms });
        }
        is_open = true;
        end = start + length;
    }
    segments.pop_if(|last| last.is_short());
    segments
}

/// Returns the cell that is this atom: a symbol, a number or a repeated symbol of a blank cell. A
/// `.` behind a number is the end of a sentence.
fn cell(atom: &str) -> Option<&str> {
    let number = atom.trim_end_matches(['.', '?']);
    let is_number = |text: &str| text.bytes().all(|it| it.is_ascii_digit());
    if !number.is_empty() && number.len() < 4 && is_number(number) && atom.len() <= number.len() + 1
    {
        return Some(number);
    }
    let first = atom.chars().next()?;
    let is_repeated = "_?.".contains(first) && atom.len() < 4;
    let is_cell =
        atom.chars().all(|it| it == first) && (is_repeated || atom.len() == first.len_utf8());
    is_cell.then(|| &atom[..first.len_utf8()])
}

fn symbols(atom: &str) -> impl Iterator<Item = &str> {
    atom.char_indices().map(|(start, symbol)| &atom[start..start + symbol.len_utf8()])
}

fn is_separator(symbol: char) -> bool {
    " \t\r|,;/'\"`()[]{}&\\+".contains(symbol)
}

fn has_arrow(text: &str) -> bool {
    ["->", "=>", "→", "⇒"].iter().any(|arrow| text.contains(arrow))
}

fn last_number(text: &str) -> Option<usize> {
    text.split(|it: char| !it.is_ascii_digit()).rfind(|part| !part.is_empty())?.parse().ok()
}

/// Returns the words of a text. A single letter of the Latin alphabet is none: it can be a label.
pub fn words(text: &str) -> impl Iterator<Item = &str> {
    let words = text.split(|it: char| !it.is_alphabetic());
    words.filter(|word| word.len() > 1)
}
