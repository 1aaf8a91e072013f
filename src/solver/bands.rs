//! The board of 9x9 grids whose 3x3 boxes stand whole: what is kept of each lane, how it branches and goes back. A sweep takes
//! bands and boxes (`boxes.rs`), then what the rules ask beyond them (`beyond.rs`).

use std::sync::Arc;

use super::Givens;
use super::beyond::{Beyond, BeyondSweep};
use super::boxes::take_grid;
use super::houses::Notes;
use super::lanes::{Board, Swept, bits};
use super::nibbles::{self, Packed, Roomy};
use super::random::Random;
use super::simd::{ALL_DIGITS, Counting};
use super::ways::{digits_with_fewest, least, open_ways, part_of_ways};
use crate::rules::Rules;
use crate::symbols::{BLOCKS, block_at};

/// The state of all lanes.
pub(crate) struct BandBoard<S: Counting> {
    s: S,
    rules: Arc<Rules>,
    beyond: Option<Arc<Beyond>>,
    /// Room for what cells tell others.
    told: [S::V; 81],
    /// Candidates, cell by cell along the rows.
    cells: [S::V; 81],
    /// What each line may hold, within a sweep.
    lines: [S::V; 54],
    /// The digits for which the last sweep found a single spot in a box.
    hidden: [S::V; 9],
    /// For each band, rows first, the digits that may still stand in each of the six ways. All a branch need keep:
    /// cells and lines follow from them.
    ways: [[S::V; 6]; 6],
    /// Of the bands in which digits have a choice of ways, that with fewest for all nine: eight times the
    /// ways beyond ten, and the band.
    fewest_ways: S::V,
    /// Of the digits of that band that have a choice, the least with fewest ways; and those ways, a bit each.
    fewest_digit: S::V,
    fewest_open: S::V,
    /// The givens that were loaded last.
    givens: [Packed; 32],
    /// The digits of lanes that were solved.
    solutions: [Roomy; 32],
    stale: Stale,
}

/// Lanes that begin anew: all of them; those whose cells are to be forgotten.
#[derive(Clone, Copy, Debug, Default)]
struct Stale {
    all: u32,
    cells: u32,
}

/// A digit to branch on, in one of the bands.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Choice {
    band: u8,
    digit: u16,
}

/// Lanes to load for which it is not worth turning whole blocks.
const FEW: u32 = 3;

impl<S: Counting> BandBoard<S> {
    pub fn new(s: S, beyond: Option<Arc<Beyond>>, rules: Arc<Rules>) -> BandBoard<S> {
        debug_assert!(rules.has_bands());
        let all = s.splat(ALL_DIGITS);
        BandBoard {
            s,
            beyond,
            told: [all; 81],
            rules,
            cells: [all; 81],
            lines: [all; 54],
            hidden: [all; 9],
            ways: [[all; 6]; 6],
            fewest_ways: all,
            fewest_digit: all,
            fewest_open: all,
            givens: [[[0; 8]; 3]; 32],
            solutions: [[0; 96]; 32],
            stale: Stale::default(),
        }
    }

    /// The choice that failed last if it is open here, else the digit with fewest ways of the band with fewest; and which
    /// of its ways to go first.
    #[inline(always)]
    fn choose(&self, lane: usize, conflict: Option<Choice>) -> (Choice, u32) {
        // Not done: both looked at, so that there is no branch to foretell. 3 to 7 % slower.
        if let Some(choice) = self.open_conflict(lane, conflict) {
            let open = open_ways(&self.ways_of(lane, choice.band), choice.digit);
            return (choice, part_of_ways(open));
        }
        // Not done: a cell with two candidates first. With diagonals 21 % less time, with windows 12 % more; only where no
        // digit of the band has two ways: branches within 3 % on every corpus.
        let band = self.band_with_fewest_ways(lane);
        let digit = self.s.lanes(&self.fewest_digit)[lane];
        let open = self.s.lanes(&self.fewest_open)[lane];
        debug_assert_eq!(digit, least(digits_with_fewest(&self.ways_of(lane, band))));
        debug_assert_eq!(u32::from(open), open_ways(&self.ways_of(lane, band), digit));
        (Choice { band, digit }, part_of_ways(open.into()))
    }

    /// The choice that failed last, if its digit has still more ways than one.
    #[inline(always)]
    fn open_conflict(&self, lane: usize, conflict: Option<Choice>) -> Option<Choice> {
        let choice = conflict?;
        let [mut once, mut twice] = [0; 2];
        for digits in self.ways_of(lane, choice.band) {
            twice |= once & digits;
            once |= digits;
        }
        (twice & choice.digit != 0).then_some(choice)
    }

