//! The table of variants and sizes to be proved. A new variant needs a line here, and its constraints in
//! `constraints.rs`.

use std::fmt;

use crate::constraints::{Constraints, box_of, digits_of};
use crate::oracle::Oracle;
use crate::random::Random;

pub struct Case {
    pub variants: &'static str,
    pub side: usize,
    pub extra: bool,
}

impl fmt::Display for Case {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let extra = if self.extra { " with extra groups" } else { "" };
        write!(f, "{} {1}x{1}{extra}", self.variants, self.side)
    }
}

/// Variants, sides, and whether there are extra groups of cells.
const TABLE: &[(&str, &[usize], bool)] = &[
    (
        "classic",
        &[4, 6, 8, 9, 10, 12, 14, 15, 16, 18, 20, 21, 24, 25],
        false,
    ),
    (
        "diagonal",
        &[4, 6, 8, 9, 10, 12, 14, 15, 16, 18, 20, 21, 24, 25],
        false,
    ),
    ("window", &[4, 9, 16], false),
    ("diagonal,window", &[4, 9, 16], false),
    (
        "jigsaw",
        &[
            2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25,
        ],
        false,
    ),
    (
        "jigsaw,diagonal",
        &[4, 5, 6, 7, 8, 9, 10, 12, 15, 16, 20, 25],
        false,
    ),
    ("jigsaw,window", &[4, 9, 16], false),
    // Not 16x16 with a layout: varisat needs a quarter of a minute for the first grid.
    ("jigsaw,diagonal,window", &[4, 9], false),
    ("regions", &[4, 6, 8, 9, 12, 16, 25], false),
    ("regions,diagonal", &[6, 9], false),
    ("regions,window", &[9, 16], false),
    // Not 25x25: varisat finds no full grid within minutes.
    ("disjoint", &[4, 6, 8, 9, 10, 12, 15, 16, 20], false),
    ("disjoint,diagonal", &[9, 16], false),
    // Not 16x16: varisat finds no full grid within minutes.
    ("disjoint,window", &[9], false),
    ("asterisk", &[9], false),
    ("center-dot", &[9], false),
    ("girandola", &[9], false),
    ("asterisk,diagonal", &[9], false),
    ("center-dot,window", &[9], false),
    ("center-dot,girandola", &[9], false),
    ("jigsaw,asterisk", &[9], false),
    ("jigsaw,center-dot", &[9], false),
    ("jigsaw,girandola", &[9], false),
    ("antiknight", &[6, 8, 9, 10, 12, 16, 25], false),
    ("antiking", &[4, 6, 8, 9, 10, 12, 16, 25], false),
    ("nonconsecutive", &[4, 6, 8, 9, 10, 12, 16, 25], false),
    ("antiknight,antiking", &[9, 12], false),
    ("antiknight,diagonal", &[9], false),
    ("antiknight,window", &[9], false),
    ("antiknight,disjoint", &[9], false),
    ("antiknight,nonconsecutive", &[9], false),
    ("antiking,nonconsecutive", &[9], false),
    ("antiking,window", &[9, 16], false),
    ("nonconsecutive,diagonal", &[8], false),
    ("jigsaw,antiknight", &[9], false),
    ("jigsaw,antiking", &[9], false),
    ("jigsaw,nonconsecutive", &[6], false),
    ("regions,antiknight", &[9], false),
    ("classic", &[4, 6, 9, 12, 16, 25], true),
    ("diagonal", &[9], true),
    ("jigsaw", &[6, 9, 13], true),
    // Not antiking with extra groups: varisat needs minutes for a grid.
];

const COUNT: usize = {
    let (mut count, mut line) = (0, 0);
    while line < TABLE.len() {
        count += TABLE[line].1.len();
        line += 1;
    }
    count
};

/// One case for each size of each line of the table.
pub static CASES: [Case; COUNT] = {
    let mut cases = [const {
        Case {
            variants: "",
            side: 0,
            extra: false,
        }
    }; COUNT];
    let (mut count, mut line) = (0, 0);
    while line < TABLE.len() {
        let (variants, sides, extra) = TABLE[line];
        let mut index = 0;
        while index < sides.len() {
            cases[count] = Case {
                variants,
                side: sides[index],
                extra,
            };
            count += 1;
            index += 1;
        }
        line += 1;
    }
    cases
};

impl Case {
    /// Returns the case's share of all puzzles. 9x9 gets the most; large grids take long.
    pub fn weight(&self) -> usize {
        match self.side {
            // varisat takes many times as long for nonconsecutive.
            9 if self.variants.contains("nonconsecutive") => 15,
            ..=3 => 2,
            4..=8 => 20,
            9 => 60,
            10..=12 => 10,
            13..=16 => 4,
            _ => 0,
        }
    }

