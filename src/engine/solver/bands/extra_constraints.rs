//! The extra constraints of 9x9 grids with 3x3 boxes. Overlays (`overlay.rs`) and diagonals
//! (`diagonals.rs`) have kernels of their own: code in which the cells are constants.
//! `constraints/houses.rs` sweeps the other constraints from lists. This file decides which
//! constraints have kernels, and sweeps all extra constraints.

use super::diagonals::{DIAGONALS, sweep_diagonal};
use super::overlay::{DISJOINT_GROUPS, WINDOWS, sweep_overlay};
use crate::rules::{House, Rules};
use crate::solver::constraints::houses::{ListedConstraints, SPLIT_BITS, SweepFlags};
use crate::solver::simd::Counting;

#[derive(Debug)]
pub(crate) struct ExtraConstraints {
    /// True if all nine houses of the overlay are extra or implied houses. Likewise in the next two
    /// fields, for the houses of their kernels.
    has_windows: bool,
    has_disjoint_groups: bool,
    has_diagonals: bool,
    listed: ListedConstraints,
}

impl ExtraConstraints {
    // Tried: windows and disjoint groups as lists of houses and crossings. 1.4 to 2 times the time,
    // 10 % more branches.
    pub fn from_rules(rules: &Rules) -> Option<ExtraConstraints> {
        if rules.has_no_extra_constraints() {
            return None;
        }
        let extra_houses: Vec<&House> = rules.extra_and_implied_houses().collect();
        let mut kernel_houses = Vec::new();
        let is_extra =
            |cells: &[usize; 9]| extra_houses.iter().any(|house| has_cells(house, cells));
        let mut add_kernel = |kernel: &[[usize; 9]]| {
            let is_complete = kernel.iter().all(is_extra);
            if is_complete {
                kernel_houses.extend(kernel);
            }
            is_complete
        };
        let has_windows = add_kernel(&WINDOWS.boxes);
        let has_disjoint_groups = add_kernel(&DISJOINT_GROUPS.boxes);
        let has_diagonals = add_kernel(&DIAGONALS.map(|diagonal| diagonal.cells));
        let is_covered = |house: &House| kernel_houses.iter().any(|cells| has_cells(house, cells));
        let is_of_overlay = |house: &House| is_covered(house) && !is_diagonal(house);
        let is_box = |house: &House| house.name.is_region();
        let is_of_bands = |house: &House| house.name.is_row_or_column() || is_box(house);
        let lists_crossing = |houses: [&House; 2], common: usize| {
            // The board sweeps the crossings of rows, columns and boxes.
            let are_of_bands = houses.into_iter().all(is_of_bands);
            // The kernel of the diagonals sweeps their crossings with boxes.
            let are_diagonal_and_box = has_diagonals
                && houses.into_iter().any(is_diagonal)
                && houses.into_iter().any(is_box);
            // Overlays sweep their crossings with rows and columns. The others are swept nowhere.
            let has_overlay = houses.into_iter().any(is_of_overlay);
            // Crossings with two common cells seldom lock a digit.
            common != 2 && !are_of_bands && !are_diagonal_and_box && !has_overlay
        };
        let lists_house = |house: &House| !is_covered(house);
        let listed = ListedConstraints::new(rules, |cell| cell, lists_house, lists_crossing);
        Some(ExtraConstraints { has_windows, has_disjoint_groups, has_diagonals, listed })
    }

    /// Returns `flags` with the findings added. `forbidden` is scratch: the digits that each cell
    /// forbids to the cells it forms pairs with.
    #[inline(always)]
    pub fn sweep<S: Counting>(
        &self,
        cells: &mut [S::V; 81],
        forbidden: &mut [S::V; 81],
        mut flags: SweepFlags<S>,
    ) -> SweepFlags<S> {
        if self.has_windows {
            sweep_overlay(&WINDOWS, cells, &mut flags);
        }
        if self.has_disjoint_groups {
            sweep_overlay(&DISJOINT_GROUPS, cells, &mut flags);
        }
        if self.has_diagonals {
            for diagonal in &DIAGONALS {
                sweep_diagonal(diagonal, cells, &mut flags);
            }
        }
        let listed = &self.listed;
        listed.sweep::<S, SPLIT_BITS>(cells, forbidden, &mut flags);
        flags
    }
}

fn is_diagonal(house: &House) -> bool {
    let mut diagonals = DIAGONALS.iter();
    diagonals.any(|diagonal| has_cells(house, &diagonal.cells))
}

fn has_cells(house: &House, cells: &[usize; 9]) -> bool {
    debug_assert_eq!(house.cells.len(), 9);
    (cells.iter()).all(|&cell| house.cells.contains(&(cell as u16)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::{Shape, Variants};

    fn extra(variants: &str) -> Option<ExtraConstraints> {
        let variants: Variants = variants.parse().unwrap();
        ExtraConstraints::from_rules(
            &Rules::new(9, Shape::boxes_of(9).unwrap(), &variants).unwrap(),
        )
    }

    #[test]
    fn windows_and_disjoint_groups_make_overlays() {
        for (variants, expected) in [
            ("diagonal", [false, false, true]),
            ("window", [true, false, false]),
            ("disjoint", [false, true, false]),
            ("disjoint,window,diagonal", [true, true, true]),
            ("asterisk,center-dot,girandola", [false, false, false]),
        ] {
            let extra = extra(variants).unwrap();
            let found = [extra.has_windows, extra.has_disjoint_groups, extra.has_diagonals];
            assert_eq!(found, expected, "{variants}");
        }
    }

    #[test]
    fn classic_grids_have_no_extra_constraints() {
        assert!(extra("classic").is_none());
        for variants in ["diagonal", "antiknight", "nonconsecutive", "center-dot"] {
            assert!(extra(variants).is_some(), "{variants}");
        }
    }
}
