//! Deductions for one house, crossing, group or cell at a time, whichever cells they are: for what variants add to rows,
//! columns and boxes or regions.

use super::common_peers::{CommonPeers, Related};
use super::lanes::SweepResult;
use super::simd::{Lane, Simd};
use crate::rules::{Crossing, House, Rules};

/// What a sweep has met so far, a set of digits a lane.
pub(crate) struct SweepFlags<V> {
    /// Candidates that were taken away.
    pub changed: V,
    /// Digits without a place, or in two.
    pub contradiction: V,
    /// Digits that have one place in a box or region, but not yet for themselves. Where nothing changes any more, two of
    /// them share it, and contradict each other.
    pub unplaced: V,
    /// Digits that a box or region does not hold in one cell; where there are bands, only those that it holds in more.
    pub unsolved: V,
    /// The least set of all cells, as a number: zero where a cell is empty.
    pub least: V,
}

impl<V: Copy> SweepFlags<V> {
    /// Nothing was met.
    #[inline(always)]
    pub fn new<S: Simd<V = V>>(s: S, every_digit: V) -> SweepFlags<V> {
        let none = s.splat(S::Lane::of(0));
        SweepFlags {
            changed: none,
            contradiction: none,
            unplaced: none,
            unsolved: none,
            least: every_digit,
        }
    }

    /// The lanes that have no solution, where these have `changed`.
    #[inline(always)]
    pub fn contradictions<S: Simd<V = V>>(&self, s: S, changed: u32) -> u32 {
        s.nonzero_lanes(self.contradiction)
            | !s.nonzero_lanes(self.least)
            | s.nonzero_lanes(self.unplaced) & !changed
    }

    /// What the sweep comes to where lanes in which nothing changed are solved if their regions are. `stale` lanes are not
    /// settled yet.
    #[inline(always)]
    pub fn result<S: Simd<V = V>>(&self, s: S, stale: u32) -> SweepResult {
        let changed = s.nonzero_lanes(self.changed) | stale;
        let contradiction = self.contradictions(s, changed);
        let solved = !(s.nonzero_lanes(self.unsolved) | changed | contradiction);
        SweepResult {
            changed,
            contradiction,
            solved,
        }
    }
}

/// What some of so many sets hold, and what two or more of them hold.
#[inline(always)]
pub(crate) fn once_and_twice<S: Simd>(
    s: S,
    number: usize,
    set: impl Fn(usize) -> S::V,
) -> [S::V; 2] {
    let none = s.splat(S::Lane::of(0));
    let (mut once, mut twice) = (none, none);
    let threes = number / 3 * 3;
    for i in (0..threes).step_by(3) {
        let [a, b, c] = [set(i), set(i + 1), set(i + 2)];
        let (any, two) = (s.or3(a, b, c), s.majority(a, b, c));
        twice = s.or(s.note_common(twice, once, any), two);
        once = s.or(once, any);
    }
    for i in threes..number {
        twice = s.note_common(twice, once, set(i));
        once = s.or(once, set(i));
    }
    [once, twice]
}

/// What the rules ask beyond rows, columns and what divides the grid, laid out for sweeping: cells by their place on a
/// board.
#[derive(Debug)]
pub(crate) struct ListedConstraints {
    /// Those that are implied too.
    // Windows swept as houses took a third fewer instructions with these and the sights (bench/window.txt).
    houses: Vec<Vec<u16>>,
    crossings: Vec<Crossing>,
    groups: Vec<Vec<u16>>,
    peers: CommonPeers,
    /// Of the sights over houses those with one to four cells out of sight, some of them told twice. They are no more among
    /// the others.
    // One behind the other, they take half the time. Not done: cells that differ likewise, by fours and eights. With antiknight
    // 1 to 4 % slower.
    few_unseen: Vec<FewUnseen>,
}

#[derive(Clone, Copy, Debug)]
struct FewUnseen {
    cell: u16,
    others: [u16; 4],
}

