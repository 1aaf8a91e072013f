//! The sweep of a 9x9 grid with 3x3 boxes: narrows the configurations of the six bands (three bands
//! and three stacks) and the candidates of the nine boxes.
//!
//! The minirow of a box and a row is the three cells that they share; a minicolumn is the three
//! cells that a box and a column share. Bands and boxes pass deductions to each other only as the
//! digits of these 54 minirows and minicolumns. The array `minirows` holds these digits, band by
//! band, then stack by stack. `b` is a band, `s` a stack, `r` a row of a box, and `c` a column of a
//! box, each from 0 to 2:
//!
//! ```text
//!                box s = 0   box s = 1   box s = 2
//!     row r = 0  0 0 0       3 3 3       6 6 6         minirows[9*b + 3*s + r]         row r of the box in band b and stack s
//!     row r = 1  1 1 1       4 4 4       7 7 7         minirows[27 + 9*s + 3*b + c]    column c of the same box
//!     row r = 2  2 2 2       5 5 5       8 8 8
//!
//!     (each number is the index in `minirows` of a minirow of band 0; the minicolumns of the left stack are minirows[27..36],
//!     those of its top box first)
//! ```
//!
//! A sweep sets the minirows to the digits that the configurations allow, narrows the boxes, and
//! narrows the configurations to what the minirows allow. The configurations come last, so that
//! every deduction of the boxes narrows them in the same sweep, and a digit without a configuration
//! shows in the sweep that removes its last one.
//!
//! Naked and hidden singles are applied to boxes only. The configurations remove a placed digit
//! from the rest of its row and column, and turn a hidden single of a row or column into a hidden
//! single of a box.

use super::configurations::{
    configurations_by_minirows, minirow_by_configurations, with_a_configuration,
};
use crate::solver::constraints::houses::SweepFlags;
use crate::solver::constraints::singles::keep_singles;
use crate::solver::simd::{ALL_DIGITS, Counting};

/// One grid in every lane, as sets of digits (layout: `mod.rs`).
#[derive(Clone)]
pub(super) struct Grids<V> {
    /// Along the rows.
    pub cells: [V; 81],
    minirows: [V; 54],
    /// Hidden singles that the last sweep found in each box; the next sweep reports those that it
    /// does not place. Meaningless in a lane with a new or restored state.
    hidden: [V; 9],
    /// The digits that can have each configuration, for each band, then for each stack.
    pub configurations: [[V; 6]; 6],
}

impl<V: Copy> Grids<V> {
    pub fn blank(every_digit: V) -> Grids<V> {
        Grids {
            cells: [every_digit; 81],
            minirows: [every_digit; 54],
            hidden: [every_digit; 9],
            configurations: [[every_digit; 6]; 6],
        }
    }
}

struct Carried<V> {
    /// All digits in lanes whose `cells` must be ignored.
    stale_cells: V,
    /// For each row of the current band, the digits that an earlier box holds in this row only.
    /// Later boxes of the band lose them in this row (locked candidates).
    pointed_rows: [V; 3],
    /// The same for each stack and each of its columns: later boxes of the stack lose these digits.
    pointed_columns: [[V; 3]; 3],
    /// Hidden singles of the previous sweep that are still not placed, for example because two
    /// share a cell. A contradiction, except in lanes with a new or restored state.
    unplaced_hidden: V,
}

/// Returns the hidden singles of the previous sweep that are still not placed.
#[inline(always)]
pub(super) fn sweep_grids<S: Counting>(
    s: S,
    grids: &mut Grids<S::V>,
    stale_cells: S::V,
    flags: &mut SweepFlags<S>,
) -> S::V {
    let bands = grids.minirows.as_chunks_mut().0.iter_mut();
    for (minirows, configurations) in bands.zip(&grids.configurations) {
        narrow_minirows(s, minirows, configurations);
    }
    let before = cfg!(debug_assertions).then(|| grids.clone());
    let none = s.splat(0);
    let mut carried = Carried {
        stale_cells,
        pointed_rows: [none; 3],
        pointed_columns: [[none; 3]; 3],
        unplaced_hidden: none,
    };
    for band in 0..3 {
        carried.pointed_rows = [none; 3];
        for stack in 0..3 {
            sweep_box(s, grids, [band, stack], &mut carried, flags);
        }
    }
    let bands = grids.minirows.as_chunks().0.iter();
    for (minirows, configurations) in bands.zip(&mut grids.configurations) {
        narrow_configurations(s, minirows, configurations, flags);
    }
    if let Some(before) = &before {
        check_narrowed(s, grids, before, stale_cells);
    }
    carried.unplaced_hidden
}

