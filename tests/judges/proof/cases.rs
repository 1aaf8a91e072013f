//! The table of variants and sizes to be proved. A new variant needs a line here, and its rules in
//! `generator/variants.rs`.

use std::fmt;
use std::sync::LazyLock;

use super::constraints::{Constraints, Spec, digits_of};
use super::oracle::Oracle;
use crate::generator::random::Random;

pub struct Case {
    pub variants: &'static str,
    pub side: usize,
    pub with: With,
}

/// The properties of a case other than its variants.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum With {
    Nothing,
    /// Values of `--extra`.
    Groups,
    /// `--disconnected`, and regions in pieces.
    Pieces,
    /// `--box`: rows and columns.
    Boxes(usize, usize),
}

impl fmt::Display for Case {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {1}x{1}", self.variants, self.side)?;
        match self.with {
            With::Nothing => Ok(()),
            With::Groups => write!(f, " with extra groups"),
            With::Pieces => write!(f, " with disconnected regions"),
            With::Boxes(rows, columns) => write!(f, " with boxes {rows}x{columns}"),
        }
    }
}

/// Variants and sides.
const PLAIN: &[(&str, &[usize])] = &[
    ("classic", &[4, 6, 8, 9, 10, 12, 14, 15, 16, 18, 20, 21, 24, 25]),
    ("diagonal", &[4, 6, 8, 9, 10, 12, 14, 15, 16, 18, 20, 21, 24, 25]),
    ("window", &[4, 9, 16]),
    ("diagonal,window", &[4, 9, 16]),
    (
        "jigsaw",
        &[2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25],
    ),
    ("jigsaw,diagonal", &[4, 5, 6, 7, 8, 9, 10, 12, 15, 16, 20, 25]),
    ("jigsaw,window", &[4, 9, 16]),
    ("jigsaw,diagonal,window", &[4, 9, 16]),
    ("regions", &[4, 6, 8, 9, 12, 16, 25]),
    ("regions,diagonal", &[6, 9]),
    ("regions,window", &[9, 16]),
    // Not 25x25: batsat finds no full grid within half a minute.
    ("disjoint", &[4, 6, 8, 9, 10, 12, 15, 16, 20]),
    ("disjoint,diagonal", &[9, 16]),
    // Not 16x16: batsat finds no full grid within half a minute.
    ("disjoint,window", &[9]),
    ("asterisk", &[9]),
    ("center-dot", &[9]),
    ("girandola", &[9]),
    ("asterisk,diagonal", &[9]),
    ("center-dot,window", &[9]),
    ("center-dot,girandola", &[9]),
    ("jigsaw,asterisk", &[9]),
    ("jigsaw,center-dot", &[9]),
    ("jigsaw,girandola", &[9]),
    ("antiknight", &[6, 8, 9, 10, 12, 16, 25]),
    ("antiking", &[4, 6, 8, 9, 10, 12, 16, 25]),
    ("nonconsecutive", &[4, 6, 8, 9, 10, 12, 16, 25]),
    ("antiknight,antiking", &[9, 12]),
    ("antiknight,diagonal", &[9]),
    ("antiknight,window", &[9]),
    ("antiknight,disjoint", &[9]),
    ("antiknight,nonconsecutive", &[9]),
    ("antiking,nonconsecutive", &[9]),
    ("antiking,window", &[9, 16]),
    ("nonconsecutive,diagonal", &[8]),
    ("jigsaw,antiknight", &[9]),
    ("jigsaw,antiking", &[9]),
    ("jigsaw,nonconsecutive", &[6]),
    ("regions,antiknight", &[9]),
    ("diagonal,center-dot", &[9]),
    ("diagonal,girandola", &[9]),
    ("diagonal,antiking", &[9]),
    ("window,asterisk", &[9]),
    ("window,girandola", &[9]),
    ("window,nonconsecutive", &[9]),
    ("regions,disjoint", &[9]),
    ("regions,asterisk", &[9]),
    ("regions,center-dot", &[9]),
    ("regions,girandola", &[9]),
    ("regions,antiking", &[9]),
    ("regions,nonconsecutive", &[9]),
    ("disjoint,asterisk", &[9]),
    ("disjoint,center-dot", &[9]),
    ("disjoint,girandola", &[9]),
    ("disjoint,antiking", &[9]),
    ("disjoint,nonconsecutive", &[9]),
    ("asterisk,center-dot", &[9]),
    ("asterisk,girandola", &[9]),
    ("asterisk,antiknight", &[9]),
    ("asterisk,antiking", &[9]),
    ("asterisk,nonconsecutive", &[9]),
    ("center-dot,antiknight", &[9]),
    ("center-dot,antiking", &[9]),
    ("center-dot,nonconsecutive", &[9]),
    ("girandola,antiknight", &[9]),
    ("girandola,antiking", &[9]),
    ("girandola,nonconsecutive", &[9]),
];

