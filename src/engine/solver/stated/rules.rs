//! The rules that a puzzle states (`rules/stated.rs`), in the form of the solver: pair tables,
//! weighted sums, counts and set lists. Also their deductions for nodes in lanes, and those of a
//! weighted sum from candidates alone; `board.rs` and `sums.rs` make those for one node.

use std::collections::BTreeMap;

use super::combined_sums::{MAX_CLIQUES, PlainSum};
use super::contradiction::{Contradiction, Deduced};
use super::exact_sums::{MAX_OPEN, OpenTerms};
use super::lane_cells::{LaneCells, from, highest_digit, lowest_digit, up_to};
use super::plan::{self, Cells};
use crate::bits::bits;
use crate::rules::{Count, MAX_TERMS, PairTable, StatedRules};
use crate::solver::combinations::{CHUNK, CombinationChunk};
use crate::solver::constraints::houses::SweepFlags;
use crate::solver::simd::Counting;

#[derive(Debug, Default)]
pub(super) struct Stated {
    /// Table 2t is table t of the rules, 2t + 1 its transposition.
    pub tables: Vec<NibbleTable>,
    pub stars: Vec<Star>,
    /// The cells that are the centre of a star.
    pub starred: Cells,
    /// The index in `stars`.
    pub star_of: Vec<u8>,
    pub sums: Vec<Weighted>,
    pub count_sets: Vec<CountSet>,
    pub set_lists: Vec<SetList>,
}

/// Cells that differ, and the sets of digits that they can hold together.
#[derive(Debug)]
pub(super) struct SetList {
    pub cells: Vec<u8>,
    pub masks: Vec<u16>,
    pub chunks: Vec<CombinationChunk>,
}

/// For each nibble of a set of digits, the union of the rows of its digits.
#[derive(Debug)]
pub(super) struct NibbleTable([[u16; 16]; 4]);

/// The tables between one cell and others.
#[derive(Debug)]
pub(super) struct Star {
    pub center: u8,
    /// The other cells, each with the table from the centre to it.
    pub arms: Vec<(u8, u32)>,
    /// The centre and the other cells.
    pub cells: Vec<u8>,
}

/// Counts of the same cells.
#[derive(Debug)]
pub(super) struct CountSet {
    pub cells: Vec<u8>,
    pub counts: Vec<Counted>,
    /// The digits that some cell must hold.
    pub required: u16,
}

/// The weights of the cells that hold one of their digits add up to `least` or more.
#[derive(Debug)]
pub(super) struct Counted {
    /// The digits of each cell of the set.
    pub sets: Vec<u16>,
    /// The number of times that each cell counts.
    pub weights: Vec<u16>,
    pub least: u16,
    pub are_alike: bool,
}

#[derive(Debug)]
pub(super) struct Weighted {
    pub cells: Vec<u8>,
    /// Cells that all differ and have the same weight: first and number in `cells`, weight.
    cliques: Vec<Clique>,
    /// Of each cell.
    weights: Vec<i32>,
    total: i32,
    is_unit: bool,
}

#[derive(Clone, Copy, Debug)]
struct Clique {
    first: usize,
    number: usize,
    weight: i32,
}

impl NibbleTable {
    fn new(table: &PairTable) -> NibbleTable {
        let mut nibbles = [[0; 16]; 4];
        for (n, unions) in nibbles.iter_mut().enumerate() {
            for (set, union) in unions.iter_mut().enumerate() {
                for bit in bits(set as u32) {
                    *union |= table.0[4 * n + bit];
                }
            }
        }
        NibbleTable(nibbles)
    }

    #[inline(always)]
    pub fn support(&self, set: u16) -> u16 {
        let set = usize::from(set);
        let [a, b, c, d] = &self.0;
        a[set & 15] | b[set >> 4 & 15] | c[set >> 8 & 15] | d[set >> 12 & 15]
    }

    #[inline(always)]
    fn support_of_lanes<S: Counting>(&self, s: S, set: S::V, side: usize) -> S::V {
        let [a, b, c, d] = &self.0;
        let mut union = s.or(s.look_up(set, a)[0], s.look_up(set, b)[1]);
        if side > 8 {
            union = s.or(union, s.look_up(set, c)[2]);
        }
        if side > 12 {
            union = s.or(union, s.look_up(set, d)[3]);
        }
        union
    }
}