    /// One way of a digit of the band with fewest, both drawn; but first of the choice that failed last.
    fn choose_at_random(
        &self,
        lane: usize,
        conflict: Option<Choice>,
        random: &mut Random,
    ) -> (Choice, u32) {
        let choice = self.open_conflict(lane, conflict).unwrap_or_else(|| {
            let band = self.band_with_fewest_ways(lane);
            let best = digits_with_fewest(&self.ways_of(lane, band));
            let digit = random.bit_of(best.into()) as u16;
            Choice { band, digit }
        });
        let open = open_ways(&self.ways_of(lane, choice.band), choice.digit);
        (choice, random.bit_of(open))
    }

    #[inline(always)]
    fn band_with_fewest_ways(&self, lane: usize) -> u8 {
        let band = self.s.lanes(&self.fewest_ways)[lane] as u8 % 8;
        debug_assert!(band < 6, "a settled lane that is not solved has a choice");
        band
    }

    #[inline(always)]
    fn ways_of(&self, lane: usize, band: u8) -> [u16; 6] {
        self.ways[usize::from(band)]
            .each_ref()
            .map(|way| self.s.lanes(way)[lane])
    }

    /// Leaves a digit these of its ways; what is kept is that it goes another.
    #[inline(always)]
    fn take(&mut self, lane: usize, choice: Choice, taken: u32, kept: &mut [[u16; 6]; 6]) {
        let s = self.s;
        for band in 0..6 {
            kept[usize::from(band)] = self.ways_of(lane, band);
        }
        // Read again: a wide load of what was just written narrowly waits for it.
        let ways = self.ways_of(lane, choice.band);
        let band = usize::from(choice.band);
        for way in 0..6 {
            // Without a branch: which ways are taken cannot be foretold.
            let here = (taken as u16 >> way & 1).wrapping_neg() & choice.digit;
            s.lanes_mut(&mut self.ways[band][way])[lane] = ways[way] & !(choice.digit ^ here);
            kept[band][way] = ways[way] & !here;
        }
    }

    /// Digits that some house lacks, or that a group or a pair may not hold.
    #[inline(always)]
    fn missing(&self) -> S::V {
        let s = self.s;
        let none = s.splat(0);
        let all = s.splat(ALL_DIGITS);
        let cells = &self.cells;
        let mut missing = none;
        let mut columns = [none; 9];
        for rows in cells.as_chunks::<27>().0 {
            let mut boxes = [none; 3];
            for row in rows.as_chunks::<9>().0 {
                let mut held = none;
                for k in 0..3 {
                    let line = s.or3(row[3 * k], row[3 * k + 1], row[3 * k + 2]);
                    held = s.or(held, line);
                    boxes[k] = s.or(boxes[k], line);
                }
                missing = s.note_missing(missing, all, held);
                for c in 0..9 {
                    columns[c] = s.or(columns[c], row[c]);
                }
            }
            for held in boxes {
                missing = s.note_missing(missing, all, held);
            }
        }
        for held in columns {
            missing = s.note_missing(missing, all, held);
        }
        match &self.beyond {
            Some(beyond) => beyond.note_broken(s, cells, missing),
            None => missing,
        }
    }
}

impl<S: Counting> Board for BandBoard<S> {
    type Choice = Choice;
    type Kept = [[u16; 6]; 6];

    fn rules(&self, _lane: usize) -> &Rules {
        &self.rules
    }

    #[inline(always)]
    fn clear(&mut self, lanes: u32) {
        let s = self.s;
        let fresh = s.and(s.from_lanes(lanes), s.splat(ALL_DIGITS));
        for way in self.ways.as_flattened_mut() {
            *way = s.or(*way, fresh);
        }
        self.stale.all |= lanes;
        self.stale.cells |= lanes;
    }

