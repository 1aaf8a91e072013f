//! Tables that the techniques derive from the rules once: peers, exclusions, and intersections of houses. The
//! candidates of a puzzle are in `paper.rs`.

use crate::rules::{House, HouseName, Pair};

/// A sequence of lists of cells or houses in one allocation.
///
/// ```text
///     lists   [7, 8] [] [3]
///     items    7  8      3
///     ends   0     2  2    3      list i is items[ends[i]..ends[i + 1]]
/// ```
#[derive(Debug)]
pub(super) struct Lists {
    ends: Vec<u32>,
    items: Vec<u16>,
}

impl Lists {
    fn new(lists: impl IntoIterator<Item = Vec<u16>>) -> Lists {
        let (mut ends, mut items) = (vec![0], Vec::new());
        for list in lists {
            items.extend(list);
            ends.push(items.len() as u32);
        }
        Lists { ends, items }
    }

    #[inline]
    pub(super) fn of(&self, index: usize) -> &[u16] {
        &self.items[self.ends[index] as usize..self.ends[index + 1] as usize]
    }
}

/// Two houses that share at least two cells. If the first house can hold a digit only in the shared cells, the rest
/// of the second house loses the digit.
#[derive(Debug)]
pub(super) struct Intersection {
    /// Indices of the confining house and of the target. The confining house can hold a digit only in the shared
    /// cells. The target, a house or group, loses the digit elsewhere.
    pub(super) houses: [u16; 2],
    /// The shared cells.
    pub(super) common: Box<[u16]>,
    /// The cells of each house that the other does not have.
    pub(super) rests: [Box<[u16]>; 2],
}

/// The effect of a placed digit on the other cell of a pair, if the pair forbids more than equal digits.
#[derive(Clone, Copy, Debug)]
pub(super) struct Exclusion {
    pub(super) cell: u16,
    /// Index into [`Tables::excluded_digits`].
    pub(super) table: u16,
}

/// The rules in the form that the techniques need.
///
/// Groups are numbered after the houses. Names and comments say "house" for both where the difference does not matter.
#[derive(Debug)]
pub(super) struct Tables {
    pub(super) side: usize,
    /// The lowest N bits.
    pub(super) every_digit: u32,
    /// Names of the houses, then of the groups.
    pub(super) names: Vec<HouseName>,
    /// The cells of each house and group.
    pub(super) cells_of: Lists,
    /// Number of houses, without the groups.
    pub(super) house_count: usize,
    /// The houses and groups of each cell.
    pub(super) houses_of: Lists,
    /// The peers of each cell, in ascending order.
    pub(super) peers: Lists,
    /// The peers of each cell as a bit set of `words` words: bit b % 64 of word b / 64 for peer b.
    peer_sets: Vec<u64>,
    words: usize,
    /// The exclusions of each cell.
    pub(super) exclusions: Vec<Vec<Exclusion>>,
    /// One table per relation of pairs. Entry d-1 is the set of digits that digit d excludes from the other cell.
    pub(super) excluded_digits: Vec<Vec<u32>>,
    /// Ordered by confining house, then by target.
    pub(super) intersections: Vec<Intersection>,
}

impl Tables {
    pub(super) fn new(side: usize, houses: &[House], groups: &[House], pairs: &[Pair]) -> Tables {
        let cells = side * side;
        let words = cells.div_ceil(64);
        let both = || houses.iter().chain(groups);
        let mut houses_of = vec![Vec::new(); cells];
        let mut peer_sets = vec![0; cells * words];
        let mut add_peer = |a: u16, b: u16| {
            if a != b {
                peer_sets[usize::from(a) * words + usize::from(b) / 64] |= 1 << (b % 64);
            }
        };
        for (index, house) in both().enumerate() {
            for &cell in &house.cells {
                houses_of[usize::from(cell)].push(index as u16);
                house.cells.iter().for_each(|&peer| add_peer(cell, peer));
            }
        }
        for pair in pairs.iter().filter(|pair| pair.relation.forbids(1, 1)) {
            let [a, b] = pair.cells;
            add_peer(a, b);
            add_peer(b, a);
        }
        let peers = (0..cells)
            .map(|cell| members(peer_sets[cell * words..][..words].iter().copied()).collect());
        let (exclusions, excluded_digits) = exclusions(side, pairs);
        Tables {
            side,
            every_digit: (1 << side) - 1,
            names: both().map(|house| house.name).collect(),
            cells_of: Lists::new(both().map(|house| house.cells.clone())),
            house_count: houses.len(),
            houses_of: Lists::new(houses_of),
            peers: Lists::new(peers),
            intersections: intersections(cells, houses, groups),
            exclusions,
            excluded_digits,
            peer_sets,
            words,
        }
    }