impl ListedConstraints {
    /// For a board on which `cell` stands at `place(cell)`, with those houses and crossings that the board does not see to.
    pub fn new(
        rules: &Rules,
        place: impl Fn(u16) -> u16,
        has_house: impl Fn(&House) -> bool,
        has_crossing: impl Fn(&Crossing) -> bool,
    ) -> ListedConstraints {
        let places =
            |cells: &[u16]| -> Vec<u16> { cells.iter().map(|&cell| place(cell)).collect() };
        let mut houses: Vec<&House> = rules.added_and_implied().collect();
        houses.retain(|house| has_house(house));
        let mut crossings: Vec<&Crossing> = rules.crossings().iter().collect();
        crossings.retain(|crossing| has_crossing(crossing));
        // What is left of the houses; the board sees to others.
        let is_left = |house: &House| houses.iter().any(|left| left.cells == house.cells);
        let mut peers = CommonPeers::of(rules, |house| !is_left(house)).at(places);
        let has_few = |related: &mut Related| (1..=4).contains(&related.others.len());
        let few = peers.of_houses.extract_if(.., has_few);
        let few_unseen = few.map(FewUnseen::of).collect();
        let crossings = crossings.into_iter().map(|crossing| Crossing {
            houses: crossing.houses,
            common: places(&crossing.common),
            rests: crossing.rests.each_ref().map(|rest| places(rest)),
        });
        ListedConstraints {
            houses: houses.iter().map(|house| places(&house.cells)).collect(),
            crossings: crossings.collect(),
            groups: rules
                .groups()
                .iter()
                .map(|group| places(&group.cells))
                .collect(),
            peers,
            few_unseen,
        }
    }

    /// The same for boards that see to the crossings of rows and columns with what divides the grid.
    pub fn for_region_boards(rules: &Rules, place: impl Fn(u16) -> u16) -> ListedConstraints {
        let regions = rules.division();
        let lines = ..2 * rules.side();
        let every_house = |_: &House| true;
        ListedConstraints::new(rules, place, every_house, |crossing| {
            let is_seen_to = |house| lines.contains(house) || regions.contains(house);
            // Further houses and regions: not done, since lanes with a layout each (`per_lane.rs`) could not do the same.
            let is_region = |house| rules.has_regions() && regions.contains(house);
            !crossing.houses.iter().all(is_seen_to) && !crossing.houses.iter().any(is_region)
        })
    }

    /// SweepFlags, where each cell has one candidate, what of this is not kept.
    #[inline(always)]
    pub fn note_broken<S: Simd, N: Numbering<S>>(
        &self,
        s: S,
        every_digit: S::V,
        cells: &[S::V],
        mut broken: S::V,
    ) -> S::V {
        let none = s.splat(S::Lane::of(0));
        for house in &self.houses {
            broken = s.note_missing(broken, every_digit, held(s, cells, house));
        }
        for group in &self.groups {
            let mut held = none;
            for &cell in group {
                broken = s.note_common(broken, held, cells[usize::from(cell)]);
                held = s.or(held, cells[usize::from(cell)]);
            }
        }
        for Related { cell, others } in &self.peers.differing {
            broken = s.note_common(broken, cells[usize::from(*cell)], held(s, cells, others));
        }
        for Related { cell, others } in &self.peers.not_consecutive {
            // Those after it are enough: each pair is met from both sides.
            let next = N::next(s, cells[usize::from(*cell)]);
            broken = s.note_common(broken, next, held(s, cells, others));
        }
        broken
    }
}

/// Where the bits of the digits before and after another are.
pub(crate) trait Numbering<S: Simd> {
    /// The digits after these; perhaps bits that are no digits.
    fn next(s: S, set: S::V) -> S::V;
    /// The digits before these; perhaps bits that are no digits.
    fn previous(s: S, set: S::V) -> S::V;
}

/// Digit d is bit d-1.
pub(crate) struct ConsecutiveBits;

