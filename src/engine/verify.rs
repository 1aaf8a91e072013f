//! Checks an answer against the rules and the givens. Also finds contradictions between the givens
//! of a puzzle. Uses no code of `solver/` or `pencil/`, so tests can check their results with it.

use crate::puzzle::Givens;
use crate::rules::{Cage, House, HouseName, MAX_SIDE, Pair, Place, Relation, Rules, StatedFault};

/// The first fault of an answer.
///
/// Faults are checked in this order: lengths, numbers that are no digits, changed givens, houses in
/// the order of [`Rules::houses`], groups, cages (for each its digits, then its sum), pairs of
/// cells, rules that the puzzle states, blank cells.
///
/// ```
/// # use sudoku_filter_engine as sudoku_filter;
/// use sudoku_filter::{Rules, verify};
///
/// let fault = verify(&Rules::classic(), &[0; 81], &[0; 81]).unwrap_err();
/// assert_eq!(fault.reason(|digit| char::from(b'0' + digit)), "r1c1 is blank");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fault(FaultKind);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum FaultKind {
    /// The number of cells of the puzzle or the answer, and that of a grid.
    Length { found: usize, cells: usize },
    /// A cell of the puzzle or the answer holds a number above the side.
    NoDigit { place: Place, found: u8 },
    /// A cell of the answer.
    Blank(Place),
    /// The answer has another digit than the puzzle.
    Given { place: Place, found: u8, given: u8 },
    /// The first two cells of a house, group or cage that hold the same digit.
    Twice { house: HouseName, digit: u8, places: [Place; 2] },
    /// The sum of the digits in a cage is not the sum of the cage.
    Sum { cage: HouseName, found: u16, sum: u16 },
    /// A rule that the puzzle states does not hold in a grid of this side.
    Stated { fault: StatedFault, side: usize },
    /// Two cells hold digits that they must not hold together.
    Pair { relation: Relation, places: [Place; 2], digits: [u8; 2] },
}

impl Fault {
    /// Formats the fault as a message. `symbol` converts a digit to its character.
    ///
    /// ```text
    /// r2c2 is blank
    /// r1c2 is 6, given 5
    /// row 3 has 5 twice: r3c4 r3c8
    /// cage at r1c1 adds up to 14, not 15
    /// r3c4 and r5c5 are a knight's move apart and both 5
    /// thermometer at r4c1: r4c2 is not less than r5c2
    /// ```
    #[must_use]
    pub fn reason(&self, symbol: impl Fn(u8) -> char) -> String {
        match self.0 {
            FaultKind::Length { found, cells } => format!("{found} cells instead of {cells}"),
            FaultKind::NoDigit { place, found } => {
                format!("{place} holds {found}, which is no digit")
            }
            FaultKind::Blank(place) => format!("{place} is blank"),
            FaultKind::Given { place, found, given } => {
                format!("{place} is {}, given {}", symbol(found), symbol(given))
            }
            FaultKind::Twice { house, digit, places: [first, second] } => {
                format!("{house} has {} twice: {first} {second}", symbol(digit))
            }
            FaultKind::Sum { cage, found, sum } => format!("{cage} adds up to {found}, not {sum}"),
            FaultKind::Stated { fault, side } => fault.reason(side),
            FaultKind::Pair { relation, places: [first, second], digits: [a, b] } => {
                let (a, b) = (symbol(a), symbol(b));
                let relation = match relation {
                    Relation::Knight => format!("a knight's move apart and both {a}"),
                    Relation::King => format!("a king's move apart and both {a}"),
                    Relation::Neighbours => format!("neighbours and consecutive: {a} {b}"),
                };
                format!("{first} and {second} are {relation}")
            }
        }
    }
}

