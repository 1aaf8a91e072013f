//! Houses of nine cells, three of them in each of three others: the diagonals of a 9x9, and its boxes. What is deduced of
//! such a house and its crossings, at once.

use super::houses::Notes;
use super::simd::{Lane, Simd};
use crate::rules::{Crossing, House, Rules};

/// A house, third by third.
#[derive(Debug)]
pub(crate) struct Thirds {
    pub cells: [u16; 9],
    /// What is left of the house that crosses it in each third.
    rests: [[u16; 6]; 3],
}

impl Thirds {
    /// What a house is in thirds, if it is. The crossings that make them are taken out.
    pub fn of(
        rules: &Rules,
        house: &House,
        crossings: &mut Vec<&Crossing>,
        place: impl Fn(u16) -> u16,
    ) -> Option<Thirds> {
        let is_house = |&other: &usize| rules.houses()[other].cells == house.cells;
        let crosses = |crossing: &&Crossing| crossing.houses.iter().any(is_house);
        let mut thirds = Thirds {
            cells: [0; 9],
            rests: [[0; 6]; 3],
        };
        let mut number = 0;
        for crossing in crossings.iter().copied().filter(crosses) {
            let [a, b] = &crossing.rests;
            let rest = if is_house(&crossing.houses[0]) { b } else { a };
            let cells = thirds.cells.as_chunks_mut().0.get_mut(number)?;
            *cells = <[u16; 3]>::try_from(&crossing.common[..]).ok()?;
            thirds.rests[number] = rest[..].try_into().ok()?;
            number += 1;
        }
        let mut cells = thirds.cells.to_vec();
        cells.sort_unstable();
        if number < 3 || cells != house.cells {
            return None;
        }
        crossings.retain(|crossing| !crosses(crossing));
        Some(Thirds {
            cells: thirds.cells.map(&place),
            rests: thirds.rests.map(|rest| rest.map(&place)),
        })
    }
}

/// Locked candidates of the crossings, both ways. With the singles of the houses that cross, these come to the singles of
/// this house too, a sweep later.
// Not done: those singles here. 2 to 3 % fewer sweeps, each a tenth longer. Nor all that is taken away behind one branch: with
// AVX2 12 % slower.
#[inline(always)]
pub(crate) fn take_thirds<S: Simd>(
    s: S,
    thirds: &Thirds,
    every_digit: S::V,
    cells: &mut [S::V],
    notes: &mut Notes<S::V>,
) {
    let none = s.splat(S::Lane::of(0));
    let [mut held, mut outside, mut claimed] = [[none; 3]; 3];
    for k in 0..3 {
        let [a, b, c] = [0, 1, 2].map(
            #[inline(always)]
            |i| cells[usize::from(thirds.cells[3 * k + i])],
        );
        held[k] = s.or3(a, b, c);
        outside[k] = held_by_six(s, cells, thirds.rests[k]);
        // What a crossing house holds in the third only leaves the other thirds.
        claimed[k] = s.and_not(held[k], outside[k]);
    }
    let claims = s.or3(claimed[0], claimed[1], claimed[2]);
    let by_two = s.majority(claimed[0], claimed[1], claimed[2]);
    notes.contradiction = s.or(notes.contradiction, by_two);
    let in_two = s.majority(held[0], held[1], held[2]);
    // Where two claim a digit nothing changes, but that is no matter any more.
    notes.changed = s.note_common(notes.changed, claims, in_two);
    for k in 0..3 {
        for cell in &thirds.cells[3 * k..3 * k + 3] {
            let cell = &mut cells[usize::from(*cell)];
            *cell = s.drop_unless(*cell, claims, claimed[k]);
        }
        held[k] = s.drop_unless(held[k], claims, claimed[k]);
    }
    let any = s.or3(held[0], held[1], held[2]);
    let in_two = s.majority(held[0], held[1], held[2]);
    notes.contradiction = s.note_missing(notes.contradiction, every_digit, any);
    // What the house holds in one third only leaves the rest of the house that crosses it there. Mostly there is nothing to
    // take away, in any lane.
    let mut pointed = [none; 3];
    for k in 0..3 {
        pointed[k] = s.and(s.and_not(held[k], in_two), outside[k]);
    }
    let some = s.or3(pointed[0], pointed[1], pointed[2]);
    if s.nonzero_lanes(some) != 0 {
        notes.changed = s.or(notes.changed, some);
        for (rest, pointed) in thirds.rests.iter().zip(pointed) {
            for &cell in rest {
                let cell = &mut cells[usize::from(cell)];
                *cell = s.and_not(*cell, pointed);
            }
        }
    }
}

