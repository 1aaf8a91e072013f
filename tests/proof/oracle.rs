//! Encodes constraints for the SAT solver varisat, with one variable for each cell and digit, and one for each set of digits
//! that a cage can hold. The clauses are added once; the givens of a puzzle are assumptions.

use varisat::{ExtendFormula, Lit, Solver};

use crate::constraints::{Cage, Constraints};

pub struct Oracle {
    solver: Solver<'static>,
    side: usize,
}

impl Oracle {
    pub fn new(constraints: &Constraints) -> Oracle {
        let (side, cells) = (constraints.side, constraints.side * constraints.side);
        let mut solver = Solver::new();
        let is = |cell, digit| is(side, cell, digit);
        for cell in 0..cells {
            let literals: Vec<Lit> = (1..=side).map(|digit| is(cell, digit)).collect();
            at_most_one(&mut solver, &literals);
            solver.add_clause(&literals);
        }
        for set in &constraints.sets {
            for digit in 1..=side {
                let literals: Vec<Lit> = set.iter().map(|&cell| is(cell, digit)).collect();
                at_most_one(&mut solver, &literals);
                if literals.len() == side {
                    // Redundant, but it speeds the solver up.
                    solver.add_clause(&literals);
                }
            }
        }
        for &[a, b] in &constraints.not_consecutive {
            for digit in 1..side {
                solver.add_clause(&[!is(a, digit), !is(b, digit + 1)]);
                solver.add_clause(&[!is(a, digit + 1), !is(b, digit)]);
            }
        }
        for cage in &constraints.spec.cages {
            add_sum(&mut solver, side, cage);
        }
        Oracle { solver, side }
    }

    pub fn has_solution(&mut self, givens: &[u8]) -> bool {
        self.decide(&self.of_givens(givens))
    }

    /// True if the givens have a solution other than this one.
    pub fn has_other(&mut self, givens: &[u8], solution: &[u8]) -> bool {
        self.decide_other(self.of_givens(givens), solution)
    }

    /// True if there is a solution with one of the candidates in each cell.
    pub fn has_solution_within(&mut self, candidates: &[Vec<bool>]) -> bool {
        self.decide(&self.of_candidates(candidates))
    }

    /// The same for a solution other than this one.
    pub fn has_other_within(&mut self, candidates: &[Vec<bool>], solution: &[u8]) -> bool {
        self.decide_other(self.of_candidates(candidates), solution)
    }

    /// Returns whether there is a solution other than this one under the assumptions.
    fn decide_other(&mut self, mut assumptions: Vec<Lit>, solution: &[u8]) -> bool {
        let enabled = self.solver.new_lit();
        let cells = 0..solution.len();
        let differs = cells.map(|cell| !is(self.side, cell, solution[cell].into()));
        let clause: Vec<Lit> = differs.chain([!enabled]).collect();
        self.solver.add_clause(&clause);
        assumptions.push(enabled);
        let found = self.decide(&assumptions);
        // Disable the clause for later puzzles.
        self.solver.add_clause(&[!enabled]);
        found
    }

    /// Returns any full grid with these givens.
    pub fn grid(&mut self, givens: &[u8]) -> Option<Vec<u8>> {
        self.has_solution(givens).then(|| {
            let mut grid = vec![0; self.side * self.side];
            let model = self
                .solver
                .model()
                .expect("a satisfiable formula has a model");
            for index in model
                .iter()
                .filter(|lit| lit.is_positive())
                .map(|lit| lit.index())
            {
                if let Some(cell) = grid.get_mut(index / self.side) {
                    *cell = (index % self.side + 1) as u8;
                }
            }
            grid
        })
    }

    /// Returns the literals of the givens.
    fn of_givens(&self, givens: &[u8]) -> Vec<Lit> {
        let given = (0..givens.len()).filter(|&cell| givens[cell] != 0);
        given
            .map(|cell| is(self.side, cell, givens[cell].into()))
            .collect()
    }

    /// Returns the literals that exclude all other candidates. Digit `d` of a cell is at `d - 1`.
    fn of_candidates(&self, candidates: &[Vec<bool>]) -> Vec<Lit> {
        let mut excluded = Vec::new();
        for (cell, of_cell) in candidates.iter().enumerate() {
            let digits = (1..)
                .zip(of_cell)
                .filter(|(_, is_candidate)| !**is_candidate);
            excluded.extend(digits.map(|(digit, _)| !is(self.side, cell, digit)));
        }
        excluded
    }

    fn decide(&mut self, assumptions: &[Lit]) -> bool {
        self.solver.assume(assumptions);
        self.solver.solve().expect("the solver is not interrupted")
    }
}

/// Returns the literal for "the cell holds the digit".
fn is(side: usize, cell: usize, digit: usize) -> Lit {
    Lit::from_index(cell * side + digit - 1, true)
}

/// Adds the sum of a cage: its digits, which differ by other clauses, are those of one set with this sum.
fn add_sum(solver: &mut Solver<'_>, side: usize, cage: &Cage) {
    let Some(sum) = cage.sum else { return };
    let digits_of = |set: u32| (1..=side).filter(move |digit| set >> digit & 1 == 1);
    let has_sum = |set: &u32| {
        set.count_ones() as usize == cage.cells.len() && digits_of(*set).sum::<usize>() == sum
    };
    let mut is_set = Vec::new();
    for set in (0..2 << side).step_by(2).filter(has_sum) {
        let holds_set = solver.new_lit();
        is_set.push(holds_set);
        for (&cell, digit) in cage
            .cells
            .iter()
            .flat_map(|cell| (1..=side).map(move |digit| (cell, digit)))
        {
            if set >> digit & 1 == 0 {
                solver.add_clause(&[!holds_set, !is(side, cell, digit)]);
            }
        }
    }
    solver.add_clause(&is_set);
}

fn at_most_one(solver: &mut Solver<'_>, literals: &[Lit]) {
    for (index, &one) in literals.iter().enumerate() {
        for &other in &literals[..index] {
            solver.add_clause(&[!one, !other]);
        }
    }
}