/// Variants, sides, and what else a case has.
const OTHERS: &[(&str, &[usize], With)] = &[
    ("classic", &[4, 6, 9, 12, 16, 25], With::Groups),
    ("diagonal", &[9], With::Groups),
    ("jigsaw", &[6, 9, 13], With::Groups),
    ("antiking", &[6, 9], With::Groups),
    ("classic", &[4], With::Boxes(1, 4)),
    ("classic", &[4], With::Boxes(4, 1)),
    ("classic", &[6], With::Boxes(3, 2)),
    ("classic", &[8], With::Boxes(4, 2)),
    ("classic", &[9], With::Boxes(1, 9)),
    ("classic", &[9], With::Boxes(9, 1)),
    ("classic", &[10], With::Boxes(5, 2)),
    ("classic", &[12], With::Boxes(2, 6)),
    ("classic", &[12], With::Boxes(6, 2)),
    ("classic", &[12], With::Boxes(4, 3)),
    ("classic", &[16], With::Boxes(2, 8)),
    ("classic", &[16], With::Boxes(8, 2)),
    ("diagonal", &[6], With::Boxes(3, 2)),
    ("diagonal", &[8], With::Boxes(4, 2)),
    ("disjoint", &[6], With::Boxes(3, 2)),
    ("disjoint", &[12], With::Boxes(4, 3)),
    ("antiknight", &[8], With::Boxes(4, 2)),
    ("antiking", &[8], With::Boxes(4, 2)),
    ("regions", &[6], With::Boxes(3, 2)),
    ("jigsaw", &[4, 6, 7, 9, 12, 16], With::Pieces),
    ("jigsaw,diagonal", &[6, 9], With::Pieces),
    ("jigsaw,window", &[9], With::Pieces),
    ("jigsaw,antiknight", &[9], With::Pieces),
    ("regions", &[6, 9, 12], With::Pieces),
    ("regions,diagonal", &[9], With::Pieces),
];

/// One case for each size of each line of the tables.
pub static CASES: LazyLock<Vec<Case>> = LazyLock::new(|| {
    let plain = PLAIN.iter().map(|&(variants, sides)| (variants, sides, With::Nothing));
    plain
        .chain(OTHERS.iter().copied())
        .flat_map(|(variants, sides, with)| {
            sides.iter().map(move |&side| Case { variants, side, with })
        })
        .collect()
});

