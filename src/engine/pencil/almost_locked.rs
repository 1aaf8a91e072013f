//! Finds two almost locked sets that eliminate a candidate.

use super::marks::{Marks, has_at_most};
use super::pattern::{Pattern, two_sets};
use super::subsets::{cells_at, first_subset};
use super::tables::Tables;
use crate::bits::bits;
use crate::rules::CellSet;

/// If a grid has more almost locked sets, only the first ones in search order are compared.
const MAX_SETS: usize = 1000;

/// n cells of a house or group that together have n + 1 candidates. If the set loses one of these
/// digits, it holds all others.
struct AlmostLockedSet {
    cells: CellSet,
    digits: u32,
    /// In ascending order of the digits.
    of_digits: Vec<Holders>,
}

struct Holders {
    cells: CellSet,
    seen_by_all: CellSet,
}

impl AlmostLockedSet {
    fn new(tables: &Tables, marks: &Marks, cells: &[u16], digits: u32) -> AlmostLockedSet {
        let of_digit = |digit: usize| {
            let cells = cells.iter().copied();
            let holders = cells.filter(|&cell| marks.candidates[cell] & 1 << digit != 0);
            let cells: CellSet = holders.collect();
            let seen_by_all = tables.seen_by_all(&cells);
            Holders { cells, seen_by_all }
        };
        AlmostLockedSet {
            cells: cells.iter().copied().collect(),
            digits,
            of_digits: bits(digits).map(of_digit).collect(),
        }
    }

    /// The digit must be one of `digits`.
    fn of_digit(&self, digit: usize) -> &Holders {
        let smaller = self.digits & ((1 << digit) - 1);
        &self.of_digits[smaller.count_ones() as usize]
    }
}

/// At most one set holds x. A set without x holds all its other digits, so one of them holds z.
pub(super) fn find(tables: &Tables, marks: &mut Marks) -> Option<Pattern> {
    let sets = almost_locked_sets(tables, marks);
    for (index, later) in sets.iter().enumerate() {
        for earlier in &sets[..index] {
            let common = later.digits & earlier.digits;
            if has_at_most(1, common) {
                continue;
            }
            let x = bits(common).find(|&x| {
                is_restricted_common(earlier, later, x)
                    && eliminate(marks, [earlier, later], common & !(1 << x))
            });
            if let Some(x) = x {
                return Some(two_sets(x, &[earlier.cells, later.cells]));
            }
        }
    }
    None
}

/// The usual term for such a digit: the sets are disjoint, and each cell of one that can hold it
/// sees each such cell of the other. Then at most one of the two sets holds it.
fn is_restricted_common(a: &AlmostLockedSet, b: &AlmostLockedSet, digit: usize) -> bool {
    let [a_holders, b_holders] = [a, b].map(|set| set.of_digit(digit));
    b_holders.cells.is_subset(&a_holders.seen_by_all) && a.cells.intersection(&b.cells).is_empty()
}

/// Both sets must have all `digits`. Returns false if there are no eliminations.
fn eliminate(marks: &mut Marks, sets: [&AlmostLockedSet; 2], digits: u32) -> bool {
    let mut removed = Vec::new();
    for digit in bits(digits) {
        let [a, b] = sets.map(|set| &set.of_digit(digit).seen_by_all);
        let cells = a.intersection(b).iter();
        removed.extend(cells.map(|cell| (cell, 1 << digit)));
    }
    removed.sort_unstable();
    marks.eliminate_each(removed.into_iter())
}

fn almost_locked_sets(tables: &Tables, marks: &Marks) -> Vec<AlmostLockedSet> {
    let mut sets = Vec::new();
    add_sets::<1, 2>(tables, marks, &mut sets);
    add_sets::<2, 3>(tables, marks, &mut sets);
    add_sets::<3, 4>(tables, marks, &mut sets);
    add_sets::<4, 5>(tables, marks, &mut sets);
    sets
}

/// `MAX` is `SIZE` + 1. Skips sets whose cells are all in an earlier house or group.
fn add_sets<const SIZE: usize, const MAX: usize>(
    tables: &Tables,
    marks: &Marks,
    sets: &mut Vec<AlmostLockedSet>,
) {
    for house in 0..tables.houses_and_groups() {
        let of_house = tables.cells_of.of(house);
        let candidates = of_house.iter().map(|&cell| marks.candidates[cell]);
        first_subset::<SIZE, MAX, _>(candidates, |subset| {
            if sets.len() < MAX_SETS && !has_at_most(SIZE, subset.union) {
                let cells: Vec<u16> = cells_at(of_house, subset.members).collect();
                if is_first_house(tables, house, &cells) {
                    sets.push(AlmostLockedSet::new(tables, marks, &cells, subset.union));
                }
            }
            (sets.len() >= MAX_SETS).then_some(())
        });
    }
}

fn is_first_house(tables: &Tables, house: usize, cells: &[u16]) -> bool {
    let houses_of = |cell: u16| tables.houses_of.of(cell.into());
    let mut earlier = houses_of(cells[0]).iter().filter(|&&earlier| usize::from(earlier) < house);
    !earlier.any(|house| cells.iter().all(|&cell| houses_of(cell).contains(house)))
}
