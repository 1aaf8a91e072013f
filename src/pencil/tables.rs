//! What a pencil must know of its rules at every step: who sees whom, and where houses cross.

use crate::rules::{House, HouseName, Pair};

/// Lists of cells or houses, one for each of a row of things, without a heap block each.
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

/// A house that may confine a digit to where it crosses a house or a group that then loses it.
#[derive(Debug)]
pub(super) struct Lock {
    /// The house that confines, then the one that loses, by their index.
    pub(super) houses: [u16; 2],
    /// The cells of both, two or more.
    pub(super) common: Box<[u16]>,
    /// What is left of the house that confines, and of the one that loses.
    pub(super) rests: [Box<[u16]>; 2],
}

/// What follows from the digit of a cell for another one, beside that they differ.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ban {
    pub(super) cell: u16,
    /// Which of `Tables::banned` tells the digits.
    pub(super) by: u16,
}

/// The rules, as the techniques want them.
#[derive(Debug)]
pub(super) struct Tables {
    pub(super) side: usize,
    pub(super) every_digit: u32,
    /// Of the houses and then of the groups.
    pub(super) names: Vec<HouseName>,
    pub(super) cells_of: Lists,
    /// How many houses there are. Whatever is counted from there on is a group, and is called a house where that
    /// makes no difference.
    pub(super) houses: usize,
    /// For each cell the houses and groups it lies in.
    pub(super) houses_of: Lists,
    /// For each cell those that cannot hold the same digit, in the order of the grid.
    pub(super) peers: Lists,
    /// The same as sets: `words` to a cell, a bit a peer.
    sees: Vec<u64>,
    words: usize,
    pub(super) bans: Vec<Vec<Ban>>,
    /// For each way in which a pair may be related, and each digit of one cell, what the other loses.
    pub(super) banned: Vec<Vec<u32>>,
    /// In the order of the houses that confine, then of those that lose.
    pub(super) locks: Vec<Lock>,
}

impl Tables {
    pub(super) fn new(side: usize, houses: &[House], groups: &[House], pairs: &[Pair]) -> Tables {
        let cells = side * side;
        let words = cells.div_ceil(64);
        let both = || houses.iter().chain(groups);
        let mut houses_of = vec![Vec::new(); cells];
        let mut sees = vec![0; cells * words];
        let mut see = |a: u16, b: u16| {
            if a != b {
                sees[usize::from(a) * words + usize::from(b) / 64] |= 1 << (b % 64);
            }
        };
        for (index, house) in both().enumerate() {
            for &cell in &house.cells {
                houses_of[usize::from(cell)].push(index as u16);
                house.cells.iter().for_each(|&peer| see(cell, peer));
            }
        }
        for pair in pairs.iter().filter(|pair| pair.relation.forbids(1, 1)) {
            let [a, b] = pair.cells;
            see(a, b);
            see(b, a);
        }
        let peers =
            (0..cells).map(|cell| members(sees[cell * words..][..words].iter().copied()).collect());
        let (bans, banned) = bans(side, pairs);
        Tables {
            side,
            every_digit: (1 << side) - 1,
            names: both().map(|house| house.name).collect(),
            cells_of: Lists::new(both().map(|house| house.cells.clone())),
            houses: houses.len(),
            houses_of: Lists::new(houses_of),
            peers: Lists::new(peers),
            locks: locks(cells, houses, groups),
            bans,
            banned,
            sees,
            words,
        }
    }

    pub(super) fn cells(&self) -> usize {
        self.side * self.side
    }

    /// Houses and groups.
    pub(super) fn all_houses(&self) -> usize {
        self.names.len()
    }

    /// The cells that see both, in the order of the grid.
    pub(super) fn seen_from_both(&self, a: u16, b: u16) -> impl Iterator<Item = u16> {
        let set = |cell: u16| &self.sees[usize::from(cell) * self.words..][..self.words];
        members(set(a).iter().zip(set(b)).map(|(a, b)| a & b))
    }
}

/// The cells of a set of cells.
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

/// For each cell what its digit bans from others, and the digits so banned; without what being a peer says already.
fn bans(side: usize, pairs: &[Pair]) -> (Vec<Vec<Ban>>, Vec<Vec<u32>>) {
    let mut bans = vec![Vec::new(); side * side];
    let mut banned: Vec<Vec<u32>> = Vec::new();
    for pair in pairs {
        let of = |digit: u8| {
            let others = (1..=side as u8).filter(|&other| other != digit);
            let others = others.filter(|&other| pair.relation.forbids(digit, other));
            others.fold(0, |set, other| set | 1 << (other - 1))
        };
        let table: Vec<u32> = (1..=side as u8).map(of).collect();
        if table.iter().all(|&set| set == 0) {
            continue;
        }
        let known = banned.iter().position(|known| *known == table);
        let by = known.unwrap_or_else(|| {
            banned.push(table);
            banned.len() - 1
        }) as u16;
        let [a, b] = pair.cells;
        bans[usize::from(a)].push(Ban { cell: b, by });
        bans[usize::from(b)].push(Ban { cell: a, by });
    }
    (bans, banned)
}

fn locks(cells: usize, houses: &[House], groups: &[House]) -> Vec<Lock> {
    let others = || houses.iter().chain(groups);
    let mut locks = Vec::new();
    let mut confined = vec![false; cells];
    let mut loses = vec![false; cells];
    let mark = |marks: &mut [bool], house: &House, is: bool| {
        for &cell in &house.cells {
            marks[usize::from(cell)] = is;
        }
    };
    for (a, confining) in houses.iter().enumerate() {
        mark(&mut confined, confining, true);
        for (b, losing) in others().enumerate() {
            let is_common = |cell: &&u16| confined[usize::from(**cell)];
            let shared = losing.cells.iter().filter(is_common).count();
            if a == b || shared < 2 || shared == losing.cells.len() {
                continue;
            }
            mark(&mut loses, losing, true);
            let (common, rest) = confining
                .cells
                .iter()
                .partition(|&&cell| loses[usize::from(cell)]);
            let (_, other_rest): (Vec<u16>, Vec<u16>) = losing
                .cells
                .iter()
                .partition(|&&cell| confined[usize::from(cell)]);
            mark(&mut loses, losing, false);
            locks.push(Lock {
                houses: [a as u16, b as u16],
                common: Vec::into_boxed_slice(common),
                rests: [rest, other_rest].map(Vec::into_boxed_slice),
            });
        }
        mark(&mut confined, confining, false);
    }
    locks
}
