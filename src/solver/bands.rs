//! The board of 9x9 grids whose 3x3 boxes stand whole: what is kept of each lane, how it branches and goes back. A sweep takes
//! bands and boxes (`boxes.rs`), then what the rules ask beyond them (`extra_constraints.rs`).

use std::sync::Arc;

use super::Givens;
use super::boxes::sweep_grid;
use super::configurations::{
    configurations_to_try_first, digits_with_fewest, least, open_configurations,
};
use super::extra_constraints::{ExtraConstraints, ExtraSweep};
use super::houses::SweepFlags;
use super::lanes::{Board, SweepResult, bits};
use super::random::Random;
use super::simd::{ALL_DIGITS, Counting};
use super::transpose::{self, ByteGrid, NibbleGrid};
use crate::puzzle::{BLOCKS, block_at};
use crate::rules::Rules;

/// The state of all lanes.
pub(crate) struct BandBoard<S: Counting> {
    s: S,
    rules: Arc<Rules>,
    extra: Option<Arc<ExtraConstraints>>,
    /// Room for what cells tell others.
    forbidden: [S::V; 81],
    /// Candidates, cell by cell along the rows.
    cells: [S::V; 81],
    /// What each minirow may hold, within a sweep.
    minirows: [S::V; 54],
    /// The digits for which the last sweep found a single spot in a box.
    hidden: [S::V; 9],
    /// For each band, rows first, the digits that may still stand in each of the six configurations. All a branch need keep:
    /// cells and minirows follow from them.
    configurations: [[S::V; 6]; 6],
    /// Of the bands in which digits have a choice of configurations, that with fewest for all nine: eight times the
    /// configurations beyond ten, and the band.
    fewest_configurations: S::V,
    /// Of the digits of that band that have a choice, the least with fewest configurations; and those configurations, a bit each.
    fewest_digit: S::V,
    fewest_open: S::V,
    /// The givens that were loaded last.
    givens: [NibbleGrid; 32],
    /// The digits of lanes that were solved.
    solutions: [ByteGrid; 32],
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
const FEW_LANES: u32 = 3;

impl<S: Counting> BandBoard<S> {
    pub fn new(s: S, extra: Option<Arc<ExtraConstraints>>, rules: Arc<Rules>) -> BandBoard<S> {
        debug_assert!(rules.has_bands());
        let all = s.splat(ALL_DIGITS);
        BandBoard {
            s,
            extra,
            forbidden: [all; 81],
            rules,
            cells: [all; 81],
            minirows: [all; 54],
            hidden: [all; 9],
            configurations: [[all; 6]; 6],
            fewest_configurations: all,
            fewest_digit: all,
            fewest_open: all,
            givens: [[[0; 8]; 3]; 32],
            solutions: [[0; 96]; 32],
            stale: Stale::default(),
        }
    }

    /// The choice that failed last if it is open here, else the digit with fewest configurations of the band with fewest; and which
    /// of its configurations to go first.
    #[inline(always)]
    fn choose(&self, lane: usize, conflict: Option<Choice>) -> (Choice, u32) {
        // Not done: both looked at, so that there is no branch to foretell. 3 to 7 % slower.
        if let Some(choice) = self.open_conflict(lane, conflict) {
            let open =
                open_configurations(&self.configurations_of(lane, choice.band), choice.digit);
            return (choice, configurations_to_try_first(open));
        }
        // Not done: a cell with two candidates first. With diagonals 21 % less time, with windows 12 % more; only where no
        // digit of the band has two configurations: branches within 3 % on every corpus.
        let band = self.band_with_fewest_configurations(lane);
        let digit = self.s.lanes(&self.fewest_digit)[lane];
        let open = self.s.lanes(&self.fewest_open)[lane];
        debug_assert_eq!(
            digit,
            least(digits_with_fewest(&self.configurations_of(lane, band)))
        );
        debug_assert_eq!(
            u32::from(open),
            open_configurations(&self.configurations_of(lane, band), digit)
        );
        (
            Choice { band, digit },
            configurations_to_try_first(open.into()),
        )
    }

    /// The choice that failed last, if its digit has still more configurations than one.
    #[inline(always)]
    fn open_conflict(&self, lane: usize, conflict: Option<Choice>) -> Option<Choice> {
        let choice = conflict?;
        let [mut once, mut twice] = [0; 2];
        for digits in self.configurations_of(lane, choice.band) {
            twice |= once & digits;
            once |= digits;
        }
        (twice & choice.digit != 0).then_some(choice)
    }

