//! A slow and plain version of the documented behaviour. It shares no code with the library.

use std::collections::BTreeMap;

use super::described::{self, Cages};

pub fn is_blank(byte: u8) -> bool {
    byte == b' ' || byte == b'\t'
}

/// Returns a line without its line end.
pub fn without_end(line: &[u8]) -> &[u8] {
    let line = line.strip_suffix(b"\n").unwrap_or(line);
    line.strip_suffix(b"\r").unwrap_or(line)
}

/// True if the text has a line that is too long to be read. The target `chunks` covers such lines.
pub fn has_overlong(text: &[u8]) -> bool {
    text.split(|&byte| byte == b'\n').any(|line| line.len() > 65536)
}

/// Returns a line without its byte order mark.
pub fn without_mark(line: &[u8]) -> &[u8] {
    line.strip_prefix(b"\xef\xbb\xbf").unwrap_or(line)
}

/// True if a line, given without its line end, is copied to the output.
pub fn is_copied(line: &[u8]) -> bool {
    let line = without_mark(line);
    line.first() == Some(&b'#') && !has_line_end(line) || line.iter().all(|&byte| is_blank(byte))
}

/// True if a CR is before another byte of a line. Such a line is invalid.
pub fn has_line_end(line: &[u8]) -> bool {
    let mut after_first = line.iter().skip_while(|&&byte| byte != b'\r');
    after_first.any(|&byte| byte != b'\r')
}

/// The bytes between the fields of a line.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Separators {
    /// Blanks, or one of `,;:` with any blanks around it.
    Usual,
    Blanks,
}

impl Separators {
    /// Returns the separators for these variants: cages contain `,` and `:`.
    pub fn of(variants: &str) -> Separators {
        if variants.contains("killer") { Separators::Blanks } else { Separators::Usual }
    }
}

/// Splits a line without its byte order mark into fields. A field that describes its rules ends at
/// a blank, whatever the separators.
pub fn fields(line: &[u8], separators: Separators) -> Vec<Vec<u8>> {
    let line = trimmed(line);
    let mut fields = Vec::new();
    let mut left = (!line.is_empty()).then_some(line);
    while let Some(text) = left {
        let has_marks = separators == Separators::Usual && !described::is_described(text);
        let is_end = |byte: &u8| is_blank(*byte) || has_marks && b",;:".contains(byte);
        let end = text.iter().position(is_end);
        fields.push(text[..end.unwrap_or(text.len())].to_vec());
        left = end.map(|end| behind_separator(&text[end..], separators));
    }
    fields
}

/// Returns the text behind the separator with which it begins.
fn behind_separator(text: &[u8], separators: Separators) -> &[u8] {
    let text = without_first_blanks(text);
    match text {
        [b',' | b';' | b':', text @ ..] if separators == Separators::Usual => {
            without_first_blanks(text)
        }
        _ => text,
    }
}

fn without_first_blanks(text: &[u8]) -> &[u8] {
    let first = text.iter().position(|&byte| !is_blank(byte));
    &text[first.unwrap_or(text.len())..]
}

/// Returns the digits of a puzzle, 0 for a blank cell. `None` if a symbol has no meaning or there
/// are two kinds of blank.
pub fn digits(field: &[u8], side: usize) -> Option<Vec<u8>> {
    let mut blank = None;
    let digit = |&symbol: &u8| {
        let digit = match symbol {
            b'1'..=b'9' => symbol - b'0',
            b'.' | b'0' | b'_' | b'*' | b'-' | b'?' | b'x'
                if *blank.get_or_insert(symbol) == symbol =>
            {
                0
            }
            b'A'..=b'P' => symbol - b'A' + 10,
            b'a'..=b'p' => symbol - b'a' + 10,
            _ => return None,
        };
        (usize::from(digit) <= side).then_some(digit)
    };
    field.iter().map(digit).collect()
}

/// True if labels are a layout: `side` labels, each in `side` cells, each region connected unless
/// `disconnected` allows others.
pub fn is_layout(labels: &[u8], side: usize, disconnected: bool) -> bool {
    let mut regions = BTreeMap::<u8, Vec<usize>>::new();
    for (cell, &label) in labels.iter().enumerate() {
        regions.entry(label).or_default().push(cell);
    }
    labels.len() == side * side
        && regions.len() == side
        && regions
            .values()
            .all(|cells| cells.len() == side && (disconnected || is_connected(cells, side)))
}

