//! Deductions for houses, crossings, groups, pairs and common peers that are lists of cells. Boards
//! use these for the constraints that they do not sweep in another way.

use super::common_peers::{CommonPeers, Related};
use super::singles::{DigitTally, is_subset, keep_singles};
use crate::rules::{Crossing, House, HouseName, Rules};
use crate::solver::simd::{DIGIT_BITS, Lane, Simd};

/// For `SPLIT`: digit d is bit d-1.
pub(crate) const CONSECUTIVE_BITS: bool = false;
/// For `SPLIT`: digit d is its bit in `DIGIT_BITS`.
pub(crate) const SPLIT_BITS: bool = true;

/// The findings of a sweep so far. Each flag except `least` is a set of digits in each lane.
pub(crate) struct SweepFlags<S: Simd> {
    pub s: S,
    pub every_digit: S::V,
    /// Candidates that were removed. A band board instead records:
    ///
    /// * hidden singles that were found
    /// * digits that lost a configuration
    /// * candidates that extra constraints other than overlays (`bands/overlay.rs`) removed
    /// * in a lane with a contradiction, possibly digits that did not change
    pub changed: S::V,
    /// Not empty if a contradiction is found, except one that only `unplaced_hidden` or `least`
    /// shows. Usually the digits that some house cannot hold, or that some house or group must hold
    /// twice. Bit 15 if a linear sum of a killer cannot hold.
    pub contradiction: S::V,
    /// Hidden singles of a region that are not naked singles yet. A sweep narrows their cells to
    /// hidden singles, so if it finds some and changes nothing, two share a cell, which is a
    /// contradiction. Set by region boards only.
    pub unplaced_hidden: S::V,
    /// Must be empty in a solved lane. On a region board: the digits that are neither a naked nor a
    /// hidden single in some region. On a band board: the digits that can still be in several rows,
    /// or in several columns, of some box. Killers do not use this.
    pub unsolved: S::V,
    /// The minimum, as numbers, of the sets left in cells: 0 in a lane where a cell is empty. Set
    /// by `narrow` and by the boxes of a band board.
    pub least: S::V,
}

impl<S: Simd> SweepFlags<S> {
    #[inline(always)]
    pub fn new(s: S, every_digit: S::V) -> SweepFlags<S> {
        let none = s.splat(S::Lane::from_digits(0));
        SweepFlags {
            s,
            every_digit,
            changed: none,
            contradiction: none,
            unplaced_hidden: none,
            unsolved: none,
            least: every_digit,
        }
    }

    #[inline(always)]
    pub fn narrow(&mut self, cell: &mut S::V, left: S::V) {
        let s = self.s;
        debug_assert!(is_subset(s, left, *cell), "candidates only shrink");
        self.changed = s.or_and_not(self.changed, *cell, left);
        self.least = s.min(self.least, left);
        *cell = left;
    }

    /// `placed` has the naked singles. Returns the hidden singles that are not naked singles.
    #[inline(always)]
    pub fn record_region(&mut self, digits: &DigitTally<S>, placed: S::V) -> S::V {
        let (s, every_digit) = (self.s, self.every_digit);
        debug_assert!(is_subset(s, placed, digits.once));
        debug_assert!(is_subset(s, digits.once, every_digit));
        let hidden = digits.hidden(placed);
        let not_placed = s.and_not(every_digit, placed);
        self.contradiction = s.or_and_not(self.contradiction, every_digit, digits.once);
        self.unplaced_hidden = s.or(self.unplaced_hidden, hidden);
        self.unsolved = s.or_and_not(self.unsolved, not_placed, hidden);
        hidden
    }

    /// Includes lanes with an empty cell. `changed` is the mask of the lanes in which the sweep
    /// changed something; in the others, an unplaced hidden single is a contradiction.
    #[inline(always)]
    pub fn contradictions(&self, changed: u32) -> u32 {
        let s = self.s;
        s.nonzero_lanes(self.contradiction)
            | !s.nonzero_lanes(self.least)
            | s.nonzero_lanes(self.unplaced_hidden) & !changed
    }
}

