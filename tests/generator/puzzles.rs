//! Full grids, and puzzles dug from them: with one solution, with many, with none.

use super::form::{Form, has};
use super::layouts::layout;
use super::random::Random;
use super::search::{Choice, Outcome, Search, falls_to_naked_singles};

/// Branches after which the generator no longer asks whether a given can be spared, and keeps it. Random puzzles of 9x9
/// need a tenth of it (at most 11 in bench/minimal.txt); of 16x16 it keeps those out that would take engines long.
const LIMIT: u64 = 100;

/// A 16x16 grid with windows and diagonals, found by `Search` after some hundred times a thousand branches. Other grids
/// with windows are made from it, since they are too rare there to search for.
const WINDOWS_16: &[u8; 256] = b"813E4A56FDG279BCCD64728FA39BE1G579G5CDBE164832FAB2AF31G975ECD468\
GB81E6D24C379A5FD75AG34192F68ECBFEC9A57BG81D26432643F89C5EBA1G7D\
651D84F32A7EBC9GAGB7291D64CF538E9F286EC73B5G4DA134ECBGA5D1896F27\
58F61C2GB9D3A7E4139G5F68E7A4CBD2EA72DB34CF65G8194CDB97EA8G21F536";

/// A form for these variants on which a grid is possible, and a grid: a jigsaw gets a layout of its own.
pub fn form_with_grid(side: usize, variants: &str, random: &mut Random) -> (Form, Vec<u8>) {
    loop {
        let form = if has(variants, "jigsaw") || has(variants, "regions") {
            Form::with_regions(side, variants, &layout(side, variants, random))
        } else {
            Form::with_boxes(side, variants)
        };
        if let Some(grid) = full_grid(&form, random) {
            return (form, grid);
        }
    }
}

/// A jigsaw whose layout no grid fits.
pub fn form_without_grid(side: usize, variants: &str, random: &mut Random) -> Form {
    loop {
        let form = Form::with_regions(side, variants, &layout(side, variants, random));
        let blank = vec![0; form.cells()];
        if Search::new(&form, &blank, Choice::First, LIMIT).go_on() == Outcome::Exhausted {
            return form;
        }
    }
}

/// A random full grid; `None` if none was found with reasonable pains.
pub fn full_grid(form: &Form, random: &mut Random) -> Option<Vec<u8>> {
    if form.side == 16 && has(&form.variants, "window") {
        let grid = shuffled(WINDOWS_16, random);
        let fits = |cell: usize| !form.forbids(&grid, cell, grid[cell]);
        return (0..grid.len()).all(fits).then_some(grid);
    }
    let blank = vec![0; form.cells()];
    // A search that went astray early rarely recovers: short ones find a grid sooner than a long one.
    let limit = 50 + form.cells() as u64;
    (0..5).find_map(
        |_| match Search::new(form, &blank, Choice::Random(random), limit).go_on() {
            Outcome::Solution(grid) => Some(grid),
            Outcome::Exhausted | Outcome::LimitReached => None,
        },
    )
}

/// Relabels the digits of a grid, and mirrors it or not.
fn shuffled(grid: &[u8; 256], random: &mut Random) -> Vec<u8> {
    let mut digits: Vec<u8> = (1..=16).collect();
    random.shuffle(&mut digits);
    let (transposed, upside_down) = (random.below(2) == 1, random.below(2) == 1);
    let cells = (0..256).map(|cell| {
        let (mut row, mut column) = (cell / 16, cell % 16);
        if transposed {
            (row, column) = (column, row);
        }
        if upside_down {
            row = 15 - row;
        }
        let digit = char::from(grid[16 * row + column]).to_digit(17);
        digits[digit.unwrap_or(1) as usize - 1]
    });
    cells.collect()
}

/// Takes givens away in random order while the solution stays the only one and more than `keep` are left.
pub fn dig(form: &Form, solution: &[u8], keep: usize, random: &mut Random) -> Vec<u8> {
    let mut givens = solution.to_vec();
    let is_spare = |givens: &[u8], cell: usize| is_certain(form, givens, cell, solution[cell]);
    take_away(&mut givens, keep, is_spare, random);
    givens
}

/// The same, while naked singles solve it.
pub fn dig_easy(form: &Form, solution: &[u8], keep: usize, random: &mut Random) -> Vec<u8> {
    let mut givens = solution.to_vec();
    let is_spare = |givens: &[u8], _| falls_to_naked_singles(form, givens);
    take_away(&mut givens, keep, is_spare, random);
    givens
}

/// `is_spare` says whether the grid without the digit that stood in the cell still serves.
fn take_away(
    givens: &mut [u8],
    keep: usize,
    is_spare: impl Fn(&[u8], usize) -> bool,
    random: &mut Random,
) {
    let mut cells = cells_with_givens(givens);
    random.shuffle(&mut cells);
    let mut left = cells.len();
    for cell in cells {
        if left <= keep {
            break;
        }
        let digit = std::mem::replace(&mut givens[cell], 0);
        if is_spare(givens, cell) {
            left -= 1;
        } else {
            givens[cell] = digit;
        }
    }
}

fn cells_with_givens(givens: &[u8]) -> Vec<usize> {
    (0..givens.len())
        .filter(|&cell| givens[cell] != 0)
        .collect()
}