impl Stated {
    pub fn new(rules: &StatedRules, sees: &[Cells]) -> Stated {
        let both =
            |table: &PairTable| [NibbleTable::new(table), NibbleTable::new(&table.transposed())];
        let mut arms: BTreeMap<u8, Vec<(u8, u32)>> = BTreeMap::new();
        for &([a, b], table) in rules.pairs() {
            let (a, b) = (a as u8, b as u8);
            arms.entry(a).or_default().push((b, 2 * table));
            arms.entry(b).or_default().push((a, 2 * table + 1));
        }
        let mut count_sets: BTreeMap<Vec<u8>, CountSet> = BTreeMap::new();
        for count in rules.counts() {
            let (cells, counted) = Counted::new(count);
            let sets = &counted.sets;
            let entry = count_sets.entry(cells.clone());
            let entry =
                entry.or_insert_with(|| CountSet { cells, counts: Vec::new(), required: 0 });
            if let Some(&first) = sets.first()
                && first.is_power_of_two()
                && sets.iter().all(|&set| set == first)
            {
                entry.required |= first;
            }
            entry.counts.push(counted);
        }
        let stars = arms.into_iter().map(|(center, arms)| {
            let others = arms.iter().map(|arm| arm.0);
            Star { center, cells: [center].into_iter().chain(others).collect(), arms }
        });
        let stars: Vec<Star> = stars.collect();
        let mut star_of = vec![0; if stars.is_empty() { 0 } else { 256 }];
        for (index, star) in stars.iter().enumerate() {
            star_of[usize::from(star.center)] = index as u8;
        }
        Stated {
            tables: rules.tables().iter().flat_map(both).collect(),
            starred: stars.iter().map(|star| u16::from(star.center)).collect(),
            stars,
            star_of,
            sums: rules
                .sums()
                .iter()
                .map(|sum| Weighted::new(&sum.terms, sum.total, sees))
                .collect(),
            count_sets: count_sets.into_values().collect(),
            set_lists: rules
                .sets()
                .iter()
                .map(|list| SetList::new(&list.cells, &list.sets))
                .collect(),
        }
    }
}

impl Counted {
    /// Also returns the cells. A cell can be there several times with the same digits; in a clause,
    /// with any digits.
    fn new(count: &Count) -> (Vec<u8>, Counted) {
        let mut of_cell: BTreeMap<u8, (u16, u16)> = BTreeMap::new();
        for &(cell, set) in &count.literals {
            let (digits, weight) = of_cell.entry(cell as u8).or_default();
            debug_assert!(count.least == 1 || [0, set].contains(digits), "{count:?}");
            *digits |= set;
            *weight = if count.least == 1 { 1 } else { *weight + 1 };
        }
        let sets = of_cell.values().map(|&(set, _)| set).collect();
        let weights: Vec<u16> = of_cell.values().map(|&(_, weight)| weight).collect();
        let are_alike = weights.iter().all(|&weight| weight == 1);
        let counted = Counted { sets, weights, least: count.least as u16, are_alike };
        (of_cell.into_keys().collect(), counted)
    }
}

impl SetList {
    fn new(cells: &[u16], masks: &[u16]) -> SetList {
        let mut padded = masks.to_vec();
        padded.resize(masks.len().next_multiple_of(CHUNK), 0);
        SetList {
            cells: cells.iter().map(|&cell| cell as u8).collect(),
            masks: masks.to_vec(),
            chunks: padded.as_chunks().0.to_vec(),
        }
    }
}

impl Weighted {
    pub fn new(terms: &[(u16, i16)], total: i32, sees: &[Cells]) -> Weighted {
        let mut of_weight: BTreeMap<i16, Cells> = BTreeMap::new();
        for &(cell, weight) in terms {
            of_weight.entry(weight).or_default().insert(cell);
        }
        let (mut cells, mut cliques) = (Vec::new(), Vec::new());
        for (weight, of_weight) in of_weight {
            for clique in plan::cliques(of_weight, sees) {
                let (first, number) = (cells.len(), clique.len());
                cliques.push(Clique { first, number, weight: weight.into() });
                cells.extend(clique.into_iter().map(|cell| cell as u8));
            }
        }
        let is_unit = cliques.iter().all(|clique| clique.weight.abs() == 1);
        let weights = cliques.iter().flat_map(|clique| vec![clique.weight; clique.number]);
        Weighted { cells, weights: weights.collect(), cliques, total, is_unit }
    }

    /// Returns none if there are weights other than 1.
    pub fn plain(&self) -> Option<PlainSum> {
        let is_plain = self.weights.iter().all(|&weight| weight == 1);
        let cells = || self.cells.iter().map(|&cell| cell.into()).collect();
        is_plain.then(|| PlainSum { cells: cells(), total: self.total })
    }

