//! Deductions for one node from cages, from the sums of the rule of 45, and from the sums, counts
//! and set lists that a puzzle states. A cell sees those that must differ from it by a house, group
//! or pair (`StatedPlan::sees`).

use super::board::StatedBoard;
use super::contradiction::{Contradiction, Deduced};
use super::plan::Cells;
use super::problem::{MAX_SUM_CELLS, Problem, Sum, SumKind};
use super::rules::{CountSet, Counted, Weighted};
use crate::bits::bits;
use crate::rules::MAX_TERMS;
use crate::solver::combinations::{CHUNK, CombinationChunk};

/// The sum has this constraint number. A `SumKind::Cage` also excludes digits from cells outside.
#[inline(always)]
pub(super) fn deduce(board: &mut StatedBoard, problem: &Problem, number: usize) -> Deduced {
    let sum = &problem.sums[number - problem.plan.houses.len()];
    match sum.kind {
        SumKind::Cage | SumKind::Distinct => deduce_cage(board, problem, sum),
        SumKind::Linear => deduce_linear(board, problem, sum),
        kind => deduce_stated(board, problem, kind),
    }
}

/// Deduces from all weighted sums that have two or three open cells. Returns whether that removed a
/// candidate. The error is the number of a sum that is impossible.
#[inline(always)]
pub(super) fn deduce_exactly(problem: &Problem, candidates: &mut [u16]) -> Result<bool, usize> {
    let mut has_changed = false;
    if problem.stated.sums.is_empty() {
        return Ok(false);
    }
    for (number, sum) in (problem.plan.houses.len()..).zip(&problem.sums) {
        if let SumKind::Weighted(index) = sum.kind {
            let sum = &problem.stated.sums[usize::from(index)];
            let deduced = sum.keep_supported_in(candidates, &problem.plan.sees);
            has_changed |= deduced.map_err(|_| number)?;
        }
    }
    Ok(has_changed)
}

#[inline(never)]
fn deduce_stated(board: &mut StatedBoard, problem: &Problem, kind: SumKind) -> Deduced {
    let stated = &problem.stated;
    match kind {
        SumKind::Cage | SumKind::Distinct | SumKind::Linear => unreachable!("of no stated rule"),
        SumKind::Weighted(index) => {
            deduce_weighted(board, problem, &stated.sums[usize::from(index)])
        }
        SumKind::Counts(index) => {
            let set = &stated.count_sets[usize::from(index)];
            deduce_counts(board, problem, set)?;
            exclude_certain(board, problem, &set.cells, set.required)
        }
        SumKind::Sets(index) => {
            let list = &stated.set_lists[usize::from(index)];
            let mut masks = [0; MAX_SUM_CELLS];
            let masks = &mut masks[..list.cells.len()];
            for (mask, &cell) in masks.iter_mut().zip(&list.cells) {
                *mask = board.candidates[usize::from(cell)];
            }
            let certain = keep_possible_combinations(&list.chunks, masks);
            for (&cell, &mask) in list.cells.iter().zip(&*masks) {
                board.restrict(problem, cell, mask)?;
            }
            exclude_certain(board, problem, &list.cells, certain)
        }
    }
}

#[inline(always)]
fn deduce_weighted(board: &mut StatedBoard, problem: &Problem, sum: &Weighted) -> Deduced {
    let mut sets = [0; MAX_TERMS];
    for (set, &cell) in sets.iter_mut().zip(&sum.cells) {
        *set = board.candidates[usize::from(cell)];
    }
    let sets = &mut sets[..sum.cells.len()];
    sum.deduce(sets, &problem.plan.sees)?;
    for (&set, &cell) in sets.iter().zip(&sum.cells) {
        board.restrict(problem, cell, set)?;
    }
    Ok(())
}

#[inline(always)]
fn deduce_counts(board: &mut StatedBoard, problem: &Problem, set: &CountSet) -> Deduced {
    for Counted { sets, weights, least, are_alike } in &set.counts {
        let candidates = |index: usize| board.candidates[usize::from(set.cells[index])];
        let possible = (0..sets.len()).filter(|&index| candidates(index) & sets[index] != 0);
        let most: u16 = possible.map(|index| weights[index]).sum();
        let spare = most.checked_sub(*least).ok_or(Contradiction)?;
        if *are_alike && spare > 0 {
            continue;
        }
        for ((&cell, &digits), &weight) in set.cells.iter().zip(sets).zip(weights) {
            if weight > spare && board.candidates[usize::from(cell)] & digits != 0 {
                board.restrict(problem, cell, digits)?;
            }
        }
    }
    Ok(())
}