fn is_connected(cells: &[usize], side: usize) -> bool {
    let mut left = cells.to_vec();
    let mut frontier: Vec<usize> = left.pop().into_iter().collect();
    while let Some(cell) = frontier.pop() {
        let is_adjacent = |other: &mut usize| {
            let (rows, columns) =
                ((*other / side).abs_diff(cell / side), (*other % side).abs_diff(cell % side));
            rows + columns == 1
        };
        frontier.extend(left.extract_if(.., is_adjacent));
    }
    left.is_empty()
}

/// Returns the rows and columns of the usual box: as square as possible, and at least as wide as
/// high.
pub fn usual_box(side: usize) -> Option<[usize; 2]> {
    let sides = [4, 6, 8, 9, 10, 12, 14, 15, 16, 18, 20, 21, 24, 25];
    let rows = (1..=side.isqrt()).rev().find(|&rows| side.is_multiple_of(rows))?;
    sides.contains(&side).then_some([rows, side / rows])
}

/// The division of a grid.
#[derive(Clone, Debug)]
pub enum Division {
    /// Boxes of this many rows and columns.
    Boxes([usize; 2]),
    /// Regions, as one label a cell.
    Regions(Vec<u8>),
}

/// The rules of a puzzle.
#[derive(Clone, Debug)]
pub struct Rules {
    pub side: usize,
    pub division: Division,
    pub diagonals: bool,
    pub windows: bool,
    pub cages: Cages,
}

impl Rules {
    /// Returns the sets of cells that must all differ.
    fn sets(&self) -> Vec<Vec<usize>> {
        let mut sets = BTreeMap::<(u8, usize), Vec<usize>>::new();
        for cell in 0..self.side * self.side {
            for set in self.sets_of(cell) {
                sets.entry(set).or_default().push(cell);
            }
        }
        let cages = self.cages.iter().map(|(cells, _)| cells);
        let cages = cages.map(|cells| cells.iter().map(|&cell| cell.into()).collect());
        sets.into_values().chain(cages).collect()
    }

    /// Returns the sets of a cell, without cages: the kind of each set, and its number among those
    /// of the kind.
    fn sets_of(&self, cell: usize) -> Vec<(u8, usize)> {
        let (row, column) = (cell / self.side, cell % self.side);
        let division = match &self.division {
            Division::Regions(labels) => labels[cell].into(),
            Division::Boxes([rows, columns]) => row / rows * self.side + column / columns,
        };
        let mut sets = vec![(0, row), (1, column), (2, division)];
        if self.diagonals {
            sets.extend((row == column).then_some((3, 0)));
            sets.extend((row + column + 1 == self.side).then_some((3, 1)));
        }
        // Windows have a row and a column without window between them.
        let step = self.side.isqrt() + 1;
        if self.windows && row % step != 0 && column % step != 0 {
            sets.push((4, row / step * self.side + column / step));
        }
        sets
    }

    /// Returns for each cell the cells that must differ from it.
    fn peers(&self) -> Vec<Vec<usize>> {
        let mut peers = vec![Vec::new(); self.side * self.side];
        for set in self.sets() {
            for &cell in &set {
                peers[cell].extend(set.iter().copied().filter(|&peer| peer != cell));
            }
        }
        peers
    }

    /// Returns for each cell the cage that it is in, if that has a sum.
    fn cage_of_cells(&self) -> Vec<Option<usize>> {
        let mut cage_of = vec![None; self.side * self.side];
        for (index, (cells, sum)) in self.cages.iter().enumerate() {
            for &cell in cells {
                cage_of[usize::from(cell)] = sum.map(|_| index);
            }
        }
        cage_of
    }

    /// True if different digits in the blank cells of a cage can add up to its sum.
    fn can_add_up(&self, cage: usize, grid: &[u8]) -> bool {
        let (cells, sum) = &self.cages[cage];
        let digits = cells.iter().map(|&cell| usize::from(grid[usize::from(cell)]));
        let blanks = digits.clone().filter(|&digit| digit == 0).count();
        let least: usize = digits.sum::<usize>() + (1..=blanks).sum::<usize>();
        let most = least + blanks * (self.side - blanks);
        sum.is_none_or(|sum| (least..=most).contains(&usize::from(sum)))
    }
}

