//! A slow and plain version of the documented behaviour. It shares no code with the library.

use std::collections::BTreeMap;

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
    text.split(|&byte| byte == b'\n')
        .any(|line| line.len() > 65536)
}

/// Returns a line without its byte order mark.
pub fn without_mark(line: &[u8]) -> &[u8] {
    line.strip_prefix(b"\xef\xbb\xbf").unwrap_or(line)
}

/// True if a line, given without its line end, is copied to the output.
pub fn is_copied(line: &[u8]) -> bool {
    let line = without_mark(line);
    line.first() == Some(&b'#') || line.iter().all(|&byte| is_blank(byte))
}

/// Splits a line into fields. Fields are separated by blanks, or by one separator with any blanks around it.
pub fn fields(line: &[u8]) -> Vec<Vec<u8>> {
    let line = without_mark(line);
    let mut fields = vec![Vec::new()];
    let (mut blank, mut mark) = (false, false);
    let first = line
        .iter()
        .position(|&byte| !is_blank(byte))
        .unwrap_or(line.len());
    let last = line
        .iter()
        .rposition(|&byte| !is_blank(byte))
        .map_or(first, |last| last + 1);
    for &byte in &line[first..last] {
        if is_blank(byte) {
            blank = true;
        } else if b",;:".contains(&byte) {
            if mark {
                fields.push(Vec::new());
            }
            mark = true;
            blank = false;
        } else {
            if mark || blank {
                fields.push(Vec::new());
            }
            (mark, blank) = (false, false);
            fields.last_mut().unwrap().push(byte);
        }
    }
    if mark {
        fields.push(Vec::new());
    }
    if first == last { Vec::new() } else { fields }
}

/// Returns the digits of a puzzle, 0 for a blank cell. `None` if a symbol has no meaning or there are two kinds of
/// blank.
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

/// True if labels are a layout: `side` labels, each in `side` cells, each region connected unless `disconnected` allows
/// others.
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
            let (rows, columns) = (
                (*other / side).abs_diff(cell / side),
                (*other % side).abs_diff(cell % side),
            );
            rows + columns == 1
        };
        frontier.extend(left.extract_if(.., is_adjacent));
    }
    left.is_empty()
}

/// Returns the rows and columns of the usual box: as square as possible, and at least as wide as high.
pub fn usual_box(side: usize) -> Option<(usize, usize)> {
    let sides = [4, 6, 8, 9, 10, 12, 14, 15, 16, 18, 20, 21, 24, 25];
    let rows = (1..=side.isqrt())
        .rev()
        .find(|&rows| side.is_multiple_of(rows))?;
    sides.contains(&side).then_some((rows, side / rows))
}

/// Returns the sets of cells that must all differ. Regions take the place of boxes if there are labels.
pub fn sets(side: usize, labels: Option<&[u8]>, variants: &str) -> Vec<Vec<usize>> {
    let mut sets = BTreeMap::<(u8, usize), Vec<usize>>::new();
    let (rows, columns) = usual_box(side).unwrap_or((1, side));
    let n = side.isqrt();
    for cell in 0..side * side {
        let (row, column) = (cell / side, cell % side);
        let mut put = |kind, number| sets.entry((kind, number)).or_default().push(cell);
        put(0, row);
        put(1, column);
        match labels {
            Some(labels) => put(2, labels[cell].into()),
            None => put(2, row / rows * side + column / columns),
        }
        if variants.contains("diagonal") {
            if row == column {
                put(3, 0);
            }
            if row + column + 1 == side {
                put(3, 1);
            }
        }
        if variants.contains("window") && row % (n + 1) != 0 && column % (n + 1) != 0 {
            put(4, row / (n + 1) * side + column / (n + 1));
        }
    }
    sets.into_values().collect()
}

