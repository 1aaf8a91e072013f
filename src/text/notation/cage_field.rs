//! The field that holds the cages of a line: arrows, cage numbers or a JSON list.

use super::arrows;
use super::cage_list;
use super::cage_numbers::{self, CageNumbersHeader};
use super::described::DescribedPuzzle;
use super::looks_like_cages;
use engine::error::InvalidInput;
use engine::rules::{Cage, a_puzzle};

impl DescribedPuzzle {
    /// Reads a field that holds the cages of a puzzle with this side. The result is a blank puzzle
    /// with these cages. Cage numbers also state its boxes and diagonals.
    ///
    /// # Errors
    /// Returns an error that names what is at fault: the number of symbols or cage numbers, the
    /// size, a cell or a cage.
    ///
    /// ```
    /// use sudoku_filter::program::DescribedPuzzle;
    /// use sudoku_filter::{Rules, Shape, Variants};
    ///
    /// // The arrow points to the cell that shows the sum of their cage.
    /// let cages = DescribedPuzzle::read_cages(b"3<00000000000000", 4)?.cages.unwrap();
    /// assert_eq!((cages[0].cells(), cages[0].sum), (&[0, 1][..], Some(3)));
    ///
    /// let rules = Rules::new(4, Shape::boxes_of(4).unwrap(), &Variants::default())?;
    /// assert_eq!(rules.with_cages(cages)?.cages().len(), 1);
    /// # Ok::<(), sudoku_filter::InvalidInput>(())
    /// ```
    pub fn read_cages(field: &[u8], side: usize) -> Result<DescribedPuzzle, InvalidInput> {
        let Some(header) = CageNumbersHeader::split(field) else {
            let read = if cage_list::is_list(field) { cage_list::read } else { arrows::read };
            return Ok(DescribedPuzzle {
                cages: Some(read(field, side)?),
                ..DescribedPuzzle::blank(side)
            });
        };
        let described = cage_numbers::decode(&header)?;
        if described.side != side {
            let [cages, puzzle] = [described.side, side].map(a_puzzle);
            return Err(format!("cages of {cages} in {puzzle}").into());
        }
        Ok(described)
    }
}

/// Returns the number of cells of a killer whose puzzle field holds only its cages. Arrows have one
/// symbol per cell. The number for a list is right only if its cages reach the last row or column.
pub(crate) fn cells_of_cages(field: &[u8]) -> Result<usize, InvalidInput> {
    if !cage_list::is_list(field) {
        return Ok(field.len());
    }
    let side = cage_list::side(field)?;
    Ok(side * side)
}

/// Returns a field that [`DescribedPuzzle::read_cages`] reads as the same cages: arrows if they can
/// express the cages, otherwise cage numbers with these boxes and diagonals. Also returns cage
/// numbers if the arrows of cages would have no symbol that `looks_like_cages` recognises: such
/// arrows could be taken for an answer.
pub fn write_cages(cages: &[Cage], side: usize, boxes: [usize; 2], diagonals: bool) -> Vec<u8> {
    // After a `-` for missing regions, `lines::split` recognises the cages of a killer by their
    // symbols. Without one, it takes the `-` for the cages, and the arrows for the next field.
    let are_clear = |arrows: &Vec<u8>| cages.is_empty() || looks_like_cages(arrows);
    let arrows = arrows::write(cages, side).filter(are_clear);
    arrows.unwrap_or_else(|| cage_numbers::write(cages, side, boxes, diagonals))
}

#[cfg(test)]
mod tests {
    use super::super::tests::{Kind, cells_and_sums, random_cages};
    use super::*;

    fn written(cages: &[Cage], side: usize) -> String {
        String::from_utf8(write_cages(cages, side, [1, side], false)).unwrap()
    }

    #[test]
    fn cages_are_arrows_if_possible_then_numbers() {
        let cage = |side, cells: &[u16], sum| Cage::new(side, cells.to_vec(), sum).unwrap();
        for (cages, side, field) in [
            (vec![], 2, "0000"),
            (vec![cage(2, &[0, 3], Some(3))], 2, "300`"),
            (vec![cage(3, &[0, 1, 4], None)], 3, "0<00`0000"),
            // As arrows, the field would be digits alone.
            (vec![cage(2, &[0], Some(2))], 2, "1x2::k:513:0:0:0:"),
            // The cells of this cage do not touch each other.
            (vec![cage(3, &[0, 8], Some(5))], 3, "1x3::k:1281:0:0:0:0:0:0:0:1281:"),
            (vec![cage(3, &[0, 8], None)], 3, "1x3::k:1:0:0:0:0:0:0:0:1:"),
        ] {
            assert_eq!(written(&cages, side), field);
            let read = DescribedPuzzle::read_cages(field.as_bytes(), side).unwrap();
            assert_eq!(cells_and_sums(read.cages()), cells_and_sums(&cages), "{field}");
        }
    }

    #[test]
    fn cages_of_every_size_are_read_back() {
        for side in 2..=16 {
            for seed in 100..110 {
                let cages = random_cages(side, Kind::SomeWithoutSums, seed);
                let field = written(&cages, side);
                let read = DescribedPuzzle::read_cages(field.as_bytes(), side).unwrap();
                assert_eq!(cells_and_sums(read.cages()), cells_and_sums(&cages), "{field}");
                let are_single = cages.iter().all(|cage| cage.cells().len() == 1);
                assert_eq!(read.boxes.is_some(), side > 9 || are_single);
            }
        }
    }

    #[test]
    fn numbers_state_boxes_and_diagonals_of_a_puzzle_of_their_size() {
        let field = format!("2x2:d:k:769:769:{}", "0:".repeat(14));
        let read = DescribedPuzzle::read_cages(field.as_bytes(), 4).unwrap();
        assert_eq!((read.boxes, read.diagonals), (Some([2, 2]), true));
        assert_eq!(cells_and_sums(read.cages()), [(vec![0, 1], Some(3))]);
        let error = DescribedPuzzle::read_cages(field.as_bytes(), 9).unwrap_err();
        assert_eq!(error.to_string(), "cages of a 4x4 puzzle in a 9x9 puzzle");
    }
}