/// Counts solutions, up to two, by trying the candidates of each blank cell in order (bit d-1 is
/// digit d). `None` if that takes more than `tries`.
pub fn solutions(rules: &Rules, allowed: &[u32], mut tries: u32) -> Option<usize> {
    let (peers, cage_of) = (rules.peers(), rules.cage_of_cells());
    let fits = |grid: &[u8], cell: usize| {
        peers[cell].iter().all(|&peer| grid[peer] != grid[cell])
            && cage_of[cell].is_none_or(|cage| rules.can_add_up(cage, grid))
    };
    let given = |digits: &u32| match digits.count_ones() {
        1 => digits.trailing_zeros() as u8 + 1,
        _ => 0,
    };
    let mut grid: Vec<u8> = allowed.iter().map(given).collect();
    let contradicts = |cell: usize| allowed[cell] == 0 || grid[cell] != 0 && !fits(&grid, cell);
    if (0..grid.len()).any(contradicts) {
        return Some(0);
    }
    let blanks: Vec<usize> = (0..grid.len()).filter(|&cell| grid[cell] == 0).collect();
    let (mut at, mut found) = (0, 0);
    loop {
        if at == blanks.len() {
            found += 1;
            if found == 2 || at == 0 {
                return Some(found);
            }
            at -= 1;
        }
        let cell = blanks[at];
        let untried = grid[cell] + 1..=rules.side as u8;
        let next = untried.into_iter().find(|digit| allowed[cell] >> (digit - 1) & 1 == 1);
        grid[cell] = next.unwrap_or(0);
        match next {
            Some(_) => {
                tries = tries.checked_sub(1)?;
                at += usize::from(fits(&grid, cell));
            }
            None if at == 0 => return Some(found),
            None => at -= 1,
        }
    }
}

/// Returns the candidates of a 9x9 in pencilmarks: nine symbols for each cell, each the digit or a
/// blank.
pub fn pencilmarks(field: &[u8]) -> Option<Vec<u32>> {
    let mut blank = None;
    let mut cells = vec![0; 81];
    for (place, &symbol) in field.iter().enumerate() {
        if symbol == b"123456789"[place % 9] {
            cells[place / 9] |= 1 << (place % 9);
        } else if !b".0_*-?x".contains(&symbol) || *blank.get_or_insert(symbol) != symbol {
            return None;
        }
    }
    (field.len() == 729).then_some(cells)
}

/// Splits a record of CSV (RFC 4180) into fields. A quoted field can contain anything, with its
/// quotes doubled; other fields contain no quote.
pub fn csv(record: &[u8], separator: u8) -> Option<Vec<Vec<u8>>> {
    let mut fields = vec![Vec::new()];
    let mut bytes = record.iter().copied().peekable();
    loop {
        let field = fields.last_mut()?;
        if bytes.next_if_eq(&b'"').is_some() {
            loop {
                match bytes.next()? {
                    b'"' if bytes.next_if_eq(&b'"').is_some() => field.push(b'"'),
                    b'"' => break,
                    byte => field.push(byte),
                }
            }
        } else {
            while let Some(byte) = bytes.next_if(|&byte| byte != separator) {
                if byte == b'"' {
                    return None;
                }
                field.push(byte);
            }
        }
        match bytes.next() {
            None => return Some(fields),
            Some(byte) if byte == separator => fields.push(Vec::new()),
            Some(_) => return None,
        }
    }
}

/// Returns a field without the blanks at its ends.
pub fn trimmed(mut field: &[u8]) -> &[u8] {
    while let [first, rest @ ..] = field
        && is_blank(*first)
    {
        field = rest;
    }
    while let [rest @ .., last] = field
        && is_blank(*last)
    {
        field = rest;
    }
    field
}

/// True if a text is refused because it is compressed data or UTF-16.
pub fn is_packed(text: &[u8]) -> bool {
    let bzip2 = text.len() >= 10
        && text.starts_with(b"BZh")
        && (b'1'..=b'9').contains(&text[3])
        && (text[4..].starts_with(b"1AY&SY") || text[4..].starts_with(b"\x17rE8P\x90"));
    let others: [&[u8]; 8] = [
        b"\x1f\x8b",
        b"\x1f\x9d",
        b"\x28\xb5\x2f\xfd",
        b"\xfd7zXZ\0",
        b"\x04\"M\x18",
        b"PK\x03\x04",
        b"PK\x05\x06",
        b"PK\x07\x08",
    ];
    bzip2 || others.iter().any(|magic| text.starts_with(magic)) || is_utf16(text)
}

/// True if a text has a byte order mark of UTF-16, or if of the bytes of its first line, ten at
/// most, every other one is NUL.
fn is_utf16(text: &[u8]) -> bool {
    let line = text.split(|&byte| byte == b'\n').next().unwrap_or_default();
    let line = &line[..line.len().min(10) / 2 * 2];
    let has_nuls_at = |first: usize| {
        let mut bytes = line.iter().enumerate();
        bytes.all(|(index, &byte)| (index % 2 == first) == (byte == 0))
    };
    let has_mark = text.starts_with(b"\xff\xfe") || text.starts_with(b"\xfe\xff");
    has_mark || line.len() >= 4 && (has_nuls_at(0) || has_nuls_at(1))
}