#[inline(always)]
fn held_by_six<S: Simd>(s: S, cells: &[S::V], [a, b, c, d, e, f]: [u16; 6]) -> S::V {
    let some = s.or3(
        cells[usize::from(a)],
        cells[usize::from(b)],
        cells[usize::from(c)],
    );
    let others = s.or3(
        cells[usize::from(d)],
        cells[usize::from(e)],
        cells[usize::from(f)],
    );
    s.or(some, others)
}

#[cfg(test)]
mod tests {
    use super::super::random::Random;
    use super::super::simd::portable::Portable;
    use super::*;
    use crate::rules::{Shape, Variants};

    #[test]
    fn diagonals_are_in_thirds_and_leave_no_crossing_and_windows_are_not() {
        for (name, number) in [("diagonal", 2), ("window", 0), ("asterisk", 0)] {
            let variants: Variants = name.parse().unwrap();
            let rules = Rules::new(9, Shape::boxes_of(9).unwrap(), &variants).unwrap();
            let mut crossings = rules.crossings().iter().collect();
            let houses = &rules.houses()[rules.further()];
            let thirds = houses
                .iter()
                .filter_map(|house| Thirds::of(&rules, house, &mut crossings, |cell| cell));
            let thirds: Vec<Thirds> = thirds.collect();
            assert_eq!(thirds.len(), number, "{name}");
            if let Some(first) = thirds.first() {
                assert_eq!(first.cells, [0, 10, 20, 30, 40, 50, 60, 70, 80]);
                assert_eq!(first.rests[0], [1, 2, 9, 11, 18, 19]);
                assert!(crossings.is_empty());
            }
        }
    }

    #[test]
    fn what_is_locked_in_a_third_leaves_what_crosses_there_and_the_other_thirds() {
        let rules = Rules::new(9, Shape::boxes_of(9).unwrap(), &"diagonal".parse().unwrap());
        let rules = rules.unwrap();
        let mut crossings = rules.crossings().iter().collect();
        let house = &rules.houses()[rules.further()][0];
        let thirds = Thirds::of(&rules, house, &mut crossings, |cell| cell).unwrap();
        let s = Portable;
        let mut random = Random::new(7);
        let mut lost = 0;
        for _ in 0..300 {
            let before: [u32; 81] = std::array::from_fn(|_| random.below(512) & random.below(512));
            let mut cells = before.map(|cell| s.splat(u16::of(cell)));
            let mut notes = Notes::new(s, s.splat(511));
            take_thirds(s, &thirds, s.splat(511), &mut cells, &mut notes);
            if s.nonzero_lanes(notes.contradiction) != 0 {
                continue;
            }
            let held = |cells: &[u32], some: &[u16]| -> u32 {
                some.iter()
                    .fold(0, |held, &cell| held | cells[usize::from(cell)])
            };
            let third = |k: usize| &thirds.cells[3 * k..3 * k + 3];
            let mut after = before;
            for k in 0..3 {
                let claimed = held(&before, third(k)) & !held(&before, &thirds.rests[k]);
                for other in (0..3).filter(|&other| other != k).flat_map(third) {
                    after[usize::from(*other)] &= !claimed;
                }
            }
            let house = after;
            for k in 0..3 {
                let elsewhere = held(&house, third((k + 1) % 3)) | held(&house, third((k + 2) % 3));
                let pointed = held(&house, third(k)) & !elsewhere;
                for &cell in &thirds.rests[k] {
                    after[usize::from(cell)] &= !pointed;
                }
            }
            let found = cells.each_ref().map(|set| u32::from(s.lanes(set)[0]));
            assert_eq!(found, after);
            assert_eq!(s.nonzero_lanes(notes.changed) != 0, after != before);
            lost += u32::from(after != before);
        }
        assert!(lost > 30, "{lost}");
    }
}