/// Whether a blank cell can be shown to hold this digit in every solution.
fn is_certain(form: &Form, givens: &[u8], cell: usize, digit: u8) -> bool {
    is_single(form, givens, cell, digit)
        || other_digit(form, givens, cell, digit) == Outcome::Exhausted
}

/// Whether the givens alone leave the cell no other digit, or the digit no other cell of a house: what can be seen
/// without a search.
fn is_single(form: &Form, givens: &[u8], cell: usize, digit: u8) -> bool {
    let sees = |cell: usize, digit| form.forbids(givens, cell, digit);
    let mut others = (1..=form.side as u8).filter(|&other| other != digit);
    others.all(|other| sees(cell, other))
        || form.houses_of[cell].iter().any(|&house| {
            let mut others = form.houses[house].iter().filter(|&&other| other != cell);
            others.all(|&other| givens[other] != 0 || sees(other, digit))
        })
}

/// A solution in which `cell` does not hold `digit`.
fn other_digit(form: &Form, grid: &[u8], cell: usize, digit: u8) -> Outcome {
    let search = Search::new(form, grid, Choice::First, LIMIT);
    search.without(cell, digit).go_on()
}

/// A puzzle with one to four givens less than it needs.
pub fn with_many_solutions(form: &Form, solution: &[u8], random: &mut Random) -> Vec<u8> {
    let mut missing = 1 + random.below(4);
    loop {
        let mut grid = dig(form, solution, fewest_givens(form), random);
        let mut cells = cells_with_givens(&grid);
        random.shuffle(&mut cells);
        let mut uncertain = 0;
        for cell in cells {
            let digit = std::mem::replace(&mut grid[cell], 0);
            uncertain += usize::from(!is_certain(form, &grid, cell, digit));
            if uncertain == missing {
                break;
            }
        }
        if has_two_solutions(form, &grid) {
            return grid;
        }
        missing = 1;
    }
}

/// Whether two solutions are found with few branches. Where houses overlap much a blank grid can hide them well, from
/// this search and from others.
pub fn has_two_solutions(form: &Form, grid: &[u8]) -> bool {
    [Choice::First, Choice::Last].into_iter().all(|choice| {
        let mut search = Search::new(form, grid, choice, LIMIT);
        let mut is_found = || matches!(search.go_on(), Outcome::Solution(_));
        is_found() && is_found()
    })
}

/// A puzzle with a given changed, no two givens alike in a house, and no solution.
pub fn without_solution(form: &Form, solution: &[u8], random: &mut Random) -> Vec<u8> {
    loop {
        let keep = fewest_givens(form).max(random.below(form.cells() / 2));
        let mut grid = dig(form, solution, keep, random);
        let mut givens = cells_with_givens(&grid);
        random.shuffle(&mut givens);
        for cell in givens {
            let wrong = 1 + random.below(form.side) as u8;
            if grid[cell] == wrong || form.forbids(&grid, cell, wrong) {
                continue;
            }
            let digit = std::mem::replace(&mut grid[cell], wrong);
            if Search::new(form, &grid, Choice::First, LIMIT).go_on() == Outcome::Exhausted {
                return grid;
            }
            grid[cell] = digit;
        }
    }
}

/// How far to dig: to the end, but for grids so large that it would take long, and engines too.
pub fn fewest_givens(form: &Form) -> usize {
    match form.side {
        ..=9 => 0,
        10 => 30,
        _ => form.cells() * 45 / 100,
    }
}

/// A puzzle in which two givens of a house are alike.
pub fn with_contradicting_givens(form: &Form, solution: &[u8], random: &mut Random) -> Vec<u8> {
    let mut grid = dig(form, solution, form.cells() / 2, random);
    let givens = cells_with_givens(&grid);
    loop {
        let cell = *random.pick(&givens);
        let peer = *random.pick(&form.peers[cell]);
        if grid[peer] != 0 {
            grid[cell] = grid[peer];
            return grid;
        }
    }
}

/// How many branches it takes at least to be sure of a puzzle's solution: the better of two searches.
pub fn branches_needed(form: &Form, givens: &[u8]) -> u64 {
    let branches = [Choice::First, Choice::Last].map(|choice| {
        let mut search = Search::new(form, givens, choice, LIMIT);
        while let Outcome::Solution(_) = search.go_on() {}
        search.branches
    });
    branches[0].min(branches[1])
}

/// A puzzle near this one: one given is left out, others put in until one of the solutions is the only one, and
/// what is no longer needed taken away.
pub fn neighbour_of(form: &Form, givens: &[u8], random: &mut Random) -> Vec<u8> {
    let mut givens = givens.to_vec();
    let cells = cells_with_givens(&givens);
    givens[*random.pick(&cells)] = 0;
    let solution = match Search::new(form, &givens, Choice::Random(random), LIMIT).go_on() {
        Outcome::Solution(solution) => solution,
        other => unreachable!("the puzzle's own is one: {other:?}"),
    };
    let mut blanks: Vec<usize> = (0..form.cells())
        .filter(|&cell| givens[cell] == 0)
        .collect();
    random.shuffle(&mut blanks);
    for cell in blanks {
        if !is_certain(form, &givens, cell, solution[cell]) {
            givens[cell] = solution[cell];
        }
    }
    let is_spare = |givens: &[u8], cell: usize| is_certain(form, givens, cell, solution[cell]);
    take_away(&mut givens, 0, is_spare, random);
    givens
}