/// For debug builds. Asserts that a sweep only removed digits, except in `stale_cells`.
fn check_narrowed<S: Counting>(s: S, grids: &Grids<S::V>, before: &Grids<S::V>, stale_cells: S::V) {
    let added = |after: &[S::V], before: &[S::V]| {
        let pairs = after.iter().zip(before);
        pairs.fold(s.splat(0), |added, (&after, &before)| s.or_and_not(added, after, before))
    };
    let configurations =
        added(grids.configurations.as_flattened(), before.configurations.as_flattened());
    let cells = s.and_not(added(&grids.cells, &before.cells), stale_cells);
    debug_assert_eq!(s.nonzero_lanes(configurations), 0);
    debug_assert_eq!(s.nonzero_lanes(cells), 0);
    let all = s.splat(ALL_DIGITS);
    let mut cells = grids.cells.iter();
    debug_assert!(cells.all(|&cell| s.nonzero_lanes(s.and_not(cell, all)) == 0));
}

/// Sets the minirows to the digits that the configurations allow there. A minirow that must hold
/// three digits (or more, a contradiction) keeps only these.
#[inline(always)]
fn narrow_minirows<S: Counting>(s: S, minirows: &mut [S::V; 9], configurations: &[S::V; 6]) {
    let mut possible = [s.splat(0); 3];
    for k in 0..3 {
        for r in 0..3 {
            possible[r] = minirow_by_configurations(s, configurations, k, r);
        }
        for r in 0..3 {
            // `certain` digits have no other minirow in the box. A minirow with three of them is
            // full. Tried: without this rule. 50 % more branches; hard input takes
            // 25-35 % more time (11-15 % if only columns lack it).
            let certain = s.and_nor(possible[r], possible[(r + 1) % 3], possible[(r + 2) % 3]);
            minirows[3 * k + r] = s.subset_if_three(certain, possible[r]);
        }
    }
}

/// Narrows the cells of a box by its minirows and minicolumns, then by its naked and hidden
/// singles. Sets its minirows and minicolumns to what its cells still hold.
///
/// In each row and column, the box loses the digits that an earlier box holds there only. The next
/// sweep would remove these digits anyway. Removing them now saves a quarter of the sweeps and 5-15
/// % of the time.
// Tried: only the givens stay in `cells` between sweeps, as configurations imply most of the rest.
// 26 % more sweeps on puzzles of 17 givens.
#[inline(always)]
fn sweep_box<S: Counting>(
    s: S,
    grids: &mut Grids<S::V>,
    [band, stack]: [usize; 2],
    carried: &mut Carried<S::V>,
    flags: &mut SweepFlags<S>,
) {
    let Grids { cells, minirows, hidden, .. } = grids;
    let hidden_before = &mut hidden[3 * band + stack];
    let pointed_rows = &mut carried.pointed_rows;
    let pointed_columns = &mut carried.pointed_columns[stack];
    let none = s.splat(0);
    let first_minirow = 9 * band + 3 * stack;
    let first_minicolumn = 27 + 9 * stack + 3 * band;
    let cell = |i: usize| 27 * band + 3 * stack + i / 3 * 9 + i % 3;
    let mut set = [none; 9];
    let mut single = [none; 9];
    let [mut in_row, mut in_column] = [[none; 3]; 2];
    for r in 0..3 {
        in_row[r] = s.and_not(minirows[first_minirow + r], pointed_rows[r]);
        in_column[r] = s.and_not(minirows[first_minicolumn + r], pointed_columns[r]);
    }
    for i in 0..9 {
        // In lanes whose cells are stale, a cell gets all that its minirow and minicolumn allow.
        let allowed = s.and(in_row[i / 3], in_column[i % 3]);
        set[i] = s.and_or(allowed, cells[cell(i)], carried.stale_cells);
        single[i] = s.single_or_none(set[i]);
    }
    let placed = any_of_nine(s, &single);
    let hidden = hidden_singles(s, &set, placed);
    // A hidden single of the previous sweep must be a naked single now.
    carried.unplaced_hidden = s.or_and_not(carried.unplaced_hidden, *hidden_before, placed);
    *hidden_before = hidden;
    // A hidden single counts as a change, because the next sweep must place it.
    // Tried: only newly placed digits count as a change. Half as many writes to memory, but 15 %
    // more time on the hardest corpus.
    flags.changed = s.or(flags.changed, hidden);
    let unplaced = s.and_not(s.splat(ALL_DIGITS), placed);
    for i in 0..9 {
        let left = keep_singles(s, set[i], single[i], hidden, unplaced);
        // Tried: without `least`. 4 % less time on easy input, 25 % more on puzzles of 17 givens.
        flags.least = s.lesser_set(flags.least, left);
        cells[cell(i)] = left;
        set[i] = left;
    }
    for r in 0..3 {
        in_row[r] = s.or3(set[3 * r], set[3 * r + 1], set[3 * r + 2]);
        in_column[r] = s.or3(set[r], set[r + 3], set[r + 6]);
    }
    minirows[first_minirow..first_minirow + 3].copy_from_slice(&in_row);
    minirows[first_minicolumn..first_minicolumn + 3].copy_from_slice(&in_column);
    add_pointed(s, in_row, placed, pointed_rows, flags);
    add_pointed(s, in_column, placed, pointed_columns, flags);
}

