//! The region board: keeps the state of all lanes, branches, restores saved states, and reads
//! solutions.

use std::ops::ControlFlow;
use std::sync::Arc;

use super::branching;
use super::per_lane::PerLaneRegions;
use super::plan::RegionPlan;
use super::shared::SharedRegions;
use crate::bits::bits;
use crate::puzzle::Givens;
use crate::random::Random;
use crate::rules::{MAX_SIDE, Rules};
use crate::solver::constraints::houses::{CONSECUTIVE_BITS, SweepFlags};
use crate::solver::lanes::Work;
use crate::solver::lanes::board::{Board, SweepResult};
use crate::solver::lanes::counting::OpenState;
use crate::solver::simd::{Lane, Simd, SimdJob};

pub(crate) enum RegionRules<'a> {
    Shared(Arc<Rules>, Arc<RegionPlan>),
    /// The rules of each puzzle, which differ at most in their jigsaw regions.
    Each(&'a [Arc<Rules>]),
}

impl SimdJob for Work<'_, RegionRules<'_>> {
    type Answer = ControlFlow<()>;

    #[inline(always)]
    fn run<S: Simd>(self, s: S) -> ControlFlow<()> {
        self.solve(s, RegionBoard::new)
    }
}

enum Regions<'a, S: Simd> {
    Shared(SharedRegions<S>),
    PerLane(PerLaneRegions<'a, S>),
}

/// Digit d is bit d-1.
pub(crate) struct RegionBoard<'a, S: Simd> {
    s: S,
    plan: Arc<RegionPlan>,
    regions: Regions<'a, S>,
    /// Candidates by position, followed by `MAX_SIDE` unused vectors, so that `SharedRegions` can
    /// borrow an array of `MAX_SIDE` vectors that begins at the first cell of any region.
    cells: Vec<S::V>,
    /// Scratch: the digits that each cell forbids to the cells it forms pairs with.
    forbidden: Vec<S::V>,
    /// Lanes loaded, restored or branched since the last sweep. The next sweep ignores earlier
    /// results in these lanes, and reports the lanes as changed.
    stale: u32,
}

impl<'a, S: Simd> RegionBoard<'a, S> {
    #[inline(always)]
    fn new(s: S, rules: RegionRules<'a>) -> RegionBoard<'a, S> {
        let (plan, regions) = match rules {
            RegionRules::Shared(rules, plan) => {
                let regions = SharedRegions::new(s, &plan, rules);
                (plan, Regions::Shared(regions))
            }
            RegionRules::Each(rules) => {
                let regions = PerLaneRegions::new(s, rules);
                let plan = Arc::new(RegionPlan::by_rows(&rules[0]));
                (plan, Regions::PerLane(regions))
            }
        };
        let all = s.splat(S::Lane::from_digits(plan.every_digit));
        let number = plan.cell_at.len();
        RegionBoard {
            s,
            plan,
            regions,
            cells: vec![all; number + MAX_SIDE],
            forbidden: vec![all; number],
            stale: 0,
        }
    }

    #[inline(always)]
    fn set_lane(&mut self, position: usize, lane: usize, set: u32) {
        debug_assert!(set & !self.plan.every_digit == 0);
        self.s.lanes_mut(&mut self.cells[position])[lane] = S::Lane::from_digits(set);
    }

    #[inline(always)]
    fn save(&self, lane: usize, saved: &mut Vec<S::Lane>) {
        debug_assert!(lane < S::LANES);
        // Does not change the index, but removes the bounds checks below.
        let lane = lane & (S::LANES - 1);
        saved.resize(self.plan.cell_at.len(), S::Lane::from_digits(0));
        for (saved, sets) in saved.iter_mut().zip(&self.cells) {
            *saved = self.s.lanes(sets)[lane];
        }
    }

    #[inline(always)]
    fn sweep_once(&mut self, s: S) -> SweepResult {
        let every_digit = s.splat(S::Lane::from_digits(self.plan.every_digit));
        let mut flags = SweepFlags::new(s, every_digit);
        let stale = std::mem::take(&mut self.stale);
        let stale_lanes = s.from_lanes(stale);
        let cells = &mut self.cells;
        match &mut self.regions {
            Regions::Shared(regions) => regions.sweep(cells, stale_lanes, &mut flags),
            Regions::PerLane(regions) => regions.sweep(cells, stale_lanes, &mut flags),
        }
        let (cells, forbidden) = (&mut cells[..self.plan.cell_at.len()], &mut self.forbidden);
        let listed = &self.plan.listed;
        listed.sweep::<S, CONSECUTIVE_BITS>(cells, forbidden, &mut flags);
        let changed = s.nonzero_lanes(flags.changed) | stale;
        let contradiction = flags.contradictions(changed);
        // In a solved lane, every digit of every region is a naked single. An unplaced hidden
        // single changes the lane or is a contradiction.
        let solved = !(s.nonzero_lanes(flags.unsolved) | changed | contradiction);
        SweepResult { changed, contradiction, solved }
    }
}

impl<S: Simd> Board for RegionBoard<'_, S> {
    // A saved state lacks the candidate of its branch, so no later branch can make the same choice.
    type Choice = ();
    type Saved = Vec<S::Lane>;

