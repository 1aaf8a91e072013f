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

/// A drawn puzzle: the number of its first line, and its rows. An empty row is a separator within a
/// grid.
pub type Drawing = (u64, Vec<Vec<u8>>);

/// A line of a drawn source, as far as it is classified here.
enum DrawnLine {
    /// A comment, a frame, or a line of borders.
    Nothing,
    Blank,
    Heading,
    Row(Vec<u8>),
}

/// A line of a drawn source, without borders. Of an overlong line no more is looked at.
fn drawn_line(line: &[u8]) -> DrawnLine {
    let line = &line[..line.len().min(65537)];
    let line = without_mark(line.strip_suffix(b"\r").unwrap_or(line));
    let mut plain = Vec::new();
    let mut left = line;
    while !left.is_empty() {
        let first = left.get(..3).and_then(|bytes| std::str::from_utf8(bytes).ok());
        let first = first.and_then(|text| text.chars().next());
        let is_box = first.is_some_and(|first| ('\u{2500}'..='\u{257f}').contains(&first));
        let is_vertical = first.is_some_and(|first| "│┃┆┇┊┋╎╏║".contains(first));
        plain.push(match (is_box, is_vertical) {
            (true, true) => b'|',
            (true, false) => b'+',
            _ => left[0],
        });
        left = &left[if is_box { 3 } else { 1 }..];
    }
    let holds_only = |bytes: &[u8]| plain.iter().all(|byte| bytes.contains(byte));
    match line.first() {
        _ if has_line_end(line) => {}
        Some(b'#') => return DrawnLine::Nothing,
        Some(b'[') => return DrawnLine::Heading,
        _ if holds_only(b" \t") => return DrawnLine::Blank,
        _ if is_border(&plain) => return DrawnLine::Nothing,
        _ => {}
    }
    let sides = plain.trim_ascii();
    if let [first @ (b':' | b'\''), row @ .., last] = sides
        && first == last
    {
        plain = row.to_vec();
    }
    plain.retain(|byte| !b" \t|+".contains(byte));
    plain.truncate(1024);
    if plain.is_empty() { DrawnLine::Nothing } else { DrawnLine::Row(plain) }
}

/// True for a line of borders that is no row of blank cells such as `- - - -`.
fn is_border(line: &[u8]) -> bool {
    let dashes = line.iter().filter(|&&byte| byte == b'-').count();
    let has_line = line.windows(2).any(|pair| pair == b"--" || pair == b"==");
    let parts: &[u8] = if has_line { b" \t|+-*=.:'" } else { b" \t|+-" };
    let has_corner = line.contains(&b'+') || dashes < 2;
    line.iter().all(|byte| parts.contains(byte)) && (has_line || has_corner)
}

/// Judges the puzzles read from a drawn text. Every row is in at most one puzzle, in order. Each
/// puzzle begins on its line. Only words, rows after a heading, and lines above rows of another
/// width are left out. No grid of N rows of N symbols has a blank line or a heading between its
/// rows.
pub fn judge_drawings(text: &[u8], drawings: &[Drawing]) {
    let lines = text.split(|&byte| byte == b'\n').map(drawn_line);
    let lines: Vec<(u64, DrawnLine)> = (1..).zip(lines).collect();
    let rows = lines.iter().filter_map(|(number, line)| match line {
        DrawnLine::Row(row) => Some((*number, row)),
        _ => None,
    });
    let ends = lines.iter().filter_map(|(number, line)| {
        matches!(line, DrawnLine::Blank | DrawnLine::Heading).then_some(*number)
    });
    let ends: Vec<u64> = ends.collect();
    let headings = lines.iter().find(|line| matches!(line.1, DrawnLine::Heading));
    let headed = headings.map_or(u64::MAX, |line| line.0);
    let mut rows = rows.peekable();
    for (first, drawn) in drawings {
        let mut numbers = Vec::new();
        for wanted in drawn.iter().filter(|row| !row.is_empty()) {
            let number = loop {
                let (number, row) = rows.next().expect("rows that are not there");
                let is_wanted = row == wanted && (number == *first || !numbers.is_empty());
                if is_wanted {
                    break number;
                }
                let next = rows.peek().map(|next| next.1);
                assert!(is_left_out(row, next, number > headed), "line {number} is in no puzzle");
            };
            numbers.push(number);
        }
        let side = drawn.first().map_or(1, Vec::len);
        let is_whole = drawn.iter().all(|row| row.len() == side) && drawn.len() % side == 0;
        for grid in numbers.chunks(side).filter(|_| is_whole) {
            let within = grid[0]..grid[grid.len() - 1];
            assert!(!ends.iter().any(|end| within.contains(end)), "a grid from {}", grid[0]);
        }
    }
    while let Some((number, row)) = rows.next() {
        let next = rows.peek().map(|next| next.1);
        assert!(is_left_out(row, next, number > headed), "line {number} is in no puzzle");
    }
}

/// True if a row can be missing in all puzzles. `next` is the row below it.
fn is_left_out(row: &[u8], next: Option<&Vec<u8>>, is_headed: bool) -> bool {
    let is_letter = |byte: &u8| byte.is_ascii_alphabetic() || !byte.is_ascii();
    let mut words = row.split(|byte| !is_letter(byte)).map(<[u8]>::len);
    let is_above = next.is_some_and(|next| next.len() != row.len());
    is_headed || is_above || words.any(|letters| letters >= 2)
}

/// Returns the puzzles that must be found: complete ones of digits and dots, directly after the
/// start of the text or a heading `[Puzzle]`, without other lines between their rows, and with a
/// blank line, a heading or the end of the text below them.
pub fn sure_drawings(text: &[u8], grids: usize) -> Vec<Drawing> {
    let lines: Vec<&[u8]> = text.split(|&byte| byte == b'\n').collect();
    let headings = (1..lines.len()).filter(|&next| lines[next - 1] == b"[Puzzle]");
    let mut sure = Vec::new();
    for first in [0].into_iter().chain(headings) {
        let rows = lines[first..].iter().map_while(|line| match drawn_line(line) {
            DrawnLine::Row(row) => Some(row),
            _ => None,
        });
        let rows: Vec<Vec<u8>> = rows.collect();
        let side = rows.first().map_or(0, Vec::len);
        let end = lines.get(first + rows.len()).map(|line| drawn_line(line));
        let has_end = matches!(end, None | Some(DrawnLine::Blank | DrawnLine::Heading));
        if side == 0 || side > 25 || rows.len() != grids * side || !has_end {
            continue;
        }
        let is_digit =
            |byte: &u8| *byte == b'.' || byte.is_ascii_digit() && usize::from(byte - b'0') <= side;
        if rows.iter().all(|row| row.len() == side && row.iter().all(is_digit)) {
            sure.push((first as u64 + 1, rows));
        }
    }
    sure
}

/// A puzzle without the `+` before digits that were not given.
pub fn without_plus(field: &[u8]) -> Vec<u8> {
    let is_digit = |byte: &u8| byte.is_ascii_alphanumeric() && *byte != b'x' && *byte != b'0';
    let pairs = field.iter().zip(field.iter().skip(1).map(Some).chain([None]));
    let kept = pairs.filter(|(byte, next)| **byte != b'+' || !next.is_some_and(is_digit));
    kept.map(|(byte, _)| *byte).collect()
}