impl Case {
    /// Returns the case's share of all puzzles. 9x9 gets the most; large grids take long.
    pub fn weight(&self) -> usize {
        match self.side {
            // batsat takes many times as long for nonconsecutive.
            9 if self.variants.contains("nonconsecutive") => 15,
            // Both solvers take long to prove that regions in pieces have no solution.
            9.. if self.with == With::Pieces => 2,
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
        let is_shared_by_all = self.with != With::Groups && !self.has_regions();
        if is_shared_by_all { 2000 } else { 150 }
    }

    fn has_regions(&self) -> bool {
        self.variants.split(',').any(|name| ["jigsaw", "regions"].contains(&name))
    }

    /// Returns constraints for this case. The random layout and groups fit some full grid, if the
    /// variants have one.
    pub fn constraints(&self, random: &mut Random) -> Constraints {
        let mut spec = Spec::of(self.variants, self.side);
        if let With::Boxes(rows, columns) = self.with {
            spec.boxes = (rows, columns);
        }
        if !self.has_regions() && self.with != With::Groups {
            return Constraints::of(spec);
        }
        spec.is_disconnected = self.with == With::Pieces;
        spec.regions = self.has_regions().then(|| boxes(&spec));
        // If the variants have no grid, any layout shows that.
        let Some(grid) = any_grid(&spec, random) else {
            return Constraints::of(spec);
        };
        spec.regions = layout(&spec, &grid, random);
        if self.with == With::Groups {
            spec.extra = vec![groups(spec.side, &grid, random)];
        }
        let constraints = Constraints::of(spec);
        assert!(constraints.are_obeyed_by(&grid), "{constraints}");
        constraints
    }
}

/// Returns a full grid, if the variants have one.
fn any_grid(spec: &Spec, random: &mut Random) -> Option<Vec<u8>> {
    let side = spec.side;
    let constraints = Constraints::of(spec.clone());
    let mut first_row = vec![0; side * side];
    if side > 3 {
        first_row[..4].copy_from_slice(&[1, 3, 2, 4]);
        random.shuffle(&mut first_row[..side]);
    }
    precomputed_grid(&constraints).or_else(|| {
        let mut oracle = Oracle::new(&constraints);
        oracle.grid(&first_row).or_else(|| oracle.grid(&vec![0; side * side]))
    })
}

/// Returns a full grid for constraints for which batsat needs a quarter of a minute to find one.
pub fn precomputed_grid(constraints: &Constraints) -> Option<Vec<u8>> {
    let text = "6D84FE19B2C57GA3C9516A78DGE34F2B7BF24G3CA168E95D3AEGD5B29F476C18987C3F564E2ABDG1\
                D52B148G37F69ECA43AFB9E71CDG52861EG62CAD895BF43781D79B4523GECA6F2C4583GF6BA917DE\
                G69EC7DAF51483B2AFB3E6217D8CG594F76D5294G831ABECE219ADCB567F384G54C8G1F3EABD2679\
                BG3A786EC492D1F5";
    let hard = constraints.side == 16 && constraints.has("diagonal") && constraints.has("window");
    (hard && constraints.are_obeyed_by(&digits_of(text))).then(|| digits_of(text))
}

/// Returns the boxes as region labels.
fn boxes(spec: &Spec) -> Vec<u8> {
    let (side, (rows, columns)) = (spec.side, spec.boxes);
    let label = |cell: usize| cell / side / rows * (side / columns) + cell % side / columns;
    (0..side * side).map(|cell| b'A' + label(cell) as u8).collect()
}

/// Returns regions that `grid` obeys: two regions exchange cells that hold the same digit, as long
/// as both stay connected. Disconnected regions exchange any such cells, but few: varisat, the
/// former solver, needed minutes for regions all in pieces.
fn layout(spec: &Spec, grid: &[u8], random: &mut Random) -> Option<Vec<u8>> {
    let side = spec.side;
    let mut regions = spec.regions.clone()?;
    let tries = if spec.is_disconnected { 2 } else { 40 };
    for _ in 0..tries * side * side {
        let (one, other) = (random.below(side * side), random.below(side * side));
        if grid[one] != grid[other] || regions[one] == regions[other] {
            continue;
        }
        regions.swap(one, other);
        let may_have_pieces = spec.is_disconnected;
        let is_whole = |cell: usize| may_have_pieces || is_connected(side, &regions, regions[cell]);
        if !is_whole(one) || !is_whole(other) {
            regions.swap(one, other);
        }
    }
    Some(regions)
}

pub fn is_connected(side: usize, regions: &[u8], region: u8) -> bool {
    let mut left: Vec<usize> = (0..regions.len()).filter(|&cell| regions[cell] == region).collect();
    let mut frontier: Vec<usize> = left.pop().into_iter().collect();
    while let Some(cell) = frontier.pop() {
        let is_adjacent = |other: &mut usize| {
            let (rows, columns) =
                ((*other / side).abs_diff(cell / side), (*other % side).abs_diff(cell % side));
            rows + columns == 1
        };
        frontier.extend(left.extract_if(.., is_adjacent));
    }
    left.is_empty()
}

/// Returns groups of up to `side` cells in which `grid` has no digit twice, written as for
/// `--extra`.
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