/// An entry of drawings: the number of its first line, and its rows.
pub struct Drawing {
    pub number: u64,
    pub rows: Vec<Vec<u8>>,
    pub is_valid: bool,
}

/// Judges the entries that are read from drawings, with this number of grids at most.
///
/// * The symbols of the entries occur in the text in their order, none twice, and those of an entry
///   from its line on. So no line is in two entries, except a line of several quoted texts.
/// * An entry without a fault is grids of N rows of N symbols, or N² for candidates.
/// * Its puzzle has no rows from both sides of a heading, two blank lines or text.
/// * Puzzles of nothing but rows of digits and dots are read exactly. Returns their lines.
pub fn judge_drawings(text: &[u8], drawings: &[Drawing], grids: usize) -> Vec<u64> {
    let begins = begins_of_lines(text);
    let line_of = |place: usize| begins.partition_point(|&begin| begin < place) as u64;
    let mut place = 0;
    for (index, Drawing { number, rows, is_valid }) in drawings.iter().enumerate() {
        place = place.max(begins[*number as usize - 1]);
        let side = side_of_drawing(rows);
        let mut end_of_puzzle = place;
        for (row, symbols) in rows.iter().enumerate() {
            let ends = [end_of_symbols, end_of_candidates].map(|end| end(&text[place..], symbols));
            let end = ends.into_iter().flatten().min();
            place += end.unwrap_or_else(|| panic!("entry {number}: row {row} is not there"));
            end_of_puzzle = if row < side { place } else { end_of_puzzle };
        }
        if let Some(next) = drawings.get(index + 1) {
            assert!(next.number >= *number, "entry {number} follows a later one");
            let line = without_end(line_at(text, &begins, next.number));
            let is_quoted = line.iter().any(|byte| b"\"'`".contains(byte));
            let is_before = next.number > *number && line_of(place) < next.number;
            assert!(is_quoted || is_before, "line {} is in two entries", next.number);
        }
        if *is_valid {
            let is_row = |row: &Vec<u8>| row.len() == side || row.len() == side * side;
            assert!(side > 0 && rows.iter().all(is_row), "entry {number}: widths");
            let counts = (1..=grids).map(|grids| grids * side);
            assert!(counts.into_iter().any(|count| count == rows.len()), "entry {number}: rows");
            for line in number + 1..=line_of(end_of_puzzle) {
                let [above, this] = [line - 1, line].map(|line| line_at(text, &begins, line));
                let are_blank = is_blank_line(above) && is_blank_line(this);
                let is_end = are_blank || is_heading(this) || is_text(this);
                assert!(!is_end, "entry {number} has rows from both sides of line {line}");
            }
        }
    }
    let (plain, is_all) = plain_drawings(text, grids);
    let found: Vec<_> = drawings.iter().map(|it| (it.number, it.rows.clone())).collect();
    match is_all {
        true => assert_eq!(found, plain),
        false => assert!(plain.iter().all(|it| found.contains(it)), "{plain:?} of {found:?}"),
    }
    plain.iter().map(|(number, _)| *number).collect()
}

/// Returns the offsets at which the lines of a text begin.
fn begins_of_lines(text: &[u8]) -> Vec<usize> {
    let ends = (0..text.len()).filter(|&at| text[at] == b'\n');
    [0].into_iter().chain(ends.map(|end| end + 1)).collect()
}

fn line_at<'t>(text: &'t [u8], begins: &[usize], number: u64) -> &'t [u8] {
    let end = begins.get(number as usize).copied().unwrap_or(text.len());
    without_end(&text[begins[number as usize - 1]..end])
}

/// Returns N for rows of N symbols, or N² if the number of rows is none of grids of this width.
pub fn side_of_drawing(rows: &[Vec<u8>]) -> usize {
    let width = rows.first().map_or(0, Vec::len);
    match width {
        0 => 0,
        _ if rows.len().is_multiple_of(width) => width,
        _ => width.isqrt(),
    }
}

