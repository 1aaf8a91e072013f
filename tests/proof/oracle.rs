//! Varisat, asked about a law: a variable for each cell and digit. The law is told once, the givens of each puzzle are
//! assumptions.

use varisat::{ExtendFormula, Lit, Solver};

use crate::law::Law;

pub struct Oracle {
    solver: Solver<'static>,
    side: usize,
}

impl Oracle {
    pub fn new(law: &Law) -> Oracle {
        let (side, cells) = (law.side, law.side * law.side);
        let mut solver = Solver::new();
        let is = |cell, digit| is(side, cell, digit);
        for cell in 0..cells {
            let ways: Vec<Lit> = (1..=side).map(|digit| is(cell, digit)).collect();
            at_most_one(&mut solver, &ways);
            solver.add_clause(&ways);
        }
        for set in &law.sets {
            for digit in 1..=side {
                let places: Vec<Lit> = set.iter().map(|&cell| is(cell, digit)).collect();
                at_most_one(&mut solver, &places);
                if places.len() == side {
                    // It follows, and helps.
                    solver.add_clause(&places);
                }
            }
        }
        for &[a, b] in &law.not_consecutive {
            for digit in 1..side {
                solver.add_clause(&[!is(a, digit), !is(b, digit + 1)]);
                solver.add_clause(&[!is(a, digit + 1), !is(b, digit)]);
            }
        }
        Oracle { solver, side }
    }

    pub fn has_solution(&mut self, givens: &[u8]) -> bool {
        self.decide(givens, None)
    }

    /// Whether the givens have a solution other than this one.
    pub fn has_other(&mut self, givens: &[u8], solution: &[u8]) -> bool {
        let matters = self.solver.new_lit();
        let blanks = (0..givens.len()).filter(|&cell| givens[cell] == 0);
        let differs = blanks.map(|cell| !is(self.side, cell, solution[cell].into()));
        let clause: Vec<Lit> = differs.chain([!matters]).collect();
        self.solver.add_clause(&clause);
        let found = self.decide(givens, Some(matters));
        // From now on that clause says nothing.
        self.solver.add_clause(&[!matters]);
        found
    }

    /// Any full grid with these digits.
    pub fn grid(&mut self, givens: &[u8]) -> Option<Vec<u8>> {
        self.decide(givens, None).then(|| {
            let mut grid = vec![0; self.side * self.side];
            let model = self.solver.model().expect("there is one");
            for place in model
                .iter()
                .filter(|lit| lit.is_positive())
                .map(|lit| lit.index())
            {
                if let Some(cell) = grid.get_mut(place / self.side) {
                    *cell = (place % self.side + 1) as u8;
                }
            }
            grid
        })
    }

    fn decide(&mut self, givens: &[u8], also: Option<Lit>) -> bool {
        let given = (0..givens.len()).filter(|&cell| givens[cell] != 0);
        let givens = given.map(|cell| is(self.side, cell, givens[cell].into()));
        let assumptions: Vec<Lit> = givens.chain(also).collect();
        self.solver.assume(&assumptions);
        self.solver.solve().expect("nothing interrupts it")
    }
}

/// That a cell holds a digit.
fn is(side: usize, cell: usize, digit: usize) -> Lit {
    Lit::from_index(cell * side + digit - 1, true)
}

fn at_most_one(solver: &mut Solver<'_>, lits: &[Lit]) {
    for (index, &one) in lits.iter().enumerate() {
        for &other in &lits[..index] {
            solver.add_clause(&[!one, !other]);
        }
    }
}
