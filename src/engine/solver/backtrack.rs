//! Backtracking without deductions (`--method backtrack`), in the order of the cells. Tests compare
//! the lanes with it.

use std::ops::ControlFlow;

use super::learning::SearchTask;
use super::limits::{Limits, Report, Searched};
use super::record::SearchRecord;
use crate::puzzle::{Givens, Puzzles};
use crate::random::{Random, first_bit};
use crate::rules::{Cage, Relation, Rules, extreme_sums};

#[derive(Debug)]
pub struct Backtrack<'a> {
    rules: &'a Rules,
    /// Indices in `PartialGrid::held`.
    houses_of: Vec<Vec<u16>>,
    cage_of: Vec<Option<usize>>,
    pairs_of: Vec<Vec<(u16, Relation)>>,
    limits: Limits,
}

/// Several hundred microseconds in a 9x9.
const GUESSES_PER_REPORT: u64 = 4096;

struct BacktrackSearch<'a, 'b> {
    backtrack: &'a Backtrack<'a>,
    record: SearchRecord<'a>,
    report: Report<'b>,
    random: Option<Random>,
}

#[derive(PartialEq, Eq)]
enum SearchEnd {
    LimitReached,
    Stopped,
}

impl<'a> Backtrack<'a> {
    pub fn new(rules: &'a Rules, limits: Limits) -> Backtrack<'a> {
        let mut pairs_of = vec![Vec::new(); rules.cells()];
        for pair in rules.pairs() {
            let [a, b] = pair.cells;
            pairs_of[usize::from(a)].push((b, pair.relation));
            pairs_of[usize::from(b)].push((a, pair.relation));
        }
        Backtrack {
            rules,
            houses_of: rules.houses_of_cells(),
            cage_of: rules.cage_of_cells(),
            pairs_of,
            limits,
        }
    }

    pub fn solve(&self, puzzles: Puzzles<'_>, report: Report<'_>) -> ControlFlow<()> {
        let cells = self.rules.cells();
        for index in 0..puzzles.number(cells) {
            let task = SearchTask::new(self.rules, puzzles, index, self.limits);
            let mut search = BacktrackSearch {
                backtrack: self,
                record: SearchRecord::new(self.rules, task, self.limits),
                report,
                random: task.seed.map(Random::new),
            };
            let searched = match search.run() {
                ControlFlow::Continue(()) => Searched::Everything,
                ControlFlow::Break(SearchEnd::LimitReached) => Searched::Part,
                ControlFlow::Break(SearchEnd::Stopped) => return ControlFlow::Break(()),
            };
            search.record.report_result(searched, report)?;
        }
        ControlFlow::Continue(())
    }
}

impl BacktrackSearch<'_, '_> {
    fn run(&mut self) -> ControlFlow<SearchEnd> {
        let Some(mut grid) = PartialGrid::new(self.backtrack, self.record.task.givens) else {
            return ControlFlow::Continue(());
        };
        let blanks = grid.blanks();
        self.fill(&mut grid, &blanks)
    }

    fn fill(&mut self, grid: &mut PartialGrid<'_>, blanks: &[usize]) -> ControlFlow<SearchEnd> {
        let Some((&cell, others)) = blanks.split_first() else {
            return self.record_solution(&grid.digits);
        };
        let mut untried = grid.candidates(cell);
        while untried != 0 {
            if untried.count_ones() > 1 {
                self.guess()?;
            }
            let first = first_bit(self.random.as_mut(), untried);
            let digit = first.trailing_zeros() as u8 + 1;
            untried &= !bit(digit);
            grid.place(cell, digit);
            self.fill(grid, others)?;
            grid.unplace(cell);
        }
        ControlFlow::Continue(())
    }

    /// A guess is a digit that is not the last untried one of its cell.
    fn guess(&mut self) -> ControlFlow<SearchEnd> {
        if self.record.guesses >= self.record.task.max_guesses {
            return ControlFlow::Break(SearchEnd::LimitReached);
        }
        let counted = self.record.count_guess(GUESSES_PER_REPORT, self.report);
        end_if(counted.map_continue(|searched| searched.is_some()))
    }

    fn record_solution(&mut self, digits: &[u8]) -> ControlFlow<SearchEnd> {
        end_if(self.record.record_solution(digits, self.report))
    }
}

fn end_if(limit_reached: ControlFlow<(), bool>) -> ControlFlow<SearchEnd> {
    match limit_reached {
        ControlFlow::Continue(false) => ControlFlow::Continue(()),
        ControlFlow::Continue(true) => ControlFlow::Break(SearchEnd::LimitReached),
        ControlFlow::Break(()) => ControlFlow::Break(SearchEnd::Stopped),
    }
}

struct PartialGrid<'a> {
    tables: &'a Backtrack<'a>,
    givens: Givens<'a>,
    /// 0 is a blank cell.
    digits: Vec<u8>,
    /// The digits of each house, group and cage: bit d-1 for digit d.
    held: Vec<u32>,
}