    /// Narrows the candidates of `cells` to the digits within the bounds that the others leave.
    #[inline(always)]
    fn narrow(&self, sets: &mut [u16]) -> Deduced {
        let mut bounds = [[0; 2]; MAX_TERMS];
        let (mut least, mut most) = (0, 0);
        for (clique, bounds) in self.cliques.iter().zip(&mut bounds) {
            let [low, high] = range_of(&sets[clique.first..][..clique.number])?;
            *bounds = [low, high];
            let (a, b) = (clique.weight * low, clique.weight * high);
            least += a.min(b);
            most += a.max(b);
        }
        let (below, above) = (self.total - least, most - self.total);
        if below < 0 || above < 0 {
            return Err(Contradiction);
        }
        for (clique, &[low, high]) in self.cliques.iter().zip(&bounds) {
            let weight = clique.weight.abs();
            let (up, down) = if clique.weight > 0 { (below, above) } else { (above, below) };
            let (greatest, smallest) = (low + up / weight, high - down / weight);
            if greatest >= high && smallest <= low {
                continue;
            }
            narrow_clique(&mut sets[clique.first..][..clique.number], smallest, greatest)?;
        }
        Ok(())
    }

    /// Narrows the candidates of `cells` until that removes none, then as `keep_supported`.
    #[inline(always)]
    pub fn deduce(&self, sets: &mut [u16], sees: &[Cells]) -> Deduced {
        loop {
            let number = |sets: &[u16]| sets.iter().map(|set| set.count_ones()).sum::<u32>();
            let before = number(sets);
            self.narrow(sets)?;
            if before == number(sets) {
                break;
            }
        }
        self.keep_supported(sets, sees)?;
        Ok(())
    }

    /// If two or three cells are open, keeps only the digits of solutions of this sum. Returns
    /// whether that removed any.
    #[inline(always)]
    pub fn keep_supported(&self, sets: &mut [u16], sees: &[Cells]) -> Result<bool, Contradiction> {
        let (mut open, mut number, mut total) = ([0; MAX_OPEN], 0, self.total);
        for (index, (&set, &weight)) in sets.iter().zip(&self.weights).enumerate() {
            if set.is_power_of_two() {
                total -= weight * lowest(set);
            } else if number == MAX_OPEN {
                return Ok(false);
            } else {
                open[number] = index;
                number += 1;
            }
        }
        if number < 2 {
            return Ok(false);
        }
        let sees = |a: usize, b: usize| {
            sees[usize::from(self.cells[open[a]])].contains(self.cells[open[b]].into())
        };
        let old = open.map(|index| sets[index]);
        let mut terms = OpenTerms {
            number,
            sets: old,
            weights: open.map(|index| self.weights[index]),
            total,
            differ: [sees(0, 1), sees(0, 2), sees(1, 2)],
        };
        terms.keep_supported()?;
        for (&index, set) in open[..number].iter().zip(terms.sets) {
            sets[index] = set;
        }
        Ok(terms.sets[..number] != old[..number])
    }

    /// As `keep_supported`, for the candidates of all cells of the grid.
    #[inline(always)]
    pub fn keep_supported_in(
        &self,
        candidates: &mut [u16],
        sees: &[Cells],
    ) -> Result<bool, Contradiction> {
        let mut sets = [0; MAX_TERMS];
        let sets = &mut sets[..self.cells.len()];
        for (set, &cell) in sets.iter_mut().zip(&self.cells) {
            *set = candidates[usize::from(cell)];
        }
        let has_changed = self.keep_supported(sets, sees)?;
        if has_changed {
            for (&set, &cell) in sets.iter().zip(&self.cells) {
                candidates[usize::from(cell)] = set;
            }
        }
        Ok(has_changed)
    }

    #[inline(always)]
    pub fn sweep<S: Counting>(&self, cells: &mut LaneCells<S::V>, flags: &mut SweepFlags<S>) {
        if self.is_unit && self.cliques.len() <= MAX_CLIQUES {
            return self.sweep_unit(cells, flags);
        }
        let s = flags.s;
        let mut failed = 0u32;
        let mut sets = [0; MAX_TERMS];
        let sets = &mut sets[..self.cells.len()];
        for lane in 0..S::LANES {
            for (set, &cell) in sets.iter_mut().zip(&self.cells) {
                *set = s.lanes(&cells[usize::from(cell)])[lane];
            }
            if sets.contains(&0) || self.narrow(sets).is_err() {
                failed |= 1 << lane;
                continue;
            }
            for (&set, &cell) in sets.iter().zip(&self.cells) {
                let old = &mut s.lanes_mut(&mut cells[usize::from(cell)])[lane];
                s.lanes_mut(&mut flags.changed)[lane] |= *old & !set;
                *old = set;
            }
        }
        flags.contradiction = s.or(flags.contradiction, s.from_lanes(failed));
    }
}