/// Returns the digits that have one cell in the box and are not naked singles (`placed`).
// This sweep narrows the cell of a hidden single to this digit, and the next sweep finds a naked
// single. If two hidden singles share a cell, the cell keeps both, and the next sweep records a
// contradiction (`Carried::unplaced_hidden`). Without this check, 10 of 13 unsolvable puzzles with
// few different digits took a million branches.
#[inline(always)]
fn hidden_singles<S: Counting>(s: S, set: &[S::V; 9], placed: S::V) -> S::V {
    let [mut held, mut repeated] = [[s.splat(0); 3]; 2];
    for r in 0..3 {
        held[r] = s.or3(set[3 * r], set[3 * r + 1], set[3 * r + 2]);
        repeated[r] = s.majority(set[3 * r], set[3 * r + 1], set[3 * r + 2]);
    }
    let in_one_row = s.in_exactly_one(held[0], held[1], held[2]);
    let repeated = s.or3(repeated[0], repeated[1], repeated[2]);
    s.and_nor(in_one_row, repeated, placed)
}

/// Adds to `pointed[r]` the digits that a box holds in row r and in no other row. Records the
/// digits in several rows as unsolved, and those of them that are placed as contradictions. `held`
/// are the digits of its rows, or of its columns in a second call.
#[inline(always)]
fn add_pointed<S: Counting>(
    s: S,
    held: [S::V; 3],
    placed: S::V,
    pointed: &mut [S::V; 3],
    flags: &mut SweepFlags<S>,
) {
    let in_two = s.majority(held[0], held[1], held[2]);
    // Two cells of a box differ in row or column, so one of the two calls finds a digit that is
    // placed twice. If neither does, a placed digit has one row and one column in the box.
    // Backtracking relies on that: it restores configurations only, which give the row and the
    // column of a digit in each box.
    flags.contradiction = s.or_and(flags.contradiction, placed, in_two);
    flags.unsolved = s.or(flags.unsolved, in_two);
    for r in 0..3 {
        pointed[r] = s.or_and_not(pointed[r], held[r], in_two);
    }
}

#[inline(always)]
fn any_of_nine<S: Counting>(s: S, sets: &[S::V; 9]) -> S::V {
    s.or3(
        s.or3(sets[0], sets[1], sets[2]),
        s.or3(sets[3], sets[4], sets[5]),
        s.or3(sets[6], sets[7], sets[8]),
    )
}

