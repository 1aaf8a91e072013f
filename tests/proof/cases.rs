//! What is proved: variants, and the sizes they are proved for. A new variant is a line here, and its law in `law.rs`.

use std::fmt;

use crate::law::{Law, box_of, digits_of};
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

/// Variants, sizes; whether with extra groups of cells.
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
    // 16x16 with a layout too: varisat takes a quarter of a minute for a grid to begin with.
    ("jigsaw,diagonal,window", &[4, 9], false),
    ("regions", &[4, 6, 8, 9, 12, 16, 25], false),
    ("regions,diagonal", &[6, 9], false),
    ("regions,window", &[9, 16], false),
    // 25x25: varisat finds no full grid within minutes.
    ("disjoint", &[4, 6, 8, 9, 10, 12, 15, 16, 20], false),
    ("disjoint,diagonal", &[9, 16], false),
    // 16x16: varisat finds no full grid within minutes.
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
    // Not antiking too: a grid for it takes varisat minutes.
];

const COUNT: usize = {
    let (mut count, mut line) = (0, 0);
    while line < TABLE.len() {
        count += TABLE[line].1.len();
        line += 1;
    }
    count
};

/// A case for each line and size.
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
    /// Its share of all puzzles: most are 9x9, and the large ones take long.
    pub fn weight(&self) -> usize {
        match self.side {
            // varisat takes many times as long for these.
            9 if self.variants.contains("nonconsecutive") => 15,
            ..=3 => 2,
            4..=8 => 20,
            9 => 60,
            10..=12 => 10,
            13..=16 => 4,
            _ => 0,
        }
    }

    /// Puzzles that share a layout, or extra groups.
    pub fn puzzles_a_layout(&self) -> usize {
        let one_for_all = !self.extra && !self.has_regions();
        if one_for_all { 2000 } else { 150 }
    }

    fn has_regions(&self) -> bool {
        self.variants
            .split(',')
            .any(|name| ["jigsaw", "regions"].contains(&name))
    }

    /// A law of this case: the layout and the groups are drawn so that a grid fits them, if one fits the rest.
    pub fn law(&self, random: &mut Random) -> Law {
        let &Case {
            variants,
            side,
            extra,
        } = self;
        if !self.has_regions() && !extra {
            return Law::of(variants, side, None, &[]);
        }
        let boxes = self.has_regions().then(|| boxes(side));
        let rest = Law::of(variants, side, boxes.clone(), &[]);
        let mut first_row = vec![0; side * side];
        if side > 3 {
            first_row[..4].copy_from_slice(&[1, 3, 2, 4]);
            random.shuffle(&mut first_row[..side]);
        }
        let grid = known_grid(&rest).or_else(|| {
            let mut oracle = Oracle::new(&rest);
            oracle
                .grid(&first_row)
                .or_else(|| oracle.grid(&vec![0; side * side]))
        });
        // Where no grid fits, any layout shows that as well.
        let Some(grid) = grid else {
            return rest;
        };
        let regions = boxes.map(|boxes| layout(side, &grid, boxes, random));
        let groups = if extra {
            vec![groups(side, &grid, random)]
        } else {
            Vec::new()
        };
        let law = Law::of(variants, side, regions, &groups);
        assert!(law.holds_for(&grid), "{law}");
        law
    }
}

/// A full grid for a law, where varisat needs half a minute to find one.
pub fn known_grid(law: &Law) -> Option<Vec<u8>> {
    let text = "6D84FE19B2C57GA3C9516A78DGE34F2B7BF24G3CA168E95D3AEGD5B29F476C18987C3F564E2ABDG1\
                D52B148G37F69ECA43AFB9E71CDG52861EG62CAD895BF43781D79B4523GECA6F2C4583GF6BA917DE\
                G69EC7DAF51483B2AFB3E6217D8CG594F76D5294G831ABECE219ADCB567F384G54C8G1F3EABD2679\
                BG3A786EC492D1F5";
    let hard = law.side == 16 && law.has("diagonal") && law.has("window");
    (hard && law.holds_for(&digits_of(text))).then(|| digits_of(text))
}

/// The boxes as regions.
fn boxes(side: usize) -> Vec<u8> {
    let (high, wide) = box_of(side);
    let label = |cell: usize| cell / side / high * (side / wide) + cell % side / wide;
    (0..side * side)
        .map(|cell| b'A' + label(cell) as u8)
        .collect()
}

/// Regions that `grid` fits: two of them exchange cells with the same digit, again and again, and stay in one piece.
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
    let mut reached: Vec<usize> = left.pop().into_iter().collect();
    while let Some(cell) = reached.pop() {
        let touches = |other: &mut usize| {
            let (rows, columns) = (
                (*other / side).abs_diff(cell / side),
                (*other % side).abs_diff(cell % side),
            );
            rows + columns == 1
        };
        reached.extend(left.extract_if(.., touches));
    }
    left.is_empty()
}

/// Groups of two to `side` cells in which `grid` has all different digits.
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