    #[inline(always)]
    fn rules(&self, lane: usize) -> &Rules {
        match &self.regions {
            Regions::Shared(regions) => &regions.rules,
            Regions::PerLane(regions) => regions.rules(lane),
        }
    }

    #[inline(always)]
    fn assign(&mut self, lane: usize, index: usize, _givens: Givens<'_>) {
        if let Regions::PerLane(regions) = &mut self.regions {
            regions.assign(lane, index);
        }
    }

    #[inline(always)]
    fn load<'a>(&mut self, lanes: u32, givens: impl Fn(usize) -> Givens<'a>) {
        self.stale |= lanes;
        let plan = Arc::clone(&self.plan);
        for lane in bits(lanes) {
            let givens = givens(lane);
            for (position, &cell) in plan.cell_at.iter().enumerate() {
                let set = givens.candidates(usize::from(cell), plan.every_digit);
                self.set_lane(position, lane, set);
            }
        }
    }

    #[inline(always)]
    fn sweep(&mut self) -> SweepResult {
        // `run` compiles the sweep as a function of its own: compiled together with the search, it
        // would make the build of the whole program take a fifth longer.
        self.s.run(
            #[inline(always)]
            |s| self.sweep_once(s),
        )
    }

    #[inline(always)]
    fn branch(
        &mut self,
        lane: usize,
        _conflict: Option<()>,
        random: Option<&mut Random>,
        saved: &mut Vec<S::Lane>,
    ) {
        self.save(lane, saved);
        let position_of = |cell: usize| usize::from(self.plan.position_of[cell]);
        let rules = self.rules(lane);
        let candidate = branching::branch(rules, saved, position_of, random);
        let position = position_of(candidate.cell);
        self.set_lane(position, lane, candidate.digit);
        self.stale |= 1 << lane;
    }

    #[inline(always)]
    fn restore(&mut self, lane: usize, saved: &Vec<S::Lane>) {
        debug_assert_eq!(saved.len(), self.plan.cell_at.len());
        debug_assert!(lane < S::LANES);
        let lane = lane & (S::LANES - 1);
        for (cell, &set) in self.cells.iter_mut().zip(saved) {
            self.s.lanes_mut(cell)[lane] = set;
        }
        self.stale |= 1 << lane;
    }

    #[inline(always)]
    fn describe_open(&self, lane: usize, open: &mut OpenState) -> bool {
        let rules = self.rules(lane);
        // If a jigsaw also has boxes, the singles of the boxes are not swept, only their crossings
        // and common peers (`ListedConstraints::new`). An open cell could then keep a digit that a
        // solved cell of its box holds, so equal open cells do not ensure equally many solutions.
        if !rules.boxes().is_empty() && !rules.jigsaw_regions().is_empty() {
            return false;
        }
        let cells = &self.cells[..self.plan.cell_at.len()];
        let open_digits = |cell: &S::V| {
            let set: u32 = self.s.lanes(cell)[lane].into();
            if set.is_power_of_two() { 0 } else { set }
        };
        for cells in cells.chunks(2) {
            open.push_two([open_digits(&cells[0]), cells.get(1).map_or(0, open_digits)]);
        }
        true
    }

    #[inline(always)]
    fn copy_solution(&self, lane: usize, givens: Givens<'_>, digits: &mut [u8]) -> bool {
        debug_assert_eq!(digits.len(), self.plan.cell_at.len());
        for (&cell, sets) in self.plan.cell_at.iter().zip(&self.cells) {
            let set: u32 = self.s.lanes(sets)[lane].into();
            debug_assert!(set.is_power_of_two());
            digits[usize::from(cell)] = set.trailing_zeros() as u8 + 1;
        }
        self.rules(lane).hold_for(digits) && givens.are_kept_by(digits)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::puzzle::Puzzles;
    use crate::rules::{Shape, Variants};
    use crate::solver::{Level, Limits, Method, Progress, Solver};

    /// Two jigsaw layouts of side 6.
    const LAYOUTS: [&[u8]; 2] =
        [b"AAABBBAAABBBCCCDDDCCCDDDEEEFFFEEEFFF", b"AAAABBACCBBBACCDDBECCDDFEEDDFFEEEFFF"];
    const LAYOUT_OF_NINE: &[u8] =
        b"AABBBBBCCAAABDBBCCEAABDFFFCEEAADFFCCEEEDDFFCCEEDDDDFFGEHHHIIGGGHHIIIIIIGHHHHIGGGG";

    fn rules(side: usize, labels: Option<&[u8]>, variants: &str) -> Arc<Rules> {
        let variants: Variants = variants.parse().unwrap();
        let shape = match labels {
            Some(labels) => Shape::regions(labels, false),
            None => Shape::boxes_of(side).unwrap(),
        };
        Arc::new(Rules::new(side, shape, &variants).unwrap())
    }

    /// Returns random grids that obey the rules.
    fn random_solutions(rules: &Arc<Rules>, number: usize) -> Vec<Vec<u8>> {
        let limits = Limits { solutions: 1, ..Limits::default() };
        let blank = vec![0; number * rules.cells()];
        let seeds: Vec<u64> = (0..number as u64).collect();
        let puzzles = Puzzles { seeds: &seeds, ..Puzzles::of_digits(&blank) };
        let mut solutions = vec![Vec::new(); number];
        let solver = Solver::new(rules.clone(), Method::Lanes);
        let _ = solver.solve(puzzles, limits, &mut |progress| {
            if let Progress::Found(index, found) = progress {
                solutions[index] = found.solution.expect("a grid").to_vec();
            }
            ControlFlow::Continue(())
        });
        for solution in &solutions {
            assert!(rules.hold_for(solution));
        }
        solutions
    }

    /// Returns candidates for each cell: its digit in a solution, and each other digit with a
    /// probability that is random for the whole grid.
    fn candidates_around(solution: &[u8], side: usize, random: &mut Random) -> Vec<u32> {
        let one_in = 1 + random.below(2 * side as u32);
        let around = |&digit: &u8| {
            let others = (0..side).filter(|_| random.below(one_in) == 0);
            1 << (digit - 1) | others.fold(0, |set, bit| set | 1 << bit)
        };
        solution.iter().map(around).collect()
    }

    fn candidates_of<S: Simd>(board: &RegionBoard<'_, S>, lane: usize, cell: usize) -> u32 {
        let position = usize::from(board.plan.position_of[cell]);
        board.s.lanes(&board.cells[position])[lane].into()
    }

    fn shared<S: Simd>(s: S, rules: &Arc<Rules>) -> RegionBoard<'static, S> {
        let plan = Arc::new(RegionPlan::by_regions(rules));
        RegionBoard::new(s, RegionRules::Shared(rules.clone(), plan))
    }

    fn every_lane<S: Simd>() -> u32 {
        u32::MAX >> (32 - S::LANES)
    }

    /// Sweeps once. Returns the result for the lanes that exist.
    // Never inlined, because sweeps take long to compile.
    #[inline(never)]
    fn sweep<S: Simd>(board: &mut RegionBoard<'_, S>) -> SweepResult {
        let result = board.sweep();
        SweepResult {
            changed: result.changed & every_lane::<S>(),
            contradiction: result.contradiction & every_lane::<S>(),
            solved: result.solved & every_lane::<S>(),
        }
    }

    /// Loads one grid of candidates into each lane.
    fn load<S: Simd>(board: &mut RegionBoard<'_, S>, candidates: &[Vec<u32>]) {
        board.load(every_lane::<S>(), |lane| Givens::Candidates(&candidates[lane]));
    }

    fn at_each_level<J: SimdJob<Answer = ControlFlow<()>> + Copy>(side: usize, job: J) {
        for level in Level::NAMES.iter().filter_map(|name| Level::named(name)) {
            let _ = level.run(side, job);
        }
    }

    /// Sweeps grids of candidates around known solutions until nothing changes.
    #[derive(Clone, Copy)]
    struct SweepsAroundSolutions<'a>(&'a Arc<Rules>, &'a [Vec<u8>]);

    impl SimdJob for SweepsAroundSolutions<'_> {
        type Answer = ControlFlow<()>;

        fn run<S: Simd>(self, s: S) -> ControlFlow<()> {
            let SweepsAroundSolutions(rules, solutions) = self;
            let mut random = Random::new(5);
            let mut board = shared(s, rules);
            let (mut removed, mut solved) = (0, 0);
            for _ in 0..12 {
                let lanes: Vec<&Vec<u8>> = (0..S::LANES)
                    .map(|_| &solutions[random.below(solutions.len() as u32) as usize])
                    .collect();
                let candidates = lanes
                    .iter()
                    .map(|solution| candidates_around(solution, rules.side(), &mut random));
                let candidates: Vec<Vec<u32>> = candidates.collect();
                load(&mut board, &candidates);
                loop {
                    let result = sweep(&mut board);
                    assert_eq!(result.contradiction, 0);
                    for (lane, solution) in lanes.iter().enumerate() {
                        let is_solved = result.solved >> lane & 1 == 1;
                        for (cell, digit) in solution.iter().enumerate() {
                            let left = candidates_of(&board, lane, cell);
                            assert!(left >> (digit - 1) & 1 == 1, "cell {cell}: {left:b}");
                            assert_eq!(left & !candidates[lane][cell], 0, "cell {cell}");
                            assert!(!is_solved || left.is_power_of_two(), "cell {cell}");
                            removed += u32::from(left != candidates[lane][cell]);
                        }
                    }
                    if result.changed == 0 {
                        solved += result.solved.count_ones();
                        break;
                    }
                }
            }
            assert!(removed > 0 && solved > 0, "{removed} {solved}");
            ControlFlow::Continue(())
        }
    }

    #[test]
    fn no_sweep_removes_a_digit_of_a_solution() {
        for (side, labels, variants) in [
            (4, None, "diagonal"),
            (6, None, "nonconsecutive"),
            (6, Some(LAYOUTS[1]), "jigsaw"),
            (9, None, "antiknight,window"),
            (9, Some(LAYOUT_OF_NINE), "jigsaw"),
            (16, None, "classic"),
            (18, None, "classic"),
        ] {
            let rules = rules(side, labels, variants);
            let solutions = random_solutions(&rules, 8);
            at_each_level(side, SweepsAroundSolutions(&rules, &solutions));
        }
    }

    /// Sweeps the same candidates on a board whose lanes alternate between two layouts, and on one
    /// board for each layout.
    #[derive(Clone, Copy)]
    struct SweepsOnBothBoards<'a>(&'a [Arc<Rules>; 2]);

    impl SimdJob for SweepsOnBothBoards<'_> {
        type Answer = ControlFlow<()>;

        fn run<S: Simd>(self, s: S) -> ControlFlow<()> {
            let SweepsOnBothBoards(layouts) = self;
            let (side, cells) = (layouts[0].side(), layouts[0].cells());
            let mut random = Random::new(9);
            let mut mixed = RegionBoard::new(s, RegionRules::Each(layouts));
            let mut own = layouts.each_ref().map(|rules| shared(s, rules));
            let mut contradictions = 0;
            for round in 0..40 {
                let layout_of = |lane: usize| (lane + round) % 2;
                let one_in = 2 + random.below(2 * side as u32);
                let mut candidates = || {
                    (0..side).fold(0, |set, bit| set | u32::from(random.below(one_in) != 0) << bit)
                };
                let candidates: Vec<Vec<u32>> =
                    (0..S::LANES).map(|_| (0..cells).map(|_| candidates()).collect()).collect();
                for lane in 0..S::LANES {
                    mixed.assign(lane, layout_of(lane), Givens::Digits(&[]));
                }
                load(&mut mixed, &candidates);
                for board in &mut own {
                    load(board, &candidates);
                }
                for _ in 0..20 {
                    let result = sweep(&mut mixed);
                    let expected = own.each_mut().map(sweep);
                    for lane in 0..S::LANES {
                        let outcome = |result: &SweepResult| {
                            [result.changed, result.contradiction, result.solved]
                                .map(|lanes| lanes >> lane & 1)
                        };
                        assert_eq!(outcome(&result), outcome(&expected[layout_of(lane)]), "{lane}");
                        for cell in 0..cells {
                            let expected = candidates_of(&own[layout_of(lane)], lane, cell);
                            assert_eq!(candidates_of(&mixed, lane, cell), expected, "{cell}");
                        }
                    }
                    contradictions += result.contradiction.count_ones();
                }
            }
            assert!(contradictions > 0);
            ControlFlow::Continue(())
        }
    }

    #[test]
    fn a_layout_in_each_lane_sweeps_like_a_layout_that_all_lanes_share() {
        let second_of_nine: Vec<u8> =
            (0..81).map(|cell| LAYOUT_OF_NINE[cell % 9 * 9 + cell / 9]).collect();
        let nine = [LAYOUT_OF_NINE, &second_of_nine];
        for (layouts, variants) in [
            (LAYOUTS, "jigsaw"),
            (LAYOUTS, "jigsaw,diagonal"),
            (nine, "jigsaw"),
            (nine, "jigsaw,window"),
        ] {
            let side = layouts[0].len().isqrt();
            let layouts = layouts.map(|labels| rules(side, Some(labels), variants));
            at_each_level(side, SweepsOnBothBoards(&layouts));
        }
    }
}
