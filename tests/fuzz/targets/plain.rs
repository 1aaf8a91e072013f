//! The contract read slowly: what a judge needs, sharing no code with the library.

use std::collections::BTreeMap;

pub fn is_blank(byte: u8) -> bool {
    byte == b' ' || byte == b'\t'
}

/// What is left of a line without its end.
pub fn without_end(line: &[u8]) -> &[u8] {
    let line = line.strip_suffix(b"\n").unwrap_or(line);
    line.strip_suffix(b"\r").unwrap_or(line)
}

/// Whether a line, without its end, is copied through.
pub fn is_copied(line: &[u8]) -> bool {
    let line = line.strip_prefix(b"\xef\xbb\xbf").unwrap_or(line);
    line.first() == Some(&b'#') || line.iter().all(|&byte| is_blank(byte))
}

/// The fields of a line: blanks, or one mark with any blanks round it, separate them.
pub fn fields(line: &[u8]) -> Vec<Vec<u8>> {
    let line = line.strip_prefix(b"\xef\xbb\xbf").unwrap_or(line);
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

/// The digits of a puzzle, 0 for a blank cell; nothing if a symbol means nothing, or two kinds of blank are there.
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

/// Whether labels are a layout: as many different ones as rows, each as often, each in one piece unless told otherwise.
pub fn is_layout(labels: &[u8], side: usize, disconnected: bool) -> bool {
    let mut regions = BTreeMap::<u8, Vec<usize>>::new();
    for (cell, &label) in labels.iter().enumerate() {
        regions.entry(label).or_default().push(cell);
    }
    labels.len() == side * side
        && regions.len() == side
        && regions
            .values()
            .all(|cells| cells.len() == side && (disconnected || is_whole(cells, side)))
}

fn is_whole(cells: &[usize], side: usize) -> bool {
    let mut left = cells.to_vec();
    let mut reached: Vec<usize> = left.pop().into_iter().collect();
    while let Some(cell) = reached.pop() {
        let touches = |other: &mut usize| {
            let (rows, columns) = (
                (*other / side).abs_diff(cell / side),
                (*other % side).abs_diff(cell % side),
            );
            rows + columns == 1
        };
        reached.extend(left.extract_if(.., touches));
    }
    left.is_empty()
}

/// The boxes usual for a side: the squarest, lying rather than standing.
pub fn usual_box(side: usize) -> Option<(usize, usize)> {
    let sides = [4, 6, 8, 9, 10, 12, 14, 15, 16, 18, 20, 21, 24, 25];
    let high = (1..=side.isqrt())
        .rev()
        .find(|&high| side.is_multiple_of(high))?;
    sides.contains(&side).then_some((high, side / high))
}

/// The sets of cells that all differ, in a grid of boxes, or of regions where labels are given.
pub fn sets(side: usize, labels: Option<&[u8]>, variants: &str) -> Vec<Vec<usize>> {
    let mut sets = BTreeMap::<(u8, usize), Vec<usize>>::new();
    let (high, wide) = usual_box(side).unwrap_or((1, side));
    let n = side.isqrt();
    for cell in 0..side * side {
        let (row, column) = (cell / side, cell % side);
        let mut put = |kind, number| sets.entry((kind, number)).or_default().push(cell);
        put(0, row);
        put(1, column);
        match labels {
            Some(labels) => put(2, labels[cell].into()),
            None => put(2, row / high * side + column / wide),
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

/// Up to two solutions, by trying digits in the first blank cell; nothing if that takes more than so many tries.
pub fn solutions(side: usize, sets: &[Vec<usize>], givens: &[u8], mut tries: u32) -> Option<usize> {
    let peers = |cell: usize| {
        sets.iter()
            .filter(move |set| set.contains(&cell))
            .flatten()
            .copied()
    };
    let fits =
        |grid: &[u8], cell: usize| peers(cell).all(|peer| peer == cell || grid[peer] != grid[cell]);
    let mut grid = givens.to_vec();
    if (0..grid.len()).any(|cell| grid[cell] != 0 && !fits(&grid, cell)) {
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
        tries = tries.checked_sub(1)?;
        grid[cell] += 1;
        if fits(&grid, cell) {
            at += 1;
        }
    }
}