/// Removes each digit that the cells must hold from the cells that see all that can hold it.
#[inline(always)]
fn exclude_certain(
    board: &mut StatedBoard,
    problem: &Problem,
    cells: &[u8],
    certain: u16,
) -> Deduced {
    for bit in bits(certain) {
        let digit = 1 << bit;
        let holders =
            cells.iter().filter(|&&cell| board.candidates[usize::from(cell)] & digit != 0);
        let seen = holders.map(|&cell| problem.plan.sees[usize::from(cell)]);
        let seers = seen.reduce(|seers, seen| seers.intersection(&seen)).ok_or(Contradiction)?;
        for seer in seers.iter() {
            board.restrict(problem, seer as u8, !digit)?;
        }
    }
    Ok(())
}

/// The open cells of a cage: those with more than one candidate.
struct OpenCells {
    cells: [u8; MAX_SUM_CELLS],
    /// Without the digits of the fixed cells.
    candidates: [u16; MAX_SUM_CELLS],
    number: usize,
    fixed: u16,
    /// The total less the fixed digits. Unused for a cage without a sum.
    rest: i32,
}

impl OpenCells {
    /// Returns `None` if two fixed cells hold the same digit. Every cell must have a candidate.
    #[inline(always)]
    fn of_cage(board: &StatedBoard, sum: &Sum) -> Option<OpenCells> {
        debug_assert!(matches!(sum.kind, SumKind::Cage | SumKind::Distinct));
        let mut open = OpenCells {
            cells: [0; MAX_SUM_CELLS],
            candidates: [0; MAX_SUM_CELLS],
            number: 0,
            fixed: 0,
            rest: sum.total,
        };
        for &cell in sum.cells() {
            let candidates = board.candidates[usize::from(cell)];
            let is_fixed = candidates & (candidates - 1) == 0;
            if is_fixed {
                if open.fixed & candidates != 0 {
                    return None;
                }
                open.fixed |= candidates;
                open.rest -= candidates.trailing_zeros() as i32 + 1;
            } else {
                // `%` changes nothing; it removes the bounds check.
                open.cells[open.number % MAX_SUM_CELLS] = cell;
                open.candidates[open.number % MAX_SUM_CELLS] = candidates;
                open.number += 1;
            }
        }
        for candidates in &mut open.candidates {
            *candidates &= !open.fixed;
        }
        Some(open)
    }
}

/// In a cage without a sum, only excludes the digits of the fixed cells from the open ones.
#[inline(always)]
fn deduce_cage(board: &mut StatedBoard, problem: &Problem, sum: &Sum) -> Deduced {
    let mut open = OpenCells::of_cage(board, sum).ok_or(Contradiction)?;
    let masks = &mut open.candidates[..open.number.min(MAX_SUM_CELLS)];
    let mut certain = 0;
    if sum.kind == SumKind::Cage {
        if masks.is_empty() {
            return if open.rest == 0 { Ok(()) } else { Err(Contradiction) };
        }
        let chunks = problem.combinations.with_sum(masks.len(), open.rest);
        certain = keep_possible_combinations(chunks, masks);
    }
    for (&cell, &mask) in open.cells.iter().zip(&*masks) {
        board.restrict(problem, cell, mask)?;
    }
    exclude_certain_digits(board, problem, &open, certain)
}

/// Removes each digit that the open cells must hold from the cells that see all open cells for it.
#[inline(always)]
fn exclude_certain_digits(
    board: &mut StatedBoard,
    problem: &Problem,
    open: &OpenCells,
    certain: u16,
) -> Deduced {
    for bit in bits(certain) {
        let digit = 1 << bit;
        let cells = open.cells.iter().zip(&open.candidates).take(open.number);
        let holders = cells.filter(|&(_, &mask)| mask & digit != 0);
        let seen = holders.map(|(&cell, _)| problem.plan.sees[usize::from(cell)]);
        let seers = seen.reduce(|seers, seen| seers.intersection(&seen));
        for seer in seers.iter().flat_map(Cells::iter) {
            board.restrict(problem, seer as u8, !digit)?;
        }
    }
    Ok(())
}