/// Lists of positions on a board.
#[derive(Debug)]
pub(crate) struct ListedConstraints {
    /// Without the extra and implied houses that the board sweeps in another way.
    // Implied houses are worth their time: with lists of the windows in place of an overlay, they
    // and the common peers together save a third of the instructions of data/bench/window.txt.
    houses: Vec<Vec<u16>>,
    crossings: Vec<ListedCrossing>,
    groups: Vec<Vec<u16>>,
    peers: CommonPeers,
    /// The entries of `CommonPeers::of_houses` with one to four unseen cells; not in `peers`.
    // Arrays of one length take half the time of lists of any length.
    few_unseen: Vec<FewUnseen>,
}

#[derive(Debug)]
struct ListedCrossing {
    common: Vec<u16>,
    rests: [Vec<u16>; 2],
}

/// A cell that does not see one to four cells of a house. The first is repeated to make four.
#[derive(Clone, Copy, Debug)]
struct FewUnseen {
    cell: u16,
    unseen: [u16; 4],
}

impl ListedConstraints {
    /// Lists groups, pairs and common peers, and the houses and crossings that `has_house` and
    /// `has_crossing` accept. `has_crossing` takes the houses and the number of shared cells. The
    /// board must sweep the other extra and implied houses itself.
    pub fn new(
        rules: &Rules,
        position_of: impl Fn(u16) -> u16,
        has_house: impl Fn(&House) -> bool,
        has_crossing: impl Fn([&House; 2], usize) -> bool,
    ) -> ListedConstraints {
        let positions_of =
            |cells: &[u16]| -> Vec<u16> { cells.iter().map(|&cell| position_of(cell)).collect() };
        let houses = rules.extra_and_implied_houses();
        let houses: Vec<&House> = houses.filter(|house| has_house(house)).collect();
        debug_assert!(houses.iter().all(|house| house.cells.len() == rules.side()));
        // Crossings with groups are not listed: `get` returns `None` for a group, because
        // `Crossing::houses` numbers groups and cages after the houses.
        let is_crossing_listed = |crossing: &&Crossing| {
            let [a, b] = crossing.houses.map(|house| rules.houses().get(house));
            a.zip(b).is_some_and(|(a, b)| has_crossing([a, b], crossing.common.len()))
        };
        let crossings = rules.crossings().iter().filter(is_crossing_listed);
        let crossings = crossings.map(|crossing| ListedCrossing {
            common: positions_of(&crossing.common),
            rests: crossing.rests.each_ref().map(|rest| positions_of(rest)),
        });
        // All houses that are not listed count as covered by the board. So do the boxes of a grid
        // that also has jigsaw regions, although nothing sweeps their singles: some deductions from
        // them are lost, but none is wrong.
        let is_house_listed =
            |house: &House| houses.iter().any(|listed| listed.cells == house.cells);
        let mut peers =
            CommonPeers::from_rules(rules, |house| !is_house_listed(house)).at(&position_of);
        let has_few = |related: &mut Related| (1..=4).contains(&related.others.len());
        let few = peers.of_houses.extract_if(.., has_few);
        let few_unseen = few.map(FewUnseen::from_related).collect();
        ListedConstraints {
            houses: houses.iter().map(|house| positions_of(&house.cells)).collect(),
            crossings: crossings.collect(),
            groups: rules.groups().iter().map(|group| positions_of(&group.cells)).collect(),
            peers,
            few_unseen,
        }
    }

    /// The board sweeps rows, columns, jigsaw regions or boxes, and the crossings between them.
    pub fn for_region_boards(rules: &Rules, position_of: impl Fn(u16) -> u16) -> ListedConstraints {
        let covers_boxes = rules.jigsaw_regions().is_empty();
        let every_house = |_: &House| true;
        ListedConstraints::new(rules, position_of, every_house, |houses, _| {
            let names = houses.map(|house| house.name);
            let is_covered =
                |name: HouseName| name.is_row_or_column() || (covers_boxes && name.is_region());
            // Not listed: crossings of jigsaw regions. The board covers those with rows and
            // columns. Those with boxes and extra houses differ between lanes in `per_lane.rs`.
            !names.into_iter().all(is_covered)
                && !names.into_iter().any(HouseName::is_jigsaw_region)
        })
    }

