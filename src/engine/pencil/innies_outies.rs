//! Finds innies and outies by the rule of 45 (see `mod.rs`), in houses and unions of houses.

use super::marks::Marks;
use super::pattern::{Pattern, Word};
use super::tables::{EQUATIONS_PER_UNION, HouseUnion, Tables};
use super::technique::Technique::InniesOuties;
use crate::bits::bits;
use crate::rules::CellSet;

const MAX_CELLS: usize = 4;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum EquationPart {
    Innies,
    Outies,
    /// For each cage, those with fewer blank cells, or the innies if both have equally many.
    Fewer,
}

use EquationPart::{Fewer, Innies, Outies};

const PARTS: [EquationPart; EQUATIONS_PER_UNION] = [Innies, Outies, Fewer];

/// The sum of some blank cells (innies) minus the sum of others (outies) is known.
#[derive(Clone, Copy, Debug, Default)]
struct Equation {
    /// Index of the union times [`EQUATIONS_PER_UNION`], plus the index of the part in [`PARTS`].
    index: usize,
    terms: [Term; MAX_CELLS],
    len: usize,
    sum: i32,
}

/// Digits count from 0.
#[derive(Clone, Copy, Debug, Default)]
struct Term {
    cell: u16,
    /// 1 for an innie, -1 for an outie.
    sign: i32,
    candidates: u32,
    /// The earlier cells that the cell sees: bit i for term i.
    seen: u32,
    /// The candidates that are in the choices found so far.
    allowed: u32,
    /// Scratch: the digit chosen for the cell.
    digit: usize,
}

/// Finds the first equation that eliminates a candidate. A choice is one candidate for each cell
/// that satisfies the equation, with different digits in cells that see each other. A candidate in
/// no choice is eliminated. Equations of fewer blank cells come first.
///
/// Skips an equation after a failed search until one of its houses or cages changes. `last_changes`
/// is the result of `History::last_changes`. The search fails for each equation that
/// `Equation::new` does not return, and for each that eliminates nothing.
pub(super) fn find(tables: &Tables, marks: &mut Marks, last_changes: &[u64]) -> Option<Pattern> {
    let now = marks.history.now;
    let mut equations = Vec::new();
    for (index, &last_change) in last_changes.iter().enumerate() {
        if *marks.history.searched(InniesOuties, index) >= last_change {
            continue;
        }
        match Equation::new(tables, marks, index) {
            Some(equation) => equations.push(equation),
            None => *marks.history.searched(InniesOuties, index) = now,
        }
    }
    equations.sort_by_key(|equation| equation.len);
    equations.iter_mut().find_map(|equation| {
        let pattern = equation.eliminate(tables, marks);
        if pattern.is_none() {
            *marks.history.searched(InniesOuties, equation.index) = now;
        }
        pattern
    })
}

impl Equation {
    /// Returns `None` if there is no blank cell or more than `MAX_CELLS`. With `Outies`, also
    /// returns `None` if a blank cell of the union is in no cage with a sum.
    fn new(tables: &Tables, marks: &Marks, index: usize) -> Option<Equation> {
        let union = &tables.unions[index / EQUATIONS_PER_UNION];
        let part = PARTS[index % EQUATIONS_PER_UNION];
        let mut equation = Equation { index, sum: union.rest, ..Equation::default() };
        for &cell in &union.uncaged {
            equation.add(tables, marks, cell, 1)?;
        }
        if part == Outies && equation.len > 0 {
            return None;
        }
        for cage in &union.crossing {
            let cells = tables.cells_of.of(cage.house);
            let takes_outies = match part {
                Innies => false,
                Outies => true,
                Fewer => has_fewer_outies(marks, union, cells),
            };
            let sign = if takes_outies { -1 } else { 1 };
            if takes_outies {
                // The innies add up to the sum of the cage minus the outies.
                equation.sum -= i32::from(cage.sum);
            }
            for &cell in cells {
                if union.cells.contains(cell) != takes_outies {
                    equation.add(tables, marks, cell, sign)?;
                }
            }
        }
        (equation.len > 0).then_some(equation)
    }