/// Narrows `masks`, the candidates of the open cells, to the digits of the possible combinations.
/// Returns the digits that all of these contain. If no combination is possible, the masks become
/// empty, and the result has no meaning.
///
/// A combination counts as possible if each of its digits has a cell that can hold it, each cell
/// can hold at least one of them, and no cell is the only possible one for two of them. If only one
/// cell can hold a digit, that cell keeps no other digit of this combination.
#[inline(always)]
fn keep_possible_combinations(chunks: &[CombinationChunk], masks: &mut [u16]) -> u16 {
    let mut kept = [[0u16; CHUNK]; MAX_SUM_CELLS];
    let mut common = [u16::MAX; CHUNK];
    for chunk in chunks {
        let (mut once, mut twice) = ([0u16; CHUNK], [0u16; CHUNK]);
        let mut possible = [u16::MAX; CHUNK];
        for &mask in masks.iter() {
            for at in 0..CHUNK {
                let of_cell = chunk[at] & mask;
                twice[at] |= once[at] & of_cell;
                once[at] |= of_cell;
                possible[at] &= all_if(of_cell != 0);
            }
        }
        let mut only = [0u16; CHUNK];
        for at in 0..CHUNK {
            // Requires that every digit of the combination has a cell.
            possible[at] &= all_if(once[at] == chunk[at]);
            only[at] = once[at] & !twice[at];
        }
        for &mask in masks.iter() {
            for at in 0..CHUNK {
                // Requires that no cell is the only one for two digits.
                let hidden = mask & only[at];
                possible[at] &= all_if(hidden & hidden.wrapping_sub(1) == 0);
            }
        }
        for (&mask, kept) in masks.iter().zip(&mut kept) {
            for at in 0..CHUNK {
                let of_cell = chunk[at] & mask;
                let hidden = mask & only[at];
                kept[at] |= possible[at] & if hidden == 0 { of_cell } else { hidden };
            }
        }
        // An impossible combination does not change `common`.
        for at in 0..CHUNK {
            common[at] &= chunk[at] | !possible[at];
        }
    }
    for (mask, kept) in masks.iter_mut().zip(&kept) {
        *mask = kept.iter().fold(0, |union, &kept| union | kept);
    }
    common.iter().fold(u16::MAX, |common, &digits| common & digits)
}

#[inline(always)]
fn all_if(condition: bool) -> u16 {
    if condition { u16::MAX } else { 0 }
}

/// Keeps the digits within the bounds that the other cells leave.
#[inline(always)]
fn deduce_linear(board: &mut StatedBoard, problem: &Problem, sum: &Sum) -> Deduced {
    let plus = usize::from(sum.plus);
    let (mut least, mut most, mut widest) = (0, 0, 0);
    for (index, &cell) in sum.cells().iter().enumerate() {
        let [low, high] = range_of(board.candidates[usize::from(cell)], index >= plus);
        least += low;
        most += high;
        widest = widest.max(high - low);
    }
    let (below, above) = (sum.total - least, most - sum.total);
    if below < 0 || above < 0 {
        return Err(Contradiction);
    }
    // The bounds exclude digits only from a cell whose range is wider than one of these distances.
    if widest <= below && widest <= above {
        return Ok(());
    }
    for (index, &cell) in sum.cells().iter().enumerate() {
        let is_minus = index >= plus;
        let [low, high] = range_of(board.candidates[usize::from(cell)], is_minus);
        // With a smaller or a greater term, the other cells cannot reach the total.
        let (smallest, greatest) = (high - above, low + below);
        let (first, last) = if is_minus { (-greatest, -smallest) } else { (smallest, greatest) };
        let keep = digits_between(first.max(1), last.min(16));
        board.restrict(problem, cell, keep)?;
    }
    Ok(())
}

