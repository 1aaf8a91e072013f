//! Writes cages, and puzzles that describe their own rules, in public notations.

use super::constraints::{Cage, Constraints, box_of, has};
use super::random::Random;

/// The arrows with their steps in rows and columns.
const ARROWS: [(u8, [isize; 2]); 8] = [
    (b'`', [-1, -1]),
    (b'^', [-1, 0]),
    (b'\'', [-1, 1]),
    (b'<', [0, -1]),
    (b'>', [0, 1]),
    (b',', [1, -1]),
    (b'v', [1, 0]),
    (b'.', [1, 1]),
];

/// The sums from 0.
const SUMS: &[u8] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghij";

/// Returns the field with the cages of a line: arrows up to 9x9, otherwise cage numbers.
pub fn cages(constraints: &Constraints) -> String {
    match constraints.side {
        ..=9 => arrows(constraints),
        _ => cage_numbers(constraints),
    }
}

/// Returns the cages as arrows. A random cell of each cage has the sum, and random arrows lead to
/// it.
pub fn arrows(constraints: &Constraints) -> String {
    let random = &mut Random::of(&format!("{:?}", constraints.cages));
    let mut symbols = vec![b'0'; constraints.cells()];
    for cage in &constraints.cages {
        let mut reached = vec![*random.pick(&cage.cells)];
        symbols[reached[0]] = SUMS[cage.sum.unwrap_or(0)];
        while reached.len() < cage.cells.len() {
            let from = *random.pick(&cage.cells);
            let (arrow, step) = *random.pick(&ARROWS);
            let to = neighbour(constraints.side, from, step);
            if !reached.contains(&from) && to.is_some_and(|to| reached.contains(&to)) {
                symbols[from] = arrow;
                reached.push(from);
            }
        }
    }
    text_of(symbols)
}

fn neighbour(side: usize, cell: usize, [down, right]: [isize; 2]) -> Option<usize> {
    let row = (cell / side).checked_add_signed(down)?;
    let column = (cell % side).checked_add_signed(right)?;
    (row < side && column < side).then_some(row * side + column)
}

/// Returns the cages as cage numbers: `3x3::k:` and `256 * sum + number of the cage` for each cell.
pub fn cage_numbers(constraints: &Constraints) -> String {
    let (rows, columns) = box_of(constraints.side);
    let diagonals = if has(&constraints.variants, "diagonal") { "d" } else { "" };
    let mut text = format!("{rows}x{columns}:{diagonals}:k:");
    for cell in 0..constraints.cells() {
        let number = match cage_of(constraints, cell) {
            Some((index, cage)) => 256 * cage.sum.expect("each cage has a sum") + index,
            None => 0,
        };
        text += &format!("{number}:");
    }
    text
}

/// Returns the cage of a cell, with its index.
fn cage_of(constraints: &Constraints, cell: usize) -> Option<(usize, &Cage)> {
    let mut cages = constraints.cages.iter().enumerate();
    cages.find(|(_, cage)| cage.cells.contains(&cell))
}

/// Returns a game ID of Solo: `3x3xk:GIVENS,CAGES,SUMS`.
pub fn solo(constraints: &Constraints, givens: &[u8]) -> String {
    let (rows, columns) = box_of(constraints.side);
    let is_killer = !constraints.cages.is_empty();
    let is_jigsaw = has(&constraints.variants, "jigsaw");
    let mut text =
        if is_jigsaw { format!("{}j", constraints.side) } else { format!("{rows}x{columns}") };
    if has(&constraints.variants, "diagonal") {
        text.push('x');
    }
    if is_killer {
        text.push('k');
    }
    let numbers: Vec<usize> = givens.iter().map(|&digit| digit.into()).collect();
    text += &format!(":{}", cell_list(&numbers));
    if let (true, Some(labels)) = (is_jigsaw, &constraints.regions) {
        let area_of = |cell: usize| labels[cell].into();
        text += &format!(",{}", border_list(constraints.side, &area_of));
    }
    if is_killer {
        // A cell in no cage is an area of its own.
        let cells = constraints.cells();
        let area_of = |cell| cage_of(constraints, cell).map_or(cells + cell, |(index, _)| index);
        text += &format!(",{}", border_list(constraints.side, &area_of));
        let mut sums = vec![0; cells];
        for cage in &constraints.cages {
            sums[cage.cells[0]] = cage.sum.unwrap_or(0);
        }
        text += &format!(",{}", cell_list(&sums));
    }
    text
}