/// Checks that `answer` solves `puzzle`. Both are N² digits, row by row, with 0 for a blank cell.
///
/// # Errors
/// Returns the first fault of the answer.
///
/// ```
/// # use sudoku_filter_engine as sudoku_filter;
/// use sudoku_filter::{Rules, Shape, Variants, verify};
///
/// let rules = Rules::new(4, Shape::boxes_of(4).unwrap(), &Variants::default()).unwrap();
/// let puzzle = [1, 2, 3, 4, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0];
/// let answer = [1, 2, 3, 4, 3, 4, 1, 2, 2, 1, 4, 3, 4, 3, 2, 1];
/// assert!(verify(&rules, &puzzle, &answer).is_ok());
///
/// let fault = verify(&rules, &puzzle, &puzzle).unwrap_err();
/// assert_eq!(fault.reason(|digit| char::from(b'0' + digit)), "r2c1 is blank");
/// ```
pub fn verify(rules: &Rules, puzzle: &[u8], answer: &[u8]) -> Result<(), Fault> {
    let side = rules.side();
    for grid in [puzzle, answer] {
        check_grid(side, grid)?;
    }
    if is_right(rules, puzzle, answer) {
        return Ok(());
    }
    for (cell, (&given, &found)) in puzzle.iter().zip(answer).enumerate() {
        if given != 0 && found != 0 && given != found {
            return Err(Fault(FaultKind::Given { place: Place::of(cell, side), found, given }));
        }
    }
    if let Some(fault) = first_conflict(rules, answer) {
        return Err(fault);
    }
    let blank = answer.iter().position(|&digit| digit == 0);
    let blank = blank.expect("an answer that is not right has a fault");
    Err(Fault(FaultKind::Blank(Place::of(blank, side))))
}

fn check_grid(side: usize, grid: &[u8]) -> Result<(), Fault> {
    if grid.len() != side * side {
        return Err(Fault(FaultKind::Length { found: grid.len(), cells: side * side }));
    }
    match grid.iter().position(|&digit| usize::from(digit) > side) {
        None => Ok(()),
        Some(cell) => {
            Err(Fault(FaultKind::NoDigit { place: Place::of(cell, side), found: grid[cell] }))
        }
    }
}

/// Returns true if the answer keeps the givens and satisfies the rules, as [`verify`] finds.
// Inlined into callers that are compiled for wider vectors: this halves the time.
#[inline(always)]
pub fn is_right(rules: &Rules, puzzle: &[u8], answer: &[u8]) -> bool {
    debug_assert!(puzzle.len() == rules.cells() && answer.len() == rules.cells());
    Givens::Digits(puzzle).are_kept_by(answer)
        && houses_are_full(rules, answer)
        && first_conflict_beyond_houses(rules, answer).is_none()
}

/// A house has N cells, so if it holds every digit, it has no blank cell and no repeated digit.
#[inline(always)]
fn houses_are_full(rules: &Rules, answer: &[u8]) -> bool {
    // Tried: the capacity 1024 for all grids. Clearing the array took half of the total time.
    match answer.len() {
        0..=128 => houses_are_full_in::<128>(rules, answer),
        _ => houses_are_full_in::<1024>(rules, answer),
    }
}

/// `CAPACITY` is a power of two: an index modulo `CAPACITY` needs no bounds check.
#[inline(always)]
fn houses_are_full_in<const CAPACITY: usize>(rules: &Rules, answer: &[u8]) -> bool {
    debug_assert!(answer.len() <= CAPACITY);
    let every_digit = (1u32 << rules.side()) - 1;
    let mut sets = [0u32; CAPACITY];
    for (set, &digit) in sets.iter_mut().zip(answer) {
        *set = (1 << digit) >> 1;
    }
    let side = rules.side();
    let full = match side {
        // The constant side lets the compiler unroll the loops. This halves the total time.
        9 => rows_and_columns_are_full(&sets[..81], 9, every_digit),
        _ => rows_and_columns_are_full(&sets[..side * side], side, every_digit),
    };
    // With bands, the regions are the nine 3x3 boxes.
    let (full, other_houses) = if rules.has_bands() {
        let full = full & boxes_are_full(&sets[..81], every_digit);
        (full, rules.extra_houses())
    } else {
        (full, rules.regions_and_extra_houses())
    };
    other_houses.iter().fold(full, |full, house| {
        let cells = house.cells.iter();
        let held = cells.fold(0, |held, &cell| held | sets[usize::from(cell) % CAPACITY]);
        full & (held == every_digit)
    })
}