/// Records removed configurations as changes. A digit without a configuration is a contradiction.
#[inline(always)]
fn narrow_configurations<S: Counting>(
    s: S,
    minirows: &[S::V; 9],
    configurations: &mut [S::V; 6],
    flags: &mut SweepFlags<S>,
) {
    let held = configurations_by_minirows(s, minirows);
    for i in 0..6 {
        let known = configurations[i];
        configurations[i] = s.and(known, held[i]);
        flags.changed = s.or_and_not(flags.changed, known, configurations[i]);
    }
    let any = with_a_configuration(s, configurations);
    flags.contradiction = s.or_and_not(flags.contradiction, s.splat(ALL_DIGITS), any);
}

#[cfg(test)]
mod tests {
    use std::ops::ControlFlow;

    use super::*;
    use crate::puzzle::Puzzles;
    use crate::random::Random;
    use crate::rules::{Rules, Shape, Variants};
    use crate::solver::backtrack::Backtrack;
    use crate::solver::limits::{GuessLimit, Limits, Progress};
    use crate::solver::simd::level::Level;
    use crate::solver::simd::{CountingJob, DIGIT_BITS};

    /// The digits of a grid, 0 for a blank cell.
    type Digits = [u8; 81];

    /// The outcome for one puzzle, swept until nothing changes.
    struct Settled {
        cells: [u16; 81],
        has_contradiction: bool,
        is_solved: bool,
    }

