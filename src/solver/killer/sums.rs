//! Deductions from sums: which digits the cells of a cage, or of a sum derived by the rule of 45, can still hold.

use super::board::{Board, Contradiction, Deduced};
use super::combinations::Chunk;
use super::problem::{Kind, MOST_CELLS, Problem, Sum};

/// Restricts the cells of a sum to the digits with which the total can be reached.
#[inline(always)]
pub(super) fn deduce<const W: usize>(
    board: &mut Board<W>,
    problem: &Problem<W>,
    number: usize,
) -> Deduced {
    let sum = &problem.sums[number - problem.plan.houses.len()];
    let deduced = match sum.kind {
        Kind::Cage => deduce_cage(board, problem, sum),
        Kind::Distinct => exclude_fixed_digits(board, problem, sum),
        Kind::Linear => deduce_linear(board, problem, sum),
    };
    deduced.map_err(|contradiction| contradiction.unwrap_or(Contradiction::Constraint(number)))
}

/// The result of a deduction. `Err(None)` is a contradiction of the sum as a whole.
type DeducedFromSum = Result<(), Option<Contradiction>>;

/// The cells of a cage that hold more than one candidate, and what their digits must add up to.
struct OpenCells {
    cells: [u8; MOST_CELLS],
    /// The candidates, without the digits of fixed cells.
    candidates: [u16; MOST_CELLS],
    number: usize,
    /// The digits of the fixed cells.
    fixed: u16,
    rest: i32,
}

impl OpenCells {
    /// Collects the open cells; `None` if two fixed cells hold the same digit.
    #[inline(always)]
    fn of<const W: usize>(board: &Board<W>, sum: &Sum) -> Option<OpenCells> {
        let mut open = OpenCells {
            cells: [0; MOST_CELLS],
            candidates: [0; MOST_CELLS],
            number: 0,
            fixed: 0,
            rest: sum.total,
        };
        for &cell in sum.cells() {
            let candidates = board.candidates[usize::from(cell)];
            if candidates & (candidates - 1) == 0 {
                if open.fixed & candidates != 0 {
                    return None;
                }
                open.fixed |= candidates;
                open.rest -= candidates.trailing_zeros() as i32 + 1;
            } else {
                open.cells[open.number % MOST_CELLS] = cell;
                open.candidates[open.number % MOST_CELLS] = candidates;
                open.number += 1;
            }
        }
        for candidates in &mut open.candidates {
            *candidates &= !open.fixed;
        }
        Some(open)
    }
}

#[inline(always)]
fn deduce_cage<const W: usize>(
    board: &mut Board<W>,
    problem: &Problem<W>,
    sum: &Sum,
) -> DeducedFromSum {
    let mut open = OpenCells::of(board, sum).ok_or(None)?;
    let number = open.number;
    let masks = &mut open.candidates;
    let mut certain = 0;
    match number {
        0 if open.rest == 0 => {}
        0 => return Err(None),
        1 => masks[0] &= digit_mask(open.rest),
        2 => {
            let [a, b] = [masks[0], masks[1]];
            masks[0] = a & other_partners(reversed(b), open.rest);
            masks[1] = b & other_partners(reversed(a), open.rest);
            if has_two_digits(masks[0] | masks[1]) {
                certain = masks[0] | masks[1];
            }
        }
        3 => {
            deduce_three(masks, open.rest);
            if !problem.seers(sum).is_empty() {
                let union = masks[0] | masks[1] | masks[2];
                let chunks = problem.combinations.of(3, open.rest);
                certain = common_digits(chunks, &masks[..3], union).1;
            }
        }
        _ => {
            let number = number.min(MOST_CELLS);
            let chunks = problem.combinations.of(number, open.rest);
            certain = filter_by_combinations(chunks, &mut masks[..number])?;
        }
    }
    for (&cell, &mask) in open.cells.iter().zip(&open.candidates).take(number) {
        board.restrict(problem, cell, mask).map_err(Some)?;
    }
    if certain != 0 {
        for &seer in problem.seers(sum) {
            board.restrict(problem, seer, !certain).map_err(Some)?;
        }
    }
    Ok(())
}

/// Returns whether a mask has at most two digits.
#[inline(always)]
fn has_two_digits(mask: u16) -> bool {
    let without_first = mask & mask.wrapping_sub(1);
    without_first & without_first.wrapping_sub(1) == 0
}

/// Keeps the digits of three cells with which all three differ and reach the total.
#[inline(always)]
fn deduce_three(masks: &mut [u16; MOST_CELLS], total: i32) {
    let [a, b, c] = [masks[0], masks[1], masks[2]];
    let (of_b, of_c) = (b, reversed(c));
    let mut kept = [0; 3];
    let mut left = a;
    while left != 0 {
        let digit = left & left.wrapping_neg();
        left ^= digit;
        let rest = total - digit.trailing_zeros() as i32 - 1;
        let second = of_b & other_partners(of_c, rest) & !digit;
        // If the second cell holds the partner of `digit`, the third would hold `digit` too.
        let second = second & !partners(reversed(digit), rest);
        if second != 0 {
            kept[0] |= digit;
            kept[1] |= second;
            kept[2] |= partners(reversed(second), rest);
        }
    }
    masks[0] = kept[0];
    masks[1] = kept[1];
    masks[2] = kept[2] & c;
}