    /// One configuration of a digit of the band with fewest, both drawn; but first of the choice that failed last.
    fn choose_at_random(
        &self,
        lane: usize,
        conflict: Option<Choice>,
        random: &mut Random,
    ) -> (Choice, u32) {
        let choice = self.open_conflict(lane, conflict).unwrap_or_else(|| {
            let band = self.band_with_fewest_configurations(lane);
            let best = digits_with_fewest(&self.configurations_of(lane, band));
            let digit = random.bit_of(best.into()) as u16;
            Choice { band, digit }
        });
        let open = open_configurations(&self.configurations_of(lane, choice.band), choice.digit);
        (choice, random.bit_of(open))
    }

    #[inline(always)]
    fn band_with_fewest_configurations(&self, lane: usize) -> u8 {
        let band = self.s.lanes(&self.fewest_configurations)[lane] as u8 % 8;
        debug_assert!(band < 6, "a settled lane that is not solved has a choice");
        band
    }

    #[inline(always)]
    fn configurations_of(&self, lane: usize, band: u8) -> [u16; 6] {
        self.configurations[usize::from(band)]
            .each_ref()
            .map(|configuration| self.s.lanes(configuration)[lane])
    }

    /// Leaves a digit these of its configurations; what is kept is that it goes another.
    #[inline(always)]
    fn split(&mut self, lane: usize, choice: Choice, taken: u32, saved: &mut [[u16; 6]; 6]) {
        let s = self.s;
        for band in 0..6 {
            saved[usize::from(band)] = self.configurations_of(lane, band);
        }
        // Read again: a wide load of what was just written narrowly waits for it.
        let configurations = self.configurations_of(lane, choice.band);
        let band = usize::from(choice.band);
        for i in 0..6 {
            // Without a branch: which configurations are taken cannot be foretold.
            let here = (taken as u16 >> i & 1).wrapping_neg() & choice.digit;
            s.lanes_mut(&mut self.configurations[band][i])[lane] =
                configurations[i] & !(choice.digit ^ here);
            saved[band][i] = configurations[i] & !here;
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
                    let minirow = s.or3(row[3 * k], row[3 * k + 1], row[3 * k + 2]);
                    held = s.or(held, minirow);
                    boxes[k] = s.or(boxes[k], minirow);
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
        match &self.extra {
            Some(extra) => extra.note_broken(s, cells, missing),
            None => missing,
        }
    }
}

impl<S: Counting> Board for BandBoard<S> {
    type Choice = Choice;
    type Saved = [[u16; 6]; 6];

    fn rules(&self, _lane: usize) -> &Rules {
        &self.rules
    }

    #[inline(always)]
    fn clear(&mut self, lanes: u32) {
        let s = self.s;
        let fresh = s.and(s.from_lanes(lanes), s.splat(ALL_DIGITS));
        for configuration in self.configurations.as_flattened_mut() {
            *configuration = s.or(*configuration, fresh);
        }
        self.stale.all |= lanes;
        self.stale.cells |= lanes;
    }

    #[inline(always)]
    fn load<'a>(&mut self, lanes: u32, givens: impl Fn(usize) -> Givens<'a>) {
        let digits = |lane| digits_of(givens(lane)).first_chunk().expect("81 cells");
        if lanes.count_ones() < FEW_LANES {
            for lane in bits(lanes) {
                transpose::load_lane(self.s, &mut self.cells, lane, digits(lane));
            }
        } else {
            for lane in bits(lanes) {
                self.givens[lane % 32] = transpose::to_nibbles(digits(lane));
            }
            transpose::load_lanes(self.s, &mut self.cells, lanes, &self.givens);
        }
        self.stale.cells &= !lanes;
    }