/// Returns the end of the first place that has these symbols in this order. Blank cells and symbols
/// outside ASCII can be written in any way, digits from 10 as numbers.
fn end_of_symbols(text: &[u8], symbols: &[u8]) -> Option<usize> {
    let mut end = 0;
    for symbol in symbols.iter().filter(|it| it.is_ascii() && !b".-".contains(it)) {
        let number = match symbol.to_ascii_uppercase() {
            letter @ b'A'..=b'P' => (letter - b'A' + 10).to_string().into_bytes(),
            _ => vec![*symbol],
        };
        let next = |wanted: &[u8]| {
            let at = text[end..].windows(wanted.len()).position(|it| it == wanted)?;
            Some(end + at + wanted.len())
        };
        end = [next(&[*symbol]), next(&number)].into_iter().flatten().min()?;
    }
    Some(end)
}

/// As `end_of_symbols`, for a row of N cells with N symbols each, which are the digits of candidates
/// in the order 1 to N. In the text, they can be in another order.
fn end_of_candidates(text: &[u8], symbols: &[u8]) -> Option<usize> {
    let (side, mut end) = (symbols.len().isqrt(), 0);
    for cell in symbols.chunks(side) {
        let mut digits: Vec<u8> = cell.iter().copied().filter(|&it| it != b'.').collect();
        digits.sort_unstable();
        let is_cell = |group: &[u8]| {
            let mut group = group.to_vec();
            group.sort_unstable();
            group == digits
        };
        let at = text[end..].windows(digits.len().max(1)).position(is_cell)?;
        end += at + digits.len();
    }
    Some(end)
}

fn is_blank_line(line: &[u8]) -> bool {
    line.iter().all(|&byte| is_blank(byte))
}

fn is_heading(line: &[u8]) -> bool {
    let is_name = line.get(1).is_some_and(u8::is_ascii_alphabetic);
    line.starts_with(b"[") && is_name && !line.contains(&b'"') && !has_line_end(line)
}

/// True for a line that is text in any source: words of letters, one of which has two different
/// letters that are no digits of any puzzle, and few other letters.
fn is_text(line: &[u8]) -> bool {
    let words: Vec<&[u8]> = line.split(|&byte| byte == b' ').collect();
    let is_word = |word: &&[u8]| {
        let mut foreign = word.iter().filter(|it| b"qrstuvwyzQRSTUVWYZ".contains(it));
        let first = foreign.next();
        foreign.next().is_some() && word.iter().any(|it| Some(it) != first)
    };
    let others = words.iter().filter(|word| !is_word(word)).map(|word| word.len());
    words.len() > 1
        && line.len() < 60
        && line.iter().all(|it| it.is_ascii_alphabetic() || *it == b' ')
        && words.iter().any(is_word)
        && others.sum::<usize>() < 4
}

/// The rows of a puzzle, and the number of the first one.
type Numbered = (u64, Vec<Vec<u8>>);

/// Returns puzzles that must be found, and true if the whole text is such puzzles: N rows of N digits
/// and dots for each grid, below the start of the text, a blank line or a heading, and above one of
/// these or the end. What is below a blank line counts only if the whole text is such puzzles.
fn plain_drawings(text: &[u8], grids: usize) -> (Vec<Numbered>, bool) {
    let lines: Vec<&[u8]> = text.split(|&byte| byte == b'\n').collect();
    let is_end = |line: &&[u8]| line.is_empty() || *line == b"[Puzzle]";
    let (mut sure, mut all, mut is_all) = (Vec::new(), Vec::new(), true);
    let mut first = 0;
    for block in lines.split(is_end) {
        let side = block.first().map_or(0, |row| row.len());
        let is_digit =
            |byte: &u8| *byte == b'.' || byte.is_ascii_digit() && usize::from(byte - b'0') <= side;
        let is_row = |row: &&[u8]| row.len() == side && row.iter().all(is_digit);
        let is_puzzle =
            (2..=25).contains(&side) && block.len() == grids * side && block.iter().all(is_row);
        if is_puzzle {
            let rows: Vec<Vec<u8>> = block.iter().map(|row| row.to_vec()).collect();
            all.push((first as u64 + 1, rows));
            if first == 0 || lines[first - 1] == b"[Puzzle]" {
                sure.extend(all.last().cloned());
            }
        }
        is_all &= is_puzzle || block.is_empty();
        first += block.len() + 1;
    }
    is_all &= !all.is_empty();
    (if is_all { all } else { sure }, is_all)
}

/// A puzzle without the `+` before digits that were not given.
pub fn without_plus(field: &[u8]) -> Vec<u8> {
    let is_digit = |byte: &u8| byte.is_ascii_alphanumeric() && *byte != b'x' && *byte != b'0';
    let pairs = field.iter().zip(field.iter().skip(1).map(Some).chain([None]));
    let kept = pairs.filter(|(byte, next)| **byte != b'+' || !next.is_some_and(is_digit));
    kept.map(|(byte, _)| *byte).collect()
}