#[inline(always)]
fn boxes_are_full(sets: &[u32], every_digit: u32) -> bool {
    let mut full = true;
    // Three rows at a time: a band. `.0` are the whole chunks; nothing is left over.
    for [upper, middle, lower] in sets.as_chunks::<9>().0.as_chunks::<3>().0 {
        let mut columns = [0; 9];
        for column in 0..9 {
            columns[column] = upper[column] | middle[column] | lower[column];
        }
        for [left, middle, right] in columns.as_chunks::<3>().0 {
            full &= left | middle | right == every_digit;
        }
    }
    full
}

#[inline(always)]
fn rows_and_columns_are_full(sets: &[u32], side: usize, every_digit: u32) -> bool {
    let mut columns = [0; MAX_SIDE];
    let columns = &mut columns[..side];
    let mut full = true;
    for row in sets.chunks_exact(side) {
        let mut held = 0;
        for (column, &set) in columns.iter_mut().zip(row) {
            *column |= set;
            held |= set;
        }
        full &= held == every_digit;
    }
    columns.iter().fold(
        full,
        #[inline(always)]
        |full, &held| full & (held == every_digit),
    )
}

/// Returns the cells of an answer that contradict their given or pencilmarks, or another cell. If a
/// full cage has a wrong sum, or a sum or count that the puzzle states does not hold, all its cells
/// count. A blank cell contradicts nothing.
pub fn conflicting_cells(rules: &Rules, givens: Givens<'_>, answer: &[u8]) -> Vec<usize> {
    let every_digit = (1 << rules.side()) - 1;
    let mut contradicts: Vec<bool> = (0..answer.len())
        .map(|cell| {
            let candidates = givens.candidates(cell, every_digit);
            answer[cell] != 0 && candidates >> (answer[cell] - 1) & 1 == 0
        })
        .collect();
    for house in rules.houses().iter().chain(rules.groups_and_cages()) {
        for (index, &a) in house.cells.iter().enumerate() {
            for &b in &house.cells[..index] {
                let [a, b] = [a, b].map(usize::from);
                if answer[a] != 0 && answer[a] == answer[b] {
                    contradicts[a] = true;
                    contradicts[b] = true;
                }
            }
        }
    }
    for cage in rules.cages() {
        if sum_fault(cage, answer).is_some() {
            for &cell in cage.cells() {
                contradicts[usize::from(cell)] = true;
            }
        }
    }
    for pair in rules.pairs() {
        let [a, b] = pair.cells.map(usize::from);
        if is_violated(pair, answer) {
            contradicts[a] = true;
            contradicts[b] = true;
        }
    }
    if let Some(stated) = rules.stated() {
        stated.conflicting_cells(answer).for_each(|cell| contradicts[usize::from(cell)] = true);
    }
    (0..contradicts.len()).filter(|&cell| contradicts[cell]).collect()
}

/// Returns a message if two givens contradict each other, a cage full of givens has a wrong sum, or
/// a cell has no candidate left (see [`digits_and_candidates`]). A cell with one pencilmark counts
/// as a given. `symbol` converts a digit to its character.
pub fn visible_contradiction(
    rules: &Rules,
    givens: Givens<'_>,
    symbol: impl Fn(u8) -> char,
) -> Option<String> {
    let (digits, sets) = digits_and_candidates(rules, givens);
    if let Some(fault) = first_conflict(rules, &digits) {
        return Some(fault.reason(symbol));
    }
    let cell = sets.iter().position(|&set| set == 0)?;
    Some(format!("{} has no candidate", Place::of(cell, rules.side())))
}

/// Returns the digit of each given, 0 for a blank cell, and the candidates of each cell. Blank
/// cells lose the candidates that givens exclude by a house, group, cage or pair, but not by the
/// sum of a cage. A cell with one pencilmark counts as a given.
pub fn digits_and_candidates(rules: &Rules, givens: Givens<'_>) -> (Vec<u8>, Vec<u32>) {
    let every_digit = (1 << rules.side()) - 1;
    let mut sets: Vec<u32> =
        (0..givens.cells()).map(|cell| givens.candidates(cell, every_digit)).collect();
    let digit = |set: &u32| {
        if set.is_power_of_two() { set.trailing_zeros() as u8 + 1 } else { 0 }
    };
    let digits: Vec<u8> = sets.iter().map(digit).collect();
    remove_given_digits(rules, &digits, &mut sets);
    (digits, sets)
}