    /// `forbidden` is scratch, with a set for each cell.
    #[inline(always)]
    pub fn sweep<S: Simd, const SPLIT: bool>(
        &self,
        cells: &mut [S::V],
        forbidden: &mut [S::V],
        flags: &mut SweepFlags<S>,
    ) {
        debug_assert_eq!(cells.len(), forbidden.len());
        for house in &self.houses {
            place_singles(house, cells, flags);
        }
        for crossing in &self.crossings {
            lock_candidates(crossing, cells, flags);
        }
        for group in &self.groups {
            sweep_group(group, cells, flags);
        }
        self.sweep_pairs::<S, SPLIT>(cells, forbidden, flags);
        self.sweep_common_peers::<S, SPLIT>(cells, flags);
    }

    #[inline(always)]
    fn sweep_pairs<S: Simd, const SPLIT: bool>(
        &self,
        cells: &mut [S::V],
        forbidden: &mut [S::V],
        flags: &mut SweepFlags<S>,
    ) {
        let (s, peers) = (flags.s, &self.peers);
        if !peers.differing.is_empty() {
            for (forbidden, &set) in forbidden.iter_mut().zip(&*cells) {
                *forbidden = s.single_or_none(set);
            }
            remove_forbidden(&peers.differing, forbidden, cells, flags);
        }
        if !peers.not_consecutive.is_empty() {
            for (forbidden, &set) in forbidden.iter_mut().zip(&*cells) {
                *forbidden = consecutive_to_all::<S, SPLIT>(s, set);
            }
            remove_forbidden(&peers.not_consecutive, forbidden, cells, flags);
        }
    }

    #[inline(always)]
    fn sweep_common_peers<S: Simd, const SPLIT: bool>(
        &self,
        cells: &mut [S::V],
        flags: &mut SweepFlags<S>,
    ) {
        let (s, every_digit) = (flags.s, flags.every_digit);
        for entry in &self.few_unseen {
            let at = |cell: u16| cells[usize::from(cell)];
            let [a, b, c, d] = entry.unseen;
            let left = s.and_or(at(entry.cell), s.or3(at(a), at(b), at(c)), at(d));
            flags.narrow(&mut cells[usize::from(entry.cell)], left);
        }
        for Related { cell, others } in &self.peers.of_houses {
            let unseen = union_of(s, cells, others);
            let cell = &mut cells[usize::from(*cell)];
            flags.narrow(cell, s.and(*cell, unseen));
        }
        for Related { cell, others } in &self.peers.of_neighbours {
            let only_near = s.and_not(every_digit, union_of(s, cells, others));
            let consecutive =
                s.or(next::<S, SPLIT>(s, only_near), previous::<S, SPLIT>(s, only_near));
            let cell = &mut cells[usize::from(*cell)];
            flags.narrow(cell, s.and_not(*cell, consecutive));
        }
    }
}

impl FewUnseen {
    fn from_related(Related { cell, others }: Related) -> FewUnseen {
        debug_assert!((1..=4).contains(&others.len()));
        let mut unseen = [others[0]; 4];
        unseen[..others.len()].copy_from_slice(&others);
        FewUnseen { cell, unseen }
    }
}

#[inline(always)]
fn union_of<S: Simd>(s: S, sets: &[S::V], indices: &[u16]) -> S::V {
    let mut union = s.splat(S::Lane::from_digits(0));
    let (pairs, last) = indices.as_chunks();
    // Loops instead of `Iterator::fold`, which is not always inlined. A call that is not inlined is
    // compiled without the instructions of the level, and takes up to four times as long.
    for &[a, b] in pairs {
        union = s.or3(union, sets[usize::from(a)], sets[usize::from(b)]);
    }
    for &index in last {
        union = s.or(union, sets[usize::from(index)]);
    }
    union
}

/// Returns d + 1 for each digit d of a set. The result can contain bits that are not digits. With
/// `SPLIT_BITS`, the successor of bit 3 (digit 4) is bit 8 (digit 5).
#[inline(always)]
fn next<S: Simd, const SPLIT: bool>(s: S, set: S::V) -> S::V {
    let next = s.shift_left(set, 1);
    if !SPLIT {
        return next;
    }
    let fifth = s.splat(S::Lane::from_digits(DIGIT_BITS[4].into()));
    s.or_and(next, s.shift_left(set, 5), fifth)
}

