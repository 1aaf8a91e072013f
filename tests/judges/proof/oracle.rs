//! Encodes constraints for the SAT solver batsat, with one variable for each cell and digit, and
//! one for each set of digits that a cage can hold. The clauses are added once; the givens of a
//! puzzle are assumptions.

use batsat::{BasicSolver, Lit, SolverInterface, Var, lbool};

use super::constraints::{Cage, Constraints};

pub struct Oracle {
    solver: BasicSolver,
    side: usize,
}

impl Oracle {
    pub fn new(constraints: &Constraints) -> Oracle {
        let (side, cells) = (constraints.side, constraints.side * constraints.side);
        let mut solver = BasicSolver::default();
        for _ in 0..cells * side {
            solver.new_var_default();
        }
        let is = |cell, digit| is(side, cell, digit);
        for cell in 0..cells {
            let literals: Vec<Lit> = (1..=side).map(|digit| is(cell, digit)).collect();
            at_most_one(&mut solver, &literals);
            add_clause(&mut solver, &literals);
        }
        for set in &constraints.sets {
            for digit in 1..=side {
                let literals: Vec<Lit> = set.iter().map(|&cell| is(cell, digit)).collect();
                at_most_one(&mut solver, &literals);
                if literals.len() == side {
                    // Redundant, but it speeds the solver up.
                    add_clause(&mut solver, &literals);
                }
            }
        }
        for &[a, b] in &constraints.not_consecutive {
            for digit in 1..side {
                add_clause(&mut solver, &[!is(a, digit), !is(b, digit + 1)]);
                add_clause(&mut solver, &[!is(a, digit + 1), !is(b, digit)]);
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
        let enabled = new_literal(&mut self.solver);
        let cells = 0..solution.len();
        let differs = cells.map(|cell| !is(self.side, cell, solution[cell].into()));
        let clause: Vec<Lit> = differs.chain([!enabled]).collect();
        add_clause(&mut self.solver, &clause);
        assumptions.push(enabled);
        let found = self.decide(&assumptions);
        // Disable the clause for later puzzles.
        add_clause(&mut self.solver, &[!enabled]);
        found
    }

    /// Returns any full grid with these givens.
    pub fn grid(&mut self, givens: &[u8]) -> Option<Vec<u8>> {
        self.has_solution(givens).then(|| {
            let side = self.side;
            let holds = |cell, digit| self.solver.value_lit(is(side, cell, digit)) == lbool::TRUE;
            let digit_of = |cell| (1..=side).find(|&digit| holds(cell, digit));
            let digits = (0..side * side).map(digit_of);
            digits.map(|digit| digit.expect("each cell holds a digit") as u8).collect()
        })
    }

    /// Returns the literals of the givens.
    fn of_givens(&self, givens: &[u8]) -> Vec<Lit> {
        let given = (0..givens.len()).filter(|&cell| givens[cell] != 0);
        given.map(|cell| is(self.side, cell, givens[cell].into())).collect()
    }

    /// Returns the literals that exclude all other candidates. Digit `d` of a cell is at `d - 1`.
    fn of_candidates(&self, candidates: &[Vec<bool>]) -> Vec<Lit> {
        let mut excluded = Vec::new();
        for (cell, of_cell) in candidates.iter().enumerate() {
            let digits = (1..).zip(of_cell).filter(|(_, is_candidate)| !**is_candidate);
            excluded.extend(digits.map(|(digit, _)| !is(self.side, cell, digit)));
        }
        excluded
    }

    fn decide(&mut self, assumptions: &[Lit]) -> bool {
        let decided = self.solver.solve_limited(assumptions);
        assert_ne!(decided, lbool::UNDEF, "the solver is not interrupted");
        decided == lbool::TRUE
    }
}

/// Returns the literal for "the cell holds the digit".
fn is(side: usize, cell: usize, digit: usize) -> Lit {
    let variable = cell * side + digit - 1;
    Lit::new(Var::unsafe_from_idx(variable as u32), true)
}

/// Returns the literal of a new variable.
fn new_literal(solver: &mut BasicSolver) -> Lit {
    Lit::new(solver.new_var_default(), true)
}

fn add_clause(solver: &mut BasicSolver, literals: &[Lit]) {
    // False if the formula is now unsatisfiable, which `decide` finds too.
    solver.add_clause_reuse(&mut literals.to_vec());
}

/// Adds the sum of a cage: its digits, which differ by other clauses, are those of one set with
/// this sum.
fn add_sum(solver: &mut BasicSolver, side: usize, cage: &Cage) {
    let Some(sum) = cage.sum else { return };
    let digits_of = |set: u32| (1..=side).filter(move |digit| set >> digit & 1 == 1);
    let has_sum = |set: &u32| {
        set.count_ones() as usize == cage.cells.len() && digits_of(*set).sum::<usize>() == sum
    };
    let mut is_set = Vec::new();
    for set in (0..2 << side).step_by(2).filter(has_sum) {
        let holds_set = new_literal(solver);
        is_set.push(holds_set);
        for (&cell, digit) in
            cage.cells.iter().flat_map(|cell| (1..=side).map(move |digit| (cell, digit)))
        {
            if set >> digit & 1 == 0 {
                add_clause(solver, &[!holds_set, !is(side, cell, digit)]);
            }
        }
    }
    add_clause(solver, &is_set);
}

fn at_most_one(solver: &mut BasicSolver, literals: &[Lit]) {
    for (index, &one) in literals.iter().enumerate() {
        for &other in &literals[..index] {
            add_clause(solver, &[!one, !other]);
        }
    }
}