/// `digits` are the givens, 0 for a blank cell.
fn remove_given_digits(rules: &Rules, digits: &[u8], sets: &mut [u32]) {
    let is_blank = |cell: usize| digits[cell] == 0;
    for house in rules.houses().iter().chain(rules.groups_and_cages()) {
        let cells = house.cells.iter().map(|&cell| usize::from(cell));
        let mut given_digits = 0;
        for cell in cells.clone() {
            given_digits |= (1 << digits[cell]) >> 1;
        }
        for cell in cells.filter(|&cell| is_blank(cell)) {
            sets[cell] &= !given_digits;
        }
    }
    for pair in rules.pairs() {
        let [a, b] = pair.cells.map(usize::from);
        for (given, blank) in [(a, b), (b, a)] {
            if is_blank(given) || !is_blank(blank) {
                continue;
            }
            for digit in 1..=rules.side() as u8 {
                if pair.relation.forbids(digits[given], digit) {
                    sets[blank] &= !(1 << (digit - 1));
                }
            }
        }
    }
}

/// False if a cell is blank (0).
fn is_violated(pair: &Pair, answer: &[u8]) -> bool {
    let [a, b] = pair.cells.map(|cell| answer[usize::from(cell)]);
    pair.relation.forbids(a, b) && a != 0 && b != 0
}

/// Checks houses, groups, cages and pairs, in the order of [`Fault`]. Blank cells (0) are no fault.
fn first_conflict(rules: &Rules, digits: &[u8]) -> Option<Fault> {
    let mut houses = rules.houses().iter();
    houses
        .find_map(|house| first_repeat_in(house, rules.side(), digits))
        .or_else(|| first_conflict_beyond_houses(rules, digits))
}

fn first_conflict_beyond_houses(rules: &Rules, digits: &[u8]) -> Option<Fault> {
    let mut groups = rules.groups().iter();
    groups
        .find_map(|group| first_repeat_in(group, rules.side(), digits))
        .or_else(|| first_fault_of_cages(rules, digits))
        .or_else(|| first_violated_pair(rules, digits))
        .or_else(|| {
            let fault = rules.stated()?.fault(digits)?;
            Some(Fault(FaultKind::Stated { fault, side: rules.side() }))
        })
}

/// `house` can be a group or cage.
fn first_repeat_in(house: &House, side: usize, answer: &[u8]) -> Option<Fault> {
    let mut first_holder: [Option<u16>; 256] = [None; 256];
    for &cell in &house.cells {
        let digit = answer[usize::from(cell)];
        if digit == 0 {
            continue;
        }
        if let Some(first) = first_holder[usize::from(digit)].replace(cell) {
            return Some(Fault(FaultKind::Twice {
                house: house.name,
                digit,
                places: [first, cell].map(|cell| Place::of(cell.into(), side)),
            }));
        }
    }
    None
}

fn first_fault_of_cages(rules: &Rules, answer: &[u8]) -> Option<Fault> {
    let mut cages = rules.cages().iter();
    cages.find_map(|cage| {
        first_repeat_in(&cage.group, rules.side(), answer).or_else(|| sum_fault(cage, answer))
    })
}

/// Returns `None` if the cage has a blank cell or no sum.
fn sum_fault(cage: &Cage, answer: &[u8]) -> Option<Fault> {
    let mut found = 0;
    for &cell in &cage.group.cells {
        match answer[usize::from(cell)] {
            0 => return None,
            digit => found += u16::from(digit),
        }
    }
    let sum = cage.sum.filter(|&sum| sum != found)?;
    Some(Fault(FaultKind::Sum { cage: cage.group.name, found, sum }))
}