/// Counts solutions, up to two, by trying the candidates of each blank cell in order (bit d-1 is digit d). `None` if
/// that takes more than `tries`.
pub fn solutions(
    side: usize,
    sets: &[Vec<usize>],
    allowed: &[u32],
    mut tries: u32,
) -> Option<usize> {
    let peers: Vec<Vec<usize>> = (0..allowed.len())
        .map(|cell| {
            let shared = sets.iter().filter(|set| set.contains(&cell));
            shared
                .flatten()
                .copied()
                .filter(|&peer| peer != cell)
                .collect()
        })
        .collect();
    let fits = |grid: &[u8], cell: usize| peers[cell].iter().all(|&peer| grid[peer] != grid[cell]);
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
        }
        if at == blanks.len() && found < 2 && at > 0 {
            at -= 1;
            continue;
        }
        if found == 2 || at == blanks.len() {
            return Some(found);
        }
        let cell = blanks[at];
        if usize::from(grid[cell]) == side {
            grid[cell] = 0;
            if at == 0 {
                return Some(found);
            }
            at -= 1;
            continue;
        }
        grid[cell] += 1;
        if allowed[cell] >> (grid[cell] - 1) & 1 == 0 {
            continue;
        }
        tries = tries.checked_sub(1)?;
        if fits(&grid, cell) {
            at += 1;
        }
    }
}

/// Returns the candidates of a 9x9 in pencilmarks: nine symbols for each cell, each the digit or a blank.
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

/// Parses a field that begins with SumoCueV1: the puzzle in the usual symbols, and its labels. `None` if it is
/// malformed or has a cage.
pub fn sumocue(field: &[u8]) -> Option<(Vec<u8>, Option<Vec<u8>>)> {
    let text = std::str::from_utf8(field).ok()?;
    let cells: Vec<&str> = text.strip_prefix("SumoCueV1=")?.split('=').collect();
    let side = cells.len().isqrt();
    if side * side != cells.len() || !(2..=25).contains(&side) {
        return None;
    }
    let number = |text: &str| {
        let digits = !text.is_empty() && text.chars().all(|digit| digit.is_ascii_digit());
        let number = text.trim_start_matches('0');
        let small = digits && number.len() <= 2;
        small
            .then(|| {
                number
                    .bytes()
                    .fold(0, |sum, digit| sum * 10 + usize::from(digit - b'0'))
            })
            .filter(|&number| number <= side)
    };
    let (mut puzzle, mut labels) = (Vec::new(), Vec::new());
    for cell in &cells {
        let digit = match cell.split_once('J') {
            Some((digit, region)) => {
                labels.push(b'A' + number(region)? as u8);
                digit
            }
            None => cell,
        };
        puzzle.push(b".123456789ABCDEFGHIJKLMNOP"[number(digit)?]);
    }
    match labels.len() {
        0 => Some((puzzle, None)),
        count => (count == cells.len()).then_some((puzzle, Some(labels))),
    }
}

/// Splits a record of CSV (RFC 4180) into fields. A quoted field can contain anything, with its quotes doubled; other
/// fields contain no quote.
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

/// True if a text is refused because it is compressed data.
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
    bzip2 || others.iter().any(|magic| text.starts_with(magic))
}

/// A drawn puzzle: the number of its first line, and its rows.
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
        let first = left
            .get(..3)
            .and_then(|bytes| std::str::from_utf8(bytes).ok());
        let first = first.and_then(|text| text.chars().next());
        let is_box = first.is_some_and(|first| ('\u{2500}'..='\u{257f}').contains(&first));
        let is_vertical = first.is_some_and(|first| "│┃┆┇┊┋╎╏║".contains(first));
        plain.push(match (is_box, is_vertical) {
            (true, true) => b'|',
            (true, false) => b'-',
            _ => left[0],
        });
        left = &left[if is_box { 3 } else { 1 }..];
    }
    let holds_only = |bytes: &[u8]| plain.iter().all(|byte| bytes.contains(byte));
    match line.first() {
        Some(b'#') => return DrawnLine::Nothing,
        Some(b'[') => return DrawnLine::Heading,
        _ if holds_only(b" \t") => return DrawnLine::Blank,
        _ if plain.contains(&b'-') && holds_only(b" \t|+-*") => return DrawnLine::Nothing,
        _ => plain.retain(|byte| !b" \t|+-".contains(byte)),
    }
    plain.truncate(1024);
    match plain.is_empty() {
        true => DrawnLine::Nothing,
        false => DrawnLine::Row(plain),
    }
}