#[inline(always)]
fn previous<S: Simd, const SPLIT: bool>(s: S, set: S::V) -> S::V {
    let previous = s.shift_right(set, 1);
    if !SPLIT {
        return previous;
    }
    let fourth = s.splat(S::Lane::from_digits(DIGIT_BITS[3].into()));
    s.or_and(previous, s.shift_right(set, 5), fourth)
}

/// Returns the digits that neighbours cannot hold, because they are consecutive to every candidate
/// of a cell: the digits adjacent to its only candidate, or the digit between its two candidates if
/// they differ by 2. The result can contain bits that are not digits.
// Tried: a table of the digits that each digit forbids, for any relation. The same deductions; 3 %
// more instructions on ordinary nonconsecutive puzzles, 11 % more time on a hard one.
#[inline(always)]
fn consecutive_to_all<S: Simd, const SPLIT: bool>(s: S, set: S::V) -> S::V {
    let single = s.single_or_none(set);
    let greater_of_two = s.single_or_none(s.without_least(set));
    let between = s.and(previous::<S, SPLIT>(s, greater_of_two), next::<S, SPLIT>(s, set));
    s.or3(next::<S, SPLIT>(s, single), previous::<S, SPLIT>(s, single), between)
}

/// `forbidden` has, for each cell, the digits that it forbids to the cells of its pairs.
#[inline(always)]
fn remove_forbidden<S: Simd>(
    related: &[Related],
    forbidden: &[S::V],
    cells: &mut [S::V],
    flags: &mut SweepFlags<S>,
) {
    let s = flags.s;
    debug_assert_eq!(cells.len(), forbidden.len());
    for Related { cell, others } in related {
        debug_assert!(!others.contains(cell));
        let cell = &mut cells[usize::from(*cell)];
        flags.narrow(cell, s.and_not(*cell, union_of(s, forbidden, others)));
    }
}

#[inline(always)]
pub(crate) fn sweep_group<S: Simd>(
    group: &[impl Copy + Into<usize>],
    cells: &mut [S::V],
    flags: &mut SweepFlags<S>,
) {
    let s = flags.s;
    let mut placed = DigitTally::new(s);
    for &cell in group {
        placed.add(s.single_or_none(cells[cell.into()]));
    }
    flags.contradiction = s.or(flags.contradiction, placed.twice);
    for &cell in group {
        let cell = &mut cells[cell.into()];
        let left = s.remove_except(*cell, placed.once, s.single_or_none(*cell));
        flags.narrow(cell, left);
    }
}

#[inline(always)]
pub(crate) fn place_singles<S: Simd>(
    house: &[impl Copy + Into<usize>],
    cells: &mut [S::V],
    flags: &mut SweepFlags<S>,
) {
    let (s, every_digit) = (flags.s, flags.every_digit);
    let [mut digits, mut placed] = [DigitTally::new(s); 2];
    for &cell in house {
        digits.add(cells[cell.into()]);
        placed.add(s.single_or_none(cells[cell.into()]));
    }
    flags.contradiction = s.or_and_not(flags.contradiction, every_digit, digits.once);
    flags.contradiction = s.or(flags.contradiction, placed.twice);
    let hidden = digits.hidden(placed.once);
    let unplaced = s.and_not(every_digit, placed.once);
    for &cell in house {
        let cell = &mut cells[cell.into()];
        let left = keep_singles(s, *cell, s.single_or_none(*cell), hidden, unplaced);
        flags.narrow(cell, left);
    }
}

#[inline(always)]
fn lock_candidates<S: Simd>(
    crossing: &ListedCrossing,
    cells: &mut [S::V],
    flags: &mut SweepFlags<S>,
) {
    let s = flags.s;
    let common = union_of(s, cells, &crossing.common);
    let [rest_a, rest_b] = &crossing.rests;
    debug_assert!(crossing.common.len() > 1 && rest_a.len() == rest_b.len());
    let (in_a, in_b) = (union_of(s, cells, rest_a), union_of(s, cells, rest_b));
    for (locked, rest) in [
        (s.and(s.and_not(common, in_a), in_b), rest_b),
        (s.and(s.and_not(common, in_b), in_a), rest_a),
    ] {
        // The jump saves time, because usually no lane has a locked digit.
        if s.nonzero_lanes(locked) != 0 {
            for &cell in rest {
                let cell = &mut cells[usize::from(cell)];
                flags.narrow(cell, s.and_not(*cell, locked));
            }
        }
    }
}