fn first_violated_pair(rules: &Rules, answer: &[u8]) -> Option<Fault> {
    let pair = rules.pairs().iter().find(|pair| is_violated(pair, answer))?;
    Some(Fault(FaultKind::Pair {
        relation: pair.relation,
        places: pair.cells.map(|cell| Place::of(cell.into(), rules.side())),
        digits: pair.cells.map(|cell| answer[usize::from(cell)]),
    }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::{Shape, Variants};

    const PUZZLE: &[u8; 16] = b"1200000000000000";
    const ANSWER: &[u8; 16] = b"1234341221434321";

    fn reason(variants: &str, answer: &[u8; 16]) -> Option<String> {
        let rules =
            Rules::new(4, Shape::boxes_of(4).unwrap(), &variants.parse::<Variants>().unwrap())
                .unwrap();
        let digits = |text: &[u8; 16]| text.map(|symbol| symbol - b'0');
        let fault = verify(&rules, &digits(PUZZLE), &digits(answer)).err()?;
        Some(fault.reason(|digit| char::from(b'0' + digit)))
    }

    #[test]
    fn a_correct_answer_has_no_fault() {
        assert_eq!(reason("classic", ANSWER), None);
    }

    #[test]
    fn faults_of_cages_name_the_cage_and_its_sum_or_digit() {
        let rules = Rules::new(4, Shape::boxes_of(4).unwrap(), &Variants::default()).unwrap();
        let answer = ANSWER.map(|symbol| symbol - b'0');
        for (cells, sum, expected) in [
            (vec![0, 1], Some(3), None),
            (vec![1, 5], Some(5), Some("cage at r1c2 adds up to 6, not 5")),
            (vec![1, 6, 7], None, Some("cage at r1c2 has 2 twice: r1c2 r2c4")),
            (vec![1, 6, 7], Some(7), Some("cage at r1c2 has 2 twice: r1c2 r2c4")),
        ] {
            let cage = Cage::new(4, cells.clone(), sum).unwrap();
            let killer = rules.with_cages(vec![cage]).unwrap();
            let fault = verify(&killer, &[0; 16], &answer).err();
            let reason = fault.map(|fault| fault.reason(|digit| char::from(b'0' + digit)));
            assert_eq!(reason.as_deref(), expected);
            let contradicting = conflicting_cells(&killer, Givens::Digits(&[0; 16]), &answer).len();
            let expected = match reason {
                None => 0,
                Some(reason) if reason.contains("twice") => 2,
                Some(_) => cells.len(),
            };
            // The cage with a repeated digit also has another sum than 7.
            let expected = if sum == Some(7) { 3 } else { expected };
            assert_eq!(contradicting, expected);
        }
    }

    #[test]
    fn faults_are_reported_in_the_documented_order() {
        for (variants, answer, expected) in [
            ("classic", b"1334341221434320", "r1c2 is 3, given 2"),
            ("classic", b"1230341221434311", "row 4 has 1 twice: r4c3 r4c4"),
            ("classic", b"1034341221434320", "r1c2 is blank"),
            ("classic", b"1134341221434321", "r1c2 is 1, given 2"),
            ("classic", b"1233341221434321", "row 1 has 3 twice: r1c3 r1c4"),
            ("classic", b"1234341243214321", "column 1 has 4 twice: r3c1 r4c1"),
            ("classic", b"1234214334124321", "box 1 has 2 twice: r1c2 r2c1"),
            ("diagonal", b"1234341221434321", "diagonal 1 has 4 twice: r2c2 r3c3"),
            ("window", b"1234341221434321", "window 1 has 1 twice: r2c3 r3c2"),
        ] {
            assert_eq!(
                reason(variants, answer).as_deref(),
                Some(expected),
                "{}",
                answer.escape_ascii()
            );
        }
    }

    /// Builds a 9x9 grid whose rows are 123456789 rotated left by `shifts`.
    fn shifted(shifts: [u8; 9]) -> Vec<u8> {
        let row = |shift: u8| (0..9).map(move |column| (shift + column) % 9 + 1);
        shifts.into_iter().flat_map(row).collect()
    }

    #[test]
    fn faults_of_every_variant_are_reported() {
        let plain = [0, 3, 6, 1, 4, 7, 2, 5, 8];
        for (variants, shifts, expected) in [
            ("center-dot", plain, None),
            ("antiknight,antiking", plain, None),
            ("asterisk", plain, Some("asterisk has 9 twice: r3c3 r5c5")),
            ("girandola", plain, Some("girandola has 9 twice: r1c9 r5c5")),
            (
                "antiknight",
                [0, 6, 3, 1, 4, 7, 2, 5, 8],
                Some("r3c1 and r4c3 are a knight's move apart and both 4"),
            ),
            (
                "antiking",
                [6, 3, 0, 1, 4, 7, 2, 5, 8],
                Some("r3c2 and r4c1 are a king's move apart and both 2"),
            ),
            ("nonconsecutive", plain, Some("r1c1 and r1c2 are neighbours and consecutive: 1 2")),
            // Houses come before pairs, regardless of the order in which the variants are named.
            ("nonconsecutive,asterisk", plain, Some("asterisk has 9 twice: r3c3 r5c5")),
        ] {
            let rules = Rules::new(9, Shape::boxes_of(9).unwrap(), &variants.parse().unwrap());
            let fault = verify(&rules.unwrap(), &[0; 81], &shifted(shifts)).err();
            let reason = fault.map(|fault| fault.reason(|digit| char::from(b'0' + digit)));
            assert_eq!(reason.as_deref(), expected, "{variants}");
        }
        let rules = Rules::new(9, Shape::boxes_of(9).unwrap(), &"center-dot".parse().unwrap());
        let mut answer = shifted(plain);
        for row in answer.chunks_exact_mut(9) {
            row.swap(4, 5);
        }
        let fault = verify(&rules.unwrap(), &[0; 81], &answer).unwrap_err();
        let message = fault.reason(|digit| char::from(b'0' + digit));
        assert_eq!(message, "center-dot has 2 twice: r2c8 r8c5");
        assert_eq!(
            reason("disjoint", b"1243341243212134").as_deref(),
            Some("disjoint group 1 has 4 twice: r1c3 r3c1")
        );
    }

    #[test]
    fn regions_come_after_the_boxes_and_extra_groups_after_all_houses() {
        let digits = |text: &[u8]| text.iter().map(|symbol| symbol - b'0').collect::<Vec<u8>>();
        for (labels, extra, expected) in [
            (b"AABBACBBACDDCCDD", b"A...A.......A...", "region A has 2 twice: r1c2 r3c1"),
            (b"AABBAABBCCDDCCDD", b"A...B......BA...", "extra B has 3 twice: r2c1 r3c4"),
            (b"AABBAABBCCDDCCDD", b"A..B.B..B..BA...", "extra B has 4 twice: r1c4 r2c2"),
        ] {
            let shape = Shape::boxes_of(4).unwrap().with_regions(labels, false);
            let rules = Rules::new(4, shape, &"regions".parse().unwrap()).unwrap();
            let rules = rules.with_extra(extra).unwrap();
            let fault = verify(&rules, &[0; 16], &digits(ANSWER)).unwrap_err();
            assert_eq!(fault.reason(|digit| char::from(b'0' + digit)), expected);
        }
    }

    #[test]
    fn the_fast_check_and_the_fault_search_agree_on_every_one_cell_change() {
        let rules = Rules::new(4, Shape::boxes_of(4).unwrap(), &Variants::default()).unwrap();
        let answer = ANSWER.map(|symbol| symbol - b'0');
        assert!(houses_are_full(&rules, &answer) && first_conflict(&rules, &answer).is_none());
        for cell in 0..16 {
            for digit in (0..=4).filter(|&digit| digit != answer[cell]) {
                let mut changed = answer;
                changed[cell] = digit;
                assert!(!houses_are_full(&rules, &changed), "{changed:?}");
                assert!(digit == 0 || first_conflict(&rules, &changed).is_some(), "{changed:?}");
            }
        }
    }

    #[test]
    fn a_contradiction_is_plain_if_givens_repeat_or_a_cell_has_no_candidate() {
        for (variants, puzzle, expected) in [
            ("classic", "1200000000000000", None),
            ("classic", "1001000000000000", Some("row 1 has 1 twice: r1c1 r1c4")),
            ("classic", "1230040000000000", None),
            ("classic", "1230000400000000", Some("r1c4 has no candidate")),
            ("diagonal", "1000000000000001", Some("diagonal 1 has 1 twice: r1c1 r4c4")),
            (
                "antiknight",
                "1000001000000000",
                Some("r1c1 and r2c3 are a knight's move apart and both 1"),
            ),
            ("nonconsecutive", "1000300000000000", Some("r2c2 has no candidate")),
            ("nonconsecutive", "0200300000000000", Some("r1c1 has no candidate")),
        ] {
            let variants_read = variants.parse::<Variants>().unwrap();
            let rules = Rules::new(4, Shape::boxes_of(4).unwrap(), &variants_read).unwrap();
            let digits: Vec<u8> = puzzle.bytes().map(|symbol| symbol - b'0').collect();
            let symbol = |digit| char::from(b'0' + digit);
            let reason = visible_contradiction(&rules, Givens::Digits(&digits), symbol);
            assert_eq!(reason.as_deref(), expected, "{variants} {puzzle}");
            // The same givens as pencilmarks.
            let sets = digits.iter().map(|&digit| match digit {
                0 => 0b1111,
                digit => 1 << (digit - 1),
            });
            let sets: Vec<u32> = sets.collect();
            let reason = visible_contradiction(&rules, Givens::Candidates(&sets), symbol);
            assert_eq!(reason.as_deref(), expected, "pencilmarks: {variants} {puzzle}");
        }
    }

    #[test]
    fn a_full_cage_with_another_sum_is_a_visible_contradiction() {
        let rules = Rules::new(4, Shape::boxes_of(4).unwrap(), &Variants::default()).unwrap();
        for (sum, given, expected) in [
            (5, [1, 2], Some("cage at r1c1 adds up to 3, not 5")),
            (3, [1, 2], None),
            (5, [1, 0], None),
        ] {
            let cage = Cage::new(4, vec![0, 1], Some(sum)).unwrap();
            let killer = rules.with_cages(vec![cage]).unwrap();
            let mut digits = [0; 16];
            digits[..2].copy_from_slice(&given);
            let symbol = |digit| char::from(b'0' + digit);
            let reason = visible_contradiction(&killer, Givens::Digits(&digits), symbol);
            assert_eq!(reason.as_deref(), expected, "{given:?} {sum}");
        }
    }

    #[test]
    fn conflicts_are_the_cells_that_a_plain_comparison_of_all_pairs_finds() {
        let mut random = crate::random::Random::new(1);
        let mut contradictions = 0;
        for variants in ["classic", "diagonal,disjoint", "antiknight", "nonconsecutive"] {
            let variants: Variants = variants.parse().unwrap();
            let rules = Rules::new(9, Shape::boxes_of(9).unwrap(), &variants).unwrap();
            let excludes = |a: usize, b: usize, digits: [u8; 2]| {
                let mut houses = rules.houses().iter().chain(rules.groups());
                let share = houses.any(|house| {
                    [a, b].map(|cell| house.cells.contains(&(cell as u16))) == [true; 2]
                });
                let pair = [a.min(b) as u16, a.max(b) as u16];
                let mut pairs = rules.pairs().iter().filter(|it| it.cells == pair);
                (share && digits[0] == digits[1])
                    || pairs.any(|it| it.relation.forbids(digits[0], digits[1]))
            };
            for _ in 0..50 {
                let mut grid = [0u8; 81].map(|_| random.below(10) as u8);
                let mut givens = [0u8; 81].map(|_| random.below(10) as u8);
                // Most cells are blank in some of the grids, so that few contradict others.
                let kept = random.below(80);
                for cell in 0..81 {
                    grid[cell] *= u8::from(random.below(80) >= kept);
                    givens[cell] *= u8::from(random.below(4) == 0);
                }
                let contradicts = |&a: &usize| {
                    let given = givens[a] != 0 && grid[a] != givens[a];
                    let others = (0..81).filter(|&b| b != a && grid[b] != 0);
                    let mut others = others.map(|b| (b, [grid[a], grid[b]]));
                    grid[a] != 0 && (given || others.any(|(b, digits)| excludes(a, b, digits)))
                };
                let expected = (0..81).filter(contradicts).count();
                let found = conflicting_cells(&rules, Givens::Digits(&givens), &grid);
                assert_eq!(found.len(), expected);
                contradictions += expected;
            }
        }
        assert!(contradictions > 1000, "{contradictions}");
    }
}