/// Judges the puzzles read from a drawn text. Every row is in at most one puzzle, in order. Each puzzle begins on its line. Only
/// words, and rows after a heading, are left out.
pub fn judge_drawings(text: &[u8], drawings: &[Drawing]) {
    let lines = (1..).zip(text.split(|&byte| byte == b'\n'));
    let mut left = drawings
        .iter()
        .flat_map(|(number, rows)| {
            let numbers = [Some(*number)].into_iter().chain(std::iter::repeat(None));
            numbers.zip(rows)
        })
        .peekable();
    let mut headed = false;
    for (number, line) in lines {
        let row = match drawn_line(line) {
            DrawnLine::Row(row) => row,
            DrawnLine::Heading => {
                headed = true;
                continue;
            }
            DrawnLine::Nothing | DrawnLine::Blank => continue,
        };
        let is_next = |next: &(Option<u64>, &Vec<u8>)| {
            next.0.is_none_or(|first| first == number) && *next.1 == row
        };
        if left.next_if(is_next).is_none() {
            let is_letter = |byte: &u8| byte.is_ascii_alphabetic() || !byte.is_ascii();
            let mut words = row.split(|byte| !is_letter(byte)).map(<[u8]>::len);
            let is_left_out = headed || words.any(|letters| letters >= 2);
            assert!(
                is_left_out,
                "line {number} is in no puzzle: {}",
                line.escape_ascii()
            );
        }
    }
    assert_eq!(left.next(), None, "rows that are not there");
}

/// Returns the puzzles that must be found: complete ones of digits and dots, directly after the start of the text or a heading
/// `[Puzzle]`, without other lines between their rows.
pub fn sure_drawings(text: &[u8], grids: usize) -> Vec<Drawing> {
    let lines: Vec<&[u8]> = text.split(|&byte| byte == b'\n').collect();
    let headings = (1..lines.len()).filter(|&next| lines[next - 1] == b"[Puzzle]");
    let mut sure = Vec::new();
    for first in [0].into_iter().chain(headings) {
        let rows = lines[first..]
            .iter()
            .map_while(|line| match drawn_line(line) {
                DrawnLine::Row(row) => Some(row),
                _ => None,
            });
        let rows: Vec<Vec<u8>> = rows.collect();
        let side = rows.first().map_or(0, Vec::len);
        if side == 0 || side > 25 || rows.len() < grids * side {
            continue;
        }
        let is_digit =
            |byte: &u8| *byte == b'.' || byte.is_ascii_digit() && usize::from(byte - b'0') <= side;
        let rows = &rows[..grids * side];
        if rows
            .iter()
            .all(|row| row.len() == side && row.iter().all(is_digit))
        {
            sure.push((first as u64 + 1, rows.to_vec()));
        }
    }
    sure
}

/// A puzzle without the `+` before digits that were not given.
pub fn without_plus(field: &[u8], is_known: impl Fn(usize) -> bool) -> Vec<u8> {
    let is_digit = |byte: &u8| byte.is_ascii_alphanumeric() && *byte != b'x' && *byte != b'0';
    let pairs = field.iter().zip(field[1..].iter().map(Some).chain([None]));
    let kept = pairs.filter(|(byte, next)| **byte != b'+' || !next.is_some_and(is_digit));
    let puzzle: Vec<u8> = kept.map(|(byte, _)| *byte).collect();
    match !is_known(field.len()) && is_known(puzzle.len()) {
        true => puzzle,
        false => field.to_vec(),
    }
}