    /// Sweeps puzzles until nothing changes, one in each lane.
    struct Settle<'a> {
        puzzles: &'a [Digits],
        settled: &'a mut Vec<Settled>,
    }

    impl CountingJob for Settle<'_> {
        type Answer = ControlFlow<()>;

        #[inline(always)]
        fn run<S: Counting>(self, s: S) -> ControlFlow<()> {
            for puzzles in self.puzzles.chunks(S::LANES) {
                let mut grids = Grids::blank(s.splat(ALL_DIGITS));
                for (lane, digits) in puzzles.iter().enumerate() {
                    for (cell, set) in grids.cells.iter_mut().zip(candidates(digits)) {
                        s.lanes_mut(cell)[lane] = set;
                    }
                }
                let mut settled: Vec<Option<Settled>> = puzzles.iter().map(|_| None).collect();
                // The first sweep has no hidden singles of an earlier one.
                let mut known = s.splat(0);
                while settled.iter().any(Option::is_none) {
                    let mut flags = SweepFlags::new(s, s.splat(ALL_DIGITS));
                    let unplaced = sweep_grids(s, &mut grids, s.splat(0), &mut flags);
                    let unplaced = s.nonzero_lanes(s.and(unplaced, known));
                    known = s.splat(ALL_DIGITS);
                    let changed = s.nonzero_lanes(flags.changed);
                    let contradiction = flags.contradictions(changed) | unplaced;
                    let solved = !(s.nonzero_lanes(flags.unsolved) | contradiction);
                    for (lane, settled) in settled.iter_mut().enumerate() {
                        let is_in = |lanes: u32| lanes >> lane & 1 == 1;
                        if settled.is_none() && (is_in(contradiction) || !is_in(changed)) {
                            *settled = Some(Settled {
                                cells: grids.cells.each_ref().map(|cell| s.lanes(cell)[lane]),
                                has_contradiction: is_in(contradiction),
                                is_solved: is_in(solved),
                            });
                        }
                    }
                }
                self.settled.extend(settled.into_iter().flatten());
            }
            ControlFlow::Continue(())
        }
    }

    fn candidates(digits: &Digits) -> [u16; 81] {
        digits.map(|digit| match digit {
            0 => ALL_DIGITS,
            _ => DIGIT_BITS[usize::from(digit) - 1],
        })
    }

    /// The cells of the rows, columns and boxes.
    fn houses() -> Vec<[usize; 9]> {
        let each = |cell: fn(usize, usize) -> usize| {
            (0..9).map(move |house| std::array::from_fn(|i| cell(house, i)))
        };
        let rows = each(|house, i| 9 * house + i);
        let columns = each(|house, i| 9 * i + house);
        let boxes = each(|house, i| house / 3 * 27 + house % 3 * 3 + i / 3 * 9 + i % 3);
        rows.chain(columns).chain(boxes).collect()
    }

    /// Applies naked and hidden singles until nothing changes; `None` if they lead to a
    /// contradiction.
    fn singles(mut cells: [u16; 81]) -> Option<[u16; 81]> {
        loop {
            let before = cells;
            for house in houses() {
                for (cell, other) in house.iter().flat_map(|&a| house.map(|b| (a, b))) {
                    if cell != other && before[cell].is_power_of_two() {
                        cells[other] &= !before[cell];
                    }
                }
                for digit in DIGIT_BITS {
                    let places = house.map(|cell| cells[cell] & digit != 0);
                    match places.iter().filter(|&&holds| holds).count() {
                        0 => return None,
                        1 => cells[house[places.iter().position(|&holds| holds)?]] &= digit,
                        _ => {}
                    }
                }
            }
            if cells.contains(&0) {
                return None;
            }
            if cells == before {
                return Some(cells);
            }
        }
    }

    /// Returns some solutions of a puzzle, with the digits of each cell as a set.
    fn solutions(rules: &Rules, digits: &Digits) -> Vec<[u16; 81]> {
        let limits = Limits {
            max_guesses: GuessLimit::Guesses(100_000),
            max_time: None,
            solutions: 60,
            shown: 60,
        };
        let mut solutions = Vec::new();
        let _ = Backtrack::new(rules, limits).solve(Puzzles::of_digits(digits), &mut |progress| {
            if let Progress::Solution(_, solution) = progress {
                solutions.push(candidates(solution.first_chunk().unwrap()));
            }
            ControlFlow::Continue(())
        });
        solutions
    }

    /// Returns puzzles from full to nearly blank. Every third has a digit changed, so that most of
    /// these have no solution.
    fn puzzles(number: usize) -> Vec<Digits> {
        let random = &mut Random::new(9);
        let mut puzzles = Vec::new();
        for n in 0..number {
            // A full grid: the digits of each row are those of the row above it, shifted; then
            // exchanged at random.
            let mut digits: Vec<u8> = (1..10).collect();
            digits.sort_by_cached_key(|_| random.below(1000));
            let mut grid: Digits =
                std::array::from_fn(|cell| digits[(cell / 9 * 3 + cell / 27 + cell % 9) % 9]);
            for _ in 0..n * 120 / number {
                grid[random.below(81) as usize] = 0;
            }
            if n % 3 == 2 {
                grid[random.below(81) as usize] = 1 + random.below(9) as u8;
            }
            puzzles.push(grid);
        }
        puzzles
    }

    #[test]
    fn a_sweep_removes_no_digit_of_a_solution_and_finds_what_singles_find() {
        let rules = Rules::new(9, Shape::boxes_of(9).unwrap(), &Variants::default()).unwrap();
        let puzzles = puzzles(200);
        let solutions: Vec<_> = puzzles.iter().map(|it| solutions(&rules, it)).collect();
        for level in Level::NAMES.into_iter().filter_map(Level::named) {
            let mut settled = Vec::new();
            let flow = level.run_counting(Settle { puzzles: &puzzles, settled: &mut settled });
            assert!(flow.is_continue() && settled.len() == puzzles.len());
            let mut counts = [0; 3];
            for ((puzzle, settled), solutions) in puzzles.iter().zip(&settled).zip(&solutions) {
                let name = format!("{level:?} {puzzle:?}");
                let by_singles = singles(candidates(puzzle));
                if settled.has_contradiction {
                    assert!(solutions.is_empty(), "{name}");
                    counts[0] += 1;
                    continue;
                }
                let cells = settled.cells;
                let by_singles = by_singles.expect("a contradiction, which singles find");
                for (cell, by_singles) in cells.iter().zip(by_singles) {
                    assert_eq!(cell & !by_singles, 0, "{name}: found by singles alone");
                }
                for solution in solutions {
                    let mut pairs = cells.iter().zip(solution);
                    assert!(pairs.all(|(cell, digit)| cell & digit != 0), "{name}");
                }
                let is_full = cells.iter().all(|cell| cell.is_power_of_two());
                assert_eq!(settled.is_solved, is_full, "{name}");
                assert!(!is_full || solutions[..] == [cells], "{name}");
                counts[if is_full { 1 } else { 2 }] += 1;
            }
            assert!(counts.iter().all(|&count| count > 20), "{counts:?}");
        }
    }
}