struct CliqueRange<S: Counting> {
    low: S::V,
    high: S::V,
    union: S::V,
    /// The sums of the extreme digits of the cells, which may be equal.
    lows: S::V,
    highs: S::V,
}

impl<S: Counting> CliqueRange<S> {
    /// Digits count from 0. The second result has all ones where there are too few digits.
    #[inline(always)]
    fn of(s: S, clique: &Clique, of_sum: &[u8], cells: &LaneCells<S::V>) -> (Self, S::V) {
        let none = s.splat(0);
        let (mut lows, mut highs, mut union) = (none, none, none);
        for &cell in &of_sum[clique.first..][..clique.number] {
            let set = cells[usize::from(cell)];
            lows = s.add(lows, lowest_digit(s, set));
            highs = s.add(highs, highest_digit(s, set));
            union = s.or(union, set);
        }
        let (mut low, mut high, mut failed) = (lows, highs, none);
        if clique.number > 1 {
            let [least, most, few] = extremes(s, union, clique.number);
            low = s.subtract(s.add(low, least), s.min(low, least));
            high = s.min(high, most);
            failed = few;
        }
        (CliqueRange { low, high, union, lows, highs }, failed)
    }
}

/// The sums of the lowest and of the highest digits, counted from 0, and all ones where there are
/// fewer.
#[inline(always)]
fn extremes<S: Counting>(s: S, union: S::V, number: usize) -> [S::V; 3] {
    let none = s.splat(0);
    let (mut least, mut most, mut few) = (none, none, none);
    let (mut rising, mut falling) = (union, union);
    for _ in 0..number {
        few = s.or(few, s.ones_where_zero(rising));
        least = s.add(least, lowest_digit(s, rising));
        rising = s.without_least(rising);
        let highest = highest_digit(s, falling);
        most = s.add(most, highest);
        falling = s.and_not(falling, s.power_of_two(highest));
    }
    [least, most, few]
}

impl Weighted {
    /// As `narrow`, for weights 1 and -1.
    #[inline(always)]
    fn sweep_unit<S: Counting>(&self, cells: &mut LaneCells<S::V>, flags: &mut SweepFlags<S>) {
        let s = flags.s;
        let none = s.splat(0);
        let (mut least, mut most, mut failed) = (none, none, none);
        let mut ranges: [Option<CliqueRange<S>>; MAX_CLIQUES] = [const { None }; MAX_CLIQUES];
        let mut from_zero = self.total;
        for (clique, place) in self.cliques.iter().zip(&mut ranges) {
            let (range, few) = CliqueRange::of(s, clique, &self.cells, cells);
            failed = s.or(failed, few);
            from_zero -= clique.weight * clique.number as i32;
            if clique.weight > 0 {
                (least, most) = (s.add(least, range.low), s.add(most, range.high));
            } else {
                (least, most) = (s.subtract(least, range.high), s.subtract(most, range.low));
            }
            *place = Some(range);
        }
        let total = s.splat(from_zero as u16);
        let (below, above) = (s.subtract(total, least), s.subtract(most, total));
        let is_negative = s.and(s.or(below, above), s.splat(1 << 15));
        flags.contradiction = s.or3(flags.contradiction, is_negative, failed);
        for (clique, range) in self.cliques.iter().zip(ranges.iter().flatten()) {
            let (up, down) = if clique.weight > 0 { (below, above) } else { (above, below) };
            let greatest = s.add(range.low, up);
            let others = clique.number - 1;
            let [least_others, most_others, _] = extremes(s, range.union, others);
            for &cell in &self.cells[clique.first..][..clique.number] {
                let cell = &mut cells[usize::from(cell)];
                let lows = s.subtract(range.lows, lowest_digit(s, *cell));
                let highs = s.subtract(range.highs, highest_digit(s, *cell));
                let most_of_others =
                    s.subtract(s.add(lows, least_others), s.min(lows, least_others));
                let last = s.subtract(greatest, most_of_others);
                let reach = s.subtract(range.high, s.min(highs, most_others));
                let first = s.subtract(reach, s.min(reach, down));
                let left = s.and3(*cell, up_to(s, last), from(s, first));
                flags.narrow(cell, left);
            }
        }
    }
}

