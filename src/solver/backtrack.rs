//! The plain search: the first blank cell, digits in ascending order; then once more in descending order. The same
//! grid both times means that there is no other. It is slow, short, and the judge of the lanes.

use crate::rules::{MAX_SIDE, Relation, Rules};
use crate::solver::{Found, Limits, Progress};
use crate::verdict::Status;

/// Solves one grid at a time.
#[derive(Debug)]
pub struct Backtrack<'a> {
    rules: &'a Rules,
    /// For each cell the houses and, numbered behind them, the groups it lies in.
    houses_of: Vec<Vec<u16>>,
    /// For each cell those it forms pairs with.
    partners_of: Vec<Vec<(u16, Relation)>>,
    limits: Limits,
}

/// Some hundred microseconds.
const GUESSES_A_REPORT: u64 = 4096;

/// In which order digits are tried.
#[derive(Clone, Copy)]
enum Order {
    Ascending,
    Descending,
}

/// How a search in one order ended.
enum End {
    Solved(Vec<u8>),
    Exhausted,
    LimitReached,
}

impl<'a> Backtrack<'a> {
    pub fn new(rules: &'a Rules, limits: Limits) -> Backtrack<'a> {
        Backtrack {
            rules,
            houses_of: houses_and_groups_of_cells(rules),
            partners_of: partners_of_cells(rules),
            limits,
        }
    }

    /// Answers each grid of `grids`, one behind the other, with its index.
    pub fn solve(&self, grids: &[u8], report: &mut dyn FnMut(Progress<'_>)) {
        for (index, grid) in grids.chunks_exact(self.rules.cells()).enumerate() {
            let mut guesses = 0;
            let up = self.search(grid, Order::Ascending, &mut guesses, report);
            let (status, solution) = match up {
                End::Exhausted => (Status::None, None),
                End::LimitReached => (Status::Unknown, None),
                End::Solved(solution) => {
                    match self.search(grid, Order::Descending, &mut guesses, report) {
                        End::Solved(other) if other == solution => (Status::Unique, Some(solution)),
                        End::Solved(_) => (Status::Multiple, Some(solution)),
                        End::LimitReached => (Status::Unknown, None),
                        End::Exhausted => unreachable!("the other order found a solution"),
                    }
                }
            };
            let solution = solution.as_deref();
            let found = Found {
                status,
                solution,
                guesses,
            };
            report(Progress::Found(index, found));
        }
    }

    /// The first solution in `order`. A branch is a digit placed where another could still be tried.
    fn search(
        &self,
        grid: &[u8],
        order: Order,
        guesses: &mut u64,
        report: &mut dyn FnMut(Progress<'_>),
    ) -> End {
        let Some(mut board) = Board::new(self, grid) else {
            return End::Exhausted;
        };
        let blanks: Vec<usize> = (0..grid.len()).filter(|&cell| grid[cell] == 0).collect();
        // untried[depth]: the digits still to try in blanks[depth].
        let mut untried = vec![0u32; blanks.len() + 1];
        let mut depth = 0;
        loop {
            if depth == blanks.len() {
                return End::Solved(board.digits);
            }
            untried[depth] = board.candidates(blanks[depth]);
            while untried[depth] == 0 {
                if depth == 0 {
                    return End::Exhausted;
                }
                depth -= 1;
                board.take_back(blanks[depth]);
            }
            let digits = untried[depth];
            let digit = match order {
                Order::Ascending => digits.trailing_zeros(),
                Order::Descending => digits.ilog2(),
            };
            if digits.count_ones() > 1 {
                if self.limits.are_reached_by(*guesses) {
                    return End::LimitReached;
                }
                *guesses += 1;
                if guesses.is_multiple_of(GUESSES_A_REPORT) {
                    report(Progress::AtWork);
                }
            }
            untried[depth] &= !(1 << digit);
            board.place(blanks[depth], digit as u8 + 1);
            depth += 1;
        }
    }
}

fn houses_and_groups_of_cells(rules: &Rules) -> Vec<Vec<u16>> {
    let mut houses_of = vec![Vec::new(); rules.cells()];
    for (index, house) in (0..).zip(rules.houses().iter().chain(rules.groups())) {
        for &cell in &house.cells {
            houses_of[usize::from(cell)].push(index);
        }
    }
    houses_of
}

fn partners_of_cells(rules: &Rules) -> Vec<Vec<(u16, Relation)>> {
    let mut partners_of = vec![Vec::new(); rules.cells()];
    for pair in rules.pairs() {
        let [a, b] = pair.cells;
        partners_of[usize::from(a)].push((b, pair.relation));
        partners_of[usize::from(b)].push((a, pair.relation));
    }
    partners_of
}

/// A grid that is being filled, and the digits that each house or group holds: bit d-1 for digit d.
struct Board<'a> {
    houses_of: &'a [Vec<u16>],
    partners_of: &'a [Vec<(u16, Relation)>],
    digits: Vec<u8>,
    held: Vec<u32>,
    every_digit: u32,
}

impl<'a> Board<'a> {
    /// The givens; `None` if they contradict each other.
    fn new(search: &'a Backtrack<'_>, grid: &[u8]) -> Option<Board<'a>> {
        let mut board = Board {
            houses_of: &search.houses_of,
            partners_of: &search.partners_of,
            digits: vec![0; grid.len()],
            held: vec![0; search.rules.houses().len() + search.rules.groups().len()],
            every_digit: (1 << search.rules.side()) - 1,
        };
        for (cell, &digit) in grid.iter().enumerate().filter(|&(_, &digit)| digit != 0) {
            if board.candidates(cell) & bit(digit) == 0 {
                return None;
            }
            board.place(cell, digit);
        }
        Some(board)
    }

    fn candidates(&self, cell: usize) -> u32 {
        let held = self.houses_of[cell]
            .iter()
            .fold(0, |held, &house| held | self.held[usize::from(house)]);
        let mut candidates = self.every_digit & !held;
        for &(partner, relation) in &self.partners_of[cell] {
            let other = self.digits[usize::from(partner)];
            if other != 0 {
                candidates &= !bits_where(|digit| relation.forbids(digit, other));
            }
        }
        candidates
    }

    fn place(&mut self, cell: usize, digit: u8) {
        self.digits[cell] = digit;
        for &house in &self.houses_of[cell] {
            self.held[usize::from(house)] |= bit(digit);
        }
    }

    fn take_back(&mut self, cell: usize) {
        for &house in &self.houses_of[cell] {
            self.held[usize::from(house)] &= !bit(self.digits[cell]);
        }
        self.digits[cell] = 0;
    }
}

fn bit(digit: u8) -> u32 {
    1 << (digit - 1)
}

/// The bits of the digits of which it holds.
fn bits_where(holds: impl Fn(u8) -> bool) -> u32 {
    let digits = (1..=MAX_SIDE as u8).filter(|&digit| holds(digit));
    digits.fold(0, |bits, digit| bits | bit(digit))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::{Shape, Variants};

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
        Backtrack::new(&rules, Limits { max_guesses }).solve(grids, &mut |progress| {
            let Progress::Found(index, found) = progress else {
                return;
            };
            assert_eq!(index, answers.len());
            answers.push((
                found.status,
                found.solution.map(<[u8]>::to_vec),
                found.guesses,
            ));
        });
        answers
    }

    /// All solutions, counted by trying every digit in every cell: what the search is judged by.
    fn count(rules: &Rules, grid: &mut Vec<u8>, from: usize) -> usize {
        let Some(cell) = (from..grid.len()).find(|&cell| grid[cell] == 0) else {
            return 1;
        };
        let mut solutions = 0;
        for digit in 1..=rules.side() as u8 {
            let mut houses = rules
                .houses()
                .iter()
                .filter(|house| house.cells.contains(&(cell as u16)));
            if houses.all(|house| {
                house
                    .cells
                    .iter()
                    .all(|&other| grid[usize::from(other)] != digit)
            }) {
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
            // Three cells filled at will: some without solution, some with one, some with many.
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