/// Keeps the digits of possible combinations. Returns the digits that all of them contain.
#[inline(always)]
fn filter_by_combinations(
    chunks: &[Chunk],
    masks: &mut [u16],
) -> Result<u16, Option<Contradiction>> {
    let (mut once, mut twice) = (0, 0);
    for &mask in masks.iter() {
        twice |= once & mask;
        once |= mask;
    }
    let (union, common) = common_digits(chunks, masks, once);
    if union == 0 {
        return Err(None);
    }
    let hidden = common & !twice;
    for mask in masks {
        *mask &= union;
        if *mask & hidden != 0 {
            *mask &= hidden;
        }
    }
    Ok(common)
}

/// Returns the union and the intersection of the combinations whose digits all have a cell and that leave a digit for each
/// cell. If there are none, the union is empty.
#[inline(always)]
fn common_digits(chunks: &[Chunk], masks: &[u16], candidates: u16) -> (u16, u16) {
    let mut union = 0;
    let mut common = u16::MAX;
    for chunk in chunks {
        let mut possible = *chunk;
        for combination in &mut possible {
            if *combination & !candidates != 0 {
                *combination = 0;
            }
        }
        for &mask in masks {
            for combination in &mut possible {
                if *combination & mask == 0 {
                    *combination = 0;
                }
            }
        }
        for combination in possible {
            union |= combination;
            common &= if combination == 0 {
                u16::MAX
            } else {
                combination
            };
        }
    }
    (union, common)
}

#[inline(always)]
fn exclude_fixed_digits<const W: usize>(
    board: &mut Board<W>,
    problem: &Problem<W>,
    sum: &Sum,
) -> DeducedFromSum {
    let open = OpenCells::of(board, sum).ok_or(None)?;
    for (&cell, &mask) in open.cells.iter().zip(&open.candidates).take(open.number) {
        board.restrict(problem, cell, mask).map_err(Some)?;
    }
    Ok(())
}

/// Keeps the digits of cells that can be equal, with which the total can be reached.
///
/// A cell with a minus sign counts with the complement of its digit, side + 1 - digit, which raises the total by side + 1.
/// `reached` holds, for each cell, the totals that the cells before it can reach: bit t for total t. From the last cell back,
/// `wanted` holds those from which the other cells can reach the total.
#[inline(always)]
fn deduce_linear<const W: usize>(
    board: &mut Board<W>,
    problem: &Problem<W>,
    sum: &Sum,
) -> DeducedFromSum {
    let cells = sum.cells();
    let side = problem.plan.side as i32;
    let plus = cells.len() - usize::from(sum.minus);
    let total = sum.total + i32::from(sum.minus) * (side + 1);
    if !(0..128).contains(&total) {
        return Err(None);
    }
    let complement = |mask: u16| partners(reversed(mask), side + 1);
    let mut reached = [1u128; MOST_CELLS + 1];
    for (index, &cell) in cells.iter().enumerate() {
        let mask = board.candidates[usize::from(cell)];
        let mask = if index < plus { mask } else { complement(mask) };
        reached[index + 1] = digits(mask).fold(0, |sums, digit| sums | reached[index] << digit);
    }
    let mut wanted = 1u128 << total;
    if reached[cells.len()] & wanted == 0 {
        return Err(None);
    }
    for (index, &cell) in cells.iter().enumerate().rev() {
        let mask = board.candidates[usize::from(cell)];
        let mask = if index < plus { mask } else { complement(mask) };
        let (mut kept, mut wanted_before) = (0, 0);
        for digit in digits(mask) {
            let before = (wanted >> digit) & reached[index];
            wanted_before |= before;
            kept |= u16::from(before != 0) << (digit - 1);
        }
        wanted = wanted_before;
        let kept = if index < plus { kept } else { complement(kept) };
        board.restrict(problem, cell, kept).map_err(Some)?;
    }
    Ok(())
}

/// Returns the digits of a mask.
#[inline(always)]
fn digits(mut mask: u16) -> impl Iterator<Item = u32> {
    std::iter::from_fn(move || {
        let digit = mask.trailing_zeros() + 1;
        let is_digit = mask != 0;
        mask &= mask.wrapping_sub(1);
        is_digit.then_some(digit)
    })
}

/// Returns the mask of a digit, or an empty mask for a number that is no digit.
#[inline(always)]
fn digit_mask(digit: i32) -> u16 {
    match digit {
        1..=16 => 1 << (digit - 1),
        _ => 0,
    }
}

/// Returns a mask for `partners`: bit 32 - d for digit d.
#[inline(always)]
fn reversed(mask: u16) -> u64 {
    u64::from(mask.reverse_bits()) << 16
}

/// Returns, for each digit of a reversed mask, the digit that makes up the total with it.
#[inline(always)]
fn partners(reversed: u64, total: i32) -> u16 {
    // Digit d is at bit 32 - d of the reversed mask, and its partner at bit total - d - 1.
    match total {
        2..=32 => (reversed >> (33 - total)) as u16,
        _ => 0,
    }
}

/// Returns the partners that differ from the digit they belong to.
#[inline(always)]
fn other_partners(reversed: u64, total: i32) -> u16 {
    let half = if total & 1 == 0 {
        digit_mask(total / 2)
    } else {
        0
    };
    partners(reversed, total) & !half
}
