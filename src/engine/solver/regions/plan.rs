//! The order of the cells on a board of regions, and the constraints from lists.

use crate::rules::Rules;
use crate::solver::constraints::houses::ListedConstraints;

/// The order of the cells on a board, and the constraints from lists.
#[derive(Debug)]
pub(crate) struct RegionPlan {
    pub cell_at: Vec<u16>,
    pub(super) position_of: Vec<u16>,
    pub(super) every_digit: u32,
    pub(super) listed: ListedConstraints,
}

impl RegionPlan {
    /// For one layout in all lanes: positions count region by region, along the rows within each.
    pub fn by_regions(rules: &Rules) -> RegionPlan {
        let regions = rules.jigsaw_regions_or_boxes();
        let cells = regions.iter().flat_map(|region| &region.cells);
        RegionPlan::new(rules, cells.copied().collect())
    }

    /// For boards with a layout in each lane: positions count along the rows. `rules` are those of
    /// any of the puzzles, which all have the same side and the same variants.
    pub fn by_rows(rules: &Rules) -> RegionPlan {
        RegionPlan::new(rules, (0..rules.cells() as u16).collect())
    }

    fn new(rules: &Rules, cell_at: Vec<u16>) -> RegionPlan {
        let mut position_of: Vec<u16> = vec![u16::MAX; rules.cells()];
        for (position, &cell) in (0..).zip(&cell_at) {
            position_of[usize::from(cell)] = position;
        }
        debug_assert_eq!(cell_at.len(), rules.cells());
        debug_assert!(!position_of.contains(&u16::MAX), "a permutation");
        RegionPlan {
            listed: ListedConstraints::for_region_boards(rules, |cell| {
                position_of[usize::from(cell)]
            }),
            every_digit: (1 << rules.side()) - 1,
            cell_at,
            position_of,
        }
    }
}