    #[inline(always)]
    fn sweep(&mut self) -> SweepResult {
        let s = self.s;
        let none = s.splat(0);
        let all = s.splat(ALL_DIGITS);
        let mut flags = SweepFlags::new(s, all);
        let mut unplaced = none;
        let stale = std::mem::take(&mut self.stale);
        let anew = s.from_lanes(stale.all);
        let stale_cells = s.and(s.from_lanes(stale.cells), all);
        sweep_grid(
            s,
            &mut self.cells,
            &mut self.minirows,
            &mut self.hidden,
            &mut self.configurations,
            stale_cells,
            &mut flags,
            &mut unplaced,
        );
        if let Some(extra) = &self.extra {
            flags = s.run(ExtraSweep {
                extra,
                cells: &mut self.cells,
                forbidden: &mut self.forbidden,
                flags,
            });
        }
        // Of lanes that begin anew nothing is known from before.
        let unplaced = s.and_not(unplaced, anew);
        flags.contradiction = s.or(flags.contradiction, unplaced);
        let changed = s.nonzero_lanes(flags.changed);
        let contradiction = flags.contradictions(s, changed);
        let solved = !(s.nonzero_lanes(flags.unsolved) | contradiction);
        SweepResult {
            changed,
            contradiction,
            solved,
        }
    }

    #[inline(always)]
    fn prepare_branches(&mut self) {
        let s = self.s;
        self.fewest_configurations = s.splat(u16::MAX);
        for (band, configurations) in (0..).zip(&self.configurations) {
            let number = configurations
                .iter()
                .fold(s.splat(0), |sum, &configuration| {
                    s.add(sum, s.count(configuration))
                });
            // Less than ten configurations, which leave no choice, go below zero, and so are the most.
            let above_ten = s.splat(u16::wrapping_sub(band, 8 * 10));
            let weighed = s.add(s.shift_left(number, 3), above_ten);
            self.fewest_configurations = s.min(self.fewest_configurations, weighed);
        }
        // For all lanes at once: 70 instructions less a branch.
        let none = s.splat(0);
        let all = s.splat(ALL_DIGITS);
        let mut configurations = [none; 6];
        for (band, of_band) in (0..).zip(&self.configurations) {
            let number = s.and(self.fewest_configurations, s.splat(7));
            let is_three = s.add(number, s.splat(u16::wrapping_sub(3, band)));
            let here = s.choose_if_three(is_three, all, none);
            for i in 0..6 {
                configurations[i] = s.note_common(configurations[i], of_band[i], here);
            }
        }
        let mut at_least = [all, none, none, none, none];
        for configuration in configurations {
            for n in (0..4).rev() {
                at_least[n + 1] = s.note_common(at_least[n + 1], at_least[n], configuration);
            }
        }
        let [_, _, two, three, four] = at_least;
        let best = s.narrow_if_met(two, s.and_not(all, four));
        let best = s.narrow_if_met(best, s.and_not(all, three));
        let digit = s.and_not(best, s.without_least(best));
        let mut open = none;
        for i in 0..6 {
            let is_open = s.min(s.and(configurations[i], digit), s.splat(1));
            open = s.or(open, s.shift_left(is_open, i as u32));
        }
        self.fewest_digit = digit;
        self.fewest_open = open;
    }

    /// Splits the configurations of one digit in one band.
    #[inline(always)]
    fn branch(
        &mut self,
        lane: usize,
        conflict: Option<Choice>,
        random: Option<&mut Random>,
        saved: &mut [[u16; 6]; 6],
    ) -> Choice {
        let lane = lane & (S::LANES - 1);
        let (choice, taken) = match random {
            None => self.choose(lane, conflict),
            Some(random) => self.choose_at_random(lane, conflict, random),
        };
        self.split(lane, choice, taken, saved);
        choice
    }

    #[inline(always)]
    fn restore(&mut self, lane: usize, saved: &[[u16; 6]; 6]) {
        for band in 0..6 {
            for i in 0..6 {
                self.s.lanes_mut(&mut self.configurations[band][i])[lane & (S::LANES - 1)] =
                    saved[band][i];
            }
        }
        self.stale.all |= 1 << lane;
        self.stale.cells |= 1 << lane;
    }

    #[inline(always)]
    fn read_solutions(&mut self, lanes: u32) -> u32 {
        transpose::read_lanes(self.s, &self.cells, lanes, &mut self.solutions);
        lanes & !self.s.nonzero_lanes(self.missing())
    }

    #[inline(always)]
    fn copy_solution(&self, lane: usize, givens: Givens<'_>, digits: &mut [u8]) -> bool {
        let (Some(given), Some(solution)) = (
            digits_of(givens).first_chunk(),
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
fn digits_of(givens: Givens<'_>) -> &[u8] {
    match givens {
        Givens::Digits(grid) => grid,
        Givens::Candidates(_) => unreachable!("candidates have another board"),
    }
}