impl<S: Simd> Numbering<S> for ConsecutiveBits {
    #[inline(always)]
    fn next(s: S, set: S::V) -> S::V {
        s.shift_left(set, 1)
    }
    #[inline(always)]
    fn previous(s: S, set: S::V) -> S::V {
        s.shift_right(set, 1)
    }
}

/// All that is deduced from what the rules ask further. `told` has room for a set a cell.
#[inline(always)]
pub(crate) fn sweep_listed<S: Simd, N: Numbering<S>>(
    s: S,
    _: N,
    listed: &ListedConstraints,
    every_digit: S::V,
    cells: &mut [S::V],
    forbidden: &mut [S::V],
    flags: &mut SweepFlags<S::V>,
) {
    for house in &listed.houses {
        place_singles(s, house, every_digit, cells, flags);
    }
    for crossing in &listed.crossings {
        let [a, b] = &crossing.rests;
        lock_candidates(s, &crossing.common, a, b, cells, flags);
    }
    for group in &listed.groups {
        sweep_group(s, group, cells, flags);
    }
    let peers = &listed.peers;
    if !peers.differing.is_empty() {
        for (forbidden, &set) in forbidden.iter_mut().zip(&*cells) {
            *forbidden = s.single_or_none(set);
        }
        remove_forbidden(s, &peers.differing, forbidden, cells, flags);
    }
    if !peers.not_consecutive.is_empty() {
        for (forbidden, &set) in forbidden.iter_mut().zip(&*cells) {
            *forbidden = consecutive_to_all::<S, N>(s, set);
        }
        remove_forbidden(s, &peers.not_consecutive, forbidden, cells, flags);
    }
    for related in &listed.few_unseen {
        let at = |cell: u16| cells[usize::from(cell)];
        let [a, b, c, d] = related.others;
        let kept = s.and_either(at(related.cell), s.or3(at(a), at(b), at(c)), at(d));
        leave(s, related.cell, kept, cells, flags);
    }
    for related in &peers.of_houses {
        let unseen = held(s, cells, &related.others);
        let kept = s.and(cells[usize::from(related.cell)], unseen);
        leave(s, related.cell, kept, cells, flags);
    }
    for related in &peers.of_neighbours {
        let only_near = s.and_not(every_digit, held(s, cells, &related.others));
        let beside = s.or(N::next(s, only_near), N::previous(s, only_near));
        drop_from(s, related.cell, beside, cells, flags);
    }
}

impl FewUnseen {
    fn of(Related { cell, others }: Related) -> FewUnseen {
        let mut four = [others[0]; 4];
        four[..others.len()].copy_from_slice(&others);
        FewUnseen { cell, others: four }
    }
}

/// What some cells hold together.
#[inline(always)]
fn held<S: Simd>(s: S, cells: &[S::V], some: &[u16]) -> S::V {
    let at = |cell: u16| cells[usize::from(cell)];
    let (pairs, last) = some.as_chunks();
    let none = s.splat(S::Lane::of(0));
    let held = pairs
        .iter()
        .fold(none, |held, &[a, b]| s.or3(held, at(a), at(b)));
    last.iter().fold(held, |held, &cell| s.or(held, at(cell)))
}

/// Takes digits from a cell.
#[inline(always)]
fn drop_from<S: Simd>(
    s: S,
    cell: u16,
    digits: S::V,
    cells: &mut [S::V],
    flags: &mut SweepFlags<S::V>,
) {
    let kept = s.and_not(cells[usize::from(cell)], digits);
    leave(s, cell, kept, cells, flags);
}

/// Leaves a cell these digits of its own.
#[inline(always)]
fn leave<S: Simd>(s: S, cell: u16, kept: S::V, cells: &mut [S::V], flags: &mut SweepFlags<S::V>) {
    let cell = &mut cells[usize::from(cell)];
    flags.changed = s.note_difference(flags.changed, *cell, kept);
    flags.least = s.min(flags.least, kept);
    *cell = kept;
}