    /// Returns how many puzzles share a layout or extra groups.
    pub fn puzzles_per_layout(&self) -> usize {
        let is_shared_by_all = !self.extra && !self.has_regions();
        if is_shared_by_all { 2000 } else { 150 }
    }

    fn has_regions(&self) -> bool {
        self.variants
            .split(',')
            .any(|name| ["jigsaw", "regions"].contains(&name))
    }

    /// Returns constraints for this case. The random layout and groups fit some full grid, if the variants have one.
    pub fn constraints(&self, random: &mut Random) -> Constraints {
        let &Case {
            variants,
            side,
            extra,
        } = self;
        if !self.has_regions() && !extra {
            return Constraints::of(variants, side, None, &[]);
        }
        let boxes = self.has_regions().then(|| boxes(side));
        let rest = Constraints::of(variants, side, boxes.clone(), &[]);
        let mut first_row = vec![0; side * side];
        if side > 3 {
            first_row[..4].copy_from_slice(&[1, 3, 2, 4]);
            random.shuffle(&mut first_row[..side]);
        }
        let grid = precomputed_grid(&rest).or_else(|| {
            let mut oracle = Oracle::new(&rest);
            oracle
                .grid(&first_row)
                .or_else(|| oracle.grid(&vec![0; side * side]))
        });
        // If the variants have no grid, any layout shows that.
        let Some(grid) = grid else {
            return rest;
        };
        let regions = boxes.map(|boxes| layout(side, &grid, boxes, random));
        let groups = if extra {
            vec![groups(side, &grid, random)]
        } else {
            Vec::new()
        };
        let constraints = Constraints::of(variants, side, regions, &groups);
        assert!(constraints.are_obeyed_by(&grid), "{constraints}");
        constraints
    }
}

/// Returns a full grid for constraints for which varisat needs half a minute to find one.
pub fn precomputed_grid(constraints: &Constraints) -> Option<Vec<u8>> {
    let text = "6D84FE19B2C57GA3C9516A78DGE34F2B7BF24G3CA168E95D3AEGD5B29F476C18987C3F564E2ABDG1\
                D52B148G37F69ECA43AFB9E71CDG52861EG62CAD895BF43781D79B4523GECA6F2C4583GF6BA917DE\
                G69EC7DAF51483B2AFB3E6217D8CG594F76D5294G831ABECE219ADCB567F384G54C8G1F3EABD2679\
                BG3A786EC492D1F5";
    let hard = constraints.side == 16 && constraints.has("diagonal") && constraints.has("window");
    (hard && constraints.are_obeyed_by(&digits_of(text))).then(|| digits_of(text))
}

/// Returns the boxes as region labels.
fn boxes(side: usize) -> Vec<u8> {
    let (rows, columns) = box_of(side);
    let label = |cell: usize| cell / side / rows * (side / columns) + cell % side / columns;
    (0..side * side)
        .map(|cell| b'A' + label(cell) as u8)
        .collect()
}

/// Returns regions that `grid` obeys: two regions exchange cells that hold the same digit, as long as both stay
/// connected.
fn layout(side: usize, grid: &[u8], mut regions: Vec<u8>, random: &mut Random) -> Vec<u8> {
    for _ in 0..40 * side * side {
        let (one, other) = (random.below(side * side), random.below(side * side));
        if grid[one] != grid[other] || regions[one] == regions[other] {
            continue;
        }
        regions.swap(one, other);
        if ![one, other]
            .iter()
            .all(|&cell| is_connected(side, &regions, regions[cell]))
        {
            regions.swap(one, other);
        }
    }
    regions
}

pub fn is_connected(side: usize, regions: &[u8], region: u8) -> bool {
    let mut left: Vec<usize> = (0..regions.len())
        .filter(|&cell| regions[cell] == region)
        .collect();
    let mut frontier: Vec<usize> = left.pop().into_iter().collect();
    while let Some(cell) = frontier.pop() {
        let is_adjacent = |other: &mut usize| {
            let (rows, columns) = (
                (*other / side).abs_diff(cell / side),
                (*other % side).abs_diff(cell % side),
            );
            rows + columns == 1
        };
        frontier.extend(left.extract_if(.., is_adjacent));
    }
    left.is_empty()
}

/// Returns groups of up to `side` cells in which `grid` has no digit twice, written as for `--extra`.
fn groups(side: usize, grid: &[u8], random: &mut Random) -> String {
    let mut letters = vec![b'.'; side * side];
    for letter in 0..3.min(side as u8 - 1) {
        let mut held = vec![false; side + 1];
        for _ in 0..2 + random.below(side - 1) {
            let cell = random.below(side * side);
            let digit = usize::from(grid[cell]);
            if letters[cell] == b'.' && !std::mem::replace(&mut held[digit], true) {
                letters[cell] = b'A' + letter;
            }
        }
    }
    String::from_utf8(letters).unwrap()
}
