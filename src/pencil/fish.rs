//! X-wing, swordfish and jellyfish: k rows that can hold a digit only in the same k columns, or k columns in k rows.

use super::Technique::{Jellyfish, Swordfish, XWing};
use super::paper::{Paper, digits_of};
use super::step::Pattern;
use super::subsets::{Subset, first_subset};
use super::tables::Tables;

/// The first fish of K lines that removes something.
pub(super) fn find<const K: usize>(tables: &Tables, paper: &mut Paper) -> Option<Pattern> {
    let technique = [XWing, Swordfish, Jellyfish][K - 2];
    let side = tables.side;
    // Rows are the first houses, columns the next.
    for line in 0..2 * side {
        paper.seek_spots(tables, line);
    }
    for digit in 0..side {
        if !paper.history.is_digit_new(technique, digit) {
            continue;
        }
        for (base, cover) in [(0, side), (side, 0)] {
            let places = |line: usize| paper.spots(tables, line)[digit];
            let loses = |fish: Subset, line: usize| places(cover + line) & !fish.members;
            let is_useful = |fish: Subset| digits_of(fish.union).any(|line| loses(fish, line) != 0);
            let lines = (base..base + side).map(places);
            if let Some(fish) = first_subset::<K>(lines, is_useful) {
                note_losses(tables, paper, digit, cover, fish);
                return Some(Pattern::Fish {
                    technique,
                    digit: digit as u8,
                    base,
                    lines: fish.members,
                    cover: fish.union,
                });
            }
        }
        paper.history.searched_in_vain(technique, digit);
    }
    None
}

/// The lines that cover a fish lose the digit but for where they cross its own.
fn note_losses(tables: &Tables, paper: &mut Paper, digit: usize, cover: usize, fish: Subset) {
    paper.losses.clear();
    for line in digits_of(fish.union) {
        let house = tables.cells_of.of(cover + line);
        let others = house.iter().enumerate();
        let others = others.filter(|&(position, _)| fish.members & 1 << position == 0);
        let may_hold = |cell: u16| paper.candidates[cell] & 1 << digit != 0;
        let losers = others.filter(|&(_, &cell)| may_hold(cell));
        let losses = losers.map(|(_, &cell)| (cell, 1 << digit));
        paper.losses.extend(losses);
    }
    paper.losses.sort_unstable();
}