    #[inline(always)]
    fn load<'a>(&mut self, lanes: u32, givens: impl Fn(usize) -> Givens<'a>) {
        let digits = |lane| nine(givens(lane)).first_chunk().expect("81 cells");
        if lanes.count_ones() < FEW {
            for lane in bits(lanes) {
                nibbles::put_one(self.s, &mut self.cells, lane, digits(lane));
            }
        } else {
            for lane in bits(lanes) {
                self.givens[lane % 32] = nibbles::packed(digits(lane));
            }
            nibbles::put(self.s, &mut self.cells, lanes, &self.givens);
        }
        self.stale.cells &= !lanes;
    }

    #[inline(always)]
    fn sweep(&mut self) -> Swept {
        let s = self.s;
        let none = s.splat(0);
        let all = s.splat(ALL_DIGITS);
        let mut notes = Notes::new(s, all);
        let mut unplaced = none;
        let stale = std::mem::take(&mut self.stale);
        let anew = s.from_lanes(stale.all);
        let stale_cells = s.and(s.from_lanes(stale.cells), all);
        take_grid(
            s,
            &mut self.cells,
            &mut self.lines,
            &mut self.hidden,
            &mut self.ways,
            stale_cells,
            &mut notes,
            &mut unplaced,
        );
        if let Some(beyond) = &self.beyond {
            notes = s.run(BeyondSweep {
                beyond,
                cells: &mut self.cells,
                told: &mut self.told,
                notes,
            });
        }
        // Of lanes that begin anew nothing is known from before.
        let unplaced = s.and_not(unplaced, anew);
        notes.contradiction = s.or(notes.contradiction, unplaced);
        let changed = s.nonzero_lanes(notes.changed);
        let contradiction = notes.contradictions(s, changed);
        let solved = !(s.nonzero_lanes(notes.unsolved) | contradiction);
        Swept {
            changed,
            contradiction,
            solved,
        }
    }

    #[inline(always)]
    fn weigh(&mut self) {
        let s = self.s;
        self.fewest_ways = s.splat(u16::MAX);
        for (band, ways) in (0..).zip(&self.ways) {
            let number = ways
                .iter()
                .fold(s.splat(0), |sum, &way| s.add(sum, s.count(way)));
            // Less than ten ways, which leave no choice, go below zero, and so are the most.
            let above_ten = s.splat(u16::wrapping_sub(band, 8 * 10));
            let weighed = s.add(s.raise(number, 3), above_ten);
            self.fewest_ways = s.min(self.fewest_ways, weighed);
        }
        // For all lanes at once: 70 instructions less a branch.
        let none = s.splat(0);
        let all = s.splat(ALL_DIGITS);
        let mut ways = [none; 6];
        for (band, of_band) in (0..).zip(&self.ways) {
            let number = s.and(self.fewest_ways, s.splat(7));
            let is_three = s.add(number, s.splat(u16::wrapping_sub(3, band)));
            let here = s.choose_if_three(is_three, all, none);
            for way in 0..6 {
                ways[way] = s.note_common(ways[way], of_band[way], here);
            }
        }
        let mut at_least = [all, none, none, none, none];
        for way in ways {
            for n in (0..4).rev() {
                at_least[n + 1] = s.note_common(at_least[n + 1], at_least[n], way);
            }
        }
        let [_, _, two, three, four] = at_least;
        let best = s.narrow_if_met(two, s.and_not(all, four));
        let best = s.narrow_if_met(best, s.and_not(all, three));
        let digit = s.and_not(best, s.without_least(best));
        let mut open = none;
        for way in 0..6 {
            let is_open = s.min(s.and(ways[way], digit), s.splat(1));
            open = s.or(open, s.raise(is_open, way as u32));
        }
        self.fewest_digit = digit;
        self.fewest_open = open;
    }

    /// Splits the ways of one digit in one band.
    #[inline(always)]
    fn branch(
        &mut self,
        lane: usize,
        conflict: Option<Choice>,
        random: Option<&mut Random>,
        kept: &mut [[u16; 6]; 6],
    ) -> Choice {
        let lane = lane & (S::LANES - 1);
        let (choice, taken) = match random {
            None => self.choose(lane, conflict),
            Some(random) => self.choose_at_random(lane, conflict, random),
        };
        self.take(lane, choice, taken, kept);
        choice
    }

    #[inline(always)]
    fn take_up(&mut self, lane: usize, kept: &[[u16; 6]; 6]) {
        for band in 0..6 {
            for way in 0..6 {
                self.s.lanes_mut(&mut self.ways[band][way])[lane & (S::LANES - 1)] =
                    kept[band][way];
            }
        }
        self.stale.all |= 1 << lane;
        self.stale.cells |= 1 << lane;
    }

    #[inline(always)]
    fn read_solutions(&mut self, lanes: u32) -> u32 {
        nibbles::read(self.s, &self.cells, lanes, &mut self.solutions);
        lanes & !self.s.nonzero_lanes(self.missing())
    }

    #[inline(always)]
    fn copy_solution(&self, lane: usize, givens: Givens<'_>, digits: &mut [u8]) -> bool {
        let (Some(given), Some(solution)) = (
            nine(givens).first_chunk(),
            self.solutions[lane].first_chunk(),
        ) else {
            return false;
        };
        digits.copy_from_slice(solution);
        // Not of the copy: wide loads wait for what was just written.
        BLOCKS.iter().all(
            #[inline(always)]
            |&first| {
                let (given, digits) = (block_at(given, first), block_at(solution, first));
                !self.s.differ(given, digits)
            },
        )
    }
}

/// The digits of a grid.
#[inline(always)]
fn nine(givens: Givens<'_>) -> &[u8] {
    match givens {
        Givens::Digits(grid) => grid,
        Givens::Candidates(_) => unreachable!("candidates have another board"),
    }
}