    /// Returns `None` if there are more than `MAX_CELLS` blank cells.
    fn add(&mut self, tables: &Tables, marks: &Marks, cell: u16, sign: i32) -> Option<()> {
        if let Some(digit) = marks.only_digit(cell) {
            self.sum -= sign * i32::from(digit);
            return Some(());
        }
        let sees = |&earlier: &usize| tables.are_peers(self.terms[earlier].cell, cell);
        let term = Term {
            cell,
            sign,
            candidates: marks.candidates[cell],
            seen: (0..self.len).filter(sees).fold(0, |set, earlier| set | 1 << earlier),
            ..Term::default()
        };
        *self.terms.get_mut(self.len)? = term;
        self.len += 1;
        Some(())
    }

    fn eliminate(&mut self, tables: &Tables, marks: &mut Marks) -> Option<Pattern> {
        self.find_allowed();
        let terms = self.terms[..self.len].iter();
        let mut removals: Vec<(u16, u32)> = terms.map(|term| (term.cell, !term.allowed)).collect();
        removals.sort_unstable();
        let is_useful = marks.eliminate_each(removals.into_iter());
        is_useful.then(|| self.pattern(tables))
    }

    /// Searches for a choice with each candidate, which is then the only one of its cell.
    fn find_allowed(&mut self) {
        for index in 0..self.len {
            let candidates = self.terms[index].candidates;
            for digit in bits(candidates) {
                if self.terms[index].allowed & 1 << digit == 0 {
                    self.terms[index].candidates = 1 << digit;
                    self.complete(0, self.sum);
                }
            }
            self.terms[index].candidates = candidates;
        }
    }

    /// Chooses digits for the terms from `index` on, which must add up to `sum`, with outies
    /// subtracted. If there is such a choice, adds its digits to `allowed` of these terms.
    fn complete(&mut self, index: usize, sum: i32) -> bool {
        if index == self.len {
            return sum == 0;
        }
        let (least, most) = self.sum_bounds(index);
        if !(least..=most).contains(&sum) {
            return false;
        }
        let term = self.terms[index];
        let seen = bits(term.seen);
        let taken = seen.fold(0, |set, earlier| set | 1 << self.terms[earlier].digit);
        bits(term.candidates & !taken).any(|digit| {
            self.terms[index].digit = digit;
            let is_complete = self.complete(index + 1, sum - term.sign * (digit as i32 + 1));
            self.terms[index].allowed |= u32::from(is_complete) << digit;
            is_complete
        })
    }

    /// Outies are subtracted. Cells that see each other can be equal here.
    fn sum_bounds(&self, first: usize) -> (i32, i32) {
        let mut bounds = (0, 0);
        for term in &self.terms[first..self.len] {
            let least = term.candidates.trailing_zeros() as i32 + 1;
            let most = 32 - term.candidates.leading_zeros() as i32;
            let (low, high) = match term.sign {
                1 => (least, most),
                _ => (-most, -least),
            };
            bounds = (bounds.0 + low, bounds.1 + high);
        }
        bounds
    }

    fn pattern(&self, tables: &Tables) -> Pattern {
        let union = &tables.unions[self.index / EQUATIONS_PER_UNION];
        let names = union.houses.iter().map(|&house| tables.names[house]);
        let mut pattern = vec![Word::Union(names.collect())];
        let terms = &self.terms[..self.len];
        for (name, sign) in [("innies", 1), ("outies", -1)] {
            let terms = terms.iter().filter(|term| term.sign == sign);
            let cells: CellSet = terms.map(|term| term.cell).collect();
            if !cells.is_empty() {
                pattern.extend([Word::Text(name), Word::Cells(cells.iter().collect())]);
            }
        }
        pattern.push(Word::Number(self.sum));
        pattern
    }
}

fn has_fewer_outies(marks: &Marks, union: &HouseUnion, cage: &[u16]) -> bool {
    let cells = cage.iter().copied();
    let blanks = cells.filter(|&cell| marks.only_digit(cell).is_none());
    let signs = blanks.map(|cell| if union.cells.contains(cell) { 1 } else { -1 });
    signs.sum::<i32>() > 0
}
