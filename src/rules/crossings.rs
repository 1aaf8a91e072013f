//! Crossings: pairs of houses that share several cells. Locked candidates apply to them.

use super::house::House;
use super::place::MAX_SIDE;

/// Two houses that share at least two cells, but not all.
///
/// Locked candidates apply here: if one house can hold a digit only in `common`, the other house cannot hold that digit
/// outside `common`.
#[derive(Clone, Debug)]
pub struct Crossing {
    /// Indices of the two houses.
    pub houses: [usize; 2],
    /// The shared cells.
    pub common: Vec<u16>,
    /// The cells of each house that the other house does not have.
    pub rests: [Vec<u16>; 2],
}

/// Finds all pairs of houses that share at least two cells, except pairs among the first `omitted` houses.
pub(super) fn crossings(side: usize, houses: &[House], omitted: usize) -> Vec<Crossing> {
    // One bit set of cells per house, for fast intersections.
    let mut sets = vec![[0u64; MAX_SIDE * MAX_SIDE / 64 + 1]; houses.len()];
    for (set, house) in sets.iter_mut().zip(houses) {
        for &cell in &house.cells {
            set[usize::from(cell) / 64] |= 1 << (cell % 64);
        }
    }
    let has = |house: usize, cell: u16| sets[house][usize::from(cell) / 64] >> (cell % 64) & 1 == 1;
    let words = (side * side).div_ceil(64);
    let mut crossings = Vec::new();
    for b in omitted.max(1)..houses.len() {
        for a in 0..b {
            let shared: u32 = (0..words)
                .map(|word| (sets[a][word] & sets[b][word]).count_ones())
                .sum();
            if shared < 2 || shared as usize == side {
                continue;
            }
            let (common, rest_a) = houses[a].cells.iter().partition(|&&cell| has(b, cell));
            let rest_b = houses[b]
                .cells
                .iter()
                .copied()
                .filter(|&cell| !has(a, cell))
                .collect();
            crossings.push(Crossing {
                houses: [a, b],
                common,
                rests: [rest_a, rest_b],
            });
        }
    }
    crossings
}

#[cfg(test)]
mod tests {
    use crate::rules::tests::rules_of;

    #[test]
    fn crossings_are_the_pairs_of_houses_that_share_two_cells() {
        // A grid with bands lists no crossings among rows, columns and boxes.
        assert_eq!(rules_of(9, "classic").unwrap().crossings().len(), 0);
        // Each 2x2 box of a 4x4 crosses two rows and two columns.
        let four = rules_of(4, "classic").unwrap();
        assert_eq!(four.crossings().len(), 16);
        let crossing = &four.crossings()[0];
        assert_eq!(crossing.common, [0, 1]);
        assert_eq!(crossing.rests, [vec![2, 3], vec![4, 5]]);
    }
}