    pub(super) fn cells(&self) -> usize {
        self.side * self.side
    }

    /// Returns the number of houses and groups.
    pub(super) fn houses_and_groups(&self) -> usize {
        self.names.len()
    }

    /// Returns the common peers of two cells, in ascending order.
    pub(super) fn common_peers(&self, a: u16, b: u16) -> impl Iterator<Item = u16> {
        let set = |cell: u16| &self.peer_sets[usize::from(cell) * self.words..][..self.words];
        members(set(a).iter().zip(set(b)).map(|(a, b)| a & b))
    }
}

/// Returns the members of a bit set, in ascending order.
fn members(words: impl Iterator<Item = u64>) -> impl Iterator<Item = u16> {
    let starts = (0..).step_by(64);
    starts
        .zip(words)
        .flat_map(|(start, bits)| bits_of(bits).map(move |bit| start + bit))
}

fn bits_of(mut bits: u64) -> impl Iterator<Item = u16> {
    std::iter::from_fn(move || {
        let bit = (bits != 0).then(|| bits.trailing_zeros() as u16);
        bits &= bits.wrapping_sub(1);
        bit
    })
}

/// Builds [`Tables::exclusions`] and [`Tables::excluded_digits`].
///
/// Pairs whose only constraint is to differ are peers and have no exclusions.
fn exclusions(side: usize, pairs: &[Pair]) -> (Vec<Vec<Exclusion>>, Vec<Vec<u32>>) {
    let mut exclusions = vec![Vec::new(); side * side];
    let mut excluded_digits: Vec<Vec<u32>> = Vec::new();
    for pair in pairs {
        let excluded_by = |digit: u8| {
            let others = (1..=side as u8).filter(|&other| other != digit);
            let others = others.filter(|&other| pair.relation.forbids(digit, other));
            others.fold(0, |set, other| set | 1 << (other - 1))
        };
        let table: Vec<u32> = (1..=side as u8).map(excluded_by).collect();
        if table.iter().all(|&set| set == 0) {
            continue;
        }
        let known = excluded_digits.iter().position(|known| *known == table);
        let table = known.unwrap_or_else(|| {
            excluded_digits.push(table);
            excluded_digits.len() - 1
        }) as u16;
        let [a, b] = pair.cells;
        exclusions[usize::from(a)].push(Exclusion { cell: b, table });
        exclusions[usize::from(b)].push(Exclusion { cell: a, table });
    }
    (exclusions, excluded_digits)
}

/// Builds [`Tables::intersections`]. A group is never the confining house, because it need not hold every digit.
fn intersections(cells: usize, houses: &[House], groups: &[House]) -> Vec<Intersection> {
    let mut intersections = Vec::new();
    let mut in_confining = vec![false; cells];
    let mut in_target = vec![false; cells];
    let mark = |marks: &mut [bool], house: &House, value: bool| {
        for &cell in &house.cells {
            marks[usize::from(cell)] = value;
        }
    };
    for (a, confining) in houses.iter().enumerate() {
        mark(&mut in_confining, confining, true);
        for (b, target) in houses.iter().chain(groups).enumerate() {
            let is_common = |cell: &&u16| in_confining[usize::from(**cell)];
            let shared = target.cells.iter().filter(is_common).count();
            if a == b || shared < 2 || shared == target.cells.len() {
                continue;
            }
            mark(&mut in_target, target, true);
            let (common, confining_rest) = confining
                .cells
                .iter()
                .partition(|&&cell| in_target[usize::from(cell)]);
            let (_, target_rest): (Vec<u16>, Vec<u16>) = target
                .cells
                .iter()
                .partition(|&&cell| in_confining[usize::from(cell)]);
            mark(&mut in_target, target, false);
            intersections.push(Intersection {
                houses: [a as u16, b as u16],
                common: Vec::into_boxed_slice(common),
                rests: [confining_rest, target_rest].map(Vec::into_boxed_slice),
            });
        }
        mark(&mut in_confining, confining, false);
    }
    intersections
}
