//! The constraints of a generated puzzle. They are written without the program's `Rules`, so that
//! each can check the other.

use super::sums::Sum;
use super::variants::{Added, cells_apart, cells_where};

/// Cells of a killer whose digits differ.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cage {
    /// In ascending order.
    pub cells: Vec<usize>,
    /// The sum of the digits, if the cage has one.
    pub sum: Option<usize>,
}

/// Side, variants, layout and cages, and the houses, peers, neighbours and sums that follow from
/// them.
#[derive(Clone)]
pub struct Constraints {
    pub side: usize,
    /// Written as for `--variant`: `jigsaw,diagonal`.
    pub variants: String,
    /// One label for each cell, if there are regions in place of boxes or besides them.
    pub regions: Option<Vec<u8>>,
    pub houses: Vec<Vec<usize>>,
    /// For each cell, the indices of its houses.
    pub houses_of: Vec<Vec<usize>>,
    /// For each cell, the cells that must hold another digit: they share a house with it, or are a
    /// move away.
    pub peers: Vec<Vec<usize>>,
    /// For each cell, the cells whose digits must not be consecutive to its own.
    pub not_consecutive: Vec<Vec<usize>>,
    /// The cages of a killer, which share no cell.
    pub cages: Vec<Cage>,
    /// The sums of the cages, and sums that follow from cages and houses.
    pub sums: Vec<Sum>,
}

impl Constraints {
    /// Returns the constraints of a grid with the usual boxes for its side.
    pub fn with_boxes(side: usize, variants: &str) -> Constraints {
        Constraints::new(side, variants, &[&boxes_of(side)], None)
    }

    /// Returns the constraints of a grid with a layout. With the variant `regions` the grid has its
    /// boxes too.
    pub fn with_regions(side: usize, variants: &str, labels: &[u8]) -> Constraints {
        let (boxes, regions) = (boxes_of(side), Some(labels.to_vec()));
        if has(variants, "regions") {
            Constraints::new(side, variants, &[&boxes, labels], regions)
        } else {
            Constraints::new(side, variants, &[labels], regions)
        }
    }

    fn new(
        side: usize,
        variants: &str,
        layouts: &[&[u8]],
        regions: Option<Vec<u8>>,
    ) -> Constraints {
        let mut houses = Vec::new();
        for index in 0..side {
            houses.push(cells_where(side, |row, _| row == index));
            houses.push(cells_where(side, |_, column| column == index));
        }
        for layout in layouts {
            let mut labels = layout.to_vec();
            labels.sort_unstable();
            labels.dedup();
            for label in labels {
                houses.push(cells_where(side, |row, column| layout[row * side + column] == label));
            }
        }
        let added: Vec<Added> =
            variants.split(',').map(|name| Added::by(name, side, box_of(side))).collect();
        houses.extend(added.iter().flat_map(|it| it.houses.clone()));
        let houses_of = |cell: usize| -> Vec<usize> {
            let lies_in = |house: &usize| houses[*house].contains(&cell);
            (0..houses.len()).filter(lies_in).collect()
        };
        let houses_of: Vec<Vec<usize>> = (0..side * side).map(houses_of).collect();
        let peers = (0..side * side).map(|cell| {
            let around = houses_of[cell].iter().flat_map(|&house| &houses[house]);
            let mut peers: Vec<usize> = around.copied().filter(|&peer| peer != cell).collect();
            let steps = added.iter().filter_map(|it| it.different);
            peers.extend(steps.flat_map(|step| cells_apart(side, cell, step)));
            peers.sort_unstable();
            peers.dedup();
            peers
        });
        let not_consecutive = (0..side * side).map(|cell| {
            let steps = added.iter().filter_map(|it| it.not_consecutive);
            steps.flat_map(|step| cells_apart(side, cell, step)).collect()
        });
        Constraints {
            side,
            variants: variants.to_string(),
            regions,
            not_consecutive: not_consecutive.collect(),
            peers: peers.collect(),
            houses_of,
            houses,
            cages: Vec::new(),
            sums: Vec::new(),
        }
    }

    /// Returns these constraints with other cages.
    pub fn with_cages(&self, cages: Vec<Cage>) -> Constraints {
        let mut killer = self.without_cages();
        for cage in &cages {
            for &cell in &cage.cells {
                let others = cage.cells.iter().filter(|&&other| other != cell);
                let peers = &mut killer.peers[cell];
                peers.extend(others);
                peers.sort_unstable();
                peers.dedup();
            }
        }
        killer.sums = Sum::all_of(&killer, &cages);
        killer.cages = cages;
        killer
    }

    /// Returns the same constraints without cages.
    fn without_cages(&self) -> Constraints {
        match (&self.cages[..], &self.regions) {
            ([], _) => self.clone(),
            (_, Some(labels)) => Constraints::with_regions(self.side, &self.variants, labels),
            (_, None) => Constraints::with_boxes(self.side, &self.variants),
        }
    }

    pub fn cells(&self) -> usize {
        self.side * self.side
    }

    /// True if another cell's digit excludes this digit from the cell.
    pub fn forbids(&self, grid: &[u8], cell: usize, digit: u8) -> bool {
        let holds = |&peer: &usize| grid[peer] == digit;
        let is_beside = |&near: &usize| grid[near] != 0 && grid[near].abs_diff(digit) == 1;
        self.peers[cell].iter().any(holds) || self.not_consecutive[cell].iter().any(is_beside)
    }
}

/// True if a list of variants names this one.
pub fn has(variants: &str, variant: &str) -> bool {
    variants.split(',').any(|name| name == variant)
}

/// Returns the rows and columns of a box: as square as possible, and at least as wide as high.
pub fn box_of(side: usize) -> (usize, usize) {
    let rows = (1..=side.isqrt()).rev().find(|rows| side.is_multiple_of(*rows));
    let rows = rows.unwrap_or(1);
    (rows, side / rows)
}

/// Returns the number of each cell's box, from 0.
pub fn boxes_of(side: usize) -> Vec<u8> {
    let (rows, columns) = box_of(side);
    (0..side * side).map(|cell| (cell / side / rows * rows + cell % side / columns) as u8).collect()
}