/// Digits that are consecutive to every candidate: those beside the only one, and the one between the only two.
#[inline(always)]
fn consecutive_to_all<S: Simd, N: Numbering<S>>(s: S, set: S::V) -> S::V {
    let single = s.single_or_none(set);
    let greater_of_two = s.single_or_none(s.without_least(set));
    let between = s.and(N::previous(s, greater_of_two), N::next(s, set));
    s.or3(N::next(s, single), N::previous(s, single), between)
}

/// Takes from each cell what others tell it.
#[inline(always)]
fn remove_forbidden<S: Simd>(
    s: S,
    related: &[Related],
    forbidden: &[S::V],
    cells: &mut [S::V],
    flags: &mut SweepFlags<S::V>,
) {
    for Related { cell, others } in related {
        drop_from(s, *cell, held(s, forbidden, others), cells, flags);
    }
}

/// Naked singles of a group.
#[inline(always)]
fn sweep_group<S: Simd>(s: S, group: &[u16], cells: &mut [S::V], flags: &mut SweepFlags<S::V>) {
    let mut placed = s.splat(S::Lane::of(0));
    for &cell in group {
        let single = s.single_or_none(cells[usize::from(cell)]);
        flags.contradiction = s.note_common(flags.contradiction, placed, single);
        placed = s.or(placed, single);
    }
    for &cell in group {
        let set = cells[usize::from(cell)];
        let kept = s.drop_unless(set, placed, s.single_or_none(set));
        flags.changed = s.note_difference(flags.changed, set, kept);
        flags.least = s.min(flags.least, kept);
        cells[usize::from(cell)] = kept;
    }
}

/// Naked and hidden singles of one house: a cell of one candidate takes it from all others, and a digit with one
/// place left takes that place.
#[inline(always)]
fn place_singles<S: Simd>(
    s: S,
    house: &[u16],
    every_digit: S::V,
    cells: &mut [S::V],
    flags: &mut SweepFlags<S::V>,
) {
    let none = s.splat(S::Lane::of(0));
    let (mut once, mut twice) = (none, none);
    let mut placed = none;
    for &cell in house {
        let set = cells[usize::from(cell)];
        twice = s.note_common(twice, once, set);
        once = s.or(once, set);
        let single = s.single_or_none(set);
        flags.contradiction = s.note_common(flags.contradiction, placed, single);
        placed = s.or(placed, single);
    }
    flags.contradiction = s.note_missing(flags.contradiction, every_digit, once);
    let hidden = s.and_not(once, twice);
    for &cell in house {
        let set = cells[usize::from(cell)];
        let kept = s.drop_unless(set, placed, s.single_or_none(set));
        let kept = s.narrow_if_met(kept, hidden);
        flags.changed = s.note_difference(flags.changed, set, kept);
        flags.least = s.min(flags.least, kept);
        cells[usize::from(cell)] = kept;
    }
}

/// A digit that one house of a crossing can hold only in the common cells has no place in the rest of the other.
#[inline(always)]
fn lock_candidates<S: Simd>(
    s: S,
    common: &[u16],
    rest_a: &[u16],
    rest_b: &[u16],
    cells: &mut [S::V],
    flags: &mut SweepFlags<S::V>,
) {
    let common = held(s, cells, common);
    let (in_a, in_b) = (held(s, cells, rest_a), held(s, cells, rest_b));
    for (locked, rest) in [
        (s.and(s.and_not(common, in_a), in_b), rest_b),
        (s.and(s.and_not(common, in_b), in_a), rest_a),
    ] {
        // Mostly there is nothing to take away, in any lane.
        if s.nonzero_lanes(locked) != 0 {
            flags.changed = s.or(flags.changed, locked);
            for &cell in rest {
                let kept = s.and_not(cells[usize::from(cell)], locked);
                flags.least = s.min(flags.least, kept);
                cells[usize::from(cell)] = kept;
            }
        }
    }
}
