//! Naked and hidden singles: what most puzzles need and no more.

use super::Technique::{self, HiddenSingle, NakedSingle};
use super::paper::{Paper, digits_of};
use super::step::Pattern;
use super::tables::Tables;

/// Places singles until there are none or the paper is broken; the hardest technique used.
///
/// Whatever the order, the same digits come to be placed, and hidden singles are needed or not; so every one that is seen is
/// placed at once.
pub(super) fn exhaust(tables: &Tables, paper: &mut Paper) -> Option<Technique> {
    let mut hardest = None;
    loop {
        while paper.place_naked_singles(tables) > 0 {
            hardest = hardest.max(Some(NakedSingle));
        }
        if paper.is_broken || paper.is_full() || !bare_hidden(tables, paper) {
            return hardest;
        }
        hardest = Some(HiddenSingle);
    }
}

/// Takes the other candidates from every hidden single; those seen later in the same round count too. Whether there
/// was one.
fn bare_hidden(tables: &Tables, paper: &mut Paper) -> bool {
    let mut any = 0;
    for house in 0..tables.houses {
        let missing = paper.missing[house];
        if missing == 0 {
            continue;
        }
        let cells = tables.cells_of.of(house);
        let (once, twice) = count_places(paper, cells);
        paper.is_broken |= once != tables.every_digit;
        let hidden = once & !twice & missing;
        if hidden != 0 {
            any |= hidden;
            for &cell in cells {
                let candidates = &mut paper.candidates[cell];
                let digit = *candidates & hidden;
                if digit != 0 {
                    // Two hidden singles in one cell contradict each other; one of them is missed next time.
                    *candidates = digit & digit.wrapping_neg();
                }
            }
        }
    }
    any != 0 && !paper.is_broken
}

/// The digits that some of these cells may hold, and those that two or more may.
#[inline]
fn count_places(paper: &Paper, cells: &[u16]) -> (u32, u32) {
    let (mut once, mut twice) = (0, 0);
    for &cell in cells {
        let candidates = paper.candidates[cell];
        twice |= once & candidates;
        once |= candidates;
    }
    (once, twice)
}

/// Whether every cell has a candidate, and every digit a place in every house.
pub(super) fn all_have_places(tables: &Tables, paper: &Paper) -> bool {
    let mut houses = (0..tables.houses).map(|house| tables.cells_of.of(house));
    !paper.sets().contains(&0)
        && houses.all(|cells| count_places(paper, cells).0 == tables.every_digit)
}

/// The first naked single.
pub(super) fn find_naked(paper: &Paper) -> Option<Pattern> {
    let blanks = paper.blanks.iter().copied();
    let cell = blanks.filter(|&cell| paper.is_single(cell)).min()?;
    let digit = paper.candidates[cell].trailing_zeros() as u8;
    Some(Pattern::NakedSingle { cell, digit })
}

/// The first hidden single.
pub(super) fn find_hidden(tables: &Tables, paper: &Paper) -> Option<Pattern> {
    (0..tables.houses).find_map(|house| {
        let cells = tables.cells_of.of(house);
        let (once, twice) = count_places(paper, cells);
        let digit = digits_of(once & !twice & paper.missing[house]).next()? as u8;
        let holds = |cell: &&u16| paper.candidates[**cell] & 1 << digit != 0;
        let &cell = cells.iter().find(holds)?;
        Some(Pattern::HiddenSingle { cell, digit, house })
    })
}