impl<'a> PartialGrid<'a> {
    /// With pencilmarks, cells with one candidate are givens. Returns `None` if a given is
    /// not a candidate when it is placed, or if a cell has no pencilmarks.
    fn new(tables: &'a Backtrack<'_>, givens: Givens<'a>) -> Option<PartialGrid<'a>> {
        let rules = tables.rules;
        let every_digit = (1 << rules.side()) - 1;
        let mut grid = PartialGrid {
            tables,
            givens,
            digits: vec![0; rules.cells()],
            held: vec![0; rules.houses().len() + rules.groups_and_cages().count()],
        };
        for cell in 0..rules.cells() {
            let allowed = givens.candidates(cell, every_digit);
            if allowed.count_ones() < 2 {
                if grid.candidates(cell) == 0 {
                    return None;
                }
                grid.place(cell, allowed.trailing_zeros() as u8 + 1);
            }
        }
        Some(grid)
    }

    fn blanks(&self) -> Vec<usize> {
        let cells = 0..self.digits.len();
        cells.filter(|&cell| self.digits[cell] == 0).collect()
    }

    fn candidates(&self, cell: usize) -> u32 {
        let houses = self.tables.houses_of[cell].iter();
        let held = houses.fold(0, |held, &house| held | self.held[usize::from(house)]);
        let open = self.givens.candidates(cell, u32::MAX) & !held;
        let digits = (1..=self.tables.rules.side() as u8)
            .filter(|&digit| open & bit(digit) != 0 && self.can_hold(cell, digit));
        digits.fold(0, |digits, digit| digits | bit(digit))
    }

    fn can_hold(&self, cell: usize, digit: u8) -> bool {
        let tables = self.tables;
        let is_allowed = |&(other, relation): &(u16, Relation)| {
            let held = self.digits[usize::from(other)];
            held == 0 || !relation.forbids(held, digit)
        };
        let cage = tables.cage_of[cell].map(|cage| &tables.rules.cages()[cage]);
        tables.pairs_of[cell].iter().all(is_allowed)
            && cage.is_none_or(|cage| self.can_complete(cage, digit))
            && self.keeps_stated_rules(cell, digit)
    }

    /// Slow and plain: all stated rules are checked again for each digit.
    fn keeps_stated_rules(&self, cell: usize, digit: u8) -> bool {
        self.tables.rules.stated().is_none_or(|stated| {
            let mut digits = self.digits.clone();
            digits[cell] = digit;
            stated.fault(&digits).is_none()
        })
    }

    /// Returns true if the cage has no sum, or can reach it with `digit` in a blank cell and
    /// different digits in the others. These can equal `digit` and the digits that the cage holds.
    fn can_complete(&self, cage: &Cage, digit: u8) -> bool {
        let cells = cage.cells().iter();
        let digits = cells.map(|&cell| self.digits[usize::from(cell)]);
        let blanks = digits.clone().filter(|&digit| digit == 0).count();
        let so_far = usize::from(digit) + digits.map(usize::from).sum::<usize>();
        let [least, most] = extreme_sums(blanks - 1, self.tables.rules.side());
        let sums = so_far + least..=so_far + most;
        cage.sum.is_none_or(|sum| sums.contains(&sum.into()))
    }

    /// The digit must be a candidate.
    fn place(&mut self, cell: usize, digit: u8) {
        self.digits[cell] = digit;
        for &house in &self.tables.houses_of[cell] {
            self.held[usize::from(house)] |= bit(digit);
        }
    }

    fn unplace(&mut self, cell: usize) {
        for &house in &self.tables.houses_of[cell] {
            self.held[usize::from(house)] &= !bit(self.digits[cell]);
        }
        self.digits[cell] = 0;
    }
}

fn bit(digit: u8) -> u32 {
    1 << (digit - 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::{Shape, Variants};
    use crate::solver::limits::Progress;
    use crate::verdict::Status;

    fn answers(
        side: usize,
        variants: &str,
        grids: &[u8],
        max_guesses: u64,
    ) -> Vec<(Status, Option<Vec<u8>>, u64)> {
        let rules = Rules::new(
            side,
            Shape::boxes_of(side).unwrap(),
            &variants.parse::<Variants>().unwrap(),
        )
        .unwrap();
        let mut answers = Vec::new();
        let limits = Limits::default().with_max_guesses(max_guesses);
        let _ = Backtrack::new(&rules, limits).solve(Puzzles::of_digits(grids), &mut |progress| {
            let Progress::Found(index, found) = progress else {
                return ControlFlow::Continue(());
            };
            assert_eq!(index, answers.len());
            answers.push((found.status, found.solution.map(<[u8]>::to_vec), found.guesses));
            ControlFlow::Continue(())
        });
        answers
    }

    #[test]
    fn killers_have_the_grids_that_keep_their_cages() {
        let rules = Rules::new(4, Shape::boxes_of(4).unwrap(), &Variants::default()).unwrap();
        let count_solutions = |rules: &Rules, on_solution: &mut dyn FnMut(&[u8])| {
            let backtrack = Backtrack::new(rules, Limits::NONE);
            let _ = backtrack.solve(Puzzles::of_digits(&[0; 16]), &mut |progress| {
                if let Progress::Solution(_, grid) = progress {
                    on_solution(grid);
                }
                ControlFlow::Continue(())
            });
        };
        let mut grids = Vec::new();
        count_solutions(&rules, &mut |grid| grids.push(grid.to_vec()));
        assert_eq!(grids.len(), 288);
        let mut random = Random::new(4);
        let mut seen = [false; 3];
        for _ in 0..300 {
            // A cage of connected or scattered cells, with a sum that some digits have.
            let number = 1 + random.below(4) as u16;
            let first = random.below(u32::from(16 - number)) as u16;
            let step = 1 + random.below(u32::from((16 - first) / number)) as u16;
            let cells = (0..number).map(|index| (first + index * step).min(15));
            let cells: Vec<u16> = cells.collect();
            if !cells.is_sorted_by(|a, b| a < b) {
                continue;
            }
            let sum = number * (number + 1) / 2
                + random.below(u32::from(number * (4 - number)) + 1) as u16;
            let cage = Cage::new(4, cells.clone(), Some(sum).filter(|sum| !sum.is_multiple_of(5)))
                .unwrap();
            let keeps_cage = |grid: &&Vec<u8>| {
                let mut digits: Vec<u8> =
                    cells.iter().map(|&cell| grid[usize::from(cell)]).collect();
                let total: u16 = digits.iter().map(|&digit| u16::from(digit)).sum();
                digits.sort_unstable();
                digits.is_sorted_by(|a, b| a < b) && cage.sum.is_none_or(|sum| sum == total)
            };
            let expected: Vec<&Vec<u8>> = grids.iter().filter(keeps_cage).collect();
            let killer = rules.with_cages(vec![cage.clone()]).unwrap();
            let mut found = Vec::new();
            count_solutions(&killer, &mut |grid| found.push(grid.to_vec()));
            assert!(found.iter().eq(expected), "{cage:?}");
            seen[found.len().min(2)] = true;
        }
        assert!(seen[0] && seen[2], "{seen:?}");
    }

    /// Counts all solutions by trying every digit in every cell: the reference for the search.
    fn count(rules: &Rules, grid: &mut Vec<u8>, from: usize) -> usize {
        let Some(cell) = (from..grid.len()).find(|&cell| grid[cell] == 0) else {
            return 1;
        };
        let mut solutions = 0;
        for digit in 1..=rules.side() as u8 {
            let mut houses =
                rules.houses().iter().filter(|house| house.cells.contains(&(cell as u16)));
            if houses
                .all(|house| house.cells.iter().all(|&other| grid[usize::from(other)] != digit))
            {
                grid[cell] = digit;
                solutions += count(rules, grid, cell + 1);
                grid[cell] = 0;
            }
        }
        solutions
    }

    #[test]
    fn a_blank_four_by_four_has_288_grids_and_48_with_diagonals() {
        for (variants, grids) in [("classic", 288), ("diagonal", 48)] {
            let variants: Variants = variants.parse().unwrap();
            let rules = Rules::new(4, Shape::boxes_of(4).unwrap(), &variants).unwrap();
            assert_eq!(count(&rules, &mut vec![0; 16], 0), grids);
        }
    }

    #[test]
    fn verdicts_agree_with_counting_all_solutions_of_small_grids() {
        let rules = Rules::new(4, Shape::boxes_of(4).unwrap(), &Variants::default()).unwrap();
        for seed in 0..4096usize {
            // Three cells filled arbitrarily: some grids have no solution, some one, some many.
            let mut grid = vec![0; 16];
            for part in 0..4 {
                grid[(seed >> part) * 7 % 16] = ((seed >> (3 * part)) % 4 + 1) as u8;
            }
            let contradicts = rules.houses().iter().any(|house| {
                let mut held = 0u32;
                house.cells.iter().any(|&cell| {
                    let digit = grid[usize::from(cell)];
                    let twice = digit != 0 && held >> digit & 1 == 1;
                    held |= 1 << digit;
                    twice
                })
            });
            let expected = match count(&rules, &mut grid.clone(), 0) {
                _ if contradicts => Status::None,
                0 => Status::None,
                1 => Status::Unique,
                _ => Status::Multiple,
            };
            assert_eq!(answers(4, "classic", &grid, 0)[0].0, expected, "{grid:?}");
        }
    }

    #[test]
    fn a_solution_is_the_first_in_ascending_order() {
        let blank = answers(4, "classic", &[0; 16], 0);
        assert_eq!(blank[0].0, Status::Multiple);
        assert_eq!(
            blank[0].1.as_deref(),
            Some([1, 2, 3, 4, 3, 4, 1, 2, 2, 1, 4, 3, 4, 3, 2, 1].as_slice())
        );
    }

    #[test]
    fn givens_that_contradict_each_other_have_no_solution() {
        let grid = [[1, 1].as_slice(), &[0; 14]].concat();
        assert_eq!(answers(4, "classic", &grid, 0)[0], (Status::None, None, 0));
    }

    #[test]
    fn the_guess_limit_ends_a_search_as_unknown() {
        let blank = &answers(9, "classic", &[0; 81], 3)[0];
        assert_eq!((blank.0, &blank.1, blank.2), (Status::Unknown, &None, 3));
    }
}