/// Returns Solo's list of cells: numbers, and letters for runs of zeros.
fn cell_list(numbers: &[usize]) -> String {
    let mut text = String::new();
    let mut run = 0;
    let letters = |run: usize| -> String {
        let rest = (!run.is_multiple_of(26)).then(|| letter(run % 26));
        "z".repeat(run / 26).chars().chain(rest).collect()
    };
    for &number in numbers {
        if number == 0 {
            run += 1;
            continue;
        }
        text += &letters(run);
        if run == 0 && !text.is_empty() {
            text.push('_');
        }
        text += &number.to_string();
        run = 0;
    }
    text + &letters(run)
}

/// Returns the letter of a run: `a` for 1.
fn letter(run: usize) -> char {
    char::from(b'a' + run as u8 - 1)
}

/// Returns Solo's list of the borders between areas: a letter for each run of open borders and the
/// closed border behind it. A closed border that does not exist ends the list.
fn border_list(side: usize, area_of: &dyn Fn(usize) -> usize) -> String {
    let mut text = String::new();
    let mut run = 0;
    let is_closed = |border: usize| {
        let (line, at) = (border / (side - 1), border % (side - 1));
        let [one, other] = match line.checked_sub(side) {
            None => [line * side + at, line * side + at + 1],
            Some(column) => [at * side + column, (at + 1) * side + column],
        };
        area_of(one) != area_of(other)
    };
    let last = 2 * side * (side - 1);
    for border in 0..=last {
        if border < last && !is_closed(border) {
            run += 1;
            continue;
        }
        while run > 25 {
            text.push('z');
            run -= 25;
        }
        text.push(if run > 0 { letter(run) } else { '_' });
        run = 0;
    }
    text
}

/// Returns a SumoCue line, with regions if the puzzle has a layout. A killer has no givens.
pub fn sumocue(constraints: &Constraints, givens: &[u8]) -> String {
    let diagonals = if has(&constraints.variants, "diagonal") { "D" } else { "" };
    let mut text = format!("SumoCueV1{diagonals}");
    for (cell, &given) in givens.iter().enumerate() {
        text += &match cage_of(constraints, cell) {
            Some((_, cage)) if cage.cells[0] == cell => format!("={}", cage.sum.unwrap_or(0)),
            Some((_, cage)) => format!("+{}", cage.cells[0]),
            None => format!("={given}"),
        };
        if let Some(labels) = &constraints.regions {
            text += &format!("J{}", labels[cell] - b'A');
        }
    }
    text
}

/// Returns an address of puzz.link. Some blank cells are `.`, the others runs.
pub fn puzz_link(side: usize, givens: &[u8]) -> String {
    let mut text = format!("https://puzz.link/p?sudoku/{side}/{side}/");
    let mut blanks = 0;
    for (cell, &given) in givens.iter().enumerate() {
        match given {
            0 if cell % 7 != 0 => blanks += 1,
            _ => text += &runs(std::mem::take(&mut blanks)),
        }
        match given {
            0 if cell % 7 != 0 => {}
            0 => text.push('.'),
            1..=15 => text += &format!("{given:x}"),
            _ => text += &format!("-{given:02x}"),
        }
    }
    text + &runs(blanks)
}

/// Returns letters for a number of blank cells: `g` for 1 to `z` for 20.
fn runs(blanks: usize) -> String {
    let letter = |number: usize| char::from(b'f' + number as u8);
    let full = std::iter::repeat_n('z', blanks / 20);
    let last = Some(blanks % 20).filter(|&rest| rest > 0).map(letter);
    full.chain(last).collect()
}

fn text_of(symbols: Vec<u8>) -> String {
    String::from_utf8(symbols).expect("all symbols are ASCII")
}
