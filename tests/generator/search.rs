//! The generator's own search: naked and hidden singles, then branches. It shares no code with the program, so that
//! what it makes stays the same when an engine changes, and can judge the engine.

use super::form::Form;
use super::random::Random;

/// A search for solutions, one after the other.
pub struct Search<'a> {
    form: &'a Form,
    /// Ways still to go: candidate sets (bit d-1 for digit d) in which the deductions are still to be drawn from
    /// `fresh`.
    open: Vec<Way>,
    choice: Choice<'a>,
    /// Branches taken.
    pub branches: u64,
    limit: u64,
}

struct Way {
    sets: Vec<u32>,
    /// Cells that have one candidate, which their peers do not know yet.
    fresh: Vec<usize>,
}

/// Which of the cells with fewest candidates is branched on.
pub enum Choice<'a> {
    First,
    Last,
    /// Any, its digits in any order.
    Random(&'a mut Random),
}

/// How a search went on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    Solution(Vec<u8>),
    /// There is no (further) solution.
    Exhausted,
    LimitReached,
}

impl<'a> Search<'a> {
    /// A search for the solutions of a grid that takes at most `limit` branches.
    pub fn new(form: &'a Form, grid: &[u8], choice: Choice<'a>, limit: u64) -> Search<'a> {
        let every_digit = (1 << form.side) - 1;
        let set = |digit: u8| match digit {
            0 => every_digit,
            digit => 1 << (digit - 1),
        };
        let givens = (0..form.cells()).filter(|&cell| grid[cell] != 0);
        let way = Way {
            sets: grid.iter().map(|&digit| set(digit)).collect(),
            fresh: givens.collect(),
        };
        Search {
            form,
            open: vec![way],
            choice,
            branches: 0,
            limit,
        }
    }

    /// The same, for solutions in which `cell` holds another digit; to be said before the search begins.
    pub fn without(mut self, cell: usize, digit: u8) -> Search<'a> {
        self.open[0].sets[cell] &= !(1 << (digit - 1));
        self
    }

    /// The next solution.
    pub fn go_on(&mut self) -> Outcome {
        while let Some(mut way) = self.open.pop() {
            if !way.deduce(self.form) {
                continue;
            }
            let Some(cell) = self.branch_cell(&way.sets) else {
                let digits = way.sets.iter().map(|set| set.trailing_zeros() as u8 + 1);
                return Outcome::Solution(digits.collect());
            };
            if self.branches == self.limit {
                return Outcome::LimitReached;
            }
            self.branches += 1;
            let set = way.sets[cell];
            let mut digits: Vec<u32> = (0..32).filter(|digit| set >> digit & 1 == 1).collect();
            if let Choice::Random(random) = &mut self.choice {
                random.shuffle(&mut digits);
            }
            for digit in digits {
                let mut sets = way.sets.clone();
                sets[cell] = 1 << digit;
                let fresh = vec![cell];
                self.open.push(Way { sets, fresh });
            }
        }
        Outcome::Exhausted
    }

    /// A cell with fewest candidates, but more than one.
    fn branch_cell(&mut self, sets: &[u32]) -> Option<usize> {
        let counts = || sets.iter().map(|set| set.count_ones());
        let fewest = counts().filter(|&count| count > 1).min()?;
        let mut cells = (0..sets.len()).filter(|&cell| sets[cell].count_ones() == fewest);
        match &mut self.choice {
            Choice::First => cells.next(),
            Choice::Last => cells.next_back(),
            Choice::Random(random) => {
                let cells: Vec<usize> = cells.collect();
                Some(*random.pick(&cells))
            }
        }
    }
}

/// Whether a person needs no more than to fill in cells that have one candidate left.
pub fn falls_to_naked_singles(form: &Form, grid: &[u8]) -> bool {
    let mut way = Search::new(form, grid, Choice::First, 0).open.remove(0);
    while let Some(cell) = way.fresh.pop() {
        if !way.tell(form, cell) {
            return false;
        }
    }
    way.sets.iter().all(|set| set.is_power_of_two())
}

impl Way {
    /// Draws naked and hidden singles until there are no more; false if they contradict each other. Where it ends does
    /// not depend on the order in which they are drawn.
    fn deduce(&mut self, form: &Form) -> bool {
        let every_digit = (1 << form.side) - 1;
        if self.sets.contains(&0) {
            return false;
        }
        loop {
            while let Some(cell) = self.fresh.pop() {
                if !self.tell(form, cell) {
                    return false;
                }
            }
            for house in &form.houses {
                let (mut once, mut twice) = (0, 0);
                for &cell in house {
                    twice |= once & self.sets[cell];
                    once |= self.sets[cell];
                }
                if once != every_digit {
                    return false;
                }
                let hidden = once & !twice;
                for &cell in house {
                    let set = &mut self.sets[cell];
                    if *set & hidden != 0 && !set.is_power_of_two() {
                        *set &= hidden;
                        if !set.is_power_of_two() {
                            return false;
                        }
                        self.fresh.push(cell);
                    }
                }
            }
            if self.fresh.is_empty() {
                return true;
            }
        }
    }

    /// Takes from others what a cell with one candidate leaves them not.
    fn tell(&mut self, form: &Form, cell: usize) -> bool {
        let digit = self.sets[cell];
        self.take(&form.peers[cell], digit)
            && self.take(&form.not_consecutive[cell], digit << 1 | digit >> 1)
    }

    fn take(&mut self, cells: &[usize], digits: u32) -> bool {
        for &cell in cells {
            let set = &mut self.sets[cell];
            if *set & digits != 0 {
                *set &= !digits;
                if *set == 0 {
                    return false;
                }
                if set.is_power_of_two() {
                    self.fresh.push(cell);
                }
            }
        }
        true
    }
}