/// Returns the least and the greatest digit of a set that is not empty, negated for a minus sign.
#[inline(always)]
fn range_of(candidates: u16, is_minus: bool) -> [i32; 2] {
    let low = candidates.trailing_zeros() as i32 + 1;
    // No cell is empty: `unwrap_or` avoids a branch to a panic.
    let high = candidates.checked_ilog2().unwrap_or(0) as i32 + 1;
    if is_minus { [-high, -low] } else { [low, high] }
}

/// Both must be from 1 to 16.
#[inline(always)]
fn digits_between(first: i32, last: i32) -> u16 {
    (u16::MAX << (first - 1)) & (u16::MAX >> (16 - last))
}

#[cfg(test)]
mod tests {
    use super::super::plan::StatedPlan;
    use super::super::tests::{enumerate, rules, within_bounds};
    use super::*;
    use crate::random::Random;
    use crate::solver::combinations::Combinations;

    fn random_masks(number: usize, random: &mut Random) -> Vec<u16> {
        let mut mask = || (1 + random.below(511)) as u16 & (1 + random.below(511)) as u16;
        let mut masks: Vec<u16> = (0..number).map(|_| mask()).collect();
        for mask in &mut masks {
            *mask |= 0b11 << random.below(8);
        }
        masks
    }

    #[test]
    fn cages_keep_the_digits_with_which_their_sum_is_possible() {
        let mut random = Random::new(45);
        let combinations = Combinations::of_side(9);
        let mut narrowed = [0; 6];
        for number in 2..6 {
            for _ in 0..if number < 5 { 600 } else { 40 } {
                let masks = random_masks(number, &mut random);
                let total = random.below(9 * number as u32 + 2) as i32;
                let expected = enumerate(&masks, masks.len(), total, true);
                let mut found = masks.clone();
                let chunks = combinations.with_sum(number, total);
                let certain = keep_possible_combinations(chunks, &mut found);
                let case = format!("{masks:?} {total}");
                for (found, (expected, mask)) in found.iter().zip(expected.iter().zip(&masks)) {
                    assert_eq!((expected & !found, found & !mask), (0, 0), "{case}");
                }
                // Two cells keep nothing else.
                let is_possible = expected[0] != 0;
                assert!(number > 2 || !is_possible || found == expected, "{case}");
                narrowed[number] += usize::from(is_possible && found != masks);
                if is_possible {
                    check_certain(&expected, total, certain, &case);
                }
            }
        }
        assert!(narrowed[2..].iter().all(|&number| number > 10), "{narrowed:?}");
    }

    /// Checks that the total cannot be reached without any one of the certain digits.
    fn check_certain(masks: &[u16], total: i32, certain: u16, case: &str) {
        for without in (0..9).map(|digit| 1 << digit) {
            if certain & without != 0 {
                let masks: Vec<u16> = masks.iter().map(|mask| mask & !without).collect();
                let kept = enumerate(&masks, masks.len(), total, true);
                assert!(kept.iter().all(|&mask| mask == 0), "{case}: {without:b}");
            }
        }
    }

    #[test]
    fn linear_sums_keep_the_digits_within_the_bounds_that_the_other_cells_leave() {
        let plan = StatedPlan::new(&rules(9, "classic"));
        let problem = Problem::new(&plan, &[]);
        let mut random = Random::new(7);
        for number in [1, 2, 3, 4] {
            for _ in 0..300 {
                let masks = random_masks(number, &mut random);
                let plus = random.below(number as u32 + 1) as usize;
                let lowest = -9 * (number - plus) as i32;
                let total = lowest + random.below(9 * number as u32 + 2) as i32;
                let (of_plus, of_minus) = (0..plus as u16, plus as u16..number as u16);
                let sum = Sum::new(SumKind::Linear, of_plus, of_minus, total);
                let mut board = StatedBoard::new(&problem);
                board.candidates[..number].copy_from_slice(&masks);
                let deduced = deduce_linear(&mut board, &problem, &sum);
                let found = deduced.ok().map(|()| &board.candidates[..number]);
                let expected = within_bounds(&masks, plus, total);
                let expected = expected.filter(|kept| !kept.contains(&0));
                assert_eq!(found, expected.as_deref(), "{masks:?} {sum:?}");
            }
        }
    }
}