/// The least and the greatest sum of different digits.
#[inline(always)]
fn range_of(sets: &[u16]) -> Result<[i32; 2], Contradiction> {
    let (mut low, mut high, mut union) = (0, 0, 0);
    for &set in sets {
        low += lowest(set);
        high += highest(set);
        union |= set;
    }
    if sets.len() > 1 {
        if (union.count_ones() as usize) < sets.len() {
            return Err(Contradiction);
        }
        low = low.max(sum_of_lowest(union, sets.len()));
        high = high.min(sum_of_highest(union, sets.len()));
    }
    Ok([low, high])
}

#[inline(always)]
fn narrow_clique(sets: &mut [u16], smallest: i32, greatest: i32) -> Deduced {
    let (mut low, mut high, mut union) = (0, 0, 0);
    for &set in &*sets {
        low += lowest(set);
        high += highest(set);
        union |= set;
    }
    let others = sets.len() - 1;
    let (lowest_others, highest_others) =
        (sum_of_lowest(union, others), sum_of_highest(union, others));
    for set in sets {
        let last = greatest - lowest_others.max(low - lowest(*set));
        let first = smallest - highest_others.min(high - highest(*set));
        if last < 1 || first > 16 {
            return Err(Contradiction);
        }
        *set &= u16::MAX << (first.max(1) - 1) & u16::MAX >> (16 - last.min(16));
        if *set == 0 {
            return Err(Contradiction);
        }
    }
    Ok(())
}

#[inline(always)]
fn lowest(set: u16) -> i32 {
    set.trailing_zeros() as i32 + 1
}

#[inline(always)]
fn highest(set: u16) -> i32 {
    16 - set.leading_zeros() as i32
}

#[inline(always)]
fn sum_of_lowest(mut union: u16, number: usize) -> i32 {
    (0..number).fold(0, |sum, _| {
        let digit = lowest(union);
        union &= union.wrapping_sub(1);
        sum + digit
    })
}

#[inline(always)]
fn sum_of_highest(mut union: u16, number: usize) -> i32 {
    (0..number).fold(0, |sum, _| {
        let digit = highest(union);
        union &= !(1u32 << digit >> 1) as u16;
        sum + digit
    })
}

impl Star {
    /// Both directions of the arms to cells with a higher number.
    #[inline(always)]
    pub fn sweep<S: Counting>(
        &self,
        tables: &[NibbleTable],
        side: usize,
        cells: &mut LaneCells<S::V>,
        flags: &mut SweepFlags<S>,
    ) {
        let s = flags.s;
        for &(other, table) in self.arms.iter().filter(|arm| arm.0 > self.center) {
            let table = table as usize;
            let (a, b) = (cells[usize::from(self.center)], cells[usize::from(other)]);
            let of_b = tables[table].support_of_lanes(s, a, side);
            let of_a = tables[table ^ 1].support_of_lanes(s, b, side);
            flags.narrow(&mut cells[usize::from(self.center)], s.and(a, of_a));
            flags.narrow(&mut cells[usize::from(other)], s.and(b, of_b));
        }
    }
}

impl CountSet {
    #[inline(always)]
    pub fn sweep<S: Counting>(&self, cells: &mut LaneCells<S::V>, flags: &mut SweepFlags<S>) {
        let s = flags.s;
        for Counted { sets, weights, least, are_alike } in &self.counts {
            // Counts down from the sum of the weights.
            let mut spare = s.splat(weights.iter().sum::<u16>().wrapping_sub(*least));
            for ((&cell, &set), &weight) in self.cells.iter().zip(sets).zip(weights) {
                let possible = s.and(cells[usize::from(cell)], s.splat(set));
                let minus = s.splat(weight.wrapping_neg());
                spare = s.add(spare, s.and(s.ones_where_zero(possible), minus));
            }
            flags.contradiction = s.or(flags.contradiction, s.and(spare, s.splat(1 << 15)));
            if *are_alike && s.nonzero_lanes(s.ones_where_zero(spare)) == 0 {
                continue;
            }
            for ((&cell, &set), &weight) in self.cells.iter().zip(sets).zip(weights) {
                let is_needed =
                    s.ones_where_zero(s.subtract(spare, s.min(spare, s.splat(weight - 1))));
                let cell = &mut cells[usize::from(cell)];
                let kept = s.and(*cell, s.splat(set));
                let forced = s.and_not(is_needed, s.ones_where_zero(kept));
                flags.narrow(cell, s.remove_except(*cell, forced, kept));
            }
        }
    }
}
